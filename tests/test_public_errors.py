"""What errors say, and are, in Python: their source, the system's number, and options by their names in Python."""

from __future__ import annotations

import errno
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tables import table

from jmjp_convert import (
    ConvertError,
    FileError,
    FormatError,
    JmjpError,
    MahjongSoulError,
    MjlogError,
    Table,
    api,
    check,
    dumps,
    games,
    read,
    replay,
    tiles,
    walk,
    write,
)
from jmjp_convert.play.shanten import shanten, useful

VALID = Path(__file__).parent.parent / "fixtures" / "valid"
COMMAND = re.compile(r"--[a-z]|\bjmjp (batch|check|convert|info|stats|view)\b")


def test_missing_file(tmp_path: Path) -> None:
    """A missing file is a `FileNotFoundError`, with its number and source, also after pickling."""
    path = tmp_path / "missing.xml"
    with pytest.raises(FileNotFoundError) as caught:
        read(path)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):  # noqa: S301 - pickled here
        assert isinstance(error, FileError)
        assert (error.errno, error.source) == (errno.ENOENT, str(path))
        assert str(error) == f"{path}: no such file or directory"


def test_directory(tmp_path: Path) -> None:
    """A directory is an `IsADirectoryError`; the message names the function that goes through it."""
    with pytest.raises(IsADirectoryError, match=re.escape("is a directory; go through it with games()")):
        read(tmp_path)


def test_existing_file(tmp_path: Path) -> None:
    """`write` overwrites a file only if it may; otherwise that is a `FileExistsError`, and the file stays."""
    path = tmp_path / "game.jsonl"
    path.write_text("mine", encoding="utf-8")
    (match,) = read(VALID / "plain.xml")
    with pytest.raises(FileExistsError) as caught:
        write(match, path)
    assert str(caught.value) == f"{path} exists; pass force=True to overwrite it"
    assert caught.value.errno == errno.EEXIST
    assert path.read_text(encoding="utf-8") == "mine"
    write(match, path, force=True)
    assert read(path) == [match]


