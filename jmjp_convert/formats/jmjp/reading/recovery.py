"""Go on after a syntax error, to find the next ones: at the next act, part of the head, frame or match.

One slip gives one error. So what follows an error in its frame or head is only parsed part by part, wherever a part
seems to begin; whether parts are missing, or in which order they come, is not judged there. Time is linear: the text is
only ever searched forward, and the number of errors is bounded.
"""

from __future__ import annotations

import re

from jmjp_convert.errors import JmjpSyntaxError
from jmjp_convert.formats.bounds import exceeded
from jmjp_convert.formats.jmjp.dialects import Dialect
from jmjp_convert.formats.jmjp.reading import head
from jmjp_convert.formats.jmjp.reading.acts import act_alone
from jmjp_convert.formats.jmjp.reading.frames import TAIL
from jmjp_convert.formats.jmjp.reading.hands import HAND, hand_alone
from jmjp_convert.formats.jmjp.reading.lexer import Script
from jmjp_convert.patterns import regex

MOST = 100
"""The maximum number of syntax errors that are looked for in a file."""

# Where the frames, the fields after them, the next match or the end of this one begin.
_OUTSIDE = r"frm\[|pme\[|ptn\[|\)(?=\((?:tnm|mtp)\[|\Z)|\((?=(?:tnm|mtp)\[)"
_NEXT_MATCH = regex(r"\((?=(?:tnm|mtp)\[)")
_BEYOND = regex(_OUTSIDE)
_IN_HEAD = regex(rf"(?P<part>{'|'.join(map(re.escape, head.PARTS))})|{_OUTSIDE}")
# Only acts and hands are in round brackets that follow each other; the last hand is followed by a comma.
_IN_FRAME = regex(rf"{_OUTSIDE}|(?P<item>(?<=\))\(|\([eswn],)|(?P<tail>(?<=\]\)),)")


class NoMoreError(Exception):
    """The rest of the file is not read."""


class Recovery:
    """The syntax errors of a file, and where to go on after them.

    :ivar errors: the errors so far, in the order of their places.
    """

    def __init__(self, script: Script, dialect: Dialect) -> None:
        self.errors: list[JmjpSyntaxError] = []
        self._script = script
        self._dialect = dialect
        self._known = -1  # what is missing up to here follows from the errors so far

    def add(self, error: JmjpSyntaxError, frame: str | None = None) -> int:
        """Add *error*, which is in *frame*, unless it follows from the last one; return its place.

        :raises NoMoreError: there are too many, or a quote is missing, so that strings and syntax are confused.
        """
        place = error.place
        if place <= self._known:
            return place
        self._known = place
        if len(self.errors) == MOST:
            self.errors.append(self._script.error(place, f"{exceeded(MOST, 'syntax errors')}; the rest is not read"))
            raise NoMoreError
        error.frame = frame
        self.errors.append(error)
        if self._script.is_lost(place):
            raise NoMoreError
        return place

    def after_head(self, place: int) -> int:
        """Return the place where the frames begin after an error at *place* in the head of a match.

        :raises NoMoreError: as for :meth:`add`.
        """
        text = self._script.text
        while (found := _IN_HEAD.search(text, place)) is not None and found["part"]:
            try:
                place, _ = head.PARTS[found["part"]](self._script, found.start(), self._dialect)
            except JmjpSyntaxError as error:
                place = self.add(error)
        return self._resumed(len(text) if found is None else found.start())

    def after_frame(self, place: int, frame: str | None) -> int:
        """Return the place after *frame*, which has an error at *place*.

        :raises NoMoreError: as for :meth:`add`.
        """
        text = self._script.text
        while (found := _IN_FRAME.search(text, place)) is not None:
            try:
                if found["item"]:
                    place = self._items(found.start())
                elif found["tail"]:
                    return self._resumed(TAIL.after(self._script, found.start()))
                else:
                    return self._resumed(found.start())
            except JmjpSyntaxError as error:
                place = self.add(error, frame)
        return self._resumed(len(text))

    def _items(self, place: int) -> int:
        """Return the place after the acts and hands at *place*."""
        script = self._script
        while script.text.startswith("(", place):
            parse = hand_alone if script.text.startswith(HAND, place + len("(e,")) else act_alone
            place = parse(script, place, self._dialect)
        return place

    def beyond(self, place: int) -> int:
        """Return the place of the next frame, end of a match or match after an error at *place*."""
        found = _BEYOND.search(self._script.text, place)
        return self._resumed(len(self._script.text) if found is None else found.start())

    def next_match(self, place: int) -> int:
        """Return the place of the next match after an error at *place*, where none is."""
        found = _NEXT_MATCH.search(self._script.text, place)
        return self._resumed(len(self._script.text) if found is None else found.start())

    def _resumed(self, place: int) -> int:
        self._known = max(self._known, place)
        return place
