"""Tracks what writers need of a replayed frame: the tile drawn, who is in riichi, who draws a replacement.

It follows a frame that has already been replayed: it moves no tiles and checks nothing. A table knows the same; the
tests compare the two at every event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jmjp_convert.model import (
    SEATS,
    Discard,
    DoraRevealed,
    Draw,
    Event,
    Frame,
    RiichiAccepted,
    RiichiDeclared,
    Start,
)
from jmjp_convert.model.events import ENDINGS, REPLACED


class Course:
    """The progress of a frame.

    A hot loop may handle draws and discards itself, as :meth:`along` does. A draw with the discard right after it has
    no net effect, except after a kan or kita.
    """

    __slots__ = ("declared", "drawn", "replacement", "riichi")

    def __init__(self, start: Start) -> None:
        self.drawn = start.fourteenth  # the tile just drawn and not yet discarded
        # The player who has declared riichi but not yet paid for it: their discard is the riichi tile.
        self.declared: int | None = None
        self.riichi = [False] * SEATS  # by player, whether riichi has been declared and paid for
        self.replacement: int | None = None  # the player who draws a replacement tile next

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
        elif kind in REPLACED:
            self.drawn, self.replacement = None, event.player  # type: ignore[union-attr]
        elif kind in ENDINGS:
            self.drawn = self.replacement = None

    def is_tsumogiri(self, discard: Discard) -> bool:
        """Return whether *discard*, the next event, is the tile just drawn; if it may be, it is taken to be. A player
        in riichi can discard no other tile."""
        if discard.tsumogiri is None and self.drawn is not None:
            return discard.tile == self.drawn or self.riichi[discard.player]
        return bool(discard.tsumogiri)


# --- the tiles of the wall that a frame reveals ----------------------------------------------------------------------


class Shown(NamedTuple):
    """Tiles of a wall, in order within each group."""

    draws: tuple[int, ...]  # the tiles drawn; the dealer's fourteenth comes first if it was dealt with the hand
    replacements: tuple[int, ...]  # the tiles drawn after kans and kita
    indicators: tuple[int, ...]  # the dora indicators turned
    ura: tuple[int, ...]  # the ura dora indicators


def shown(frame: Frame) -> Shown:
    """Return the tiles that *frame* shows of its wall, besides the hands dealt from it."""
    start = frame.start
    draws = [] if start.fourteenth is None else [start.fourteenth]
    turned = [] if start.indicator is None else [start.indicator]
    replacements: list[int] = []
    course = Course(start)
    for event in course.along(frame.events):
        if type(event) is Draw:
            (draws if course.replacement is None else replacements).append(event.tile)
        elif type(event) is DoraRevealed:
            turned.append(event.indicator)
    # A win shows the dora indicators again, and a second win the ura dora indicators of the first.
    wins = frame.wins
    indicators = _united([turned, *[win.indicators or () for win in wins]])
    return Shown(tuple(draws), tuple(replacements), indicators, _united([win.ura for win in wins]))


def _united(lists: Iterable[Iterable[int]]) -> tuple[int, ...]:
    """Return the multiset union of *lists*: each tile as often as in the list with the most copies of it."""
    united: list[int] = []
    for tiles in lists:
        before = list(united)
        for tile in tiles:
            if tile in before:
                before.remove(tile)
            else:
                united.append(tile)
    return tuple(united)
