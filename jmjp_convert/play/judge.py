"""Judges the frames of a match in order, for every reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Event, Frame, Rules, Start
from jmjp_convert.play.continuity import can_follow, check_follows
from jmjp_convert.play.endings import check_end
from jmjp_convert.play.replay import Outcome, replay


class Judge:
    """Judges the frames of a match in their order.

    :param every_frame: whether the record holds every frame. Where it may leave some out, a frame is compared with the
        one before it only if it can follow that one.
    :ivar before: the last frame that was judged, if nothing was found that cannot be.
    """

    def __init__(self, rules: Rules, *, every_frame: bool) -> None:
        self._rules = rules
        self._every_frame = every_frame
        self.before: Frame | None = None
        self._sticks: int | None = None  # that it left on the table

    def begin(self, start: Start) -> None:
        """Check that the frame that begins by *start* takes up what the one before it left.

        :raises StartError: it does not.
        """
        if self.before is not None and (self._every_frame or can_follow(self.before, start)):
            check_follows(self.before.end.points, self._sticks, start)

    def play(self, start: Start, events: Sequence[Event]) -> Outcome:
        """Return how a frame comes out.

        :raises PlayError: it has a play that cannot happen.
        """
        return replay(start, events, self._rules)

    def end(self, frame: Frame, outcome: Outcome) -> None:
        """Remember what *frame*, which came out so, leaves to the next."""
        self.before, self._sticks = frame, outcome.sticks

    def pass_over(self) -> None:
        """Forget the frame before: what the next takes up is not known."""
        self.before = None

    def frame(self, frame: Frame, fault: PlayError | None = None) -> Iterator[PlayError]:
        """Yield all that is wrong with *frame*, of which the record says how it ended; remember what it leaves.

        :param fault: what its reader found impossible. No event from its index on is played; none at all if it has no
            event's index.
        """
        try:
            self.begin(frame.start)
        except PlayError as error:
            yield error
        self.pass_over()
        outcome = None
        try:
            outcome = self._outcome(frame, fault)
        except PlayError as error:
            yield error
        if outcome is not None:
            self.end(frame, outcome)
        yield from check_end(outcome, frame)

    def _outcome(self, frame: Frame, fault: PlayError | None) -> Outcome | None:
        """Return how *frame* comes out, ``None`` if its play is not recorded."""
        if fault is None:
            return self.play(frame.start, frame.events) if frame.start.hands else None
        if fault.index >= 0:
            self.play(frame.start, frame.events[: fault.index])
        raise fault
