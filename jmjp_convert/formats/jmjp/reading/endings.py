"""Infer how a frame ended from its acts and points."""

from __future__ import annotations

from jmjp_convert.formats.jmjp.reading.acts_to_events import Flow
from jmjp_convert.model import Discard, Draw, DrawKind, End, Event, Ryuukyoku, Start, Win
from jmjp_convert.play.points import changes_of

_TRIPLE = 3


def ended(flow: Flow, start: Start, end: End) -> list[Event]:
    """Return the events of *flow* with the one that ends the frame.

    A frame without a win and without points at its end is unfinished. With points but no win it is a draw, whose kind
    only the frame's text may tell (:mod:`~jmjp_convert.play.outcome_parser`). Three rons that change no points are a
    draw, too. The payments are the changes in points; where several win, only their sum is known.
    """
    events = flow.events
    if end.points is not None:
        flow.expect_no_kan()
    changes = changes_of(start, end, flow.paid)
    wins = _wins(events)
    if len(wins) == _TRIPLE and changes == (0, 0, 0, 0):
        chips = events[wins[0]].chips  # type: ignore[union-attr]
        draw = Ryuukyoku(DrawKind.TRIPLE_RON, changes=changes, chips=chips)
        return [*(event for event in events if type(event) is not Win), draw]
    if len(wins) == 1:
        win = events[wins[0]]
        assert type(win) is Win
        events[wins[0]] = Win(
            win.player, win.source, win.tile, changes=changes, chips=win.chips, chip_yaku=win.chip_yaku
        )
    if not wins and end.points is not None:
        if flow.riichi is not None:
            flow.accept_riichi()
            changes = changes_of(start, end, flow.paid)
        chips = None if flow.chips is None else flow.chips.changes
        events.append(Ryuukyoku(None, changes=changes, chips=chips))
    return events


def _wins(events: list[Event]) -> list[int]:
    """Return the indices of the wins, which can only come after the last draw or discard."""
    found: list[int] = []
    for index in range(len(events) - 1, -1, -1):
        kind = type(events[index])
        if kind is Draw or kind is Discard:
            break
        if kind is Win:
            found.insert(0, index)
    return found
