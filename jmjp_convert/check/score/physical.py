"""Gives the tiles of a hand as physical ones, as the package ``mahjong`` takes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from jmjp_convert.check.score.report import NotJudgedError
from jmjp_convert.model import Hand, Kita
from jmjp_convert.model.tiles import COPIES, PHYSICAL, RED_FIVES, faces
from jmjp_convert.model.tiles import kind as kind_of
from jmjp_convert.play.melds import tiles_of

_FACES = faces(red_fives=True)


class PhysicalMeld(NamedTuple):
    """A meld of physical *tiles*; *kind* is the type of the event."""

    kind: type
    tiles: list[int]


class PhysicalHand(NamedTuple):
    """A hand of physical tiles.

    :ivar drawn: the fourteenth.
    :ivar melds: without kita.
    :ivar kita: the number of kita.
    """

    tiles: list[int]
    drawn: int
    melds: list[PhysicalMeld]
    kita: int


def as_physical(hand: Hand, *, red_fives: bool) -> PhysicalHand:
    """Return *hand*, which has a fourteenth tile; a tile known only by its face is any copy that is not in the hand.

    :param red_fives: whether one five of each suit is red.
    :raises NotJudgedError: the face of a tile is unknown, or it has too many copies.
    """
    assert hand.drawn is not None
    melds = [meld for meld in hand.melds if not isinstance(meld, Kita)]
    groups = [[*hand.tiles, hand.drawn], *[list(tiles_of(meld)) for meld in melds]]
    if any(tile >= PHYSICAL for group in groups for tile in group):
        groups = _chosen(groups, red_fives=red_fives)
    closed, *laid = groups
    of_melds = [PhysicalMeld(type(meld), tiles) for meld, tiles in zip(melds, laid, strict=True)]
    return PhysicalHand(closed[:-1], closed[-1], of_melds, len(hand.melds) - len(melds))


def _chosen(groups: list[list[int]], *, red_fives: bool) -> list[list[int]]:
    """Return *groups* of tiles with physical ones for those known only by face."""
    used = {tile for group in groups for tile in group if tile < PHYSICAL}

    def choose(tile: int) -> int:
        if tile < PHYSICAL:
            return tile
        found = next((copy for copy in _copies(tile, red_fives=red_fives) if copy not in used), None)
        if found is None:
            raise NotJudgedError("some tiles of a hand are unknown")
        used.add(found)
        return found

    return [list(map(choose, group)) for group in groups]


def _copies(tile: int, *, red_fives: bool) -> Iterable[int]:
    """Return the physical copies of a *tile* known by its face."""
    kind = kind_of(tile)
    if kind is None:
        return ()
    copies = range(kind * COPIES, (kind + 1) * COPIES)
    red = _FACES[tile] in RED_FIVES.values()
    return [copy for copy in copies if ((copy in RED_FIVES) is red if red_fives else True)]
