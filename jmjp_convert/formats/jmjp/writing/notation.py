"""The dialect, layout and tile faces of one way to write, with precomputed strings for acts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter

from jmjp_convert.formats.jmjp.dialects import DIALECTS, KARAGIRI, SEATS, TSUMOGIRI, Dialect
from jmjp_convert.model import tiles

CALLED = tiles.UNKNOWN + 1
"""The drawn tile of an act that begins with a call."""

_BY_PLAYER = tuple(itemgetter(*((player - dealer) % 4 for player in range(4))) for dealer in range(4))
"""By dealer, reorders values by seat to values by player."""

_LINE = "\n  "


class Notation:
    """The strings of one way to write.

    :ivar faces: the face of every tile ID.
    :ivar comments: whether comments are written.
    :ivar line: the line break and indentation before a hand or an act.
    :ivar seats: by seat, the start of a hand.
    :ivar acts: by dealer and player, the start of an act.
    :ivar karagiri: the second half of an act with karagiri.
    :ivar draws: by dealer, player and tile ID, the first half of an act that begins with a plain draw.
    :ivar discards: by whether it is tsumogiri, drawn tile and discarded tile, the second half of an act that ends with
        a discard. After a call, the drawn tile is :data:`CALLED`.
    """

    karagiri = f",{KARAGIRI})"

    __slots__ = ("acts", "comments", "dialect", "discards", "draws", "faces", "line", "seats")

    def __init__(self, dialect: Dialect, *, compact: bool, red_fives: bool | None) -> None:
        self.dialect = dialect
        self.comments = dialect.comments and not compact
        self.line = "" if compact else _LINE
        self.faces = tiles.faces(red_fives=red_fives)
        self.seats = tuple(f"{self.line}({seat}," for seat in SEATS)
        # A face has one string for all its tiles, so that the tables stay in the caches of the processor.
        draws = tuple(_each(seat + "{}", self.faces) for seat in self.seats)
        self.acts = tuple(by_player(self.seats) for by_player in _BY_PLAYER)
        self.draws = tuple(by_player(draws) for by_player in _BY_PLAYER)
        named = _each(",{})", self.faces)
        alike: dict[str, list[int]] = {}
        for tile, face in enumerate(self.faces):
            alike.setdefault(face, []).append(tile)
        rows = {face: self._row(named, copies) for face, copies in alike.items()}
        self.discards = {
            True: ((f",{TSUMOGIRI})",) * tiles.IDS,) * (CALLED + 1),
            False: (*map(rows.__getitem__, self.faces), named),
            None: (named,) * (CALLED + 1),
        }

    def _row(self, named: tuple[str, ...], alike: Sequence[int]) -> tuple[str, ...]:
        """Return the second halves after a tile of which there are copies *alike*: karagiri for each of these."""
        row = [*named]
        for tile in alike:
            row[tile] = self.karagiri
        return tuple(row)


def _each(form: str, faces: Sequence[str]) -> tuple[str, ...]:
    """Return *form* with each of *faces*; the same ones have the same string."""
    made = {face: form.format(face) for face in faces}
    return tuple([made[face] for face in faces])


@lru_cache
def notation(spec: str, *, compact: bool, red_fives: bool | None) -> Notation:
    """Return the notation of the dialect *spec*, pretty or *compact*, with or without red fives."""
    return Notation(DIALECTS[spec], compact=compact, red_fives=red_fives)
