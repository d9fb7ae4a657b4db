"""Real logs, played again: with the seed and the choices of a log, the generator writes that log, byte for byte."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date
from itertools import cycle
from pathlib import Path

import pytest
from generator.coverage import Tally
from generator.deal import Deal
from generator.game import played
from generator.legal import calls, may_riichi, nine_terminals, own_melds, ready
from generator.chance import Chance
from generator.melds import Laid, Name
from generator.mind import Act, Nine, Throw, Tsumo
from generator.people import Player
from generator.rules import rules
from generator.scribe import Scribe
from generator.seat import Seat
from generator.table import Table
from generator.times import form
from lxml import etree

LOGS = Path(__file__).parents[2] / "shared" / "mjlog"
MANIFEST = LOGS / "manifest.csv"


class Script:
    """A company that does what a log says."""

    def __init__(self, elements: list[etree._Element], scribe: Scribe) -> None:
        self._elements = elements
        self._scribe = scribe

    def ahead(self, steps: int = 0) -> tuple[str, dict[str, str]]:
        """Return the element that is to be written next, or one after it, comings and goings aside."""
        following = [one for one in self._elements[self._scribe.count :][: steps + 4] if one.tag not in ("BYE", "UN")]
        return (following[steps].tag, dict(following[steps].attrib)) if steps < len(following) else ("", {})

    def sit_down(self, table: Table) -> list[Actor]:
        return [Actor(self, table, seat) for seat in table.seats]

    def pause(self, _table: Table | None, scribe: Scribe) -> None:
        while self._elements[scribe.count].tag in ("BYE", "UN"):
            element = self._elements[scribe.count]
            if element.tag == "BYE":
                scribe.bye(int(element.get("who")))
            else:
                (name,) = element.attrib
                scribe.back(int(name[1]), element.get(name))


class Actor:
    """A player who does what a log says, if it is allowed."""

    def __init__(self, script: Script, table: Table, seat: Seat) -> None:
        self._script = script
        self._table = table
        self._seat = seat

    def act(self) -> Act:
        tag, attributes = self._script.ahead()
        if tag == "AGARI":
            worth = self._table.tsumo(self._seat)
            assert worth is not None
            return Tsumo(worth)
        if tag == "RYUUKYOKU":
            assert nine_terminals(self._table, self._seat)
            return Nine()
        if tag == "N":
            return self._named(own_melds(self._table, self._seat), int(attributes["m"]))
        if tag == "REACH":
            assert may_riichi(self._table, self._seat)
            tile = int(self._script.ahead(1)[0][1:])
            assert tile >> 2 in ready(self._seat)
            return Throw(tile, riichi=True)
        if tag == "DORA":
            tag, _ = self._script.ahead(1)
        return Throw(int(tag[1:]))

    def _named(self, allowed: list[Laid], code: int) -> Laid:
        """Return the meld of *allowed* that has *code*, but for which of four alike it names."""
        for meld in allowed:
            if meld.code == code:
                return meld
            if (
                meld.name in (Name.ANKAN, Name.KITA)
                and meld.code >> 10 == code >> 10
                and meld.code & 0xFF == code & 0xFF
            ):
                tile = code >> 8
                return meld._replace(code=code) if meld.name is Name.ANKAN else Laid(Name.KITA, (tile,), (tile,), code)
        raise AssertionError([allowed, code])

    def wins(self) -> bool:
        tag, attributes = self._script.ahead()
        if tag == "RYUUKYOKU":
            return attributes.get("type") == "ron3" and f"hai{self._seat.player}" in attributes
        wins = [self._script.ahead(step) for step in range(2 if tag == "AGARI" else 0)]
        return any(tag == "AGARI" and int(attributes["who"]) == self._seat.player for tag, attributes in wins)

    def call(self, tile: int, source: int) -> Laid | None:
        tag, attributes = self._script.ahead()
        if tag != "N" or int(attributes["who"]) != self._seat.player:
            return None
        for number in range(100):
            for meld in calls(self._table, self._seat, tile, source, Chance(number)):
                if meld.code == int(attributes["m"]):
                    return meld
        raise AssertionError(attributes)

    def after_call(self, call: Laid) -> int:
        return int(self._script.ahead()[0][1:])


def rows() -> list[str]:
    """Return the files of the logs that can be played again."""
    if not MANIFEST.is_file():
        return []
    with MANIFEST.open(encoding="utf-8", newline="") as file:
        return [row["file"] for row in csv.DictReader(file) if row["log_id"] and row["shuffle"]]


@pytest.mark.parametrize("name", rows())
def test_again(name: str) -> None:
    content = (LOGS / name).read_text(encoding="utf-8")
    elements = list(etree.fromstring(content.encode()).iterchildren("*"))
    head = {element.tag: dict(element.attrib) for element in reversed(elements)}
    day = date(int(name[:4]), int(name[4:6]), int(name[6:8]))
    looks = form(day)
    terms = rules(int(head["GO"]["type"]))
    un = head["UN"]
    columns = zip(un["dan"].split(","), un["rate"].split(","), un["sx"].split(","), strict=True)
    cast = [Player(un[f"n{who}"], int(dan), rate, sex) for who, (dan, rate, sex) in enumerate(columns)]
    inits = [element for element in elements if element.tag == "INIT"]
    seeds = [head["SHUFFLE"]["seed"]] if "SHUFFLE" in head else [element.get("shuffle") for element in inits]
    scribe = Scribe(looks, Tally())
    deal = Deal(looks.shuffle, terms.players, iter(seeds))
    assert played(terms, deal, scribe, cast, Script(elements, scribe)) == content
