"""Texts from strangers: their encodings, and the place of an error in them."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from jmjp_convert.errors import MjaiError
from jmjp_convert.formats.reading import read
from jmjp_convert.formats.text_places import decoded, error_at

FIXTURES = Path(__file__).parent.parent / "fixtures"
FILES = [
    "tenhou6/valid/plain.tenhou6.json",
    "mjai/valid/base.mjson",
    "mjai/valid/list.mjson",
    "majiang/valid/wins.majiang.json",
]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_encodings(name: str, encoding: str) -> None:
    """A file of another program may have a byte order mark, or be UTF-16, as Windows saves and pipes text."""
    text = (FIXTURES / name).read_text(encoding="utf-8")
    assert read(text.encode(encoding)) == read(text.encode())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"ab\nc\xff", "x:2:2: invalid UTF-8: byte 0xff"),
        (codecs.BOM_UTF8 + b"\xff", "x:1:1: invalid UTF-8: byte 0xff"),
        (codecs.BOM_UTF16_LE + b"a", "x:1: invalid UTF-16"),
    ],
)
def test_invalid(content: bytes, message: str) -> None:
    """What is neither UTF-8 nor UTF-16 is an error at its place."""
    with pytest.raises(MjaiError) as refused:
        decoded(content, MjaiError)
    assert refused.value.about("x") == message


def test_place() -> None:
    """An error shows the part of its line around it, without the line's end."""
    error = error_at(MjaiError, "first\n" + "a" * 100 + "!?\r\nlast", 106, "odd")
    assert (error.line, error.column, error.caret) == (2, 101, 60)
    assert error.text == "a" * 60 + "!?"
    assert error_at(MjaiError, "ab", 1, "odd", line=7, frame="E1-0").about("x") == "x:7:2: in frame E1-0: odd"
