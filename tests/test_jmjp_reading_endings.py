"""Inferring how a frame ended from its acts and points."""

from __future__ import annotations

from jmjp_texts import DEALT, EVEN, SOUTH, played

from jmjp_convert.model import DrawKind, RiichiAccepted, Ryuukyoku, Win
from jmjp_convert.model.tiles import any_copy


def test_unfinished() -> None:
    """A frame without points at its end and without a win is unfinished."""
    assert played("(e,9m,tg)").endings == []


def test_drawn() -> None:
    """A frame with points at its end but no win is a draw of unknown kind."""
    assert played("(e,9m,tg)", pfe="26.0,24.0,25.0,25.0").endings == [Ryuukyoku(None, changes=(1000, -1000, 0, 0))]


def test_three_rons() -> None:
    """Three rons that change no points are a draw, others three wins."""
    acts = "(e,8s,tg)(s,ro,)(w,ro,)(n,ro,)"
    assert played(acts, pfe=EVEN).endings == [Ryuukyoku(DrawKind.TRIPLE_RON, changes=(0, 0, 0, 0))]
    fourteen = {seat: f"{DEALT[seat]},8s" for seat in "swn"}
    for pfe in ("22.0,26.0,26.0,26.0", ""):
        assert played(acts, pfe=pfe, **fourteen).endings == [Win(player, 0, any_copy("8s")) for player in (1, 2, 3)]


def test_payments_of_a_win() -> None:
    """The payments of a win are the changes in points, without the riichi sticks paid before."""
    found = played("(e,9m,rc[9m])(s,8p,tm)", s=f"{SOUTH},8p", pfe="20.0,34.0,23.0,23.0")
    assert found.endings == [Win(1, None, any_copy("8p"), changes=(-4000, 9000, -2000, -2000))]


def test_riichi_at_the_end() -> None:
    """A riichi on the last discard is paid if the frame is drawn, and unknown if it is unfinished."""
    drawn = played("(e,9m,rc[9m])", pfe="24.0,25.0,25.0,25.0")
    assert drawn.events[-2:] == (RiichiAccepted(0), Ryuukyoku(None, changes=(0, 0, 0, 0)))
    assert RiichiAccepted(0) not in played("(e,9m,rc[9m])").events
