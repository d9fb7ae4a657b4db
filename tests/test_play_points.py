"""The final result by the rules, and the points that lead to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tables import table

from jmjp_convert.model import (
    Discard,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Match,
    Player,
    PointRule,
    Recorder,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.play.points import final_points, frame_changes, points_at_end, ranking, results, rounded

RULE = PointRule(25000, 30000, 20000, 10000, 300)


@pytest.mark.parametrize(
    ("points", "order"),
    [
        ((25000, 25000, 25000, 25000), [0, 1, 2, 3]),
        ((10000, 20000, 30000, 40000), [3, 2, 1, 0]),
        ((25000, 30000, 30000, 15000), [1, 2, 0, 3]),
        ((-1000, 0, 100, -1000), [2, 1, 0, 3]),
        ((35000, 35000, 30000), [0, 1, 2]),
    ],
)
def test_ranking(points: tuple[int, ...], order: list[int]) -> None:
    """Players rank by points; ties go to the lower player number."""
    assert ranking(points) == order


@pytest.mark.parametrize(("points", "whole"), table("play_points", "rounded"))
def test_rounded(points: int, whole: int) -> None:
    """Points are rounded to whole thousands, half away from zero."""
    assert rounded(points) == whole


@pytest.mark.parametrize(
    ("points", "rule", "whole", "expected"),
    [
        ((8700, 33000, 34300, 24000), RULE, False, (-41300, 13000, 44300, -16000)),
        ((8700, 33000, 34300, 24000), RULE, True, (-41000, 13000, 44000, -16000)),
        ((25000, 25000, 25000, 25000), RULE, False, (35000, 5000, -15000, -25000)),
        ((25000, 25000, 25000, 25000), PointRule(25000, 25000, 0, 0, 300), False, (0, 0, 0, 0)),
        ((-5000, 45000, 30000, 30000), PointRule(25000, 30000, 10000, 5000, 300), False, (-45000, 45000, 5000, -5000)),
        ((40500, 29500, 20500, 9500), RULE, True, (49000, 10000, -19000, -40000)),
    ],
)
def test_results(
    points: tuple[int, ...],
    rule: PointRule,
    whole: bool,  # noqa: FBT001 - a parameter of a case
    expected: tuple[int, ...],
) -> None:
    """The second to last place get their points less the target, plus uma; the first gets the remainder."""
    found = results(points, rule, whole=whole)
    assert found == expected
    assert sum(found) == 0


EVEN = (25000, 25000, 25000, 25000)


def last(
    *events: Event, points: tuple[int, ...] | None = (30000, 26000, 24000, 18000), sticks: int | None = 2
) -> Frame:
    """Return a last frame with *events* and the final *points*."""
    start = Start(7, 0, sticks, 3, None, None, ())
    return Frame(start, events, End((), points), None)


DRAWN = Ryuukyoku(DrawKind.EXHAUSTIVE)
RIICHI: tuple[Event, ...] = (Draw(3, 1), RiichiDeclared(3), Discard(3, 1), RiichiAccepted(3))


@pytest.mark.parametrize(
    ("frame", "points"),
    [
        (last(DRAWN), (32000, 26000, 24000, 18000)),
        (last(*RIICHI, DRAWN), (33000, 26000, 24000, 18000)),
        (last(DRAWN, sticks=0), (30000, 26000, 24000, 18000)),
        (last(*RIICHI, Win(0, 3, 1)), (30000, 26000, 24000, 18000)),
        (last(DRAWN, points=(25000, 30000, 30000, 13000)), (25000, 32000, 30000, 13000)),
        (last(), (32000, 26000, 24000, 18000)),
        (last(DRAWN, sticks=None), None),
        (last(points=None), None),
    ],
)
def test_final_points(frame: Frame, points: tuple[int, ...] | None) -> None:
    """Leftover riichi sticks go to the first; if points or sticks are unknown, so are the final points."""
    assert final_points(frame) == points


@pytest.mark.parametrize(
    ("values", "points"),
    [
        ({}, (32000, 26000, 24000, 18000)),
        ({"final_points": (30000, 28000, 24000, 18000)}, (30000, 28000, 24000, 18000)),
        ({"results": None}, None),
        ({"results": None, "final_points": EVEN}, EVEN),
        ({"frames": ()}, None),
        ({"recorders": (Recorder(None, ((0, 0),)),)}, None),
    ],
    ids=["from the last frame", "recorded", "not over", "recorded without results", "no frames", "only some frames"],
)
def test_points_at_end(values: dict[str, Any], points: tuple[int, ...] | None) -> None:
    """A match with results ended with the points after its last frame, unless others are recorded."""
    match = Match(Rules(), (Player(),) * 4, (last(DRAWN),), results=(42000, 6000, -16000, -32000))
    assert points_at_end(replace(match, **values)) == points


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (EVEN, (23000, 27000, 24000, 26000), (-2000, 2000, 0, 1000)),
        (EVEN, EVEN, (0, 0, 1000, 0)),
        (None, EVEN, None),
        (EVEN, None, None),
    ],
)
def test_changes(
    before: tuple[int, ...] | None, after: tuple[int, ...] | None, expected: tuple[int, ...] | None
) -> None:
    """The gains and losses at the end of a frame are the changes of points, apart from riichi sticks paid before."""
    made = Frame(Start(0, 0, 0, 0, None, before, ()), (RiichiDeclared(2), RiichiAccepted(2)), End((), after), None)
    assert frame_changes(made) == expected
