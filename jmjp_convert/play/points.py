"""The final result: from the points as the last frame leaves them to the points of the match.

Source: ``mapping.md``, The match (``ptr``): in finishing order, where of equal points the lower player number comes
first, each but the first gets the points less the target and the uma; the first gets what is left. Riichi sticks that
nobody won go to the first. Some tables reckon with whole thousands.
"""

from __future__ import annotations

from jmjp_convert.model import Frame, Match, PointRule, RiichiAccepted, Win

STICK = 1000
"""The points that a riichi stick stands for."""

_THOUSAND = 1000
_HALF = 500


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
