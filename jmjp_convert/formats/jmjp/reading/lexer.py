"""Separate white space, comments and strings from the syntax of a jmjp text."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from jmjp_convert.errors import JmjpError

# A backslash is literal, except in the one escape of 1.0-beta. The quantifiers never backtrack: a string ends once.
_VERBATIM = r'"([^"]*+)"'
_ESCAPED = r'"((?:\\"|[^"])*+)"'
_COMMENT = r"//[^\r\n]*"
_MARK = re.compile(r"// tenhou(?:\s|$)")
_PATTERNS = {
    (escapes, comments): re.compile("|".join([string, *([_COMMENT] if comments else []), '"']))
    for escapes, string in ((False, _VERBATIM), (True, _ESCAPED))
    for comments in (False, True)
}
_FOUND = re.compile(r"[A-Za-z0-9.-]+|.", re.DOTALL)
_LONGEST_FOUND = 16
_WORD = re.compile(r"\S+")
_LINE_END = re.compile(r"\r\n?|\n")
_MOST = 1_000_000
_BEFORE_CARET, _AFTER_CARET = 60, 20


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
        self._starts = [0]  # of each piece, in the text
        self._sources = [0]  # of each piece, in the file
        pieces: list[str] = []
        length = end = 0
        for special in _PATTERNS[lexing].finditer(raw):
            start, after = special.span()
            piece = "".join(raw[end:start].split())
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
                break
            pieces.append(piece)
            end = after
            self._starts.append(length)
            self._sources.append(end)
            if len(pieces) > _MOST:
                raise self._error_at(end, f"more than {_MOST:,} strings and comments")
        pieces.append("".join(raw[end:].split()))
        self.text = "".join(pieces)
        if lexing.escapes and '\\"' in raw:
            self.strings = {place: content.replace('\\"', '"') for place, content in self.strings.items()}

    def error(self, place: int, reason: str, frame: str | None = None) -> JmjpError:
        """Return an error at *place* in the text."""
        return self._error_at(self._source(place), reason, frame)

    def line(self, place: int) -> int:
        """Return the line of *place* in the text."""
        return self._lines.place(self._source(place))[0]

    def expected(self, place: int, what: str, found: re.Pattern[str] = _FOUND) -> JmjpError:
        """Return the error that *what* was expected at *place*; the pattern *found* matches what is there."""
        return self.error(place, f"expected {what}, found {self._found(place, found)}")

    def _found(self, place: int, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, place)
        if match is None:
            return "end of file"
        if match[0] == '"':
            return "a string" if place in self.strings else "an unterminated string"
        found = match[0]
        return repr(found if len(found) <= _LONGEST_FOUND else f"{found[: _LONGEST_FOUND - 1]}…")

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

    def _error_at(self, offset: int, reason: str, frame: str | None = None) -> JmjpError:
        return error_at(self._raw, offset, reason, frame, self._lines)


class Lines:
    """The lines of a text."""

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._starts: list[int] | None = None

    def place(self, offset: int) -> tuple[int, int, int]:
        """Return the line number of *offset*, 1-based, and the offsets of the line's start and end."""
        if self._starts is None:
            self._starts = [0, *(end.end() for end in _LINE_END.finditer(self._raw))]
        number = bisect_right(self._starts, offset)
        end = _LINE_END.search(self._raw, offset)
        return number, self._starts[number - 1], len(self._raw) if end is None else end.start()


def error_at(raw: str, offset: int, reason: str, frame: str | None = None, lines: Lines | None = None) -> JmjpError:
    """Return an error at *offset* in the text *raw*, whose lines are *lines*."""
    line, start, end = (lines or Lines(raw)).place(offset)
    first = max(start, offset - _BEFORE_CARET)
    text = raw[first : min(end, offset + _AFTER_CARET)]
    return JmjpError(reason, line=line, column=offset - start + 1, text=text, caret=offset - first, frame=frame)
