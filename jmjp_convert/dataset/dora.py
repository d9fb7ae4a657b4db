"""The dora that a player holds."""

from __future__ import annotations

from functools import lru_cache

from jmjp_convert.model import Kita
from jmjp_convert.model.tiles import IDS, dora, faces, kind
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.table import Table

_RED = "0"
_BYTES = 256


def held(table: Table, player: int, values: bytes) -> int:
    """Return the number of dora that *player* holds: in the hand, just drawn and in melds. Tiles that are not known
    count as none.

    :param values: the :func:`values_at` this table.
    """
    found = sum(table.hands[player].translate(values))
    if table.turn == player and table.drawn is not None:
        found += values[table.drawn]
    for meld in table.melds[player]:
        found += 1 if isinstance(meld, Kita) else sum([values[tile] for tile in tiles_of(meld)])
    return found


def values_at(table: Table) -> bytes:
    """Return by tile id how many dora a tile is: one for each indicator of it, and one if it is a red five. A kita is
    one whatever the indicators."""
    return _values(tuple(table.indicators), table.rules.players, table.rules.red_fives)


@lru_cache(maxsize=1024)
def _values(indicators: tuple[int, ...], players: int, red_fives: bool | None) -> bytes:  # noqa: FBT001 - a key
    """Return :func:`values_at` a table with these *indicators*."""
    shown = [kind(dora(indicator, players)) for indicator in indicators]
    known = faces(red_fives=red_fives)
    kinds = [kind(tile) for tile in range(IDS)]
    values = [
        (0 if number is None else shown.count(number)) + known[tile].startswith(_RED)
        for tile, number in enumerate(kinds)
    ]
    return bytes(values).ljust(_BYTES, b"\0")
