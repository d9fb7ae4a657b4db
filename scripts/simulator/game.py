"""A whole game: from frame to frame, to the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from typing import NamedTuple, Protocol

from simulator.coverage import Tally
from simulator.coverage_counts import count_game, count_rules
from simulator.endings import Ending
from simulator.eras import form
from simulator.frame import Chooser, Frame
from simulator.game_end import following, over, owari
from simulator.mjlog_writer import Scribe
from simulator.plans import Plan, View, choose
from simulator.policy import Mind
from simulator.profiles import Player, Presence, people
from simulator.random_source import Chance
from simulator.rules import Rules
from simulator.table import Setting, Table
from simulator.walls import Deal, seeds

_SELDOM, _SOMETIMES = 0.05, 3.0  # percent


class Order(NamedTuple):
    """What game is to be played.

    :ivar name: of the game among all others: with it everything is decided.
    :ivar wild: whether players prefer calls, kans and riichi, and often lose the connection.
    :ivar wish: the row of `coverage.py` that is wished for, if any.
    """

    name: str
    rules: Rules
    day: date
    wild: bool = False
    wish: str = ""


class Game(NamedTuple):
    """A game as it was played: its id, the log, and what occurred in it."""

    id: str
    log: str
    tally: Tally


Planner = Callable[[Table, Chance], list[Plan]]
"""Gives every player at a table a plan."""


def by_hands(*, wild: bool) -> Planner:
    """Return what gives every player a plan that goes with the hand."""

    def plans(table: Table, chance: Chance) -> list[Plan]:
        return [choose(view(table, player), chance, wild=wild) for player in range(len(table.seats))]

    return plans


def view(table: Table, player: int) -> View:
    """Return what *player* makes a plan from."""
    players = len(table.seats)
    return View(table.seats[player].counts, (player - table.dealer) % players, table.setting.round // 4, players)


class Company(Protocol):
    """Those who play a game."""

    def sit_down(self, table: Table) -> Sequence[Chooser]:
        """Return who chooses for each player at *table*."""

    def pause(self, table: Table | None, scribe: Scribe) -> None:
        """Let somebody go or come back, during the frame at *table* or between two."""

    def blink(self, scribe: Scribe) -> None:
        """Let somebody go and come back at once, where nobody is asked for a choice."""


class Crowd:
    """A company that plays by chance, with plans by *planner*."""

    def __init__(self, cast: list[Player], order: Order, chance: Chance, planner: Planner) -> None:
        self._cast = cast
        self._wild = order.wild
        self._chance = chance
        self._planner = planner
        apart = Chance(order.name, "connections")
        self._presence = Presence(order.rules.players, chance, apart, often=order.wild)

    def sit_down(self, table: Table) -> list[Mind]:
        """Return the players' minds."""
        for seat, gone in zip(table.seats, self._presence.gone, strict=True):
            seat.gone = gone
        plans = self._planner(table, self._chance)
        return [
            Mind(table, seat, plan, self._chance, wild=self._wild)
            for seat, plan in zip(table.seats, plans, strict=True)
        ]

    def pause(self, table: Table | None, scribe: Scribe) -> None:
        """Let somebody lose the connection, or come back; mostly nobody does."""
        changed = self._presence.change()
        if changed is not None:
            player, gone = changed
            if table is not None:
                table.seats[player].gone = gone
            self._write(scribe, player, gone=gone)
        self._blink(scribe, _SELDOM)

    def blink(self, scribe: Scribe) -> None:
        """Let somebody go and come back at once; mostly nobody does."""
        self._blink(scribe, _SOMETIMES)

    def _blink(self, scribe: Scribe, percent: float) -> None:
        for player, gone in self._presence.blink(percent):
            self._write(scribe, player, gone=gone)

    def _write(self, scribe: Scribe, player: int, *, gone: bool) -> None:
        if gone:
            scribe.bye(player)
        else:
            scribe.back(player, self._cast[player].name)


def deal(order: Order) -> Deal:
    """Return the walls of a game: chance gives them apart from all else, so that they can be looked at first."""
    shuffle = form(order.day).shuffle
    return Deal(shuffle, order.rules.players, seeds(shuffle, Chance(order.name, "walls")))


def play(order: Order, planner: Planner | None = None) -> Game:
    """Play a game, with plans by *planner*, or without it such that go with the hands."""
    rules, looks = order.rules, form(order.day)
    chance = Chance(order.name, "play")
    hour, number = chance.below(24), chance.bits(32)
    # Whatever else makes the game is in the number too, so that no other game has the same id.
    number = Chance(number, order.name, order.wild, order.wish, rules.robs_ankan).bits(32)
    game_id = f"{order.day:%Y%m%d}{hour:02}gm-{rules.number:04x}-0000-{number:08x}"
    cast = people(rules, looks, chance, Chance(order.name, "programs"))
    tally = Tally()
    crowd = Crowd(cast, order, chance, planner or by_hands(wild=order.wild))
    return Game(game_id, played(rules, deal(order), Scribe(looks, tally), cast, crowd), tally)


def played(rules: Rules, walls: Deal, scribe: Scribe, cast: list[Player], company: Company) -> str:
    """Return the log of a game that *company* plays and *scribe* writes, from the first frame to the last."""
    looks, tally = scribe.form, scribe.tally
    scribe.head(walls.seed, rules.number, cast)
    count_rules(tally, rules, looks)
    setting: Setting | None = Setting(rules, looks, 0, 0, 0, (rules.start,) * rules.players)
    frames = 0
    company.blink(scribe)
    while setting is not None:
        company.pause(None, scribe)
        ending = _frame(setting, walls, scribe, cast, company)
        frames += 1
        why = over(setting, ending)
        count_game(tally, setting, ending, why, frames)
        for number, (kind, attributes) in enumerate(ending.elements, 1):
            if why and number == len(ending.elements):
                attributes["owari"] = owari(rules, looks, ending)
            scribe.end(kind, attributes)
        setting = None if why else following(setting, ending)
    written = scribe.count
    company.blink(scribe)
    tally.note("going-after-last-frame", when=scribe.count > written)
    return scribe.log


def _frame(setting: Setting, walls: Deal, scribe: Scribe, cast: list[Player], company: Company) -> Ending:
    """Play one frame."""
    wall = walls.wall(setting.dealer)
    table = Table(setting, wall, scribe.tally)
    for seat, player in zip(table.seats, cast, strict=False):  # of three players the fourth is nobody
        seat.names_third = player.names_third
    seed = (setting.round, setting.honba, setting.sticks, *(die - 1 for die in wall.dice), wall.indicators[0])
    scribe.init(seed, table.points, table.dealer, wall.hands, walls.frame_seed)
    pause, blink = partial(company.pause, table, scribe), partial(company.blink, scribe)
    return Frame(table, company.sit_down(table), scribe, pause, blink).play()
