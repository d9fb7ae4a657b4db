#!/usr/bin/env python3
"""Load `jmjp batch` with a directory of many games, and tell how it bears that, as a table in Markdown.

The games are played by scripts/play.py, and each stands there under many ids. Every figure is told with its ratio to
that of lxml.etree.fromstring over the same files, one after the other, which are in memory then. Times are the clock's,
and want a machine that does nothing else; memory is that of the command and of each worker, from /proc (Linux).
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from itertools import cycle, islice
from pathlib import Path

from bench_batch import batch
from play import arguments, games

RUNS = (("--jobs", "2"), ("--jobs", "2", "--no-verify"))
FLOOR = Path(__file__).with_name("load_floor.py")

HEAD = """\
| what | games a second | time, ratio | peak memory | ratio | a game | ratio |
| --- | --- | --- | --- | --- | --- | --- |"""


def laid_out(folder: Path, files: int, number: int) -> None:
    """Write so many *files* of a *number* of games to *folder*, a thousand to a directory, each under its own id."""
    played = list(games(arguments(["--seed", "1", "--games", str(number), "-o", "-"])))
    if len({game.log for game in played}) != number:
        sys.exit("load: two games are the same")
    for index, game in enumerate(islice(cycle(played), files)):
        place = folder / f"{index // 1000:03}"
        place.mkdir(exist_ok=True)
        (place / f"{game.id[:-8]}{index:08x}.xml").write_text(game.log, encoding="utf-8")


def floor(folder: Path) -> tuple[float, float]:
    """Return the seconds and the peak of memory in MB that the XML parser alone takes for the files of *folder*."""
    told = subprocess.run([sys.executable, FLOOR, folder], check=True, capture_output=True, text=True)  # noqa: S603
    seconds, peak = map(float, told.stdout.split())
    return seconds, peak / 1e3


def sizes(folder: Path, suffix: str) -> list[int]:
    """Return the bytes of each file of *folder* whose name ends in *suffix*."""
    return [path.stat().st_size for path in folder.rglob(f"*{suffix}")]


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=100_000, metavar="N", help="how many (default: 100000)")
    parser.add_argument("--games", type=int, default=2_000, metavar="N", help="of how many games (default: 2000)")
    asked = parser.parse_args()
    files, number = asked.files, asked.games
    if not 0 < number <= files:
        parser.error("there are to be games, and no fewer files")
    with tempfile.TemporaryDirectory() as room:
        source = Path(room, "games")
        source.mkdir()
        laid_out(source, files, number)
        least, bare = floor(source)
        size = sum(sizes(source, ".xml"))

        def row(what: str, seconds: float, peaks: Iterable[float], written: int) -> None:
            peaks = list(peaks)
            memory = " + ".join(f"{peak:.0f}" for peak in peaks)
            print(
                f"| {what} | {files / seconds:,.0f} | {seconds / least:.2f} | {memory} MB | {sum(peaks) / bare:.1f} "
                f"| {written / files / 1e3:.1f} kB | {written / size:.2f} |",
                flush=True,
            )

        cores = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        print(f"{files:,} files of {number:,} games; {cores}\n\n{HEAD}")
        row("`lxml.etree.fromstring`", least, [bare], size)
        for options in RUNS:
            before = set(Path(room).iterdir())
            seconds, (command, workers) = batch(source, *options)
            (out,) = set(Path(room).iterdir()) - before
            written = sizes(out, ".jmjp")
            if len(written) != files:
                sys.exit(f"load: only {len(written):,} of {files:,} games are there")
            row(f"`{' '.join(['jmjp batch', *options])}`", seconds, [command, *workers], sum(written))
        print("\nNone failed: each run ended with 0, and every game is there.")


if __name__ == "__main__":
    main()
