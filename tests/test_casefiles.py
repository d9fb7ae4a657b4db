"""The files of cases: what their lines stand for, and what does not hold together."""

from __future__ import annotations

import re
from pathlib import Path

import casefiles
import pytest
from casefiles import Block, Refusal, blocks, content, refusals, sound

TILES = b"1m2m\n3m2m\n"


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of cases of jmjp, beside which `tiles` is a sound file."""
    monkeypatch.setattr(casefiles, "FIXTURES", tmp_path)
    for folder in ("valid", "invalid"):
        (tmp_path / "jmjp" / folder).mkdir(parents=True)
    (tmp_path / "jmjp" / "valid" / "tiles.jmjp").write_bytes(TILES)
    return tmp_path / "jmjp" / "invalid" / "cases.txt"


def given(*lines: str, base: str = "tiles") -> bytes:
    """Return what *lines* make of a base."""
    return content(Block("case", base.split(), list(lines)), {"tiles": TILES})


def test_case(told: Path) -> None:
    """A case has a name, an input, a place and a reason; comments and empty lines tell people more."""
    told.write_text(
        "# all of them\n\ncase a from tiles\n# a face\n1m -> 1x\nat 1:1: no tile: 1x\n\ncase b\n| 1m\nat 2: short\n",
        encoding="utf-8",
    )
    expected = {"a": Refusal(b"1x2m\n3m2m\n", "1:1", "no tile: 1x"), "b": Refusal(b"1m\n", "2", "short")}
    assert refusals("jmjp") == expected


def test_base(told: Path) -> None:
    """A base is told once for all files, and may be made from another."""
    told.write_text("case a from more\nat 1: wrong\n", encoding="utf-8")
    more = "base less from tiles\ncut 1m\nbase more from less\n1m -> 9m\n"
    (told.parent / "more.txt").write_text(more, encoding="utf-8")
    assert sound("jmjp") == {"tiles": TILES, "less": b"1m", "more": b"9m"}
    assert refusals("jmjp") == {"a": Refusal(b"9m", "1", "wrong")}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1m -> 0m", b"0m2m\n3m2m\n"),
        ("first 2m -> 0m", b"1m0m\n3m2m\n"),
        ("last 2m -> 0m", b"1m2m\n3m0m\n"),
        ("all 2m -> 0m", b"1m0m\n3m0m\n"),
        ("drop 1m", b"2m\n3m2m\n"),
        ("last drop 2m", b"1m2m\n3m\n"),
        ("cut \\n3m", b"1m2m\n3m"),
        ("all \\n -> \\r\\n", b"1m2m\r\n3m2m\r\n"),
        ("1m -> \\t\\xE9\\x00", b"\t\xe9\x002m\n3m2m\n"),
        ("1m -> \\{3 × 1m}", b"1m1m1m2m\n3m2m\n"),
        ('1m -> "\\"\\ud800', b'"\\"\\ud8002m\n3m2m\n'),
        ("encode utf-16-be", b"\x001\x00m\x002\x00m\x00\n\x003\x00m\x002\x00m\x00\n"),
    ],
)
def test_edit(line: str, expected: bytes) -> None:
    """An edit exchanges, drops or cuts a text, in which some characters may be escaped."""
    assert given(line) == expected


def test_edits() -> None:
    """Edits are made in turn, in several bases that stand one behind the other."""
    assert given("first drop 1m2m\\n", "1m -> 9m", base="tiles tiles") == b"3m2m\n9m2m\n3m2m\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["| 1m", "|", "|   2m"], b"1m\n\n  2m\n"),
        (["| 1m", "| 2m\\"], b"1m\n2m"),
        (["| \\"], b""),
        (["| 1m", "1m -> 2m"], b"2m\n"),
    ],
)
def test_whole(lines: list[str], expected: bytes) -> None:
    """A whole text stands behind bars, every line with its line feed, unless a backslash ends it."""
    assert given(*lines, base="") == expected


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("9m -> 1m", "this is there 0 times: 9m"),
        ("2m -> 1m", "this is there 2 times: 2m"),
        ("drop 2m", "this is there 2 times: 2m"),
        ("cut 2m", "this is there 2 times: 2m"),
        ("first 1m -> 2m", "this is there 1 times: 1m"),
        ("all 9m -> 2m", "this is there 0 times: 9m"),
        ("1m2m", "this is no edit: 1m2m"),
        ("| 1m", "case: it needs either a base or a whole text"),
    ],
)
def test_edit_refused(line: str, reason: str) -> None:
    """An edit of what is not there, or of what is there several times, is a mistake."""
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
        given(line)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "jmjp: no case"),
        ("base more from tiles\n", "jmjp: no case"),
        ("base tiles\n| 1m\n", "jmjp: two bases of one name: tiles"),
        ("case a from tiles\nat 1: x\ncase a from tiles\nat 2: y\n", "cases.txt: another case of this name: a"),
        ("1m -> 2m\n", "cases.txt: this stands before the first block: 1m -> 2m"),
        ("case a from tiles\n1m -> 2m\n", "a: a place and a reason have to end it, not: 1m -> 2m"),
        ("case a from tiles\nat here: x\n", "a: a place and a reason have to end it, not: at here: x"),
        ("case a\nat 1: x\n", "a: it needs either a base or a whole text"),
    ],
)
def test_refused(told: Path, text: str, reason: str) -> None:
    """A file of cases from which one could be lost is a mistake."""
    told.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
        refusals("jmjp")


def test_blocks(told: Path) -> None:
    """The games of the logs are told in the same form."""
    told.write_text("game a\n# why\ngo type=9\n\ngame b from a c\n1m -> 2m\n", encoding="utf-8")
    assert blocks(told, "game") == [Block("a", [], ["go type=9"]), Block("b", ["a", "c"], ["1m -> 2m"])]
