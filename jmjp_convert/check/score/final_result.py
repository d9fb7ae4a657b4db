"""Checks the final result under the rules of a house's ranked games (docs/design/scoring.md, Final result)."""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.check.score.house_rules import HouseRules
from jmjp_convert.check.score.report import Finding, NotJudgedError, What
from jmjp_convert.messages import Points, Results, any_of
from jmjp_convert.model import Match
from jmjp_convert.play.points import STICK, final_points, is_partial, shares

_ON_THE_TABLE = {4: 100_000, 3: 105_000}
"""By number of players, the total of points and sticks."""


def check_result(match: Match, house: HouseRules) -> Iterator[Finding]:
    """Yield the problems in the points and results at the end of *match*, played by the rules of *house*.

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
        yield Finding(None, What.FINAL_POINTS, Points(match.final_points), Points(points))
    if match.results is not None:
        target = house.target[match.rules.players]
        possible = [
            shares(points, target, uma, whole=whole) for uma in house.umas(match) for whole in house.wholes(match)
        ]
        if match.results not in possible:
            yield Finding(None, What.RESULTS, Results(match.results), any_of(map(Results, possible)))


def _is_usual(match: Match) -> bool:
    start, players = match.frames[0].start, match.rules.players
    return start.points is not None and sum(start.points) + STICK * (start.sticks or 0) == _ON_THE_TABLE[players]
