"""Tiles, draws, discards and melds known by face only, as most formats hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from jmjp_convert.model import (
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
from jmjp_convert.play.course import Course


class ByFace:
    """Tiles, hands and melds, known by face only.

    :ivar any: by tile ID, the ID of any copy of its face.
    :ivar draws: by player and tile ID, the draw of any copy.
    :ivar after: by the drawn tile and the discarded one, the ID that stands for the discard: any copy of its face, but
        another copy if the discard is, or may be, another copy of the drawn tile. The last row is for discards without
        a draw.
    """

    __slots__ = ("_names", "after", "any", "draws")

    def __init__(self, *, red_fives: bool | None) -> None:
        self._names = tiles.faces(red_fives=red_fives)
        self.any = bytes(map(tiles.any_copy, self._names)).ljust(1 << 8)
        known = self.any[: len(self._names)]
        self.draws = tuple([tuple(map(row.__getitem__, known)) for row in DRAWS])
        alike: dict[int, list[int]] = {copy: [] for copy in known}
        for tile, copy in enumerate(known):
            alike[copy].append(tile)
        self.after = (*(self._after(tile, alike[copy]) for tile, copy in enumerate(known)), self.any)

    def _after(self, drawn: int, alike: Iterable[int]) -> bytes:
        """Return the row of *after* for the tile *drawn*, whose face the tiles *alike* have."""
        row, either = bytearray(self.any), tiles.either_copy_of(drawn)
        for tile in alike:
            row[tile] = tiles.other_copy_of(self.any[tile])
        row[drawn] = self.any[drawn]
        if either is not None:
            row[either] = either
        return bytes(row)

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

    def discarded(self, discard: Discard, course: Course) -> int:
        """Return the tile of *discard*, the next event: the drawn one, another copy of its face, or another face.

        If it may be the drawn one, it is taken to be.
        """
        tile, drawn = discard.tile, course.drawn
        if drawn is not None and course.is_tsumogiri(discard):
            return self.any[tile if drawn == tiles.UNKNOWN else drawn]
        if drawn is not None and self._names[tile] == self._names[drawn]:
            return tiles.other_copy(self._names[tile])
        return self.any[tile]


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
