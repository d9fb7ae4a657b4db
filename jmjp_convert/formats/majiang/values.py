"""Check the values of a record, which may hold anything that JSON can."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.bounds import MOST_POINTS
from jmjp_convert.formats.json_text import shown
from jmjp_convert.messages import Message
from jmjp_convert.model import SEATS

_INTEGER = re.compile(r"[+-]?[0-9]{1,12}")
_HUNDRED = 100
_SURROGATE = re.compile("[\ud800-\udfff]")

Path = tuple[str | int, ...]


class WrongValueError(ConvertError):
    """An invalid value of a step.

    :param path: the keys and indices of its place in the step.
    """

    def __init__(self, reason: str | Message, *path: str | int) -> None:
        super().__init__(reason)
        self.path = path


def expected(what: str, value: Any, *path: str | int) -> WrongValueError:
    """Return the error that *what* was expected, but *value* found."""
    return WrongValueError(f"expected {what}, found {shown(value)}", *path)


def member(values: Mapping[str, Any], key: str) -> Any:
    """Return the value of *key*.

    :raises WrongValueError: it is missing.
    """
    try:
        return values[key]
    except KeyError:
        raise WrongValueError(f"missing key {shown(key)}") from None


def text(value: Any, *path: str | int) -> str:
    """Return *value*, a string without lone surrogates."""
    if type(value) is not str:
        raise expected("a string", value, *path)
    if not value.isascii() and _SURROGATE.search(value):
        raise expected("a string without lone surrogates", value, *path)
    return value


def integer(value: Any) -> int | None:
    """Return *value* as an integer, ``None`` if it is not one: the editor of 電脳麻将 writes some as texts."""
    if type(value) is str and _INTEGER.fullmatch(value):
        return int(value)
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def number(value: Any, what: str, most: int, *path: str | int, least: int = 0) -> int:
    """Return *value*, an integer from *least* to *most*."""
    found = integer(value)
    if found is None or not least <= found <= most:
        raise expected(what, value, *path)
    return found


def points(value: Any, *path: str | int) -> int:
    """Return *value*, a number of points."""
    found = number(value, "points, a multiple of 100", MOST_POINTS, *path, least=-MOST_POINTS)
    if found % _HUNDRED:
        raise expected("points, a multiple of 100", value, *path)
    return found


def four(value: Any, *path: str | int) -> Sequence[Any]:
    """Return *value*, a list with a value for each seat."""
    if len(listed(value, *path)) != SEATS:
        raise WrongValueError(f"{len(value)} values; {SEATS} expected", *path)
    return value  # type: ignore[no-any-return]


def listed(value: Any, *path: str | int) -> Sequence[Any]:
    """Return *value*, a list."""
    if type(value) is not list:
        raise expected("a list", value, *path)
    return value
