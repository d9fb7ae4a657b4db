"""What is paid for a win or draw, and the final result."""

from __future__ import annotations

import pytest
from score_stories import (
    EAST,
    EAST_OF_2009,
    LAST_POINTS,
    PINFU,
    TENTHS,
    THREE,
    WHOLE,
    Recorded,
    Story,
    cases,
    findings,
    finished,
    lines,
    match,
    numbers,
    with_recorded,
)

from jmjp_convert.checks.score import Subject, check_score, payments
from jmjp_convert.model import Limit, Match, Win
from jmjp_convert.model.record import replace

DRAGONS = "wdwd gdgd rdrd"
PAO = "0 wd tg 1 pon[wdwd] 9p 2 gd tg 1 pon[gdgd] 9p 2 9m tg 3 rd tg 1 pon[rdrd] 9p"
"""Player 3 discards the tile for the third set."""

PAO_HAND = f"{DRAGONS} 999p234m5s"
CASES = cases("payments")


@pytest.mark.parametrize("name", CASES)
def test_payments(name: str) -> None:
    """Payments are computed, and payments under another rule are reported."""
    story, recorded, values, _ = CASES[name]
    frame = story.frame(recorded)
    assert lines(frame, story.rules) == []
    (win,) = (event for event in frame.events if isinstance(event, Win))
    prefix = f"frame {frame.start.name}: the payments for player {win.player}'s win are"
    other = recorded._replace(changes=numbers(values["other"]))
    findings = [f"{prefix} {values['other']}; {values['paid']} expected"]
    assert lines(with_recorded(frame, other), story.rules) == findings


FIRST = Recorded("30 fu 2000: Pinfu 1, Tanyao 1", (0, -2600, 4600, 0))
SECOND = Recorded(
    "30 fu 12000: Double riichi 2, Ippatsu 1, Pinfu 1, Tanyao 1, Ura dora 1", (0, -12000, 0, 12000), Limit.HANEMAN
)
DOUBLE_RON = Story(
    "0 nw tg 1 9m tg 2 9m tg 3 9m rc tg 0 nw tg 1 8p tg ron2 ron3",
    *("", "", PINFU, PINFU),
    honba=2,
    sticks=1,
    keep="7p",
).frame(FIRST, SECOND._replace(ura="7p"))


def test_several_winners() -> None:
    """The winner nearest in turn to the discarder takes honba and sticks; the other gets only the points."""
    assert lines(DOUBLE_RON) == []
    other = FIRST._replace(changes=(0, -2000, 2000, 0)), SECOND._replace(changes=(0, -12600, 0, 14600))
    assert lines(with_recorded(DOUBLE_RON, *other)) == [
        "frame E1-2: the payments for player 2's win are 0,-2000,2000,0; 0,-2600,4600,0 expected",
        "frame E1-2: the payments for player 3's win are 0,-12600,0,14600; 0,-12000,0,12000 expected",
    ]


@pytest.mark.parametrize(
    ("winners", "source", "players", "first"),
    [((0, 3), 2, 4, 3), ((0, 2), 3, 4, 0), ((1, 3), 2, 4, 3), ((2, 1), 0, 4, 1), ((0, 2), 1, 3, 2)],
)
def test_first_winner(winners: tuple[int, ...], source: int, players: int, first: int) -> None:
    """The first winner is the next in turn after the discarder."""
    assert payments.first_winner(winners, source, players) == first


def test_ura_of_the_other_winner() -> None:
    """The ura dora shown by one winner count for every riichi in the frame."""
    events = [replace(event, ura=()) if isinstance(event, Win) else event for event in DOUBLE_RON.events]
    hidden = replace(DOUBLE_RON, events=tuple(events))
    report = check_score(match(hidden))
    reason = "the ura dora indicators are not recorded"
    assert report.agreed == {Subject.WIN: 1, Subject.WIN_PAYMENTS: 1}
    assert report.not_judged[Subject.WIN, reason] == report.not_judged[Subject.WIN_PAYMENTS, reason] == 1
    first, second = DOUBLE_RON.endings
    assert isinstance(first, Win)
    assert isinstance(second, Win)
    moved = (replace(first, ura=second.ura), replace(second, ura=()))
    assert lines(replace(DOUBLE_RON, events=(*DOUBLE_RON.events[:-2], *moved))) == []


