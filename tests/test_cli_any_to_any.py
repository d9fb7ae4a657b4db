"""Every format that is read, as the input of every command, and converted to every format that is written."""

from __future__ import annotations

import gzip
import json
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from batching import work_there  # noqa: F401 - pytest finds it by its name
from click.testing import CliRunner, Result

from jmjp_convert import read
from jmjp_convert.api import dumps
from jmjp_convert.cli import main
from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import PointerError
from jmjp_convert.formats import FORMATS, readable, writable
from jmjp_convert.formats.format import Format
from jmjp_convert.formats.loss_lines import short_loss_lines

FIXTURES = Path(__file__).parent.parent / "fixtures"
LOGS = {4: FIXTURES / "valid" / "plain.xml", 3: FIXTURES / "invalid" / "sanma.xml"}
WHOLE = [format_ for format_ in writable() if format_.holding is not None]
"""The formats that hold whole games, not a single frame."""

SOURCES = [format_ for format_ in readable() if format_ in WHOLE or format_ is FORMATS["mjlog"]]
"""The formats in which there is the game of `LOGS`: mjlog, and those that are also written."""

GAMES = [(format_, players) for format_ in SOURCES for players in sorted(format_.players)]
"""Each of these formats, with each number of players."""


def shown(value: object) -> str:
    """Return what a parameter is called in the names of tests."""
    return value.name if isinstance(value, Format) else str(value)


each_game = pytest.mark.parametrize(("format_", "players"), GAMES, ids=shown)
each_from = pytest.mark.parametrize("format_", [format_ for format_, players in GAMES if players == 4], ids=shown)
each_to = pytest.mark.parametrize("other", WHOLE, ids=shown)


def run(*args: object, given: bytes | None = None) -> Result:
    """Return the result of `jmjp` with *args*."""
    return CliRunner().invoke(main, [str(arg) for arg in args], input=given)


def made(format_: Format, players: int, name: str = "game") -> Path:
    """Return a file in *format_*, called *name*, with the game of so many players."""
    path = Path(name + format_.suffixes[0])
    path.write_bytes(content(format_.name, players))
    return path


@cache
def content(name: str, players: int) -> bytes:
    """Return the game of so many players in the format *name*."""
    if FORMATS[name].write is None:
        return LOGS[players].read_bytes()
    match = read(LOGS[players])
    # Without details, the reason for a draw would be inferred.
    return (dumps(match, "mjai", details=True) if name == "mjai" else dumps(match, name)).encode()


# --- conversion -------------------------------------------------------------------------------------------------------


@each_game
def test_convert(format_: Format, players: int, subtests: pytest.Subtests) -> None:
    """Every pair converts: the output is what the library writes, which `test_across.py` compares with the game; what
    it leaves out is reported."""
    path = made(format_, players)
    matches = read(path)
    for other in WHOLE:
        with subtests.test(other.name):
            out = Path("out" + other.suffixes[0])
            result = run("convert", path, "-o", out)
            if players not in other.players:
                assert result.stderr == f"error: {path}: {other.name} cannot hold three-player games\n"
                assert (result.exit_code, out.exists()) == (1, False)
                continue
            file = written(matches, Writing(other.name), lambda _: None)
            lines = [f"{path} -> {out}", *(f"note: {line}" for line in short_loss_lines(other.name, file.lost()))]
            assert result.stderr == "".join(f"{line}\n" for line in lines)
            assert result.exit_code == 0
            assert out.read_bytes() == file.content


# --- the other commands -----------------------------------------------------------------------------------------------


@each_game
def test_check(format_: Format, players: int) -> None:
    """A valid game has no problems, whatever its format."""
    path = made(format_, players)
    result = run("check", path)
    assert (result.stdout, result.stderr) == ("", "1 file, 1 match checked: no problems found\n")


