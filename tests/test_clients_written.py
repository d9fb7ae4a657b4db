"""What jansou and riichienv write, we read: every play is verified, and hands and points are theirs."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from clients import each_source, games_of, played, read
from effort import many
from expected import expecting
from test_clients_jansou import logged

from jmjp_convert.model import SEATS, Discard, Draw, Match, replace
from jmjp_convert.model.tiles import UNKNOWN

pytest.importorskip("jansou", reason="jansou is not installed")

from jansou.core.rules import PRESETS, preset
from jansou.game.agents import EfficiencyAgent
from jansou.game.environment import Environment
from jansou.io.from_game import paifu_from_game
from jansou.io.mjai import dump_mjai
from jansou.io.paifu import Discard as Discarded
from jansou.io.paifu import Paifu, settled_scores
from jansou.io.tenhou_json import dump_tenhou_json, dump_tenhou_json_url

riichienv = pytest.importorskip("riichienv", reason="riichienv is not installed")


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


# --- riichienv -------------------------------------------------------------------------------------------------------

MODES = ("4p-red-single", "4p-red-east", "4p-red-half", "3p-red-single", "3p-red-east", "3p-red-half")
SEEDS = many(10)
RULES = ("default_tenhou", "default_mjsoul")

LIKED = ("TSUMO", "RON", "KYUSHU_KYUHAI", "KITA", "ANKAN", "KAKAN", "DAIMINKAN", "RIICHI", "PON", "CHI")
"""What a player does if possible, the first first, but only most times."""


class Player:
    """A player who makes for tenpai, and keeps what they saw."""

    def __init__(self, seat: int, chance: random.Random, mode: str) -> None:
        self.seat = seat
        self.chance = chance
        self.events: list[str] = []
        three = mode.startswith("3p")
        self.shanten = riichienv.calculate_shanten_3p if three else riichienv.calculate_shanten

    def act(self, seen: Any) -> Any:
        """Return the player's action after what is *seen*."""
        self.events += seen.new_events()
        offered: dict[str, list[Any]] = {}
        for action in seen.legal_actions():
            offered.setdefault(str(action.action_type).rpartition(".")[2].upper(), []).append(action)
        for kind in LIKED:
            if kind in offered and self.chance.random() < 0.7:
                return self.chance.choice(offered[kind])
        if "DISCARD" in offered:
            return min(offered["DISCARD"], key=lambda action: self.left(seen.hand, action.tile))
        return next(iter(offered.values()))[0] if "PASS" not in offered else offered["PASS"][0]

    def left(self, hand: list[int], tile: int) -> tuple[int, float]:
        """Return how far *hand* is from tenpai without *tile*; ties are broken at random."""
        return self.shanten([other for other in hand if other != tile]), self.chance.random()


@cache
def played_by_riichienv(mode: str, rules: str, seed: int) -> tuple[Any, list[Player]]:
    """Return a finished game and its players."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    rule = getattr(riichienv.GameRule, rules)()
    env = riichienv.RiichiEnv(game_mode=mode, seed=seed, rule=rule)
    players = [Player(seat, chance, mode) for seat in range(SEATS)]
    seen = env.reset()
    while not env.done():
        seen = env.step(
            {
                seat: players[seat].act(observation)
                for seat, observation in sorted(seen.items())
                if observation.legal_actions()
            }
        )
    return env, players


each_mode = pytest.mark.parametrize("mode", MODES)
each_rule = pytest.mark.parametrize("rules", RULES)


@each_rule
@each_mode
def test_played_by_riichienv(mode: str, rules: str, tmp_path: Path) -> None:
    """A game that riichienv plays is read to the points that it reads itself."""
    for seed in range(SEEDS):
        env, _ = played_by_riichienv(mode, rules, seed)
        text = "".join(f"{json.dumps(event)}\n" for event in env.mjai_log)
        path = tmp_path / "game.mjson"
        path.write_text(text, encoding="utf-8")
        kyokus = list(riichienv.MjaiReplay.from_jsonl(str(path)).take_kyokus())
        match = read(text, "mjai")
        assert match.rules.players == int(mode[0])
        for frame, kyoku in zip(match.frames, kyokus, strict=True):
            assert frame.end.points == tuple(kyoku.end_scores)
            assert len(frame.endings) >= 1
            assert UNKNOWN not in (tile for hand in frame.end.hands for tile in hand.tiles)


@each_rule
@each_mode
def test_seen_in_riichienv(mode: str, rules: str) -> None:
    """What one player sees of such a game is read; their own tiles are known, and the others' hands are hidden."""
    for seed in range(SEEDS):
        env, players = played_by_riichienv(mode, rules, seed)
        whole = read("".join(f"{json.dumps(event)}\n" for event in env.mjai_log), "mjai")
        for player in players[: whole.rules.players]:
            if not player.events:
                continue  # the game was over before their first decision
            match = read("\n".join(player.events), "mjai")
            for frame, same in zip(match.frames, whole.frames, strict=False):
                hands = list(frame.start.hands)
                assert hands.pop(player.seat) == same.start.hands[player.seat]
                assert all({*hand} == {UNKNOWN} for hand in hands)
                draws = [
                    event.tile for event in frame.events if isinstance(event, Draw) and event.player == player.seat
                ]
                assert UNKNOWN not in draws
            for frame, same in zip(match.frames[:-1], whole.frames, strict=False):
                assert frame.end.points == same.end.points
                assert len(frame.events) == len(same.events)
