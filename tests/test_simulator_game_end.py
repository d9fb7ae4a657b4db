"""When a simulated game ends, the start of the next frame, and the final result."""

from __future__ import annotations

from datetime import date

import pytest
from simulator.endings import Ending
from simulator.eras import era_of
from simulator.game_end import end_reason, next_setup, owari
from simulator.rules import rules_of
from simulator.table import FrameSetup
from tables import table

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


@pytest.mark.parametrize(("number", "round_", "end", "reason"), table("simulator_game_end", "end_reason", globals()))
def test_end_reason(number: int, round_: int, end: Ending, reason: str | None) -> None:
    """A game ends when somebody is below zero, or reaches the goal in the last round or later, or no round is left."""
    assert end_reason(setup(number, round_), end) == reason


def test_tenpaiyame() -> None:
    """In the oldest era the game goes on if the dealer is first but only tenpai."""
    assert end_reason(setup(SOUTH, S4, OLDEST), ending(200, 200, 200, 400, how="draw stays")) is None
    assert end_reason(setup(SOUTH, S4, OLDEST), ending(200, 200, 200, 400, how="stays")) == "agariyame"


@pytest.mark.parametrize(("number", "round_", "end", "expected"), table("simulator_game_end", "next_setup", globals()))
def test_next_setup(number: int, round_: int, end: Ending, expected: tuple[int, int]) -> None:
    """The dealer changes after another's win or a draw while noten; a draw or the dealer's own win adds a honba."""
    after = next_setup(setup(number, round_), end)
    assert (after.round, after.honba) == expected
    assert after.points == tuple(end.points)


@pytest.mark.parametrize(("number", "day", "end", "expected"), table("simulator_game_end", "owari", globals()))
def test_owari(number: int, day: date, end: Ending, expected: str) -> None:
    """The result has the uma, rounding and notation of its era; leftover sticks and the remainder go to the first."""
    assert owari(rules_of(number), era_of(day), end) == expected
