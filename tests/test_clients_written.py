"""What jansou, a program by others, writes, we read: every play is verified, and hands and points are its own."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from functools import cache
from itertools import product

import pytest
from clients import each_source, games_of, played, read
from effort import many
from expected import expecting
from test_clients_jansou import logged

from jmjp_convert.model import SEATS, Discard, Match, replace

pytest.importorskip("jansou", reason="jansou is not installed")

from jansou.core.rules import PRESETS, preset
from jansou.game.agents import EfficiencyAgent
from jansou.game.environment import Environment
from jansou.io.from_game import paifu_from_game
from jansou.io.mjai import dump_mjai
from jansou.io.paifu import Discard as Discarded
from jansou.io.paifu import Paifu, settled_scores
from jansou.io.tenhou_json import dump_tenhou_json, dump_tenhou_json_url


def dump_tenhou6(paifu: Paifu) -> str:
    """Return *paifu* as jansou writes tenhou6."""
    return json.dumps(dump_tenhou_json(paifu))


WRITERS: dict[str, tuple[str, Callable[[Paifu], str]]] = {
    "mjai": ("mjai", dump_mjai),
    "tenhou6": ("tenhou6", dump_tenhou6),
    "link": ("tenhou6", dump_tenhou_json_url),
}
"""jansou's writers, with the name of our format."""


def reduced_to(match: Match, name: str) -> Match:
    """Return what the format *name* holds of *match*."""
    reduced = expecting(name)(match)
    assert isinstance(reduced, Match)
    return reduced


@each_source
def test_converted_by_jansou(source: str) -> None:
    """A game that jansou converts from mjlog is read as we read the mjlog."""
    for game, writer in product(games_of(source), WRITERS):
        if game.match.rules.players != SEATS and writer != "mjai":
            continue  # it writes only four-player tenhou6
        name, write = WRITERS[writer]
        paifu = logged(game)
        if paifu is None:
            continue  # it cannot read the mjlog
        if game.match.chips is not None:
            paifu = dataclasses.replace(paifu, final_scores=None)  # it takes chips for scores
        frames = tuple(frame for frame in game.match.frames if frame.endings)  # it drops the others
        if frames:
            wanted = reduced_to(replace(game.match, frames=frames), name)
            match = read(write(paifu), name)
            assert [*map(played, match.frames)] == [*map(played, wanted.frames)], (game.name, writer)


@pytest.mark.parametrize("rules", PRESETS)
def test_played_by_jansou(rules: str) -> None:
    """A game that jansou plays, by any of its rules, is read to the same points and as many discards."""
    for seed, writer in product(range(many(3)), WRITERS):
        if preset(rules).player_count != SEATS and writer != "mjai":
            continue  # it writes only four-player tenhou6
        name, write = WRITERS[writer]
        paifu = played_by_jansou(rules, seed)
        match = read(write(paifu), name)
        for frame, round_ in zip(match.frames, paifu.rounds, strict=True):
            assert frame.end.points == settled_scores(round_), writer
            discards = sum(isinstance(event, Discarded) for event in round_.events)
            assert sum(isinstance(event, Discard) for event in frame.events) == discards, writer


@cache
def played_by_jansou(rules: str, seed: int) -> Paifu:
    """Return a game played by jansou's own players."""
    environment = Environment(preset(rules), seed=seed)
    environment.run([EfficiencyAgent(4 * seed + seat) for seat in range(environment.rules.player_count)])
    return paifu_from_game(environment)
