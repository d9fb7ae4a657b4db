"""Checks that need the whole match: date, frame order, dora, payers, early exhaustive draws, final result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from jmjp_convert.errors import MatchError
from jmjp_convert.messages import Message, Points, Results, Who
from jmjp_convert.model import (
    TO_THE_LAST,
    Discard,
    DoraRevealed,
    Draw,
    Ending,
    Event,
    Frame,
    Kan,
    Match,
    Ryuukyoku,
    Win,
    dates,
    houses,
)
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.points import can_follow, final_points, is_partial, results
from jmjp_convert.play.position import MOST_DRAWS

_LEAST_PAO = 16000  # half of the smallest yakuman
_THOUSAND = 1000
_SECOND = 2  # the index of the second dora in those of a frame


def numbered(matches: Sequence[Match]) -> Iterator[tuple[str, Match]]:
    """Yield each of the *matches* of a file with what its problems begin with: its number, if there are several."""
    for number, match in enumerate(matches, 1):
        yield f"match {number}: " if len(matches) > 1 else "", match


def check_match(match: Match, which: str = "", *, gaps: bool = False, strict: bool = False) -> Iterator[MatchError]:
    """Yield the problems of *match* that the replay of its frames does not find: the weekday, the frame order,
    dora without kans, the payers, early exhaustive draws and, unless the table has its own rules, the final result.

    :param which: what the problems begin with.
    :param gaps: whether frames of the record are missing from *match*.
    :param strict: whether an unfinished frame is a problem.
    """
    for error in _check(match, gaps=gaps, strict=strict):
        error.which = which
        yield error


def _check(match: Match, *, gaps: bool, strict: bool) -> Iterator[MatchError]:
    yield from _check_date(match)
    for number, frame in enumerate(match.frames):
        if strict and frame.is_unfinished:
            yield MatchError("unfinished frame", frame=number, name=frame.start.name, index=len(frame.events) - 1)
        if frame.dora is not None and frame.dora[_SECOND] != UNKNOWN and (index := _without_kan(frame)) is not None:
            yield MatchError("a dora is turned without a kan", frame=number, name=frame.start.name, index=index)
        endings = frame.endings
        if not (len(endings) == 1 and _is_usual_win(endings[0])):
            for ending, reason in _check_endings(endings, frame, match.rules.players):
                index = next(index for index, event in enumerate(frame.events) if event is ending)
                yield MatchError(reason, frame=number, name=frame.start.name, index=index)
    yield from _check_whole(match, gaps=gaps)


def _without_kan(frame: Frame) -> int | None:
    """Return the index of the first event of *frame* that turns a dora for which there was no kan."""
    kans = turned = 0
    for event in frame.others:
        if isinstance(event, Kan):
            kans += 1
        elif isinstance(event, DoraRevealed):
            turned += 1
            if turned > kans:
                return next(index for index, other in enumerate(frame.events) if other is event)
    return None


def _check_date(match: Match) -> Iterator[MatchError]:
    if match.date is None:
        return
    weekday = dates.weekday(match.date)
    if weekday is None:
        yield MatchError(f"invalid date {match.date}")
    elif match.weekday not in (None, weekday):
        yield MatchError(f"the weekday is {match.weekday}; {weekday} expected for {match.date}")


def _check_whole(match: Match, *, gaps: bool) -> Iterator[MatchError]:
    """Check what follows from one frame to the next, from the first to the last."""
    if not gaps:
        yield from _check_order(match)
    if match.frames and not is_partial(match):
        yield from _check_start(match)
        if houses.is_ranked(match.rules) is not False:
            yield from _check_result(match, gaps=gaps)


def _check_order(match: Match) -> Iterator[MatchError]:
    """Check the names of the frames: they ascend and, in ranked games, which have known rules, each can follow the
    previous one."""
    ranked = houses.is_ranked(match.rules)
    for number, (frame, other) in enumerate(pairwise(match.frames), start=1):
        before, after = frame.start, other.start
        if after.round < before.round or (after.round == before.round and after.honba <= before.honba):
            yield MatchError(f"this frame comes after {before.name}", frame=number, name=after.name)
        elif ranked and not can_follow(frame, after) and frame.endings:
            said = f"this frame cannot follow {before.name}'s outcome"
            yield MatchError(said, frame=number, name=after.name)


def _is_usual_win(event: Ending) -> bool:
    """Return whether *event* is a win that the discarder pays for, or else everybody: most are, and need no more."""
    if type(event) is not Win or event.changes is None:
        return False
    changes, source = event.changes, event.source
    if source is None:
        return changes[event.player] > 0 and sorted(changes)[-2] < 0
    return changes[source] < 0 < changes[event.player] and changes.count(0) == len(changes) - 2


_Problem = tuple[Ending, str | Message]
"""The event that has a problem, and the problem."""


def _check_endings(endings: Sequence[Ending], frame: Frame, players: int) -> Iterator[_Problem]:
    for event in endings:
        if isinstance(event, Win):
            if len(endings) == 1 and event.changes is not None:
                yield from _check_win(event, event.changes)
        elif _is_exhaustive(event):
            drawn = list(map(type, frame.events)).count(Draw) + (frame.start.fourteenth is not None)
            if drawn != MOST_DRAWS[players] and (drawn or frame.start.hands):  # otherwise the play is not recorded
                yield event, f"exhaustive draw after only {drawn} of {MOST_DRAWS[players]} draws"
            elif drawn and _last_move(frame) is Draw:
                yield event, "exhaustive draw before the last tile is discarded"


def _is_exhaustive(draw: Ryuukyoku) -> bool:
    """Return whether *draw* requires the last tile to be drawn: no other draw has payments."""
    return draw.kind in TO_THE_LAST or (draw.kind is None and any(draw.changes or ()))


def _last_move(frame: Frame) -> type[Event]:
    """Return the type of the last draw or discard of *frame*."""
    return next(kind for kind in map(type, reversed(frame.events)) if kind in (Draw, Discard))


def _check_win(win: Win, changes: tuple[int, ...]) -> Iterator[_Problem]:
    """Check who pays: everybody for a tsumo, the discarder for a ron, or the responsible player (pao) a large sum."""
    if changes[win.player] <= 0:
        gain = Points(changes[win.player])
        yield win, Message("{player} wins but gains {gain} points", player=Who(win.player), gain=gain)
    payers = {player for player, change in enumerate(changes) if change < 0}
    gainers = {player for player, change in enumerate(changes) if change > 0} - {win.player}
    if win.source is None:
        wrong = gainers or (len(payers) != len(changes) - 1 and not _is_pao(win, changes, payers))
    else:
        third = payers - {win.source}
        wrong = gainers or (bool(third) and not _is_pao(win, changes, third))
    if wrong:
        said = "the payments {found} do not match {player}'s win"
        yield win, Message(said, found=Points(changes), player=Who(win.player))


def _is_pao(win: Win, changes: tuple[int, ...], payers: set[int]) -> bool:
    """Return whether *payers* are the players responsible (pao), or a single one paying enough for a yakuman."""
    if not payers:
        return False
    return payers <= {*win.pao} or (len(payers) == 1 and all(-changes[player] >= _LEAST_PAO for player in payers))


def _check_start(match: Match) -> Iterator[MatchError]:
    """Check that all players start with the points set by the rules."""
    start, rule = match.frames[0].start, match.point_rule
    if (
        start.round == start.honba == 0
        and rule is not None
        and start.points is not None
        and set(start.points) != {rule.start}
    ):
        said = "the starting points are {found}; {expected} each expected from the rules"
        yield MatchError(
            Message(said, found=Points(start.points), expected=Points(rule.start)), frame=0, name=start.name
        )


def _check_result(match: Match, *, gaps: bool) -> Iterator[MatchError]:
    recorded = match.results
    if recorded is None:
        return
    points = None if gaps else final_points(match.frames[-1])
    if points is not None and match.final_points is not None and points != match.final_points:
        said = "the final points are {found}; {expected} expected from the last frame"
        yield MatchError(Message(said, found=Points(match.final_points), expected=Points(points)), at_end=True)
    points = match.final_points or points
    if sum(recorded):
        yield MatchError(
            Message("the results add up to {found}; 0 expected", found=Results(sum(recorded))), at_end=True
        )
    elif points is not None and match.point_rule is not None:
        rule, rounds = match.point_rule, not any(value % _THOUSAND for value in recorded)
        if all(recorded != results(points, rule, whole=whole) for whole in (rounds, not rounds)):
            expected = results(points, rule, whole=False)
            said = "the results are {found}; {expected} expected from the points and rules"
            yield MatchError(Message(said, found=Results(recorded), expected=Results(expected)), at_end=True)
