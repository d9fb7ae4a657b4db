"""Tracks what writers need of a replayed frame: the tile drawn, who is in riichi, who draws a replacement.

It follows a frame that has already been replayed: it moves no tiles and checks nothing. A table knows the same; the
tests compare the two at every event.
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

_KANS = frozenset((Kakan, Ankan, Daiminkan, Kita))
_ENDINGS = frozenset((Win, Ryuukyoku))


class Course:
    """The progress of a frame.

    A hot loop may handle draws and discards itself, as :meth:`along` does. A draw with the discard right after it has
    no net effect, except after a kan or kita.

    :ivar drawn: the tile just drawn and not yet discarded.
    :ivar declared: the player who has declared riichi but not yet paid for it: their discard is the riichi tile.
    :ivar riichi: by player, whether riichi has been declared and paid for.
    :ivar replacement: the player who draws a replacement tile next.
    """

    __slots__ = ("declared", "drawn", "replacement", "riichi")

    def __init__(self, start: Start) -> None:
        self.drawn = start.fourteenth
        self.declared: int | None = None
        self.riichi = [False] * SEATS
        self.replacement: int | None = None

    def along(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield each of *events*, then follow it: at each yield, the course shows the state before that event."""
        for event in events:
            yield event
            if type(event) is Draw:
                self.drawn, self.replacement = event.tile, None
            elif type(event) is Discard:
                self.drawn = None
            else:
                self.follow(event)

    def follow(self, event: Event) -> None:
        """Advance past *event*."""
        kind = type(event)
        if kind is Draw:
            self.drawn, self.replacement = event.tile, None  # type: ignore[union-attr]
        elif kind is Discard:
            self.drawn = None
        elif kind is RiichiDeclared:
            self.declared = event.player  # type: ignore[union-attr]
        elif kind is RiichiAccepted:
            self.declared, self.riichi[event.player] = None, True  # type: ignore[union-attr]
        elif kind in _KANS:
            self.drawn, self.replacement = None, event.player  # type: ignore[union-attr]
        elif kind in _ENDINGS:
            self.drawn = self.replacement = None

    def is_tsumogiri(self, discard: Discard) -> bool:
        """Return whether *discard*, the next event, is the tile just drawn; if it may be, it is taken to be. A player
        in riichi can discard no other tile."""
        if discard.tsumogiri is None and self.drawn is not None:
            return discard.tile == self.drawn or self.riichi[discard.player]
        return bool(discard.tsumogiri)
