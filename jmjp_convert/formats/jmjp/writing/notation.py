"""The dialect, layout and tile faces of one way to write, with precomputed strings for acts."""

from __future__ import annotations

from functools import lru_cache

from jmjp_convert.formats.jmjp.dialects import DIALECTS, KARAGIRI, SEATS, TSUMOGIRI, Dialect
from jmjp_convert.model import tiles

CALLED = tiles.UNKNOWN + 1
"""The drawn tile of an act that begins with a call."""

_INDENT = "  "
_TSUMOGIRI = f",{TSUMOGIRI})"


class Notation:
    """The strings of one way to write.

    :ivar faces: the face of every tile ID.
    :ivar comments: whether comments are written.
    :ivar indent: the indentation of hands and acts.
    :ivar karagiri: the second half of an act with karagiri.
    :ivar seats: by seat, the start of a line with a hand or an act.
    :ivar draws: by seat and tile ID, the first half of an act that begins with a plain draw.
    :ivar discards: by drawn tile and discarded tile, the second half of an act that ends with a discard. After a call,
        the drawn tile is :data:`CALLED`.
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
        """Return the second halves after *drawn*: tsumogiri for the tile itself, karagiri for other *copies* of its
        face."""
        row = plain.copy()
        face = self.faces[drawn]
        for tile in copies[face] if drawn < tiles.PHYSICAL else [tiles.other_copy(face)]:
            row[tile] = self.karagiri
        row[drawn] = _TSUMOGIRI
        return tuple(row)


@lru_cache
def notation(spec: str, *, compact: bool, red_fives: bool | None) -> Notation:
    """Return the notation of the dialect *spec*, pretty or *compact*, with or without red fives."""
    return Notation(DIALECTS[spec], compact=compact, red_fives=red_fives)
