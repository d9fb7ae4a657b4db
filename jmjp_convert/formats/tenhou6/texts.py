"""Find the objects in a tenhou.net/6 file: one, a list, one after the other, or in links."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote

from jmjp_convert.errors import ConvertError, Tenhou6Error
from jmjp_convert.formats.json_text import InvalidJsonError, decode_at, error_at, shown

LINK = re.compile(r"https?://(?:www\.)?tenhou\.net/[^\s#]*#json=", re.IGNORECASE)
"""The beginning of a link to the viewer (/5) or the editor (/6) that holds the JSON."""

MOST_VALUES = 1_000_000
"""The maximum number of values in an object: far more than in any match, and each takes much memory."""

_SPACE = re.compile(r"[\s\ufeff]*")
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_SMALL = 1 << 20
_AFTER_LINK = re.compile(r"[&#?].*")


class Found(NamedTuple):
    """An object of a file: its *value*, the *line* it begins on, and the JSON *pointer* to it from there."""

    value: dict[str, Any]
    line: int
    pointer: str


def objects(text: str) -> Iterator[Found]:
    """Yield the objects in *text*: JSON values and links, between white space.

    :raises Tenhou6Error: there is anything else.
    """
    lines = _Lines(text)
    place = _after_space(text, 0)
    while place < len(text):
        line = lines.at(place)
        if LINK.match(text, place):
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            yield from _in_link(text[place:end].rstrip(), line)
        elif text[place] == "[":
            end = yield from _in_list(text, place, lines)
        else:
            value, end = _value(text, place)
            yield Found(_expect_object(value, line), line, "")
        place = _after_space(text, end)


class _Lines:
    """Counts lines up to places that come in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place, self._line = 0, 1

    def at(self, place: int) -> int:
        """Return the line of *place*."""
        self._line += self._text.count("\n", self._place, place)
        self._place = place
        return self._line


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _in_list(text: str, place: int, lines: _Lines) -> Generator[Found, None, int]:
    """Yield the objects of the list at *place*; return the place after it."""
    number = 0
    place = _after_space(text, place + 1)
    while not text.startswith("]", place) or number:
        line = lines.at(place)
        value, place = _value(text, place)
        yield Found(_expect_object(value, line, f"/{number}"), line, f"/{number}")
        number += 1
        place = _after_space(text, place)
        if text.startswith("]", place):
            break
        if not text.startswith(",", place):
            raise error_at(
                Tenhou6Error, text, place, "invalid JSON: expected ',' or ']'" if place < len(text) else _TRUNCATED
            )
        place = _after_space(text, place + 1)
    return place + 1


def _in_link(link: str, line: int) -> Iterator[Found]:
    """Yield the object in *link*, decoded as by the viewer: all of it may be percent-encoded, none, or a part, as some
    browsers show it."""
    begins = LINK.match(link)
    assert begins is not None
    said = link[begins.end() :]
    try:
        said = unquote(said, errors="strict")
    except UnicodeDecodeError:
        if '"' not in said:  # otherwise a percent sign in an open link is one
            raise Tenhou6Error("the link is not UTF-8", line=line) from None
    try:
        value, end = _value(said, 0)
    except Tenhou6Error as error:
        raise Tenhou6Error(f"{error.reason} in the link", line=line) from None
    if end < len(said) and not _AFTER_LINK.fullmatch(said, end):
        raise Tenhou6Error(f"{shown(said[end:])} after the JSON in the link", line=line)
    yield Found(_expect_object(value, line), line, "")


def _expect_object(value: Any, line: int, pointer: str = "") -> dict[str, Any]:
    if type(value) is not dict:
        raise Tenhou6Error(f"expected an object, found {shown(value)}", line=line, pointer=pointer)
    return value


def _value(text: str, place: int) -> tuple[Any, int]:
    """Return the JSON value at *place*, and the place after it."""
    if len(text) - place > _SMALL:
        end = _extent(text, place)
        if sum(text.count(mark, place, end) for mark in ",[{") > MOST_VALUES:
            raise error_at(Tenhou6Error, text, place, f"more than {MOST_VALUES:,} values")
    try:
        return decode_at(text, place)
    except InvalidJsonError as error:
        cut = error.position >= len(text.rstrip()) or "unterminated" in error.reason
        raise error_at(Tenhou6Error, text, error.position, _TRUNCATED if cut else error.reason) from None
    except ConvertError as error:
        raise error_at(Tenhou6Error, text, place, error.reason) from None


_TRUNCATED = "truncated JSON"


def _extent(text: str, place: int) -> int:
    """Return the place after the bracketed value at *place*, or the end of *text*."""
    depth = 0
    for found in _BRACKETS.finditer(text, place):
        mark = text[found.start()]
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
            if depth <= 0:
                return found.end()
    return len(text)
