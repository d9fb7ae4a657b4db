"""The wins in logs that other programs write, turned into Tenhou's (``docs/design/mjlog-traps.md`` 23)."""

from __future__ import annotations

from collections.abc import Sequence

from jmjp_convert.model import Ankan, Event, Kakan, Meld, Win
from jmjp_convert.model.record import replace
from jmjp_convert.play.points import STICK


def with_tenhou_wins(events: Sequence[Event]) -> list[Event]:
    """Return the *events* of a frame with their wins as Tenhou writes them."""
    first = next((index for index, event in enumerate(events) if isinstance(event, Win)), len(events))
    wins = [event for event in events[first:] if isinstance(event, Win)]
    shown = iter(_without_honba(_apart([_shown(win, events[:first]) for win in wins])))
    return [*events[:first], *[next(shown) if isinstance(event, Win) else event for event in events[first:]]]


def _shown(win: Win, played: Sequence[Event]) -> Win:
    """Return *win* with the ronned tile in the hand, and with the winner's melds as they were *played*, if it has no
    others and all but ankans."""
    hand, listed = win.hand or (), win.melds or ()
    if win.source is not None and win.tile not in hand:
        hand = tuple(sorted((*hand, win.tile)))
    melds: list[Meld] = []
    for event in played:
        if not isinstance(event, Meld) or event.player != win.player:
            continue
        if isinstance(event, Kakan) and event.pon in melds:
            melds[melds.index(event.pon)] = event
        else:
            melds.append(event)
    known = [*melds, *[meld.pon for meld in melds if isinstance(meld, Kakan)]]
    if all(meld in known for meld in listed) and all(meld in listed or isinstance(meld, Ankan) for meld in melds):
        listed = tuple(melds)
    return replace(win, hand=hand, melds=listed)


def _apart(wins: list[Win]) -> list[Win]:
    """Return *wins* with the payments of each, if each has those of all."""
    if len(wins) < 2 or any((win.before, win.changes) != (wins[0].before, wins[0].changes) for win in wins):  # noqa: PLR2004
        return wins
    before, total = wins[0].before, wins[0].changes
    assert before is not None
    assert total is not None
    found = []
    for win in wins:
        assert win.score is not None
        sticks, rest = divmod(total[win.player] - win.score.points, STICK)
        if win.source is None or rest or sticks not in (0, win.sticks):
            return wins
        changes = [0] * len(total)
        changes[win.player], changes[win.source] = total[win.player], -win.score.points
        found.append(replace(win, before=before, changes=tuple(changes), sticks=sticks))
        before = tuple([points + change for points, change in zip(before, changes, strict=True)])
    return found


def _without_honba(wins: list[Win]) -> list[Win]:
    """Return *wins* with values without honba, if those of all count it."""
    found = []
    for win in wins:
        assert win.score is not None
        assert win.changes is not None
        if not win.honba or win.changes[win.player] - (win.sticks or 0) * STICK != win.score.points:
            return wins
        honba = _EACH * (len(win.changes) - 1) * win.honba
        found.append(replace(win, score=replace(win.score, points=win.score.points - honba)))
    return found


_EACH = 100
"""What a honba costs each of the others."""
