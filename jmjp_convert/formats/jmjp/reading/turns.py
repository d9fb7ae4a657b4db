"""The events of plain turns, a draw and a discard: nine of ten acts.

They are put together from their halves, of which there are few: a table of all turns would be larger than the caches of
a processor, so that looking up a turn in it takes longer than putting it together.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from jmjp_convert.formats.jmjp.dialects import SEATS, TSUMOGIRI
from jmjp_convert.formats.jmjp.reading.primitives import ANY_COPY
from jmjp_convert.model import DISCARDS, DRAWS, Discard, Draw, Event, tiles

LENGTH = len("(e,3m,9p)")
"""The length of a plain act, brackets included."""

EVENTS = 2
"""The number of its events."""

_OPENING = len("e,3m")
_EITHER = [{tile: row[tiles.either_copy(face)] for face, tile in ANY_COPY.items()} for row in DISCARDS]
_TSUMOGIRI = f",{TSUMOGIRI}"


class Opening(NamedTuple):
    """The first half of a plain act.

    :ivar same: the discard of the tile drawn.
    :ivar others: the discards by the second half of the act: of other tiles, and of copies of the tile drawn.
    """

    draw: Draw
    same: Discard
    others: dict[str, Discard]


@cache
def openings(dealer: int) -> dict[str, Opening]:
    """Return the first halves of plain acts by their text, in frames of *dealer*."""
    found: dict[str, Opening] = {}
    for seat, letter in enumerate(SEATS):
        player = (dealer + seat) % len(SEATS)
        named = {f",{face}": DISCARDS[player][tile] for face, tile in ANY_COPY.items()}
        for face, tile in ANY_COPY.items():
            found[f"{letter},{face}"] = Opening(DRAWS[player][tile], DISCARDS[player][tile], named)
    return found


def extend(events: list[Event], acts: list[str], openings: dict[str, Opening]) -> None:
    """Append the draws and discards of *acts*, up to the first act that is not plain."""
    add = events.append
    for act in acts:
        opening = openings.get(act[:_OPENING])
        if opening is None:
            return
        draw, same, others = opening
        closing = act[_OPENING:]
        if closing == _TSUMOGIRI:
            add(draw)
            add(same)
            continue
        discard = others.get(closing)
        if discard is None:
            return
        add(draw)
        add(discard if discard is not same else _EITHER[draw.player][draw.tile])
