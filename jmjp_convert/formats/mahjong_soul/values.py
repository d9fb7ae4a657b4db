"""Gets the values of a message: one that is missing is zero, empty or false."""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.formats.json_values import At
from jmjp_convert.model.tiles import BY_NAME

MOST_NUMBER = (1 << 32) - 1


def number(values: At, key: str, most: int = MOST_NUMBER) -> int:
    """Return a whole number from 0 to *most*."""
    value = values.get(key)
    return 0 if value is None else value.number(f"a whole number, 0 to {most:,}", 0, most)


def flag(values: At, key: str) -> bool:
    """Return true or false."""
    value = values.get(key)
    if value is None:
        return False
    return bool(value.value) if type(value.value) is int else value.flag()


def text(values: At, key: str) -> str:
    """Return a string."""
    value = values.get(key)
    return "" if value is None else value.text()


def message(values: At, key: str) -> At:
    """Return a message, an empty one if it is missing."""
    value = values.get(key)
    return At({}, key, values) if value is None else value


def items(values: At, key: str) -> Iterator[At]:
    """Yield the items of a list."""
    value = values.get(key)
    return iter(()) if value is None else value.items()


def tile(values: At, key: str) -> int:
    """Return a tile.

    :raises WrongValue: there is none.
    """
    return values.member(key).tile(BY_NAME)


def tiles(values: At, key: str) -> tuple[int, ...]:
    """Return the tiles of a list."""
    value = values.get(key)
    return () if value is None else value.tiles(BY_NAME)


def worth(values: At, key: str) -> int:
    """Return points of a win, 0 or more."""
    value = values.get(key)
    return value.points() if value is not None and number(values, key) else 0


def points(values: At, key: str, players: int) -> tuple[int, ...] | None:
    """Return points by player; ``None`` if they are missing or the list is empty."""
    value = values.get(key)
    return None if value is None or value.value == [] else value.points_by_player(players)
