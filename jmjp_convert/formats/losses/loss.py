"""A loss: something that a format leaves out of a match or holds differently, as a change from match to match.

A change returns a match with nothing to lose as it is. Losses apply in a fixed order; consecutive losses of frames
share one pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter, is_not
from typing import Any, Final, TypeVar, cast

from jmjp_convert.model import (
    Discard,
    Draw,
    Event,
    Frame,
    Match,
    Player,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Tournament,
    Win,
)
from jmjp_convert.model.record import Record, replace

R = TypeVar("R")
E = TypeVar("E", Win, Ryuukyoku)

Test = Callable[[Match], object]
FrameChange = Callable[[Frame, Match], Frame]
"""Changes a frame of a match; the match is as it was before this pass over its frames."""
MatchChange = Callable[[Match], Match]
Clears = tuple[tuple[type, Mapping[str, Any]], ...]
"""Fields that get a constant value: by the type of a record, the values by field."""


class Loss(Record):
    """Something that a format leaves out or holds differently."""

    __slots__ = ("phrase", "affects", "frame", "match", "among", "clears", "parts")

    def __init__(
        self,
        phrase: str = "",
        affects: Test | None = None,
        frame: FrameChange | None = None,
        match: MatchChange | None = None,
        among: frozenset[type] = frozenset(),
        clears: Clears = (),
        parts: tuple[str, ...] = (),
    ) -> None:
        # What it is, for the line on stderr and the docs; empty for what follows from the rest.
        self.phrase: Final = phrase
        # Whether a match has something to lose, as it is before any loss; by default, whether the change changes it.
        self.affects: Final = affects or (lambda whole: reduced(whole, [self]) is not whole)
        self.frame: Final = frame  # changes each frame
        self.match: Final = match  # changes the match; a loss has at most one of the two
        # The events without any of which frame changes nothing; empty if it may change any frame.
        self.among: Final = among
        self.clears: Final = clears  # the fields that get a constant value, in a trait
        # The keys of the traits of which this loss takes a part. Without a phrase, theirs are reported.
        self.parts: Final = parts


# --- applying losses -------------------------------------------------------------------------------------------------


def reduced(match: Match, losses: Sequence[Loss]) -> Match:
    """Return *match* without what the changes of *losses* take from it one after the other; itself if that is nothing.

    Fields that a loss clears are left to :func:`clear_frame` and :func:`clear_match`.
    """
    of_frames: list[Loss] = []
    for loss in losses:
        if loss.match is None:
            of_frames.append(loss)
            continue
        match, of_frames = loss.match(_in_frames(match, of_frames)), []
    return _in_frames(match, of_frames)


def _in_frames(match: Match, losses: Sequence[Loss]) -> Match:
    if not losses:
        return match
    frames = tuple([_in_frame(frame, match, losses) for frame in match.frames])
    return put(match, frames=frames) if any(map(is_not, frames, match.frames)) else match


def _in_frame(frame: Frame, match: Match, losses: Sequence[Loss]) -> Frame:
    kinds = {Draw, Discard, *map(type, frame.others)}
    for loss in losses:
        if loss.frame is None or (loss.among and loss.among.isdisjoint(kinds)):
            continue
        new = loss.frame(frame, match)
        if len(new.events) > len(frame.events):  # a change that adds an event does not take another away
            kinds.update(map(type, new.events))
        frame = new
    return frame


def by_record(clears: Clears) -> dict[type, dict[str, Any]]:
    """Return all values of *clears* by the type of their record."""
    values: dict[type, dict[str, Any]] = {}
    for record, fields in clears:
        values.setdefault(record, {}).update(fields)
    return values


def clear_frame(clears: Clears) -> FrameChange:
    """Return a change of a frame to the values of *clears*."""
    of_frame, of_start, of_win, of_draw, of_riichi = _clearing(clears, Frame, Start, Win, Ryuukyoku, RiichiDeclared)

    def apply(frame: Frame, _: Match) -> Frame:
        events = changed_endings(frame, lambda ending: of_win(ending) if type(ending) is Win else of_draw(ending))
        events = tuple([of_riichi(event) if type(event) is RiichiDeclared else event for event in events])
        return of_frame(put(frame, start=of_start(frame.start), events=events))  # type: ignore[no-any-return]

    return apply


def clear_match(clears: Clears) -> MatchChange:
    """Return a change of what is around the frames of a match to the values of *clears*."""
    of_match, of_rules, of_player, of_tournament = _clearing(clears, Match, Rules, Player, Tournament)

    def apply(match: Match) -> Match:
        return of_match(  # type: ignore[no-any-return]
            put(
                match,
                rules=of_rules(match.rules),
                players=tuple(map(of_player, match.players)),
                tournament=match.tournament and of_tournament(match.tournament),
            )
        )

    return apply


def _clearing(clears: Clears, *records: type) -> list[Callable[[Any], Any]]:
    values = by_record(clears)
    return [_clear(values.get(record, {})) for record in records]


def _clear(values: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Return a function that returns a record with *values*, itself if it has them."""
    if not values:
        return lambda record: record
    read, same = reading(values)
    return lambda record: record if read(record) == same else replace(record, **values)


