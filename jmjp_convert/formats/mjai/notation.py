"""The notation of mjai, for writer and reader: tiles, and the lines of draws and discards.

A tile is a number and a suit, ``5mr`` for a red five, a wind ``E`` ``S`` ``W`` ``N``, a dragon ``P`` ``F`` ``C``, or
``?`` for one that is unknown or hidden from the player whose view is recorded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from jmjp_convert.formats.safe_json import encode
from jmjp_convert.model import DISCARDS, DRAWS, SEATS, Event
from jmjp_convert.model.tiles import FACES, HONOR_FACES, RED_FIVES, UNKNOWN_FACE, any_copy, faces

UNKNOWN_NAME = "?"

_NAMES = {
    **{f"0{suit}": f"5{suit}r" for suit in "mps"},
    **dict(zip(HONOR_FACES, "ESWNPFC", strict=True)),
    UNKNOWN_FACE: UNKNOWN_NAME,
}
"""Tiles with different names in mjai and jmjp."""

_OTHER_NAMES = {face: face for face in RED_FIVES.values()} | {
    face: f"{number}z" for number, face in enumerate(HONOR_FACES, 1)
}
"""What some programs call a tile instead."""

_KNOWN_FACES = (*FACES, UNKNOWN_FACE)

TILES = {
    name: any_copy(face)
    for face in _KNOWN_FACES
    for name in filter(None, (_NAMES.get(face, face), _OTHER_NAMES.get(face)))
}
"""Tile IDs by name; only the face is known."""


def line(kind: str, **values: object) -> str:
    """Return an event as a line, without unknown values."""
    return encode({"type": kind, **{key: value for key, value in values.items() if value is not None}})


class Words(NamedTuple):
    """Precomputed names and lines.

    :ivar tiles: by tile ID.
    :ivar draws: by player and tile ID.
    :ivar discards: by whether it is tsumogiri, then by player and tile ID.
    """

    tiles: tuple[str, ...]
    draws: tuple[tuple[str, ...], ...]
    discards: tuple[tuple[tuple[str, ...], ...], ...]


@lru_cache
def words(red_fives: bool) -> Words:  # noqa: FBT001 - the key of a cache
    """Return the names and lines for games with or without red fives."""
    tiles = tuple(_NAMES.get(face, face) for face in faces(red_fives=red_fives))
    draws = tuple(tuple(line("tsumo", actor=player, pai=tile) for tile in tiles) for player in range(SEATS))
    discards = tuple(
        tuple(
            tuple(line("dahai", actor=player, pai=tile, tsumogiri=drawn) for tile in tiles) for player in range(SEATS)
        )
        for drawn in (False, True)
    )
    return Words(tiles, draws, discards)


# --- for the reader --------------------------------------------------------------------------------------------------

_LAYOUTS: tuple[Callable[[dict[str, Any]], str], ...] = (
    encode,
    json.dumps,
    lambda value: encode(dict(sorted(value.items()))),
    lambda value: json.dumps(value, sort_keys=True),
)
"""How programs lay out a line: with spaces or without, the keys in convlog's order or sorted."""


@lru_cache
def plain_lines() -> dict[bytes, Event]:
    """Return the draws and discards by line, in every usual layout: more than nine of ten lines."""
    return {layout(value).encode(): event for value, event in _plain() for layout in _LAYOUTS}


def _plain() -> Iterator[tuple[dict[str, Any], Event]]:
    for face in _KNOWN_FACES:
        name = _NAMES.get(face, face)
        for player in range(SEATS):
            drawn = {"actor": player, "pai": name}
            yield {"type": "tsumo", **drawn}, DRAWS[player][any_copy(face)]
            for tsumogiri in (True, False):
                discards = DISCARDS[tsumogiri][player]
                yield {"type": "dahai", **drawn, "tsumogiri": tsumogiri}, discards[any_copy(face)]
