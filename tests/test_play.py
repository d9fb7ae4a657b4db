"""Games that are played, not real: the converter's own rules find nothing wrong with them."""

from __future__ import annotations

from datetime import date

import pytest
from generator.game import Game, Order, play
from generator.rules import rules

from jmjp_convert import read_mjlog
from jmjp_convert.check import check_match
from jmjp_convert.mjlog.dealt import Agreement, check_wall
from jmjp_convert.score import check_score

DAYS = (date(2009, 3, 1), date(2009, 9, 1), date(2012, 5, 5), date(2023, 1, 2))
NUMBERS = (1, 169, 143, 17, 187)


def findings(game: Game) -> list[str]:
    """Return what is wrong with *game*."""
    match = read_mjlog(game.log.encode(), file_name=f"{game.id}.xml", strict=True)
    assert match.id == game.id
    wall = check_wall(match)
    assert wall.agreement in (Agreement.AGREES, Agreement.DISAGREES)
    return [*check_match(match), *map(str, filter(None, [wall.difference])), *map(str, check_score(match).findings)]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("day", DAYS)
def test_sound(day: date, number: int) -> None:
    """A game of any time and rules is sound by its play, its wall and its score."""
    game = play(Order("test", rules(number), day, wild=True))
    assert findings(game) == []
