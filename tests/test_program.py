"""``scripts/program``: the check of the program that it makes finds what is missing in it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from frozen import start
from frozen.make import COMMANDS, FIXTURES, PLAIN, Fault, compare, lacking, needed

ROOT = Path(__file__).parent.parent
INSTALLED = [sys.executable, "-m", "jmjp_convert"]
COPY = "import sys; sys.path.insert(0, sys.argv.pop(1)); from jmjp_convert.__main__ import run; run()"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the package."""
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(ROOT / "jmjp_convert", tmp_path / "jmjp_convert", ignore=ignored))


MISSING = {
    "cli/ja.po": "--lang ja help convert",
    "view/page/quiz.js": f"view -qo page.html {{fixtures}}/{PLAIN}",
    "formats/mjai/writer.py": f"convert --to mjai -qo written/ {{fixtures}}/{PLAIN}",
}
"""Files, each with a command that needs it."""


def test_missing(copy: Path, subtests: pytest.Subtests) -> None:
    """A program that lacks a file is refused: by its contents, and by what a command writes."""
    assert set(MISSING.values()) <= set(COMMANDS)
    program = [sys.executable, "-c", COPY, str(copy.parent)]
    compare(program, INSTALLED, list(MISSING.values()))
    for name, line in MISSING.items():
        with subtests.test(name):
            content = (copy / name).read_bytes()
            (copy / name).unlink()
            with pytest.raises(Fault) as caught:
                compare(program, INSTALLED, [line])
            (copy / name).write_bytes(content)
            assert str(caught.value).startswith(f"jmjp {line}: ")
            entry = f"jmjp_convert/{name}"
            if name.endswith(".py"):
                entry = entry[:-3].replace("/", ".")
            with pytest.raises(Fault, match=f"^these are missing: {entry}$"):
                lacking(needed(), needed() - {entry})


def test_needed() -> None:
    """The program must have every module and every other file of the package."""
    package = ROOT / "jmjp_convert"
    files = [path.relative_to(ROOT) for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    code = {path for path in files if path.suffix in {".py", ".so", ".pyd"}}
    modules = {".".join([*path.parent.parts, path.name.partition(".")[0]]).removesuffix(".__init__") for path in code}
    assert needed() == modules | {path.as_posix() for path in files if path not in code}


def test_fixtures() -> None:
    """The files that the commands read exist."""
    words = [word for line in COMMANDS for word in line.split() if "{fixtures}" in word]
    assert [word for word in words if not Path(word.replace("{fixtures}", str(FIXTURES))).exists()] == []


@pytest.mark.parametrize(("before", "after"), [(None, None), ("/opt/lib", "/opt/lib")])
def test_libraries(before: str | None, after: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that the single-file program starts get the library path from before its start."""
    monkeypatch.setenv("LD_LIBRARY_PATH", "/tmp/_MEI1")  # noqa: S108 - as PyInstaller sets it
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
    if before is not None:
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
    start.restore_libraries()
    assert os.environ.get("LD_LIBRARY_PATH") == after
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ
