"""Reads the characters and the smallest parts of a text of jmjp."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from codecs import charmap_build, charmap_encode, utf_16_le_decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from jmjp_convert.errors import JmjpError, JmjpSyntaxError
from jmjp_convert.formats.jmjp.dialects import ROUNDS, SEATS, Dialect
from jmjp_convert.formats.jmjp.reading import slips
from jmjp_convert.formats.jmjp.reading.slips import Slips
from jmjp_convert.formats.jmjp.strings import NO_TOKENS, Tokens
from jmjp_convert.model import Name, Text, TourPoints, tiles
from jmjp_convert.patterns import regex

# --- characters -------------------------------------------------------------------------------------------------------

_MARK = regex(r"// tenhou(?:\s|$)")
_FOUND = regex(r"[A-Za-z0-9.-]+|.", re.DOTALL)
_LONGEST_FOUND = 16
_WORD = regex(r"\S+")
_LINE_END = regex(r"[\r\n]")
_STRING = regex('"[^"]*"')
_ASCII_SPACE = b"\t\n\v\f\r\x1c\x1d\x1e\x1f "
_ESCAPED = "\\\udc22"  # as long as an escaped quote; UTF-8 has no surrogates
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
        self._raw = raw
        self._lines = Lines(raw)
        self._known = -1, 0  # a place in the text, and its offset in the file
        self._code, comments = _without_comments(raw, lexing)
        pieces = self._code.split('"')
        self._closed = len(pieces) % 2 == 1
        syntax, strings = pieces[::2], pieces[1::2]
        if not self._closed:
            strings.pop()  # the missing quote may be that of an earlier string
            syntax.append("")
        del pieces
        self.text = _without_space('"'.join(syntax))
        del syntax
        if "\\" in self._code:
            strings = [content.replace(_ESCAPED, '"') for content in strings]
        self.strings: dict[int, str] = {}
        place, find = -1, self.text.find
        for content in strings:
            self.strings[place := find('"', place + 1)] = content
        self.comments = list(self._placed(comments)) if comments else []

    def _placed(self, comments: list[_Comment]) -> Iterator[tuple[int, str]]:
        """Yield *comments* with their places in the text."""
        code, strings, known, place = self._code, list(self.strings), 0, 0
        for line, offset, count in comments:
            if begin := code.rfind('"', known, offset) + 1:
                known, place = begin, strings[count - 1] + 1
            place += len(_without_space(code[known:offset]))
            known = offset
            yield place, line

    @cached_property
    def _pieces(self) -> tuple[array[int], array[int]]:
        """The places in the text after each string, and their offsets in the file; those of the beginning first."""
        after_strings = (found.end() for found in _STRING.finditer(self._code))
        places = (place + 1 for place in self.strings)
        return array("q", chain((0,), places)), array("q", chain((0,), after_strings))

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
        starts, offsets = self._pieces
        piece = bisect_right(starts, place) - 1
        known, offset = starts[piece], offsets[piece]
        if known <= self._known[0] <= place:  # errors are raised in order
            known, offset = self._known
        for word in _WORD.finditer(self._code, offset):
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
    """A ``// tenhou`` comment: its *line*, its *offset* in the file, and the number of *strings* before it."""

    line: str
    offset: int
    strings: int


