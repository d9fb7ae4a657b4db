"""A whole game, from frame to frame up to the final result."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import NamedTuple, TypeVar

from simulator.connections import Connections
from simulator.coverage import Tally
from simulator.coverage_counts import count_conditions, count_frame
from simulator.endings import Ending
from simulator.eras import Era, era_of
from simulator.frame import Frame
from simulator.game_end import end_reason, next_setup, owari
from simulator.mjlog_writer import MjlogWriter
from simulator.planners import Planner, hand_planner
from simulator.players import Players, RandomPlayers
from simulator.profiles import Profile, random_profiles
from simulator.random_source import RandomSource
from simulator.rules import Rules
from simulator.table import FrameSetup, Table
from simulator.walls import GameWalls, random_seeds

W = TypeVar("W", bound=MjlogWriter)


class GameSpec(NamedTuple):
    """What game to play. These values determine everything in it.

    :ivar name: unique to this game.
    :ivar wild: whether players prefer calls, kans and riichi, and often lose the connection.
    :ivar target: the row of `coverage` that the game should have, if any.
    """

    name: str
    rules: Rules
    day: date
    wild: bool = False
    target: str = ""


class Game(NamedTuple):
    """A game that was played: its log ID, its log, and a tally of what occurred."""

    id: str
    log: str
    tally: Tally


def walls_of(spec: GameSpec) -> GameWalls:
    """Return the walls of the game of *spec*, which do not depend on the play."""
    form = era_of(spec.day).shuffle
    return GameWalls(form, spec.rules.players, random_seeds(form, RandomSource(spec.name, "walls")))


def simulate(spec: GameSpec, planner: Planner | None = None) -> Game:
    """Play the game of *spec*, with plans by *planner*, or plans to suit the hands."""
    return simulate_with(MjlogWriter, spec, planner)[0]


def simulate_with(make: Callable[[Era, Tally], W], spec: GameSpec, planner: Planner | None = None) -> tuple[Game, W]:
    """Play the game of *spec*, and return it with the writer that *make* makes, which may write more than the log."""
    rules, era = spec.rules, era_of(spec.day)
    random = RandomSource(spec.name, "play")
    hour, number = random.below(24), random.bits(32)
    # The number depends on everything else in the specification, so that no two games have the same log ID.
    number = RandomSource(number, spec.name, spec.wild, spec.target, rules.robs_ankan).bits(32)
    game_id = f"{spec.day:%Y%m%d}{hour:02}gm-{rules.number:04x}-0000-{number:08x}"
    profiles = random_profiles(rules, era, random, RandomSource(spec.name, "programs"))
    connections = Connections(rules.players, random, RandomSource(spec.name, "connections"), often=spec.wild)
    players = RandomPlayers(profiles, connections, planner or hand_planner(wild=spec.wild), random, wild=spec.wild)
    tally = Tally()
    writer = make(era, tally)
    log = play_game(rules, walls_of(spec), writer, profiles, players)
    return Game(game_id, log, tally), writer


def play_game(rules: Rules, walls: GameWalls, writer: MjlogWriter, profiles: list[Profile], players: Players) -> str:
    """Play a game from the first frame to the last, and return its log."""
    era, tally = writer.era, writer.tally
    writer.head(walls.seed, rules.number, profiles)
    count_conditions(tally, rules, era)
    setup: FrameSetup | None = FrameSetup(rules, era, 0, 0, 0, (rules.start,) * rules.players)
    frames = 0
    players.blip(writer)
    while setup is not None:
        players.pause(None, writer)
        ending = _play_frame(setup, walls, writer, profiles, players)
        frames += 1
        reason = end_reason(setup, ending)
        count_frame(tally, setup, ending, reason, frames)
        if reason is not None:
            ending.elements[-1][1]["owari"] = owari(rules, era, ending)
        for element, attributes in ending.elements:
            writer.frame_end(element, attributes)
        setup = next_setup(setup, ending) if reason is None else None
    written = writer.count
    players.blip(writer)
    tally.note("going-after-last-frame", when=writer.count > written)
    return writer.log


def _play_frame(
    setup: FrameSetup, walls: GameWalls, writer: MjlogWriter, profiles: list[Profile], players: Players
) -> Ending:
    """Play one frame, and write its log up to its ending."""
    wall = walls.next(setup.dealer)
    assert wall.dice is not None
    table = Table(setup, wall, writer.tally)
    for seat, profile in zip(table.seats, profiles, strict=False):  # with three players the fourth profile is empty
        seat.ankan_by_third = profile.ankan_by_third
    seed = (setup.round, setup.honba, setup.sticks, *(die - 1 for die in wall.dice), wall.indicators[0])
    writer.frame_start(seed, table.points, table.dealer, wall.hands, walls.frame_seed)
    pause, blip = partial(players.pause, table, writer), partial(players.blip, writer)
    return Frame(table, players.sit_down(table), writer, pause, blip).play()
