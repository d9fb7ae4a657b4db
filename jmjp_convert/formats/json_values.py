"""Checks the values of a JSON document, which may hold anything that JSON can.

A value that is wrong raises a :class:`WrongValue`, with the problem and the JSON pointer (RFC 6901) to the value within
what was given. The caller, which knows the line and the frame, makes the error of a file from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from math import gcd
from typing import Any, TypeVar

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.bounds import A_COUNT, MOST, MOST_POINTS
from jmjp_convert.formats.json_text import quoted
from jmjp_convert.messages import Message
from jmjp_convert.model.mypyc import mypyc_attr

T = TypeVar("T")

POINTS = "points, a multiple of 100"
"""What points are, for messages."""

_DIGITS = re.compile(r"[+-]?[0-9]{1,12}")
_HUNDRED = 100
_INTEGERS = {int}
_NUMBERS = frozenset((int, float))
_KEYS = frozenset((int, str))


@mypyc_attr(allow_interpreted_subclasses=True)
class WrongValue(ConvertError):  # noqa: N818 - the line, unknown here, makes the error
    """An invalid value.

    :param reason: the problem.
    :param pointer: the JSON pointer to the value.
    """

    def __init__(self, reason: str | Message, pointer: str = "") -> None:
        super().__init__(reason)
        self.pointer = pointer

    def under(self, *keys: str | int) -> WrongValue:
        """Return the same error for a value nested under *keys*, the outermost first."""
        return WrongValue(self.message, "".join(f"/{key}" for key in keys) + self.pointer)


def expected(what: str, value: Any, pointer: str = "") -> WrongValue:
    """Return the error that *what* was expected, but *value* found."""
    return WrongValue(f"expected {what}, found {quoted(value)}", pointer)


def whole(value: Any) -> int | None:
    """Return *value* as a whole number; ``None`` if it is not one. Some programs write ``16000.0`` or ``"16000"``."""
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer():
        return int(value)
    return int(value) if type(value) is str and _DIGITS.fullmatch(value) else None


class At:
    """A value, and where it is.

    It costs little to make one: the pointer is put together only for an error. Still, where thousands of values are
    read, look them up in a table, and make one only for a value that is not in it.

    >>> At({"points": [25000, 30]}).member("points").item(1).points()
    Traceback (most recent call last):
    jmjp_convert.formats.json_values.WrongValue: expected points, a multiple of 100, found 30

    :param value: anything that JSON can hold.
    :param key: the pointer to it, or its key or index in *above*.
    :param above: the value that it is in.
    """

    __slots__ = ("_above", "_key", "value")

    def __init__(self, value: Any, key: str | int = "", above: At | None = None) -> None:
        self.value = value
        self._key = key
        self._above = above

    @property
    def pointer(self) -> str:
        """The JSON pointer to the value."""
        return str(self._key) if self._above is None else f"{self._above.pointer}/{self._key}"

    def wrong(self, reason: str | Message) -> WrongValue:
        """Return the error that something is wrong with the value."""
        return WrongValue(reason, self.pointer)

    def expected(self, what: str) -> WrongValue:
        """Return the error that *what* was expected."""
        return expected(what, self.value, self.pointer)

    # --- objects and lists -------------------------------------------------------------------------------------------

    def object(self) -> dict[str, Any]:
        """Return the value, an object."""
        if type(self.value) is not dict:
            raise self.expected("an object")
        return self.value

    def get(self, *keys: str) -> At | None:
        """Return the value of the first of *keys* that has one, other than ``null``; ``None`` if none has.

        The keys are what different programs call the same value.
        """
        values = self.value
        if type(values) is not dict:
            raise self.expected("an object")
        for key in keys:
            value = values.get(key)
            if value is not None:
                return At(value, key, self)
        return None

    def member(self, *keys: str) -> At:
        """Return the value of the first of *keys* that has one, other than ``null``.

        :raises WrongValue: none has.
        """
        value = self.get(*keys)
        if value is None:
            raise self.wrong(f"missing key {quoted(keys[0])}")
        return value

    def list(self, what: str = "a list", counts: Collection[int] = (), most: int | None = None) -> list[Any]:
        """Return the value, a list.

        :param what: what a list of what is expected, for messages.
        :param counts: the possible numbers of items, the usual one first; empty for any.
        :param most: the maximum number of items.
        """
        if type(self.value) is not list:
            raise self.expected(what)
        count = len(self.value)
        if counts and count not in counts:
            raise self.wrong(f"expected {next(iter(counts))} values, found {count:,}")
        if most is not None and count > most:
            raise self.wrong(f"expected at most {most:,} values, found {count:,}")
        return self.value

    def items(self, what: str = "a list", counts: Collection[int] = (), most: int | None = None) -> Iterator[At]:
        """Return an iterator over the items of the value, as for :meth:`list`."""
        return (At(value, index, self) for index, value in enumerate(self.list(what, counts, most)))

    def item(self, index: int) -> At:
        """Return an item of the value, a list that is long enough."""
        return At(self.value[index], index, self)

    # --- numbers and texts -------------------------------------------------------------------------------------------

    def number(self, what: str, least: int, most: int) -> int:
        """Return the value, a whole number from *least* to *most*, which is *what*."""
        number = whole(self.value)
        if number is None or not least <= number <= most:
            raise self.expected(what)
        return number

    def count(self, most: int = MOST, least: int = 0) -> int:
        """Return the value, a whole number from *least* to *most*."""
        value = self.value
        if type(value) is int and least <= value <= most:  # nearly always
            return value
        return self.number(f"a whole number, {least} to {most:,}" if most < MOST else A_COUNT, least, most)

    def points(self, what: str = POINTS) -> int:
        """Return the value, points."""
        points = self.number(what, -MOST_POINTS, MOST_POINTS)
        if points % _HUNDRED:
            raise self.expected(what)
        return points

    def points_by_player(self, players: int) -> tuple[int, ...]:
        """Return the value, a list of the points of each player; seats beyond them have none."""
        points = tuple(self.list("a list of points"))
        if {*map(type, points)} != _INTEGERS or gcd(*points) % _HUNDRED or max(map(abs, points)) > MOST_POINTS:
            points = tuple([each.points() for each in self.items()])
        if len(points) < players or any(points[players:]):
            raise self.wrong(f"points of {len(points)} players; {players} expected")
        return points[:players]

    def decimal(self, what: str) -> int | float:
        """Return the value, a number of at most nine digits before the decimal point, which is *what*."""
        if type(self.value) not in _NUMBERS or abs(self.value) >= MOST + 1:
            raise self.expected(what)
        decimal: int | float = self.value  # compiled, a float is never an int
        return decimal

    def player(self, players: int, what: str = "a player") -> int:
        """Return the value, a player or a seat: *what*."""
        return self.number(f"{what}, 0 to {players - 1}", 0, players - 1)

    def text(self) -> str:
        """Return the value, a string without lone surrogates."""
        value = self.value
        if type(value) is not str:
            raise self.expected("a string")
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise self.expected("a string without lone surrogates") from None
        return value

    def texts(self, first: int) -> Sequence[str]:
        """Return the items of the value, a list, from *first* on: strings without lone surrogates."""
        values = self.list()[first:]
        try:
            "".join(values).encode()
        except (TypeError, UnicodeEncodeError):
            return [each.text() for each in islice(self.items(), first, None)]
        return values

    def flag(self) -> bool:
        """Return the value, true or false."""
        if type(self.value) is not bool:
            raise self.expected("true or false")
        return self.value

    # --- what a table has --------------------------------------------------------------------------------------------

    def one_of(self, table: Mapping[Any, T], what: str) -> T:
        """Return what *table* has for the value, which is *what*."""
        if type(self.value) not in _KEYS or self.value not in table:
            raise self.expected(what)
        return table[self.value]

    def tile(self, table: Mapping[Any, T], what: str = "a tile") -> T:
        """Return what *table* has for the value, a tile, which messages call *what*."""
        return self.one_of(table, what)

    def tiles(
        self, table: Mapping[Any, T], counts: Collection[int] = (), most: int | None = None, what: str = "a tile"
    ) -> tuple[T, ...]:
        """Return what *table* has for each item of the value, a list as for :meth:`list`."""
        tiles = looked_up(self.list("a list of tiles", counts, most), table)
        return tuple([each.tile(table, what) for each in self.items()]) if tiles is None else tiles


def looked_up(values: Any, table: Mapping[Any, T]) -> tuple[T, ...] | None:
    """Return what *table* has for each of *values*; ``None`` if they are not a list of what it has."""
    try:
        return tuple(map(table.__getitem__, values)) if type(values) is list else None
    except (KeyError, TypeError):
        return None


def optional(value: At | None, read: Callable[[At], T]) -> T | None:
    """Return what *read* returns for *value*; ``None`` if it is missing.

    >>> optional(At({"honba": 1}).get("sticks"), At.count) is None
    True
    """
    return None if value is None else read(value)