def _without_comments(raw: str, lexing: Lexing) -> tuple[str, list[_Comment]]:
    """Return *raw* with spaces in place of comments, and a mark for each escaped quote, so that every quote left opens
    or closes a string; and the ``// tenhou`` comments.

    :raises JmjpSyntaxError: there are too many strings and comments.
    """
    comments: list[_Comment] = []
    kept: list[str] = []
    ends, size = array("q"), len(raw)  # of all comments: an array, since a list takes four times the memory
    after = begin = quotes = 0
    slash, escape = -1 if lexing.comments else size, -1 if lexing.escapes and "\\" in raw else size
    while len(ends) <= _MOST:
        if slash < after and (slash := raw.find("/", after)) < 0:  # faster than to look for two
            slash = size
        if escape < after and (escape := raw.find('\\"', after)) < 0:
            escape = size
        found = min(slash, escape)
        if found == size:
            break
        quotes += raw.count('"', after, found)
        in_string = quotes % 2 == 1
        if in_string and found == escape:
            kept += raw[begin:found], _ESCAPED
            begin = after = found + len(_ESCAPED)
        elif not in_string and raw.startswith("//", found):
            line_end = _LINE_END.search(raw, found)
            after = size if line_end is None else line_end.start()
            kept += raw[begin:found], " " * (after - found)
            ends.append(after)
            if _MARK.match(raw, found, after):
                comments.append(_Comment(raw[found:after], found, quotes // 2))
            begin = after
        else:  # literal
            after = found + 1
    code = "".join([*kept, raw[begin:]])
    if size > _MOST and code.count('"') // 2 + len(ends) > _MOST:
        strings = (found.end() for found in _STRING.finditer(code))
        first = sorted([*ends, *islice(strings, _MOST + 1)])[_MOST]
        raise error_at(raw, first, f"more than {_MOST:,} strings and comments", JmjpSyntaxError)
    return code, comments


def _without_space(raw: str) -> str:
    """Return the text without white space, which takes little more memory than the text."""
    if raw.isascii():
        return raw.encode().translate(None, _ASCII_SPACE).decode()
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


# --- tiles, points, names ---------------------------------------------------------------------------------------------

# Each function takes the script and the place where its part begins, and returns the place after it and its value. If
# the part is missing, it raises a :class:`~jmjp_convert.errors.JmjpError` that says what was expected.

T = TypeVar("T")

POINTS = r"-?[0-9]{1,9}\.[0-9]"
"""The pattern of points."""

_POINTS = re.compile(POINTS)
_NUMBER = regex(r"[0-9]{1,9}")
_FRAME_ID = re.compile(r"([ESWN][1-4])-([0-9]{1,9})")
_TWO = regex(r"[A-Za-z0-9]{1,2}|.", re.DOTALL)
_TOKEN = re.compile(r"[a-z0-9-]+")

ANY_COPY = {face: tiles.any_copy(face) for face in (*tiles.FACES, tiles.UNKNOWN_FACE)}
"""The tile IDs by face."""


def mark(script: Script, place: int, word: str, usual: Slips = slips.NONE) -> int:
    """Return the place after *word*, which is required here.

    :param usual: the slips that are usual here, besides those for every such word.
    """
    if not script.text.startswith(word, place):
        while word[0] in ",()[]" and script.text.startswith(word[0], place):
            place, word = place + 1, word[1:]
        raise script.expected(place, repr(word), (*usual, *slips.at_mark(word)))
    return place + len(word)


def optional(
    script: Script, place: int, end: str, part: Callable[[Script, int], tuple[int, T]]
) -> tuple[int, T | None]:
    """Parse an optional *part*, then *end*."""
    if script.text.startswith(end, place):
        return place + len(end), None
    place, value = part(script, place)
    return mark(script, place, end), value


def points(script: Script, place: int) -> tuple[int, int]:
    """Parse points, which the text has in thousands with one decimal."""
    found = _POINTS.match(script.text, place)
    if found is None:
        raise script.expected(place, "points such as 25.0", slips.POINTS)
    return found.end(), from_thousands(found[0])


class _ByText(dict[str, int]):
    """Points by jmjp's thousands; common ones are kept."""

    def __missing__(self, text: str) -> int:
        value = 100 * int(text.replace(".", ""))
        if len(text) <= _USUAL_LENGTH:
            self[text] = value
        return value


_USUAL_LENGTH = 5  # characters: up to 999.9

from_thousands = _ByText().__getitem__
"""Return the points that are in a text in jmjp's thousands: ``from_thousands("-3.2") == -3200``."""


def points_of(text: str) -> tuple[int, ...]:
    """Return the points in *text*, which are separated by commas."""
    return tuple(map(from_thousands, text.split(",")))


def four(script: Script, place: int, part: Callable[[Script, int], tuple[int, T]]) -> tuple[int, tuple[T, ...]]:
    """Parse four of *part*, separated by commas, and the closing bracket."""
    values: list[T] = []
    for after in (",", ",", ",", "]"):
        place, value = part(script, place)
        values.append(value)
        place = mark(script, place, after)
    return place, tuple(values)


def four_points(script: Script, place: int) -> tuple[int, tuple[int, ...]]:
    """Parse four points and the closing bracket."""
    return four(script, place, points)


def number(script: Script, place: int) -> tuple[int, int]:
    """Parse a whole number."""
    found = _NUMBER.match(script.text, place)
    if found is None:
        raise script.expected(place, "a number")
    return found.end(), int(found[0])


def matching(
    script: Script, place: int, pattern: re.Pattern[str], what: str, usual: Slips = slips.NONE
) -> tuple[int, str]:
    """Parse a match of *pattern*; errors call it *what*, and explain the *usual* slips."""
    found = pattern.match(script.text, place)
    if found is None:
        raise script.expected(place, what, usual)
    return found.end(), found[0]


def frame_id(script: Script, place: int, usual: Slips = slips.FRAME_IDS) -> tuple[int, tuple[int, int]]:
    """Parse a frame ID: its round, 0 to 15, and its honba."""
    found = _FRAME_ID.match(script.text, place)
    if found is None:
        raise script.expected(place, "a frame such as E1-0", usual)
    return found.end(), (ROUNDS[found[1]], int(found[2]))


def seat(script: Script, place: int) -> tuple[int, int]:
    """Parse a seat: its place among East, South, West and North."""
    text = script.text
    found = SEATS.find(text[place : place + 1] or " ")
    if found < 0 or (text[place + 1 : place + 2] != "," and script.is_slip(place, slips.SEATS)):
        raise script.expected(place, "a seat (e, s, w or n)", slips.SEATS)
    return place + 1, found


def tile(script: Script, place: int, usual: Slips = slips.TILES) -> tuple[int, int]:
    """Parse a tile."""
    found = ANY_COPY.get(script.text[place : place + 2])
    if found is None:
        raise script.expected(place, "a tile", usual, _TWO)
    return place + 2, found


def some_tiles(
    script: Script, place: int, count: int, end: str, usual: Slips = slips.NONE
) -> tuple[int, tuple[int, ...]]:
    """Parse *count* tiles, then *end*.

    :param usual: the slips that are usual here, besides those of tiles.
    """
    text, stop = script.text, place + 2 * count
    if text.startswith(end, stop):
        with suppress(KeyError):
            return stop + len(end), tuple([ANY_COPY[text[at : at + 2]] for at in range(place, stop, 2)])
    for _ in range(count):
        place, _tile = tile(script, place, (*slips.TILES, *usual))
    raise AssertionError(mark(script, place, end, usual))  # either a tile or the end is missing


def coder(codes: Mapping[str, int]) -> Callable[[bytes], bytes]:
    """Return a function that encodes text of two-letter words by their *codes*, 1 to 255. It raises a ``ValueError`` if
    the text is not all words that have one.

    Python's codecs look words up four times as fast as a dict: a word, two bytes, is one UTF-16 character, and *codes*
    are a character set. Its first character must be a null character, which is never a word; U+FFFE marks unused codes.
    """
    words = {code: word.encode().decode("utf-16-le") for word, code in codes.items()}
    charset = charmap_build("\0" + "".join([words.get(code, "\ufffe") for code in range(1, 1 << 8)]))

    def encode(text: bytes) -> bytes:
        return charmap_encode(utf_16_le_decode(text, "strict", True)[0], "strict", charset)[0]  # noqa: FBT003

    return encode


_coded = coder(ANY_COPY)


def tiles_of(texts: Sequence[str]) -> list[bytes]:
    """Return the tile IDs of each of *texts*.

    :raises ValueError: one of them is not all tiles.
    """
    found = _coded(_APART.join(texts).encode()).split(b"\0")
    if len(found) != len(texts):
        raise ValueError(texts)
    return found


_APART = "\0\0"  # never a tile


def _string(script: Script, place: int, opening: str) -> tuple[int, str | None]:
    if not script.text.startswith(opening, place):
        return place, None
    place += len(opening)
    if place not in script.strings:
        raise script.expected(place, "a quoted string", slips.STRINGS)
    return mark(script, place + 1, "]"), script.strings[place]


def text(script: Script, place: int) -> tuple[int, Text]:
    """Parse a text: native, romanised, both or neither."""
    place, native = _string(script, place, "snt[")
    place, roman = _string(script, place, "srm[")
    return place, Text(native, roman)


def text_or_token(
    script: Script, place: int, end: str, tokens: Tokens = NO_TOKENS, usual: Slips = slips.NONE
) -> tuple[int, Text | None]:
    """Parse an optional text or one of the shorthand *tokens*, then *end*.

    :param usual: the slips that are usual here, besides those of texts.
    """
    if script.text.startswith(end, place):
        return place + len(end), None
    if tokens and (found := _TOKEN.match(script.text, place)) is not None and found[0] in tokens:
        return mark(script, found.end(), end), tokens[found[0]]
    after, value = text(script, place)
    if after == place:
        what = f"a text (snt or srm){', a shorthand' if tokens else ''} or {end!r}"
        raise script.expected(place, what, (*usual, *slips.TEXTS))
    return mark(script, after, end, usual), value


def name(script: Script, place: int, dialect: Dialect, end: str) -> tuple[int, Name | None]:
    """Parse an optional name, then *end*."""
    if script.text.startswith(end, place):
        return place + len(end), None
    opening, closing = dialect.name[0], dialect.name[1]
    after = mark(script, place, opening, slips.NAMES[opening])
    place, family = text_or_token(script, after, ",", usual=slips.NAME_PARTS[closing])
    place, given = text_or_token(script, place, closing)
    return mark(script, place, end), Name(family, given)


def tour_points(script: Script, place: int) -> tuple[int, TourPoints]:
    """Parse tournament points, personal and of the team, each optional."""
    place = mark(script, place, "(")
    place, personal = optional(script, place, ",", points)
    place, team = optional(script, place, ")", points)
    return place, (personal, team)
