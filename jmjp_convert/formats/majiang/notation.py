"""Tiles, hands and melds in the notation of 電脳麻将, in both directions.

Sources: koba::blog, 天鳳の牌譜形式を解析する(2), for tiles, direction signs and the red five's place in melds;
``docs/design/formats.md`` 5 and the types of ``majiang-core`` for the rest. A tile is its suit and number, ``m0`` a red
five, ``_`` an unknown tile. A hand names each suit once, ``m055z77``, with unknown tiles last. Readers get tiles known
only by face, and accept hands and melds in any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from jmjp_convert.model import SEATS, Ankan, Call, Chi, Daiminkan, Kakan, Kita, Meld, Pon
from jmjp_convert.model.tiles import FACES, HONOR_FACES, UNKNOWN, UNKNOWN_FACE, any_copy, faces, kind

UNKNOWN_TILE = "_"
RIICHI = "*"
_TSUMOGIRI = "_"
_HONORS = dict(zip(HONOR_FACES, "1234567", strict=True))
_SIGNS = ("", "+", "=", "-")
"""The direction sign by the source's seat, counted from the caller: shimocha, toimen, kamicha."""


def _tile(face: str) -> str:
    if face in _HONORS:
        return f"z{_HONORS[face]}"
    return face[1] + face[0] if face[0].isdigit() else UNKNOWN_TILE


NAMES = {face: _tile(face) for face in (*FACES, UNKNOWN_FACE)}
"""The tiles by face."""


class Words:
    """Precomputed notation for a match with or without red fives.

    :ivar tiles: the tiles by tile ID.
    :ivar draws: the steps for draws, by seat and tile ID.
    :ivar replacements: the steps for draws after a kan, by seat and tile ID.
    :ivar discards: the steps for discards, by tsumogiri and riichi, then by seat and tile ID.
    """

    __slots__ = ("discards", "draws", "replacements", "tiles")

    def __init__(self, *, red_fives: bool) -> None:
        self.tiles = tuple([NAMES[face] for face in faces(red_fives=red_fives)])
        self.draws = self._steps("zimo", "")
        self.replacements = self._steps("gangzimo", "")
        self.discards = {
            (tsumogiri, riichi): self._steps("dapai", _TSUMOGIRI * tsumogiri + RIICHI * riichi)
            for tsumogiri in (False, True)
            for riichi in (False, True)
        }

    def _steps(self, kind: str, after: str) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(f'{{"{kind}":{{"l":{seat},"p":"{tile}{after}"}}}}' for tile in self.tiles) for seat in range(SEATS)
        )

    def hand(self, ids: Iterable[int]) -> str:
        """Return the tiles *ids* as a hand, ascending."""
        named = [self.tiles[tile] for tile in sorted(ids)]
        pairs = zip(["", *named], named, strict=False)
        return "".join(tile[1:] or tile if tile[0] == before[:1] else tile for before, tile in pairs)

    def meld(self, meld: Meld) -> str:
        """Return a meld.

        The number of the called tile is followed by the direction sign. In a chi the three numbers ascend. Otherwise
        the tiles from the hand come first, a red five last among them, then the called tile, then the tile of a kakan.
        """
        assert not isinstance(meld, Kita)
        if isinstance(meld, Kakan):
            return self.meld(meld.pon) + self._number(meld.tile)
        if isinstance(meld, Ankan):
            return self._numbers(meld.tiles)
        if isinstance(meld, Chi):
            return self._chi(meld)
        return self._numbers(meld.hand) + self._taken(meld)

    def _chi(self, chi: Chi) -> str:
        ascending = sorted((chi.taken, *chi.hand))
        numbers = (self._taken(chi) if tile == chi.taken else self._number(tile) for tile in ascending)
        return self.tiles[chi.taken][0] + "".join(numbers)

    def _taken(self, meld: Call) -> str:
        return self._number(meld.taken) + _SIGNS[(meld.source - meld.player) % len(_SIGNS)]

    def _numbers(self, ids: Sequence[int]) -> str:
        """Return the suit and the numbers of tiles of one kind, a red five last."""
        return self.tiles[ids[0]][0] + "".join(map(self._number, reversed(ids)))

    def _number(self, tile: int) -> str:
        return self.tiles[tile][1:]


