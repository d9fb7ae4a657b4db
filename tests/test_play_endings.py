"""The end of a frame: its record is checked against the play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    Event,
    Frame,
    Hand,
    Kakan,
    Meld,
    Pon,
    Rules,
    Start,
    Win,
)
from jmjp_convert.model.tiles import FACES, UNKNOWN, any_copy
from jmjp_convert.play.endings import check_end
from jmjp_convert.play.replay import replay

ANY = {face: any_copy(face) for face in (*FACES, "uk")}
DEALT = (
    *("1m3m9m1p9p1s9sewswwwnwwdgd", "2m3m4m6m7m8m2p3p4p5s5s6s7s"),
    *("1m1m9m9m1p1p9p9p1s1s9s9sew", "4mswswwwwwnwnwwdwdgdgdrdrd"),
)
EVEN = (25000, 25000, 25000, 25000)
RULES = Rules(red_fives=None)


def faced(text: str) -> tuple[int, ...]:
    """Return the tiles with the faces in *text*."""
    return tuple(ANY[text[place : place + 2]] for place in range(0, len(text), 2))


def start(hands: Sequence[str] = DEALT, points: tuple[int, ...] | None = EVEN, sticks: int | None = 0) -> Start:
    """Return the start of a frame."""
    return Start(0, 0, sticks, 0, None, points, tuple(map(faced, hands)))


def frame(*events: Event, hands: Sequence[str] = DEALT, dora: tuple[int, ...] | None = None) -> Frame:
    """Return a frame whose recorded end matches the play."""
    begins = start(hands)
    return Frame(begins, events, replay(begins, events, RULES).end(), dora)


def wrong(made: Frame, player: int | None = None, hand: Hand | None = None) -> str:
    """Return the problems at the end of *made*, with one *player*'s hand replaced by *hand*."""
    if player is not None and hand is not None:
        hands = [hand if who == player else lying for who, lying in enumerate(made.end.hands)]
        made = replace(made, end=replace(made.end, hands=tuple(hands)))
    return " | ".join(map(str, check_end(replay(made.start, made.events, RULES), made)))


TURN = (Draw(0, ANY["9m"]), Discard(0, ANY["9m"]))
PON = Pon(2, ANY["9m"], faced("9m9m"), 0)
CHI = Chi(1, ANY["9m"], faced("7m8m"), 0)
KAN = Daiminkan(3, ANY["rd"], faced("rdrdrd"), 2)
CALLED = faced("1m1m1p1p9p9p1s1s9s9sew")


@pytest.mark.parametrize("events", [(), TURN, (*TURN, PON), (*TURN, CHI), (*TURN, Win(2, 0, ANY["9m"])), TURN[:1]])
def test_as_played(events: tuple[Event, ...]) -> None:
    """An end that matches the play has no problems."""
    assert wrong(frame(*events)) == ""


