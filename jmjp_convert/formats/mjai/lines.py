"""Splits a file into lines of one event each, and gets the values of a line."""

from __future__ import annotations

import codecs
from collections.abc import Collection, Mapping, Sequence
from operator import length_hint
from typing import Any

from jmjp_convert.errors import ConvertError, MjaiError
from jmjp_convert.files.inputs import UTF16
from jmjp_convert.formats.bounds import A_COUNT, MOST, MOST_POINTS
from jmjp_convert.formats.json_text import InvalidJsonError, decode, decode_at, decoded, encode, error_at, shown
from jmjp_convert.formats.mjai.notation import TILES
from jmjp_convert.model import SEATS

_LONGEST = 1 << 16
"""The maximum number of bytes in a line."""

_SURROGATES = frozenset(map(chr, range(0xD800, 0xE000)))
_BETWEEN = " \t\r\n,"


class Lines:
    """The lines of a file.

    A list of events, and events that span several lines, are first laid out with one event per line.

    :param content: the whole file.
    :ivar rest: the lines not yet read.
    :ivar frame: the name of the current frame, inside one.
    :raises MjaiError: the events of a list are not JSON.
    """

    def __init__(self, content: bytes) -> None:
        content = content.removeprefix(codecs.BOM_UTF8)
        if content.startswith(UTF16):
            content = decoded(content, MjaiError).encode()
        self.frame: str | None = None
        self._numbers: Sequence[int] | None = None
        self._lines = content.removesuffix(b"\n").split(b"\n")
        if not _is_object(next((text for text in self._lines if text.strip()), b"")):
            self._lay_out(content)
        self.rest = iter(self._lines)

    @property
    def number(self) -> int:
        """The number of the last line read, 1-based; 1 before the first."""
        index = max(0, len(self._lines) - length_hint(self.rest) - 1)
        return index + 1 if self._numbers is None else self._numbers[index] if self._numbers else 1

    def next(self) -> Line | None:
        """Return the next line that is not blank, ``None`` at the end of the file."""
        for text in self.rest:
            if (found := self.parse(text)) is not None:
                return found
        return None

    def parse(self, text: bytes) -> Line | None:
        """Return *text*, the current line; ``None`` if it is blank."""
        if not text or text.isspace():
            return None
        number = self.number
        if len(text) > _LONGEST:
            raise MjaiError(f"a line exceeds {_LONGEST:,} bytes", line=number, frame=self.frame)
        line = decoded(text.rstrip(b"\r"), MjaiError, line=number, frame=self.frame)
        try:
            value = decode(line)
        except InvalidJsonError as error:
            raise error_at(MjaiError, line, error.position, error.reason, line=number, frame=self.frame) from None
        except ConvertError as error:
            raise MjaiError(error.reason, line=number, frame=self.frame) from None
        if type(value) is not dict:
            raise MjaiError(f"expected an object, found {shown(value)}", line=number, frame=self.frame)
        return Line(value, number, self.frame)

    def has_kita(self) -> bool:
        """Return whether a line not yet read sets aside a north, as only three players do."""
        read = len(self._lines) - length_hint(self.rest)
        return any(word in text for text in self._lines[read:] for word in (b'"nukidora"', b'"kita"'))

    def _lay_out(self, content: bytes) -> None:
        """Lay out a list of events, or events that span several lines, with one event per line."""
        text = decoded(content, MjaiError)
        lines, numbers = [], []
        number = 1 + text.count("\n", 0, (place := _skip(text, 0)))
        inside = text.startswith("[", place)
        place = _skip(text, place + inside)
        while place < len(text) and not (inside and text.startswith("]", place)):
            try:
                value, end = decode_at(text, place)
            except InvalidJsonError as error:
                raise error_at(MjaiError, text, error.position, error.reason) from None
            except ConvertError as error:
                raise MjaiError(error.reason, line=number) from None
            if type(value) is not dict:
                raise MjaiError(f"expected an object, found {shown(value)}", line=number)
            lines.append(encode(value).encode())
            numbers.append(number)
            after = _skip(text, end)
            number += text.count("\n", place, after)
            place = after
        if inside and text[place + 1 :].strip():
            raise error_at(MjaiError, text, _skip(text, place + 1), "expected the end of the file after the list")
        self._lines, self._numbers = lines, numbers


def _is_object(text: bytes) -> bool:
    """Return whether the line *text* is an object, or at least not the first line of one or of a list."""
    if text.lstrip()[:1] != b"{":
        return text.lstrip()[:1] != b"["
    return text.rstrip()[-1:] == b"}" or b'"' in text.rstrip()[-2:] or len(text) > _LONGEST


def _skip(text: str, place: int) -> int:
    """Return the place of the next value in *text* from *place* on."""
    while text[place : place + 1] and text[place] in _BETWEEN:
        place += 1
    return place


