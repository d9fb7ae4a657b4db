"""Replays a whole frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import length_hint
from typing import TYPE_CHECKING

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Event, Frame, Rules, Start
from jmjp_convert.play.expectations import expect_wall
from jmjp_convert.play.table import Table, play_all

if TYPE_CHECKING:
    from jmjp_convert.play.ponds import PondTable


def replay(start: Start, events: Sequence[Event], rules: Rules) -> Table:
    """Play *events* from *start*; return the table after the last.

    :raises PlayError: a play is impossible; with the index of its event.
    """
    table = Table(start, rules)
    remaining = iter(events)
    try:
        play_all(table, remaining)
        expect_wall(table)
    except PlayError as error:
        error.index = len(events) - length_hint(remaining) - 1
        raise
    return table


def walk(frame: Frame, rules: Rules) -> Iterator[tuple[PondTable, Event]]:
    """Play *frame*: yield the table before each event, with that event.

    The table is the same object throughout. It advances when the next event is requested; after the last, it shows the
    end of the frame.

    :param rules: the rules of the match.
    :raises PlayError: the play is not recorded or is impossible; with the index of the event.
    """
    from jmjp_convert.play.ponds import PondTable

    table = PondTable(frame.start, rules)
    index = -1
    try:
        for index, event in enumerate(frame.events):  # noqa: B007 - an error has the index of the last
            yield table, event
            table.play(event)
        expect_wall(table)
    except PlayError as error:
        error.index = index
        raise
