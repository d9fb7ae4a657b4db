"""Separate white space, comments and strings from the syntax of a jmjp text."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, TypeVar

from jmjp_convert.errors import JmjpError, JmjpSyntaxError
from jmjp_convert.formats.jmjp.reading import slips
from jmjp_convert.formats.jmjp.reading.slips import Slips
from jmjp_convert.patterns import regex

_MARK = regex(r"// tenhou(?:\s|$)")
_FOUND = regex(r"[A-Za-z0-9.-]+|.", re.DOTALL)
_LONGEST_FOUND = 16
_WORD = regex(r"\S+")
_LINE_END = regex(r"[\r\n]")
_MOST = 1_000_000
_AT_ONCE = 1 << 16  # characters
_BEFORE_CARET, _AFTER_CARET = 60, 20

_Error = TypeVar("_Error", bound=JmjpError)


class Lexing(NamedTuple):
    r"""The lexical rules of a dialect.

    :ivar escapes: whether ``\"`` is an escaped quote inside a string.
    :ivar comments: whether there are comments.
    """

    escapes: bool = True
    comments: bool = True


class Script:
    """A jmjp text, split into syntax, strings and comments.

    :ivar text: only the syntax; a single quote character replaces each string.
    :ivar strings: the strings, by their place in *text*.
    :ivar comments: the ``// tenhou`` comments, each with the place in *text* that it precedes.
    :raises JmjpError: there are more strings and comments than any game has.
    """

    def __init__(self, raw: str, lexing: Lexing) -> None:
        self.strings: dict[int, str] = {}
        self.comments: list[tuple[int, str]] = []
        self._raw = raw
        self._lines = Lines(raw)
        self._known = -1, 0  # a place in the text, and its offset in the file
        # Where each piece of syntax begins and ends in the file: arrays, since a list takes four times the memory.
        self._begins, self._ends = array("q"), array("q")
        strings, comments, self._closed = self._split(raw, lexing)
        self.text = _without_space("".join(map(raw.__getitem__, map(slice, self._begins, self._ends))))
        place = -1
        for content in strings:
            place = self.text.find('"', place + 1)
            self.strings[place] = content
        if lexing.escapes and '\\"' in raw:
            self.strings = {place: content.replace('\\"', '"') for place, content in self.strings.items()}
        if comments:
            self.comments = list(self._placed(comments))

    def _split(self, raw: str, lexing: Lexing) -> tuple[list[str], list[_Comment], bool]:
        """Find the pieces of syntax, each with the quote that opens the string after it, if there is one.

        :returns: the strings, the ``// tenhou`` comments, and whether every string is closed.
        """
        strings: list[str] = []
        comments: list[_Comment] = []
        begins, ends, size = self._begins, self._ends, len(raw)
        quote, slashes, after, first = -1, -1 if lexing.comments else size, 0, 0
        while True:
            begins.append(after)
            if quote < after and (quote := raw.find('"', after)) < 0:
                quote = size
            if slashes < after and (slashes := raw.find("//", after)) < 0:
                slashes = size
            if quote < slashes:
                ends.append(quote + 1)
                end = raw.find('"', quote + 1)
                if end > 0 and lexing.escapes and raw[end - 1] == "\\":  # it is literal anywhere else
                    end = _unescaped(raw, quote + 1, end)
                if end < 0:  # the missing quote may be that of an earlier string
                    return strings, comments, False
                strings.append(raw[quote + 1 : end])
                after, first = end + 1, len(ends)
            else:
                ends.append(slashes)
                if slashes == size:
                    return strings, comments, True
                found = _LINE_END.search(raw, slashes)
                after = size if found is None else found.start()
                if _MARK.match(raw, slashes, after):
                    comments.append(_Comment(raw[slashes:after], len(strings), first, len(ends)))
            if len(ends) > _MOST:
                raise self._error_at(after, f"more than {_MOST:,} strings and comments", JmjpSyntaxError)

    def _placed(self, comments: list[_Comment]) -> Iterator[tuple[int, str]]:
        """Yield *comments* with their places in the text."""
        strings, known, place = list(self.strings), 0, 0
        for line, count, first, last in comments:
            if known < first:
                known, place = first, strings[count - 1] + 1
            place += sum(self._lengths(known, last))
            known = last
            yield place, line

    def _lengths(self, first: int, last: int) -> Iterator[int]:
        """Yield the lengths in the text of the pieces from *first* to *last*."""
        for piece in range(first, last):
            yield len(_without_space(self._raw[self._begins[piece] : self._ends[piece]]))

    @cached_property
    def _starts(self) -> array[int]:
        """The place of each piece in the text."""
        return array("q", accumulate(self._lengths(0, len(self._ends) - 1), initial=0))

    def error(self, place: int, reason: str) -> JmjpSyntaxError:
        """Return a syntax error at *place* in the text."""
        error = self._error_at(self._source(place), reason, JmjpSyntaxError)
        error.place = place
        return error

    def impossible(self, place: int, reason: str, frame: str | None) -> JmjpError:
        """Return the error of an impossible play at *place* in the text."""
        error = self._error_at(self._source(place), reason, JmjpError)
        error.frame = frame
        return error

    def line(self, place: int) -> int:
        """Return the line of *place* in the text."""
        return self._lines.place(self._source(place))[0]

    def expected(
        self, place: int, what: str, usual: Slips = slips.NONE, found: re.Pattern[str] = _FOUND
    ) -> JmjpSyntaxError:
        """Return the error that *what* was expected at *place*, with the remedy if it is a known slip.

        :param usual: the slips that are usual here.
        :param found: matches what is there.
        """
        explained = slips.explain(self.text, place, usual)
        if explained is None:
            return self.error(place, f"expected {what}, found {self._found(place, found)}{self._lost_quote(place)}")
        there, remedy = explained
        what = what.partition(": ")[0]  # without what else is allowed here
        shown = self._found(place, found) if there in ("", '"') else _shown(there)
        return self.error(place, f"expected {what}, found {shown}; {remedy}")

    def is_slip(self, place: int, usual: Slips) -> bool:
        """Return whether one of the *usual* slips is at *place*."""
        return slips.explain(self.text, place, usual) is not None

    def is_lost(self, place: int) -> bool:
        """Return whether a quote seems to be missing before *place*, so that strings and syntax are confused there."""
        return self._open_string is not None and place > self._open_string

    def _lost_quote(self, place: int) -> str:
        if not self.is_lost(place):
            return ""
        assert self._open_string is not None
        return f"; a quote seems to be missing in line {self.line(self._open_string)}"

    def _found(self, place: int, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, place)
        if match is None:
            return "end of file"
        if match[0] == '"':
            return "a string" if place in self.strings else "an unterminated string"
        return _shown(match[0])

    @cached_property
    def _open_string(self) -> int | None:
        """The place of the first string that goes on in another line, if the last quote of the file has no other:
        one of them may be missing there."""
        if self._closed:
            return None
        return next((place for place, content in self.strings.items() if "\n" in content), None)

    def _source(self, place: int) -> int:
        """Return the offset in the file of *place* in the text."""
        if place >= len(self.text):
            return len(self._raw.rstrip())
        piece = bisect_right(self._starts, place) - 1
        known, offset = self._starts[piece], self._begins[piece]
        if known <= self._known[0] <= place:  # errors are raised in order
            known, offset = self._known
        for word in _WORD.finditer(self._raw, offset):
            offset = word.start() + place - known
            if offset < word.end():
                break
            known += word.end() - word.start()
        self._known = place, offset
        return offset

    def _error_at(self, offset: int, reason: str, kind: type[_Error]) -> _Error:
        return error_at(self._raw, offset, reason, kind, self._lines)


def _shown(found: str) -> str:
    return repr(found if len(found) <= _LONGEST_FOUND else f"{found[: _LONGEST_FOUND - 1]}…")


class _Comment(NamedTuple):
    """A ``// tenhou`` comment: its *line*, the number of *strings* before it, and the pieces of syntax between the last
    of them and the comment, from the *first* up to the *last*, exclusive."""

    line: str
    strings: int
    first: int
    last: int


def _unescaped(raw: str, start: int, end: int) -> int:
    """Return the place from *end* on of the quote that ends the string whose content begins at *start*, -1 if there is
    none."""
    while start < end and raw[end - 1] == "\\":
        end = raw.find('"', end + 1)
    return end


def _without_space(raw: str) -> str:
    """Return the text without white space, which takes little more memory than the text."""
    if len(raw) <= _AT_ONCE:
        return "".join(raw.split())
    return "".join(["".join(raw[at : at + _AT_ONCE].split()) for at in range(0, len(raw), _AT_ONCE)])


class Lines:
    """The lines of a text.

    Only the last place is remembered, and the lines from there to the next are counted: errors come almost in order,
    and the beginnings of all lines may take more memory than the text.
    """

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._known = 0, 1, 0  # an offset, its line, and the offset of the line's start

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line number of *offset*, 1-based, and the offset of the line's start."""
        raw, (known, line, start) = self._raw, self._known
        at = offset - 1 if raw[max(offset - 1, 0) : offset + 1] == "\r\n" else offset  # inside the end of a line
        if at >= known:
            line += self._ends(known, at)
            start = self._start(start, known, at)
        elif at < start:
            line -= self._ends(at, known)
            start = self._start(0, 0, at)
        self._known = at, line, start
        return line, start

    def _ends(self, start: int, end: int) -> int:
        """Return how many lines end from *start* to *end*."""
        count = self._raw.count
        return count("\n", start, end) + count("\r", start, end) - count("\r\n", start, end)

    def _start(self, known: int, start: int, end: int) -> int:
        """Return the start of the line of *end*; it is *known* if none ends from *start* on."""
        after = max(known, self._raw.rfind("\n", start, end) + 1)
        return max(after, self._raw.rfind("\r", max(after, start), end) + 1)


def error_at(raw: str, offset: int, reason: str, kind: type[_Error], lines: Lines | None = None) -> _Error:
    """Return an error of *kind* at *offset* in the text *raw*, whose lines are *lines*."""
    line, start = (lines or Lines(raw)).place(offset)
    first, last = max(start, offset - _BEFORE_CARET), offset + _AFTER_CARET
    end = _LINE_END.search(raw, offset, last)
    text = raw[first : last if end is None else end.start()]
    return kind(reason, line=line, column=offset - start + 1, text=text, caret=offset - first)
