"""`scripts/load.py`: it prints figures for `jmjp batch`, and rejects invalid numbers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "load.py"

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="memory is read from /proc")

ROW = r"\| `(.+)` \| [0-9,]+ \| ([0-9.]+) \| [0-9]+(?: \+ [0-9]+)* MB \| ([0-9.]+) \| ([0-9.]+) kB \| ([0-9.]+) \|"


def run(*args: str) -> subprocess.CompletedProcess[str]:
    """Run the script."""
    return subprocess.run([sys.executable, SCRIPT, *args], capture_output=True, encoding="utf-8", check=False)


@pytest.mark.long
def test_table() -> None:
    """The table has a row for the parser as the baseline, and one for each run, with and without verification."""
    done = run("--files", "5", "--games", "2")
    assert (done.returncode, done.stderr) == (0, "")
    rows = re.findall(ROW, done.stdout)
    runs = ("lxml.etree.fromstring", "jmjp batch --jobs 2", "jmjp batch --jobs 2 --no-verify")
    assert tuple(row[0] for row in rows) == runs
    assert rows[0][1:3] == ("1.00", "1.0")
    assert rows[0][4] == "1.00"
    assert all(float(row[1]) > 1 and float(row[2]) > 1 and 0.5 < float(row[4]) < 1 for row in rows[1:])
    assert rows[1][3:] == rows[2][3:]
    assert done.stdout.startswith("5 files of 2 games; ")
    assert done.stdout.endswith("\nNo failures: each run exited with 0 and wrote every game.\n")


@pytest.mark.parametrize("args", [["--files", "2"], ["--games", "0"], ["--files", "x"]])
def test_refused(args: list[str]) -> None:
    """Fewer files than games, or no games, are rejected before any game is played."""
    done = run(*args)
    assert (done.returncode, done.stdout) == (2, "")
