"""How a frame ended, in words and read back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from models import scores

from jmjp_convert.model import (
    TO_THE_LAST,
    Discard,
    Disconnected,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Hand,
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
from jmjp_convert.play.outcome_text import describe, score_in_text, with_outcome

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


HANDS = tuple(tuple(range(13 * player, 13 * player + 13)) for player in range(4))
LYING = tuple(map(Hand, HANDS))


def whole_frame(
    *events: Event, dealer: int = 0, lying: tuple[Hand, ...] = LYING, points: tuple[int, ...] | None = POINTS
) -> Frame:
    """Return a frame that ends with *events*; its start and end hands are alike."""
    start = Start(dealer, 0, 0, dealer, None, POINTS, HANDS)
    return Frame(start, (Draw(0, 60), Discard(0, 60), *events), End(lying, points), None)


def bare(one: Frame) -> Frame:
    """Return *one* without what only its text gives."""
    events = [
        replace(event, score=None, pao=None)
        if isinstance(event, Win)
        else replace(event, kind=None, shown=None)
        if isinstance(event, Ryuukyoku)
        else event
        for event in one.events
    ]
    return replace(one, events=tuple(events))


def parsed(one: Frame) -> Frame:
    """Return *one* as its text gives it."""
    text = describe(one)
    assert text is not None
    return with_outcome(bare(one), text)


@given(scores)
def test_any_score(score: Score) -> None:
    """The text of any score gives it, except for yaku of zero han and the fu of a yakuman; one below zero gives
    nothing."""
    (found,) = parsed(whole_frame(Win(2, 1, 60, score))).endings
    text = describe(whole_frame(Win(2, 1, 60, score)))
    if text is not None and "-" in (text.native or ""):
        assert found == Win(2, 1, 60)
        return
    assert isinstance(found, Win)
    assert found.score == score_in_text(score)
    assert describe(whole_frame(found)) == describe(whole_frame(Win(2, 1, 60, score)))


@pytest.mark.parametrize(
    ("score", "known"),
    [
        (Score(30, 2000, Limit.NONE, (Yaku(1, 1), Yaku(53, 0))), Score(30, 2000, Limit.NONE, (Yaku(1, 1),))),
        (Score(40, 32000, Limit.YAKUMAN, (Yaku(39),)), Score(None, 32000, Limit.YAKUMAN, (Yaku(39),))),
        (Score(30, 2000, Limit.NONE, (), 2), Score(30, 2000, Limit.NONE, (), 2)),
        (Score(None, 2000, Limit.NONE, (), 2), Score(None, 2000, Limit.NONE, (), 2)),
        (Score(None, 8000, Limit.MANGAN), Score(None, 8000, Limit.MANGAN)),
        (Score(30, 8000, Limit.MANGAN), Score(None, 8000, Limit.MANGAN)),
    ],
)
def test_score(score: Score, known: Score) -> None:
    """Fu and han go together; a text has no yaku of zero han, and no fu of a yakuman."""
    (found,) = parsed(whole_frame(Win(2, 1, 60, score))).endings
    assert isinstance(found, Win)
    assert found.score == known


@pytest.mark.parametrize("number", range(len(NAMES)))
def test_every_yaku_back(number: int) -> None:
    """Every yaku is distinct, with its han or as a yakuman, also behind another."""
    for yaku in ((Yaku(number, 1),), (Yaku(number),), (Yaku(47), Yaku(number, 13)), (Yaku(number), Yaku(48))):
        (found,) = parsed(whole_frame(Win(2, 1, 60, Score(None, 1000, Limit.NONE, yaku)))).endings
        assert isinstance(found, Win)
        assert found.yaku == yaku


def test_wins() -> None:
    """Several wins get their values in order, each with its pao; other events stay in their places."""
    one = whole_frame(
        Disconnected(0),
        Win(2, 1, 60, replace(RIICHI_DORA, yaku=(Yaku(21, 2),)), pao=3, changes=(0, -1, 1, 0), chips=(0, -1, 1, 0)),
        Disconnected(1),
        Win(3, 1, 60, replace(KOKUSHI, fu=None), chip_yaku=((1, 1),)),
        Disconnected(2),
        dealer=3,
    )
    assert parsed(one) == one


@pytest.mark.parametrize("kind", DrawKind)
def test_draws(kind: DrawKind) -> None:
    """The text gives a draw's kind, and at the end of the wall who is tenpai; their hands are those at the end."""
    text = describe(whole_frame(Ryuukyoku(kind)))
    assert text is not None
    drawn = Ryuukyoku(kind, changes=(0, 3000, -3000, 0), chips=(0, 1, -1, 0))
    assert parsed(whole_frame(drawn, dealer=2)) == whole_frame(drawn, dealer=2)
    shown = whole_frame(replace(drawn, shown=(HANDS[0], None, HANDS[2], None)), dealer=2)
    nobody = whole_frame(replace(drawn, shown=(None,) * 4), dealer=2)
    for one in (shown, nobody):
        assert parsed(one) == (one if kind in TO_THE_LAST else whole_frame(drawn, dealer=2))


