"""The package: its version, its commands, and the wheel."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import jmjp_convert
from jmjp_convert import Table, dumps, read, replay, write

ROOT = Path(__file__).parent.parent
VALID = ROOT / "fixtures" / "valid"
DEPENDENCIES = {"click", "lxml", "requests", "tqdm"}


def output(*command: str | Path, cwd: Path | None = None) -> bytes:
    """Return what *command* writes to stdout; show what it says if it fails."""
    done = subprocess.run(command, cwd=cwd, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout


def beside(python: Path, name: str) -> str:
    """Return the program *name* of the environment of *python*."""
    found = shutil.which(name, path=str(python.parent))
    assert found is not None
    return found


def test_version() -> None:
    """The version of the package is the one it was installed as."""
    assert metadata.version("jmjp-convert") == jmjp_convert.__version__


def test_command() -> None:
    """`jmjp --version` names the version."""
    assert jmjp_convert.__version__.encode() in output(beside(Path(sys.executable), "jmjp"), "--version")


def test_module() -> None:
    """`python -m jmjp_convert --version` does the same."""
    assert jmjp_convert.__version__.encode() in output(sys.executable, "-m", "jmjp_convert", "--version")


def test_public_names(tmp_path: Path) -> None:
    """Every public name is what it says, whatever else is loaded: a type, or a function that works."""
    (match,) = read(VALID / "plain.xml")
    frame = match.frames[0]
    write(match, tmp_path / "game.jsonl")
    assert read(tmp_path / "game.jsonl") == [match]
    assert dumps(match, "jmjp") == (VALID / "plain.jmjp").read_text(encoding="utf-8")
    assert replay(frame.start, frame.events, match.rules).end == frame.end
    table = Table(frame.start, match.rules)
    for event in frame.events:
        table.play(event)
    assert table.end() == frame.end
    called = {"__version__", "dumps", "read", "replay", "write"}
    assert all(isinstance(getattr(jmjp_convert, name), type) for name in set(jmjp_convert.__all__) - called)
    with pytest.raises(AttributeError, match="no attribute 'tiles_of_nobody'"):
        _ = jmjp_convert.tiles_of_nobody


def test_wheel(tmp_path: Path) -> None:
    """A wheel holds the package alone, and converts a log where nothing but it is installed."""
    expect_index(tmp_path)
    output(*pip(), "wheel", "--no-deps", "--wheel-dir", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("jmjp_convert-*.whl")
    expect_contents(wheel)

    output(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv")
    (python,) = [*tmp_path.glob("venv/bin/python"), *tmp_path.glob("venv/Scripts/python.exe")]
    output(*pip(), "--python", python, "install", wheel)
    converted = output(beside(python, "jmjp"), "convert", VALID / "plain.xml", "-o", "-", cwd=tmp_path)
    assert converted == (VALID / "plain.jmjp").read_bytes()


def pip() -> list[str]:
    """Return the start of a pip command."""
    return [sys.executable, "-m", "pip", "--disable-pip-version-check"]


def expect_index(folder: Path) -> None:
    """Skip the test if pip cannot download anything."""
    command = [*pip(), "download", "--retries", "1", "--no-deps", "--dest", str(folder), "click"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"pip reaches no package index: {done.stderr.strip().splitlines()[-1]}")


def expect_contents(wheel: Path) -> None:
    """Check that *wheel* holds all of the package, nothing else, and asks for no more than it should."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        (about,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        required = re.findall(r"^Requires-Dist: (\w+)(?!.*extra ==)", archive.read(about).decode(), re.MULTILINE)
    package = ROOT / "jmjp_convert"
    kinds = ("*.py", "*.json", "view/*.html", "view/*.css", "view/*.js", "view/*.svg")
    wanted = [*(path for kind in kinds for path in package.rglob(kind)), package / "py.typed"]
    assert names == {path.relative_to(ROOT).as_posix() for path in wanted}
    assert set(required) == DEPENDENCIES
