"""What the values of rows are made from: tiles, seats and dates."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, time
from functools import cache
from typing import Any

from jmjp_convert.model import WINDS, Match, Rules
from jmjp_convert.model.tiles import KIND_FACES, UNKNOWN_FACE, faces

Row = tuple[Any, ...]
"""The values of a row, in the order of the columns of its table."""

Place = tuple[str, int]
"""The values that the rows of a frame begin with: the key of the match and the frame's number."""


@cache
def names(red_fives: bool | None) -> tuple[str | None, ...]:  # noqa: FBT001 - the key of a cache
    """Return the face of every tile id, ``None`` for unknown ones."""
    return tuple(None if face == UNKNOWN_FACE else face for face in faces(red_fives=red_fives))


def listed(tiles: Iterable[int], rules: Rules) -> str | None:
    """Return the faces of *tiles* in one text, ``None`` without any."""
    known = faces(red_fives=rules.red_fives)
    return " ".join([known[tile] for tile in tiles]) or None


def listed_kinds(kinds: Iterable[int]) -> str | None:
    """Return the faces of *kinds* of tiles in one text, ``None`` without any."""
    return " ".join([KIND_FACES[kind] for kind in kinds]) or None


def seats(dealer: int, players: int) -> tuple[str, ...]:
    """Return the seats of all players."""
    return tuple([WINDS[(player - dealer) % players] for player in range(players)])


def day(match: Match) -> date | None:
    """Return the date of *match*, ``None`` if it is not recorded or not in the calendar."""
    text = match.date or ""
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return None


def start_time(match: Match) -> time | None:
    """Return the time at which *match* started, ``None`` if it is not recorded."""
    text = match.time
    return None if text is None else time(int(text[:2]), int(text[2:]))
