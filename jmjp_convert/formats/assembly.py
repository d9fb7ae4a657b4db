"""Assembles frames from their starts and events, for formats whose final hands follow from the play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from jmjp_convert.errors import PlayError
from jmjp_convert.formats.frame_builder import FrameBuilder
from jmjp_convert.model import End, Event, Frame, Rules, Ryuukyoku, Start, in_riichi
from jmjp_convert.model.match import endings_of
from jmjp_convert.model.record import replace
from jmjp_convert.play.dora_indicators import ten_dora
from jmjp_convert.play.judge import Judge, check_end, check_worth
from jmjp_convert.play.points import can_follow, changes_of, final_points
from jmjp_convert.play.red_fives import Fives, shown_fives, together
from jmjp_convert.play.table import Table, as_shown

# --- frames -----------------------------------------------------------------------------------------------------------

F = TypeVar("F")

_UNKNOWN = End((), None)


class Assembly(Generic[F]):
    """The frames of a match, each replayed.

    :param rules: the rules of the match.
    :param find: called with each impossible play and what its frame was read from; may raise. Such a frame is left out.
    """

    def __init__(self, rules: Rules, find: Callable[[PlayError, F], None]) -> None:
        self.frames: list[Frame] = []  # those that are possible
        self.possible: list[F] = []  # what each of them was read from
        self._rules = rules
        self._find = find
        self._judge = Judge(rules, every_frame=False)

    def add(
        self,
        origin: F,
        built: FrameBuilder,
        following: tuple[int, ...] | None = None,
        finish: Callable[[Frame], Frame] | None = None,
    ) -> bool:
        """Add the frame *built*; return whether it is possible.

        :param origin: what it was read from.
        :param following: the points by player at the start of the next frame, or at the end of the match without
            leftover sticks, if known. Payments that are not recorded follow from them.
        :param finish: returns the frame with what its reader adds after the replay, such as walls, times and points.
        """
        start = built.start
        events: Sequence[Event] = built.events
        try:
            self._judge.begin(start)
        except PlayError as error:
            self._find(error, origin)
        if following is not None:
            events = _with_changes(start, events, following)
        try:
            table = self._judge.play(start, events)
        except PlayError as error:
            return self._leave_out(error, origin)
        dora = None
        if start.indicator is not None:
            dora = ten_dora(table.turned, table.ura, self._rules.players)
        reached = table.end()
        end = _as_revealed(table, built.revealed) if built.revealed or any(table.unseen) else reached
        if built.shown is not None:
            events = _showing(events, built.shown, end)
        frame = Frame(start, tuple(events), end, dora)
        if end.points is None and following is not None and frame.endings:
            frame = replace(frame, end=replace(end, points=following))
        if end != reached and (fault := next(check_end(table, frame), None)) is not None:
            return self._leave_out(fault, origin)
        finished = frame if finish is None else finish(frame)
        if (worth := check_worth(finished)) is not None:
            return self._leave_out(worth, origin)
        self._judge.end(frame, table.sticks)
        self.frames.append(finished)
        self.possible.append(origin)
        return True

    def _leave_out(self, error: PlayError, origin: F) -> bool:
        self._judge.pass_over()
        self._find(error, origin)
        return False


def _as_revealed(table: Table, revealed: Mapping[int, tuple[int, ...]]) -> End:
    """Return the end of the frame at *table*, with the hands as they are *revealed*, or as far as they are known."""
    hands = table.known_hands()
    for player, tiles in revealed.items():
        hands[player] = as_shown(hands[player], tiles)
    return End(tuple(hands), table.end().points)


def points_after(built: FrameBuilder, then: Start | None) -> tuple[int, ...] | None:
    """Return the points by player after a frame, if *then* shows them: the start of the frame right after it."""
    return then.points if then is not None and then.points is not None and follows(built, then) else None


def follows(built: FrameBuilder, then: Start) -> bool:
    """Return whether *then* can be the start of the frame right after the one *built*."""
    return can_follow(Frame(built.start, tuple(built.events), _UNKNOWN, None), then)


def without_repeated(points: tuple[int, ...] | None, frames: Sequence[Frame]) -> tuple[int, ...] | None:
    """Return the *points* at the end of a match; ``None`` if they only repeat those after the last frame, without the
    riichi sticks left on the table."""
    if points is None or not frames or points == final_points(frames[-1]):
        return points
    return None if points == frames[-1].end.points else points


def _with_changes(start: Start, events: Sequence[Event], following: tuple[int, ...]) -> Sequence[Event]:
    """Return *events* with the payments of the ending, if there is only one and they are not recorded."""
    ending, *others = endings_of(events) or (None,)
    if ending is None or others or ending.changes is not None:
        return events
    paid = replace(ending, changes=changes_of(start, End((), following), in_riichi(events)))
    return [paid if event is ending else event for event in events]


def _showing(events: Sequence[Event], shown: Sequence[bool], end: End) -> Sequence[Event]:
    """Return *events* with the hands of *end* that are *shown* at the draw, if that is the only ending."""
    ending, *others = endings_of(events) or (None,)
    if others or not isinstance(ending, Ryuukyoku):
        return events
    hands = tuple([hand.closed if is_shown else None for hand, is_shown in zip(end.hands, shown, strict=True)])
    draw = replace(ending, shown=hands)
    return [draw if event is ending else event for event in events]


# --- red fives --------------------------------------------------------------------------------------------------------


def fives_of_frames(frames: Iterable[FrameBuilder]) -> Fives:
    """Return what the tiles of *frames* show of their fives."""
    return together(shown_fives(frame.start, frame.events, frame.revealed, come=frame.come) for frame in frames)
