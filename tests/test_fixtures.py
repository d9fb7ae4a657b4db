"""The invented games: each gives exactly the file, or exactly the message, next to it."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match

ROOT = Path(__file__).parent.parent
VALID = ROOT / "fixtures" / "valid"

FORMS = {
    ".0.jmjp": ("0", False),
    ".1.0-beta.jmjp": ("1.0-beta", False),
    ".compact.jmjp": ("1.0", True),
    ".jmjp": ("1.0", False),
}
"""By extension of an expected output: the dialect, and whether it is compact."""


def read_file(path: Path) -> Match:
    """Read *path* as an open file."""
    with path.open("rb") as file:
        return read_mjlog(file)


def read_bytes(path: Path) -> Match:
    """Read the bytes of *path*."""
    return read_mjlog(path.read_bytes(), file_name=path.name)


ROUTES: dict[str, Callable[[Path], Match]] = {"path": read_mjlog, "file": read_file, "bytes": read_bytes}


def quirk(path: Path) -> str:
    """Return the name of an input's case: its log ID or file name without extensions."""
    return re.sub(r"(&tw=\d)?\.(xml|mjlog)$", "", path.name)


INPUTS = {quirk(path): path for path in VALID.iterdir() if path.suffix != ".jmjp"}


def test_expected(valid_inputs: list[Path]) -> None:
    """Every valid input has an expected output in the default dialect."""
    assert [path.name for path in valid_inputs if not (VALID / f"{quirk(path)}.jmjp").is_file()] == []


def test_conversion(expectations: list[Path]) -> None:
    """A valid input gives the bytes of the file next to it."""
    assert [path.name for path in expectations if converted_to(path.name) != path.read_bytes()] == []


def converted_to(name: str) -> bytes:
    """Return what the input of an expectation, by its *name*, gives."""
    ending = next(ending for ending in FORMS if name.endswith(ending))
    spec, compact = FORMS[ending]
    return write_jmjp(read_mjlog(INPUTS[name.removesuffix(ending)]), spec=spec, compact=compact).encode()


def test_routes(valid_inputs: list[Path]) -> None:
    """A path, an open file and bytes give the same match."""
    assert [path.name for path in valid_inputs if not read_mjlog(path) == read_file(path) == read_bytes(path)] == []


@pytest.mark.parametrize("route", ROUTES)
def test_rejection(route: str, subtests: pytest.Subtests, invalid_inputs: list[Path]) -> None:
    """An invalid input is rejected with the message next to it, however it is passed."""
    for path in invalid_inputs:
        with subtests.test(path.name):
            with pytest.raises(ConvertError) as refused:
                write_jmjp(ROUTES[route](path))
            assert f"{refused.value}\n" == path.with_suffix(".err").read_text(encoding="utf-8")


def test_origin(tmp_path: Path) -> None:
    """The inputs are generated from their descriptions."""
    for script in ("casefiles.py", "commandline.py", "fixtures.py", "games.py"):
        (tmp_path / "scripts").mkdir(exist_ok=True)
        shutil.copy(ROOT / "scripts" / script, tmp_path / "scripts")
    shutil.copytree(ROOT / "fixtures" / "games", tmp_path / "fixtures" / "games")
    shutil.copy(ROOT / "fixtures" / "edits.txt", tmp_path / "fixtures")
    for folder in ("valid", "invalid"):
        (tmp_path / "fixtures" / folder).mkdir()
    subprocess.run([sys.executable, tmp_path / "scripts" / "fixtures.py"], check=True)
    made, kept = inputs(tmp_path / "fixtures"), inputs(ROOT / "fixtures")
    assert made.keys() == kept.keys()
    assert [name for name in made if made[name] != kept[name]] == []


def inputs(fixtures: Path) -> dict[str, bytes]:
    """Return the inputs in *fixtures* by name, gzip decompressed, since zlib versions compress differently."""
    paths = [path for folder in ("valid", "invalid") for path in (fixtures / folder).iterdir()]
    contents = {path.name: path.read_bytes() for path in paths if path.suffix not in {".jmjp", ".err"}}
    return {
        name: gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
        for name, content in contents.items()
    }
