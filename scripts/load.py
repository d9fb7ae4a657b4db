#!/usr/bin/env python3
"""Run `jmjp batch` on a directory of very many games, and print its speed, memory and output size as a Markdown table.

The games are those of scripts/bench.py, each stored under many log IDs. Times are wall-clock times, so the machine
should be idle; memory is that of the command and of each other process, from /proc (Linux).
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path

import activate  # noqa: F401 - before what needs its packages
from benching.games import HOME, PLAYED, environment, played
from commandline import Parser, run

RUNS = (("--jobs", "2"), ("--jobs", "2", "--no-verify"))
POLL = 0.05  # seconds

HEAD = """\
| what | games per second | memory of the command and the others | per game | of the input |
| --- | --- | --- | --- | --- |"""


def laid_out(folder: Path, files: int, games: Sequence[Path]) -> int:
    """Write *files* files of *games* to *folder*, a thousand per directory, each under its own log ID; return their
    size in bytes."""
    contents = [(path.stem, path.read_bytes()) for path in games]
    size = 0
    for index, (log_id, content) in enumerate(islice(cycle(contents), files)):
        place = folder / f"{index // 1000:03}"
        place.mkdir(exist_ok=True)
        (place / f"{log_id[:-8]}{index:08x}.xml").write_bytes(content)
        size += len(content)
    return size


def batch(source: Path, out: Path, options: Sequence[str]) -> tuple[float, list[float]]:
    """Return how many seconds it takes to convert *source* to *out*, and the peak memory of each process in MB, that of
    the command first."""
    command = [sys.executable, "-m", "jmjp_convert", "batch", str(source), "-qo", str(out), *options]
    peaks: dict[int, int] = {}
    started = time.perf_counter()
    with subprocess.Popen(command, env=environment(HOME)) as process:  # noqa: S603 - our own
        while process.poll() is None:
            _look(process.pid, peaks)
            time.sleep(POLL)
    seconds = time.perf_counter() - started
    if process.returncode:
        sys.exit(f"load: jmjp batch exited with {process.returncode}")
    return seconds, [peaks[pid] / 1e3 for pid in sorted(peaks, key=process.pid.__ne__)]


def _look(pid: int, peaks: dict[int, int]) -> None:
    """Update *peaks* with the peak memory in kB of process *pid* and its children."""
    with suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        for one in (pid, *map(int, children)):
            status = Path(f"/proc/{one}/status").read_text(encoding="utf-8")
            found = next((line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")), "0")
            peaks[one] = max(int(found), peaks.get(one, 0))


def main() -> None:
    """Measure."""
    parser = Parser(__file__, __doc__)
    add = parser.add_argument
    add("--files", type=int, default=100_000, metavar="N", help="number of files (default: 100000)")
    add("--games", type=int, default=PLAYED, metavar="N", help=f"number of different games (default: {PLAYED})")
    asked = parser.parse_args()
    files, number = asked.files, asked.games
    if not 0 < number <= files:
        parser.error("--games must be at least 1 and at most --files")
    with tempfile.TemporaryDirectory() as room:
        source = Path(room, "games")
        source.mkdir()
        size = laid_out(source, files, played(number))
        cores = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        print(f"{files:,} files of {number:,} games, {size / files / 1e3:.1f} kB each; {cores}\n\n{HEAD}", flush=True)
        for options in RUNS:
            out = Path(room, "-".join(("out", *options)))
            seconds, peaks = batch(source, out, options)
            sizes = [path.stat().st_size for path in out.rglob("*.jmjp")]
            if len(sizes) != files:
                sys.exit(f"load: only {len(sizes):,} of {files:,} games were written")
            memory = " + ".join(f"{peak:.0f}" for peak in peaks)
            speed, each = f"{files / seconds:,.0f}", f"{sum(sizes) / files / 1e3:.1f} kB"
            print(
                f"| `batch {' '.join(options)}` | {speed} | {memory} MB | {each} | {sum(sizes) / size:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(run(__file__, main))
