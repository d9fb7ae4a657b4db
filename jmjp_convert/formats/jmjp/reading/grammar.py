"""Parses a row of parts by one pattern, and explains what is missing where it does not match.

So there is one grammar for what is right and for what an error says: nothing is read in two ways.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from jmjp_convert.errors import JmjpError
from jmjp_convert.formats.jmjp.reading.lexer import Script
from jmjp_convert.formats.jmjp.reading.primitives import POINTS, four_points, mark, matching, some_tiles, text


class Part(NamedTuple):
    """A part of a text.

    :ivar pattern: matches it. It may match what is no such part too, if its reader finds that out.
    :ivar after: returns the place after it; raises :class:`~jmjp_convert.errors.JmjpError` if it does not stand here.
    """

    pattern: str
    after: Callable[[Script, int], int]


class Row:
    """Parts that stand one after the other.

    :ivar pattern: matches them all.
    :ivar match: does so at a place of a text.
    """

    def __init__(self, *parts: Part) -> None:
        self._parts = parts
        self.pattern = "".join(part.pattern for part in parts)
        self.match = re.compile(self.pattern, re.ASCII).match

    def after(self, script: Script, place: int) -> int:
        """Return the place after the parts, taken one by one; raise if one does not stand there."""
        for part in self._parts:
            place = part.after(script, place)
        return place

    def error(self, script: Script, place: int) -> JmjpError:
        """Return which of the parts is missing, as they do not all stand at *place*."""
        try:
            end = self.after(script, place)
        except JmjpError as error:
            return error
        raise AssertionError(end)


def word(letters: str) -> Part:
    """Return a part that is always the same."""
    return Part(re.escape(letters), lambda script, place: mark(script, place, letters))


def value(pattern: str, what: str) -> Part:
    """Return a part that *pattern* matches, a group of the row, which an error calls *what*."""
    compiled = re.compile(pattern)
    return Part(f"({pattern})", lambda script, place: matching(script, place, compiled, what)[0])


def tiles(count: int) -> Part:
    """Return a part that is so many tiles, a group of the row."""
    return Part(rf"(\w{{{2 * count}}})", lambda script, place: some_tiles(script, place, count, "")[0])


def optional(end: str, *parts: Part) -> Part:
    """Return a part that is *parts* or nothing, and then *end*."""
    row = Row(*parts)

    def after(script: Script, place: int) -> int:
        if not script.text.startswith(end, place):
            place = row.after(script, place)
        return mark(script, place, end)

    return Part(f"(?:{row.pattern})?{re.escape(end)}", after)


TEXT = Part(r'(?:snt\[(")\])?(?:srm\[(")\])?', lambda script, place: text(script, place)[0])
"""A text: its strings in the native script and in Roman letters are groups of the row. A quote stands for a string: for
one that does not end too, but that is the last character of all."""

FOUR_POINTS = Part(rf"({POINTS}(?:,{POINTS}){{3}})\]", lambda script, place: four_points(script, place)[0])
"""Four points, a group of the row, and the closing bracket."""
