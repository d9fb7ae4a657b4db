#!/usr/bin/env python3
"""Kill runs of `jmjp batch` and `jmjp tables` at random, the main process or a worker, and compare the outputs.

A third of the kills each hit runs into a directory, a zip and a data set. Each run continues what the killed ones
before it have left; when all games are converted, a new output is begun. In the end, and whenever an output is
complete, its bytes must be those of an undisturbed run, it must verify against its ledger, and nothing may be left next
to it.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import activate  # noqa: F401 - before what needs its packages
from commandline import Parser, at_least, run
from hanchan import game_id, hanchan

LONGEST = 3.0  # seconds before a kill
KINDS = {
    "directory": ["batch", "--no-verify"],
    "zip": ["batch", "--no-verify", "--zip"],
    "data set": ["tables"],
}
OWN = {"ledger.sqlite", "summary.json", "failures.jsonl"}


def pack(number: int, path: Path) -> None:
    """Write an archive of *number* games."""
    with zipfile.ZipFile(path, "w") as archive:
        for seed in range(number):
            archive.writestr(f"{game_id(seed)}.mjlog", hanchan(seed))


class Series:
    """Kills of runs of a command with options, *command*, in *folder*."""

    def __init__(self, folder: Path, command: list[str], chance: random.Random) -> None:
        self.counts: Counter[str] = Counter()
        self._folder = folder
        self._arguments = command
        self._chance = chance
        self._expected: dict[str, bytes] = {}

    def run(self, kills: int) -> None:
        """Kill *kills* processes, and compare."""
        self._finish()
        self._expected = self._outputs()
        self._remove()
        while self.counts.total() - self.counts["completed"] < kills:
            if self._killed():
                self._compare()
                self._remove()
        self._finish()
        self._compare()
        self._remove()

    def _command(self, *more: str) -> list[str]:
        start = [sys.executable, "-m", "jmjp_convert", *self._arguments]
        return [*start, "games.zip", "-o", "out", "-q", "-j", "2", *more]

    def _killed(self) -> bool:
        """Start a run, kill one of its processes after some time, and return whether it completed its work."""
        with subprocess.Popen(self._command(), cwd=self._folder, stderr=subprocess.PIPE) as running:  # noqa: S603 - ours
            time.sleep(self._chance.uniform(0.2, LONGEST))
            workers = children(running.pid)
            if running.poll() is None:
                if workers and self._chance.random() < 0.5:  # noqa: PLR2004
                    self._kill(self._chance.choice(workers), "a worker")
                    time.sleep(self._chance.uniform(0, LONGEST))
                if running.poll() is None:
                    self._kill(running.pid, "the main process")
            _, said = running.communicate()
        deadline = time.monotonic() + 20
        while any(Path(f"/proc/{pid}").exists() for pid in workers):
            if time.monotonic() > deadline:
                sys.exit("interrupt.py: a worker has survived the main process")
            time.sleep(0.01)
        if running.returncode in (0, -signal.SIGKILL):
            return running.returncode == 0
        sys.exit(f"interrupt.py: a run ended with {running.returncode}: {said.decode()}")

    def _kill(self, pid: int, what: str) -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            self.counts[what] += 1

    def _finish(self) -> None:
        subprocess.run(self._command(), cwd=self._folder, check=True)  # noqa: S603 - ours
        self.counts["completed"] += 1

    def _compare(self) -> None:
        if self._outputs() != self._expected:
            sys.exit(f"interrupt.py: what is in {self._folder / 'out'} is not what an undisturbed run gives")
        verify = [sys.executable, "-m", "jmjp_convert", "verify", "out", "-q"]
        subprocess.run(verify, cwd=self._folder, check=True)  # noqa: S603 - ours

    def _outputs(self) -> dict[str, bytes]:
        found = [path for path in self._folder.glob("out*/**/*") if path.is_file() and path.name not in OWN]
        whole = self._folder / "out"
        found += [whole] if whole.is_file() else []
        return {path.relative_to(self._folder).as_posix(): path.read_bytes() for path in found}

    def _remove(self) -> None:
        for path in self._folder.glob("out*"):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


def children(pid: int) -> list[int]:
    """Return the worker processes of process *pid*."""
    with suppress(OSError):
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    return []


def main() -> None:
    """Kill."""
    parser = Parser(__file__, __doc__)
    usual = {"kills": 100, "games": 1000, "seed": time.time_ns() % 10**6}
    for name, value in usual.items():
        shown = "a random one" if name == "seed" else value
        parser.add_argument(name, nargs="?", type=at_least(1), default=value, help=f"default: {shown}")
    asked = parser.parse_args()
    kills, games, seed = asked.kills, asked.games, asked.seed
    if not Path("/proc").is_dir():
        sys.exit("interrupt.py: this needs /proc")
    print(f"{kills} kills, {games:,} games, seed {seed}", flush=True)
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    with tempfile.TemporaryDirectory() as folder:
        for name, command in KINDS.items():
            place = Path(folder, name)
            place.mkdir()
            pack(games, place / "games.zip")
            series = Series(place, command, chance)
            series.run(-(-kills // len(KINDS)))
            print(f"{name}: {dict(series.counts)}, all outputs as expected", flush=True)


if __name__ == "__main__":
    sys.exit(run(__file__, main))
