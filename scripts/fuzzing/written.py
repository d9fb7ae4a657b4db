"""Games as the formats write them, to make inputs from.

The converter is imported only when it is needed, because to trace its branches it has to be imported in a special way.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any, TypeVar

from simulator.eras import DAYS, random_day
from simulator.game import GameSpec, simulate, simulate_with, walls_of
from simulator.mahjong_soul_files import VERSION, wrappings
from simulator.mahjong_soul_records import Transcript
from simulator.random_source import RandomSource
from simulator.riichi_city_writer import RiichiCityWriter
from simulator.rules import rules_of

from jmjp_convert.model.record import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jmjp_convert.model import Match

S = TypeVar("S", bound=Sequence[Any])

_GAMES = tuple(product((9, 11, 25), ("a", "b")))
"""Rules and names of the games played: with four and three players, with and without red fives."""

_FRAMES = 2


def written(name: str) -> list[bytes]:
    """Return games in the format *name*, each a few frames, with each of its switches; none if nothing writes it.

    ``"links"`` stands for the links among those of tenhou6.
    """
    if name == "links":
        return [line for text in written("tenhou6") for line in text.splitlines() if line.startswith(b"https:")]
    if name in _RECORDS:
        return list(_RECORDS[name]())
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


def _specs() -> Iterator[tuple[GameSpec, RandomSource]]:
    """Yield what determines each game, and what decides further about it."""
    for code, which in _GAMES:
        seed = f"fuzz/{code}/{which}"
        random = RandomSource(seed)
        yield GameSpec(seed, rules_of(code), random_day(random, random.choice(tuple(DAYS))), wild=True), random


def _mahjong_soul() -> Iterator[bytes]:
    """Yield a few frames of each game as records of Mahjong Soul, in their binary and other wrappings."""
    for spec, random in _specs():
        game = simulate(spec)
        for version in (0, VERSION):
            record = Transcript(game.log, game.id, whole=version > 0)
            record.keep(random.below(3), _FRAMES)
            files = wrappings(record, version=version)
            yield from (content for name, content in files.items() if name != "JSON on many lines")


@cache
def _played() -> list[Match]:
    """Return a few frames of each game."""
    read = import_module("jmjp_convert.formats.mjlog.reader").read_mjlog
    played = []
    for spec, random in _specs():
        game = simulate(spec)
        match = read(game.log.encode(), file_name=f"{game.id}.xml")
        played.append(replace(match, frames=_some(match.frames, random)))
    return played


def _riichi_city() -> Iterator[bytes]:
    """Yield a few frames of each game, as Riichi City records them, with one event on a line."""
    for spec, random in _specs():
        make = partial(RiichiCityWriter, walls=walls_of(spec), name=spec.name)
        record = simulate_with(make, spec)[1].record
        record["data"]["handRecord"] = _some(record["data"]["handRecord"], random)
        yield json.dumps(record).replace('{"data": "', '\n{"data": "').encode()


def _some(frames: S, random: RandomSource) -> S:
    """Return a few of *frames*."""
    first = random.below(max(1, len(frames) - _FRAMES))
    return frames[first : first + _FRAMES]  # type: ignore[return-value]


_RECORDS = {"mahjong-soul": _mahjong_soul, "riichi-city": _riichi_city}
"""The games of formats that are not written, as scripts write them."""
