"""Splits a text of jmjp into syntax, strings and comments, and finds errors in it again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, TypeVar

from jmjp_convert.errors import JmjpError, JmjpSyntaxError
from jmjp_convert.lazy_regex import regex

_MARK: Final = regex(r"// tenhou(?:\s|$)")
_TOKEN: Final = regex(r"[A-Za-z0-9.-]+|.", re.DOTALL)
_LONGEST_TOKEN: Final = 16
_WORD: Final = regex(r"\S+")
_LINE_END: Final = regex(r"[\r\n]")
_STRING: Final = regex('"[^"]*"')
_ASCII_SPACE: Final = b"\t\n\v\f\r\x1c\x1d\x1e\x1f "
_ESCAPED: Final = "\\" + chr(0xDC22)  # as long as an escaped quote; UTF-8 has no surrogates
_MOST = 1_000_000
_AT_ONCE: Final = 1 << 16  # characters
_BEFORE_CARET: Final = 60
_AFTER_CARET: Final = 20

_Error = TypeVar("_Error", bound=JmjpError)

Slips = tuple[str, ...]
"""The names of tables of slips, in ``slips.py``, which only errors need."""


class Script:
    r"""A jmjp text, split into syntax, strings and comments.

    :param escapes: whether ``\"`` is an escaped quote inside a string.
    :param comments: whether there are comments.
    :raises JmjpError: there are more strings and comments than any game has.
    """

    def __init__(self, raw: str, *, escapes: bool = True, comments: bool = True) -> None:
        self._raw = raw
        self._lines = Lines(raw)
        self._known = -1, 0  # a position in the text, and its offset in the file
        self._known_pieces: tuple[Sequence[int], Sequence[int]] | None = None
        self._code, every_comment = _without_comments(raw, escapes=escapes, comments=comments)
        pieces = self._code.split('"')
        is_closed = len(pieces) % 2 == 1
        syntax, strings = pieces[::2], pieces[1::2]
        if not is_closed:
            strings.pop()  # the missing quote may be that of an earlier string
            syntax.append("")
        del pieces
        self.text = _without_space('"'.join(syntax))  # only the syntax; a single quote character replaces each string
        del syntax
        if "\\" in self._code:
            strings = [content.replace(_ESCAPED, '"') for content in strings]
        self.strings: dict[int, str] = {}  # the strings, by their position in text
        position, find = -1, self.text.find
        for content in strings:
            self.strings[position := find('"', position + 1)] = content
        # Of the first string that goes on in another line, if the last quote of the file has no other: one of them may
        # be missing there.
        self._open_string: int | None = None
        if not is_closed:
            self._open_string = next((at for at, content in self.strings.items() if "\n" in content), None)
        # The // tenhou comments, each with the position in text that it precedes.
        self.comments: list[tuple[int, str]] = []
        self.notes: list[tuple[int, str]] = []  # the other comments, in the same way
        for position, line in self._placed(every_comment):
            (self.comments if _MARK.match(line) else self.notes).append((position, line))

    def _placed(self, comments: list[_Comment]) -> Iterator[tuple[int, str]]:
        """Yield *comments* with their positions in the text."""
        code, strings, known, position = self._code, list(self.strings), 0, 0
        for line, offset, count in comments:
            if begin := code.rfind('"', known, offset) + 1:
                known, position = begin, strings[count - 1] + 1
            position += len(_without_space(code[known:offset]))
            known = offset
            yield position, line

    def _pieces(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return the positions in the text after each string, and their offsets in the file; those of the beginning
        first."""
        if self._known_pieces is None:
            from array import array  # a list takes four times the memory

            positions, after_strings = array("q", (0,)), array("q", (0,))
            for position in self.strings:
                positions.append(position + 1)
            for string in _STRING.finditer(self._code):
                after_strings.append(string.end())
            self._known_pieces = positions, after_strings
        return self._known_pieces

    def error(self, position: int, reason: str) -> JmjpSyntaxError:
        """Return a syntax error at *position* in the text."""
        error = error_at(self._raw, self._source(position), reason, JmjpSyntaxError, self._lines)
        error.position = position
        return error

    def impossible(self, position: int, reason: str, frame: str | None) -> JmjpError:
        """Return the error of an impossible play at *position* in the text."""
        error = error_at(self._raw, self._source(position), reason, JmjpError, self._lines)
        error.frame = frame
        return error

    def line(self, position: int) -> int:
        """Return the line of *position* in the text."""
        return self._lines.position(self._source(position))[0]

    def expected(self, position: int, what: str, usual: Slips = (), token: re.Pattern[str] = _TOKEN) -> JmjpSyntaxError:
        """Return the error that *what* was expected at *position*, with the remedy if it is a known slip.

        :param usual: the slips that are usual here.
        :param token: matches what is there.
        """
        explained = self._explained(position, usual)
        if explained is None:
            return self.error(
                position, f"expected {what}, found {self._token(position, token)}{self._lost_quote(position)}"
            )
        there, remedy = explained
        what = what.partition(": ")[0]  # without the other things allowed here
        what_is_there = self._token(position, token) if there in ("", '"') else _shortened(there)
        return self.error(position, f"expected {what}, found {what_is_there}; {remedy}")

    def is_slip(self, position: int, usual: Slips) -> bool:
        """Return whether one of the *usual* slips is at *position*."""
        return self._explained(position, usual) is not None

    def _explained(self, position: int, usual: Slips) -> tuple[str, str] | None:
        from jmjp_convert.formats.jmjp.slips import explain

        return explain(self.text, position, usual)

    def is_lost(self, position: int) -> bool:
        """Return whether a quote seems to be missing before *position*, which confuses strings and syntax there."""
        return self._open_string is not None and position > self._open_string

    def _lost_quote(self, position: int) -> str:
        if self._open_string is None or position <= self._open_string:
            return ""
        return f"; a quote seems to be missing in line {self.line(self._open_string)}"

    def _token(self, position: int, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, position)
        if match is None:
            return "end of file"
        if match[0] == '"':
            return "a string" if position in self.strings else "an unterminated string"
        return _shortened(match[0])

    def _source(self, position: int) -> int:
        """Return the offset in the file of *position* in the text."""
        if position >= len(self.text):
            return len(self._raw.rstrip())
        from bisect import bisect_right  # only errors need it

        starts, offsets = self._pieces()
        piece = bisect_right(starts, position) - 1
        known, offset = starts[piece], offsets[piece]
        if known <= self._known[0] <= position:  # errors are raised in order
            known, offset = self._known
        for word in _WORD.finditer(self._code, offset):
            offset = word.start() + position - known
            if offset < word.end():
                break
            known += word.end() - word.start()
        self._known = position, offset
        return offset


