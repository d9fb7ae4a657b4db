#!/usr/bin/env python3
"""Measure the speed of jmjp: in memory, as a command with files in and out, and by phase, each game seen once.

Times are CPU times, user and system, per game. The ratio is to lxml.etree.fromstring, called twice in a row on the same
bytes, of which the second call counts; it is measured next to each figure, so that a machine that slows down slows
both.
Start-up is taken off: that of the same command with one file. Without PATH, the games are 2,000 that scripts/play.py
plays once.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benching import phases
from benching.games import HOME, chosen, chunks, environment, own, played
from benching.in_memory import FULL, QUICK, WORK, Converter
from benching.processes import COMMANDS, TWO, Arguments, Usage, jmjp, run

BLOCK = 25  # games that a candidate in memory converts before it is another's turn
STARTS = 15
ROUNDS = 2

_EPILOG = """\
examples:
  scripts/bench.py                                    all tables, for docs/performance.md
  scripts/bench.py --only process --rows 'convert'    the commands whose names contain "convert"
  scripts/bench.py --only process --against ../other  and those of another checkout, in turn
  scripts/bench.py --only phases --games 400 logs/    with your own logs
"""


class Bench(NamedTuple):
    """What is measured.

    :ivar chunks: the games, by folder.
    :ivar rows: a part of the names of the candidates.
    :ivar against: another checkout.
    """

    room: Path
    chunks: list[list[Path]]
    rows: str
    against: Path | None

    @property
    def games(self) -> list[Path]:
        """All games."""
        return [game for chunk in self.chunks for game in chunk]

    def wanted(self, names: Sequence[str]) -> list[str]:
        """Return those of *names* that are to be measured."""
        return [name for name in names if self.rows in name]

    def floor(self) -> Converter:
        """Return a process that measures the XML parser."""
        return Converter(QUICK, environment(HOME))


def row(*cells: object) -> None:
    """Print a row of a table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def head(*cells: str) -> None:
    """Print the head of a table."""
    print()
    row(*cells)
    row(*("---" for _ in cells))


