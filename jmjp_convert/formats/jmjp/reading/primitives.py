"""Parse the smallest parts of jmjp: tiles, points, numbers, texts, names.

Each function takes the script and the place where its part begins, and returns the place after it and its value. If
the part is missing, it raises a :class:`~jmjp_convert.errors.JmjpError` that says what was expected.
"""

from __future__ import annotations

import re
from codecs import charmap_build, charmap_encode, utf_16_le_decode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from jmjp_convert.formats.jmjp.dialects import ROUNDS, SEATS, Dialect
from jmjp_convert.formats.jmjp.reading import slips
from jmjp_convert.formats.jmjp.reading.lexer import Script
from jmjp_convert.formats.jmjp.reading.slips import Slips
from jmjp_convert.formats.jmjp.shorthands import NO_TOKENS, Tokens
from jmjp_convert.model import Name, Text, TourPoints, tiles
from jmjp_convert.patterns import regex

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
