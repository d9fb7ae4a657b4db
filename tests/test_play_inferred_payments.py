"""The payments for each win, and the value of a win."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from test_real_logs import each_log_of_four, match

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import (
    Discard,
    End,
    Event,
    Frame,
    Limit,
    PointRule,
    RiichiAccepted,
    Ryuukyoku,
    Score,
    Start,
    Win,
    Yaku,
)
from jmjp_convert.play.inferred_payments import payments, worth

BEFORE = (25000, 25000, 25000, 25000)
RULE = PointRule(25000, 30000, 20000, 10000, 300, 3000)
SCORE = Score(30, 7700, Limit.NONE, (Yaku(1, 4),))
GONE = Discard(0, 0)
FIRST, SECOND, THIRD = Win(1, 0, 0), Win(2, 0, 0), Win(3, 0, 0)


def frame(*events: Event, changes: tuple[int, ...] | None = None, honba: int = 0) -> Frame:
    """Return a frame that starts with equal points and ends with these *changes*."""
    end = None if changes is None else tuple(have + change for have, change in zip(BEFORE, changes, strict=True))
    return Frame(Start(0, honba, 0, 0, None, BEFORE, ()), (GONE, *events), End((), end), None)


def test_recorded() -> None:
    """Recorded payments are kept."""
    one, other = replace(FIRST, changes=(-2000, 2000, 0, 0)), replace(SECOND, changes=(-1000, 0, 1000, 0))
    assert payments(frame(one, other, changes=(0, 0, 0, 0)), RULE) == [(-2000, 2000, 0, 0), (-1000, 0, 1000, 0)]


@pytest.mark.parametrize("event", [FIRST, Ryuukyoku(None)])
def test_one_ending(event: Event) -> None:
    """Nothing is inferred for a single ending: jmjp gives its payments wherever they can be known."""
    assert payments(frame(event, changes=(-2000, 2000, 0, 0)), RULE) == [None]


def test_no_ending() -> None:
    """A frame that breaks off has no payments."""
    assert payments(frame(), RULE) == []


def test_points_unknown() -> None:
    """Nothing is inferred without the points at the end."""
    assert payments(frame(FIRST, SECOND), RULE) == [None, None]


@pytest.mark.parametrize(
    ("wins", "changes", "expected"),
    [
        ([FIRST, SECOND], (-9700, 7700, 2000, 0), [(-7700, 7700, 0, 0), (-2000, 0, 2000, 0)]),
        ([SECOND, THIRD], (-4000, 0, 2000, 2000), [(-2000, 0, 2000, 0), (-2000, 0, 0, 2000)]),
        (
            [FIRST, SECOND, THIRD],
            (-6000, 1000, 2000, 3000),
            [(-1000, 1000, 0, 0), (-2000, 0, 2000, 0), (-3000, 0, 0, 3000)],
        ),
    ],
)
def test_several_wins(wins: list[Event], changes: tuple[int, ...], expected: list[tuple[int, ...]]) -> None:
    """The discarder pays each winner."""
    assert payments(frame(*wins, changes=changes), RULE) == expected


def test_sticks() -> None:
    """The first winner takes the sticks; the one just laid down is not part of the payments."""
    events = (RiichiAccepted(3), FIRST, SECOND)
    found = payments(frame(*events, changes=(-9700, 7700 + 2000, 2000, -1000)), RULE)
    assert found == [(-7700, 9700, 0, 0), (-2000, 0, 2000, 0)]


@pytest.mark.parametrize(
    ("changes", "honba", "expected"),
    [
        # The first win is a yakuman of 32,000; player 3 pays half of it.
        ((-18000, 32000, 2000, -16000), 0, [(-16000, 32000, 0, -16000), (-2000, 0, 2000, 0)]),
        # With two honba (600), all paid by player 3.
        ((-18000, 32600, 2000, -16600), 2, [(-16000, 32600, 0, -16600), (-2000, 0, 2000, 0)]),
        # Pao for the second win.
        ((-18600, 2600, 32000, -16000), 2, [(-2600, 2600, 0, 0), (-16000, 0, 32000, -16000)]),
        # The other winner pays 16,000 and the honba for the first win, and won 3,900 (as in a real log, 09c0c97dccd4).
        ((-27900, 48300, -20400, 0), 1, [(-24000, 48300, -24300, 0), (-3900, 0, 3900, 0)]),
    ],
)
def test_pao(changes: tuple[int, ...], honba: int, expected: list[tuple[int, ...]]) -> None:
    """Anyone else who loses points pays by pao: half of one of the wins, and its honba."""
    assert payments(frame(FIRST, SECOND, changes=changes, honba=honba), RULE) == expected


@pytest.mark.parametrize(
    ("changes", "honba", "rule"),
    [
        ((-48000, 32000, 32000, -16000), 0, RULE),  # may be either win
        ((-17900, 32000, 2000, -16100), 2, RULE),  # fits neither
        ((-18000, 32600, 2000, -16600), 2, None),  # the value of a honba is unknown
        ((-6000, 2000, 2000, 2000), 0, RULE),  # a player gains without winning
    ],
)
def test_not_certain(changes: tuple[int, ...], honba: int, rule: PointRule | None) -> None:
    """Ambiguous payments are left unknown."""
    assert payments(frame(FIRST, SECOND, changes=changes, honba=honba), rule) == [None, None]


@pytest.mark.parametrize(
    ("win", "changes", "honba", "rule", "expected"),
    [
        (replace(FIRST, score=SCORE), (-8300, 8300, 0, 0), 2, RULE, 7700),
        (FIRST, (-8300, 8300, 0, 0), 2, RULE, 7700),
        (FIRST, (-8300, 10300, 0, 0), 2, RULE, 7700),
        (FIRST, (-7700, 7700, 0, 0), 0, None, 7700),
        (FIRST, (-8300, 8300, 0, 0), 2, None, None),
        (Win(1, None, 0), (-2200, 4600, -1200, -1200), 2, RULE, 4000),
    ],
)
def test_worth(win: Win, changes: tuple[int, ...], honba: int, rule: PointRule | None, expected: int | None) -> None:
    """A win is worth what is recorded, or its payments less sticks and honba."""
    assert worth(frame(win, changes=changes, honba=honba), 0, changes, rule) == expected


def test_worth_of_a_second_win() -> None:
    """The honba go to the first winner."""
    both = frame(FIRST, SECOND, honba=2)
    assert worth(both, 1, (-2000, 0, 2000, 0), RULE) == 2000


@each_log_of_four
def test_real_log(path: Path) -> None:
    """All payments that jmjp does not keep are inferred, and so is the value of each win."""
    (read,) = read_jmjp(write_jmjp(match(path)).encode())
    for log, frame_ in zip(match(path).frames, read.frames, strict=True):
        found = payments(frame_, read.point_rule)
        assert found == [event.changes for event in log.endings]
        for place, (win, changes) in enumerate(zip(log.endings, found, strict=True)):
            if isinstance(win, Win) and (read.point_rule or not log.start.honba):
                assert win.score is not None
                assert changes is not None
                assert worth(frame_, place, changes, read.point_rule) == win.score.points
