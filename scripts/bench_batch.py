#!/usr/bin/env python3
"""Measure `jmjp batch`: its overhead over bare conversion, the speed-up by a second worker, the cost of
putting outputs on disk, and its memory.

Usage: scripts/bench_batch.py [GAMES] [TOPIC...]      (default: 12000; of speed, disk and memory, all)

The archive is generated from invented games: a zip with gzip inside, like those that Tenhou's players get. All runs
but that of the last line of speed use --no-verify; bare conversion runs on the same games, decompressed and in memory.
Each round measures everything in turn, and the median of the rounds' ratios counts. Memory is read from /proc (Linux).
"""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import NamedTuple

from hanchan import game_id, hanchan

from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog

ROUNDS = 3
DIFFERENT = 100  # games; the rest are copies with other log IDs and seed references
PAIRS = 7  # of runs with and without syncing
FEW, MANY = 2_000, 20_000  # games; memory must not grow from one number to the other
POLL = 0.02  # seconds
JMJP = ("-m", "jmjp_convert")
SYNCED = """
import os, sys, time
from pathlib import Path
from jmjp_convert.files import durability

if __name__ == "__main__":
    from jmjp_convert.batch.ledger import Ledger
    from jmjp_convert.cli import main
    waited = []

    def timed(owner, name):
        genuine = getattr(owner, name)

        def call(*args):
            started = time.perf_counter()
            genuine(*args)
            waited.append(time.perf_counter() - started)

        setattr(owner, name, call)

    timed(durability, "sync")
    timed(durability, "replace")
    timed(Ledger, "commit")
    try:
        main(sys.argv[1:])
    finally:
        Path(__file__).with_suffix(".seconds").write_text(str(sum(waited)))
"""
"""A program that is `jmjp`, and writes how long its main process waited for the disk."""
UNSYNCED = """
import os, sys
from jmjp_convert.files import durability, sqlite_lock

if __name__ == "__main__":
    from jmjp_convert.cli import main
    connect = sqlite_lock.connect

    def unsynced(*args):
        connection = connect(*args)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    os.fsync = lambda descriptor: None
    durability._sync_file_system = lambda home: True
    sqlite_lock.connect = unsynced
    main(sys.argv[1:])
"""
"""A program that is `jmjp`, but leaves it to the system when outputs come on disk."""


def contents(number: int) -> list[bytes]:
    """Return *number* distinct games."""
    made = [hanchan(seed).encode() for seed in range(DIFFERENT)]
    return [made[index % DIFFERENT].replace(b'ref=""', b'ref="%d"' % index) for index in range(number)]


def pack(games: list[bytes], path: Path) -> None:
    """Write *games* to an archive."""
    with zipfile.ZipFile(path, "w") as archive:
        for number, content in enumerate(games):
            archive.writestr(f"games/{game_id(number)}&tw=0.mjlog", gzip.compress(content))


def bare(games: list[bytes]) -> float:
    """Return how many seconds it takes to convert *games*, without reading and writing files."""
    started = time.perf_counter()
    for content in games:
        write_jmjp(read_mjlog(content))
    return time.perf_counter() - started


def at_once(games: list[bytes]) -> float:
    """Return how many seconds two parallel processes take to convert all of *games* each."""
    context = multiprocessing.get_context("fork")
    both = [context.Process(target=bare, args=[games]) for _ in range(2)]
    started = time.perf_counter()
    for process in both:
        process.start()
    for process in both:
        process.join()
    return time.perf_counter() - started


class Peaks(NamedTuple):
    """The peak memory of each process of a run in MB."""

    main: float
    workers: tuple[float, ...]


def batch(archive: Path, *options: str, program: tuple[str | Path, ...] = JMJP) -> tuple[float, Peaks]:
    """Return how many seconds *program* takes to convert *archive*, and the peaks of memory."""
    # Deleted at the end: ext4 is slow for minutes after many deletions.
    folder = str(Path(tempfile.mkdtemp(dir=archive.parent), "out"))
    command: list[str | Path] = [sys.executable, *program, "batch", archive, "-o", folder, "-q", *options]
    peaks: dict[int, int] = {}
    started = time.perf_counter()
    with subprocess.Popen(command) as process:  # noqa: S603 - our own
        while process.poll() is None:
            look(process.pid, peaks)
            time.sleep(POLL)
    seconds = time.perf_counter() - started
    if process.returncode:
        sys.exit(f"bench: jmjp batch exited with {process.returncode}")
    home = f"{folder}.batch" if "--zip" in options else folder
    found = json.loads(Path(home, "summary.json").read_text(encoding="utf-8"))
    if found["failed"]:
        sys.exit(f"bench: {found}")
    main, *workers = (peaks[pid] / 1e3 for pid in sorted(peaks, key=process.pid.__ne__))
    return seconds, Peaks(main, tuple(workers))


