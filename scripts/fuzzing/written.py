"""Games as the formats write them, to make inputs from.

The converter is imported only when it is needed, because to trace its branches it has to be imported in a special way.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING

from simulator.eras import DAYS, random_day
from simulator.game import Game, GameSpec, simulate
from simulator.mahjong_soul_files import VERSION, wrappings
from simulator.mahjong_soul_records import Transcript
from simulator.random_source import RandomSource
from simulator.rules import rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jmjp_convert.model import Match

_GAMES = tuple(product((9, 11, 25), ("a", "b")))
"""Rules and names of the games played: with four and three players, with and without red fives."""

_FRAMES = 2


def written(name: str) -> list[bytes]:
    """Return games in the format *name*, each a few frames, with each of its switches; none if it is not written.

    ``"links"`` stands for the links among those of tenhou6.
    """
    if name == "links":
        return [line for text in written("tenhou6") for line in text.splitlines() if line.startswith(b"https:")]
    if name == "mahjong-soul":
        return _recorded()
    formats = import_module("jmjp_convert.formats").FORMATS
    found = formats.get(name)
    if found is None or found.write is None:
        return []
    options = [{}, *({option.name: True} for option in found.options if option.default is False)]
    convert = import_module("jmjp_convert.convert")
    texts: list[bytes] = []
    for match in _played():
        for own in options if match.rules.players in found.players else ():
            writing = convert.Writing(name, verify=False, **own)
            texts.append(convert.written([match], writing, lambda _: None).content)
    return texts


def _recorded() -> list[bytes]:
    """Return a few frames of games as records of Mahjong Soul, in their binary and other wrappings."""
    texts: list[bytes] = []
    for game, random in _games():
        for version in (0, VERSION):
            record = Transcript(game.log, game.id, whole=version > 0)
            record.keep(random.below(3), _FRAMES)
            texts += [content for name, content in wrappings(record, version=version).items() if name != "JSON"]
    return texts


def _games() -> Iterator[tuple[Game, RandomSource]]:
    for code, which in _GAMES:
        seed = f"fuzz/{code}/{which}"
        random = RandomSource(seed)
        spec = GameSpec(seed, rules_of(code), random_day(random, random.choice(tuple(DAYS))), wild=True)
        yield simulate(spec), random


def _played() -> Iterator[Match]:
    """Yield a few frames of each game."""
    read = import_module("jmjp_convert.formats.mjlog.reader").read_mjlog
    for game, random in _games():
        yield _some(read(game.log.encode(), file_name=f"{game.id}.xml"), random)


def _some(match: Match, random: RandomSource) -> Match:
    """Return *match* with a few of its frames."""
    first = random.below(max(1, len(match.frames) - _FRAMES))
    return replace(match, frames=match.frames[first : first + _FRAMES])
