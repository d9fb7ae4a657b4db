"""Match a row of parts with one pattern, and explain what is missing if it does not match.

Valid input and error messages thus share one grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property

from jmjp_convert.errors import JmjpError
from jmjp_convert.formats.jmjp.reading import slips
from jmjp_convert.formats.jmjp.reading.lexer import POINTS, Script, four_points, mark, matching, some_tiles, text
from jmjp_convert.formats.jmjp.reading.slips import Slips
from jmjp_convert.model.record import record
from jmjp_convert.patterns import regex


@record
class Part:
    """A part of a text.

    :ivar pattern: matches the part. It may match more than that, if the caller checks the match.
    :ivar after: returns the place after the part; raises :class:`~jmjp_convert.errors.JmjpError` if it is not there.
    """

    pattern: str
    after: Callable[[Script, int], int]


class Row:
    """A sequence of parts.

    :ivar pattern: matches all of them.
    """

    def __init__(self, *parts: Part) -> None:
        self._parts = parts
        self.pattern = "".join(part.pattern for part in parts)

    @cached_property
    def match(self) -> Callable[[str, int], re.Match[str] | None]:
        """Match the pattern at a place in a text."""
        return re.compile(self.pattern, re.ASCII).match

    def after(self, script: Script, place: int) -> int:
        """Return the place after the parts, parsed one by one; raise if one is missing."""
        for part in self._parts:
            place = part.after(script, place)
        return place

    def error(self, script: Script, place: int) -> JmjpError:
        """Return the error for the first part missing at *place*; at least one is."""
        try:
            end = self.after(script, place)
        except JmjpError as error:
            return error
        raise AssertionError(end)


def word(letters: str, usual: Slips = slips.NONE) -> Part:
    """Return a part that is always *letters*; errors explain the *usual* slips."""
    return Part(re.escape(letters), lambda script, place: mark(script, place, letters, usual))


def value(pattern: str, what: str, usual: Slips = slips.NONE) -> Part:
    """Return a part that matches *pattern* and is a group of the row; errors call it *what*, and explain the *usual*
    slips."""
    compiled = regex(pattern)
    return Part(f"({pattern})", lambda script, place: matching(script, place, compiled, what, usual)[0])


def tiles(count: int, usual: Slips = slips.NONE) -> Part:
    """Return a part of *count* tiles that is a group of the row; errors explain the *usual* slips."""
    return Part(rf"(\w{{{2 * count}}})", lambda script, place: some_tiles(script, place, count, "", usual)[0])


def optional(end: str, *parts: Part, usual: Slips = slips.NONE) -> Part:
    """Return a part of optional *parts*, then *end*; errors explain the *usual* slips after them."""
    row = Row(*parts)

    def after(script: Script, place: int) -> int:
        if not script.text.startswith(end, place):
            place = row.after(script, place)
        return mark(script, place, end, usual)

    return Part(f"(?:{row.pattern})?{re.escape(end)}", after)


TEXT = Part(r'(?:snt\[(")\])?(?:srm\[(")\])?', lambda script, place: text(script, place)[0])
"""A text, whose native and romanised strings are groups of the row. A quote marks a string; an unterminated one has a
quote, too, but that is the last character of the text."""

FOUR_POINTS = Part(rf"({POINTS}(?:,{POINTS}){{3}})\]", lambda script, place: four_points(script, place)[0])
"""Four points, a group of the row, and the closing bracket."""
