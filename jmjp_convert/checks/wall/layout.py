"""Where the tiles of a wall go: the hands, the draws, the dead wall.

A wall is dealt and drawn from its end; the dead wall is at its front (docs/design/wall.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import NamedTuple

from jmjp_convert.model import Wall
from jmjp_convert.play.position import DEAD_WALL, DEALT, SETS

_Pick = Callable[[Sequence[int]], tuple[int, ...]]


class Layout(NamedTuple):
    """Functions that pick the parts of the dead wall from a wall."""

    replacements: _Pick
    indicators: _Pick
    ura: _Pick

    def of(self, tiles: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Return the parts of the dead wall of *tiles*."""
        return self.replacements(tiles), self.indicators(tiles), self.ura(tiles)


def _layout(replacements: Sequence[int], indicators: int, ura: int) -> Layout:
    """Return the layout with these indices of the *replacements* and of the first dora and *ura* *indicators*; each
    further one is two on."""
    picked = (replacements, range(indicators, indicators + 10, 2), range(ura, ura + 10, 2))
    return Layout(*[itemgetter(*indices) for indices in picked])


IN_PAIRS = {4: _layout((1, 0, 3, 2), 5, 4), 3: _layout((1, 0, 3, 2, 5, 4, 7, 6), 9, 8)}
"""By number of players: the upper tile of each pair is used first."""

IN_ORDER = {4: _layout(range(4), 4, 5), 3: _layout(range(8), 8, 9)}
"""By number of players: the tiles are used one after the other."""


def _hand(seat: int, players: int) -> _Pick:
    """Return a function that picks the hand at *seat* (0: dealer) from the dealt tiles: three times four, then one."""
    fours = [players * 4 * turn + 4 * seat + tile for turn in range(3) for tile in range(4)]
    return itemgetter(*fours, players * 12 + seat)


_HANDS = {players: [_hand(seat, players) for seat in range(players)] for players in SETS}


def arranged(tiles: Sequence[int], dice: tuple[int, int] | None, dealer: int, players: int, layout: Layout) -> Wall:
    """Return the wall of *tiles*, all of a set, from the front of the dead wall to the tile dealt first."""
    dealt = tiles[::-1]
    hands = [pick(dealt) for pick in _HANDS[players]]
    return Wall(
        tuple(tiles),
        dice,
        tuple(hands[-dealer:] + hands[:-dealer]),
        tuple(dealt[players * DEALT : -DEAD_WALL]),
        *layout.of(tiles),
    )


def undealt(tiles: Sequence[int], hands: tuple[tuple[int, ...], ...], first: int, layout: Layout) -> Wall:
    """Return the wall of *tiles*, those left after the deal, from the front of the dead wall to the next tile to draw.

    :param hands: by player.
    :param first: the dealer's fourteenth tile.
    """
    draws = (first, *tiles[: DEAD_WALL - 1 : -1])
    return Wall(tuple(tiles), None, hands, draws, *layout.of(tiles), dealt=False)
