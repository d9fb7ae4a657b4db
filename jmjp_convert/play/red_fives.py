"""Infers from the tiles of frames how many fives are red, where a record does not say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, reduce
from operator import or_
from typing import Final, NamedTuple

from jmjp_convert.model import SEATS, Ankan, Call, Discard, DoraRevealed, Draw, Event, Frame, Kakan, Start, Win
from jmjp_convert.model.tiles import COPIES, NO_REDS, ONE_RED_EACH, RED_OF, RedFives, any_copy, faces
from jmjp_convert.play.melds import tiles_of

_MOST: Final = {4: RedFives(1, 2, 1), 3: RedFives(1, 2, 2)}
"""By number of players, the most that a server plays with: Mahjong Soul's four red fives (docs/design/formats.md), and
with three players two of pin and of sou, as in Riichi City."""


class Fives(NamedTuple):
    """What frames show of their fives: by suit, how many red ones and how many plain ones a frame has at least."""

    red: RedFives = NO_REDS
    plain: RedFives = NO_REDS

    def __or__(self, other: Fives) -> Fives:
        """Return what both show together."""
        return Fives(*(RedFives(*map(max, mine, others)) for mine, others in zip(self, other, strict=True)))


def together(shown: Iterable[Fives]) -> Fives:
    """Return what all of *shown* show together."""
    return reduce(or_, shown, Fives())


def inferred(shown: Fives, players: int) -> RedFives | None:
    """Return how many fives are red where nothing but the tiles *shown* tells it.

    If a red one is shown, there is one of each suit, or two if two are shown in a suit in which a server has two. If
    none is, but all fives of a suit are shown, there are none. ``None`` if the tiles do not show it.
    """
    if any(shown.red):
        return RedFives(*[min(max(1, red), most) for red, most in zip(shown.red, _MOST[players], strict=True)])
    return NO_REDS if COPIES in shown.plain else None


def flagged(flag: bool | None, shown: Fives, players: int) -> RedFives | None:
    """Return how many fives are red where a record has only a *flag* whether some are, or ``None``."""
    if flag is None:
        return inferred(shown, players)
    if not flag:
        return NO_REDS
    return inferred(shown, players) if any(shown.red) else ONE_RED_EACH


def shown_fives(
    start: Start, events: Iterable[Event], hands: Mapping[int, Sequence[int]], red_fives: RedFives | None = None
) -> Fives:
    """Return what a frame shows of its fives.

    :param hands: the closed tiles at the end, by player, with the winning tile, where they are shown.
    :param red_fives: how many there are, which tells which physical tiles are red.
    """
    count = _Count(start, red_fives)
    by_tile = count.by_tile
    for event in events:
        if type(event) is Draw:
            five = by_tile[event.tile]
            if five is not None:
                count.come(event.player, five)
        elif type(event) is Discard:
            five = by_tile[event.tile]
            if five is not None:
                count.leave(event.player, five)
        else:
            count.add(event)
    for player, hand in hands.items():
        count.show(player, hand)
    return count.shown


def recorded_fives(frame: Frame, red_fives: RedFives | None = None) -> Fives:
    """Return what all of *frame* shows of its fives: the play, the hands and melds at its end, and its dora."""
    hands = frame.end.hands
    closed = {player: hand.closed for player, hand in enumerate(hands)}
    melds = [tile for hand in hands for meld in hand.melds for tile in tiles_of(meld)]
    known = shown_fives(frame.start, frame.events, closed, red_fives)
    return together((known, fives_among(melds, red_fives), fives_among({*(frame.dora or ())}, red_fives)))


def fives_among(tiles: Iterable[int], red_fives: RedFives | None = None) -> Fives:
    """Return the fives among *tiles*, which by default are known by face."""
    by_tile = _by_tile(red_fives)
    return _fives(_counts([five for tile in tiles if (five := by_tile[tile]) is not None]))


class _Count:
    """The fives seen in a frame.

    Each of the six, red and plain, has an index, in the order of :class:`Fives`.

    :ivar by_tile: by tile, which five it is; ``None`` for other tiles.
    """

    def __init__(self, start: Start, red_fives: RedFives | None) -> None:
        self.by_tile = _by_tile(red_fives)
        self._seen = [0] * _FIVES
        self._ura = [0] * _FIVES
        self._known = [[0] * _FIVES for _ in range(SEATS)]
        for player, hand in enumerate(start.hands):
            self._all_come(player, hand)
        if start.fourteenth is not None:
            self._all_come(start.dealer, (start.fourteenth,))
        self._turn(start.kan_indicators if start.indicator is None else (start.indicator, *start.kan_indicators))

    @property
    def shown(self) -> Fives:
        """What the frame shows so far."""
        return _fives(self._seen)

    def add(self, event: Event) -> None:
        """Count the tiles of *event*, which is no draw or discard."""
        if isinstance(event, Kakan):
            self._all_leave(event.player, (event.tile,))
        elif isinstance(event, Ankan):
            self._all_leave(event.player, event.tiles)
        elif isinstance(event, DoraRevealed):
            self._turn((event.indicator,))
        elif isinstance(event, Win):
            self._win(event)
        elif isinstance(event, Call):
            self._all_leave(event.player, event.hand)

    def show(self, player: int, hand: Iterable[int]) -> None:
        """Count the tiles of the *hand* that *player* has at the end."""
        self._see_beyond(self._known[player], hand)

    def come(self, player: int, five: int) -> None:
        """Count the *five* that comes into the hand of *player*."""
        self._seen[five] += 1
        self._known[player][five] += 1

    def leave(self, player: int, five: int) -> None:
        """Count the *five* that leaves the hand of *player*, unless it was seen when it came."""
        known = self._known[player]
        if known[five]:
            known[five] -= 1
        else:
            self._seen[five] += 1

    def _all_come(self, player: int, tiles: Iterable[int]) -> None:
        for five in self._of(tiles):
            self.come(player, five)

    def _all_leave(self, player: int, tiles: Iterable[int]) -> None:
        for five in self._of(tiles):
            self.leave(player, five)

    def _turn(self, indicators: Iterable[int]) -> None:
        for five in self._of(indicators):
            self._seen[five] += 1

    def _win(self, win: Win) -> None:
        """Count the ura dora indicators, which several winners share; the tile of a ron was seen already."""
        ura = self._see_beyond(self._ura, win.ura)
        self._ura = [*map(max, self._ura, ura)]
        if win.source is not None:
            for five in self._of((win.tile,)):
                self._known[win.player][five] += 1

    def _see_beyond(self, known: list[int], tiles: Iterable[int]) -> list[int]:
        """Count those of *tiles* that are not *known*; return how many there are of each five."""
        counts = _counts(self._of(tiles))
        for five, count in enumerate(counts):
            self._seen[five] += max(0, count - known[five])
        return counts

    def _of(self, tiles: Iterable[int]) -> list[int]:
        """Return which five each of *tiles* is, without other tiles."""
        return [five for tile in tiles if (five := self.by_tile[tile]) is not None]


_SUITS = len(NO_REDS)
_FIVES = 2 * _SUITS


def _counts(fives: Iterable[int]) -> list[int]:
    """Return how many of each five there are among *fives*."""
    counts = [0] * _FIVES
    for five in fives:
        counts[five] += 1
    return counts


def _fives(counts: Sequence[int]) -> Fives:
    """Return the fives seen so many times each."""
    return Fives(RedFives(*counts[:_SUITS]), RedFives(*counts[_SUITS:]))


@cache
def _by_tile(red_fives: RedFives | None) -> tuple[int | None, ...]:
    """Return by tile which five it is."""
    indices = {tile: index for index, tile in enumerate((*RED_OF.values(), *RED_OF))}
    return tuple([indices.get(any_copy(face)) if face[0] in "05" else None for face in faces(red_fives)])
