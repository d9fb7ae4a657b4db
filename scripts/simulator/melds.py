"""Melds as they lie on the table, and which of them a hand allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from games import chi_code, kan_code, pon_code

from simulator.hand_shapes import COPIES, HONORS, SUIT
from simulator.mjlog_grammar import Kind
from simulator.random_source import Chance

KITA = 0x20
_KAKAN = 16
RED = frozenset((16, 52, 88))
_FIVES = frozenset(tile >> 2 for tile in RED)
_THIRD = 2


class Name(Enum):
    """The kinds of melds."""

    CHI = Kind.CHI
    PON = Kind.PON
    DAIMINKAN = Kind.DAIMINKAN
    ANKAN = Kind.ANKAN
    KAKAN = Kind.KAKAN
    KITA = Kind.KITA


KANS = (Name.DAIMINKAN, Name.ANKAN, Name.KAKAN)
MOST_KANS = 4
"""Of a frame, whoever declares them."""


class Laid(NamedTuple):
    """A meld on the table.

    :ivar tiles: all of them, ascending.
    :ivar held: those from the hand; of a kakan the one that is added.
    :ivar code: as in the log.
    :ivar taken: the tile taken from another; of a kakan, for its pon.
    :ivar giver: who gave it: 1 shimocha, 2 toimen, 3 kamicha, and 0 for nobody.
    """

    name: Name
    tiles: tuple[int, ...]
    held: tuple[int, ...]
    code: int
    taken: int = -1
    giver: int = 0

    @property
    def kind(self) -> int:
        """The kind of its lowest tile."""
        return self.tiles[0] >> 2


def chi(held: Sequence[int], taken: int) -> Laid:
    """Return the chi of *taken* with two tiles of the hand; it is always from kamicha."""
    tiles = sorted([*held, taken])
    return Laid(Name.CHI, tuple(tiles), tuple(held), chi_code(tiles, taken), taken, 3)


def pon(held: Sequence[int], taken: int, giver: int) -> Laid:
    """Return the pon of *taken*, which *giver* gave, with two tiles of the hand."""
    tiles = sorted([*held, taken])
    return Laid(Name.PON, tuple(tiles), tuple(held), pon_code(tiles, taken, giver), taken, giver)


def daiminkan(held: Sequence[int], taken: int, giver: int) -> Laid:
    """Return the kan of *taken*, which *giver* gave, with three tiles of the hand."""
    return Laid(Name.DAIMINKAN, tuple(sorted([*held, taken])), tuple(held), kan_code(taken, giver), taken, giver)


def ankan(kind: int, *, third: bool = False) -> Laid:
    """Return the closed kan of *kind*.

    :param third: whether it is named by its third tile, as some programs did.
    """
    tiles = tuple(range(COPIES * kind, COPIES * (kind + 1)))
    return Laid(Name.ANKAN, tiles, tiles, kan_code(tiles[_THIRD if third else 0]))


def kakan(of: Laid, tile: int) -> Laid:
    """Return the kan that the pon *of* becomes with *tile*."""
    code = pon_code(list(of.tiles), of.taken, of.giver, _KAKAN)
    return Laid(Name.KAKAN, tuple(sorted([*of.tiles, tile])), (tile,), code, of.taken, of.giver)


def kita(tile: int) -> Laid:
    """Return the north *tile*, set aside."""
    return Laid(Name.KITA, (tile,), (tile,), kan_code(tile) | KITA)


def runs(kind: int, counts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of kinds, of those that *counts* has, with which *kind* is a run."""
    if SUIT[kind] == HONORS:
        return
    rank = kind % 9
    for first, second in ((-2, -1), (-1, 1), (1, 2)):
        if rank + first >= 0 and rank + second <= 8 and counts[kind + first] and counts[kind + second]:  # noqa: PLR2004
            yield kind + first, kind + second


def swapped(call: Laid) -> tuple[int, ...]:
    """Return the kinds that may not be discarded after *call*: the one taken, and of a run the one at its other end."""
    kind = call.taken >> 2
    if call.name is Name.CHI:
        low, high = (tile >> 2 for tile in sorted(call.held))
        if high - low == 1:
            other = low - 1 if kind == high + 1 else high + 1
            if other >= 0 and SUIT[other] == SUIT[kind]:
                return kind, other
    return (kind,)


_PLACES = ("low", "middle", "high")


def red_rows(meld: Laid) -> list[str]:
    """Return the rows of `coverage.py` that *meld* counts for, if one of its tiles may be a red five."""
    if meld.name is Name.CHI:
        return [
            f"chi-{place}-red-{'taken' if tile == meld.taken else 'held'}"
            for place, tile in zip(_PLACES, meld.tiles, strict=True)
            if tile in RED
        ]
    if meld.kind not in _FIVES or meld.name is Name.KITA:
        return []
    if meld.name is Name.ANKAN:
        return ["ankan-red"]
    in_hand, elsewhere = ("added", "held") if meld.name is Name.KAKAN else ("held", "left-out")
    where = "taken" if meld.taken in RED else in_hand if RED.intersection(meld.held) else elsewhere
    return [f"{meld.name.name.lower()}-red-{where}"]


def picked(tiles: Sequence[int], kinds: Sequence[int], chance: Chance) -> list[int]:
    """Return for each of *kinds* one of the *tiles*, a copy by chance."""
    found: list[int] = []
    for kind in kinds:
        copies = [tile for tile in tiles if tile >> 2 == kind and tile not in found]
        found.append(copies[0] if len(copies) == 1 else chance.one_of(copies))
    return sorted(found)
