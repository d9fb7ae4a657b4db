"""The red fives in melds of jmjp[0], which does not name all tiles of a pon or kan: the reader infers them, and the
writer checks that they can be inferred."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from jmjp_convert.formats.jmjp.notation import plain
from jmjp_convert.model import Ankan, Call, Daiminkan, Discard, Draw, Event, Hand, Kakan, Pon, Start, Win
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import RED_OF

_Unnamed = Pon | Daiminkan | Ankan
_Any = TypeVar("_Any", bound=Event)


def complete(start: Start, events: list[Event], hands: tuple[Hand, ...]) -> tuple[list[Event], tuple[Hand, ...]]:
    """Insert the red fives into the melds of *events* and of the *hands* at the end that must hold them.

    A meld of fives with unnamed tiles holds as many red fives as its caller had that have not gone elsewhere.
    """
    for event in [event for event in events if isinstance(event, _Unnamed)]:
        red, owner = RED_OF.get(plain(_last_tile(event))), event.player
        if red is None:
            continue
        count = _had(owner, start, events)[red] - _gone(owner, events, hands[owner])[red]
        if count > 0:
            meld = _with_red(event, red, count)
            events = [_exchanged(other, event, meld) for other in events]
            melds = [tuple([_exchanged(other, event, meld) for other in hand.melds]) for hand in hands]
            hands = tuple([replace(hand, melds=melds[player]) for player, hand in enumerate(hands)])
    return events, hands


def can_be_inferred(start: Start, events: Sequence[Event], hands: tuple[Hand, ...]) -> bool:
    """Return whether the tiles of all melds can be inferred if they are not named.

    They cannot where an unknown tile may be a red five, where a tile is known only from a meld, or where a kakan at the
    end differs from the declared one.
    """
    kakans = {meld for hand in hands for meld in hand.melds if isinstance(meld, Kakan)}
    alike = {(kan.player, kan.pon.taken, kan.pon.source) for kan in kakans}
    if len(alike) < len(kakans) or not kakans.issubset(events):
        return False
    bare_hands = tuple([replace(hand, melds=tuple(map(bare, hand.melds))) for hand in hands])
    return complete(start, list(map(bare, events)), bare_hands) == ([*events], hands)


def bare(event: _Any) -> _Any:
    """Return *event*, with plain tiles for those that dialect 0 does not name in a meld."""
    if isinstance(event, Pon | Daiminkan):
        return replace(event, hand=(plain(event.taken),) * len(event.hand))
    if isinstance(event, Ankan):
        return replace(event, tiles=(plain(event.tiles[-1]),) * len(event.tiles))
    return replace(event, pon=bare(event.pon)) if isinstance(event, Kakan) else event


def _last_tile(meld: _Unnamed) -> int:
    return meld.tiles[-1] if isinstance(meld, Ankan) else meld.taken


def _had(owner: int, start: Start, events: list[Event]) -> Counter[int | None]:
    """Return the tiles that *owner* was dealt, drew or won by ron."""
    came = [event.tile for event in events if isinstance(event, Draw) and event.player == owner]
    won = [
        event.tile for event in events if isinstance(event, Win) and event.player == owner and event.source is not None
    ]
    return Counter([*start.hands[owner], *came, *won, start.fourteenth if owner == start.dealer else None])


def _gone(owner: int, events: list[Event], left: Hand) -> Counter[int | None]:
    """Return the tiles that *owner* discarded, put into melds or has *left* at the end."""
    gone = Counter[int | None]([*left.tiles, left.drawn])
    for event in events:
        if isinstance(event, Discard | Kakan) and event.player == owner:
            gone[event.tile] += 1
        elif isinstance(event, Call | Ankan) and event.player == owner:
            gone.update(event.tiles if isinstance(event, Ankan) else event.hand)
    return gone


def _with_red(meld: _Unnamed, red: int, count: int) -> _Unnamed:
    """Return *meld* with the tile *red* in place of the first *count* tiles from the hand."""
    tiles = meld.tiles if isinstance(meld, Ankan) else meld.hand
    tiles = (*[red] * min(count, len(tiles)), *tiles[count:])
    return replace(meld, tiles=tiles) if isinstance(meld, Ankan) else replace(meld, hand=tiles)


def _exchanged(event: _Any, old: _Unnamed, new: _Unnamed) -> _Any:
    """Return *event* with *old* replaced by *new*."""
    if event == old:
        return new  # type: ignore[return-value]
    if isinstance(event, Kakan) and event.pon == old and isinstance(new, Pon):
        return replace(event, pon=new)
    return event
