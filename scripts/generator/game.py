"""A whole game: from frame to frame, to the result."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from generator.chance import Chance
from generator.counting import count_game, count_rules
from generator.coverage import Tally
from generator.deal import Deal
from generator.ending import Ending
from generator.frame import Frame
from generator.mind import Mind
from generator.people import Presence, people
from generator.plans import Plan, View, choose
from generator.result import following, over, owari
from generator.rules import Rules
from generator.scribe import Scribe
from generator.table import Setting, Table
from generator.times import form


class Order(NamedTuple):
    """What game is to be played.

    :ivar name: of the game among all others: with it everything is decided.
    :ivar wild: whether players prefer calls, kans and riichi, and often lose the connection.
    """

    name: str
    rules: Rules
    day: date
    wild: bool = False


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


def deal(order: Order) -> Deal:
    """Return the walls of a game: chance gives them apart from all else, so that they can be looked at first."""
    return Deal(form(order.day).shuffle, order.rules.players, Chance(order.name, "walls"))


def play(order: Order, planner: Planner | None = None) -> Game:
    """Play a game, with plans by *planner*, or without it such that go with the hands."""
    return _Play(order, planner or by_hands(wild=order.wild)).play()


class _Play:
    def __init__(self, order: Order, planner: Planner) -> None:
        self._order = order
        self._rules = order.rules
        self._form = form(order.day)
        self._planner = planner
        self._tally = Tally()
        self._scribe = Scribe(self._form, self._tally)
        self._deal = deal(order)
        self._chance = chance = Chance(order.name, "play")
        self._people = people(order.rules, self._form, chance)
        self._presence = Presence(order.rules.players, chance, often=order.wild)

    def play(self) -> Game:
        """Play from the first frame to the last."""
        rules, chance = self._rules, self._chance
        game_id = f"{self._order.day:%Y%m%d}{chance.below(24):02}gm-{rules.number:04x}-0000-{chance.bits(32):08x}"
        self._scribe.head(self._deal.seed, rules.number, self._people)
        count_rules(self._tally, rules, self._form)
        setting: Setting | None = Setting(rules, self._form, 0, 0, 0, (rules.start,) * rules.players)
        frames = 0
        while setting is not None:
            self._come_and_go(None)
            ending = self._frame(setting)
            frames += 1
            why = over(setting, ending)
            count_game(self._tally, setting, ending, why, frames)
            self._end(ending, last=why is not None)
            setting = None if why else following(setting, ending)
        return Game(game_id, self._scribe.log, self._tally)

    def _frame(self, setting: Setting) -> Ending:
        wall = self._deal.wall(setting.dealer)
        table = Table(setting, wall, self._chance, self._presence.gone, self._tally)
        seed = (setting.round, setting.honba, setting.sticks, *(die - 1 for die in wall.dice), wall.indicators[0])
        self._scribe.init(seed, table.points, table.dealer, wall.hands, self._deal.frame_seed)
        plans = self._planner(table, self._chance)
        minds = [Mind(table, seat, plan, wild=self._order.wild) for seat, plan in zip(table.seats, plans, strict=True)]
        return Frame(table, minds, self._scribe, self._come_and_go).play()

    def _come_and_go(self, table: Table | None) -> None:
        """Let somebody lose the connection, or come back."""
        changed = self._presence.change()
        if changed is None:
            return
        player, gone = changed
        if table is not None:
            table.seats[player].gone = gone
        if gone:
            self._scribe.bye(player)
        else:
            self._scribe.back(player, self._people[player].name)

    def _end(self, ending: Ending, *, last: bool) -> None:
        """Write how a frame has ended, and after the last one the result."""
        for number, (kind, attributes) in enumerate(ending.elements, 1):
            if last and number == len(ending.elements):
                attributes["owari"] = owari(self._rules, self._form, ending)
            self._scribe.end(kind, attributes)
