"""Replays of real logs: from the seed and the choices in a log, the simulator writes exactly the same log.

So its walls, legal plays, times of turning dora, values of hands, order of yaku, payments, ends of games, final results
and the form of every element are those of Tenhou, as far as the logs show.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import takewhile

import pytest
from lxml import etree
from simulator.coverage import Tally
from simulator.eras import era_of
from simulator.game import play_game
from simulator.legal_actions import (
    declarable_melds,
    may_declare_nine_terminals,
    may_declare_riichi,
    possible_calls,
    tenpai_discards,
)
from simulator.melds import Meld, MeldType, kita
from simulator.mjlog_writer import MjlogWriter
from simulator.policy import Action, Discard, NineTerminals, Tsumo
from simulator.profiles import Profile
from simulator.random_source import RandomSource
from simulator.rules import rules_of
from simulator.seat import Seat
from simulator.table import Table
from simulator.walls import GameWalls
from test_real_logs import DOUBLED, LOGS, MANIFEST, ROWS, TWO_DISCARDS

from jmjp_convert.model.tenhou import OTHER_TABLES

COPIES_TRIED = 50
Element = tuple[str, dict[str, str]]

pytestmark = pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")


def logs() -> list[tuple[str, str]]:
    """Return the file and the log ID of each log that has a wall, the usual rules and a known day."""
    rows = [row for row in ROWS.values() if row["log_id"] and int(row["go_type"]) < OTHER_TABLES]
    listed = [row for row in rows if row["shuffle"] != "none" and row["file"] not in {TWO_DISCARDS, DOUBLED}]
    assert listed or not rows
    return [(row["file"], row["log_id"]) for row in listed]


class RecordedPlayers:
    """Players who follow a log."""

    def __init__(self, elements: list[Element], writer: MjlogWriter) -> None:
        self._elements = elements
        self._writer = writer

    def ahead(self) -> list[Element]:
        """Return the elements to be written next, except changes of connections."""
        position = self._writer.count
        return [element for element in self._elements[position : position + 6] if element[0] not in {"BYE", "UN"}]

    def sit_down(self, table: Table) -> Sequence[RecordedPolicy]:
        """Return the policy of each player."""
        return [RecordedPolicy(self, table, seat) for seat in table.seats]

    def pause(self, _table: Table | None, writer: MjlogWriter) -> None:
        """Write the changes of connections that come next."""
        self.blip(writer)

    def blip(self, writer: MjlogWriter) -> None:
        """Write the changes of connections that come next."""
        for tag, attributes in takewhile(lambda element: element[0] in {"BYE", "UN"}, self._elements[writer.count :]):
            if tag == "BYE":
                writer.disconnected(int(attributes["who"]))
            else:
                ((name, value),) = attributes.items()
                writer.reconnected(int(name[1]), value)


class RecordedPolicy:
    """Follows a log, and checks that the simulator allows each choice."""

    def __init__(self, players: RecordedPlayers, table: Table, seat: Seat) -> None:
        self._ahead = players.ahead
        self._table = table
        self._seat = seat

    def act(self) -> Action:
        """Return the next action."""
        following = [element for element in self._ahead() if element[0] != "DORA"]
        tag, attributes = following[0]
        if tag == "AGARI":
            value = self._table.tsumo_value(self._seat)
            assert value is not None
            return Tsumo(value)
        if tag == "RYUUKYOKU":
            assert may_declare_nine_terminals(self._table, self._seat)
            return NineTerminals()
        if tag == "N":
            return self._declared(int(attributes["m"]))
        if tag == "REACH":
            tile = int(following[1][0][1:])
            assert may_declare_riichi(self._table, self._seat)
            assert tile >> 2 in tenpai_discards(self._seat)
            return Discard(tile, riichi=True)
        return Discard(int(tag[1:]))

    def _declared(self, code: int) -> Meld:
        """Return the meld with *code*. For several norths, any may be the one set aside."""
        for meld in declarable_melds(self._table, self._seat):
            if meld.type is not MeldType.KITA and meld.code == code:
                return meld
            if meld.type is MeldType.KITA and kita(code >> 8).code == code:
                return kita(code >> 8)
        raise AssertionError(code)

    def wins(self) -> bool:
        """Win if the log does."""
        (tag, attributes), *rest = self._ahead()
        if tag == "RYUUKYOKU":
            return attributes.get("type") == "ron3" and f"hai{self._seat.player}" in attributes
        wins = [element for element in [(tag, attributes), *rest[:1]] if tag == element[0] == "AGARI"]
        return any(int(win["who"]) == self._seat.player for _, win in wins)

    def call(self, tile: int, source: int) -> Meld | None:
        """Call if the log does."""
        tag, attributes = self._ahead()[0]
        if tag != "N" or int(attributes["who"]) != self._seat.player:
            return None
        for number in range(COPIES_TRIED):  # the copies from the hand are random
            for meld in possible_calls(self._table, self._seat, tile, source, RandomSource(number)):
                if meld.code == int(attributes["m"]):
                    return meld
        raise AssertionError(attributes)

    def discard_after(self, _call: Meld) -> int:
        """Return the next discard."""
        return int(self._ahead()[0][0][1:])


def profiles(un: dict[str, str], thirds: set[str]) -> list[Profile]:
    """Return the profiles in a log; *thirds* are the players whose closed kans are encoded by their third tile."""
    columns = zip(un["dan"].split(","), un["rate"].split(","), un["sx"].split(","), strict=True)
    return [
        Profile(un[f"n{who}"], int(dan), rate, sex, str(who) in thirds) for who, (dan, rate, sex) in enumerate(columns)
    ]


def encoding_thirds(elements: list[Element]) -> set[str]:
    """Return the players with a closed kan encoded by its third tile."""
    melds = [(attributes["who"], int(attributes["m"])) for tag, attributes in elements if tag == "N"]
    return {who for who, code in melds if is_ankan(code) and code >> 8 & 3 == 2}


def is_ankan(code: int) -> bool:
    """Return whether *code* is that of a closed kan: it has no giver, and is not a chi, pon, kakan or kita."""
    return not code & 0x3F


@pytest.mark.parametrize(("file", "log_id"), logs())
def test_replayed(file: str, log_id: str) -> None:
    """A real log is reproduced byte for byte."""
    content = (LOGS / file).read_bytes()
    elements = [(str(element.tag), dict(element.items())) for element in etree.fromstring(content)]
    head = dict(reversed(elements))
    seeds = (
        [head["SHUFFLE"]["seed"]]
        if "SHUFFLE" in head
        else [values["shuffle"] for tag, values in elements if tag == "INIT"]
    )
    rules, era = rules_of(int(head["GO"]["type"])), era_of(date.fromisoformat(log_id[:8]))
    writer = MjlogWriter(era, Tally())
    walls = GameWalls(era.shuffle, rules.players, iter(seeds))
    thirds = encoding_thirds(elements) if era.some_ankan_by_third else set()
    log = play_game(rules, walls, writer, profiles(head["UN"], thirds), RecordedPlayers(elements, writer))
    assert log.encode() == content.rstrip(b"\n")