def look(pid: int, peaks: dict[int, int]) -> None:
    """Update *peaks* with the peak memory of process *pid* and its children, according to /proc."""
    with suppress(OSError, ValueError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        for one in (pid, *map(int, children)):
            with suppress(OSError):
                status = Path(f"/proc/{one}/status").read_text(encoding="utf-8")
                peak = next((line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")), "0")
                peaks[one] = max(int(peak), peaks.get(one, 0))


def speed(games: list[bytes], archive: Path) -> None:
    """Measure the speed and print its ratios."""
    rounds, room = [], []
    for _ in range(ROUNDS):
        floor = bare(games)
        one, two = (batch(archive, "--no-verify", "--jobs", jobs)[0] for jobs in "12")
        rounds.append((floor, one, two))
        room.append(2 * floor / at_once(games))
    floor, one, two = (median(times) for times in zip(*rounds, strict=True))
    number = len(games)
    print(f"bare conversion        {floor / number * 1e3:6.2f} ms per game")
    print(f"batch, one worker      {one / number * 1e3:6.2f} ms per game   {number / one:6.0f} games/s")
    print(f"batch, two workers     {two / number * 1e3:6.2f} ms per game   {number / two:6.0f} games/s")
    overhead = median(one / floor - 1 for floor, one, _ in rounds)
    worth = median(one / two for _, one, two in rounds)
    print(f"one worker, overhead   {overhead:6.1%}  (at most 35%)")
    print(f"two workers, speed-up  {worth:6.2f}  (at least 1.6)")
    print(f"speed-up possible      {median(room):6.2f}  (two bare conversions in parallel)")
    checked = batch(archive, "--jobs", "2")[0]
    print(f"two workers, verified  {checked / number * 1e3:6.2f} ms per game   {number / checked:6.0f} games/s")


def disk(archive: Path) -> None:
    """Measure and print what it costs to put the outputs on disk, as directory and as zip: how long the main process
    waits for it, while the workers go on; and the ratio of runs with and without, of which the fastest count, as other
    programs have disturbed them least."""
    programs = archive.with_name("synced.py"), archive.with_name("unsynced.py")
    for path, text in zip(programs, (SYNCED, UNSYNCED), strict=True):
        path.write_text(text, encoding="utf-8")
    for form in ([], ["--zip"]):
        times: list[list[float]] = [[], []]
        waits = []
        for index in range(PAIRS):
            for which in (0, 1) if index % 2 else (1, 0):
                os.sync()  # what the run before has left
                options = ("--no-verify", "--jobs", "2", *form)
                times[which].append(batch(archive, *options, program=(programs[which],))[0])
            waits.append(float(programs[0].with_suffix(".seconds").read_text(encoding="ascii")) / times[0][-1])
        with_it, without = (min(one) for one in times)
        each = sorted(one / other - 1 for one, other in zip(*times, strict=True))
        print(
            f"waiting for disk{form[0] if form else '':>6}  {median(waits):5.1%} of the run\n"
            f"cost of syncing{form[0] if form else '':>6}  {with_it / without - 1:6.1%}  (at most 5%)   "
            f"{with_it:.2f} s and {without:.2f} s; pairs from {each[0]:+.0%} to {each[-1]:+.0%}",
            flush=True,
        )


def memory(folder: Path) -> None:
    """Measure the memory and print its ratios."""
    if not Path(f"/proc/{os.getpid()}/status").exists():
        print("memory: not measured, because there is no /proc")
        return
    peaks = []
    for number in (FEW, MANY):
        archive = folder / f"{number}.zip"
        pack(contents(number), archive)
        main, workers = batch(archive, "--no-verify", "--jobs", "2")[1]
        peaks.append((main, max(workers)))
        print(f"peak at {number:6,} games   main {main:5.1f} MB   worker {max(workers):5.1f} MB")
    (main_few, worker_few), (main_many, worker_many) = peaks
    growth = f"main {main_many / main_few:.3f}   worker {worker_many / worker_few:.3f}"
    print(f"memory growth          {growth}  (at most 1.2)")


def main() -> None:
    """Measure."""
    topics = set(sys.argv[1:]) & {"speed", "disk", "memory"}
    number = next((int(arg) for arg in sys.argv[1:] if arg.isdecimal()), 12_000)
    with tempfile.TemporaryDirectory() as folder:
        games = contents(number)
        archive = Path(folder, "games.zip")
        pack(games, archive)
        size = sum(map(len, games)) / number / 1e3
        print(
            f"{number:,} games of {size:.1f} kB, {archive.stat().st_size / number / 1e3:.1f} kB packed; {ROUNDS} rounds"
        )
        if not topics or "speed" in topics:
            speed(games, archive)
        if not topics or "disk" in topics:
            disk(archive)
        if not topics or "memory" in topics:
            memory(Path(folder))


if __name__ == "__main__":
    main()
