#!/usr/bin/env python3
"""Measure the speed of jmjp: in memory and as a command with files in and out, each game seen once.

Times are CPU times, user and system, per game. The ratio is to lxml.etree.fromstring, called twice in a row on the same
bytes; only the second call counts. It is measured next to each figure, so that a machine that slows down slows
both. Start-up is taken off: that of the same command with one file. The tables "instructions" and "phases" count
instructions with callgrind, over 40 games. Without PATH, the games are 2,000 that scripts/play.py plays once.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import activate  # noqa: F401 - before what needs its packages
from benching.games import HOME, chosen, chunks, own, played
from benching.measures import TABLES, Bench, Table, Unavailable
from commandline import Parser, at_least, run

PAGES = (HOME / "docs" / "performance.md", HOME / "docs" / "design" / "measured.md")
"""The pages that have the tables: those for users, and the others."""

_EPILOG = """\
examples:
  scripts/bench.py                                    all tables
  scripts/bench.py --docs                             and put them into the docs
  scripts/bench.py --only process --rows '`convert'   the commands whose names contain "`convert"
  scripts/bench.py --only process --against ../other  and those of another checkout, in turn
  scripts/bench.py --only process --games 400 logs/   with your own logs
  scripts/bench.py --only instructions --names list.txt logs/ --against ../other
                                                      the logs that list.txt names, here and in another checkout
  scripts/bench.py --compiled DIR --docs              with a column for the compiled package that pip install
                                                      --target DIR has put there
"""


def arguments() -> argparse.Namespace:
    """Return the validated arguments."""
    parser = Parser(__file__, __doc__, _EPILOG)
    add = parser.add_argument
    add("paths", nargs="*", type=Path, metavar="PATH", help="mjlogs, or folders of them; broken ones are left out")
    add("--names", type=Path, metavar="FILE", help="only the logs that FILE names, one per line, in its order")
    add("--games", type=at_least(2), default=800, metavar="N", help="number of games (default: 800)")
    add(
        "--chunk",
        type=at_least(2),
        default=400,
        metavar="N",
        help="games that a command converts at a time (default: 400)",
    )
    add("-k", "--only", action="append", choices=TABLES, metavar="TABLE", help=f"one of {', '.join(TABLES)}")
    add("--rows", default="", metavar="TEXT", help="only rows whose names contain TEXT")
    add("--against", type=checkout, metavar="DIR", help="compare with the commands of another checkout")
    add("--compiled", type=compiled, metavar="DIR", help="measure the compiled package in DIR, too")
    add(
        "--docs",
        action="store_true",
        help="put the tables into " + " and ".join(str(page.relative_to(HOME)) for page in PAGES),
    )
    asked = parser.parse_args()
    if asked.docs and (asked.rows or asked.against):
        parser.error("--docs needs whole tables, without --rows and --against")
    if asked.names and not asked.paths:
        parser.error("--names needs a PATH")
    return asked


def checkout(text: str) -> Path:
    """Return the path of a folder that has the package."""
    if not (path := Path(text).resolve() / "jmjp_convert").is_dir():
        raise argparse.ArgumentTypeError(f"{text} has no jmjp_convert")
    return path.parent


def compiled(text: str) -> Path:
    """Return the path of a folder that has the package with compiled modules."""
    path = checkout(text)
    if not any(file.suffix in {".so", ".pyd"} for file in path.joinpath("jmjp_convert").rglob("*")):
        raise argparse.ArgumentTypeError(f"{text} has no compiled module")
    return path


def games_of(asked: argparse.Namespace) -> list[Path]:
    """Return the games to measure with: the user's, or, if there are none, those that are played."""
    if asked.paths and not any(path.exists() for path in asked.paths):
        print(f"bench: {asked.paths[0]} does not exist; these are games that scripts/play.py plays", file=sys.stderr)
        asked.paths = asked.names = None
    if asked.names:
        return own(asked.paths, asked.names.read_text(encoding="utf-8").split())
    return chosen(own(asked.paths) if asked.paths else played(), asked.games)


def text(table: Table) -> str:
    """Return *table* in Markdown."""
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (table[0], ["---"] * len(table[0]), *table[1:]))


def documented(page: str, name: str, made: str) -> str:
    """Return the Markdown *page* with the lines below the mark *name* replaced by *made*."""
    return re.sub(rf"(?<=<!-- bench: {name} -->\n)(?:.+\n)*", lambda _: made, page)


def conditions(games: Sequence[Path], chunk: int) -> str:
    """Return the line that says what was measured, and where."""
    size = sum(path.stat().st_size for path in games) / len(games) / 1e3
    system = f"{platform.system()} on {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    return f"{len(games):,} games of {size:.1f} kB, in chunks of {chunk}; {system}.\n"


def main() -> None:
    """Measure."""
    asked = arguments()
    started = time.monotonic()
    games = games_of(asked)
    if len(games) < 2:  # noqa: PLR2004 - the first is start-up
        sys.exit(f"bench: {len(games)} valid games; at least 2 are needed")
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        bench = Bench(room, chunks(games, asked.chunk, room), asked.rows, asked.against, asked.compiled)
        made = {"run": conditions(games, len(bench.chunks[0]))}
        print(made["run"], flush=True)
        for name, measure in TABLES.items():
            if not asked.only or name in asked.only:
                try:
                    made[name] = text(measure(bench))
                except Unavailable as why:
                    print(f"bench: {name}: skipped, {why}", file=sys.stderr)
                else:
                    print(made[name], flush=True)
    print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    if asked.docs:
        for path in PAGES:
            page = path.read_text(encoding="utf-8")
            for name, lines in made.items():
                page = documented(page, name, lines)
            path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(run(__file__, main))
