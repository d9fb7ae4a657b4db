"""The dora that a player holds."""

from __future__ import annotations

from functools import lru_cache

from jmjp_convert.model import Kita
from jmjp_convert.model.tiles import IDS, dora, faces, kind
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.table import Table

_RED = "0"
_BYTES = 256


def held(table: Table, player: int) -> int:
    """Return the number of dora that *player* holds: one for each indicator of a tile in the hand, just drawn or in a
    meld, one for each red five, and one for each kita. Tiles that are not known count as none."""
    values = _values(tuple(table.indicators), table.rules.players, table.rules.red_fives)
    found = sum(table.hands[player].translate(values))
    if table.turn == player and table.drawn is not None:
        found += values[table.drawn]
    for meld in table.melds[player]:
        found += 1 if isinstance(meld, Kita) else sum([values[tile] for tile in tiles_of(meld)])
    return found


@lru_cache(maxsize=1024)
def _values(indicators: tuple[int, ...], players: int, red_fives: bool | None) -> bytes:  # noqa: FBT001 - a key
    """Return the number of dora that each tile is, by its id."""
    shown = [kind(dora(indicator, players)) for indicator in indicators]
    known = faces(red_fives=red_fives)
    kinds = [kind(tile) for tile in range(IDS)]
    values = [
        (0 if number is None else shown.count(number)) + known[tile].startswith(_RED)
        for tile, number in enumerate(kinds)
    ]
    return bytes(values).ljust(_BYTES, b"\0")
