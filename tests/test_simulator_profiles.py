"""Who plays the games: what their programs write, how they come and go, and what they never choose."""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from datetime import date
from itertools import count

import pytest
from play import arguments
from play import games as asked_for
from playing import games
from simulator.coverage import Tally
from simulator.eras import form
from simulator.game import Order, deal, view
from simulator.legal_actions import nine_terminals
from simulator.plans import PLANS
from simulator.policy import Mind, Nine
from simulator.profiles import Presence
from simulator.random_source import Chance
from simulator.rules import rules
from simulator.table import Setting, Table

BLINKING = "--seed 1 --games 20 --wild"
GOING = re.compile(r'<BYE [^>]*>|<UN n\d="[^"]*" />')
MELD = re.compile(r'<N who="(\d)" m="(\d+)" />')


def test_blinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who goes and comes back at once changes nothing of the play."""
    logs = [game.log for game in games(BLINKING)]
    monkeypatch.setattr(Presence, "blink", lambda *_: [])
    without = [game.log for game in asked_for(arguments([*shlex.split(BLINKING), "-o", "-"]))]
    assert logs != without
    assert [GOING.sub("", log) for log in logs] == [GOING.sub("", log) for log in without]


def test_presence() -> None:
    """Nobody goes who is away, or comes back who is there."""
    gone: set[int] = set()
    presence = Presence(4, Chance("presence", 1), Chance("apart"), often=True)
    changes = [change for _ in range(10000) for change in (presence.change(), *presence.blink(1)) if change is not None]
    for player, leaves in changes:
        assert (player in gone) != leaves
        gone ^= {player}
    assert len(changes) > 100
    assert gone == {player for player in range(4) if presence.gone[player]}


def test_closed_kans() -> None:
    """In logs before 2018 some players' closed kans are named by their third tile, and others' by their first; in
    later ones all by their first."""
    found: dict[bool, set[int]] = {True: set(), False: set()}
    for game in games("--seed 1 --games 40 --wild --form base64"):
        places = defaultdict(set)
        for who, code in MELD.findall(game.log):
            if not int(code) & 0x3F:
                places[who].add(int(code) >> 8 & 3)
        assert all(len(of_one) == 1 for of_one in places.values())
        found[game.id < "2018"].update(*places.values())
    assert found == {True: {0, 2}, False: {0}}


@pytest.mark.parametrize(("name", "breaks_off"), [("closed", True), ("orphans", False), ("thirteen sides", False)])
def test_nine_terminals(name: str, *, breaks_off: bool) -> None:
    """Who strives for thirteen orphans does not break off the hands that are good for it, as others often do."""
    table = next(table for table in map(dealt, count()) if nine_terminals(table, table.seats[0]))
    plan = PLANS[name](view(table, 0))
    acts = [Mind(table, table.seats[0], plan, Chance(number), wild=False).act() for number in range(20)]
    assert any(isinstance(act, Nine) for act in acts) == breaks_off


def dealt(number: int) -> Table:
    """Return a table at which the dealer has drawn."""
    order = Order(f"terminals/{number}", rules(9), date(2020, 1, 1))
    setting = Setting(order.rules, form(order.day), 0, 0, 0, (250,) * 4)
    table = Table(setting, deal(order).wall(0), Tally())
    table.draw(table.seats[0])
    return table
