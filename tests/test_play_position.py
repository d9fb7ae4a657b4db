"""Hands as played and as recorded, where an unknown tile may be any."""

from __future__ import annotations

from collections import Counter

import pytest
from tables import table

from jmjp_convert.errors import PlayError
from jmjp_convert.model import DISCARDS, DRAWS, DrawKind, Event, Rules, Ryuukyoku, Start, Win
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN, any_copy
from jmjp_convert.play.position import compared
from jmjp_convert.play.table import replay

U = UNKNOWN


@pytest.mark.parametrize(("played", "recorded", "unseen", "alike"), table("play_position", "compared"))
def test_compared(played: tuple[int, ...], recorded: tuple[int, ...], unseen: int, *, alike: bool) -> None:
    """Hands are alike if each tile of one may be a tile of the other, but for the unseen ones that left."""
    found = compared(played, recorded, unseen)
    assert found.alike is alike
    assert UNKNOWN not in found.gone + found.come


def test_difference() -> None:
    """The known tiles that only one of the hands has are given, each as often as it is missing."""
    found = compared((1, 1, 2, U), (1, 3, 3, 4), 0)
    assert (found.gone, found.come, found.alike) == (Counter({1: 1, 2: 1}), Counter({3: 2, 4: 1}), False)


HAND = tuple(map(any_copy, ("1m", "2m", "3m", "4m", "6m", "7m", "8m", "9m", "1p", "2p", "3p", "4p", "6p")))
START = Start(0, 0, 0, 0, None, None, ((U,) * 13, HAND, (*HAND[1:], U), HAND))
TURN: tuple[Event, ...] = (DRAWS[0][U], DISCARDS[None][0][any_copy("9s")])
DRAWN = Ryuukyoku(DrawKind.EXHAUSTIVE)


@pytest.mark.parametrize("player", range(4))
@pytest.mark.parametrize("shown", [HAND, (U,) * 13, (*HAND[1:], U)])
def test_shown_at_a_draw(player: int, shown: tuple[int, ...]) -> None:
    """A hand shown at a draw may make unknown tiles known, or leave known ones unknown."""
    hands = tuple(shown if player == other else None for other in range(4))
    replay(START, (*TURN, replace(DRAWN, shown=hands)), Rules())


@pytest.mark.parametrize("player", [1, 2, 3])
def test_other_hand_at_a_draw(player: int) -> None:
    """A hand shown must have the known tiles."""
    other = (*HAND[:11], any_copy("8s"), any_copy("8s"))
    hands = tuple(other if player == one else None for one in range(4))
    with pytest.raises(PlayError, match=rf"^player {player} shows (1m )?8s 8s; .* expected from the play$"):
        replay(START, (*TURN, replace(DRAWN, shown=hands)), Rules())


def test_shown_at_a_win() -> None:
    """So may the hand that a winner shows."""
    ron = Win(2, 0, any_copy("9s"))
    for hand in ((*HAND, any_copy("9s")), (*HAND[1:], U, any_copy("9s")), (U,) * 14):
        replay(START, (*TURN, replace(ron, hand=hand)), Rules())
    with pytest.raises(PlayError, match=r"^player 2 wins with 8s 8s; 2m uk expected from the play$"):
        replay(START, (*TURN, replace(ron, hand=(*HAND[2:], any_copy("8s"), any_copy("8s"), any_copy("9s")))), Rules())
