"""Reduces a match to faces, for formats that name tiles by face and leave the hands at the end to the play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from jmjp_convert.formats.assembly import Played, known
from jmjp_convert.formats.dora_indicators import ten_dora, with_indicators
from jmjp_convert.formats.faces import after_discard, by_face
from jmjp_convert.formats.split_payments import payments
from jmjp_convert.model import (
    DRAWS,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    Event,
    Frame,
    Match,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.model.events import ACCEPTED
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.course import Course
from jmjp_convert.play.replay import replay

Changes = tuple[int, ...]

_PRESENCE = frozenset((Disconnected, Returned))


class FrameProjection:
    """What a format holds of the frames of a match, by face.

    :param match: the match; it has the play, points and riichi sticks of each frame.
    :param rules: its rules as the format holds them.
    :param win: returns what is held of a win, given the win by face with its payments, and its frame.
    :param draw: returns what is held of a draw, given the same.
    :param turns: whether the format shows when a dora was turned.
    :param presences: whether it holds disconnections and returns.
    :param arrange: returns the events as the format arranges them.
    """

    def __init__(
        self,
        match: Match,
        rules: Rules,
        *,
        win: Callable[[Win, Frame], Win],
        draw: Callable[[Ryuukyoku, Frame], Ryuukyoku],
        turns: bool,
        presences: bool = False,
        arrange: Callable[[list[Event]], Sequence[Event]] = tuple,
    ) -> None:
        self._match = match
        self._rules = rules
        self._win = win
        self._draw = draw
        self._turns = turns
        self._presences = presences
        self._arrange = arrange
        self._faces = by_face(red_fives=match.rules.red_fives)

    def played(self, frame: Frame) -> Played:
        """Return what is held of the start and events of *frame*, whose play is recorded."""
        shown = with_indicators(frame, self._match.rules)
        paid = payments(frame, self._match.point_rule)
        return Played(self._start(shown), tuple(self._arrange(self._events(shown, iter(paid)))))

    def frame(self, frame: Frame) -> Frame:
        """Return what is held of *frame*, whose play is recorded."""
        start, events = self.played(frame)[:2]
        table = replay(start, events, self._rules)
        end = known(table.end(), table)
        if end.points is None and frame.endings:
            end = replace(end, points=frame.end.points)
        dora = None if start.indicator is None else ten_dora(table.turned, table.ura, self._rules.players)
        return Frame(start, tuple(events), end, dora)

    def _start(self, frame: Frame) -> Start:
        start, faces = frame.start, self._faces
        later: list[int] = []
        if not self._turns and start.indicator is not None:
            later = [event.indicator for event in frame.events if isinstance(event, DoraRevealed)]
        return Start(
            start.round,
            start.honba,
            start.sticks,
            start.dealer,
            None,
            start.points,
            tuple(map(faces.hand, start.hands)),
            None if start.indicator is None else faces.any[start.indicator],
            kan_indicators=tuple([faces.any[tile] for tile in later]),
        )

    def _events(self, frame: Frame, paid: Iterator[Changes | None]) -> list[Event]:
        """Return the events that are held: a riichi is declared with its discard and accepted right after it."""
        faces, course = self._faces, Course(frame.start)
        events: list[Event] = []
        if frame.start.fourteenth is not None:
            events.append(DRAWS[frame.start.dealer][faces.any[frame.start.fourteenth]])
        for event in frame.events:
            kind = type(event)
            if kind is Draw:
                course.drawn, course.replacement = event.tile, None  # type: ignore[union-attr]
                events.append(faces.draws[event.player][event.tile])  # type: ignore[union-attr]
            elif kind is Discard:
                tsumogiri = course.is_tsumogiri(event)  # type: ignore[arg-type]
                tile = course.drawn if tsumogiri and course.drawn != UNKNOWN else event.tile  # type: ignore[union-attr]
                events.append(faces.discards[tsumogiri][event.player][tile])  # type: ignore[union-attr,index]
                course.drawn = None
            else:
                course.follow(event)
                self._add(event, events, frame, paid)
        return events

    def _add(self, event: Event, events: list[Event], frame: Frame, paid: Iterator[Changes | None]) -> None:
        """Add what is held of *event*, neither a draw nor a discard, to *events*."""
        if isinstance(event, RiichiDeclared):
            events.append(event)
        elif isinstance(event, RiichiAccepted):
            events.insert(after_discard(events), ACCEPTED[event.player])
        elif isinstance(event, DoraRevealed):
            if self._turns:
                events.append(DoraRevealed(self._faces.any[event.indicator]))
        elif isinstance(event, Win):
            held = Win(event.player, event.source, self._faces.any[event.tile], changes=next(paid))
            ura = tuple([self._faces.any[tile] for tile in event.ura])
            events.append(self._win(replace(held, score=event.score, pao=event.pao, ura=ura), frame))
        elif isinstance(event, Ryuukyoku):
            shown = event.shown and tuple(None if hand is None else self._faces.hand(hand) for hand in event.shown)
            events.append(self._draw(Ryuukyoku(event.kind, shown, changes=next(paid)), frame))
        elif type(event) in _PRESENCE:
            if self._presences:
                events.append(event)
        else:
            events.append(self._faces.meld(event))  # type: ignore[arg-type]