def test_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that may not be read is a `PermissionError`."""
    path = tmp_path / "game.xml"

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(PermissionError) as caught:
        read(path)
    assert str(caught.value) == f"{path}: permission denied"


def test_source(tmp_path: Path) -> None:
    """An error in a file begins with the file, and has its place as attributes."""
    path = tmp_path / "bad.xml"
    path.write_bytes((VALID.parent / "invalid" / "act-after-the-end.xml").read_bytes())
    with pytest.raises(MjlogError) as caught:
        read(path)
    error = caught.value
    assert error.source == str(path)
    assert str(error) == f"{path}: frame {error.frame}, element {error.number} {error.element}: {error.reason}"
    errors: list[ConvertError] = []
    read(path, finding=errors.append)
    assert errors
    assert {error.source for error in errors} == {str(path)}


def test_source_without_a_line() -> None:
    """An error in a record without lines begins with the file too."""
    error = MahjongSoulError("unknown", pointer="/head")
    error.source = "game.bin"
    assert str(error) == "game.bin: /head: unknown"


def test_source_of_bytes() -> None:
    """An error in bytes names the file that they are said to be from, or none."""
    content = dumps(read(VALID / "plain.xml")).replace("(e,", "(x,", 1).encode()
    with pytest.raises(JmjpError) as caught:
        read(content, file_name="inner.jmjp")
    assert caught.value.source == "inner.jmjp"
    assert str(caught.value).startswith(f"inner.jmjp: line {caught.value.line}, column {caught.value.column}: ")
    with pytest.raises(JmjpError, match=r"^line ") as caught:
        read(content)
    assert caught.value.source is None


def test_size() -> None:
    """The message for a file that is too large names the argument."""
    with pytest.raises(FileError, match=re.escape("larger than 100 bytes (max_size=)")):
        read(VALID / "plain.xml", max_size=100)


@pytest.mark.parametrize(("to", "options", "message"), table("public_errors", "options"))
def test_options(to: str, options: dict[str, Any], message: str) -> None:
    """Options that are missing, in conflict or unknown are an error, by their names in Python."""
    with pytest.raises(FormatError) as caught:
        api.dumps(read(VALID / "plain.xml"), to, **options)
    assert str(caught.value) == message


def test_archive(tmp_path: Path) -> None:
    """The message for an archive names the function that reads it."""
    path = tmp_path / "games.zip"
    path.write_bytes(b"PK\x03\x04")
    with pytest.raises(FileError) as caught:
        read(path)
    assert str(caught.value) == f"{path}: this is a zip archive, not a log; go through it with games()"


def test_notices() -> None:
    """No notice names an option of a command."""
    notices: list[str] = []
    dumps(read(VALID / "plain.xml"), compact=True, notice=notices.append)
    assert notices
    assert not any(COMMAND.search(line) for line in notices)


@pytest.mark.parametrize("matches", ["abc", b"abc", 3, ["abc"], None], ids=repr)
def test_no_matches(matches: object) -> None:
    """What is no match is a `TypeError` that says so."""
    with pytest.raises(TypeError, match="expected "):
        api.dumps(matches)  # type: ignore[arg-type]


def test_no_event() -> None:
    """What is no event is a `TypeError` that says what is."""
    (match,) = read(VALID / "plain.xml")
    with pytest.raises(TypeError, match=re.escape("expected an event, such as Draw(0, 53), found str")):
        Table(match.frames[0].start, match.rules).play("x")  # type: ignore[arg-type]


def test_no_match_or_frame() -> None:
    """A match, frame or start that is something else is a `TypeError` that says what is expected, at once."""
    (match,) = read(VALID / "plain.xml")
    frame: Any = match.frames[0]
    calls: dict[str, Callable[[], object]] = {
        "expected a Frame, such as match.frames[0], found int": lambda: walk(match, 0),  # type: ignore[arg-type]
        "expected a Match, or its Rules, found str": lambda: replay("x", frame),  # type: ignore[arg-type]
        "expected a Match, found list": lambda: check([match]),  # type: ignore[arg-type]
        "expected the Start of a frame, such as match.frames[0].start, found Frame": lambda: Table(frame, match.rules),
        "expected the Rules of a match, such as match.rules, found Match": lambda: Table(
            frame.start,
            match,  # type: ignore[arg-type]
        ),
        "expected a path, or several, found int": lambda: games(5),  # type: ignore[arg-type]
    }
    for message, call in calls.items():
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == message


@pytest.mark.parametrize("name", ["legal", "seen_by", "waits", "furiten", "shanten"])
@pytest.mark.parametrize("player", [4, -1], ids=str)
def test_no_player(name: str, player: int) -> None:
    """A player that is none is a `ValueError`."""
    (match,) = read(VALID / "plain.xml")
    with pytest.raises(ValueError, match=f"^expected a player, 0 to 3, found {player}$"):
        getattr(Table(match.frames[0].start, match.rules), name)(player)


@pytest.mark.parametrize("player", [[1], "1"], ids=str)
def test_player_of_another_type(player: Any) -> None:
    """A player that is no number is a `TypeError` that says what is expected, as for a list in place of arguments."""
    (match,) = read(VALID / "plain.xml")
    message = f"^expected a player, such as 0, found {type(player).__name__}$"
    with pytest.raises(TypeError, match=message):
        Table(match.frames[0].start, match.rules).wins(player)


def test_text_in_place_of_a_path() -> None:
    """The message repeats only the beginning of the text."""
    text = (VALID / "plain.xml").read_text(encoding="utf-8")
    with pytest.raises(FileError) as caught:
        read(text)
    assert str(caught.value) == (
        '<mjloggm ver="2.3"><GO type="9" lobby="0"/><UN n0="%4B%61%65%64%65" n1=…: '
        "a str is a path; pass the content of a file as bytes, with .encode()"
    )


@pytest.mark.parametrize("name", ["kind", "text", "counts"])
@pytest.mark.parametrize("tile", [500, -5, -1])
def test_no_tile(name: str, tile: int) -> None:
    """A number that is no tile, even a negative one, is a `ValueError` and not some other tile."""
    with pytest.raises(ValueError, match=f"^{tile} is not a tile; expected 0 to 173$"):
        getattr(tiles, name)(tile if name == "kind" else [1, tile])


@pytest.mark.parametrize(
    "counts",
    ["123m", [1, 2, 3], [-1] * 34, 7, [5] + [2] * 4 + [0] * 29, [0] * 34, [1] * 12 + [0] * 22, [1] * 15 + [0] * 19],
    ids=["text", "few", "negative", "number", "five of a kind", "no tile", "twelve tiles", "fifteen tiles"],
)
def test_no_counts(counts: object) -> None:
    """Shanten of anything but the counts of a hand by kind is a `TypeError` that says what is expected."""
    expected = r"expected 34 counts by kind, of 13 or 14 tiles less three a meld, such as tiles.counts\('1123m'\)"
    with pytest.raises(TypeError, match=expected):
        shanten(counts)  # type: ignore[arg-type]


def test_counts_with_a_draw() -> None:
    """The useful kinds of a hand that has drawn are a `TypeError`: it has to discard first."""
    with pytest.raises(TypeError, match="expected 34 counts by kind"):
        useful([2] * 7 + [0] * 27)


@pytest.mark.parametrize("face", ["5z", "10m", "5M"])
def test_no_face(face: str) -> None:
    """What is no face is a `ValueError` that lists the faces."""
    with pytest.raises(ValueError, match=f"'{face}' is not a tile; expected 1m to 9m"):
        tiles.any_copy(face)
