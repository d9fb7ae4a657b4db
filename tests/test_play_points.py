"""Points: from frame to frame, payments that are not recorded, the final result."""

from __future__ import annotations

from typing import Any

import pytest
from tables import table
from test_real_logs import MANIFEST, READ_OF_FOUR, match

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import (
    Discard,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Limit,
    Match,
    Player,
    PointRule,
    Recorder,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Score,
    Start,
    Win,
    Yaku,
)
from jmjp_convert.model.record import replace
from jmjp_convert.play.points import (
    can_be_shared,
    discontinuity,
    final_points,
    frame_changes,
    payments,
    points_at_end,
    ranking,
    results,
    rounded,
    worth,
)

RULE = PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300)


@pytest.mark.parametrize(
    ("points", "order"),
    [
        ((25000, 25000, 25000, 25000), [0, 1, 2, 3]),
        ((10000, 20000, 30000, 40000), [3, 2, 1, 0]),
        ((25000, 30000, 30000, 15000), [1, 2, 0, 3]),
        ((-1000, 0, 100, -1000), [2, 1, 0, 3]),
        ((35000, 35000, 30000), [0, 1, 2]),
    ],
)
def test_ranking(points: tuple[int, ...], order: list[int]) -> None:
    """Players rank by points; ties go to the lower player number."""
    assert ranking(points) == order


@pytest.mark.parametrize(("points", "whole"), table("play_points", "rounded"))
def test_rounded(points: int, whole: int) -> None:
    """Points are rounded to whole thousands, half away from zero."""
    assert rounded(points) == whole


@pytest.mark.parametrize(
    ("points", "rule", "whole", "expected"),
    [
        ((8700, 33000, 34300, 24000), RULE, False, (-41300, 13000, 44300, -16000)),
        ((8700, 33000, 34300, 24000), RULE, True, (-41000, 13000, 44000, -16000)),
        ((25000, 25000, 25000, 25000), RULE, False, (35000, 5000, -15000, -25000)),
        ((25000, 25000, 25000, 25000), PointRule(25000, 25000, (0, 0, 0, 0), 300), False, (0, 0, 0, 0)),
        (
            (-5000, 45000, 30000, 30000),
            PointRule(25000, 30000, (10000, 5000, -5000, -10000), 300),
            False,
            (-45000, 45000, 5000, -5000),
        ),
        ((40500, 29500, 20500, 9500), RULE, True, (49000, 10000, -19000, -40000)),
    ],
)
def test_results(
    points: tuple[int, ...],
    rule: PointRule,
    *,
    whole: bool,
    expected: tuple[int, ...],
) -> None:
    """The second to last place get their points less the target, plus uma; the first gets the remainder."""
    found = results(points, rule, whole=whole)
    assert found == expected
    assert sum(found) == 0


EVEN = (25000, 25000, 25000, 25000)


def last(
    *events: Event, points: tuple[int, ...] | None = (30000, 26000, 24000, 18000), sticks: int | None = 2
) -> Frame:
    """Return a last frame with *events* and the final *points*."""
    start = Start(7, 0, sticks, 3, None, None, ())
    return Frame(start, events, End((), points), None)


DRAWN = Ryuukyoku(DrawKind.EXHAUSTIVE)
RIICHI: tuple[Event, ...] = (Draw(3, 1), RiichiDeclared(3), Discard(3, 1), RiichiAccepted(3))


@pytest.mark.parametrize(
    ("frame", "points"),
    [
        (last(DRAWN), (32000, 26000, 24000, 18000)),
        (last(*RIICHI, DRAWN), (33000, 26000, 24000, 18000)),
        (last(DRAWN, sticks=0), (30000, 26000, 24000, 18000)),
        (last(*RIICHI, Win(0, 3, 1)), (30000, 26000, 24000, 18000)),
        (last(DRAWN, points=(25000, 30000, 30000, 13000)), (25000, 32000, 30000, 13000)),
        (last(), (32000, 26000, 24000, 18000)),
        (last(DRAWN, sticks=None), None),
        (last(points=None), None),
    ],
)
def test_final_points(frame: Frame, points: tuple[int, ...] | None) -> None:
    """Leftover riichi sticks go to the first; if points or sticks are unknown, so are the final points."""
    assert final_points(frame) == points