def test_pao_recorded() -> None:
    """The player liable for pao is derived, and compared with the record or, without one, with the payments."""
    recorded = Recorded("40 fu 32000: Daisangen", (0, 32000, -16000, -16000), Limit.YAKUMAN, pao=(3,))
    frame = Story(f"{PAO} 2 5s tg ron1", "", PAO_HAND).frame(recorded)
    assert lines(frame) == []
    assert lines(with_recorded(frame, recorded._replace(pao=()))) == []
    assert lines(with_recorded(frame, recorded._replace(pao=(), changes=(0, 32000, -32000, 0)))) == [
        "frame E1-0: pao for player 1's win is paid by nobody; player 3 expected",
        "frame E1-0: the payments for player 1's win are 0,32000,-32000,0; 0,32000,-16000,-16000 expected",
    ]
    assert lines(with_recorded(frame, recorded._replace(pao=(0,)))) == [
        "frame E1-0: pao for player 1's win is paid by player 0; player 3 expected"
    ]
    plain = Story("0 5p tg ron1", "", PINFU).frame(
        Recorded("30 fu 2000: Pinfu 1, Tanyao 1", (-2000, 2000, 0, 0), pao=(2,))
    )
    assert lines(plain) == ["frame E1-0: pao for player 1's win is paid by player 2; nobody expected"]


@pytest.mark.parametrize(
    ("players", "dealer", "honba", "winner", "expected"),
    [
        (4, 0, 0, 0, (12000, -4000, -4000, -4000)),
        (4, 0, 2, 1, (-4200, 8600, -2200, -2200)),
        (3, 1, 0, 1, (-4000, 8000, -4000)),
        (3, 1, 1, 2, (-2100, -4100, 6200)),
    ],
)
def test_tsumo(players: int, dealer: int, honba: int, winner: int, expected: tuple[int, ...]) -> None:
    """The payments for a mangan tsumo, by dealers and others, are correct."""
    assert payments.tsumo(payments.Stakes(players, dealer, honba), winner, 4000, 2000) == expected


@pytest.mark.parametrize(
    ("recorded", "other"),
    [
        pytest.param(finished(LAST_POINTS, WHOLE, "20220113"), TENTHS, id="in whole thousands up to January 2022"),
        pytest.param(finished(LAST_POINTS, TENTHS, "20220601"), WHOLE, id="in tenths from June"),
        pytest.param(
            finished((72500, 34500, -3500, -3500), (83000, 15000, -44000, -54000), "20110101"),
            (81000, 15000, -43000, -53000),
            id="half away from zero; ties go to the lower player",
        ),
        pytest.param(
            finished(LAST_POINTS, EAST_OF_2009, "20090731", EAST), WHOLE, id="uma of East-only games to July 2009"
        ),
        pytest.param(finished(LAST_POINTS, WHOLE, "20090802", EAST), EAST_OF_2009, id="uma of East-only games after"),
        pytest.param(finished(LAST_POINTS, WHOLE, "20090731"), EAST_OF_2009, id="uma of other games at any time"),
        pytest.param(
            finished((30500, 25500, 24500, 17500), (41000, 6000, -15000, -32000), "20110101", sticks=2),
            (39000, 6000, -15000, -30000),
            id="leftover sticks",
        ),
        pytest.param(
            finished((35500, 35000, 34500), (30000, -5000, -25000), "20110101", THREE),
            (20000, 0, -20000),
            id="three players",
        ),
    ],
)
def test_result(recorded: Match, other: tuple[int, ...]) -> None:
    """The result follows from the points under the rule of its day."""
    assert check_score(recorded).agreed == {Subject.RESULT: 1}
    right, wrong = (",".join(map(str, values)) for values in (recorded.results or (), other))
    assert findings(replace(recorded, results=other)) == [
        f"the results are {wrong}; {right} expected from the final points"
    ]


def test_result_on_an_unknown_day() -> None:
    """If the day does not decide between two rules, a result under either is accepted."""
    for date in (None, "20220301"):
        for results in (WHOLE, TENTHS):
            assert findings(finished(LAST_POINTS, results, date)) == []
    assert findings(finished(LAST_POINTS, EAST_OF_2009, "20090801", EAST)) == []
    assert findings(finished(LAST_POINTS, (0, 0, 0, 0))) == [
        "the results are 0,0,0,0; 41000,6000,-15000,-32000 or 42500,5500,-15500,-32500 expected from the final points"
    ]


def test_final_points() -> None:
    """The final points are those of the last frame, including leftover sticks."""
    recorded = replace(finished(LAST_POINTS, WHOLE, "20110101"), final_points=(33500, 25500, 24500, 16500))
    assert findings(recorded) == [
        "the final points are 33500,25500,24500,16500; 32500,25500,24500,17500 expected from the last frame"
    ]
