"""Infers from the tiles of frames how many fives are red, where a record does not say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import add
from typing import Final, NamedTuple

from jmjp_convert.model import SEATS, Discard, DoraRevealed, Draw, Event, Frame, Meld, Start, Win
from jmjp_convert.model.match import endings_of
from jmjp_convert.model.tiles import COPIES, NO_REDS, ONE_RED_EACH, RED_OF, UNKNOWN, RedFives, any_copy, faces
from jmjp_convert.play.melds import from_hand, tiles_of

_MOST: Final = {4: RedFives(1, 2, 1), 3: RedFives(1, 2, 2)}
"""By number of players, the most that a server plays with: Mahjong Soul's four red fives (docs/design/formats.md), and
with three players two of pin and of sou, as in Riichi City."""


class Fives(NamedTuple):
    """What frames show of their fives: by suit, how many red ones and how many plain ones a frame has at least."""

    red: RedFives = NO_REDS
    plain: RedFives = NO_REDS


def together(shown: Iterable[Fives]) -> Fives:
    """Return what all of *shown* show together."""
    return Fives(*[RedFives(*map(max, zip(*each, strict=True))) for each in zip(Fives(), *shown, strict=True)])


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
    start: Start,
    events: Sequence[Event],
    hands: Mapping[int, Sequence[int]],
    red_fives: RedFives | None = None,
    come: Iterable[int] | None = None,
) -> Fives:
    """Return what a frame shows of its fives.

    :param hands: the closed tiles at the end, by player, with the winning tile, where they are shown.
    :param red_fives: how many there are, which tells which physical tiles are red.
    :param come: the tiles that are drawn and turned in *events*, in any order; ``None`` if they are not known.
    """
    seen = bytes([*chain.from_iterable(start.hands), *(_drawn_and_turned(events) if come is None else come)])
    if not seen or UNKNOWN in seen:
        counts: Sequence[int] = _shown_in_part(start, events, hands, red_fives)
    else:
        fourteenth = () if start.fourteenth is None else (start.fourteenth,)
        counts = _counts(seen + bytes((*_turned(start), *fourteenth)), red_fives)
    ura = [_counts(event.ura, red_fives) for event in endings_of(events) if type(event) is Win and event.ura]
    return _fives([*map(add, counts, map(max, zip(*ura, strict=True)))] if ura else counts)


def _drawn_and_turned(events: Iterable[Event]) -> list[int]:
    """Return the tiles that are drawn and turned in *events*."""
    tiles = []
    for event in events:
        if type(event) is Draw:
            tiles.append(event.tile)
        elif type(event) is DoraRevealed:
            tiles.append(event.indicator)
    return tiles


def recorded_fives(frame: Frame, red_fives: RedFives | None = None) -> Fives:
    """Return what all of *frame* shows of its fives: the play, the hands and melds at its end, and its dora."""
    hands = frame.end.hands
    closed = {player: hand.closed for player, hand in enumerate(hands)}
    melds = [tile for hand in hands for meld in hand.melds for tile in tiles_of(meld)]
    known = shown_fives(frame.start, frame.events, closed, red_fives)
    return together((known, fives_among(melds, red_fives), fives_among({*(frame.dora or ())}, red_fives)))


def fives_among(tiles: Iterable[int], red_fives: RedFives | None = None) -> Fives:
    """Return the fives among *tiles*, which by default are known by face."""
    return _fives(_counts(tiles, red_fives))


def _turned(start: Start) -> tuple[int, ...]:
    """Return the indicators that are turned at the *start*."""
    return start.kan_indicators if start.indicator is None else (start.indicator, *start.kan_indicators)


def _shown_in_part(
    start: Start, events: Sequence[Event], hands: Mapping[int, Sequence[int]], red_fives: RedFives | None
) -> list[int]:
    """Return how many of each five a frame with unknown tiles shows, without the ura dora indicators: the tiles that
    leave a hand may not have been seen."""
    turned = [event.indicator for event in events if isinstance(event, DoraRevealed)]
    seen = Counter(_fives_of([*_turned(start), *turned], red_fives))
    held = [Counter[int]() for _ in range(SEATS)]  # by player, the fives that are known to be in the hand
    for player, come, gone in _moves(start, events):
        if new := _fives_of(come, red_fives):
            seen.update(new)
            held[player].update(new)
        if left := _fives_of(gone, red_fives):
            seen.update(Counter(left) - held[player])
            held[player] -= Counter(left)
    for win in events:
        if isinstance(win, Win) and win.source is not None:  # the tile was seen before
            held[win.player].update(_fives_of((win.tile,), red_fives))
    for player, hand in hands.items():
        seen.update(Counter(_fives_of(hand, red_fives)) - held[player])
    return [seen[five] for five in range(_FIVES)]


def _moves(start: Start, events: Iterable[Event]) -> Iterator[tuple[int, Iterable[int], Iterable[int]]]:
    """Yield the player, the tiles that come into the hand, and those that leave it, in order."""
    for player, hand in enumerate(start.hands):
        yield player, hand, ()
    if start.fourteenth is not None:
        yield start.dealer, (start.fourteenth,), ()
    for event in events:
        if isinstance(event, Draw):
            yield event.player, (event.tile,), ()
        elif isinstance(event, Discard | Meld):
            yield event.player, (), from_hand(event)


_SUITS = len(NO_REDS)
_FIVES = 2 * _SUITS
"""The red and the plain ones; each has an index, in the order of :class:`Fives`."""


def _fives_of(tiles: Iterable[int], red_fives: RedFives | None) -> bytes:
    """Return which five each of *tiles* is, without other tiles."""
    table, others = _by_tile(red_fives)
    return bytes(tiles).translate(table, others)


def _counts(tiles: Iterable[int], red_fives: RedFives | None) -> tuple[int, ...]:
    """Return how many of each five there are among *tiles*."""
    return tuple(map(_fives_of(tiles, red_fives).count, range(_FIVES)))


def _fives(counts: Sequence[int]) -> Fives:
    """Return the fives seen so many times each."""
    return Fives(RedFives(*counts[:_SUITS]), RedFives(*counts[_SUITS:]))


@cache
def _by_tile(red_fives: RedFives | None) -> tuple[bytes, bytes]:
    """Return the index of the five that each tile is, and the tiles that are not fives."""
    indices = {tile: index for index, tile in enumerate((*RED_OF.values(), *RED_OF))}
    by_tile = [indices.get(any_copy(face), _FIVES) for face in faces(red_fives)]
    others = [tile for tile, five in enumerate(by_tile) if five == _FIVES]
    return bytes(by_tile).ljust(1 << 8), bytes(others)
