"""Checks that need the whole match: date, frame order, payers, early exhaustive draws, final result."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from jmjp_convert.model import Draw, DrawKind, Frame, Match, Ryuukyoku, Win, dates, tenhou
from jmjp_convert.play.continuity import can_follow
from jmjp_convert.play.expectations import listed
from jmjp_convert.play.points import final_points, is_partial, results

_DRAWS = {4: 70, 3: 55}
"""By number of players, the draws before an exhaustive draw."""

_TO_THE_LAST = (DrawKind.EXHAUSTIVE, DrawKind.NAGASHI)
_LEAST_PAO = 16000  # half of the smallest yakuman


def check_match(match: Match, *, gaps: bool = False) -> Iterator[str]:
    """Yield the problems of *match*, one line each, that the replay of its frames does not find: the weekday, the frame
    order, the payers, early exhaustive draws and, unless the table has its own rules, the final result.

    :param gaps: whether frames of the record are missing from *match*.
    """
    if match.date is not None:
        weekday = dates.weekday(match.date)
        if weekday is None:
            yield f"invalid date {match.date}"
        elif match.weekday not in (None, weekday):
            yield f"the weekday is {match.weekday}; {weekday} expected for {match.date}"
    for frame in match.frames:
        for line in _check_ending(frame, match.rules.players):
            yield f"in frame {frame.start.name}: {line}"
    if not gaps:
        yield from _check_order(match)
    if match.frames and not is_partial(match):
        yield from _check_start(match)
        if tenhou.is_ranked(match.rules) is not False:
            yield from _check_result(match)


def _check_order(match: Match) -> Iterator[str]:
    """Check the names of the frames: they ascend and, in ranked games, whose rules are known, each can follow the
    previous one."""
    ranked = tenhou.is_ranked(match.rules)
    for frame, other in pairwise(match.frames):
        if (other.start.round, other.start.honba) <= (frame.start.round, frame.start.honba):
            yield f"frame {other.start.name} comes after {frame.start.name}"
        elif ranked and frame.endings and not can_follow(frame, other.start):
            yield f"frame {other.start.name} cannot follow {frame.start.name}'s outcome"


def _check_ending(frame: Frame, players: int) -> Iterator[str]:
    endings = frame.endings
    for event in endings:
        if isinstance(event, Win):
            if len(endings) == 1 and event.changes is not None:
                yield from _check_win(event, event.changes)
        elif _is_exhaustive(event):
            drawn = sum(isinstance(other, Draw) for other in frame.events) + (frame.start.fourteenth is not None)
            if drawn not in (0, _DRAWS[players]):  # 0: the play is not recorded
                yield f"exhaustive draw after only {drawn} of {_DRAWS[players]} draws"


def _is_exhaustive(draw: Ryuukyoku) -> bool:
    """Return whether *draw* requires the last tile to be drawn: no other draw has payments."""
    return draw.kind in _TO_THE_LAST or (draw.kind is None and any(draw.changes or ()))


def _check_win(win: Win, changes: tuple[int, ...]) -> Iterator[str]:
    """Check who pays: everybody for a tsumo, the discarder for a ron, or a large sum by the player liable for pao."""
    if changes[win.player] <= 0:
        yield f"player {win.player} wins but gains {changes[win.player]} points"
    payers = {player for player, change in enumerate(changes) if change < 0}
    gainers = {player for player, change in enumerate(changes) if change > 0} - {win.player}
    if win.source is None:
        wrong = gainers or (len(payers) != len(changes) - 1 and not _is_pao(win, changes, payers))
    else:
        third = payers - {win.source}
        wrong = gainers or (bool(third) and not _is_pao(win, changes, third))
    if wrong:
        yield f"the payments {listed(changes)} do not match player {win.player}'s win"


def _is_pao(win: Win, changes: tuple[int, ...], payers: set[int]) -> bool:
    """Return whether *payers* is a single player, liable for pao or paying enough for a yakuman."""
    return len(payers) == 1 and all(player == win.pao or -changes[player] >= _LEAST_PAO for player in payers)


def _check_start(match: Match) -> Iterator[str]:
    """Check that all players start with the points set by the rules."""
    start, rule = match.frames[0].start, match.point_rule
    if (
        start.round == start.honba == 0
        and rule is not None
        and start.points is not None
        and set(start.points) != {rule.start}
    ):
        yield f"the starting points are {listed(start.points)}; {rule.start} each expected from the rules"


def _check_result(match: Match) -> Iterator[str]:
    found = match.results
    if found is None:
        return
    points = final_points(match.frames[-1])
    if None not in (points, match.final_points) and points != match.final_points:
        yield f"the final points are {listed(match.final_points)}; {listed(points)} expected from the last frame"
    points = match.final_points or points
    if sum(found):
        yield f"the results add up to {sum(found)}; 0 expected"
    elif points is not None and match.point_rule is not None:
        possible = [results(points, match.point_rule, whole=whole) for whole in (False, True)]
        if found not in possible:
            yield f"the results are {listed(found)}; {listed(possible[0])} expected from the points and rules"