@lru_cache
def words(red_fives: bool) -> Words:  # noqa: FBT001 - the key of a cache
    """Return the notation for a match with or without *red_fives*."""
    return Words(red_fives=red_fives)


# --- reading ---------------------------------------------------------------------------------------------------------

TILES = {name: any_copy(face) for face, name in NAMES.items()}
"""The tiles by name, ``_`` included."""

DRAWN = {**TILES, "": UNKNOWN}
"""The tiles by name; one that another player drew is empty in what a player sees."""


class Discarded(NamedTuple):
    """A discard: the *face* of its *tile*, and whether it is marked as the one just drawn or as a riichi tile."""

    tile: int
    face: str
    tsumogiri: bool
    riichi: bool


DISCARDED = {
    f"{NAMES[face]}{marks}{sign}": Discarded(any_copy(face), face, _TSUMOGIRI in marks, RIICHI in marks)
    for face, marks, sign in product(FACES, ("", _TSUMOGIRI, RIICHI, _TSUMOGIRI + RIICHI, RIICHI + _TSUMOGIRI), _SIGNS)
}
"""The discards; the sign of a tile that is called says nothing that the call does not."""

_HAND = re.compile(r"(?:[mps][0-9]+|z[1-7]+|_)*")
_SUIT = re.compile(r"([mpsz])([0-9]+)|_")
_MELD = re.compile(r"(?P<suit>[mpsz])(?P<before>[0-9]{1,4})(?:(?P<sign>[+=-])(?P<after>[0-9]{0,2}))?")
_PON, _KAN, _HELD_OF_CHI = 3, 4, 2


def read_hand(text: str) -> list[int] | None:
    """Return the closed tiles of *text* in its order, or ``None`` if it is not a hand.

    :param text: without riichi and melds.
    """
    if not _HAND.fullmatch(text):
        return None
    found: list[int] = []
    for suit, numbers in _SUIT.findall(text):
        found += [TILES[suit + number] for number in numbers] if suit else [UNKNOWN]
    return found


@lru_cache(maxsize=1 << 14)
def read_meld(text: str, player: int) -> Meld | None:
    """Return the meld of *player* in *text*, or ``None`` if it is not a meld.

    Its tiles are of one suit, and nothing else about them is checked. The pon of a kakan has the order of *text*.
    """
    said = _MELD.fullmatch(text)
    if said is None:
        return None
    before, after = ([TILES.get(said["suit"] + number) for number in said[part] or ""] for part in ("before", "after"))
    if None in before or None in after:
        return None
    tiles: list[int] = [tile for tile in (*before, *after) if tile is not None]
    if said["sign"] is None:
        return Ankan(player, tuple(sorted(tiles))) if len(tiles) == _KAN else None
    return _called(len(before), tiles, player, (player + _SIGNS.index(said["sign"])) % SEATS)


def _called(signed: int, tiles: list[int], player: int, source: int) -> Meld | None:
    """Return the meld of *tiles*, the one at place *signed*, 1-based, called from *source*; or ``None``."""
    taken = tiles.pop(signed - 1)
    alike = len({kind(tile) for tile in (taken, *tiles)}) == 1
    hand = tuple(sorted(tiles))
    if not alike or signed < _PON:
        return Chi(player, taken, hand, source) if len(tiles) == _HELD_OF_CHI else None
    if len(tiles) == _PON and signed == _PON:
        return Kakan(player, tiles[-1], Pon(player, taken, tuple(sorted(tiles[:-1])), source))
    kinds: dict[int, type[Pon | Daiminkan]] = {_PON: Pon, _KAN: Daiminkan}
    return kinds[signed](player, taken, hand, source) if len(tiles) == signed - 1 else None
