#!/usr/bin/env python3
"""Load `jmjp batch` with a directory of many games, and tell how it bears that.

Usage: scripts/load.py [FILES [GAMES]]      (default: 100000 files of 2000 games)

The games are played by scripts/play.py, and each stands there under many ids. Every figure is also told as a ratio to
what lxml.etree.fromstring alone takes for the same files, which are in memory then. Memory is read from /proc (Linux).
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from bench_batch import batch
from lxml import etree
from play import arguments, games

from jmjp_convert.tenhou import parse_id

RUNS = (("--jobs", "2"), ("--jobs", "2", "--no-verify"))


def laid_out(folder: Path, files: int, number: int) -> None:
    """Write so many *files* of a *number* of games to *folder*, a thousand to a directory, each under its own id."""
    played = list(games(arguments(["--seed", "1", "--games", str(number), "-o", "-"])))
    if len({game.log for game in played}) != number:
        sys.exit("load: two games are the same")
    for index, game in enumerate(islice(cycle(played), files)):
        place = folder / f"{index // 1000:03}"
        place.mkdir(exist_ok=True)
        (place / f"{game.id[:-8]}{index:08x}.xml").write_text(game.log, encoding="utf-8")


def contents(folder: Path) -> Iterator[bytes]:
    """Yield the files of *folder*."""
    return (path.read_bytes() for path in sorted(folder.rglob("*.xml")))


def floor(folder: Path) -> tuple[float, int]:
    """Return how many seconds the XML parser alone takes for all files, and their bytes."""
    seconds, size = 0.0, 0
    for content in contents(folder):
        size += len(content)
        started = time.perf_counter()
        etree.fromstring(content)
        seconds += time.perf_counter() - started
    return seconds, size


def main() -> None:
    """Measure."""
    files, number = (int(word) for word in (sys.argv[1:] + ["100000", "2000"][len(sys.argv) - 1 :]))
    if parse_id(f"2019041809gm-0009-0000-{files:08x}") is None:
        sys.exit("load: more files than there are ids")
    with tempfile.TemporaryDirectory() as room:
        source = Path(room, "games")
        source.mkdir()
        laid_out(source, files, number)
        least, size = floor(source)
        print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
        print(f"{files:,} files of {number:,} games, {size / files / 1e3:.1f} kB each")
        print(f"{'lxml.etree.fromstring alone':36}{files / least:8,.0f} games/s   ratio  1.00")
        for options in RUNS:
            before = set(Path(room).iterdir())
            seconds, command, worker = batch(source, *options)
            (out,) = set(Path(room).iterdir()) - before
            written = [path.stat().st_size for path in out.rglob("*.jmjp")]
            if len(written) != files:
                sys.exit(f"load: only {len(written):,} of {files:,} games are there")
            speed = f"{files / seconds:8,.0f} games/s   ratio {seconds / least:5.2f}"
            memory = f"peak {command / 1e3:.0f} + {worker / 1e3:.0f} MB"
            what = " ".join(["jmjp batch", *options])
            print(f"{what:36}{speed}   {memory}   {sum(written) / files / 1e3:.1f} kB a game")


if __name__ == "__main__":
    main()
