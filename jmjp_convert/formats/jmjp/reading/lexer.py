"""Separate white space, comments and strings from the syntax of a jmjp text."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple, TypeVar

from jmjp_convert.errors import JmjpError, JmjpSyntaxError
from jmjp_convert.formats.jmjp.reading import slips
from jmjp_convert.formats.jmjp.reading.slips import Slips
from jmjp_convert.patterns import regex

# A backslash is literal, except in the one escape of 1.0-beta. The quantifiers never backtrack: a string ends once.
_VERBATIM = r'"([^"]*+)"'
_ESCAPED = r'"((?:\\"|[^"])*+)"'
_COMMENT = r"//[^\r\n]*"
_MARK = regex(r"// tenhou(?:\s|$)")
_PATTERNS = {
    (escapes, comments): regex("|".join([string, *([_COMMENT] if comments else []), '"']))
    for escapes, string in ((False, _VERBATIM), (True, _ESCAPED))
    for comments in (False, True)
}
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
        self._closed = True  # whether every string is
        self._known = -1, 0  # a place in the text, and its offset in the file
        # Arrays, since a list of numbers takes four times the memory.
        self._starts = array("q", [0])  # of each piece, in the text
        self._sources = array("q", [0])  # of each piece, in the file
        pieces: list[str] = []
        length = end = 0
        for special in _PATTERNS[lexing].finditer(raw):
            start, after = special.span()
            piece = _without_space(raw, end, start)
            length += len(piece)
            content = special[1]
            if content is not None:
                self.strings[length] = content
                piece += '"'
                length += 1
            elif raw[start] == "/":
                if _MARK.match(raw, start):
                    self.comments.append((length, special[0]))
            else:  # an unterminated string, though the missing quote may be that of an earlier one
                pieces.append(piece + special[0])
                end = len(raw)
                self._closed = False
                break
            pieces.append(piece)
            end = after
            self._starts.append(length)
            self._sources.append(end)
            if len(pieces) > _MOST:
                raise self._error_at(end, f"more than {_MOST:,} strings and comments", JmjpSyntaxError)
        pieces.append(_without_space(raw, end, len(raw)))
        self.text = "".join(pieces)
        if lexing.escapes and '\\"' in raw:
            self.strings = {place: content.replace('\\"', '"') for place, content in self.strings.items()}

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
        known, offset = self._starts[piece], self._sources[piece]
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


def _without_space(raw: str, start: int, end: int) -> str:
    """Return the text from *start* to *end* without white space, which takes little more memory than the text."""
    if end - start <= _AT_ONCE:
        return "".join(raw[start:end].split())
    return "".join(["".join(raw[at : min(at + _AT_ONCE, end)].split()) for at in range(start, end, _AT_ONCE)])


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
