"""Choices of simulated players."""

from __future__ import annotations

from datetime import date
from itertools import count

import pytest
from simulator.coverage import Tally
from simulator.eras import era_of
from simulator.game import GameSpec, walls_of
from simulator.legal_actions import may_declare_nine_terminals
from simulator.plan_policy import PlanPolicy
from simulator.planners import views
from simulator.plans import PLANS
from simulator.policy import NineTerminals
from simulator.random_source import RandomSource
from simulator.rules import rules_of
from simulator.table import FrameSetup, Table


@pytest.mark.parametrize(
    ("name", "breaks_off"), [("riichi", True), ("kokushi", False), ("thirteen-sided kokushi", False)]
)
def test_nine_terminals(name: str, *, breaks_off: bool) -> None:
    """A player who aims for kokushi does not declare nine terminals with a suitable hand, as others often do."""
    table = next(table for table in map(dealt, count()) if may_declare_nine_terminals(table, table.seats[0]))
    plan = PLANS[name](views(table)[0])
    policies = [PlanPolicy(table, table.seats[0], plan, RandomSource(number), wild=False) for number in range(20)]
    assert any(isinstance(policy.act(), NineTerminals) for policy in policies) == breaks_off


def dealt(number: int) -> Table:
    """Return a table at which the dealer has drawn."""
    spec = GameSpec(f"terminals/{number}", rules_of(9), date(2020, 1, 1))
    setup = FrameSetup(spec.rules, era_of(spec.day), 0, 0, 0, (250,) * 4)
    table = Table(setup, walls_of(spec).next(0), Tally())
    table.draw(table.seats[0])
    return table
