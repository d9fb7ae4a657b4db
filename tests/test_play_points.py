"""Points: from frame to frame, payments that are not recorded, the final result."""

from __future__ import annotations

import pytest
from tables import table
from test_real_logs import MANIFEST, READ_OF_FOUR, match

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import Start, Win
from jmjp_convert.model.record import replace
from jmjp_convert.play.points import discontinuity, payments, worth


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
