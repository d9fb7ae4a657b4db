"""How a frame ended, in one line of Japanese and one of English."""

from __future__ import annotations

import pytest

from jmjp_convert.model import (
    Discard,
    Disconnected,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Limit,
    Ryuukyoku,
    Score,
    Start,
    Text,
    Win,
    Yaku,
)
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.play.outcome_text import describe

POINTS = (25000, 25000, 25000, 25000)
RIICHI_DORA = Score(30, 2000, Limit.NONE, (Yaku(1, 1), Yaku(52, 1)))
KOKUSHI = Score(0, 32000, Limit.YAKUMAN, (Yaku(47),))
HAND = (0,)


def frame(*events: Event, dealer: int = 0, players: int = 4, points: tuple[int, ...] | None = POINTS) -> Frame:
    """Return a frame that ends with *events*."""
    start = Start(dealer, 0, 0, dealer, None, POINTS[:players], ((),) * players)
    return Frame(start, (Draw(0, 0), Discard(0, 0), *events), End((), points), (UNKNOWN,) * 10)


def shown(*players: int) -> tuple[tuple[int, ...] | None, ...]:
    """Return the hands of a draw at which *players* show theirs."""
    return tuple(HAND if player in players else None for player in range(4))


@pytest.mark.parametrize(
    ("win", "native", "roman"),
    [
        (
            Win(2, 1, 5, RIICHI_DORA),
            "ロン 西家←南家 30符2飜 2000点 立直1 ドラ1",
            "Ron: West from South, 30 fu 2 han, 2000 points: Riichi 1, Dora 1",
        ),
        (
            Win(2, None, 5, Score(30, 4000, Limit.NONE, (Yaku(1, 1), Yaku(0, 1), Yaku(52, 1)))),
            "ツモ 西家 30符3飜 4000点 立直1 門前清自摸和1 ドラ1",
            "Tsumo: West, 30 fu 3 han, 4000 points: Riichi 1, Menzen tsumo 1, Dora 1",
        ),
        (
            Win(0, 3, 5, Score(40, 8000, Limit.MANGAN, (Yaku(1, 1), Yaku(52, 4)))),
            "ロン 東家←北家 40符5飜 満貫 8000点 立直1 ドラ4",
            "Ron: East from North, 40 fu 5 han mangan, 8000 points: Riichi 1, Dora 4",
        ),
        (
            Win(0, 3, 5, Score(40, 12000, Limit.HANEMAN, (Yaku(35, 6),))),
            "ロン 東家←北家 40符6飜 跳満 12000点 清一色6",
            "Ron: East from North, 40 fu 6 han haneman, 12000 points: Chinitsu 6",
        ),
        (
            Win(0, 3, 5, Score(40, 16000, Limit.BAIMAN, (Yaku(35, 6), Yaku(52, 2)))),
            "ロン 東家←北家 40符8飜 倍満 16000点 清一色6 ドラ2",
            "Ron: East from North, 40 fu 8 han baiman, 16000 points: Chinitsu 6, Dora 2",
        ),
        (
            Win(0, 3, 5, Score(40, 24000, Limit.SANBAIMAN, (Yaku(35, 6), Yaku(52, 5)))),
            "ロン 東家←北家 40符11飜 三倍満 24000点 清一色6 ドラ5",
            "Ron: East from North, 40 fu 11 han sanbaiman, 24000 points: Chinitsu 6, Dora 5",
        ),
        (
            Win(0, 3, 5, Score(40, 32000, Limit.YAKUMAN, (Yaku(35, 6), Yaku(52, 7)))),
            "ロン 東家←北家 40符13飜 役満 32000点 清一色6 ドラ7",
            "Ron: East from North, 40 fu 13 han yakuman, 32000 points: Chinitsu 6, Dora 7",
        ),
        (
            Win(1, 0, 5, KOKUSHI),
            "ロン 南家←東家 役満 32000点 国士無双",
            "Ron: South from East, yakuman, 32000 points: Kokushi musou",
        ),
        (
            Win(1, None, 5, Score(60, 64000, Limit.YAKUMAN, (Yaku(39), Yaku(42)))),
            "ツモ 南家 役満 64000点 大三元 字一色",
            "Tsumo: South, yakuman, 64000 points: Daisangen, Tsuuiisou",
        ),
        (
            Win(1, 0, 5, Score(40, 32000, Limit.YAKUMAN, (Yaku(39),)), pao=3),
            "ロン 南家←東家 役満 32000点 大三元 包 北家",
            "Ron: South from East, yakuman, 32000 points: Daisangen, pao North",
        ),
        (
            Win(1, None, 5, Score(40, 32000, Limit.YAKUMAN, (Yaku(39),)), pao=0),
            "ツモ 南家 役満 32000点 大三元 包 東家",
            "Tsumo: South, yakuman, 32000 points: Daisangen, pao East",
        ),
        (
            Win(2, 1, 5, Score(30, 2000, Limit.NONE, (Yaku(1, 1), Yaku(52, 1), Yaku(53, 0)))),
            "ロン 西家←南家 30符2飜 2000点 立直1 ドラ1",
            "Ron: West from South, 30 fu 2 han, 2000 points: Riichi 1, Dora 1",
        ),
        (
            Win(2, 1, 5, Score(30, 1000, Limit.NONE, (Yaku(13, 1),))),
            "ロン 西家←南家 30符1飜 1000点 自風 北1",
            "Ron: West from South, 30 fu 1 han, 1000 points: Jikaze pei 1",
        ),
    ],
)
def test_win(win: Win, native: str, roman: str) -> None:
    """The text of a win has the winner and the source, fu and han or the yakuman, the points, and each yaku that
    counts."""
    assert describe(frame(win)) == Text(native, roman)


