"""Checks that need the whole match: date, frame order, payers, early exhaustive draws, final result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from jmjp_convert.errors import MatchError
from jmjp_convert.model import TO_THE_LAST, Draw, Frame, Match, Ryuukyoku, Win, dates, houses
from jmjp_convert.play.continuity import can_follow
from jmjp_convert.play.expectations import listed
from jmjp_convert.play.points import final_points, is_partial, results

_DRAWS = {4: 70, 3: 55}
"""By number of players, the draws before an exhaustive draw."""

_LEAST_PAO = 16000  # half of the smallest yakuman


def numbered(matches: Sequence[Match]) -> Iterator[tuple[str, Match]]:
    """Yield each of the *matches* of a file with what its problems begin with: its number, if there are several."""
    for number, match in enumerate(matches, 1):
        yield f"match {number}: " if len(matches) > 1 else "", match


def check_match(match: Match, which: str = "", *, gaps: bool = False) -> Iterator[MatchError]:
    """Yield the problems of *match* that the replay of its frames does not find: the weekday, the frame order, the
    payers, early exhaustive draws and, unless the table has its own rules, the final result.

    :param which: what the problems begin with.
    :param gaps: whether frames of the record are missing from *match*.
    """
    for line in _check_date(match):
        yield MatchError(which + line)
    for frame in match.frames:
        endings = frame.endings
        if not (len(endings) == 1 and _is_usual_win(endings[0])):
            for line in _check_endings(endings, frame, match.rules.players):
                yield MatchError(which + line, frame=frame.start.name)
    for line in _check_whole(match, gaps=gaps):
        yield MatchError(which + line)


def _check_date(match: Match) -> Iterator[str]:
    if match.date is None:
        return
    weekday = dates.weekday(match.date)
    if weekday is None:
        yield f"invalid date {match.date}"
    elif match.weekday not in (None, weekday):
        yield f"the weekday is {match.weekday}; {weekday} expected for {match.date}"


def _check_whole(match: Match, *, gaps: bool) -> Iterator[str]:
    """Check what follows from one frame to the next, from the first to the last."""
    if not gaps:
        yield from _check_order(match)
    if match.frames and not is_partial(match):
        yield from _check_start(match)
        if houses.is_ranked(match.rules) is not False:
            yield from _check_result(match, gaps=gaps)


def _check_order(match: Match) -> Iterator[str]:
    """Check the names of the frames: they ascend and, in ranked games, whose rules are known, each can follow the
    previous one."""
    ranked = houses.is_ranked(match.rules)
    for frame, other in pairwise(match.frames):
        before, after = frame.start, other.start
        if after.round < before.round or (after.round == before.round and after.honba <= before.honba):
            yield f"frame {after.name} comes after {before.name}"
        elif ranked and frame.endings and not can_follow(frame, after):
            yield f"frame {after.name} cannot follow {before.name}'s outcome"


def _is_usual_win(event: Win | Ryuukyoku) -> bool:
    """Return whether *event* is a win that the discarder pays for, or else everybody: most are, and need no more."""
    if type(event) is not Win or event.changes is None:
        return False
    changes, source = event.changes, event.source
    if source is None:
        return changes[event.player] > 0 and sorted(changes)[-2] < 0
    return changes[source] < 0 < changes[event.player] and changes.count(0) == len(changes) - 2


def _check_endings(endings: Sequence[Win | Ryuukyoku], frame: Frame, players: int) -> Iterator[str]:
    for event in endings:
        if isinstance(event, Win):
            if len(endings) == 1 and event.changes is not None:
                yield from _check_win(event, event.changes)
        elif _is_exhaustive(event):
            drawn = list(map(type, frame.events)).count(Draw) + (frame.start.fourteenth is not None)
            if drawn not in (0, _DRAWS[players]):  # 0: the play is not recorded
                yield f"exhaustive draw after only {drawn} of {_DRAWS[players]} draws"


def _is_exhaustive(draw: Ryuukyoku) -> bool:
    """Return whether *draw* requires the last tile to be drawn: no other draw has payments."""
    return draw.kind in TO_THE_LAST or (draw.kind is None and any(draw.changes or ()))


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


def _check_result(match: Match, *, gaps: bool) -> Iterator[str]:
    found = match.results
    if found is None:
        return
    points = None if gaps else final_points(match.frames[-1])
    if None not in (points, match.final_points) and points != match.final_points:
        yield f"the final points are {listed(match.final_points)}; {listed(points)} expected from the last frame"
    points = match.final_points or points
    if sum(found):
        yield f"the results add up to {sum(found)}; 0 expected"
    elif points is not None and match.point_rule is not None:
        expected = results(points, match.point_rule, whole=False)
        if found != expected and found != results(points, match.point_rule, whole=True):
            yield f"the results are {listed(found)}; {listed(expected)} expected from the points and rules"
