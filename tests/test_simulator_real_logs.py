"""Real logs, played again: by the seed and the choices of a log, the generator writes that very log, byte for byte.

So its walls, what it allows, when it turns dora, what hands are worth and in which order it names their yaku, who pays,
when a game ends and with what result, and the form of every element are those of Tenhou, as far as the logs go.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from datetime import date
from itertools import takewhile
from pathlib import Path

import pytest
from lxml import etree
from simulator.coverage import Tally
from simulator.eras import form
from simulator.game import played
from simulator.legal_actions import calls, may_riichi, nine_terminals, own_melds, ready
from simulator.melds import Laid, Name, kita
from simulator.mjlog_writer import Scribe
from simulator.policy import Act, Nine, Throw, Tsumo
from simulator.profiles import Player
from simulator.random_source import Chance
from simulator.rules import rules
from simulator.seat import Seat
from simulator.table import Table
from simulator.walls import Deal

from jmjp_convert.model.tenhou import OTHER_TABLES

LOGS = Path(__file__).parents[2] / "shared" / "mjlog"
MANIFEST = LOGS / "manifest.csv"
TWO_DISCARDS = "2010022802gm-00a9-0000-7e62f873.xml"
DOUBLED = "2010051013gm-00a9-0000-607b52e9.xml"  # writes its last attribute twice

COPIES_TRIED = 50
Element = tuple[str, dict[str, str]]

pytestmark = pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")


def logs() -> list[tuple[str, str]]:
    """Return the files of the logs with a wall, of tables with the usual rules and of a known day; and their ids."""
    if not MANIFEST.is_file():
        return []
    with MANIFEST.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["log_id"] and int(row["go_type"]) < OTHER_TABLES]
    found = [row for row in rows if row["shuffle"] != "none" and row["file"] not in {TWO_DISCARDS, DOUBLED}]
    assert found
    return [(row["file"], row["log_id"]) for row in found]


class Script:
    """A company that does what a log says."""

    def __init__(self, elements: list[Element], scribe: Scribe) -> None:
        self._elements = elements
        self._scribe = scribe

    def ahead(self) -> list[Element]:
        """Return the elements that are to be written next, comings and goings aside."""
        place = self._scribe.count
        return [element for element in self._elements[place : place + 6] if element[0] not in {"BYE", "UN"}]

    def sit_down(self, table: Table) -> Sequence[Actor]:
        """Return the players."""
        return [Actor(self, table, seat) for seat in table.seats]

    def pause(self, _table: Table | None, scribe: Scribe) -> None:
        """Write the comings and goings that stand next."""
        self.blink(scribe)

    def blink(self, scribe: Scribe) -> None:
        """Write the comings and goings that stand next."""
        for tag, attributes in takewhile(lambda one: one[0] in {"BYE", "UN"}, self._elements[scribe.count :]):
            if tag == "BYE":
                scribe.bye(int(attributes["who"]))
            else:
                ((name, value),) = attributes.items()
                scribe.back(int(name[1]), value)


class Actor:
    """A player who does what a log says, and by the generator may do it."""

    def __init__(self, script: Script, table: Table, seat: Seat) -> None:
        self._ahead = script.ahead
        self._table = table
        self._seat = seat

    def act(self) -> Act:
        """Do what comes next."""
        following = [element for element in self._ahead() if element[0] != "DORA"]
        tag, attributes = following[0]
        if tag == "AGARI":
            worth = self._table.tsumo(self._seat)
            assert worth is not None
            return Tsumo(worth)
        if tag == "RYUUKYOKU":
            assert nine_terminals(self._table, self._seat)
            return Nine()
        if tag == "N":
            return self._declared(int(attributes["m"]))
        if tag == "REACH":
            tile = int(following[1][0][1:])
            assert may_riichi(self._table, self._seat)
            assert tile >> 2 in ready(self._seat)
            return Throw(tile, riichi=True)
        return Throw(int(tag[1:]))

    def _declared(self, code: int) -> Laid:
        """Return the meld with *code*: any north may be set aside."""
        for meld in own_melds(self._table, self._seat):
            if meld.name is not Name.KITA and meld.code == code:
                return meld
            if meld.name is Name.KITA and kita(code >> 8).code == code:
                return kita(code >> 8)
        raise AssertionError(code)

    def wins(self) -> bool:
        """Win, if the log says so."""
        (tag, attributes), *rest = self._ahead()
        if tag == "RYUUKYOKU":
            return attributes.get("type") == "ron3" and f"hai{self._seat.player}" in attributes
        wins = [element for element in [(tag, attributes), *rest[:1]] if tag == element[0] == "AGARI"]
        return any(int(win["who"]) == self._seat.player for _, win in wins)

    def call(self, tile: int, source: int) -> Laid | None:
        """Call, if the log says so."""
        tag, attributes = self._ahead()[0]
        if tag != "N" or int(attributes["who"]) != self._seat.player:
            return None
        for number in range(COPIES_TRIED):  # which copies are taken is by chance
            for meld in calls(self._table, self._seat, tile, source, Chance(number)):
                if meld.code == int(attributes["m"]):
                    return meld
        raise AssertionError(attributes)

    def after_call(self, _call: Laid) -> int:
        """Discard what comes next."""
        return int(self._ahead()[0][0][1:])


def cast(un: dict[str, str], thirds: set[str]) -> list[Player]:
    """Return the players whom a log names; *thirds* are those whose closed kans are named by their third tile."""
    columns = zip(un["dan"].split(","), un["rate"].split(","), un["sx"].split(","), strict=True)
    return [
        Player(un[f"n{who}"], int(dan), rate, sex, str(who) in thirds) for who, (dan, rate, sex) in enumerate(columns)
    ]


def naming_thirds(elements: list[Element]) -> set[str]:
    """Return who has a closed kan that is named by its third tile."""
    melds = [(one["who"], int(one["m"])) for tag, one in elements if tag == "N"]
    return {who for who, code in melds if is_ankan(code) and code >> 8 & 3 == 2}


def is_ankan(code: int) -> bool:
    """Return whether *code* is that of a closed kan: nobody gave it, and it is neither chi, pon, kakan nor kita."""
    return not code & 0x3F


@pytest.mark.parametrize(("file", "log_id"), logs())
def test_again(file: str, log_id: str) -> None:
    """A real log is written again, byte for byte."""
    content = (LOGS / file).read_bytes()
    elements = [(str(one.tag), dict(one.items())) for one in etree.fromstring(content)]
    head = dict(reversed(elements))
    seeds = (
        [head["SHUFFLE"]["seed"]] if "SHUFFLE" in head else [one["shuffle"] for tag, one in elements if tag == "INIT"]
    )
    terms, looks = rules(int(head["GO"]["type"])), form(date.fromisoformat(log_id[:8]))
    scribe = Scribe(looks, Tally())
    deal = Deal(looks.shuffle, terms.players, iter(seeds))
    thirds = naming_thirds(elements) if looks.old_ankan else set()
    log = played(terms, deal, scribe, cast(head["UN"], thirds), Script(elements, scribe))
    assert log.encode() == content.rstrip(b"\n")
