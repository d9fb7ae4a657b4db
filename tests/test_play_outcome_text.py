"""The outcome that the text of a frame gives, if it is exactly our own."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from models import scores
from tables import table

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
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.play.outcome_text import describe, score_in_text, with_outcome

POINTS = (25000,) * 4
RIICHI_DORA = Score(30, 2000, Limit.NONE, (Yaku(1, 1), Yaku(52, 1)))
KOKUSHI = Score(0, 32000, Limit.YAKUMAN, (Yaku(47),))
HANDS = tuple(tuple(range(13 * player, 13 * player + 13)) for player in range(4))
AT_END = tuple(map(Hand, HANDS))


def frame(
    *events: Event, dealer: int = 0, hands: tuple[Hand, ...] = AT_END, points: tuple[int, ...] | None = POINTS
) -> Frame:
    """Return a frame that ends with *events*; its start and end hands are alike."""
    start = Start(dealer, 0, 0, dealer, None, POINTS, HANDS)
    return Frame(start, (Draw(0, 60), Discard(0, 60), *events), End(hands, points), None)


def bare(one: Frame) -> Frame:
    """Return *one* without what only its text gives."""
    events = [
        replace(event, score=None, pao=())
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
    (found,) = parsed(frame(Win(2, 1, 60, score))).endings
    text = describe(frame(Win(2, 1, 60, score)))
    if text is not None and "-" in re.sub("「[^」]*」", "", text.native or ""):
        assert found == Win(2, 1, 60)
        return
    assert isinstance(found, Win)
    assert found.score == score_in_text(score)
    assert describe(frame(found)) == describe(frame(Win(2, 1, 60, score)))


@pytest.mark.parametrize(("score", "known"), table("play_outcome_text", "score", globals()))
def test_score(score: Score, known: Score) -> None:
    """Fu and han go together; a text has no yaku of zero han, and no fu of a yakuman."""
    (found,) = parsed(frame(Win(2, 1, 60, score))).endings
    assert isinstance(found, Win)
    assert found.score == known


def test_every_yaku(subtests: pytest.Subtests) -> None:
    """Every yaku is named in both scripts, distinct, with its han or as a yakuman, also behind another."""
    for number in range(len(NAMES)):
        with subtests.test(NAMES[number].romaji):
            assert describe(frame(Win(2, 1, 60, Score(30, 1000, Limit.NONE, (Yaku(number, 2),))))) == Text(
                f"ロン 西家←南家 30符2飜 1000点 {NAMES[number].japanese}2",
                f"Ron: West from South, 30 fu 2 han, 1000 points: {NAMES[number].romaji} 2",
            )
            for yaku in ((Yaku(number, 1),), (Yaku(number),), (Yaku(47), Yaku(number, 13)), (Yaku(number), Yaku(48))):
                (found,) = parsed(frame(Win(2, 1, 60, Score(None, 1000, Limit.NONE, yaku)))).endings
                assert isinstance(found, Win)
                assert found.yaku == yaku


def test_wins() -> None:
    """Several wins get their values in order, each with its pao; other events stay in their places."""
    one = frame(
        Disconnected(0),
        Win(2, 1, 60, replace(RIICHI_DORA, yaku=(Yaku(21, 2),)), pao=(3,), changes=(0, -1, 1, 0), chips=(0, -1, 1, 0)),
        Disconnected(1),
        Win(3, 1, 60, replace(KOKUSHI, fu=None), chip_yaku=((1, 1),)),
        Disconnected(2),
        dealer=3,
    )
    assert parsed(one) == one


@pytest.mark.parametrize("kind", DrawKind)
def test_draws(kind: DrawKind) -> None:
    """The text gives a draw's kind, and at the end of the wall who is tenpai; their hands are those at the end."""
    text = describe(frame(Ryuukyoku(kind)))
    assert text is not None
    drawn = Ryuukyoku(kind, changes=(0, 3000, -3000, 0), chips=(0, 1, -1, 0))
    assert parsed(frame(drawn, dealer=2)) == frame(drawn, dealer=2)
    shown = frame(replace(drawn, shown=(HANDS[0], None, HANDS[2], None)), dealer=2)
    nobody = frame(replace(drawn, shown=(None,) * 4), dealer=2)
    for one in (shown, nobody):
        assert parsed(one) == (one if kind in TO_THE_LAST else frame(drawn, dealer=2))


def test_nobody_paid() -> None:
    """The text of a nagashi mangan says who is tenpai, even if it does not say who is paid."""
    one = frame(Ryuukyoku(DrawKind.NAGASHI, (None, HANDS[1], None, None)))
    assert parsed(one) == one


def test_fourteenth() -> None:
    """The hand of a player who is tenpai includes the fourteenth tile."""
    hands = (Hand(HANDS[0]), Hand(HANDS[1][1:], HANDS[1][0]), *AT_END[2:])
    one = frame(Ryuukyoku(DrawKind.EXHAUSTIVE, (None, HANDS[1], None, None)), hands=hands)
    assert parsed(one) == one


def test_unknown_tiles() -> None:
    """An unknown tile in a hand at the end stays unknown in the hand shown."""
    hand = (*HANDS[1][1:], UNKNOWN)
    one = frame(Ryuukyoku(DrawKind.EXHAUSTIVE, (None, hand, None, None)), hands=(AT_END[0], Hand(hand), *AT_END[2:]))
    assert parsed(one) == one


WON = frame(Win(2, 1, 60, RIICHI_DORA, pao=(3,)), Win(3, 1, 60, KOKUSHI))
DREW = frame(Ryuukyoku(DrawKind.EXHAUSTIVE, (HANDS[0], None, None, None)))


@pytest.mark.parametrize(
    ("end", "old", "new"), [*table("play_outcome_text", "other_words"), ("won", "2000点", f"{'9' * 5000}点")]
)
def test_other_words(end: str, old: str, new: str) -> None:
    """A text with other words, or about other play, gives nothing, in whichever script it differs."""
    one = {"won": WON, "drew": DREW}[end]
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
    one = frame(points=None)
    for text in (describe(one), describe(WON), describe(DREW)):
        assert text is not None
        assert with_outcome(one, text) == one


def test_long_text() -> None:
    """A text of more than 1024 characters gives nothing."""
    long = frame(Win(2, 1, 60, replace(RIICHI_DORA, yaku=(Yaku(0, 1),) * 200)))
    assert parsed(long) == bare(long)