@each_game
def test_info(format_: Format, players: int) -> None:
    """The frames and players of a game are shown, whatever its format."""
    path = made(format_, players)
    (match,) = json.loads(run("info", "--json", path).stdout)
    (original,) = json.loads(run("info", "--json", LOGS[players]).stdout)
    for key in ("name", "start", "points"):
        assert [frame.get(key) for frame in match["frames"]] == [frame.get(key) for frame in original["frames"]]
    result = run("info", path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "E1-0" in result.stdout


@each_game
def test_view(format_: Format, players: int) -> None:
    """A page is made of a game, whatever its format, and named after the file."""
    result = run("view", made(format_, players))
    assert (result.exit_code, result.stderr) == (0, f"game{format_.suffixes[0]} -> game.html\n")


@each_from
def test_names(format_: Format) -> None:
    """The output has the name of the input with the extension of its format, also after one in capitals or `.gz`."""
    path = made(format_, 4)
    content = path.read_bytes()
    names = [path.name, path.name.upper().replace("GAME", "game"), f"{path.name}.gz"]
    for other, name in product(WHOLE, names):
        folder = Path(f"{other.name} {name}")
        folder.mkdir()
        source, output = folder / name, folder / f"game{other.suffixes[0]}"
        source.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        result = run("convert", source, "--to", other.name, "-q")
        there = {source, output} if result.exit_code == 0 else {source}
        assert set(folder.iterdir()) == there
        assert (result.exit_code == 0) is (source != output), result.stderr


@each_from
def test_stdin(format_: Format) -> None:
    """Any format is read from stdin, gzipped too."""
    content = made(format_, 4).read_bytes()
    plain = run("convert", "-", "--to", "json", "-q", given=content)
    packed = run("convert", "-", "--to", "json", "-q", given=gzip.compress(content))
    assert plain.exit_code == packed.exit_code == 0
    assert plain.stdout == packed.stdout != ""


@each_to
def test_batch(other: Format) -> None:
    """A batch takes all formats at once; what is in the output format is skipped, and so are three-player games that it
    cannot hold."""
    folder = Path("in")
    folder.mkdir()
    for format_, players in GAMES:
        made(format_, players, f"in/{format_.name}-{players}")
    result = run("batch", folder, "-o", "out", "--to", other.name, "-q")
    summary = json.loads(Path("out/summary.json").read_text(encoding="utf-8"))
    there = [format_ for format_, _ in GAMES if format_ is other]
    three = [format_ for format_, players in GAMES if players not in other.players]
    assert (result.exit_code, result.stderr, summary["failed"]) == (0, "", {})
    assert summary["converted"] == len(GAMES) - len(there) - len(three)
    skipped = {f"{other.name} already": len(there), "three players": len(three)}
    assert summary["skipped"] == {why: number for why, number in skipped.items() if number}


@each_from
def test_same_name(format_: Format) -> None:
    """Two inputs whose outputs would have the same name: the second fails, whatever their formats."""
    made(FORMATS["mjlog"], 4, "a")
    second = made(format_, 4, "b").rename(f"a{format_.suffixes[-1]}")
    result = run("convert", "a.xml", second, "--to", "riichi", "--frame", "E2-0", "-q")
    why = "a.E2-0.json is already the output of a.xml; convert it separately, with --output"
    assert result.stderr == f"error: {second}: {why}\n"


@each_from
def test_same_id(format_: Format) -> None:
    """In a batch, other content with the ID of a game gets a longer name, whatever their formats."""
    folder = Path("in")
    folder.mkdir()
    made(FORMATS["mjlog"], 4, "in/2019041809gm-0009-0000-0123abcd")
    second = made(format_, 4, "in/2019041809gm-0009-0000-0123abcd (1)")
    second.write_text(second.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    result = run("batch", folder, "-o", "out", "--to", "riichi", "--frame", "E2-0", "-q")
    assert (result.exit_code, result.stderr) == (0, "")
    summary = json.loads(Path("out/summary.json").read_text(encoding="utf-8"))
    assert (summary["converted"], summary["renamed"]) == (2, 1)


@pytest.mark.parametrize(
    "format_", [format_ for format_ in WHOLE if issubclass(format_.error, PointerError)], ids=shown
)
def test_pointer(format_: Format) -> None:
    """A broken file is a failure of its own kind in a batch, with line and JSON pointer; so is a finding of `check`."""
    path = made(format_, 4)
    path.write_text(path.read_text(encoding="utf-8").replace("25000", "true", 1), encoding="utf-8")
    assert run("batch", path, "-o", "out", "-q").exit_code == 1
    failure = json.loads(Path("out/failures.jsonl").read_text(encoding="utf-8"))
    assert failure["kind"] == format_.name
    finding = json.loads(run("check", "--json", path).stdout.splitlines()[0])
    for problem in (failure, finding):
        assert problem["line"] is not None
        assert problem["pointer"].startswith("/")
