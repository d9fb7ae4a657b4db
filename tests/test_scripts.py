"""The scripts in `scripts/`: which Python runs them, their help, and what they say to invalid arguments."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import commandline
import pytest

SCRIPTS = Path(__file__).parent.parent / "scripts"
CALLED = sorted(path.name for path in SCRIPTS.glob("*.py") if "\nif __name__ ==" in path.read_text(encoding="utf-8"))
PACKAGED = [name for name in CALLED if "\nimport activate" in (SCRIPTS / name).read_text(encoding="utf-8")]
BARE = [sys.executable, "-E", "-S"]
"""A Python without packages."""


def run(*line: str | Path, cwd: Path | None = None) -> tuple[int, str, str]:
    """Run a command line; return its exit code, stdout and stderr."""
    done = subprocess.run(line, capture_output=True, encoding="utf-8", check=False, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with the scripts, and no `.venv`."""
    shutil.copytree(SCRIPTS, tmp_path / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_all() -> None:
    """The scripts of the docs are among those tested here."""
    assert set(CALLED) >= {"bench.py", "fixtures.py", "fuzz.py", "load.py", "corrupt.py", "play.py", "sentences.py"}
    assert set(CALLED) - set(PACKAGED) == {"fixtures.py", "sentences.py"}


@pytest.mark.parametrize("name", PACKAGED)
def test_no_environment(name: str, checkout: Path) -> None:
    """Without the packages, a script exits with one line that says which one is missing, and what has it."""
    code, out, err = run(*BARE, checkout / "scripts" / name, "--help")
    assert (code, out) == (1, "")
    assert err == f"{name}: no package click; use the Python in .venv, which scripts/test sets up\n"


@pytest.mark.skipif(os.name != "posix", reason="Windows cannot replace a process")
@pytest.mark.parametrize("name", PACKAGED)
def test_environment(name: str, checkout: Path) -> None:
    """Without the packages, a script runs in .venv, with the same arguments."""
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nprintf "<%s>" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    script = checkout / "scripts" / name
    assert run(*BARE, script, "a b", "--help") == (0, f"<{script}><a b><--help>", "")


@pytest.mark.skipif(os.name != "posix", reason="Windows cannot replace a process")
def test_poor_environment(checkout: Path) -> None:
    """If .venv lacks the packages too, the script says so, once."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", checkout / ".venv"], check=True)
    code, out, err = run(*BARE, checkout / "scripts" / "interrupt.py")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("interrupt.py: no package click; ")


@pytest.mark.parametrize("name", CALLED)
def test_help(name: str, tmp_path: Path) -> None:
    """The help begins with the usage, says what the script does, and nothing is done."""
    code, out, err = run(sys.executable, SCRIPTS / name, "--help", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert re.match(rf"usage: {re.escape(name)} \[-h\]", out)
    assert "\n\n" in out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", CALLED)
def test_usage_error(name: str, tmp_path: Path) -> None:
    """An unknown option is reported in one line, and nothing is done."""
    code, out, err = run(sys.executable, SCRIPTS / name, "--nope", cwd=tmp_path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"{name}: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("bench.py --games 1", "bench.py: argument --games: 1 is not an integer of at least 2"),
        ("bench.py --against gone", "bench.py: argument --against: gone has no jmjp_convert"),
        ("interrupt.py many", "interrupt.py: argument kills: many is not an integer of at least 1"),
        ("corrupt.py gone", "corrupt.py: no logs in gone"),
        ("sentences.py cli moon", "sentences.py: no moon in jmjp_convert"),
    ],
)
def test_invalid(line: str, message: str) -> None:
    """An invalid argument is reported in one line."""
    name, *arguments = line.split()
    assert run(sys.executable, SCRIPTS / name, *arguments) == (2, "", f"{message}\n")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "x.py: interrupted\n"),
        (OSError(28, "No space left on device"), 1, "x.py: [Errno 28] No space left on device\n"),
        (subprocess.CalledProcessError(2, ["play.py"]), 1, "x.py: Command '['play.py']' returned non-zero exit"),
    ],
)
def test_stopped(error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A script that is interrupted, or that the system stops, says so in one line."""

    def stop() -> None:
        raise error

    assert commandline.run("folder/x.py", stop) == code
    assert capsys.readouterr().err.startswith(said)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such pipes")
def test_closed_output() -> None:
    """A script whose output nothing reads any more stops silently."""
    line = f'"{sys.executable}" "{SCRIPTS / "sentences.py"}" | head -n 1'
    code, out, err = run("bash", "-c", line)
    assert (code, out.count("\n"), err) == (0, 1, "")
