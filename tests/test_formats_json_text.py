"""JSON from strangers: the same values as decoding it whole, the same errors, and bounded memory."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from jmjp_convert.errors import MajiangError, MjaiError
from jmjp_convert.formats import json_text
from jmjp_convert.formats.json_text import JsonLines, Walk, decoded, encode, error_at
from jmjp_convert.formats.reading import read

# --- writing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["天鳳é😀", "\x00\n\x1f", "\x7f\x85\xa0\u2028\u2029", "\ud800 \udfff", 'a"b\\c/'])
def test_texts(text: str) -> None:
    """Any text, even with lone surrogates, becomes one line that can be encoded and read back."""
    out = encode({"x": text})
    assert len(out.encode().decode().splitlines()) == 1
    assert json.loads(out) == {"x": text}


def test_values_written() -> None:
    """There are no spaces, and no numbers that JSON lacks."""
    assert encode([1, {"a": None, "b": True}]) == '[1,{"a":null,"b":true}]'
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode(float("nan"))


# --- encodings --------------------------------------------------------------------------------------------------------

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


@pytest.mark.parametrize(("content", "message"), table("formats_json_text", "invalid_encodings", vars(codecs)))
def test_invalid_encodings(content: bytes, message: str) -> None:
    """What is neither UTF-8 nor UTF-16 is an error at its place."""
    with pytest.raises(MjaiError) as refused:
        decoded(content, MjaiError)
    assert refused.value.about("x") == message


def test_error_at() -> None:
    """An error shows the part of its line around it, without the line's end."""
    error = error_at(MjaiError, "first\n" + "a" * 100 + "!?\r\nlast", 106, "odd")
    assert (error.line, error.column, error.caret) == (2, 101, 60)
    assert error.text == "a" * 60 + "!?"
    assert error_at(MjaiError, "ab", 1, "odd", line=7, frame="E1-0").about("x") == "x:7:2: in frame E1-0: odd"


# --- walking ----------------------------------------------------------------------------------------------------------

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
)


def walk_of(text: str) -> Walk[MajiangError]:
    """Return a walk through *text*."""
    return Walk(text, MajiangError)


def walked(walk: Walk[MajiangError], depth: int) -> Any:
    """Return the next value, walking through *depth* levels of it."""
    opening = walk.next() if depth else ""
    if opening == "[":
        return [walked(walk, depth - 1) for _ in walk.items()]
    if opening == "{":
        return {key: walked(walk, depth - 1) for key in walk.members()}
    return walk.value()


@given(values, st.integers(0, 3), st.sampled_from([None, 0, 3]))
def test_values(value: Any, depth: int, indent: int | None) -> None:
    """Values read one by one are those of the whole text, however it is spaced."""
    walk = walk_of(f" \r\n{json.dumps(value, indent=indent)}\t")
    assert walked(walk, depth) == value
    assert walk.next() == ""


def items(text: str) -> Iterator[Any]:
    """Yield the values in the list *text*."""
    walk = walk_of(text)
    for _ in walk.items():
        yield walk.value()


def members(text: str) -> Iterator[Any]:
    """Yield the values in the object *text*."""
    walk = walk_of(text)
    for _ in walk.members():
        yield walk.value()


@pytest.mark.parametrize(("read_text", "text", "column", "reason"), table("formats_json_text", "invalid", globals()))
def test_invalid(read_text: Any, text: str, column: int, reason: str) -> None:
    """Invalid JSON is rejected at its place, and a text that is cut is called so."""
    with pytest.raises(MajiangError) as error:
        list(read_text(f"\n{text}"))
    assert (error.value.line, error.value.column, error.value.reason) == (2, column, reason)


def test_many_keys() -> None:
    """An object may have a thousand keys."""
    text = ",".join(f'"{number}":0' for number in range(1000))
    assert len(list(members(f"{{{text}}}"))) == 1000
    with pytest.raises(MajiangError, match=r": an object with more than 1,000 keys$"):
        list(members(f'{{{text},"x":0}}'))


@pytest.mark.parametrize("middle", ["1,", '"x,[{",', '{"a":[]},'])
def test_long(middle: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value may be long, but may not have too many values in it."""
    monkeypatch.setattr(json_text, "_SMALL", 20)
    monkeypatch.setattr(json_text, "MOST_VALUES", 200)
    for times in (1, 3, 10, 30, 100, 300):
        text = f"[{middle * times}0]"
        if sum(map(text.count, ",[{")) <= 200:
            walk = walk_of(text + " [1]" * 300)
            assert walk.value() == json.loads(text)
            assert walk.value() == [1]
        else:
            with pytest.raises(MajiangError, match=r": more than 200 values$"):
                walk_of(text).value()
    assert walk_of(f'"{"[" * 500}"').value() == "[" * 500


# --- documents --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "documents"), table("formats_json_text", "documents"))
def test_documents(text: str, documents: list[Any]) -> None:
    """Documents are read one after the other and from lists, each with its line and the pointer to it."""
    walk = walk_of(text)
    assert [(pointer, walk.line, walk.object(pointer)) for pointer in walk.documents()] == documents


@pytest.mark.parametrize("text", ["[{},\n{}]", "[{}\n{}", "{},\n{},", "{}\n{}", "[{}]\n[{}]"])
def test_loose_documents(text: str) -> None:
    """Loosely, commas and brackets make no difference."""
    walk = walk_of(text)
    assert [(walk.line, walk.object(pointer)) for pointer in walk.documents(loose=True)] == [(1, {}), (2, {})]


@pytest.mark.parametrize(("text", "message"), table("formats_json_text", "no_documents"))
def test_no_documents(text: str, message: str) -> None:
    """A document that is not an object, or no document, is an error at its place."""
    walk = walk_of(text)
    with pytest.raises(MajiangError) as refused:
        list(map(walk.object, walk.documents()))
    assert str(refused.value) == message


# --- lines ------------------------------------------------------------------------------------------------------------


def test_lines() -> None:
    """Lines are numbered as in the file, whether they are parsed, only looked at, or blank."""
    lines = JsonLines(b'{"a":1}\r\n\n{"b":2}\n{"c":3}', MjaiError)
    assert (lines.number, lines.next(), lines.number) == (1, {"a": 1}, 1)
    assert (lines.next(), lines.number) == ({"b": 2}, 3)
    assert lines.left() == b'{"c":3}'
    assert next(lines.rest) == (4, b'{"c":3}')
    assert (lines.next(), lines.left()) == (None, b"")


def test_lines_laid_out() -> None:
    """A list of objects, or objects on several lines each, are lines with the numbers that they have in the file."""
    walk = Walk('[\n{"a":\n1},{"b":2}\n]', MjaiError)
    lines = JsonLines.laid_out(walk, walk.documents())
    assert (lines.next(), lines.number) == ({"a": 1}, 2)
    assert (lines.next(), lines.number) == ({"b": 2}, 3)
    assert lines.next() is None


@pytest.mark.parametrize(("line", "message"), table("formats_json_text", "invalid_lines"))
def test_invalid_lines(line: bytes, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is not an object is an error with its number and frame."""
    monkeypatch.setattr(json_text, "_SMALL", 12)
    monkeypatch.setattr(json_text, "MOST_VALUES", 3)
    lines = JsonLines(b"{}\n" + line, MjaiError)
    assert lines.next() == {}
    lines.frame = "E1-0"
    with pytest.raises(MjaiError) as refused:
        lines.parse(*next(lines.rest))
    assert str(refused.value) == message
