"""What a simulated frame allows under its rules."""

from __future__ import annotations

import shlex

import pytest
from play import arguments
from playing import games, rare, rules_and_day
from simulator.game import GameSpec, simulate
from simulator.targets import target_planner


@pytest.mark.parametrize("robs_ankan", [True, False])
def test_rob_ankan(*, robs_ankan: bool) -> None:
    """Kokushi wins on a closed kan only if the rules allow it; otherwise the same game goes on."""
    line = rare("robbed-ankan")
    (game,) = games(line)
    rules, day = rules_and_day(game)
    number = arguments([*shlex.split(line), "-o", "-"]).first
    spec = GameSpec(f"1/{number}", rules._replace(robs_ankan=robs_ankan), day, target="robbed-ankan")
    played = simulate(spec, target_planner(spec.target, wild=False))
    assert bool(played.tally["robbed-ankan"]) == robs_ankan
    assert (played == game) == robs_ankan