def in_memory(bench: Bench) -> None:
    """Measure conversions in memory: each candidate has a process of its own, so that none warms another's caches."""
    names = [name for name in bench.wanted(list(WORK)) if "jansou" not in name or find_spec("jansou")]
    games = bench.games
    ratios: dict[str, list[float]] = {name: [] for name in names}
    floors = []
    with ExitStack() as stack:
        converters = {name: stack.enter_context(Converter(name, environment(HOME))) for name in names}
        for first in range(0, len(games), BLOCK):
            block = games[first : first + BLOCK]
            for name in turned(names, first // BLOCK):
                spent, floor = converters[name].convert(block)
                ratios[name].append(spent / floor)
                floors.append(floor / len(block))
    head("in memory", "per game", "ratio")
    floor = median(floors)
    row("`lxml.etree.fromstring`", f"{floor * 1e3:.3f} ms", "1")
    for name in names:
        ratio = median(ratios[name])
        row(name, f"{ratio * floor * 1e3:.2f} ms", f"{ratio:.1f}")


def turned(names: Sequence[str], number: int) -> Iterator[str]:
    """Yield *names*, beginning with another one for each *number*."""
    for index in range(len(names)):
        yield names[(index + number) % len(names)]


class Figures:
    """The figures of one command of one checkout, one of each per chunk."""

    def __init__(self, arguments: Arguments, checkout: Path) -> None:
        self._arguments = arguments
        self._checkout = checkout
        self.ratios: list[float] = []
        self.floors: list[float] = []
        self.peaks: list[float] = []

    def measure(self, games: list[Path], room: Path, floor: Converter) -> None:
        """Measure *games*, a chunk."""
        start = self._usage(games[:1], room).cpu
        before, used, after = floor.floor(games), self._usage(games, room), floor.floor(games)
        least = (before + after) / 2
        self.floors.append(least)
        self.ratios.append((used.cpu - start) / (len(games) - 1) / least)
        self.peaks.append(used.peak)

    def warm(self, game: Path, room: Path) -> None:
        """Let Python compile the package, and the system read it."""
        self._usage([game], room)

    def _usage(self, games: list[Path], room: Path) -> Usage:
        return jmjp(self._arguments, games, room, self._checkout)


def process(bench: Bench) -> None:
    """Measure commands, chunk by chunk: game by game, start-up would be all of it."""
    names = bench.wanted(list(COMMANDS))
    checkouts = [HOME] + ([bench.against] if bench.against else [])
    figures = {name: [Figures(COMMANDS[name], checkout) for checkout in checkouts] for name in names}
    with bench.floor() as floor:
        for number, games in enumerate(bench.chunks):
            for name in turned(names, number):
                for one in figures[name][:: -1 if number % 2 else 1]:
                    if not number:
                        one.warm(games[0], bench.room)
                    one.measure(games, bench.room, floor)
    least = median(floor for each in figures.values() for one in each for floor in one.floors)
    more = ("ratio before", "now ÷ before", "memory before", "now ÷ before") if bench.against else ()
    head("process, start-up taken off", "per game", "ratio", "games per second", "memory", *more)
    for name, (now, *before) in figures.items():
        ratio, peak = median(now.ratios), median(now.peaks)
        cells = [f"{ratio * least * 1e3:.2f} ms", f"{ratio:.1f}", f"{1 / ratio / least:,.0f}", f"{peak:.0f} MB"]
        for other in before:
            pairs = zip(now.ratios, other.ratios, strict=True)
            cells += [f"{median(other.ratios):.1f}", f"{median(one / two for one, two in pairs):.2f}"]
            cells += [f"{median(other.peaks):.0f} MB", f"{peak / median(other.peaks):.2f}"]
        row(name, *cells)
    print(f"\nThe XML parser: {least * 1e3:.3f} ms per game.")


def by_phase(bench: Bench) -> None:
    """Measure the phases of a verified conversion, as a command."""
    shares: dict[str, list[float]] = {name: [] for name in (*phases.PHASES, phases.REST)}
    floors = []
    with bench.floor() as floor:
        for games in bench.chunks:
            start = _phases(games[:1], bench.room)
            spent = _phases(games, bench.room)
            least = floor.floor(games)
            floors.append(least)
            parts = {name: spent[name] - start[name] for name in spent}
            for name, seconds in parts.items():
                shares[name].append(seconds / (len(games) - 1) / least)
    least = median(floors)
    head("phase of `convert`", "per game", "ratio")
    total = 0.0
    for name, ratios in shares.items():
        ratio = median(ratios)
        total += ratio
        row(name, f"{ratio * least * 1e3:.3f} ms", f"{ratio:.2f}")
    row("together", f"{total * least * 1e3:.2f} ms", f"{total:.1f}")


def _phases(games: Sequence[Path], room: Path) -> dict[str, float]:
    """Return the CPU seconds of each phase of converting *games*."""
    report = Path(room, "phases.json")
    arguments = COMMANDS["`convert`"](games, f"{tempfile.mkdtemp(dir=room)}/out")
    cpu = run([sys.executable, phases.__file__, report, *arguments], room, HOME).cpu
    spent: dict[str, float] = json.loads(report.read_text(encoding="utf-8"))
    if missing := [name for name, seconds in spent.items() if not seconds]:
        sys.exit(f"bench: the functions of these phases are not called: {', '.join(missing)}")
    return spent | {phases.REST: cpu - sum(spent.values())}


def two_workers(bench: Bench) -> None:
    """Measure how much faster a batch is with a second worker, in wall time, and two processes that only convert."""
    speedups, rooms = [], []
    for _ in range(ROUNDS):
        one, two = (_wall(arguments, bench) for arguments in (COMMANDS["`batch --jobs 1`"], TWO))
        speedups.append(one / two)
        rooms.append(_room(bench.chunks[0]))
    head("wall time", "times as fast")
    row("`batch --jobs 2`, of `--jobs 1`", f"{median(speedups):.2f}")
    row("two processes that convert in memory, of one", f"{median(rooms):.2f}")


def _wall(arguments: Arguments, bench: Bench) -> float:
    """Return the wall seconds of a batch of all games, without its start-up."""
    start = jmjp(arguments, bench.games[:1], bench.room, HOME).wall
    return jmjp(arguments, bench.games, bench.room, HOME).wall - start


def _room(games: Sequence[Path]) -> float:
    """Return how many times as fast two processes convert *games* as one does."""
    with Converter(FULL, environment(HOME)) as one, Converter(FULL, environment(HOME)) as other:
        half = len(games) // 2
        for each in (one, other):
            each.convert(games[:1])
        started = time.perf_counter()
        one.convert(games)
        alone = time.perf_counter() - started
        started = time.perf_counter()
        one.start(games[:half])
        other.start(games[half:])
        one.spent()
        other.spent()
        return alone / (time.perf_counter() - started)


def start_up(bench: Bench) -> None:
    """Measure a command with one file, and what it cannot do without."""
    game, room = bench.chunks[0][:1], bench.room
    candidates: dict[str, Callable[[Path], Usage]] = {
        "`import click, lxml.etree`": lambda home: run([sys.executable, "-c", "import click, lxml.etree"], room, home)
    }
    for name in bench.wanted(["`convert`", "`check`", "`batch --jobs 1`"]):
        candidates[name] = lambda home, name=name: jmjp(COMMANDS[name], game, room, home)  # type: ignore[misc]
    checkouts = [HOME] + ([bench.against] if bench.against else [])
    times: dict[tuple[str, Path], list[float]] = {}
    for _ in range(STARTS + 1):
        for name, candidate in candidates.items():
            for home in checkouts:
                times.setdefault((name, home), []).append(candidate(home).cpu)
    seconds = {key: median(values[1:]) for key, values in times.items()}
    floor = seconds["`import click, lxml.etree`", HOME]
    head("start-up, one file", "time", "ratio", *(["ratio before"] if bench.against else []))
    for name in candidates:
        now, *before = (seconds[name, home] for home in checkouts)
        row(name, f"{now * 1e3:.0f} ms", *(f"{one / floor:.2f}" for one in (now, *before)))


SECTIONS: dict[str, Callable[[Bench], None]] = {
    "memory": in_memory,
    "process": process,
    "phases": by_phase,
    "two": two_workers,
    "startup": start_up,
}


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("paths", nargs="*", type=Path, metavar="PATH", help="mjlogs, or folders of them; broken ones are left out")
    add("--games", type=int, default=800, metavar="N", help="number of games (default: 800)")
    add("--chunk", type=int, default=400, metavar="N", help="games that a command converts at a time (default: 400)")
    add("-k", "--only", action="append", choices=SECTIONS, metavar="TABLE", help=f"one of {', '.join(SECTIONS)}")
    add("--rows", default="", metavar="TEXT", help="only rows whose names contain TEXT")
    add("--against", type=Path, metavar="DIR", help="compare with the commands of another checkout")
    asked = parser.parse_args()
    started = time.monotonic()
    found = chosen(own(asked.paths) if asked.paths else played(), asked.games)
    if min(len(found), asked.chunk) < 2:  # noqa: PLR2004 - the first is start-up
        sys.exit(f"bench: {len(found)} valid games; at least 2 are needed")
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        bench = Bench(room, chunks(found, asked.chunk, room), asked.rows, asked.against and asked.against.resolve())
        size = sum(path.stat().st_size for path in found) / len(found) / 1e3
        cores = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        print(f"{len(found):,} games of {size:.1f} kB, in chunks of {len(bench.chunks[0])}; {cores}", flush=True)
        for name, section in SECTIONS.items():
            if not asked.only or name in asked.only:
                section(bench)
    print(f"\n{time.monotonic() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
