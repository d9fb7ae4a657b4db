"""Parses the smallest parts of jmjp: tiles, points, texts, names.

Each parser takes the script and the position where its part begins, and returns the position after it and its value.
If the part is missing, it raises a :class:`~jmjp_convert.errors.JmjpError` that says what was expected.
"""

from __future__ import annotations

import re
from codecs import charmap_build, charmap_encode, utf_16_le_decode
from collections.abc import Callable
from typing import Any, Final, TypeVar

from jmjp_convert.formats.jmjp.lexer import Script, Slips
from jmjp_convert.formats.jmjp.notation import ANY_COPY, NO_TOKENS, ROUNDS, SEATS, Dialect, Tokens, from_thousands
from jmjp_convert.lazy_regex import regex
from jmjp_convert.model import Name, Text, TourPoints

T = TypeVar("T")

_POINTS: Final = re.compile(r"-?[0-9]{1,9}\.[0-9]")
FOUR_POINTS: Final = ",".join([_POINTS.pattern] * 4)
"""The pattern of four points."""

_NUMBER: Final = regex(r"[0-9]{1,9}")
_FRAME_ID: Final = re.compile(r"[ESWN][1-4]-[0-9]{1,9}")
_TWO: Final = regex(r"[A-Za-z0-9]{1,2}|.", re.DOTALL)
_SHORTHAND: Final = re.compile(r"[a-z0-9-]+")

# --- parts ------------------------------------------------------------------------------------------------------------


def mark(script: Script, position: int, word: str, usual: Slips = ()) -> int:
    """Return the position after *word*, which is required here.

    :param usual: the slips that are usual here, besides those for every such word.
    """
    if not script.text.startswith(word, position):
        while word[0] in ",()[]" and script.text.startswith(word[0], position):
            position, word = position + 1, word[1:]
        raise script.expected(position, repr(word), (*usual, word))
    return position + len(word)


def matching(script: Script, position: int, pattern: re.Pattern[str], what: str, usual: Slips = ()) -> tuple[int, str]:
    """Parse a match of *pattern*; errors call it *what*, and explain the *usual* slips."""
    match = pattern.match(script.text, position)
    if match is None:
        raise script.expected(position, what, usual)
    return match.end(), match[0]


def form_of(word: str, *, all_tiles: bool) -> str:
    """Return the name of the slips after the *word* of an act or meld, in a dialect that names *all_tiles* or not."""
    return f"{word}_all_tiles" if all_tiles else word


def optional(
    script: Script, position: int, end: str, part: Callable[[Script, int], tuple[int, T]], usual: Slips = ()
) -> tuple[int, T | None]:
    """Parse an optional *part*, then *end*.

    :param usual: the slips that are usual after the part.
    """
    if script.text.startswith(end, position):
        return position + len(end), None
    position, value = part(script, position)
    return mark(script, position, end, usual), value


def four(script: Script, position: int, part: Callable[[Script, int], tuple[int, T]]) -> tuple[int, tuple[T, ...]]:
    """Parse four of *part*, separated by commas, and the closing bracket."""
    values: list[T] = []
    for after in (",", ",", ",", "]"):
        position, value = part(script, position)
        values.append(value)
        position = mark(script, position, after)
    return position, tuple(values)


def number(script: Script, position: int) -> tuple[int, int]:
    """Parse a whole number."""
    position, digits = matching(script, position, _NUMBER, "a number")
    return position, int(digits)


def points(script: Script, position: int) -> tuple[int, int]:
    """Parse points, which the text has in thousands with one decimal."""
    position, thousands = matching(script, position, _POINTS, "points such as 25.0", ("points",))
    return position, from_thousands(thousands)[0]


def four_points(script: Script, position: int) -> tuple[int, tuple[int, ...]]:
    """Parse four points and the closing bracket."""
    return four(script, position, points)


def tour_points(script: Script, position: int) -> tuple[int, TourPoints]:
    """Parse tournament points, personal and of the team, each optional."""
    position = mark(script, position, "(")
    position, personal = optional(script, position, ",", points)
    position, team = optional(script, position, ")", points)
    return position, (personal, team)


