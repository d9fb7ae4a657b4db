"""Tiles, draws, discards and melds known by face only, as most formats hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    Ankan,
    Call,
    Discard,
    Event,
    Kakan,
    Kita,
    Meld,
    tiles,
)
from jmjp_convert.model.events import shared


class ByFace:
    """Tiles, hands and melds, known by face only.

    :ivar any: by tile ID, the ID of any copy of its face.
    :ivar draws: by player and tile ID, the draw of any copy.
    :ivar discards: by whether they are tsumogiri, player and tile ID, the discard of any copy.
    """

    __slots__ = ("any", "discards", "draws")

    def __init__(self, *, red_fives: bool | None) -> None:
        names = tiles.faces(red_fives=red_fives)
        known = bytes(map(tiles.any_copy, names))
        self.any = known.ljust(1 << 8)
        self.draws = tuple([tuple(map(row.__getitem__, known)) for row in DRAWS])
        self.discards = {
            tsumogiri: tuple([tuple(map(row.__getitem__, known)) for row in rows])
            for tsumogiri, rows in DISCARDS.items()
        }

    def hand(self, ids: Iterable[int]) -> tuple[int, ...]:
        """Return the tiles *ids*, sorted."""
        return tuple(sorted(bytes(ids).translate(self.any)))

    def meld(self, meld: Meld) -> Meld:
        """Return *meld*."""
        if isinstance(meld, Call):
            faces = bytes((meld.taken, *meld.hand)).translate(self.any)
            return _call(type(meld), meld.player, meld.source, faces)  # type: ignore[arg-type]
        if isinstance(meld, Kakan):
            return Kakan(meld.player, self.any[meld.tile], self.meld(meld.pon))  # type: ignore[arg-type]
        if isinstance(meld, Kita):
            return Kita(meld.player, self.any[meld.tile])
        return Ankan(meld.player, self.hand(meld.tiles))


@lru_cache(maxsize=4096)
def _call(kind: type[Call], player: int, source: int, faces: bytes) -> Call:
    """Return the call of a *kind* with any copies of *faces*, the taken one first. All games have the same calls."""
    return shared(kind(player, faces[0], tuple(sorted(faces[1:])), source))


@lru_cache
def by_face(*, red_fives: bool | None) -> ByFace:
    """Return the faces of games with or without red fives."""
    return ByFace(red_fives=red_fives)


def after_discard(events: Sequence[Event]) -> int:
    """Return the index after the last discard among *events*, which have one."""
    index = len(events)
    while type(events[index - 1]) is not Discard:
        index -= 1
    return index
