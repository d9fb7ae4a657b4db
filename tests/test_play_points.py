"""Points: from frame to frame, payments that are not recorded, the final result."""

from __future__ import annotations

import pytest
from tables import table
from test_real_logs import MANIFEST, READ_OF_FOUR, match

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import PointRule, Start, Win
from jmjp_convert.model.record import replace
from jmjp_convert.play.points import discontinuity, payments, ranking, results, worth

RULE = PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300)


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


@pytest.mark.parametrize(
    ("points", "rule", "whole", "expected"),
    [
        ((8700, 33000, 34300, 24000), RULE, False, (-41300, 13000, 44300, -16000)),
        ((8700, 33000, 34300, 24000), RULE, True, (-41000, 13000, 44000, -16000)),
        ((25000, 25000, 25000, 25000), RULE, False, (35000, 5000, -15000, -25000)),
        ((25000, 25000, 25000, 25000), PointRule(25000, 25000, (0, 0, 0, 0), 300), False, (0, 0, 0, 0)),
        (
            (-5000, 45000, 30000, 30000),
            PointRule(25000, 30000, (10000, 5000, -5000, -10000), 300),
            False,
            (-45000, 45000, 5000, -5000),
        ),
        ((40500, 29500, 20500, 9500), RULE, True, (49000, 10000, -19000, -40000)),
    ],
)
def test_results(points: tuple[int, ...], rule: PointRule, *, whole: bool, expected: tuple[int, ...]) -> None:
    """The second to last place get their points less the target, plus uma; the first gets the remainder."""
    found = results(points, rule, whole=whole)
    assert found == expected
    assert sum(found) == 0


@pytest.mark.parametrize(("points", "sticks", "message"), table("play_points", "follows"))
def test_follows(points: tuple[int, ...] | None, sticks: int | None, message: str | None) -> None:
    """A frame starts with the points and sticks left by the previous frame, if known."""
    start = Start(0, 0, 0, 0, None, (25000,) * 4, ())
    error = discontinuity(points, sticks, start)
    assert (error and str(error)) == message
    assert discontinuity(points, sticks, replace(start, points=None, sticks=None)) is None


@pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
def test_real_log(subtests: pytest.Subtests) -> None:
    """All payments that jmjp does not keep are inferred, and so is the value of each win."""
    for path in READ_OF_FOUR:
        with subtests.test(path.name):
            (read,) = read_jmjp(write_jmjp(match(path)).encode())
            for log, frame_ in zip(match(path).frames, read.frames, strict=True):
                found = payments(frame_, read.point_rule)
                assert found == [event.changes for event in log.endings]
                for place, (win, changes) in enumerate(zip(log.endings, found, strict=True)):
                    if isinstance(win, Win) and (read.point_rule or not log.start.honba):
                        assert win.score is not None
                        assert changes is not None
                        assert worth(frame_, place, changes, read.point_rule) == win.score.points