@pytest.mark.parametrize(
    ("values", "points"),
    [
        ({}, (32000, 26000, 24000, 18000)),
        ({"final_points": (30000, 28000, 24000, 18000)}, (30000, 28000, 24000, 18000)),
        ({"results": None}, None),
        ({"results": None, "final_points": EVEN}, EVEN),
        ({"frames": ()}, None),
        ({"recorders": (Recorder(None, ((0, 0),)),)}, None),
    ],
    ids=["from the last frame", "recorded", "not over", "recorded without results", "no frames", "only some frames"],
)
def test_points_at_end(values: dict[str, Any], points: tuple[int, ...] | None) -> None:
    """A match with results ended with the points after its last frame, unless others are recorded."""
    match = Match(Rules(), (Player(),) * 4, (last(DRAWN),), results=(42000, 6000, -16000, -32000))
    assert points_at_end(replace(match, **values)) == points


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (EVEN, (23000, 27000, 24000, 26000), (-2000, 2000, 0, 1000)),
        (EVEN, EVEN, (0, 0, 1000, 0)),
        (None, EVEN, None),
        (EVEN, None, None),
    ],
)
def test_changes(
    before: tuple[int, ...] | None, after: tuple[int, ...] | None, expected: tuple[int, ...] | None
) -> None:
    """The gains and losses at the end of a frame are the changes of points, apart from riichi sticks paid before."""
    made = Frame(Start(0, 0, 0, 0, None, before, ()), (RiichiDeclared(2), RiichiAccepted(2)), End((), after), None)
    assert frame_changes(made) == expected


def start(points: tuple[int, ...] | None = EVEN, sticks: int | None = 0) -> Start:
    """Return the start of a frame."""
    return Start(0, 0, sticks, 0, None, points, ())


@pytest.mark.parametrize(("points", "sticks", "message"), table("play_points", "follows"))
def test_follows(points: tuple[int, ...] | None, sticks: int | None, message: str | None) -> None:
    """A frame starts with the points and sticks left by the previous frame, if known."""
    assert discontinuity(points, sticks, start(points=None, sticks=None)) is None
    error = discontinuity(points, sticks, start())
    assert (error and str(error)) == message


BEFORE = (25000, 25000, 25000, 25000)
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


@pytest.mark.parametrize(("changes", "honba", "expected"), table("play_points", "pao"))
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


@pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
def test_real_log(subtests: pytest.Subtests) -> None:
    """All payments that jmjp does not keep are inferred, and so is the value of each win."""
    for path in READ_OF_FOUR:
        with subtests.test(path.name):
            (read,) = read_jmjp(write_jmjp(match(path)).encode())
            for log, frame_ in zip(match(path).frames, read.frames, strict=True):
                found = payments(frame_, read.point_rule)
                assert found == [event.changes for event in log.endings]
                for place, (win, changes) in enumerate(zip(log.endings, found, strict=True)):
                    if isinstance(win, Win) and (read.point_rule or not log.start.honba):
                        assert win.score is not None
                        assert changes is not None
                        assert worth(frame_, place, changes, read.point_rule) == win.score.points


@pytest.mark.parametrize(("points", "players", "dealer", "possible"), table("play_points", "shares_of_a_tsumo"))
def test_shares_of_a_tsumo(points: int, players: int, *, dealer: bool, possible: bool) -> None:
    """A tsumo is worth what whole hundreds from each payer add up to; houses of three differ, but for the dealer's."""
    assert can_be_shared(points, players, dealer=dealer) is possible
