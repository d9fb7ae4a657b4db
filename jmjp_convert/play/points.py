"""Points: riichi sticks, changes from frame to frame, the final result.

Final result (docs/design/mapping.md, The match; docs/design/scoring.md, Final result): in finishing order (ties: lower
player number first), each player but the first gets their points, minus the target, plus the uma; the first gets the
remainder. Leftover riichi sticks go to the first. Some tables round to whole thousands.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import sub

from jmjp_convert.model import End, Frame, Match, PointRule, RiichiAccepted, Start, Win

STICK = 1000
"""The points per riichi stick."""

_THOUSAND = 1000
_HALF = 500


def changes_of(start: Start, end: End, paid: Sequence[int]) -> tuple[int, ...] | None:
    """Return all players' gains and losses at the end of a frame, if the points before and after are known.

    :param paid: the players who have paid a riichi stick.
    """
    if start.points is None or end.points is None:
        return None
    changes = list(map(sub, end.points, start.points))
    for player in paid:
        changes[player] += STICK
    return tuple(changes)


def frame_changes(frame: Frame) -> tuple[int, ...] | None:
    """Return :func:`changes_of` *frame*, whose events show who has paid a riichi stick."""
    return changes_of(frame.start, frame.end, frame.riichi)


def is_partial(match: Match) -> bool:
    """Return whether all recorders of *match* state that they recorded only some of its frames."""
    return bool(match.recorders) and all(recorder.frames is not None for recorder in match.recorders)


def ranking(points: tuple[int, ...]) -> list[int]:
    """Return the players in finishing order."""
    return sorted(range(len(points)), key=points.__getitem__, reverse=True)


def rounded(points: int) -> int:
    """Return *points* rounded to whole thousands, half away from zero."""
    whole = (abs(points) + _HALF) // _THOUSAND * _THOUSAND
    return whole if points >= 0 else -whole


def final_points(last: Frame) -> tuple[int, ...] | None:
    """Return the points after the *last* frame of a match, including leftover sticks; ``None`` if unknown."""
    points, sticks = last.end.points, last.start.sticks
    if points is None or sticks is None:
        return None
    if any(isinstance(event, Win) for event in last.endings):
        return points
    sticks += list(map(type, last.events)).count(RiichiAccepted)
    first = ranking(points)[0]
    return tuple(have + STICK * sticks * (player == first) for player, have in enumerate(points))


def points_at_end(match: Match) -> tuple[int, ...] | None:
    """Return the points with which *match* ended, including leftover riichi sticks: as recorded, otherwise, if it has
    results, those after its last frame; ``None`` if unknown."""
    if match.final_points is not None or match.results is None or not match.frames or is_partial(match):
        return match.final_points
    return final_points(match.frames[-1])


def results(points: tuple[int, ...], rule: PointRule, *, whole: bool) -> tuple[int, ...]:
    """Return the results of four players under *rule*.

    :param whole: round points to whole thousands.
    """
    return shares(points, rule.target, (rule.uma23, -rule.uma23, -rule.uma14), whole=whole)


def shares(points: tuple[int, ...], target: int, uma: tuple[int, ...], *, whole: bool) -> tuple[int, ...]:
    """Return the results: in finishing order, each player but the first gets their points, minus *target*, plus *uma*;
    the first gets the remainder, including oka.

    :param whole: round points to whole thousands.
    """
    counted = [rounded(value) for value in points] if whole else points
    first, *others = ranking(points)
    found = [0] * len(points)
    for player, share in zip(others, uma, strict=True):
        found[player] = counted[player] - target + share
    found[first] = -sum(found)
    return tuple(found)