def _shortened(token: str) -> str:
    return repr(token if len(token) <= _LONGEST_TOKEN else f"{token[: _LONGEST_TOKEN - 1]}…")


_Comment = tuple[str, int, int]
"""A comment: its line, its offset in the file, and the number of strings before it."""


def _without_comments(raw: str, *, escapes: bool, comments: bool) -> tuple[str, list[_Comment]]:
    """Return *raw* with spaces in place of comments, and a mark for each escaped quote, so that every quote left opens
    or closes a string; and the comments.

    :raises JmjpSyntaxError: there are too many strings and comments.
    """
    every: list[_Comment] = []
    kept: list[str] = []
    size = len(raw)
    after = begin = quotes = 0
    slash, escape = -1 if comments else size, -1 if escapes and "\\" in raw else size
    while len(every) <= _MOST:
        if slash < after and (slash := raw.find("/", after)) < 0:  # faster than to look for two
            slash = size
        if escape < after and (escape := raw.find('\\"', after)) < 0:
            escape = size
        mark = min(slash, escape)
        if mark == size:
            break
        quotes += raw.count('"', after, mark)
        in_string = quotes % 2 == 1
        if in_string and mark == escape:
            kept += raw[begin:mark], _ESCAPED
            begin = after = mark + len(_ESCAPED)
        elif not in_string and raw.startswith("//", mark):
            line_end = _LINE_END.search(raw, mark)
            after = size if line_end is None else line_end.start()
            kept += raw[begin:mark], " " * (after - mark)
            every.append((raw[mark:after], mark, quotes // 2))
            begin = after
        else:  # literal
            after = mark + 1
    code = "".join([*kept, raw[begin:]])
    if size > _MOST and code.count('"') // 2 + len(every) > _MOST:
        strings = [string.end() for string in islice(_STRING.finditer(code), _MOST + 1)]
        comment_ends = [offset + len(line) for line, offset, _ in every]
        first = sorted([*comment_ends, *strings])[_MOST]
        raise error_at(raw, first, f"more than {_MOST:,} strings and comments", JmjpSyntaxError)
    return code, every


def _without_space(raw: str) -> str:
    """Return the text without white space, which takes little more memory than the text."""
    if raw.isascii():
        return raw.encode().translate(None, _ASCII_SPACE).decode()
    return "".join(["".join(raw[at : at + _AT_ONCE].split()) for at in range(0, len(raw), _AT_ONCE)])


class Lines:
    """The lines of a text.

    Only the last position is remembered, and the lines from there to the next are counted: errors come almost in order,
    and the beginnings of all lines may take more memory than the text.
    """

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._known = 0, 1, 0  # an offset, its line, and the offset of the line's start

    def position(self, offset: int) -> tuple[int, int]:
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
    """Return an error of *kind* at *offset* in the text *raw* with the given *lines*."""
    line, start = (lines or Lines(raw)).position(offset)
    first, last = max(start, offset - _BEFORE_CARET), offset + _AFTER_CARET
    end = _LINE_END.search(raw, offset, last)
    text = raw[first : last if end is None else end.start()]
    return kind(reason, line=line, column=offset - start + 1, text=text, caret=offset - first)
