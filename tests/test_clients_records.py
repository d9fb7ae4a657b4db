"""jansou and riichienv, programs by others, read what we write from real records of Mahjong Soul and Riichi City, where
they are present; those of the simulator are the same games as its logs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

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


def real() -> Iterator[Match]:
    """Yield the games of the real records, but for files that are refused."""
    for path in SAMPLES:
        try:
            yield from read(path)
        except ConvertError:
            continue


def expect_same_in_jansou(match: Match, form: Form) -> int:
    """Check that jansou settles each frame of *match* at the same points, and scores each win alike, and return how
    many wins there are."""
    log = form.parse(form.write(match))
    wins = 0
    for frame, round_ in zip(match.frames, log.rounds, strict=True):
        known = pays_for_ronned_riichi(frame) and form is TENHOU6
        if frame.end.points is None or known or misread(frame, form) & {"play", "wins"}:
            continue
        assert paifu.settled_scores(round_) == frame.end.points, frame.start.name
        sticks = (sum(round_.scores) - sum(frame.end.points)) // STICK + round_.riichi_sticks
        assert paifu.leftover_deposits(round_) == sticks
        records = paifu.replay_round(round_, house(log.rules, match), log.player_count)
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


def expect_same(match: Match, folder: Path) -> int:
    """Check that both programs agree with *match*, and return how many wins there are."""
    if match.rules.players == SEATS:  # jansou does not know the north of tenhou6
        expect_same_in_jansou(match, TENHOU6)
    expect_same_in_riichienv(match, folder)
    return expect_same_in_jansou(match, MJAI)


@pytest.mark.skipif(not SAMPLES, reason="there are no real records in ../shared")
def test_real(tmp_path: Path) -> None:
    """Both programs agree on every frame and win of the real records."""
    matches = list(real())
    assert len(matches) > 10
    assert sum(expect_same(match, tmp_path) for match in matches) > 50
