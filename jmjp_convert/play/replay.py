"""Replays a whole frame."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from operator import length_hint
from typing import NamedTuple

from jmjp_convert.errors import PlayError
from jmjp_convert.model import End, Event, Rules, Start
from jmjp_convert.play.expectations import expect_wall
from jmjp_convert.play.ponds import PondTable
from jmjp_convert.play.table import Table, play_all


class Outcome(NamedTuple):
    """How a frame comes out: its *end*, the riichi *sticks* that stay on the table (a count, if known), the
    *indicators* of dora and *ura* dora that were turned, the tiles of the *wall* that nobody has seen, and how many of
    each player's have gone *unseen*: nobody knows which."""

    end: End
    sticks: int | None
    indicators: tuple[int, ...]
    ura: tuple[int, ...]
    wall: Collection[int]
    unseen: tuple[int, ...]


def replay(start: Start, events: Sequence[Event], rules: Rules) -> Outcome:
    """Play *events* from *start*.

    :returns: the hands as they lie, the points (``None`` if no event ends the frame), and what lies on the table.
    :raises PlayError: a play that cannot happen, with the index of its event.
    """
    table = Table(start, rules)
    remaining = iter(events)
    try:
        play_all(table, remaining)
        expect_wall(table)
    except PlayError as error:
        error.index = len(events) - length_hint(remaining) - 1
        raise
    return Outcome(table.end(), table.sticks, tuple(table.indicators), table.ura, table.wall, tuple(table.unseen))


def walk(start: Start, events: Sequence[Event], rules: Rules) -> Iterator[tuple[PondTable, Event]]:
    """Yield each of *events* with the table, the same one each time, as it stands before that event; when all are
    played, it stands as they leave it.

    :raises PlayError: as :func:`replay`.
    """
    table = PondTable(start, rules)
    index = -1
    try:
        for index, event in enumerate(events):  # noqa: B007 - an error tells the index of the last
            yield table, event
            table.play(event)
        expect_wall(table)
    except PlayError as error:
        error.index = index
        raise
