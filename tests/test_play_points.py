"""The final result by the rules, and the points that lead to it."""

from __future__ import annotations

import pytest

from jmjp_convert.model import (
    Discard,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    PointRule,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.play.points import final_points, ranking, results, rounded

RULE = PointRule(250, 300, 200, 100, 3)


@pytest.mark.parametrize(
    ("points", "order"),
    [
        ((250, 250, 250, 250), [0, 1, 2, 3]),
        ((100, 200, 300, 400), [3, 2, 1, 0]),
        ((250, 300, 300, 150), [1, 2, 0, 3]),
        ((-10, 0, 1, -10), [2, 1, 0, 3]),
        ((350, 350, 300), [0, 1, 2]),
    ],
)
def test_ranking(points: tuple[int, ...], order: list[int]) -> None:
    """More points come first, of equal points the lower player number."""
    assert ranking(points) == order


@pytest.mark.parametrize(
    ("points", "whole"),
    [(0, 0), (4, 0), (5, 10), (14, 10), (15, 20), (254, 250), (255, 260), (-4, 0), (-5, -10), (-14, -10), (-15, -20)],
)
def test_rounded(points: int, whole: int) -> None:
    """Points are rounded to whole thousands, half away from zero."""
    assert rounded(points) == whole


@pytest.mark.parametrize(
    ("points", "rule", "whole", "expected"),
    [
        ((87, 330, 343, 240), RULE, False, (-413, 130, 443, -160)),
        ((87, 330, 343, 240), RULE, True, (-410, 130, 440, -160)),
        ((250, 250, 250, 250), RULE, False, (350, 50, -150, -250)),
        ((250, 250, 250, 250), PointRule(250, 250, 0, 0, 3), False, (0, 0, 0, 0)),
        ((-50, 450, 300, 300), PointRule(250, 300, 100, 50, 3), False, (-450, 450, 50, -50)),
        ((405, 295, 205, 95), RULE, True, (490, 100, -190, -400)),
    ],
)
def test_results(
    points: tuple[int, ...],
    rule: PointRule,
    whole: bool,  # noqa: FBT001 - a parameter of a case
    expected: tuple[int, ...],
) -> None:
    """The others get their points less the target with their uma; the first gets what is left."""
    found = results(points, rule, whole=whole)
    assert found == expected
    assert sum(found) == 0


def last(*events: Event, points: tuple[int, ...] | None = (300, 260, 240, 180), sticks: int | None = 2) -> Frame:
    """Return a last frame, of *events*, that leads to *points*."""
    start = Start(7, 0, sticks, 3, None, None, ())
    return Frame(start, events, End((), points), None)


DRAWN = Ryuukyoku(DrawKind.EXHAUSTIVE)
RIICHI: tuple[Event, ...] = (Draw(3, 1), RiichiDeclared(3), Discard(3, 1), RiichiAccepted(3))


@pytest.mark.parametrize(
    ("frame", "points"),
    [
        (last(DRAWN), (320, 260, 240, 180)),
        (last(*RIICHI, DRAWN), (330, 260, 240, 180)),
        (last(DRAWN, sticks=0), (300, 260, 240, 180)),
        (last(*RIICHI, Win(0, 3, 1)), (300, 260, 240, 180)),
        (last(DRAWN, points=(250, 300, 300, 130)), (250, 320, 300, 130)),
        (last(), (320, 260, 240, 180)),
        (last(DRAWN, sticks=None), None),
        (last(points=None), None),
    ],
)
def test_final_points(frame: Frame, points: tuple[int, ...] | None) -> None:
    """Riichi sticks that nobody won go to the first; where points or sticks are not known, nor is this."""
    assert final_points(frame) == points
