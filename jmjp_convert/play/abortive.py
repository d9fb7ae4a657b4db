"""Which abortive draw the play of a frame shows, where its record does not name it.

Sources: the rules of Tenhou (``docs/design/mjlog-traps.md``) and, for what a record leaves out, the real logs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from jmjp_convert.model import SEATS, Discard, Draw, DrawKind, Event, Meld, RiichiAccepted, Start
from jmjp_convert.model.events import KANS, MELDS, STEPS
from jmjp_convert.model.tiles import KINDS, TERMINALS_AND_HONORS, WIND_KINDS, kind
from jmjp_convert.play.melds import from_hand
from jmjp_convert.play.position import MOST_DRAWS

_FOUR: Final = 4
_NINE: Final = 9


def abortive_kind(start: Start, events: Sequence[Event]) -> DrawKind | None:
    """Return the kind of the abortive draw that ends a frame.

    :param start: its start.
    :param events: its events before the draw.
    :returns: nine terminals, four winds, four riichi or four kans; ``None`` if the play shows none of them, or if the
        draw may also be exhaustive or a triple ron.
    """
    steps = [event for event in events if type(event) in STEPS]
    drawn = sum(isinstance(event, Draw) for event in steps) + (start.fourteenth is not None)
    if drawn >= MOST_DRAWS[len(start.hands)]:
        return None
    if not steps or isinstance(steps[-1], Draw):
        return _before_discard(start, steps)
    if not isinstance(steps[-1], Discard):
        return None
    if sum(isinstance(event, RiichiAccepted) for event in events) == SEATS:
        return DrawKind.FOUR_RIICHI
    draw = _after_discard(start, steps)
    return None if draw is None or _may_be_ronned(start, steps, steps[-1]) else draw


def has_nine_terminals(tiles: Iterable[int]) -> bool:
    """Return whether *tiles*, a hand with the tile drawn, have nine kinds of terminals and honors."""
    return len(TERMINALS_AND_HONORS.intersection(map(kind, tiles))) >= _NINE


def _before_discard(start: Start, steps: Sequence[Event]) -> DrawKind | None:
    """Return nine terminals, if a player may declare them instead of the first discard."""
    player, tile = (start.dealer, start.fourteenth) if not steps else (steps[-1].player, steps[-1].tile)  # type: ignore[union-attr]
    first = not any(isinstance(event, Discard) and event.player == player for event in steps)
    if tile is None or not first or not MELDS.isdisjoint(map(type, steps)):
        return None
    return DrawKind.NINE_TERMINALS if has_nine_terminals((*start.hands[player], tile)) else None


def _after_discard(start: Start, steps: Sequence[Event]) -> DrawKind | None:
    """Return four winds or four kans, if the last discard ends the frame so."""
    discards = [kind(event.tile) for event in steps if isinstance(event, Discard)]
    kans = [event for event in steps if type(event) in KANS]
    if len(start.hands) == SEATS and len(discards) == SEATS and MELDS.isdisjoint(map(type, steps)):
        return DrawKind.FOUR_WINDS if len({*discards}) == 1 and discards[0] in WIND_KINDS else None
    if len(kans) != _FOUR or len({kan.player for kan in kans}) == 1:  # type: ignore[union-attr]
        return None
    after = steps[steps.index(kans[-1]) + 1 :]
    return DrawKind.FOUR_KANS if sum(isinstance(event, Discard) for event in after) == 1 else None


def _may_be_ronned(start: Start, steps: Sequence[Event], last: Discard) -> bool:
    """Return whether all other players may have ronned the *last* discard, or whether that is unknown."""
    players = len(start.hands)
    hands = [_closed(start, steps, player) for player in range(players)]
    others = [hand for player, hand in enumerate(hands) if player != last.player]
    return not all(hands) or all(_waits(hand, last.tile, players) for hand in others)


def _closed(start: Start, steps: Sequence[Event], player: int) -> list[int | None]:
    """Return the kinds of the closed tiles of *player* after *steps*: which fives are red, the record may not say yet.
    Nothing, if tiles left the hand that it did not have, or it has too few or too many."""
    held = Counter(map(kind, start.hands[player]))
    if start.fourteenth is not None and player == start.dealer:
        held[kind(start.fourteenth)] += 1
    for event in steps:
        if isinstance(event, Draw) and event.player == player:
            held[kind(event.tile)] += 1
        elif isinstance(event, Discard | Meld) and event.player == player:
            held.subtract(map(kind, from_hand(event)))
    return [*held.elements()] if min(held.values(), default=0) >= 0 and held.total() % 3 == 1 else []


def _waits(hand: Sequence[int | None], tile: int, players: int) -> bool:
    """Return whether a *hand*, by kind, is complete with *tile*, or may be."""
    from jmjp_convert.play.shanten import shanten  # needed for few draws

    kinds = [*hand, kind(tile)]
    if None in kinds:
        return True
    counts = [kinds.count(number) for number in range(KINDS)]
    return shanten(counts, players=players) < 0
