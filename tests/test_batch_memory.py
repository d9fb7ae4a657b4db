"""The memory of `jmjp batch`, which does not grow with the archive (`scripts/load.py` measures it at length)."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packing import OTHER, game, named, zipped

FEW, MANY = 200, 1000
ALLOWED = 1.2

# The peak memory of this process, and that of the largest of the processes that it has waited for.
PROGRAM = """
import re, resource, sys
from pathlib import Path
from jmjp_convert.cli import main
from jmjp_convert.garbage_collection import collect_rarely
if __name__ == "__main__":
    collect_rarely()
    assert main(sys.argv[1:], standalone_mode=False) == 0
    status = Path("/proc/self/status").read_text()
    print(re.search(r"VmHWM:\\s+(\\d+)", status)[1], resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
@pytest.mark.parametrize("form", [[], ["--zip"]])
def test_memory(form: list[str], tmp_path: Path) -> None:
    """Five times the games need no more memory, in the main process and in its workers."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    peaks = []
    for number in (FEW, MANY):
        members = {f"{game(index)}.mjlog": named(index, OTHER) for index in range(number)}
        zipped(members, tmp_path / f"{number}.zip", zipfile.ZIP_STORED)
        archive, out = tmp_path / f"{number}.zip", tmp_path / f"out{number}"
        options = ["-q", "-j", "1", "--no-verify", *form]
        command = [sys.executable, str(program), "batch", str(archive), "-o", str(out), *options]
        said = subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONWARNINGS": ""})
        peaks.append([int(word) for word in said.stdout.split()])
    for few, many in zip(*peaks, strict=True):
        assert many <= ALLOWED * few
