"""Tiles, hands and melds in the notation of 電脳麻将.

Sources: koba::blog, 天鳳の牌譜形式を解析する(2), for tiles, direction signs and the red five's place in melds;
``docs/design/formats.md`` 5 and the types of ``majiang-core`` for the rest. A tile is its suit and number, ``m0`` a red
five, ``_`` an unknown tile. A hand names each suit once, ``m055z77``, with unknown tiles last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from jmjp_convert.model import SEATS, Ankan, Chi, Daiminkan, Kakan, Kita, Meld, Pon
from jmjp_convert.model.tiles import faces

UNKNOWN_TILE = "_"
RIICHI = "*"
_TSUMOGIRI = "_"
_HONORS = dict(zip(("ew", "sw", "ww", "nw", "wd", "gd", "rd"), "1234567", strict=True))
_SIGNS = ("", "+", "=", "-")
"""The direction sign by the source's seat, counted from the caller: shimocha, toimen, kamicha."""


class Words:
    """Precomputed notation for a match with or without red fives.

    :ivar tiles: the tiles by tile ID.
    :ivar draws: the steps for draws, by seat and tile ID.
    :ivar replacements: the steps for draws after a kan, by seat and tile ID.
    :ivar discards: the steps for discards, by tsumogiri and riichi, then by seat and tile ID.
    """

    __slots__ = ("discards", "draws", "replacements", "tiles")

    def __init__(self, *, red_fives: bool) -> None:
        self.tiles = tuple(map(_tile, faces(red_fives=red_fives)))
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

    def _taken(self, meld: Chi | Pon | Daiminkan) -> str:
        return self._number(meld.taken) + _SIGNS[(meld.source - meld.player) % len(_SIGNS)]

    def _numbers(self, ids: Sequence[int]) -> str:
        """Return the suit and the numbers of tiles of one kind, a red five last."""
        return self.tiles[ids[0]][0] + "".join(map(self._number, reversed(ids)))

    def _number(self, tile: int) -> str:
        return self.tiles[tile][1:]


def _tile(face: str) -> str:
    if face in _HONORS:
        return f"z{_HONORS[face]}"
    return face[1] + face[0] if face[0].isdigit() else UNKNOWN_TILE


@lru_cache
def words(red_fives: bool) -> Words:  # noqa: FBT001 - the key of a cache
    """Return the notation for a match with or without *red_fives*."""
    return Words(red_fives=red_fives)
