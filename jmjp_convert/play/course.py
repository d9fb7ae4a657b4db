"""Tracks what writers need of a replayed frame: the tile drawn, who is in riichi, who draws a replacement.

It is what a writer must know, event by event, of a frame that has been replayed, and no more: no tile moves, and
nothing is checked. A table knows it as well; the tests hold the two together at every event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jmjp_convert.model import (
    SEATS,
    Ankan,
    Daiminkan,
    Discard,
    Draw,
    Event,
    Kakan,
    Kita,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.model.tiles import PHYSICAL, either_copy_of

_KANS = frozenset((Kakan, Ankan, Daiminkan, Kita))
_ENDINGS = frozenset((Win, Ryuukyoku))


class Course:
    """How far a frame has gone.

    A hot loop may follow draws and discards itself, as :meth:`along` does. A draw and the discard right after it leave
    nothing to follow.

    :ivar drawn: the tile just drawn and not yet discarded.
    :ivar declared: who has declared riichi and not yet paid for it: that player's discard is the riichi tile.
    :ivar riichi: by player, whether a riichi is declared and paid.
    :ivar replacement: who draws a replacement tile next.
    """

    __slots__ = ("declared", "drawn", "replacement", "riichi")

    def __init__(self, start: Start) -> None:
        self.drawn = start.fourteenth
        self.declared: int | None = None
        self.riichi = [False] * SEATS
        self.replacement: int | None = None

    def along(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield each of *events* and then follow it: while it is looked at, the course is as it was before it."""
        for event in events:
            yield event
            if type(event) is Draw:
                self.drawn, self.replacement = event.tile, None
            elif type(event) is Discard:
                self.drawn = None
            else:
                self.follow(event)

    def follow(self, event: Event) -> None:
        """Go on to what is after *event*."""
        if type(event) is Draw:
            self.drawn, self.replacement = event.tile, None
        elif type(event) is Discard:
            self.drawn = None
        elif type(event) is RiichiDeclared:
            self.declared = event.player
        elif type(event) is RiichiAccepted:
            self.declared, self.riichi[event.player] = None, True
        elif type(event) in _KANS:
            self.drawn, self.replacement = None, event.player  # type: ignore[union-attr]
        elif type(event) in _ENDINGS:
            self.drawn = self.replacement = None

    def is_tsumogiri(self, discard: Discard) -> bool:
        """Return whether *discard*, which comes next, is the tile just drawn, as far as is known: one that may be is
        taken to be it. Whoever is in riichi can discard no other."""
        tile, drawn = discard.tile, self.drawn
        if tile == drawn or drawn is None:
            return drawn is not None
        return self.riichi[discard.player] or (tile >= PHYSICAL and tile == either_copy_of(drawn))
