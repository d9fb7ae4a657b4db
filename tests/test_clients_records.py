"""jansou and riichienv, programs by others, read what we write from records of Mahjong Soul and Riichi City: the
simulator's, and real ones where they are present."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import effort
import pytest
from playing import LINES, SANMA, WILD, games, match
from rare_play import WON_BY_THREE
from simulator.mahjong_soul_files import answer
from simulator.mahjong_soul_records import Transcript
from test_riichi_city_simulated import city_games

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.reading import read
from jmjp_convert.model import Match, Win

pytest.importorskip("jansou", reason="jansou is not installed")
pytest.importorskip("riichienv", reason="riichienv is not installed")

from jansou.io import paifu
from test_clients_jansou import MJAI, SEATS, STICK, TENHOU6, Form, agrees, house, misread, pays_for_ronned_riichi
from test_clients_riichienv import replayed

SHARED = Path(__file__).parents[2] / "shared"
SAMPLES = [path for folder in ("mahjong-soul", "riichi-city") for path in sorted((SHARED / folder).glob("*"))]


def from_mahjong_soul(line: str) -> Iterator[tuple[Match, Match]]:
    """Yield the games of *line* as read from records of Mahjong Soul, each with what its log says."""
    for game in games(line):
        yield read(answer(Transcript(game.log, game.id)))[0], match(game.id, game.log)


def converted(line: str) -> Iterator[tuple[Match, Match]]:
    """Yield the games of *line* as read from records of both servers, each with what its log says."""
    yield from from_mahjong_soul(line)
    yield from ((record, match(game.id, game.log)) for game, record in city_games(line))


def real() -> Iterator[Match]:
    """Yield the games of the real records, but for files that are refused."""
    for path in SAMPLES:
        try:
            yield from read(path)
        except ConvertError:
            continue


def expect_same_in_jansou(match: Match, played: Match, form: Form) -> int:
    """Check that jansou settles each frame of *match* at the same points, and scores each win alike, and return how
    many wins there are.

    :param played: has the rules by which the game was played.
    """
    log = form.parse(form.write(match))
    wins = 0
    for frame, round_ in zip(match.frames, log.rounds, strict=True):
        known = pays_for_ronned_riichi(frame) and form is TENHOU6
        if frame.end.points is None or known or misread(frame, form) & {"play", "wins"}:
            continue
        assert paifu.settled_scores(round_) == frame.end.points, frame.start.name
        sticks = (sum(round_.scores) - sum(frame.end.points)) // STICK + round_.riichi_sticks
        assert paifu.leftover_deposits(round_) == sticks
        records = paifu.replay_round(round_, house(log.rules, played), log.player_count)
        for record, win in zip(records, [end for end in frame.endings if isinstance(end, Win)], strict=True):
            assert agrees(record, win), frame.start.name
            wins += 1
    return wins


def expect_same_in_riichienv(match: Match, folder: Path) -> None:
    """Check that riichienv starts and ends each frame of *match* with the same points."""
    for frame, kyoku in zip(match.frames, replayed(MJAI.write(match), folder), strict=True):
        assert tuple(kyoku.scores) == frame.start.points
        if frame.end.points is not None:
            assert tuple(kyoku.end_scores) == frame.end.points, frame.start.name


def expect_same(match: Match, played: Match, folder: Path) -> int:
    """Check that both programs agree with *match*, and return how many wins there are."""
    if match.rules.players == SEATS:  # jansou does not know the north of tenhou6
        expect_same_in_jansou(match, played, TENHOU6)
    expect_same_in_riichienv(match, folder)
    return expect_same_in_jansou(match, played, MJAI)


@pytest.mark.parametrize("line", [*(LINES if effort.long else (WILD, SANMA)), WON_BY_THREE])
def test_converted(line: str, tmp_path: Path) -> None:
    """Both programs agree on every frame and win of games converted from records of both servers."""
    wins = 0
    some = [*from_mahjong_soul(line)] if line == WON_BY_THREE else effort.shared_out([*converted(line)], 0, parts=2)
    for record, played in some:
        wins += expect_same(record, played, tmp_path)
    assert wins


@pytest.mark.skipif(not SAMPLES, reason="there are no real records in ../shared")
def test_real(tmp_path: Path) -> None:
    """Both programs agree on every frame and win of the real records."""
    matches = list(real())
    assert len(matches) > 10
    assert sum(expect_same(match, match, tmp_path) for match in matches) > 50