def reading(values: Mapping[str, Any]) -> tuple[Callable[[Any], Any], Any]:
    """Return what reads the fields that *values* names from a record, and what it reads if the record has *values*."""
    fixed = tuple(values.values())
    return attrgetter(*values), fixed if len(fixed) > 1 else fixed[0]


# --- making changes --------------------------------------------------------------------------------------------------


def put(record: R, **values: Any) -> R:
    """Return *record* with *values* in its fields; itself if it has them."""
    for name, value in values.items():
        old = getattr(record, name)
        if old is not value and (old != value or type(old) is not type(value)):
            return cast("R", replace(cast("Any", record), **values))
    return record


def changed_endings(frame: Frame, change: Callable[[Any], Any]) -> tuple[Event, ...]:
    """Return the events of *frame* with each ending as *change* returns it; it returns ``None`` to leave one out."""
    events = frame.events
    index = len(events)
    changed: list[Event] | None = None
    while index:
        index -= 1
        event = events[index]
        kind = type(event)
        if kind is Draw or kind is Discard:
            break
        if kind is Win or kind is Ryuukyoku:
            new = change(event)
            if new is not event:
                changed = changed if changed is not None else [*events]
                changed[index : index + 1] = [] if new is None else [new]
    return events if changed is None else tuple(changed)


def in_endings(frame: Frame, change: Callable[[Any], Any]) -> Frame:
    """Return *frame* with :func:`changed_endings`."""
    events = changed_endings(frame, change)
    return frame if events is frame.events else with_events(frame, events)


def with_events(frame: Frame, events: Sequence[Event]) -> Frame:
    """Return *frame* with other *events*, and without the times of those it had."""
    return Frame(frame.start, tuple(events), frame.end, frame.dora, frame.comment, frame.wall, notes=frame.notes)


def of_each(kind: type[E], change: Callable[[E, Frame, Match], E | None]) -> FrameChange:
    """Return a change of the endings of one *kind*, given one with its frame and match; ``None`` leaves it out."""

    def apply(frame: Frame, match: Match) -> Frame:
        return in_endings(frame, lambda ending: change(ending, frame, match) if type(ending) is kind else ending)

    return apply


def of_events(change: FrameChange, *among: type) -> Loss:
    """Return the loss of what *change* takes from frames with any event *among* these."""
    return Loss(frame=change, among=frozenset(among))


def of_wins(change: Callable[[Win, Frame, Match], Win], **fields: Any) -> Loss:
    """Return the loss of what *change* takes from each win; *fields* are those of the loss."""
    return Loss(frame=of_each(Win, change), among=frozenset({Win}), **fields)


def of_draws(change: Callable[[Ryuukyoku, Frame, Match], Ryuukyoku | None], **fields: Any) -> Loss:
    """Return the loss of what *change* takes from each draw; *fields* are those of the loss."""
    return Loss(frame=of_each(Ryuukyoku, change), among=frozenset({Ryuukyoku}), **fields)


def of_players(change: Callable[[Player], Player]) -> MatchChange:
    """Return a change of each player."""
    return lambda match: put(match, players=tuple(map(change, match.players)))


# --- where to look ---------------------------------------------------------------------------------------------------


def alters(change: MatchChange, read: Callable[[Match], object]) -> Test:
    """Return a test for whether a *change* of a match changes what *read* returns for it."""
    return lambda match: read(change(match)) != read(match)


def any_of(kind: type[R], test: Callable[[R], object]) -> Test:
    """Return a test for whether any record of this *kind* in a match passes *test*."""
    return lambda match: any(map(test, RECORDS[kind](match)))


RECORDS: Final[dict[type, Callable[[Match], Iterable[Any]]]] = {
    Match: lambda match: (match,),
    Rules: lambda match: (match.rules,),
    Player: lambda match: match.players,
    Tournament: lambda match: (match.tournament,) if match.tournament else (),
    Frame: lambda match: match.frames,
    Start: lambda match: (frame.start for frame in match.frames),
    Win: lambda match: (win for frame in match.frames for win in frame.wins),
    Ryuukyoku: lambda match: (draw for frame in match.frames for draw in frame.endings if type(draw) is Ryuukyoku),
    RiichiDeclared: lambda match: (
        event for frame in match.frames for event in frame.others if type(event) is RiichiDeclared
    ),
}
"""The records of a match by their type."""