HANDS: dict[str, tuple[tuple[Event, ...], int, Hand, str]] = {
    "another tile": (TURN, 0, Hand(faced("2m" + DEALT[0][2:])), "player 0 ends with 2m; 1m expected"),
    "two others": (TURN, 3, Hand(faced("1m1m" + DEALT[3][4:])), "player 3 ends with 1m 1m; 4m sw expected"),
    "one more": (TURN, 1, Hand(faced(f"{DEALT[1]}7s")), "player 1 ends with 7s; no tile expected"),
    "one less": (TURN, 1, Hand(faced(DEALT[1][2:])), "player 1 ends with no tile; 2m expected"),
    "a fourteenth": (TURN, 1, Hand(faced(DEALT[1]), ANY["7s"]), "player 1 ends with 7s; no tile expected"),
    "the drawn tile among the others": (
        TURN[:1],
        0,
        Hand(tuple(sorted(faced(DEALT[0] + "9m")))),
        "player 0 ends with no tile as the fourteenth tile; 9m expected",
    ),
    "another as the fourteenth": (
        TURN[:1],
        0,
        Hand(tuple(sorted(faced(DEALT[0][2:] + "9m"))), ANY["1m"]),
        "player 0 ends with 1m as the fourteenth tile; 9m expected",
    ),
    "no meld": (
        (*TURN, PON),
        2,
        Hand(CALLED),
        "player 2 ends with no meld; a pon of 9m 9m 9m (9m from player 0) expected",
    ),
    "another kind of meld": (
        (*TURN, PON),
        2,
        Hand(CALLED, None, (Daiminkan(2, ANY["9m"], faced("9m9m9m"), 0),)),
        (
            "player 2 ends with a daiminkan of 9m 9m 9m 9m (9m from player 0);"
            " a pon of 9m 9m 9m (9m from player 0) expected"
        ),
    ),
    "a meld from another": (
        (*TURN, PON),
        2,
        Hand(CALLED, None, (replace(PON, source=3),)),
        "player 2 ends with a pon of 9m 9m 9m (9m from player 3); a pon of 9m 9m 9m (9m from player 0) expected",
    ),
    "a meld of others": (
        (*TURN, CHI),
        1,
        Hand(faced("2m3m4m6m2p3p4p5s5s6s7s"), None, (replace(CHI, taken=ANY["7m"], hand=faced("8m9m")),)),
        "player 1 ends with a chi of 7m 8m 9m (7m from player 0); a chi of 7m 8m 9m (9m from player 0) expected",
    ),
}


@pytest.mark.parametrize(("events", "player", "hand", "message"), HANDS.values(), ids=HANDS)
def test_hands(events: tuple[Event, ...], player: int, hand: Hand, message: str) -> None:
    """A hand that differs from the play is reported with the difference."""
    assert wrong(frame(*events), player, hand) == message


def test_kans() -> None:
    """A kan is reported with its tiles and, unless it is closed, its source; a kakan has the source of its pon."""
    made = frame(*TURN, PON)
    kakan, ankan = Kakan(2, ANY["9m"], PON), Ankan(2, faced("9m9m9m9m"))
    words: list[tuple[Meld, str]] = [
        (kakan, "a kakan of 9m 9m 9m 9m (9m from player 0)"),
        (ankan, "an ankan of 9m 9m 9m 9m"),
    ]
    for meld, said in words:
        message = f"player 2 ends with {said}; a pon of 9m 9m 9m (9m from player 0) expected"
        assert wrong(made, 2, Hand(CALLED, None, (meld,))) == message


@pytest.mark.parametrize(
    ("hands", "events", "player", "lying", "message"),
    [
        (DEALT, TURN, 0, "uk" + DEALT[0][2:], ""),
        (DEALT, TURN, 0, "uk" * 13, ""),
        (("uk" * 13, *DEALT[1:]), TURN, 0, DEALT[0], ""),
        (("uk" + DEALT[0][2:], *DEALT[1:]), TURN, 0, "2m2m" + DEALT[0][4:], "player 0 ends with 2m 2m; 3m expected"),
        (("uk" + DEALT[0][2:], *DEALT[1:]), TURN, 0, "2m" + DEALT[0][2:], ""),
        (DEALT, (TURN[0], Discard(0, UNKNOWN)), 0, DEALT[0], ""),
        (DEALT, (TURN[0], Discard(0, UNKNOWN)), 0, "3m9m" + DEALT[0][4:], ""),
        (DEALT, (TURN[0], Discard(0, UNKNOWN)), 0, "2m" + DEALT[0][2:], "player 0 ends with 2m; 1m 9m expected"),
    ],
)
def test_unknown_tiles(hands: Sequence[str], events: tuple[Event, ...], player: int, lying: str, message: str) -> None:
    """An unknown tile matches any tile, on either side, and so does one that left the hand unseen."""
    assert wrong(frame(*events, hands=hands), player, Hand(tuple(sorted(faced(lying))))) == message


