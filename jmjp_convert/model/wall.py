"""The wall of a frame as data: its tiles, by what they are for."""

from __future__ import annotations

from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import dora


@record
class Wall:
    """The wall of a frame, and what its tiles are for.

    :ivar tiles: all 136, or with three players 108, from the front of the dead wall to the tile dealt first.
    :ivar dice: two dice, 1–6 each.
    :ivar hands: by player the thirteen tiles dealt, in the order of the deal: that of ``INIT``.
    :ivar draws: the tiles to draw, in their order. Each kan and each kita leaves one fewer of them.
    :ivar replacements: the tiles drawn after kans and kita, in their order: four, with three players eight.
    :ivar indicators: the five dora indicators, in the order in which they are turned.
    :ivar ura: the five ura dora indicators, likewise.
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
        """The ten dora, in the order in which a :class:`Frame` has them."""
        players = len(self.hands)
        return tuple([dora(tile, players) for pair in zip(self.indicators, self.ura, strict=True) for tile in pair])
