"""When a simulated game ends, the start of the next frame, and the final result."""

from __future__ import annotations

from datetime import date

import pytest
from simulator.endings import Ending
from simulator.eras import era_of
from simulator.game_end import end_reason, next_setup, owari
from simulator.rules import rules_of
from simulator.table import FrameSetup

EAST, SOUTH, EAST_OF_THREE = 1, 9, 17
E1, E3, E4, S1, S3, S4, W1, W4 = 0, 2, 3, 4, 6, 7, 8, 11
NEW, OLD, OLDEST = date(2023, 1, 1), date(2012, 1, 1), date(2009, 3, 1)


def setup(number: int, round_: int, day: date = NEW) -> FrameSetup:
    """Return the start of a frame in *round_*."""
    return FrameSetup(rules_of(number), era_of(day), round_, 1, 0, ())


def ending(*points: int, how: str = "", sticks: int = 0) -> Ending:
    """Return an ending with *points*: by a win of a non-dealer, or *how*."""
    stays, is_draw = "stays" in how or how == "abortive", how not in {"", "stays"}
    return Ending([], list(points), sticks, stays, is_draw, is_abortive=how == "abortive")


@pytest.mark.parametrize(
    ("number", "round_", "end", "reason"),
    [
        (SOUTH, E1, ending(500, 300, 201, -1), "bust"),
        (SOUTH, E1, ending(500, 300, 200, 0), None),
        (SOUTH, S3, ending(700, 100, 100, 100), None),
        (SOUTH, S4, ending(300, 200, 250, 250), "last-round"),
        (EAST, E4, ending(300, 200, 250, 250), "last-round"),
        (EAST_OF_THREE, E3, ending(400, 300, 350), "last-round"),
        (EAST_OF_THREE, E3, ending(390, 310, 350), None),
        (SOUTH, S4, ending(299, 201, 250, 250), None),
        (SOUTH, S4, ending(200, 200, 200, 400, how="stays"), "agariyame"),
        (SOUTH, S4, ending(200, 200, 301, 299, how="stays"), None),
        (SOUTH, S4, ending(300, 200, 200, 300, how="stays"), None),
        (SOUTH, S4, ending(240, 240, 230, 290, how="stays"), None),
        (SOUTH, S4, ending(200, 200, 200, 400, how="draw stays"), "tenpaiyame"),
        (SOUTH, S4, ending(200, 200, 200, 400, how="draw"), "last-round"),
        (SOUTH, S4, ending(200, 200, 200, 400, how="abortive"), None),
        (SOUTH, W1, ending(200, 300, 250, 250), "sudden-death"),
        (SOUTH, W1, ending(250, 300, 200, 250, how="stays"), None),
        (SOUTH, W1, ending(300, 250, 200, 250, how="stays"), "agariyame"),
        (EAST, S1, ending(200, 310, 240, 250), "sudden-death"),
        (SOUTH, W4, ending(299, 201, 250, 250), "run-out"),
        (SOUTH, W4, ending(299, 201, 250, 250, how="stays"), None),
    ],
)
def test_end_reason(number: int, round_: int, end: Ending, reason: str | None) -> None:
    """A game ends when somebody is below zero, or reaches the goal in the last round or later, or no round is left."""
    assert end_reason(setup(number, round_), end) == reason


def test_tenpaiyame() -> None:
    """In the oldest era the game goes on if the dealer is first but only tenpai."""
    assert end_reason(setup(SOUTH, S4, OLDEST), ending(200, 200, 200, 400, how="draw stays")) is None
    assert end_reason(setup(SOUTH, S4, OLDEST), ending(200, 200, 200, 400, how="stays")) == "agariyame"


@pytest.mark.parametrize(
    ("number", "round_", "end", "expected"),
    [
        (SOUTH, E4, ending(1, 2, 3, 4), (S1, 0)),
        (SOUTH, E4, ending(1, 2, 3, 4, how="stays"), (E4, 2)),
        (SOUTH, E4, ending(1, 2, 3, 4, how="draw"), (S1, 2)),
        (SOUTH, E4, ending(1, 2, 3, 4, how="abortive"), (E4, 2)),
        (EAST_OF_THREE, E3, ending(1, 2, 3), (S1, 0)),
        (EAST_OF_THREE, E3, ending(1, 2, 3, how="stays"), (E3, 2)),
    ],
)
def test_next_setup(number: int, round_: int, end: Ending, expected: tuple[int, int]) -> None:
    """The dealer changes after another's win or a draw while noten; a draw or the dealer's own win adds a honba."""
    after = next_setup(setup(number, round_), end)
    assert (after.round, after.honba) == expected
    assert after.points == tuple(end.points)


@pytest.mark.parametrize(
    ("number", "day", "end", "expected"),
    [
        (SOUTH, NEW, ending(243, 98, 307, 352), "243,-15.7,98,-40.2,307,10.7,352,45.2"),
        (SOUTH, OLD, ending(255, 245, -35, 535), "255,6.0,245,-15.0,-35,-54.0,535,63.0"),
        (SOUTH, OLDEST, ending(155, 473, 231, 141), "155,-24,473,57,231,3,141,-36"),
        (EAST, OLDEST, ending(155, 473, 231, 141), "155,-19,473,47,231,-2,141,-26"),
        (EAST_OF_THREE, NEW, ending(300, 400, 350), "300,-30.0,400,35.0,350,-5.0,0,0.0"),
        (SOUTH, NEW, ending(300, 300, 200, 180, sticks=2), "320,42.0,300,10.0,200,-20.0,180,-32.0"),
    ],
)
def test_owari(number: int, day: date, end: Ending, expected: str) -> None:
    """The result has the uma, rounding and notation of its era; leftover sticks and the remainder go to the first."""
    assert owari(rules_of(number), era_of(day), end) == expected
