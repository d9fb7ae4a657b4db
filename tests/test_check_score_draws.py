"""Draws are checked: tenpai, nagashi, abortive draws, payments."""

from __future__ import annotations

from itertools import islice

import pytest
from score_stories import PINFU, PINFU_OF_THREE, THREE, Story, drawn, lines, match
from tables import table

from jmjp_convert.checks.score import Subject, check_score
from jmjp_convert.checks.score.win_context import is_due
from jmjp_convert.model import (
    Ankan,
    Discard,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Hand,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN, any_copy
from jmjp_convert.play.ponds import PondTable

NOTEN = ""
"""Thirteen of the remaining tiles."""

ALL_FOUR = "1111m234p345p678s"
"""Waits only for 1m, all four of which it holds."""


def test_tenpai() -> None:
    """Who is tenpai follows from the hands, and the payments follow from that."""
    nobody = drawn((0, 0, 0, 0), NOTEN, NOTEN, NOTEN, NOTEN)
    assert lines(nobody) == []
    right = drawn((1500, -1500, 1500, -1500), PINFU, NOTEN, PINFU, NOTEN, shown="02")
    assert lines(right) == []
    wrong = drawn((-1000, 3000, -1000, -1000), PINFU, NOTEN, PINFU, NOTEN, shown="1")
    assert lines(wrong) == [
        "frame E1-0: player 1 recorded as tenpai; player 0 and player 2 expected from the hands",
        "frame E1-0: the payments for the draw are -1000,3000,-1000,-1000; 1500,-1500,1500,-1500 expected",
    ]
    unpaid = drawn((0, 0, 0, 0), PINFU, NOTEN, NOTEN, NOTEN)
    assert lines(unpaid) == [
        "frame E1-0: nobody recorded as tenpai; player 0 expected from the hands",
        "frame E1-0: the payments for the draw are 0,0,0,0; 3000,-1000,-1000,-1000 expected",
    ]


@pytest.mark.parametrize(("hand", "is_tenpai"), table("check_score_draws", "wait"))
def test_wait(hand: str, *, is_tenpai: bool) -> None:
    """A hand is tenpai if a tile would complete it that the hand itself does not have four times."""
    changes = (3000, -1000, -1000, -1000) if is_tenpai else (0, 0, 0, 0)
    assert lines(drawn(changes, hand, NOTEN, NOTEN, NOTEN, shown="0" * is_tenpai)) == []


def test_wait_in_a_meld() -> None:
    """A wait whose fourth tile is in a meld counts."""
    acts = "0 9s tg 1 1m tg 0 pon[1m1m] 9p fill=70"
    assert lines(drawn((3000, -1000, -1000, -1000), "111m234p345p678s9p", acts=acts, shown="0")) == []


def test_riichi_is_tenpai() -> None:
    """A player in riichi counts as tenpai, whatever the hand."""
    frame = drawn((3000, -1000, -1000, -1000), ALL_FOUR, NOTEN, NOTEN, NOTEN, acts="0 9s rc tg fill=70", shown="0")
    assert lines(frame) == []


def test_draw_of_three() -> None:
    """With three players, the noten pay 2,000 in total, after 55 draws."""
    hand = PINFU_OF_THREE
    assert lines(drawn((2000, -1000, -1000), hand, acts="fill=55", rules=THREE, shown="0"), THREE) == []
    assert lines(drawn((1000, -2000, 1000), hand, NOTEN, hand, acts="fill=55", rules=THREE, shown="02"), THREE) == []
    assert lines(drawn((3000, -1500, -1500), hand, acts="fill=55", rules=THREE, shown="0"), THREE) == [
        "frame E1-0: the payments for the draw are 3000,-1500,-1500; 2000,-1000,-1000 expected"
    ]


def aborted(*moves: Event, hand: str = "", fourteenth: str = "") -> Frame:
    """Return a frame of unknown hands with *moves*, after which player 0 holds *hand*."""
    tiles = tuple(any_copy(hand[index : index + 2]) for index in range(0, len(hand), 2))
    first = any_copy(fourteenth) if fourteenth else None
    start = Start(0, 0, 0, 0, None, None, ((UNKNOWN,) * 13,) * 4, fourteenth=first)
    return Frame(start, moves, End((Hand(tiles), *[Hand(())] * 3), None), None)


def thrown(*faces: str) -> list[Event]:
    """Return the draws and discards with which the players discard *faces* in turn."""
    tiles = [(turn % 4, any_copy(face)) for turn, face in enumerate(faces)]
    return [event for tile in tiles for event in (Draw(*tile), Discard(*tile, tsumogiri=True))]


def declared(count: int) -> list[Event]:
    """Return the turns in which the first *count* players have riichi accepted."""
    return [
        event
        for player in range(count)
        for event in (
            Draw(player, NINE),
            RiichiDeclared(player),
            Discard(player, NINE, tsumogiri=True),
            RiichiAccepted(player),
        )
    ]


def kans(*counts: int) -> list[Event]:
    """Return turns in which the players, by player, declare so many closed kans."""
    events: list[Event] = []
    tiles = map(any_copy, ("1m", "2m", "3m", "4m"))
    for player, count in enumerate(counts):
        for tile in islice(tiles, count):
            events += [Draw(player, tile), Ankan(player, (tile,) * 4)]
        events += [Draw(player, NINE), Discard(player, NINE, tsumogiri=True)]
    return events


NINE = any_copy("9p")
ORPHANS = "1m9m1p9p1s9sewsw2m2m3m3m4m"
WEST, SOUTH = Draw(0, any_copy("ww")), Draw(0, any_copy("sw"))
KAN = kans(1)[:2]
PON = Pon(1, NINE, (NINE,) * 2, 0)


@pytest.mark.parametrize(
    ("kind", "frame", "due"),
    [
        (DrawKind.NINE_TERMINALS, aborted(WEST, hand=ORPHANS), True),
        (DrawKind.NINE_TERMINALS, aborted(SOUTH, hand=ORPHANS), False),
        (DrawKind.NINE_TERMINALS, aborted(hand=ORPHANS, fourteenth="ww"), True),
        (DrawKind.NINE_TERMINALS, aborted(hand=ORPHANS, fourteenth="sw"), False),
        (DrawKind.NINE_TERMINALS, aborted(hand=ORPHANS), False),
        (DrawKind.EXHAUSTIVE, aborted(), False),
        (DrawKind.NINE_TERMINALS, aborted(*thrown("ww"), hand=ORPHANS), False),
        (DrawKind.NINE_TERMINALS, aborted(*thrown("9p", "1p", "1p", "1p"), WEST, hand=ORPHANS), False),
        (DrawKind.NINE_TERMINALS, aborted(*KAN, WEST, hand=ORPHANS), False),
        (DrawKind.FOUR_WINDS, aborted(*thrown("nw", "nw", "nw", "nw")), True),
        (DrawKind.FOUR_WINDS, aborted(*thrown("nw", "nw", "nw")), False),
        (DrawKind.FOUR_WINDS, aborted(*thrown("nw", "nw", "nw", "ew")), False),
        (DrawKind.FOUR_WINDS, aborted(*thrown("wd", "wd", "wd", "wd")), False),
        (DrawKind.FOUR_WINDS, aborted(*KAN, *thrown("nw", "nw", "nw", "nw")), False),
        (DrawKind.FOUR_RIICHI, aborted(*declared(4)), True),
        (DrawKind.FOUR_RIICHI, aborted(*declared(3)), False),
        (DrawKind.FOUR_KANS, aborted(*kans(1, 1, 1, 1)), True),
        (DrawKind.FOUR_KANS, aborted(*kans(2, 2)), True),
        (DrawKind.FOUR_KANS, aborted(*kans(1, 1, 1)), False),
        (DrawKind.FOUR_KANS, aborted(*kans(4)), False),
        (DrawKind.EXHAUSTIVE, aborted(*thrown("1m")), True),
        (DrawKind.EXHAUSTIVE, aborted(Draw(0, NINE)), False),
        (DrawKind.EXHAUSTIVE, aborted(*thrown("9p"), PON), False),
    ],
)
def test_draw_that_is_due(kind: DrawKind, frame: Frame, *, due: bool) -> None:
    """An abortive draw depends on the moves alone; an exhaustive one requires the last tile to be discarded."""
    table = PondTable(frame.start, Rules())
    for event in frame.events:
        table.play(event)
    assert is_due(kind, frame, table) is due


@pytest.mark.parametrize(
    "kind", [DrawKind.FOUR_WINDS, DrawKind.FOUR_RIICHI, DrawKind.FOUR_KANS, DrawKind.NINE_TERMINALS]
)
def test_abortive_draw(kind: DrawKind) -> None:
    """An abortive draw without a reason is a finding, and so are payments for one."""
    frame = Story("0 9m tg").frame(draw=Ryuukyoku(DrawKind.NINE_TERMINALS, changes=(0, 0, 0, 0)))
    recorded = replace(frame, events=(*frame.events[:-1], Ryuukyoku(kind, changes=(0, 0, 0, 0))))
    line = f"frame E1-0: the frame ends in {kind.value}; no such draw expected from the play"
    assert lines(recorded) == [line]
    paid = replace(frame, events=(*frame.events[:-1], Ryuukyoku(kind, changes=(3000, -1000, -1000, -1000))))
    payments = "frame E1-0: the payments for the draw are 3000,-1000,-1000,-1000; 0,0,0,0 expected"
    assert lines(paid) == [line, payments]


def test_triple_ron() -> None:
    """For a triple ron, only the absence of payments is checked, not whether three players could win."""
    frame = Story("0 9m tg").frame(draw=Ryuukyoku(DrawKind.TRIPLE_RON, changes=(0, 0, 0, 0)))
    report = check_score(match(frame))
    assert report.not_judged[Subject.DRAW, "whether three players could win is not checked"] == 1
    paid = replace(
        frame, events=(*frame.events[:-1], Ryuukyoku(DrawKind.TRIPLE_RON, changes=(3000, -1000, -1000, -1000)))
    )
    assert lines(paid) == ["frame E1-0: the payments for the draw are 3000,-1000,-1000,-1000; 0,0,0,0 expected"]


def test_nagashi() -> None:
    """Nagashi is paid like a mangan tsumo, without honba and sticks; tenpai hands are shown but get nothing."""
    hands = PINFU, NOTEN, NOTEN, NOTEN
    right = drawn(
        (-4000, 8000, -2000, -2000), *hands, acts="fill1=70", shown="0", kind=DrawKind.NAGASHI, honba=2, sticks=1
    )
    report = check_score(match(right))
    assert report.findings == []
    assert report.agreed == {Subject.NAGASHI: 1}
    dealer = drawn((12000, -4000, -4000, -4000), NOTEN, NOTEN, NOTEN, NOTEN, acts="fill0=70", kind=DrawKind.NAGASHI)
    assert lines(dealer) == []
    wrong = drawn((3000, -1000, -1000, -1000), *hands, acts="fill1=70", shown="0")
    assert lines(wrong) == [
        "frame E1-0: the frame ends in an exhaustive draw; nagashi mangan expected from the play",
        "frame E1-0: the payments for the draw are 3000,-1000,-1000,-1000; -4000,8000,-2000,-2000 expected",
    ]
    none = drawn((-4000, 8000, -2000, -2000), *hands, shown="0", kind=DrawKind.NAGASHI)
    assert lines(none) == [
        "frame E1-0: the frame ends in nagashi mangan; an exhaustive draw expected from the play",
        "frame E1-0: the payments for the draw are -4000,8000,-2000,-2000; 3000,-1000,-1000,-1000 expected",
    ]


def test_no_nagashi_after_a_call() -> None:
    """A called discard rules out nagashi."""
    acts = "0 5p tg 1 9m tg 2 pon[9m9m] 8p fill1=70"
    frame = drawn((0, 0, 0, 0), NOTEN, NOTEN, "99m8p", acts=acts)
    assert lines(frame) == []


def test_nagashi_of_three() -> None:
    """With three players, nobody pays the missing player's part."""
    assert lines(drawn((-4000, 6000, -2000), acts="fill1=55", rules=THREE, kind=DrawKind.NAGASHI), THREE) == []


def test_two_nagashi() -> None:
    """The payments for nagashi by two players are unknown, so they are not checked."""
    hands = ("2345678m234678p",) * 2 + ("2345678s234678p",) * 2
    report = check_score(match(drawn((-4000, 8000, -2000, -2000), *hands, acts="fill12=70", kind=DrawKind.NAGASHI)))
    assert report.findings == []
    assert report.not_judged[Subject.NAGASHI, "the payments for nagashi by two players are unknown"] == 1