def test_points() -> None:
    """The total of points and riichi sticks, if known, is unchanged at the end."""
    win = Win(2, 0, ANY["9m"])
    made = frame(*TURN, win)
    assert made.end.points is None
    for points, message in (
        ((23000, 25000, 27000, 25000), ""),
        ((23000, 25000, 27000, 25100), "points and riichi sticks add up to 100100; 100000 expected"),
        (None, ""),
    ):
        assert wrong(replace(made, end=replace(made.end, points=points))) == message
    sticks = replace(
        made, start=replace(made.start, sticks=2), end=replace(made.end, points=(23000, 25000, 29000, 25000))
    )
    assert wrong(sticks) == ""


@pytest.mark.parametrize(
    ("changes", "points", "message"),
    [
        ((-2000, 0, 2000, 0), (23000, 25000, 27000, 25000), ""),
        (
            (-2000, 0, 2000, 0),
            (23000, 25000, 26000, 26000),
            "the points are 23000,25000,26000,26000; 23000,25000,27000,25000 expected from the payments",
        ),
        (
            (-2000, 0, 2000, 0),
            None,
            "no points at the end; 23000,25000,27000,25000 expected from the payments",
        ),
        (None, (23000, 25000, 26000, 26000), ""),
    ],
)
def test_payments(changes: tuple[int, ...] | None, points: tuple[int, ...] | None, message: str) -> None:
    """Points at the end are those at the start plus the payments, if known."""
    made = frame(*TURN, Win(2, 0, ANY["9m"], changes=changes))
    assert wrong(replace(made, end=replace(made.end, points=points))) == message


def test_points_too_early() -> None:
    """A frame that has not ended has no points at the end."""
    made = frame(*TURN)
    message = "points at the end of a frame that has not ended"
    assert wrong(replace(made, end=replace(made.end, points=EVEN))) == message


@pytest.mark.parametrize(
    ("dora", "message"),
    [
        (faced("2p" + "uk" * 9), ""),
        (faced("wdgd" + "uk" * 8), ""),
        (faced("uk" * 10), ""),
        (faced("wd" * 2 + "uk" * 8), ""),
        (faced("wd" * 3 + "uk" * 7), "the dora wd has no indicator: every rd is in play"),
        (faced("1s2s" + "uk" * 8), ""),
        (None, ""),
    ],
)
def test_dora(dora: tuple[int, ...] | None, message: str) -> None:
    """Each dora has a possible indicator left."""
    assert wrong(frame(*TURN, dora=dora)) == message


PHYSICAL = tuple(tuple(range(first, 4 * 13 + first, 4)) for first in range(4))  # 1m to 9m and 1p to 4p each


@pytest.mark.parametrize(
    ("players", "dora", "message"),
    [
        (4, "6s5s" + "uk" * 8, ""),
        (4, "uk5s" + "uk" * 8, ""),
        (4, "6suk6s" + "uk" * 7, ""),
        (4, "7suk" + "uk" * 8, "the dora is 7s; 6s expected from the indicator 0s"),
        (4, "6s6s" + "uk" * 8, "the dora is 6s; 5s expected from the indicator 4s"),
        (4, "6s5sgd" + "uk" * 7, ""),
        (4, "6s5s" + "gd" * 5 + "uk" * 3, "the dora gd has no indicator: every wd is in play"),
        (4, "6s5s2m" + "uk" * 7, "the dora 2m has no indicator: every 1m is in play"),
        (3, "6s5s2p" + "uk" * 7, ""),
        (3, "6s5p2p" + "uk" * 7, "the dora is 5p; 5s expected from the indicator 4s"),
    ],
)
def test_indicators(players: int, dora: str, message: str) -> None:
    """The dora match the indicators turned; with four players, each of the rest has a possible indicator left."""
    hands = PHYSICAL if players == 4 else tuple(tuple(range(first, 3 * 13 + first, 3)) for first in (36, 37, 38))
    begins = Start(0, 0, 0, 0, None, None, hands, 88)
    win = Win(0, None, 130, ura=(84,))
    rules = Rules(players=players)
    played = replay(begins, (Draw(0, 130), win), rules)
    made = Frame(begins, (Draw(0, 130), win), played.end(), faced(dora))
    assert " | ".join(map(str, check_end(played, made))) == message
