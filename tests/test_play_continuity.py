"""From one frame to the next: each frame continues from the previous one."""

from __future__ import annotations

import pytest

from jmjp_convert.model import Start
from jmjp_convert.play.continuity import discontinuity

EVEN = (25000, 25000, 25000, 25000)


def start(points: tuple[int, ...] | None = EVEN, sticks: int | None = 0) -> Start:
    """Return the start of a frame."""
    return Start(0, 0, sticks, 0, None, points, ())


@pytest.mark.parametrize(
    ("points", "sticks", "message"),
    [
        (EVEN, 0, None),
        (None, None, None),
        (EVEN, None, None),
        (
            (24000, 26000, 25000, 25000),
            0,
            "the points are 25000,25000,25000,25000; 24000,26000,25000,25000 expected from the previous frame",
        ),
        (
            (24000, 26000, 25000, 25000),
            None,
            "the points are 25000,25000,25000,25000; 24000,26000,25000,25000 expected from the previous frame",
        ),
        (EVEN, 1, "the riichi sticks are 0; 1 expected from the previous frame"),
        (None, 2, "the riichi sticks are 0; 2 expected from the previous frame"),
    ],
)
def test_follows(points: tuple[int, ...] | None, sticks: int | None, message: str | None) -> None:
    """A frame starts with the points and sticks left by the previous frame, if known."""
    assert discontinuity(points, sticks, start(points=None, sticks=None)) is None
    error = discontinuity(points, sticks, start())
    assert (error and str(error)) == message
