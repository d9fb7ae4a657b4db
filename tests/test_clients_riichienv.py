"""riichienv, an environment for AI programs by others, replays our mjai: every move is legal there, and every frame
ends with the same hands and points."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from clients import Game, each_source, games_of
from playing import COVERING

from jmjp_convert.formats.mjai.writer import write_mjai
from jmjp_convert.model import DoraRevealed, Frame, Kita, RiichiAccepted, Win
from jmjp_convert.model.tiles import faces

riichienv = pytest.importorskip("riichienv", reason="riichienv is not installed")

SEATS = 4
ROBBED_ANKAN = {("2013052003gm-00a9-0000-d32f98aa", "S3-6")}
"""A closed kan that is robbed stays a meld in riichienv; after a robbed kakan, the pon is left."""

FACES = faces()
"""riichienv numbers the tiles as Tenhou does, red fives too; which copy of a face it takes is arbitrary."""


class Kyoku(NamedTuple):
    """The end of a frame in riichienv: closed tiles and number of melds by player, indicators turned, and sticks."""

    hands: list[Counter[str]]
    melds: list[int]
    dora: int
    sticks: int


def mjai(game: Game) -> str:
    """Return *game* as mjai."""
    return write_mjai(game.match)


def replayed(text: str, folder: Path) -> list[Any]:
    """Return the frames that riichienv reads from mjai."""
    path = folder / "game.mjson"
    path.write_text(text, encoding="utf-8")
    return list(riichienv.MjaiReplay.from_jsonl(str(path)).take_kyokus())


@each_source
def test_play(source: str, tmp_path: Path) -> None:
    """Every move is one that riichienv offers its players, by Tenhou's rules."""
    for game in games_of(source):
        for kyoku in replayed(mjai(game), tmp_path):
            for _ in kyoku.steps(skip_single_action=False):  # raises where it offers no such move
                pass


@each_source
def test_points(source: str, tmp_path: Path) -> None:
    """Every frame starts with the same points and honba, and ends with the same points."""
    for game in games_of(source):
        kyokus = replayed(mjai(game), tmp_path)
        for frame, kyoku in zip(game.match.frames, kyokus, strict=True):
            start = frame.start
            assert (kyoku.chang * SEATS + kyoku.ju, kyoku.ben) == (start.round, start.honba)
            assert tuple(kyoku.scores) == start.points
            if frame.end.points is not None:
                assert tuple(kyoku.end_scores) == frame.end.points


def applied(text: str, players: int) -> Iterator[Kyoku]:
    """Yield the end of each frame of mjai in riichienv's environment."""
    env = riichienv.RiichiEnv(game_mode=f"{players}p-red-half")
    for line in text.splitlines():
        event = json.loads(line)
        if event["type"] == "end_kyoku":
            hands = [Counter(FACES[tile] for tile in hand) for hand in env.hands[:players]]
            melds = [len(of_player) for of_player in env.melds[:players]]
            yield Kyoku(hands, melds, len(env.dora_indicators), env.riichi_sticks)
        env.apply_event(event)


def expected(frame: Frame, names: Sequence[str]) -> Kyoku:
    """Return the same of our *frame*; the tile of a ron is not in the winner's hand."""
    ron = any(isinstance(ending, Win) and ending.source is not None for ending in frame.endings)
    hands = []
    for hand in frame.end.hands:
        drawn = () if hand.drawn is None or ron else (hand.drawn,)
        hands.append(Counter(names[tile] for tile in (*hand.tiles, *drawn)))
    turned = sum(isinstance(event, DoraRevealed) for event in frame.events)
    accepted = sum(isinstance(event, RiichiAccepted) for event in frame.events)
    melds = [sum(not isinstance(meld, Kita) for meld in hand.melds) for hand in frame.end.hands]
    return Kyoku(hands, melds, 1 + turned, (frame.start.sticks or 0) + accepted)


@each_source
def test_ends(source: str) -> None:
    """Every frame ends with the same hands, melds, dora indicators and riichi sticks."""
    others = set()
    for game in games_of(source):
        names = faces(game.match.rules.red_fives)
        for frame, kyoku in zip(game.match.frames, applied(mjai(game), game.match.rules.players), strict=True):
            if kyoku != expected(frame, names):
                others.add((game.name, frame.start.name))
    assert others == (ROBBED_ANKAN if source == COVERING else set())
