"""Disconnections and reconnections of simulated players."""

from __future__ import annotations

import re
import shlex

import pytest
from play import arguments
from play import games as asked_for
from playing import games
from simulator.connections import Connections
from simulator.random_source import RandomSource

BLIPPING = "--seed 1 --games 20 --wild"
CHANGE = re.compile(r'<BYE [^>]*>|<UN n\d="[^"]*" />')


def test_blips(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who leaves and comes back at once does not change the play."""
    logs = [game.log for game in games(BLIPPING)]
    monkeypatch.setattr(Connections, "blip", lambda *_: [])
    without = [game.log for game in asked_for(arguments([*shlex.split(BLIPPING), "-o", "-"]))]
    assert logs != without
    assert [CHANGE.sub("", log) for log in logs] == [CHANGE.sub("", log) for log in without]


def test_changes() -> None:
    """Only connected players are disconnected, and only disconnected players come back."""
    away: set[int] = set()
    connections = Connections(4, RandomSource("presence", 1), RandomSource("apart"), often=True)
    rounds = ((connections.change(), *connections.blip(1)) for _ in range(10000))
    changes = [change for changed in rounds for change in changed if change is not None]
    for player, lost in changes:
        assert (player in away) != lost
        away ^= {player}
    assert len(changes) > 100
    assert away == {player for player in range(4) if connections.lost[player]}
