"""How simulated frames end."""

from __future__ import annotations

from playing import matches, rare

from jmjp_convert.model import Win


def test_pao_himself() -> None:
    """A player who is liable for pao and also deals in pays all, and is not named in paoWho."""
    (match,) = matches(rare("pao-himself"))
    wins = [event for frame in match.frames for event in frame.endings if isinstance(event, Win)]
    (win,) = (win for win in wins if win.score is not None and win.score.yakuman)
    assert win.pao == ()
    assert win.source is not None
    lost = {player: change for player, change in enumerate(win.changes or ()) if change < 0}
    assert lost == {win.source: -32000}