@pytest.mark.parametrize(
    ("dealer", "japanese", "english"), [(1, "東家←北家", "East from North"), (2, "北家←西家", "North from West")]
)
def test_winds_are_of_the_frame(dealer: int, japanese: str, english: str) -> None:
    """Players are called by their winds in this frame."""
    said = describe(frame(Win(1, 0, 5, RIICHI_DORA), dealer=dealer))
    assert said == Text(
        f"ロン {japanese} 30符2飜 2000点 立直1 ドラ1",
        f"Ron: {english}, 30 fu 2 han, 2000 points: Riichi 1, Dora 1",
    )


def test_winds_of_three() -> None:
    """With three players there are three winds."""
    said = describe(frame(Win(1, 0, 5, RIICHI_DORA), dealer=2, players=3))
    assert said is not None
    assert said.roman is not None
    assert said.roman.startswith("Ron: West from South")


def test_several_wins() -> None:
    """Several wins are listed in order, separated by a slash."""
    said = describe(frame(Win(2, 1, 5, RIICHI_DORA), Disconnected(0), Win(3, 1, 5, KOKUSHI)))
    assert said == Text(
        "ロン 西家←南家 30符2飜 2000点 立直1 ドラ1 / ロン 北家←南家 役満 32000点 国士無双",
        "Ron: West from South, 30 fu 2 han, 2000 points: Riichi 1, Dora 1"
        " / Ron: North from South, yakuman, 32000 points: Kokushi musou",
    )


@pytest.mark.parametrize("number", range(len(NAMES)))
def test_every_yaku(number: int) -> None:
    """Every yaku is named in both scripts."""
    said = describe(frame(Win(2, 1, 5, Score(30, 1000, Limit.NONE, (Yaku(number, 2),)))))
    assert said == Text(
        f"ロン 西家←南家 30符2飜 1000点 {NAMES[number].japanese}2",
        f"Ron: West from South, 30 fu 2 han, 1000 points: {NAMES[number].romaji} 2",
    )


@pytest.mark.parametrize(
    ("draw", "native", "roman"),
    [
        (Ryuukyoku(DrawKind.EXHAUSTIVE, shown()), "流局 全員不聴", "Exhaustive draw: all noten"),
        (Ryuukyoku(DrawKind.EXHAUSTIVE, shown(1)), "流局 聴牌 南家", "Exhaustive draw: South tenpai"),
        (Ryuukyoku(DrawKind.EXHAUSTIVE, shown(1, 0)), "流局 聴牌 東家 南家", "Exhaustive draw: East, South tenpai"),
        (
            Ryuukyoku(DrawKind.EXHAUSTIVE, shown(0, 1, 2, 3)),
            "流局 聴牌 東家 南家 西家 北家",
            "Exhaustive draw: East, South, West, North tenpai",
        ),
        (Ryuukyoku(DrawKind.EXHAUSTIVE), "流局", "Exhaustive draw"),
        (
            Ryuukyoku(DrawKind.NAGASHI, shown(), changes=(-4000, -2000, 8000, -2000)),
            "流し満貫 西家 全員不聴",
            "Nagashi mangan: West; all noten",
        ),
        (
            Ryuukyoku(DrawKind.NAGASHI, shown(0, 3), changes=(4000, -6000, 4000, -2000)),
            "流し満貫 東家 西家 聴牌 東家 北家",
            "Nagashi mangan: East, West; East, North tenpai",
        ),
        (Ryuukyoku(DrawKind.NINE_TERMINALS, shown(1)), "九種九牌", "Nine terminals"),
        (Ryuukyoku(DrawKind.FOUR_WINDS, shown()), "四風連打", "Four winds"),
        (Ryuukyoku(DrawKind.FOUR_RIICHI, shown(0, 1, 2, 3)), "四家立直", "Four riichi"),
        (Ryuukyoku(DrawKind.FOUR_KANS, shown()), "四槓散了", "Four kans"),
        (Ryuukyoku(DrawKind.TRIPLE_RON, shown(0, 1, 2)), "三家和了", "Triple ron"),
    ],
)
def test_draw(draw: Ryuukyoku, native: str, roman: str) -> None:
    """The text of a draw has its kind; an exhaustive draw and nagashi also who is tenpai, nagashi also who is paid."""
    assert describe(frame(draw)) == Text(native, roman)


def test_every_kind_of_draw() -> None:
    """Every kind of draw has its own text."""
    assert len({describe(frame(Ryuukyoku(kind))) for kind in DrawKind}) == len(DrawKind)


def test_tenpai_by_wind() -> None:
    """Tenpai players are listed East first, no matter who East is."""
    said = describe(frame(Ryuukyoku(DrawKind.EXHAUSTIVE, shown(0, 2, 3)), dealer=2))
    assert said == Text("流局 聴牌 東家 南家 西家", "Exhaustive draw: East, South, West tenpai")


def test_unfinished() -> None:
    """A frame without an end is unfinished."""
    assert describe(frame(points=None)) == Text("未完", "Unfinished")


@pytest.mark.parametrize("events", [(), (Win(2, 1, 5),), (Win(2, 1, 5, RIICHI_DORA), Win(3, 1, 5)), (Ryuukyoku(None),)])
def test_not_recorded(events: tuple[Event, ...]) -> None:
    """If how the frame ended is not recorded, there is no text."""
    assert describe(frame(*events)) is None
