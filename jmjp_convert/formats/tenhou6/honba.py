"""Correct the payments of several winners where a program counted the honba for each.

The honba go to the first winner alone, on Tenhou and on Mahjong Soul (``docs/design/scoring.md``). Converters that stem
from tensoul's (``convert.js``) pay them to every winner. The points of the next frame, which they copy from the record,
show it.
"""

from __future__ import annotations

from collections.abc import Sequence

from jmjp_convert.formats.assembly import Played
from jmjp_convert.model import End, Event, Win, in_riichi
from jmjp_convert.model.record import replace
from jmjp_convert.play.points import changes_of

_HONBA = 100
"""Paid per honba for each player but the winner."""


def is_doubtful(played: Played) -> bool:
    """Return whether the frame has honba and several winners."""
    return played.start.honba > 0 and list(map(type, played.events)).count(Win) > 1


def paid_once(played: Played, after: tuple[int, ...] | None) -> Sequence[Event] | None:
    """Return the events of a frame with the honba paid to the first winner alone, if only that explains the points.

    :param played: a frame with honba and several winners.
    :param after: the points after it; ``None`` if unknown.
    """
    start, events = played.start, played.events
    wins = [event for event in events if isinstance(event, Win) and event.source is not None]
    wanted = None if after is None else changes_of(start, End((), after), in_riichi(events))
    if wanted is None or wanted == _total(wins):
        return None
    once = [wins[0], *(_without(win, _HONBA * start.honba * (len(start.hands) - 1)) for win in wins[1:])]
    if _total(once) != wanted:
        return None
    corrected = dict(zip(wins, once, strict=True))
    return [corrected.get(event, event) if isinstance(event, Win) else event for event in events]


def _total(wins: Sequence[Win]) -> tuple[int, ...] | None:
    """Return the sum of all payments, if they are known."""
    changes = [win.changes for win in wins if win.changes is not None]
    return tuple(map(sum, zip(*changes, strict=True))) if len(changes) == len(wins) else None


def _without(win: Win, honba: int) -> Win:
    """Return *win* without the points of the *honba*."""
    if win.changes is None or win.source is None:
        return win
    changes = [*win.changes]
    changes[win.player] -= honba
    changes[win.source] += honba
    return replace(win, changes=tuple(changes))
