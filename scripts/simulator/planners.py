"""Gives the players their plans for a frame."""

from __future__ import annotations

from collections.abc import Callable

from simulator.plans import PLANS, Plan, View
from simulator.random_source import RandomSource
from simulator.table import Table
from simulator.tile_kinds import COPIES, DRAGONS, HONORS, WINDS, YAOCHUU

Planner = Callable[[Table, RandomSource], list[Plan]]
"""Returns a plan for each player at a table."""

_ONLY_FOR_TARGETS = {"closed kans", "passive", "thirteen-sided kokushi", "pure nine gates"}
_USUAL_WEIGHTS = {
    "any yaku": 45.0,
    "riichi": 20.0,
    "dama": 3.0,
    "tanyao": 20.0,
    "outside hand": 2.0,
    "nagashi": 0.3,
    "kans": 1.0,
}
_WILD_WEIGHTS = {
    **{name: 2.0 for name in PLANS if name not in _ONLY_FOR_TARGETS},
    "any yaku": 14.0,
    "riichi": 16.0,
    "tanyao": 12.0,
    "triplets": 8.0,
    "kans": 12.0,
    "half flush": 6.0,
    "nagashi": 4.0,
}

_MANY_OF_A_SUIT = 8
_MANY_PAIRS = 4
_MANY_ORPHANS = 9


def _fitting_weights(view: View) -> dict[str, float]:
    """Return the additional weights of the plans that suit the hand as dealt."""
    return {
        "half flush": 60.0 * (view.count(view.longest_suit) + view.count(HONORS) > _MANY_OF_A_SUIT + 1),
        "flush": 60.0 * (view.count(view.longest_suit) > _MANY_OF_A_SUIT),
        "triplets": 20.0 * (view.pairs >= _MANY_PAIRS),
        "seven pairs": 40.0 * (view.pairs > _MANY_PAIRS),
        "kokushi": 80.0 * (sum(view.counts[kind] > 0 for kind in YAOCHUU) >= _MANY_ORPHANS),
        "dragons": 60.0 * (sum(view.counts[kind] > 1 for kind in DRAGONS) > 1),
        "winds": 60.0 * (view.count(WINDS) > COPIES + 1),
    }


def choose_plan(view: View, random: RandomSource, *, wild: bool) -> Plan:
    """Return a random plan, with a preference for those that suit the hand."""
    weights = dict(_WILD_WEIGHTS if wild else _USUAL_WEIGHTS)
    for name, weight in _fitting_weights(view).items():
        weights[name] = weights.get(name, 0.0) + weight
    return PLANS[random.weighted(weights)](view)


def hand_planner(*, wild: bool) -> Planner:
    """Return the planner that gives every player a plan to suit the hand."""

    def plans(table: Table, random: RandomSource) -> list[Plan]:
        return [choose_plan(view, random, wild=wild) for view in views(table)]

    return plans


def views(table: Table) -> list[View]:
    """Return what each player at *table* bases a plan on."""
    players, round_wind = len(table.seats), table.setup.round // 4
    return [View(seat.counts, (seat.player - table.dealer) % players, round_wind, players) for seat in table.seats]
