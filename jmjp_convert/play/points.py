"""Points: riichi sticks, changes from frame to frame, the final result.

Source of the final result: ``mapping.md``, The match (``ptr``): in finishing order, where of equal points the lower
player number comes first, each but the first gets the points less the target and the uma; the first gets what is left.
Riichi sticks that nobody won go to the first. Some tables reckon with whole thousands.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import sub

from jmjp_convert.model import End, Frame, Match, PointRule, RiichiAccepted, Start, Win

STICK = 1000
"""The points that a riichi stick stands for."""

_THOUSAND = 1000
_HALF = 500


def changes_of(start: Start, end: End, paid: Sequence[int]) -> tuple[int, ...] | None:
    """Return everybody's gain or loss at the end of a frame, if the points before and after tell.

    :param paid: the players who have paid a riichi stick.
    """
    if start.points is None or end.points is None:
        return None
    changes = map(sub, end.points, start.points)
    if not paid:
        return tuple(changes)
    return tuple(change + STICK * paid.count(who) for who, change in enumerate(changes))


def frame_changes(frame: Frame) -> tuple[int, ...] | None:
    """Return the same for *frame*, whose events tell who has paid."""
    paid = [event.player for event in frame.events if isinstance(event, RiichiAccepted)]
    return changes_of(frame.start, frame.end, paid)


def is_partial(match: Match) -> bool:
    """Return whether those who recorded *match* say that they recorded only some of its frames."""
    return bool(match.recorders) and all(recorder.frames is not None for recorder in match.recorders)


def ranking(points: tuple[int, ...]) -> list[int]:
    """Return the players in finishing order."""
    return sorted(range(len(points)), key=lambda player: -points[player])


def rounded(points: int) -> int:
    """Return *points* rounded to whole thousands, half away from zero."""
    whole = (abs(points) + _HALF) // _THOUSAND * _THOUSAND
    return whole if points >= 0 else -whole


def final_points(last: Frame) -> tuple[int, ...] | None:
    """Return the points at the end of a match of which *last* is the last frame, left sticks included, if known."""
    points, sticks = last.end.points, last.start.sticks
    if points is None or sticks is None:
        return None
    sticks += sum(isinstance(event, RiichiAccepted) for event in last.events)
    if any(isinstance(event, Win) for event in last.endings):
        sticks = 0
    first = ranking(points)[0]
    return tuple(have + STICK * sticks * (player == first) for player, have in enumerate(points))


def results(points: tuple[int, ...], rule: PointRule, *, whole: bool) -> tuple[int, ...]:
    """Return the results of four players by *rule*.

    :param whole: reckon with whole thousands.
    """
    return shares(points, rule.target, (rule.uma23, -rule.uma23, -rule.uma14), whole=whole)


def shares(points: tuple[int, ...], target: int, uma: tuple[int, ...], *, whole: bool) -> tuple[int, ...]:
    """Return the results: in finishing order each but the first gets the points less the *target*, and the *uma*; the
    first what is left, oka included.

    :param whole: reckon with whole thousands.
    """
    counted = [rounded(value) for value in points] if whole else points
    first, *others = ranking(points)
    found = [0] * len(points)
    for player, share in zip(others, uma, strict=True):
        found[player] = counted[player] - target + share
    found[first] = -sum(found)
    return tuple(found)
