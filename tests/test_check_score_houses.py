"""The score of a game is judged by the rules of its house, as far as it is recorded."""

from __future__ import annotations

import pytest
from score_stories import (
    EVERY_ORPHAN,
    FACES,
    FOUR,
    PINFU,
    PINFU_OF_THREE,
    PLAIN,
    THREE,
    Recorded,
    Story,
    cases,
    drawn,
    finished,
    lines,
    match,
    numbers,
    with_recorded,
)
from test_check_score_payments import PAO, PAO_HAND

from jmjp_convert.checks.score import ScoreReport, Subject, check_score
from jmjp_convert.model import (
    Ankan,
    Draw,
    DrawKind,
    End,
    Frame,
    House,
    Limit,
    Match,
    Rules,
    Ryuukyoku,
    Score,
    Win,
    Yaku,
    tiles,
)
from jmjp_convert.model.record import replace

SOUL = Rules(lobby=0, house=House.MAHJONG_SOUL)
SOUL_OF_THREE = Rules(3, lobby=0, house=House.MAHJONG_SOUL)
YAKUMAN = Limit.YAKUMAN

# --- one hand, two houses ---------------------------------------------------------------------------------------------

CASES = cases("houses")


@pytest.mark.parametrize("name", CASES)
def test_two_houses(name: str) -> None:
    """Each house's value and payments agree by its own rules, and by those of the other they do not."""
    story, soul, values, _ = CASES[name]
    frame = story.frame(soul)
    assert lines(frame, SOUL) == []
    assert lines(frame, FOUR) != []
    tenhou = with_recorded(frame, soul._replace(value=values["tenhou"], changes=numbers(values["tenhou paid"])))
    assert lines(tenhou, FOUR) == []
    assert lines(tenhou, SOUL) != []


def test_alike() -> None:
    """Pao of a single yakuman, and every ordinary hand, are paid alike."""
    recorded = Recorded("40 fu 32000: Daisangen", (0, 33300, -16000, -16300), YAKUMAN, pao=(3,))
    frame = Story(f"{PAO} 2 5s tg ron1", "", PAO_HAND, honba=1, sticks=1).frame(recorded)
    for rules in (FOUR, SOUL):
        assert lines(frame, rules) == []
        assert lines(PLAIN, rules) == []


def test_three_players() -> None:
    """With three players nobody pays the missing player's part, in either house."""
    story = Story("0 ew tg 1 ew tg 2 ew tg 0 9p tg 1 9s tg 2 8p tsumo", "", "", PINFU_OF_THREE, rules=THREE, honba=2)
    frame = story.frame(Recorded("20 fu 2000: Menzen tsumo 1, Pinfu 1, Tanyao 1", (-1500, -900, 2400)))
    assert lines(frame, SOUL_OF_THREE) == lines(frame, THREE) == []


def test_robbed_ankan() -> None:
    """Kokushi can win off an ankan."""
    story = Story("0 1m ankan[1m]", "111m", EVERY_ORPHAN.replace("19m", "9m9m", 1))
    frame = story.frame()
    (kan,) = (event for event in frame.events if isinstance(event, Ankan))
    score = Score(0, 32000, YAKUMAN, (Yaku(47),))
    win = Win(1, 0, kan.tiles[0], score, changes=(-32000, 32000, 0, 0))
    end = replace(frame.end.hands[1], drawn=kan.tiles[0])
    hands = (frame.end.hands[0], end, *frame.end.hands[2:])
    won = replace(frame, events=(*frame.events, win), end=End(hands, None))
    assert lines(won, SOUL) == []


# --- drawn frames -----------------------------------------------------------------------------------------------------


def test_three_wins_on_tenhou() -> None:
    """Three wins do not stand on Tenhou: the frame should be drawn."""
    story = Story("0 5p tg ron1 ron2 ron3", "", PINFU, "345m678m456s33s67p", "456m678m345s88s67p")
    value = "30 fu 2000: Pinfu 1, Tanyao 1"
    frame = story.frame(
        Recorded(value, (-2000, 2000, 0, 0)), Recorded(value, (-2000, 0, 2000, 0)), Recorded(value, (-2000, 0, 0, 2000))
    )
    assert lines(frame, SOUL) == []
    assert lines(frame) == ["frame E1-0: the frame ends in three wins; triple ron expected from the play"]


def test_triple_ron_on_mahjong_soul() -> None:
    """A frame of Mahjong Soul is not drawn by triple ron."""
    draw = Ryuukyoku(DrawKind.TRIPLE_RON, changes=(0, 0, 0, 0))
    frame = Story("0 5p tg", "", PINFU).frame(draw=draw)
    assert lines(frame, SOUL) == ["frame E1-0: the frame ends in triple ron; no such draw expected from the play"]


def test_two_nagashi() -> None:
    """On Mahjong Soul, nagashi mangan by two players are both paid."""
    hands = ("2345678m234678p",) * 2 + ("2345678s234678p",) * 2
    frame = drawn((-8000, 6000, 6000, -4000), *hands, shown="0123", acts="fill12=70", kind=DrawKind.NAGASHI)
    assert lines(frame, SOUL) == []


REASON = "whether a hand is tenpai that holds all the tiles it waits for is unknown"


@pytest.mark.parametrize("hand", ["1111m234p567p789s", "ewewewew234p567p789s"])
def test_waits_for_own_tiles(hand: str) -> None:
    """A hand that waits only for tiles of which it has all four is noten on Tenhou, and not judged on Mahjong Soul."""
    frame = drawn((0, 0, 0, 0), hand)
    assert lines(frame) == []
    assert check_score(match(frame, rules=SOUL)).not_judged[Subject.DRAW, REASON] == 1


