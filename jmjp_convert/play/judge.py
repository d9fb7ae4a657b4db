"""Checks the frames of a match in order, for all readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Event, Frame, Rules, Start
from jmjp_convert.play.continuity import can_follow, discontinuity
from jmjp_convert.play.endings import check_end
from jmjp_convert.play.replay import replay
from jmjp_convert.play.table import Table


class Judge:
    """Checks the frames of a match in order.

    :param every_frame: whether the record has every frame. If some may be missing, a frame is compared with the
        previous one only if it can follow it.
    :ivar before: the last frame checked, if it was possible.
    """

    def __init__(self, rules: Rules, *, every_frame: bool) -> None:
        self._rules = rules
        self._every_frame = every_frame
        self.before: Frame | None = None
        self._sticks: int | None = None  # left on the table by that frame

    def begin(self, start: Start) -> None:
        """Check that *start* continues from the previous frame.

        :raises StartError: it does not.
        """
        before = self.before
        if before is None:
            return
        error = discontinuity(before.end.points, self._sticks, start)
        if error is not None and (self._every_frame or can_follow(before, start)):
            raise error

    def play(self, start: Start, events: Sequence[Event]) -> Table:
        """Return the table at the end of a frame.

        :raises PlayError: a play is impossible.
        """
        return replay(start, events, self._rules)

    def end(self, frame: Frame, sticks: int | None) -> None:
        """Remember *frame* for the next, and the riichi *sticks* that it leaves on the table, if known."""
        self.before, self._sticks = frame, sticks

    def pass_over(self) -> None:
        """Forget the previous frame: the next one has nothing to continue from."""
        self.before = None

    def frame(self, frame: Frame, fault: PlayError | None = None) -> Iterator[PlayError]:
        """Yield all problems with *frame*, including its recorded end; remember what it leaves.

        :param fault: an error that the reader found. Events from its index on are not played; none are if its index is
            not that of an event.
        """
        try:
            self.begin(frame.start)
        except PlayError as error:
            yield error
        self.pass_over()
        table = None
        try:
            table = self._table(frame, fault)
        except PlayError as error:
            yield error
        if table is not None:
            self.end(frame, table.sticks)
        yield from check_end(table, frame)

    def _table(self, frame: Frame, fault: PlayError | None) -> Table | None:
        """Return the table at the end of *frame*, or ``None`` if its play is not recorded."""
        if fault is None:
            return self.play(frame.start, frame.events) if frame.start.hands else None
        if fault.index >= 0:
            self.play(frame.start, frame.events[: fault.index])
        raise fault
