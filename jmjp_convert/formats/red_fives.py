"""Determines from the tiles whether there are red fives, where a record does not say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from jmjp_convert.formats.assembly import Played
from jmjp_convert.model import Discard, DoraRevealed, Draw, Event, Meld, Win
from jmjp_convert.model.tiles import COPIES, RED_FIVES, any_copy
from jmjp_convert.play.melds import tiles_of

_REDS = {any_copy(face): any_copy(face.replace("0", "5")) for face in RED_FIVES.values()}
"""The plain fives by their red ones."""


def red_fives(frames: Iterable[Played]) -> bool | None:
    """Return whether there are red fives: True if one of *frames* has one, False if one has four plain fives of a suit,
    ``None`` if they do not show it. All tiles are known by face."""
    found = None
    for played in frames:
        start, events = played.start, played.events
        dealt = [*start.hands, (start.indicator, *start.kan_indicators)]
        if any(not _REDS.keys().isdisjoint(tiles) for tiles in (*dealt, *played.lying.values(), *map(_tiles, events))):
            return True
        drawn = [event.tile for event in events if type(event) is Draw]
        seen = Counter([*drawn, *(tile for tiles in dealt for tile in tiles)])
        seen.update(event.indicator for event in events if type(event) is DoraRevealed)
        if any(seen[plain] >= COPIES for plain in _REDS.values()):
            found = False
    return found


def _tiles(event: Event) -> tuple[int, ...]:
    if isinstance(event, Draw | Discard):
        return (event.tile,)
    if isinstance(event, Meld):
        return tiles_of(event)
    if isinstance(event, Win):
        return event.ura
    return (event.indicator,) if isinstance(event, DoraRevealed) else ()