def frame_id(script: Script, position: int, usual: Slips = ("frame_id",)) -> tuple[int, tuple[int, int]]:
    """Parse a frame ID: its round, 0 to 15, and its honba."""
    position, name = matching(script, position, _FRAME_ID, "a frame such as E1-0", usual)
    round_, _, honba = name.partition("-")
    return position, (ROUNDS[round_], int(honba))


def seat(script: Script, position: int) -> tuple[int, int]:
    """Parse a seat: its position among East, South, West and North."""
    text = script.text
    index = SEATS.find(text[position : position + 1] or " ")
    if index < 0 or (text[position + 1 : position + 2] != "," and script.is_slip(position, ("seats",))):
        raise script.expected(position, "a seat (e, s, w or n)", ("seats",))
    return position + 1, index


def tile(script: Script, position: int, usual: Slips = ("tiles",)) -> tuple[int, int]:
    """Parse a tile."""
    tile = ANY_COPY.get(script.text[position : position + 2])
    if tile is None:
        raise script.expected(position, "a tile", usual, _TWO)
    return position + 2, tile


def _charset() -> Any:
    """Return the tiles as a character set: two letters, taken as a UTF-16 character, are encoded as one byte.

    No tile is 0, whose character must be a null character; U+FFFE marks codes without one.
    """
    faces = {tile: utf_16_le_decode(face.encode())[0] for face, tile in ANY_COPY.items()}
    return charmap_build("\0" + "".join([faces.get(code, "\ufffe") for code in range(1, 1 << 8)]))


_CHARSET: Final = _charset()


def tiles_of(text: str) -> bytes:
    """Return the tiles that *text* is, one byte each.

    As a character set they are found ten times as fast as in a dictionary: a verified conversion would need 5 % more
    instructions (docs/design/measured.md).

    :raises ValueError: it is something else.
    """
    words, _ = utf_16_le_decode(text.encode(), "strict", True)  # noqa: FBT003
    return charmap_encode(words, "strict", _CHARSET)[0]


def some_tiles(script: Script, position: int, count: int, end: str, usual: Slips = ()) -> tuple[int, tuple[int, ...]]:
    """Parse *count* tiles, then *end*.

    :param usual: the slips that are usual here, besides those of tiles.
    """
    text, stop = script.text, position + 2 * count
    if text.startswith(end, stop):
        try:
            return stop + len(end), tuple(tiles_of(text[position:stop]))
        except ValueError:
            pass
    for _ in range(count):
        position, _tile = tile(script, position, ("tiles", *usual))
    raise AssertionError(mark(script, position, end, usual))  # either a tile or the end is missing


def _string(script: Script, position: int, opening: str) -> tuple[int, str | None]:
    if not script.text.startswith(opening, position):
        return position, None
    position += len(opening)
    if position not in script.strings:
        raise script.expected(position, "a quoted string", ("strings",))
    return mark(script, position + 1, "]"), script.strings[position]


def text(script: Script, position: int) -> tuple[int, Text]:
    """Parse a text: native, romanised, both or neither."""
    position, native = _string(script, position, "snt[")
    position, roman = _string(script, position, "srm[")
    return position, Text(native, roman)


def text_or_token(
    script: Script, position: int, end: str, tokens: Tokens = NO_TOKENS, usual: Slips = ()
) -> tuple[int, Text | None]:
    """Parse an optional text or one of the shorthand *tokens*, then *end*.

    :param usual: the slips that are usual here, besides those of texts.
    """
    if script.text.startswith(end, position):
        return position + len(end), None
    if tokens and (shorthand := _SHORTHAND.match(script.text, position)) is not None and shorthand[0] in tokens:
        return mark(script, shorthand.end(), end), tokens[shorthand[0]]
    after, value = text(script, position)
    if after == position:
        what = f"a text (snt or srm){', a shorthand' if tokens else ''} or {end!r}"
        raise script.expected(position, what, (*usual, "texts"))
    return mark(script, after, end, usual), value


def name(script: Script, position: int, dialect: Dialect, end: str) -> tuple[int, Name | None]:
    """Parse an optional name, then *end*."""
    if script.text.startswith(end, position):
        return position + len(end), None
    opening, closing = dialect.name[0], dialect.name[1]
    after = mark(script, position, opening, (f"name{opening}",))
    position, family = text_or_token(script, after, ",", usual=(f"before{closing}",))
    position, given = text_or_token(script, position, closing)
    return mark(script, position, end), Name(family, given)
