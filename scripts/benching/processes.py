"""Runs commands as users do, and measures the CPU time, the wall time and the memory of the whole process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from benching.games import environment

Arguments = Callable[[Sequence[Path], str], Sequence[str | Path]]
"""Returns the arguments of `jmjp` for games, which are all of their folders or one, and a path for the output."""


class Usage(NamedTuple):
    """What a process and its children have used: CPU and wall seconds, and the memory of the largest of them in MB."""

    cpu: float
    wall: float
    peak: float


def _convert(*options: str) -> Arguments:
    return lambda games, out: ["convert", *options, "-qo", f"{out}/", *games]


def _batch(*options: str) -> Arguments:
    return lambda games, out: ["batch", *options, "-qo", out, *_folders(games)]


def _tables(games: Sequence[Path], out: str) -> Sequence[str | Path]:
    """Return the arguments for tables of *games* with IDs of one month, as in an archive, where months have thousands:
    there are nine files for each."""
    folder = Path(out).parent / "games"
    folder.mkdir()
    for number, game in enumerate(games):
        (folder / f"2019040100gm-0009-0000-{number:08x}.xml").symlink_to(game)
    return ["tables", "--jobs", "1", "-qo", out, folder]


def _folders(games: Sequence[Path]) -> list[Path]:
    """Return the folders of *games*, or the only game."""
    return sorted({game.parent for game in games}) if len(games) > 1 else list(games)


COMMANDS: dict[str, Arguments] = {
    "`convert --no-verify`": _convert("--no-verify"),
    "`convert`": _convert(),
    "`batch --jobs 1 --no-verify`": _batch("--jobs", "1", "--no-verify"),
    "`batch --jobs 1`": _batch("--jobs", "1"),
    "`tables --jobs 1`": _tables,
    "`convert --to tenhou6`": _convert("--to", "tenhou6"),
    "`convert --to mjai`": _convert("--to", "mjai"),
    "`check`": lambda games, _: ["check", "-q", *games],
    "`view`": lambda games, out: ["view", *_folders(games), "-qo", f"{out}/"],
}
TWO = {
    f"`batch --jobs 2{option}`": (_batch("--jobs", "1", *option.split()), _batch("--jobs", "2", *option.split()))
    for option in ("", " --no-verify")
}
"""By name, a batch with one worker and the same with two."""
STARTS: dict[str, Arguments] = {
    "`convert log.xml`": lambda games, out: ["convert", "--quiet", shutil.copy(games[0], Path(out).parent)],
    "`check log.xml`": lambda games, _: ["check", "--quiet", games[0]],
    "`batch --jobs 1`": COMMANDS["`batch --jobs 1`"],
}
"""The commands whose start-up is measured, with one log. The first writes its output next to a new copy of the log."""
JMJP = "import sys; from jmjp_convert.__main__ import run; sys.argv[0] = 'jmjp'; run()"
"""What the installed command does."""


def jmjp(arguments: Arguments, games: Sequence[Path], room: Path, checkout: Path) -> Usage:
    """Run `jmjp` of *checkout* on *games*, with a new folder in *room* for its output."""
    out = tempfile.mkdtemp(dir=room)
    return run([sys.executable, "-c", JMJP, *arguments(games, f"{out}/out")], room, checkout)


def run(command: Sequence[str | Path], room: Path, checkout: Path) -> Usage:
    """Run *command* in *room* with the package of *checkout*, and return what it used; end if it fails."""
    started = time.perf_counter()
    used = environment(checkout)
    process = subprocess.Popen(command, cwd=room, env=used, stdout=subprocess.DEVNULL)  # noqa: S603 - our own
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"bench: {' '.join(map(str, command[:8]))} … exited with {process.returncode}")
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return Usage(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / unit)
