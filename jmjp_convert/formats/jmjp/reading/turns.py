"""The events of plain turns, a draw and a discard: nine of ten acts.

They are put together from tables of their parts. A table of whole turns would be larger than the caches of a processor,
so that looking one up takes longer than that.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from jmjp_convert.formats.jmjp.dialects import KARAGIRI, SEATS, TSUMOGIRI
from jmjp_convert.formats.jmjp.reading.primitives import ANY_COPY
from jmjp_convert.model import DISCARDS, DRAWS, Discard, Draw, tiles

LENGTH = len("(e,3m,9p)")
"""The length of a plain act, brackets included."""

EITHER = tuple([{tile: row[tiles.either_copy(face)] for face, tile in ANY_COPY.items()} for row in DISCARDS])
"""By player and tile, the discard of a tile that may be the one just drawn or another copy of its face."""

OTHER = tuple([{tile: row[tiles.other_copy(face)] for face, tile in ANY_COPY.items()} for row in DISCARDS])
"""By player and tile, the discard of another copy of the face just drawn."""

Draws = dict[str, tuple[Draw, Discard]]
"""The draws of a player by face, each with the discard of the same tile."""

Discards = dict[str, Discard]
"""The discards of a player by face."""


class Parts(NamedTuple):
    """The parts of plain acts in frames of one dealer.

    :ivar seats: by the beginning of an act, such as ``e,``, the draws and discards of the player in that seat.
    :ivar links: by the end of an act and the beginning of the next, such as ``9p)(s``: the face discarded or karagiri,
        empty for a tsumogiri, and the draws and discards of the next player.
    """

    seats: dict[str, tuple[Draws, Discards]]
    links: dict[str, tuple[str, Draws, Discards]]


@cache
def parts(dealer: int) -> Parts:
    """Return the parts of plain acts in frames of *dealer*."""
    found = Parts({}, {})
    for seat, letter in enumerate(SEATS):
        player = (dealer + seat) % len(SEATS)
        discards = {face: DISCARDS[player][tile] for face, tile in ANY_COPY.items()}
        draws = {face: (DRAWS[player][tile], discards[face]) for face, tile in ANY_COPY.items()}
        found.seats[f"{letter},"] = draws, discards
        found.links[f"{TSUMOGIRI})({letter}"] = "", draws, discards
        found.links.update({f"{face})({letter}": (face, draws, discards) for face in (*ANY_COPY, KARAGIRI)})
    return found


NOBODY: tuple[Draws, Discards] = {}, {}
"""The draws and discards of nobody."""