def test_nobody_paid() -> None:
    """The text of a nagashi mangan says who is tenpai, even if it does not say who is paid."""
    one = whole_frame(Ryuukyoku(DrawKind.NAGASHI, (None, HANDS[1], None, None)))
    assert parsed(one) == one


def test_fourteenth() -> None:
    """The hand of a player who is tenpai includes the fourteenth tile."""
    lying = (Hand(HANDS[0]), Hand(HANDS[1][1:], HANDS[1][0]), *LYING[2:])
    one = whole_frame(Ryuukyoku(DrawKind.EXHAUSTIVE, (None, HANDS[1], None, None)), lying=lying)
    assert parsed(one) == one


def test_unknown_tiles() -> None:
    """An unknown tile in a hand at the end stays unknown in the hand shown."""
    hand = (*HANDS[1][1:], UNKNOWN)
    one = whole_frame(
        Ryuukyoku(DrawKind.EXHAUSTIVE, (None, hand, None, None)), lying=(LYING[0], Hand(hand), *LYING[2:])
    )
    assert parsed(one) == one


WON = whole_frame(Win(2, 1, 60, RIICHI_DORA, pao=3), Win(3, 1, 60, KOKUSHI))
DREW = whole_frame(Ryuukyoku(DrawKind.EXHAUSTIVE, (HANDS[0], None, None, None)))


@pytest.mark.parametrize(
    ("one", "old", "new"),
    [
        (WON, "ロン 西家", "ロン 北家"),  # another winner
        (WON, "ロン 西家←南家", "ツモ 西家"),
        (WON, "西家←南家", "西家←東家"),  # another source
        (WON, "West from South", "North from South"),
        (WON, "30符2飜", "30符3飜"),  # other han than the yaku's
        (WON, "30符2飜", "２飜"),
        (WON, "30符2飜 2000点", "30符2飜  2000点"),
        (WON, "30 fu", "40 fu"),
        (WON, "2000点", "2000"),
        (WON, "2000 points", "2000"),
        (WON, "2000点", "2,000点"),
        (WON, "立直1", "立直01"),
        (WON, "立直1", "リーチ1"),
        (WON, "Riichi 1", "Reach 1"),
        (WON, "立直1 ドラ1", "ドラ1 立直1"),
        (WON, "立直1 ドラ1", "立直1 裏ドラ0 ドラ1"),
        (WON, "立直1 ドラ1", "立直1 ドラ1 "),
        (WON, "包 北家", "包 北"),
        (WON, "包 北家", "包 "),
        (WON, " / ", "/"),
        (WON, " / ", " / ロン 東家←南家 役満 32000点 国士無双 / "),
        (WON, "国士無双", "国士無双！"),  # noqa: RUF001 - a wide mark
        (WON, "Kokushi musou", "Kokushi"),
        (WON, "2000点", f"{'9' * 5000}点"),
        (DREW, "流局 ", "流れ "),
        (DREW, "流局 ", ""),
        (DREW, "流局 聴牌", "流局"),
        (DREW, "流局", "流局 流局"),
        (DREW, "東家", "東家 東家"),
        (DREW, "東家", "南家"),
        (DREW, "東家", "全員不聴"),
        (DREW, "East tenpai", "East"),
        (DREW, "Exhaustive draw", "Draw"),
    ],
)
def test_other_words(one: Frame, old: str, new: str) -> None:
    """A text with other words, or about other play, gives nothing, in whichever script it differs."""
    text = describe(one)
    assert text is not None
    assert text.native is not None
    assert text.roman is not None
    other = Text(text.native.replace(old, new, 1), text.roman.replace(old, new, 1))
    assert other != text
    assert with_outcome(bare(one), other) == bare(one)


@pytest.mark.parametrize("one", [WON, DREW])
def test_one_script(one: Frame) -> None:
    """A text in one script gives nothing: we write both."""
    text = describe(one)
    assert text is not None
    for part in (Text(text.native), Text(None, text.roman), Text()):
        assert with_outcome(bare(one), part) == bare(one)


def test_not_ended() -> None:
    """No text gives anything of a frame that has not ended."""
    one = whole_frame(points=None)
    for text in (describe(one), describe(WON), describe(DREW)):
        assert text is not None
        assert with_outcome(one, text) == one


def test_long_text() -> None:
    """A text of more than 1024 characters gives nothing."""
    long = whole_frame(Win(2, 1, 60, replace(RIICHI_DORA, yaku=(Yaku(0, 1),) * 200)))
    assert parsed(long) == bare(long)