class Line:
    """The object on a line, and the checks of its values.

    Each getter takes the names of a key in different dialects; a value that is ``null`` is missing.

    :ivar value: the object.
    :ivar number: the line's number, 1-based.
    :ivar frame: the name of the frame that it is in.
    :ivar type: the type of the event.
    """

    __slots__ = ("frame", "number", "type", "value")

    def __init__(self, value: Mapping[str, Any], number: int, frame: str | None) -> None:
        self.value = value
        self.number = number
        self.frame = frame
        self.type = self.text("type")

    def error(self, reason: str, *pointer: str | int) -> MjaiError:
        """Return an error at the value that *pointer* leads to."""
        place = "".join(f"/{part}" for part in pointer)
        return MjaiError(reason, line=self.number, pointer=place, frame=self.frame)

    def expected(self, what: str, value: Any, *pointer: str | int) -> MjaiError:
        """Return the error that *what* was expected, but *value* found."""
        return self.error(f"expected {what}, found {shown(value)}", *pointer)

    def key(self, *names: str) -> str | None:
        """Return the one of *names* that has a value."""
        value = self.value
        for name in names:
            if value.get(name) is not None:
                return name
        return None

    def needed(self, *names: str) -> str:
        """Return the one of *names* that has a value.

        :raises MjaiError: none has.
        """
        found = self.key(*names)
        if found is None:
            raise self.error(f"missing key {shown(names[0])}")
        return found

    def text(self, name: str) -> str:
        """Return a string."""
        return self.text_at(self.value[self.needed(name)], name)

    def text_at(self, value: Any, *pointer: str | int) -> str:
        """Return *value*, to which *pointer* leads, a string without lone surrogates."""
        if type(value) is not str:
            raise self.expected("a string", value, *pointer)
        if not value.isascii() and not _SURROGATES.isdisjoint(value):
            raise self.expected("a string without lone surrogates", value, *pointer)
        return value

    def flag(self, name: str) -> bool | None:
        """Return true or false; ``None`` if missing."""
        value = self.value.get(name)
        if value is not None and type(value) is not bool:
            raise self.expected("true or false", value, name)
        return value

    def count(self, *names: str, least: int = 0, most: int = MOST) -> int:
        """Return a whole number from *least* to *most*."""
        name = self.needed(*names)
        value = self.value[name]
        if type(value) is not int or not least <= value <= most:
            what = f"a whole number, {least} to {most:,}" if most < MOST else A_COUNT
            raise self.expected(what, value, name)
        return value

    def player(self, players: int, name: str = "actor") -> int:
        """Return a player."""
        value = self.value[self.needed(name)]
        if type(value) is not int or not 0 <= value < players:
            raise self.expected(f"a player, 0 to {players - 1}", value, name)
        return value

    def tile(self, name: str = "pai") -> int:
        """Return a tile, by face."""
        return self._tile(self.value[self.needed(name)], name)

    def tiles(self, name: str, counts: Collection[int]) -> list[int]:
        """Return tiles, by face.

        :param counts: how many there may be.
        """
        return self.tiles_at(counts, self.needed(name))

    def tiles_at(self, counts: Collection[int], *pointer: str | int) -> list[int]:
        """Return the tiles that *pointer* leads to, by face."""
        value: Any = self.value
        for part in pointer:
            value = value[part]
        if type(value) is not list:
            raise self.expected("a list of tiles", value, *pointer)
        if len(value) not in counts:
            raise self.error(f"{len(value)} tiles; {min(counts)} expected", *pointer)
        try:
            return [TILES[tile] for tile in value]
        except (KeyError, TypeError):
            return [self._tile(tile, *pointer, place) for place, tile in enumerate(value)]

    def _tile(self, value: Any, *pointer: str | int) -> int:
        if type(value) is not str or value not in TILES:
            raise self.expected('a tile such as "5m", "5mr", "E" or "?"', value, *pointer)
        return TILES[value]

    def each(self, what: str, name: str) -> list[Any]:
        """Return a list, whose items are *what*."""
        value = self.value[self.needed(name)]
        if type(value) is not list:
            raise self.expected(f"a list of {what}", value, name)
        return value

    def points(self, players: int, *names: str) -> tuple[int, ...] | None:
        """Return points by player, multiples of 100; ``None`` if missing or empty. An empty fourth seat has none."""
        name = self.key(*names)
        if name is None:
            return None
        value = self.each("points", name)
        if not value:
            return None
        if len(value) not in (players, SEATS):
            raise self.error(f"{len(value)} values; {players} expected", name)
        for place, each in enumerate(value):
            if type(each) is not int or each % 100 or abs(each) > MOST_POINTS:
                raise self.expected("points, a multiple of 100 such as 25000", each, name, place)
        return tuple(value[:players])


BEGINNINGS = ("start_game", "start_kyoku")
"""The types of the events that a file may begin with."""


def begins(text: str) -> bool:
    """Return whether *text*, the beginning of a file, begins with an event of mjai."""
    start = _skip(text, 0)
    if text.startswith("[", start):
        start = _skip(text, start + 1)
    try:
        value, _ = decode_at(text, start)
    except ConvertError:
        return False
    return type(value) is dict and value.get("type") in BEGINNINGS
