#!/usr/bin/env python3
"""Run `jmjp batch` on a directory of many games, and print its speed, memory and output size as a Markdown table.

The games are played by scripts/play.py, and each is stored under many log IDs. Every figure comes with its ratio to
lxml.etree.fromstring on the same files, one by one and in memory. Times are wall-clock times, so the machine should be
idle; memory is that of the command and of each worker, from /proc (Linux).
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
| what | games per second | time, ratio | peak memory | ratio | per game | ratio |
| --- | --- | --- | --- | --- | --- | --- |"""


def laid_out(folder: Path, files: int, number: int) -> None:
    """Write *files* files of *number* games to *folder*, a thousand per directory, each under its own log ID."""
    played = list(games(arguments(["--seed", "1", "--games", str(number), "-o", "-"])))
    if len({game.log for game in played}) != number:
        sys.exit("load: two games are identical")
    for index, game in enumerate(islice(cycle(played), files)):
        place = folder / f"{index // 1000:03}"
        place.mkdir(exist_ok=True)
        (place / f"{game.id[:-8]}{index:08x}.xml").write_text(game.log, encoding="utf-8")


def floor(folder: Path) -> tuple[float, float]:
    """Return the seconds and the peak memory in MB that the XML parser alone takes for the files in *folder*."""
    done = subprocess.run([sys.executable, FLOOR, folder], check=True, capture_output=True, text=True)  # noqa: S603
    seconds, peak = map(float, done.stdout.split())
    return seconds, peak / 1e3


def sizes(folder: Path, suffix: str) -> list[int]:
    """Return the size in bytes of each file in *folder* with *suffix*."""
    return [path.stat().st_size for path in folder.rglob(f"*{suffix}")]


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=100_000, metavar="N", help="number of files (default: 100000)")
    parser.add_argument(
        "--games", type=int, default=2_000, metavar="N", help="number of different games (default: 2000)"
    )
    asked = parser.parse_args()
    files, number = asked.files, asked.games
    if not 0 < number <= files:
        parser.error("--games must be at least 1 and at most --files")
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
                sys.exit(f"load: only {len(written):,} of {files:,} games were written")
            row(f"`{' '.join(['jmjp batch', *options])}`", seconds, [command, *workers], sum(written))
        print("\nNo failures: each run exited with 0 and wrote every game.")


if __name__ == "__main__":
    main()
