"""Checks the final result under the rules of Tenhou's ranked games (docs/design/scoring.md, Final result)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from jmjp_convert.check.score.report import Finding, NotJudgedError, What
from jmjp_convert.model import Match
from jmjp_convert.play.expectations import listed
from jmjp_convert.play.points import STICK, final_points, is_partial, shares

T = TypeVar("T")

_EAST_SOUTH = 0x08
_TARGET = {4: 30000, 3: 40000}
_ON_THE_TABLE = {4: 100_000, 3: 105_000}
"""By number of players, the total of points and sticks."""

_UMA = {4: (10000, -10000, -20000), 3: (0, -20000)}
"""By number of players, the uma of second place, third place and so on; first place gets the remainder."""

_UMA_EAST_2009 = (5000, -5000, -10000)
_LAST_UMA_EAST_2009, _FIRST_UMA = "20090731", "20090802"
"""The last day on which a four-player East-only game was seen with this uma, and the first with the usual one."""

_LAST_WHOLE, _FIRST_TENTHS = "20220113", "20220601"
"""The last day on which a result was seen in whole thousands, and the first day with tenths."""


def check_result(match: Match) -> Iterator[Finding]:
    """Yield the problems in the points and results at the end of *match*.

    :raises NotJudgedError: they are not recorded, or are not those of a ranked game.
    """
    if match.results is None and match.final_points is None:
        raise NotJudgedError("no final result is recorded")
    if not match.frames or is_partial(match):
        raise NotJudgedError("not all frames are recorded")
    points = final_points(match.frames[-1])
    if points is None:
        raise NotJudgedError("the points at the end of the last frame are unknown")
    if not _is_usual(match):
        raise NotJudgedError("the points on the table are not those of a ranked match")
    if match.final_points not in (None, points):
        yield Finding(None, What.FINAL_POINTS, listed(match.final_points), listed(points))
    if match.results is not None:
        target = _TARGET[match.rules.players]
        possible = [shares(points, target, uma, whole=whole) for uma in _umas(match) for whole in _wholes(match)]
        if match.results not in possible:
            yield Finding(None, What.RESULTS, listed(match.results), " or ".join(dict.fromkeys(map(listed, possible))))


def _is_usual(match: Match) -> bool:
    start, players = match.frames[0].start, match.rules.players
    return start.points is not None and sum(start.points) + STICK * (start.sticks or 0) == _ON_THE_TABLE[players]


def _umas(match: Match) -> tuple[tuple[int, ...], ...]:
    """Return the possible uma of the match."""
    usual = (_UMA[match.rules.players],)
    if match.rules.players == min(_UMA) or (match.rules.code or 0) & _EAST_SOUTH:
        return usual
    return _by_day(match.date, (_UMA_EAST_2009,), _LAST_UMA_EAST_2009, _FIRST_UMA, usual)


def _wholes(match: Match) -> tuple[bool, ...]:
    """Return the possible answers to whether the match was rounded to whole thousands."""
    return _by_day(match.date, (True,), _LAST_WHOLE, _FIRST_TENTHS, (False,))


def _by_day(day: str | None, old: tuple[T, ...], last: str, first: str, new: tuple[T, ...]) -> tuple[T, ...]:
    """Return the *old* rule for a *day* up to *last*, the *new* one from *first* on, and both for a day in between or
    unknown."""
    if day is not None and day <= last:
        return old
    if day is not None and day >= first:
        return new
    return old + new
