"""Convert single values of the JSON lines, in both directions: tiles, points, words.

A kind's ``write`` trusts its value, which is from the model. Its ``read`` accepts anything that JSON can hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.bounds import A_COUNT, MOST, MOST_POINTS
from jmjp_convert.formats.safe_json import shown
from jmjp_convert.model import dates, log_ids, tenhou
from jmjp_convert.model.tiles import IDS, PHYSICAL, faces


class WrongValue(ConvertError):  # noqa: N818 - the line, unknown here, makes the error
    """An invalid value.

    :param path: its place in the line: ``hands[2].tiles[0]``.
    """

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(reason)
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason

    def under(self, key: str) -> WrongValue:
        """Return the same error for a value nested under *key*."""
        between = "." if self.path and not self.path.startswith("[") else ""
        return WrongValue(self.reason, f"{key}{between}{self.path}")


def expected(what: str, value: Any) -> WrongValue:
    """Return the error that *what* was expected, but *value* found."""
    return WrongValue(f"expected {what}, found {shown(value)}")


class Kind:
    """A kind of values.

    :ivar name: its name in ``schema.json``.
    :ivar what: how an error names what was expected.
    """

    def __init__(self, name: str, what: str) -> None:
        self.name = name
        self.what = what

    def write(self, value: Any) -> Any:
        """Return *value*, from the model, for JSON."""
        return value

    def read(self, value: Any, players: int) -> Any:
        """Return *value*, from JSON, for the model.

        :param players: the number of players in the match.
        :raises WrongValue: it is not of this kind.
        """
        raise NotImplementedError


class Alike(Kind):
    """A kind of values that are the same in JSON.

    :param taken: the test for its values.
    """

    def __init__(self, name: str, what: str, taken: Callable[[Any], bool]) -> None:
        super().__init__(name, what)
        self._taken = taken

    def read(self, value: Any, players: int) -> Any:  # noqa: ARG002 - the number makes no difference
        """Return *value* itself."""
        if not self._taken(value):
            raise expected(self.what, value)
        return value


# --- numbers and texts -----------------------------------------------------------------------------------------------


def whole(name: str, what: str, least: int = -MOST, most: int = MOST) -> Kind:
    """Return the kind of whole numbers from *least* to *most*."""
    return Alike(name, what, lambda value: type(value) is int and least <= value <= most)


def text(name: str, what: str, pattern: str) -> Kind:
    """Return the kind of texts that *pattern* matches."""
    match = re.compile(pattern).fullmatch
    return Alike(name, what, lambda value: type(value) is str and match(value) is not None)


def _is_points(value: Any) -> bool:
    return type(value) is int and not value % 100 and -MOST_POINTS <= value <= MOST_POINTS


def _is_rating(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < MOST + 1


def _is_log_id(value: Any) -> bool:
    return type(value) is str and log_ids.identify(value) is not None


BOOLEAN = Alike("boolean", "true or false", lambda value: type(value) is bool)
NAME = text("name", "a non-empty string without lone surrogates", "(?s:[^\ud800-\udfff]+)")
STRING = text("string", "a string without lone surrogates", "(?s:[^\ud800-\udfff]*)")
WHOLE = whole("whole", "a whole number of at most nine digits")
COUNT = whole("count", A_COUNT, 0)
POINTS = Alike("points", "points, a multiple of 100 such as 25000", _is_points)
PLAYERS = whole("players", "3 or 4 players", 3, 4)
ROUND = whole("round", "a round, 0 to 15", 0, 15)
YAKU_NUMBER = whole("yaku_number", "a yaku number, 0 to 54", 0, 54)
RATING = Alike("rating", "a rating, a number of at most nine digits before the decimal point", _is_rating)
YEAR = whole("year", "a year, 0 to 9999", 0, 9999)
DECIMAL = text("decimal", 'a number as a string, such as "-1.5"', tenhou.DECIMAL.pattern)
DATE = text("date", "a date, YYYYMMDD", dates.DATE)
TIME = text("time", "a time, HHMM", dates.TIME)
WEEKDAY = text("weekday", "a weekday, sun to sat", "|".join(dates.WEEKDAYS))
LOG_ID = Alike("log_id", "a log ID", _is_log_id)


class _Player(Kind):
    def read(self, value: Any, players: int) -> Any:
        if type(value) is not int or not 0 <= value < players:
            raise expected(f"a player, 0 to {players - 1}", value)
        return value


class _Bytes(Kind):
    _HEX = re.compile("(?:[0-9a-f]{2})*")

    def write(self, value: Any) -> Any:
        return value.hex()

    def read(self, value: Any, players: int) -> Any:  # noqa: ARG002
        if type(value) is not str or not self._HEX.fullmatch(value):
            raise expected(self.what, value)
        return bytes.fromhex(value)


class _Dice(Kind):
    def read(self, value: Any, players: int) -> Any:  # noqa: ARG002
        if type(value) is int and value in range(2, 13):
            return value
        if type(value) is list and len(value) == 2 and all(type(die) is int and die in range(1, 7) for die in value):  # noqa: PLR2004
            return tuple(value)
        raise expected(self.what, value)


PLAYER = _Player("player", "a player")
BYTES = _Bytes("bytes", "bytes as lower-case hex digits")
DICE = _Dice("dice", "two dice, 1 to 6 each, or their sum")


class Words(Kind):
    """The members of an enumeration, each by its name."""

    def __init__(self, name: str, members: type[Enum]) -> None:
        self.words = {member.name.lower(): member for member in members}
        super().__init__(name, f"one of {', '.join(self.words)}")

    def write(self, value: Any) -> Any:
        """Return the name of a member."""
        return value.name.lower()

    def read(self, value: Any, players: int) -> Any:  # noqa: ARG002
        """Return the member of that name."""
        if type(value) is not str or value not in self.words:
            raise expected(self.what, value)
        return self.words[value]


# --- tiles -----------------------------------------------------------------------------------------------------------

_FACES = faces(red_fives=True)

TILES: tuple[int | str, ...] = (*range(PHYSICAL), *(_FACES[tile] for tile in range(PHYSICAL, IDS)))
"""Tile IDs in JSON: the number itself for a physical tile, otherwise the face."""

NUMBER_OR_TEXT = frozenset((int, str))


class _Tile(Kind):
    by_json: Mapping[int | str, int] = {value: tile for tile, value in enumerate(TILES)}

    def write(self, value: Any) -> Any:
        """Return the number or the face of a tile."""
        return TILES[value]

    def read(self, value: Any, players: int) -> Any:  # noqa: ARG002
        """Return the ID of a tile."""
        if type(value) not in NUMBER_OR_TEXT or value not in self.by_json:
            raise expected(self.what, value)
        return self.by_json[value]


TILE = _Tile("tile", f'a tile, 0 to {PHYSICAL - 1} or a face such as "5m"')
