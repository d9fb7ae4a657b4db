"""The dialect, layout and tile faces of one way to write, with the strings of acts made once."""

from __future__ import annotations

from functools import lru_cache

from jmjp_convert.formats.jmjp.dialects import DIALECTS, KARAGIRI, SEATS, TSUMOGIRI, Dialect
from jmjp_convert.model import tiles

CALLED = tiles.UNKNOWN + 1
"""Stands for the tile drawn where an act begins with a call."""

_INDENT = "  "
_TSUMOGIRI = f",{TSUMOGIRI})"


class Notation:
    """The words of one way to write.

    :ivar faces: of every tile id.
    :ivar comments: whether there are any.
    :ivar indent: what stands before each line of a frame's flow.
    :ivar karagiri: the second half that says karagiri.
    :ivar seats: by seat, how a line of the flow begins.
    :ivar draws: by seat and tile id, the first half of an act that begins with a plain draw.
    :ivar discards: by the tile drawn and the tile discarded, the second half of an act that ends with a discard. After
        a call nothing is drawn: that row is :data:`CALLED`'s.
    """

    karagiri = f",{KARAGIRI})"

    __slots__ = ("comments", "dialect", "discards", "draws", "faces", "indent", "seats")

    def __init__(self, dialect: Dialect, *, compact: bool, red_fives: bool | None) -> None:
        self.dialect = dialect
        self.comments = dialect.comments and not compact
        self.indent = "" if compact else _INDENT
        self.faces = tiles.faces(red_fives=red_fives)
        self.seats = tuple(f"{self.indent}({seat}," for seat in SEATS)
        self.draws = tuple(tuple(seat + face for face in self.faces) for seat in self.seats)
        plain = [f",{face})" for face in self.faces]
        copies: dict[str, list[int]] = {}
        for tile, face in enumerate(self.faces[: tiles.PHYSICAL]):
            copies.setdefault(face, []).append(tile)
        self.discards = (*(self._row(drawn, copies, plain) for drawn in range(CALLED)), tuple(plain))

    def _row(self, drawn: int, copies: dict[str, list[int]], plain: list[str]) -> tuple[str, ...]:
        """Return the second halves after *drawn*: karagiri for other *copies* of its face, tsumogiri for the tile
        itself."""
        row = plain.copy()
        face = self.faces[drawn]
        for tile in copies[face] if drawn < tiles.PHYSICAL else [tiles.other_copy(face)]:
            row[tile] = self.karagiri
        row[drawn] = _TSUMOGIRI
        return tuple(row)


@lru_cache
def notation(spec: str, *, compact: bool, red_fives: bool | None) -> Notation:
    """Return the words for the dialect *spec*, pretty or *compact*, with or without red fives."""
    return Notation(DIALECTS[spec], compact=compact, red_fives=red_fives)
