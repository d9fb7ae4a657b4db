"""Melds on the table, and which of them a hand allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from games import chi_code, kan_code, pon_code

from simulator.mjlog_grammar import ElementType
from simulator.random_source import RandomSource
from simulator.tile_kinds import COPIES, HONOR_SUIT, SUIT_OF

KITA_CODE = 0x20
_KAKAN_CODE = 16
_THIRD = 2
_KAMICHA = 3


class MeldType(Enum):
    """The types of melds. The value is the type of the element in the log."""

    CHI = ElementType.CHI
    PON = ElementType.PON
    DAIMINKAN = ElementType.DAIMINKAN
    ANKAN = ElementType.ANKAN
    KAKAN = ElementType.KAKAN
    KITA = ElementType.KITA


KANS = (MeldType.DAIMINKAN, MeldType.ANKAN, MeldType.KAKAN)
MOST_KANS = 4
"""The maximum number of kans in a frame, by all players together."""


class Meld(NamedTuple):
    """A meld on the table.

    :ivar tiles: all of them, ascending.
    :ivar held: the tiles from the hand; for a kakan, the one added.
    :ivar code: as in the log.
    :ivar taken: the tile taken from another player; for a kakan, the one taken for its pon; -1 for none.
    :ivar giver: who discarded it: 1 shimocha, 2 toimen, 3 kamicha, and 0 for nobody.
    """

    type: MeldType
    tiles: tuple[int, ...]
    held: tuple[int, ...]
    code: int
    taken: int = -1
    giver: int = 0

    @property
    def kind(self) -> int:
        """The kind of its lowest tile."""
        return self.tiles[0] >> 2


def chi(held: Sequence[int], taken: int) -> Meld:
    """Return the chi of *taken*, always from kamicha, with two tiles of the hand."""
    tiles = sorted([*held, taken])
    return Meld(MeldType.CHI, tuple(tiles), tuple(held), chi_code(tiles, taken), taken, _KAMICHA)


def pon(held: Sequence[int], taken: int, giver: int) -> Meld:
    """Return the pon of *taken*, from *giver*, with two tiles of the hand."""
    tiles = sorted([*held, taken])
    return Meld(MeldType.PON, tuple(tiles), tuple(held), pon_code(tiles, taken, giver), taken, giver)


def daiminkan(held: Sequence[int], taken: int, giver: int) -> Meld:
    """Return the kan of *taken*, from *giver*, with three tiles of the hand."""
    return Meld(MeldType.DAIMINKAN, tuple(sorted([*held, taken])), tuple(held), kan_code(taken, giver), taken, giver)


def ankan(kind: int, *, by_third: bool = False) -> Meld:
    """Return the closed kan of *kind*.

    :param by_third: whether its code has the third tile, as some programs write it, instead of the first.
    """
    tiles = tuple(range(COPIES * kind, COPIES * (kind + 1)))
    return Meld(MeldType.ANKAN, tiles, tiles, kan_code(tiles[_THIRD if by_third else 0]))


def kakan(of: Meld, tile: int) -> Meld:
    """Return the kan made by adding *tile* to the pon *of*."""
    code = pon_code(list(of.tiles), of.taken, of.giver, _KAKAN_CODE)
    return Meld(MeldType.KAKAN, tuple(sorted([*of.tiles, tile])), (tile,), code, of.taken, of.giver)


def kita(tile: int) -> Meld:
    """Return the kita of the north *tile*."""
    return Meld(MeldType.KITA, (tile,), (tile,), kan_code(tile) | KITA_CODE)


def run_partners(kind: int, counts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of kinds, both in *counts*, that form a run with *kind*."""
    if SUIT_OF[kind] == HONOR_SUIT:
        return
    rank = kind % 9
    for first, second in ((-2, -1), (-1, 1), (1, 2)):
        if rank + first >= 0 and rank + second <= 8 and counts[kind + first] and counts[kind + second]:  # noqa: PLR2004
            yield kind + first, kind + second


def forbidden_discards(call: Meld) -> tuple[int, ...]:
    """Return the kinds that must not be discarded right after *call* (kuikae): the kind taken, and for a chi also the
    kind at the other end of the run."""
    kind = call.taken >> 2
    if call.type is MeldType.CHI:
        low, high = (tile >> 2 for tile in sorted(call.held))
        if high - low == 1:
            other = low - 1 if kind == high + 1 else high + 1
            if other >= 0 and SUIT_OF[other] == SUIT_OF[kind]:
                return kind, other
    return (kind,)


def pick_tiles(tiles: Sequence[int], kinds: Sequence[int], random: RandomSource) -> list[int]:
    """Return one of *tiles* for each of *kinds*, picking copies at random."""
    found: list[int] = []
    for kind in kinds:
        copies = [tile for tile in tiles if tile >> 2 == kind and tile not in found]
        found.append(copies[0] if len(copies) == 1 else random.choice(copies))
    return sorted(found)