# --- results ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "points", "results"),
    [
        (SOUL, (43600, 27800, 20600, 8000), (33600, 7800, -9400, -32000)),
        (SOUL, (25000, 25000, 25000, 25000), (15000, 5000, -5000, -15000)),
        (SOUL_OF_THREE, (51200, 35000, 18800), (31200, 0, -31200)),
    ],
)
def test_results(rules: Rules, points: tuple[int, ...], results: tuple[int, ...]) -> None:
    """Mahjong Soul counts from the points at the start, and its uma depends on nothing but the place."""
    recorded = finished(points, results, rules=rules)
    assert check_score(recorded) == ScoreReport(agreed=check_score(recorded).agreed)
    assert check_score(recorded).agreed == {Subject.RESULT: 1}
    other = check_score(recorded, House.TENHOU)
    assert other.wrong == {Subject.RESULT: 1}


# --- whose rules ------------------------------------------------------------------------------------------------------


DOUBLE = Story("0 5p tg ron1", "", "222m444m666p888s5p").frame(
    Recorded("50 fu 64000: Suuankou tanki", (-64000, 64000, 0, 0), YAKUMAN)
)


@pytest.mark.parametrize("rules", [Rules(), FOUR, replace(SOUL, lobby=None), replace(FOUR, lobby=77)])
def test_named_house(rules: Rules) -> None:
    """A house that is named counts, whatever the match says of its rules."""
    recorded = match(DOUBLE, rules=rules)
    assert check_score(recorded, House.MAHJONG_SOUL).agreed == {Subject.WIN: 1, Subject.WIN_PAYMENTS: 1}
    assert check_score(recorded, House.TENHOU).wrong == {Subject.WIN: 1, Subject.WIN_PAYMENTS: 1}


# --- what is partly recorded ------------------------------------------------------------------------------------------


NAMED = Yaku(None, 1, "三色小同刻")


def with_score(frame: Frame, **values: object) -> Match:
    """Return a match whose only win has a score with other *values*."""
    (win,) = frame.endings
    assert isinstance(win, Win)
    assert win.score is not None
    recorded = replace(win, score=replace(win.score, **values))
    return match(replace(frame, events=(*frame.events[:-1], recorded)))


@pytest.mark.parametrize(
    ("values", "why", "unrecorded"),
    [
        ({"fu": None}, " (2 han)", {(Subject.WIN_FU, "no fu are recorded")}),
        ({"yaku": ()}, " (30 fu)", {(Subject.WIN_YAKU, "no yaku are recorded")}),
        ({"yaku": (), "han_alone": 2}, " (30 fu 2 han)", {(Subject.WIN_YAKU, "no yaku are recorded")}),
        ({"yaku": (Yaku(8, 1), NAMED)}, " (30 fu 2 han)", {(Subject.WIN_YAKU, "a yaku is known by its name only")}),
        (
            {"yaku": (), "fu": None},
            "",
            {(Subject.WIN_FU, "no fu are recorded"), (Subject.WIN_YAKU, "no yaku are recorded")},
        ),
    ],
)
def test_parts(values: dict[str, object], why: str, unrecorded: set[tuple[Subject, str]]) -> None:
    """What is recorded of a win is compared, and what is not is counted."""
    report = check_score(with_score(PLAIN, **values))
    assert report.agreed == {Subject.WIN: 1, Subject.WIN_PAYMENTS: 1}
    assert {key for key in report.not_judged if key[0] is not Subject.RESULT} == unrecorded
    (line,) = map(str, check_score(with_score(PLAIN, **values, points=2600)).findings)
    assert line == f"frame E1-0: player 1's win is worth 2600; 2000{why} expected"


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"fu": None, "yaku": (Yaku(8, 1),)}, "player 1's win is 1 han; 2 han expected from the play"),
        ({"yaku": (), "han_alone": 3}, "player 1's win is 30 fu 3 han; 30 fu 2 han expected from the play"),
        ({"yaku": (Yaku(8, 2), NAMED)}, "player 1's win is 30 fu 3 han; 30 fu 2 han expected from the play"),
        ({"yaku": (), "fu": 40}, "player 1's win is 40 fu; 30 fu expected from the play"),
    ],
)
def test_wrong_part(values: dict[str, object], line: str) -> None:
    """A recorded part that is wrong is reported without the parts that are not recorded."""
    findings = [str(finding) for finding in check_score(with_score(PLAIN, **values)).findings]
    assert f"frame E1-0: {line}" in findings


def by_face(frame: Frame) -> Frame:
    """Return *frame* with hands at the end and a win known by face only."""
    hands = tuple(
        replace(
            hand,
            tiles=tuple(tiles.any_copy(FACES[tile]) for tile in hand.tiles),
            drawn=None if hand.drawn is None else tiles.any_copy(FACES[hand.drawn]),
        )
        for hand in frame.end.hands
    )
    return replace(frame, end=End(hands, frame.end.points))


def test_faces() -> None:
    """Tiles known by their faces are enough: a red five counts once, and plain fives do not."""
    story = Story("0 5p tg ron1", "", "234m678m055s22s67p")
    frame = story.frame(Recorded("40 fu 2600: Tanyao 1, Aka dora 1", (-2600, 2600, 0, 0)))
    assert lines(frame) == lines(by_face(frame)) == []
    assert any(tile >= tiles.PHYSICAL for tile in by_face(frame).end.hands[1].tiles)


def test_pao_not_recorded() -> None:
    """Where it is not recorded who is liable, the payments show it."""
    recorded = Recorded("40 fu 32000: Daisangen", (0, 32000, -16000, -16000), YAKUMAN)
    frame = Story(f"{PAO} 2 5s tg ron1", "", PAO_HAND).frame(recorded)
    assert lines(frame) == []
    assert isinstance(frame.events[0], Draw)
