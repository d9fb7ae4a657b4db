"""The package: its version, commands and public names."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType

import pytest
from docs_pages import code, page

import jmjp_convert
from jmjp_convert import Table, Win, api, dumps, read, replay, write
from jmjp_convert.formats import FORMATS
from jmjp_convert.view.summary import summarize

ROOT = Path(__file__).parent.parent
VALID = ROOT / "fixtures" / "valid"


def output(*command: str | Path, cwd: Path | None = None) -> bytes:
    """Return the stdout of *command*; show its output if it fails."""
    done = subprocess.run(command, cwd=cwd, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout


def program(python: Path, name: str) -> str:
    """Return the program *name* in the environment of *python*."""
    path = shutil.which(name, path=str(python.parent))
    assert path is not None
    return path


def test_version() -> None:
    """The version of the package is that of the installed distribution."""
    assert metadata.version("jmjp-convert") == jmjp_convert.__version__


def test_no_known_holes() -> None:
    """No version of another package is allowed that has known holes: in libxml2, in netrc, in a progress bar."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    floors = dict(requirement.split(">=") for requirement in project["dependencies"])
    assert floors.keys() == {"click", "lxml", "requests", "tqdm"}
    for name, safe in {"lxml": (5, 4), "requests": (2, 32, 4), "tqdm": (4, 66, 3)}.items():
        assert tuple(map(int, floors[name].split("."))) >= safe


def test_command() -> None:
    """`jmjp --version` shows the version."""
    assert jmjp_convert.__version__.encode() in output(program(Path(sys.executable), "jmjp"), "--version")


def test_module() -> None:
    """`python -m jmjp_convert --version` does the same."""
    assert jmjp_convert.__version__.encode() in output(sys.executable, "-m", "jmjp_convert", "--version")


def test_public_names(tmp_path: Path) -> None:
    """Every public name is a type or a working function, whatever else is loaded."""
    (match,) = read(VALID / "plain.xml")
    frame = match.frames[0]
    write(match, tmp_path / "game.jsonl")
    assert read(tmp_path / "game.jsonl") == [match]
    assert dumps(match, "jmjp") == (VALID / "plain.jmjp").read_text(encoding="utf-8")
    assert replay(match, frame) == replay(match.rules, frame) == frame.end
    table = Table(frame.start, match.rules)
    for event in frame.events:
        table.play(event)
    assert table.end() == frame.end
    for name in set(dir(jmjp_convert)) - {"__version__", "tiles"}:
        assert callable(getattr(jmjp_convert, name))
    assert isinstance(jmjp_convert.tiles, ModuleType)
    with pytest.raises(AttributeError, match="no attribute 'tiles_of_nobody'"):
        _ = jmjp_convert.tiles_of_nobody


def test_documented_functions() -> None:
    """The reader and the writer of every format can be imported from where the documentation says."""
    named = {}
    for name, *functions in page("docs/python.md").table("format", "reader", "writer"):
        for direction, path in zip(("read", "write"), (code(cell) for cell in functions), strict=True):
            module, _, function = path[0].rpartition(".") if path else ("", "", None)
            assert not function or callable(getattr(import_module(module), function))
            named[name, direction] = function is not None
    assert named == {
        (name, direction): getattr(format_, direction) is not None
        for name, format_ in FORMATS.items()
        for direction in ("read", "write")
    }


def test_names_and_ratings() -> None:
    """Names are strings and ratings are numbers, as JSON has them."""
    (match,) = read(VALID / "plain.xml")
    rates = {player.name: player.rate for player in match.players}
    assert json.loads(json.dumps(rates)) == {"Kaede": 1834.27, "Tsubaki": 1650.0, "山茶花": 2101.93, "Nazuna": 1499.5}
    assert f"{match.players[0].name:>6}" == " Kaede"
    assert ", ".join(sorted(filter(None, rates))) == "Kaede, Nazuna, Tsubaki, 山茶花"


@pytest.mark.parametrize("to", ["json", "jmjp", "tenhou6", "mjai", "majiang"])
def test_tsumo(to: str) -> None:
    """A tsumo has no source, in the model from every format, and in `info --json`."""
    (match,) = read(VALID / "plain.xml")
    (again,) = read(api.dumps(match, to).encode())
    sources = [end.source for frame in again.frames for end in frame.endings if isinstance(end, Win)]
    assert sources == [None, 2, 0]
    frames = summarize(again, "en").frames
    assert [win.source for frame in frames for win in frame.wins] == sources
