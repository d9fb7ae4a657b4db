"""Infers from the tiles of frames how many fives are red, where a record does not say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial, reduce
from operator import or_
from typing import NamedTuple

from jmjp_convert.model import SEATS, Ankan, Call, Discard, DoraRevealed, Draw, Event, Frame, Kakan, Start, Win
from jmjp_convert.model.tiles import COPIES, NO_REDS, ONE_RED_EACH, RED_OF, RedFives, any_copy, faces
from jmjp_convert.play.melds import tiles_of

_MOST = {4: RedFives(1, 2, 1), 3: RedFives(1, 2, 2)}
"""By number of players, the most that a server plays with: Mahjong Soul's four red fives (docs/design/formats.md), and
with three players two of pin and of sou, as in Riichi City."""


class Fives(NamedTuple):
    """What frames show of their fives: by suit, how many red ones and how many plain ones a frame has at least."""

    red: RedFives = NO_REDS
    plain: RedFives = NO_REDS

    def __or__(self, other: Fives) -> Fives:
        """Return what both show together."""
        return Fives(*(RedFives(*map(max, one, two)) for one, two in zip(self, other, strict=True)))


def together(shown: Iterable[Fives]) -> Fives:
    """Return what all of *shown* show together."""
    return reduce(or_, shown, Fives())


def fives(seen: Mapping[int, int]) -> Fives:
    """Return what one frame shows whose tiles, by any copy, are *seen* so many times."""
    return Fives(
        RedFives(*[seen.get(red, 0) for red in RED_OF.values()]), RedFives(*[seen.get(five, 0) for five in RED_OF])
    )


def inferred(shown: Fives, players: int) -> RedFives | None:
    """Return how many fives are red where nothing but the tiles *shown* tells it.

    If a red one is shown, there is one of each suit, or two if two are shown in a suit in which a server has two. If
    none is, but all fives of a suit are shown, there are none. ``None`` if the tiles do not show it.
    """
    if any(shown.red):
        return RedFives(*[min(max(1, red), most) for red, most in zip(shown.red, _MOST[players], strict=True)])
    return NO_REDS if COPIES in shown.plain else None


def flagged(flag: bool | None, shown: Fives, players: int) -> RedFives | None:  # noqa: FBT001 - a recorded value
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
    for event in events:
        count.add(event)
    for player, hand in hands.items():
        count.show(player, hand)
    return fives(count.seen)


def recorded_fives(frame: Frame, red_fives: RedFives | None = None) -> Fives:
    """Return what all of *frame* shows of its fives: the play, the hands and melds at its end, and its dora."""
    hands = frame.end.hands
    closed = {player: hand.closed for player, hand in enumerate(hands)}
    melds = [tile for hand in hands for meld in hand.melds for tile in tiles_of(meld)]
    known = shown_fives(frame.start, frame.events, closed, red_fives)
    return reduce(or_, [fives(_fives_of(tiles, red_fives)) for tiles in (melds, {*(frame.dora or ())})], known)


class _Count:
    """The fives seen in a frame.

    :ivar seen: by any copy, the number of tiles.
    """

    def __init__(self, start: Start, red_fives: RedFives | None) -> None:
        self.seen: Counter[int] = Counter()
        self._ura: Counter[int] = Counter()
        self._known: list[Counter[int]] = [Counter() for _ in range(SEATS)]
        self._of = partial(_fives_of, red_fives=red_fives)
        for player, hand in enumerate(start.hands):
            self._come(player, hand)
        if start.fourteenth is not None:
            self._come(start.dealer, (start.fourteenth,))
        self._turn(start.kan_indicators if start.indicator is None else (start.indicator, *start.kan_indicators))

    def add(self, event: Event) -> None:
        """Count the tiles of *event*."""
        if isinstance(event, Draw):
            self._come(event.player, (event.tile,))
        elif isinstance(event, Discard | Kakan):
            self._leave(event.player, (event.tile,))
        elif isinstance(event, Call):
            self._leave(event.player, event.hand)
        elif isinstance(event, Ankan):
            self._leave(event.player, event.tiles)
        elif isinstance(event, DoraRevealed):
            self._turn((event.indicator,))
        elif isinstance(event, Win):
            self._win(event)

    def show(self, player: int, hand: Iterable[int]) -> None:
        """Count the tiles of the *hand* that *player* has at the end."""
        self.seen += self._of(hand) - self._known[player]

    def _come(self, player: int, tiles: Iterable[int]) -> None:
        if come := self._of(tiles):
            self.seen += come
            self._known[player] += come

    def _leave(self, player: int, tiles: Iterable[int]) -> None:
        """Count the *tiles* that leave the hand of *player*, unless they were seen when they came."""
        if gone := self._of(tiles):
            self.seen += gone - self._known[player]
            self._known[player] -= gone

    def _turn(self, indicators: Iterable[int]) -> None:
        self.seen += self._of(indicators)

    def _win(self, win: Win) -> None:
        """Count the ura dora indicators, which several winners share; the tile of a ron was seen already."""
        ura = self._of(win.ura)
        self.seen += ura - self._ura
        self._ura |= ura
        if win.source is not None:
            self._known[win.player] += self._of((win.tile,))


def _fives_of(tiles: Iterable[int], red_fives: RedFives | None) -> Counter[int]:
    """Return the number of each five among *tiles*, by any copy."""
    by_face = _fives_by_tile(red_fives)
    return Counter([by_face[tile] for tile in tiles if tile in by_face])


@cache
def _fives_by_tile(red_fives: RedFives | None) -> dict[int, int]:
    """Return any copy of each five by the tile."""
    return {tile: any_copy(face) for tile, face in enumerate(faces(red_fives)) if face[0] in "05"}
