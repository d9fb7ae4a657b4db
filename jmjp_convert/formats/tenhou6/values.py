"""Check the values of a tenhou.net/6 object, which may hold anything that JSON can."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.bounds import A_COUNT, MOST, MOST_POINTS
from jmjp_convert.formats.json_text import shown
from jmjp_convert.messages import Message

Notice = Callable[[str], None]

_HUNDRED = 100
_INTEGERS = {int}


class WrongValue(ConvertError):  # noqa: N818 - the line, unknown here, makes the error
    """An invalid value.

    :param pointer: its place: the JSON pointer (RFC 6901) within the object.
    """

    def __init__(self, reason: str | Message, pointer: str = "") -> None:
        super().__init__(reason)
        self.pointer = pointer


def expected(what: str, value: Any, pointer: str) -> WrongValue:
    """Return the error that *what* was expected, but *value* found."""
    return WrongValue(f"expected {what}, found {shown(value)}", pointer)


def listed(value: Any, pointer: str) -> list[Any]:
    """Return *value*, which must be a list."""
    if type(value) is not list:
        raise expected("a list", value, pointer)
    return value


def count(value: Any, pointer: str, most: int = MOST) -> int:
    """Return *value*, which must be a whole number from 0 to *most*."""
    found = value if type(value) is int else _whole(value)
    if found is None or not 0 <= found <= most:
        raise expected(f"a whole number, 0 to {most:,}" if most < MOST else A_COUNT, value, pointer)
    return found


def points(value: Any, pointer: str) -> int:
    """Return *value*, which must be points, a multiple of 100."""
    found = _whole(value)
    if found is None or found % _HUNDRED or abs(found) > MOST_POINTS:
        raise expected("points, a multiple of 100", value, pointer)
    return found


def _whole(value: Any) -> int | None:
    """Return a whole number, which some programs write with a decimal: ``16000.0``."""
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def each_points(value: Any, players: int, pointer: str) -> tuple[int, ...]:
    """Return *value*, which must be the points by player; an empty seat has none."""
    found = tuple(listed(value, pointer))
    if {*map(type, found)} != _INTEGERS or [one for one in found if one % _HUNDRED or abs(one) > MOST_POINTS]:
        found = tuple([points(one, f"{pointer}/{place}") for place, one in enumerate(found)])
    if len(found) < players or any(found[players:]):
        raise WrongValue(f"points of {len(found)} players; {players} expected", pointer)
    return found[:players]


def text(value: Any, pointer: str) -> str:
    """Return *value*, which must be a string without lone surrogates."""
    if type(value) is not str:
        raise expected("a string", value, pointer)
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise expected("a string without lone surrogates", value, pointer) from None
    return value
