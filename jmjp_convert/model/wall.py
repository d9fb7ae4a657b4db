"""The wall of a frame as data, with its tiles grouped by use."""

from __future__ import annotations

from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import dora


@record
class Wall:
    """The wall of a frame, with its tiles grouped by use.

    :ivar tiles: all 136 tiles (108 with three players), from the front of the dead wall to the tile dealt first.
    :ivar dice: two dice, 1–6 each.
    :ivar hands: by player, the thirteen tiles dealt, in the order of the deal, as in ``INIT``.
    :ivar draws: the tiles to draw, in order. Each kan or kita shortens them by one.
    :ivar replacements: the replacement tiles for kans and kita, in order: four, or eight with three players.
    :ivar indicators: the five dora indicators, in the order they are turned.
    :ivar ura: the five ura dora indicators, in the same order.
    """

    tiles: tuple[int, ...]
    dice: tuple[int, int]
    hands: tuple[tuple[int, ...], ...]
    draws: tuple[int, ...]
    replacements: tuple[int, ...]
    indicators: tuple[int, ...]
    ura: tuple[int, ...]

    @property
    def dora(self) -> tuple[int, ...]:
        """The ten dora, in the order of ``Frame.dora``."""
        players = len(self.hands)
        return tuple([dora(tile, players) for pair in zip(self.indicators, self.ura, strict=True) for tile in pair])
