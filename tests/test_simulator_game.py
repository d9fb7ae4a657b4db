"""Simulated games: the converter finds no problems, and each has a unique log ID."""

from __future__ import annotations

import pytest
from playing import LINES, games, matches

from jmjp_convert.checks.match import check_match
from jmjp_convert.checks.score import check_score
from jmjp_convert.checks.wall import Agreement, check_wall
from jmjp_convert.model.log_ids import find_id

NOT_JUDGED = {"whether three players could win is not checked", "the payments for nagashi by two players are unknown"}


@pytest.mark.parametrize("line", LINES)
def test_valid(line: str) -> None:
    """A game is valid in its play, its wall and its score."""
    for match in matches(line):
        assert list(check_match(match)) == []
        wall, score = check_wall(match), check_score(match)
        assert (wall.agreement, wall.difference) == (Agreement.AGREES, None)
        assert score.findings == []
        assert {reason for _, reason in score.not_judged} <= NOT_JUDGED


@pytest.mark.parametrize("line", LINES)
def test_ids(line: str) -> None:
    """Log IDs look like Tenhou's, with the rules and the day of the game."""
    ids = [game.id for game in games(line)]
    for match in matches(line):
        assert match.id in ids
        log_id = find_id(match.id or "")
        assert log_id is not None
        assert (log_id.text, log_id.rules, log_id.date) == (match.id, match.rules.code, match.date)


def test_distinct_ids() -> None:
    """No two games have the same log ID, even if only their options differ."""
    alike = "--seed 1 --first 30"
    wanted = [f"--want {row} --tries 1" for row in ("ron", "dora")]
    options = ("", "--wild", "--rob-ankan", "--wild --rob-ankan", *wanted)
    lines = (*LINES, *(f"{alike} {option}" for option in options))
    ids = [game.id for line in lines for game in games(line)]
    assert len(set(ids)) == len(ids)
