"""`scripts/load.py`: it prints figures for `jmjp batch`, and rejects invalid numbers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "load.py"

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="memory is read from /proc")

ROW = r"\| `(.+)` \| [0-9,]+ \| [0-9]+(?: \+ [0-9]+)+ MB \| ([0-9.]+) kB \| ([0-9.]+) \|"


def run(*args: str, cache: str = "") -> subprocess.CompletedProcess[str]:
    """Run the script, with its games in the folder *cache*."""
    env = os.environ | {"XDG_CACHE_HOME": cache}
    return subprocess.run([sys.executable, SCRIPT, *args], capture_output=True, encoding="utf-8", check=False, env=env)


def test_table(tmp_path: Path) -> None:
    """The table has a row for each run, with and without verification, and the same output for both."""
    done = run("--files", "5", "--games", "2", cache=str(tmp_path))
    assert done.returncode == 0, done.stderr
    verified, unverified = re.findall(ROW, done.stdout)
    assert (verified[0], unverified[0]) == ("batch --jobs 2", "batch --jobs 2 --no-verify")
    assert verified[1:] == unverified[1:]
    assert 0.5 < float(verified[2]) < 1
    assert done.stdout.startswith("5 files of 2 games, ")


@pytest.mark.parametrize("args", [["--files", "2"], ["--games", "0"], ["--files", "x"]])
def test_refused(args: list[str]) -> None:
    """Fewer files than games, or no games, are rejected before any game is played."""
    done = run(*args)
    assert (done.returncode, done.stdout) == (2, "")
