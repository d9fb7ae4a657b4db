"""Coverage of simulated games: everything possible occurs, and nothing impossible."""

from __future__ import annotations

import pytest
from playing import LINES, RARE, games, rare, rules_and_day
from simulator.coverage import ELSEWHERE, GROUPS, NEVER, Tally, is_possible
from simulator.eras import era_of


def test_all() -> None:
    """Everything possible occurs in some game, and nothing impossible in any."""
    tally = Tally()
    for line in LINES:
        for game in games(line):
            tally.add(game.tally)
    assert tally.missing == []
    assert [row for row in NEVER | ELSEWHERE if tally[row]] == []


@pytest.mark.parametrize("line", LINES)
def test_possible(line: str) -> None:
    """No game has a row that its rules and its era exclude."""
    for game in games(line):
        rules, day = rules_and_day(game)
        era = era_of(day)
        assert [row for row, number in game.tally.items() if number and not is_possible(row, rules, era)] == []


def test_rows() -> None:
    """Every row has a unique name."""
    assert len(Tally()) == sum(map(len, GROUPS.values()))


def test_wanted() -> None:
    """The game found for a wanted row has the row."""
    for row in {line.split()[1] for line in RARE}:
        (game,) = games(rare(row))
        assert game.tally[row] > 0
