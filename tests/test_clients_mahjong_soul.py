"""riichienv, an environment for AI programs by others, reads records of Mahjong Soul too: the simulator's are as it
expects them, and every frame of theirs and ours has the same points, calls and tiles."""

from __future__ import annotations

from typing import Any

import effort
import pytest
from playing import LINES, NORMAL, WILD, games
from simulator.mahjong_soul_files import answer
from simulator.mahjong_soul_records import Transcript

from jmjp_convert.formats.mahjong_soul.reader import read_mahjong_soul
from jmjp_convert.model import Chi, Daiminkan, Discard, Draw, Frame, Pon, Win
from jmjp_convert.model.tiles import faces

riichienv = pytest.importorskip("riichienv", reason="riichienv is not installed")

FACES = faces()
CALLS = {Chi: 0, Pon: 1, Daiminkan: 2}
HONORS = dict(zip(("ew", "sw", "ww", "nw", "wd", "gd", "rd"), range(1, 8), strict=True))


def rounds(game: Transcript) -> list[list[dict[str, Any]]]:
    """Return the records of *game* as riichienv takes them: a list for each frame, and a fourth hand for three."""
    rounds_: list[list[dict[str, Any]]] = []
    for name, values in game.records:
        if name == "RecordNewRound":
            rounds_.append([])
        rounds_[-1].append({"name": name.removeprefix("Record"), "data": values})
    return rounds_


def steps(kyoku: Any) -> list[tuple[str, int, str]]:
    """Return the draws, discards and calls that riichienv reads, after the deal."""
    steps_ = []
    for event in kyoku.events():
        name, data = event["name"], event["data"]
        if name in ("DealTile", "DiscardTile"):
            steps_.append((name, data["seat"], data["tile"]))
        elif name == "ChiPengGang":
            steps_.append((f"call {data['type']}", data["seat"], " ".join(sorted(data["tiles"]))))
    return steps_


def named(tile: int) -> str:
    """Return a tile as Mahjong Soul names it."""
    face = FACES[tile]
    return f"{HONORS[face]}z" if face in HONORS else face


def own_steps(frame: Frame) -> list[tuple[str, int, str]]:
    """Return the draws, discards and calls of *frame*."""
    steps_ = []
    for event in frame.events:
        if isinstance(event, Draw | Discard):
            name = "DealTile" if isinstance(event, Draw) else "DiscardTile"
            steps_.append((name, event.player, named(event.tile)))
        elif isinstance(event, Chi | Pon | Daiminkan):
            tiles = " ".join(sorted(map(named, (event.taken, *event.hand))))
            steps_.append((f"call {CALLS[type(event)]}", event.player, tiles))
    return steps_


@pytest.mark.parametrize("line", LINES if effort.long else [NORMAL, WILD])
def test_records(line: str) -> None:
    """The records of every game for four are replayed by riichienv, which finds the same frames in them."""
    for game in games(line):
        record = Transcript(game.log, game.id)
        (match,) = read_mahjong_soul(answer(record))
        if match.rules.players < 4:
            continue
        replay = riichienv.MjSoulReplay.from_dict({"data": rounds(record)})
        replay.verify()  # raises where the fu, han or points of a win are others
        for frame, kyoku in zip(match.frames, replay.take_kyokus(), strict=True):
            assert (kyoku.chang, kyoku.ju, kyoku.ben) == (*divmod(frame.start.round, 4), frame.start.honba)
            assert tuple(kyoku.scores) == frame.start.points
            if not any(isinstance(event, Win) and event.pao for event in frame.events):
                assert tuple(kyoku.end_scores) == frame.end.points
            assert steps(kyoku) == own_steps(frame)
