"""Judging the frames of a match: their starts, plays and recorded ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from lxml import etree
from playing import NORMAL, SANMA, WILD, games, matches
from playing import match as read

from jmjp_convert.errors import PlayError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import (
    DRAWS,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    End,
    Event,
    Frame,
    Hand,
    Kakan,
    Match,
    Meld,
    Pon,
    Returned,
    Rules,
    Start,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import FACES, PHYSICAL, UNKNOWN, any_copy, kind
from jmjp_convert.play.judge import Judge, check_end
from jmjp_convert.play.melds import misshapen
from jmjp_convert.play.table import replay

FOUR = 4

# --- a frame and the next one ----------------------------------------------------------------------------------------

MATCH = next(match for match in matches(NORMAL) if len(match.frames) > FOUR)
FIRST, SECOND = MATCH.frames[:2]

each_record = pytest.mark.parametrize("every_frame", [False, True])


def judged(*frames: Frame, every_frame: bool = False) -> list[list[str]]:
    """Return the problems of each of *frames*."""
    judge = Judge(MATCH.rules, every_frame=every_frame)
    return [list(map(str, judge.frame(frame))) for frame in frames]


def unplayed(start: Start, **changes: Any) -> Frame:
    """Return a frame with *start*, *changes* and no recorded play."""
    return Frame(replace(start, hands=(), **changes), (), End((), None), None)


def fault(index: int) -> PlayError:
    """Return an error that a reader may report for the event at *index*."""
    return PlayError("this cannot be", index)


@each_record
def test_valid(*, every_frame: bool) -> None:
    """The frames of a valid match have no problems."""
    assert judged(*MATCH.frames, every_frame=every_frame) == [[]] * len(MATCH.frames)


@each_record
def test_follows(*, every_frame: bool) -> None:
    """A frame starts with the points and riichi sticks left by the previous frame."""
    wrong = unplayed(SECOND.start, sticks=7)
    assert judged(FIRST, wrong, every_frame=every_frame) == [
        [],
        ["the riichi sticks are 7; 0 expected from the previous frame"],
    ]


def test_frames_left_out() -> None:
    """If frames may be missing, a frame that cannot follow the previous one is not compared with it."""
    wrong = unplayed(replace(SECOND.start, round=11, points=FIRST.end.points), sticks=7)
    assert judged(FIRST, wrong) == [[], []]
    assert judged(FIRST, wrong, every_frame=True) == [
        [],
        ["the riichi sticks are 7; 0 expected from the previous frame"],
    ]


def test_after_a_broken_frame() -> None:
    """A frame after an impossible or unrecorded one is not compared with it."""
    broken = replace(FIRST, events=FIRST.events[1:])
    wrong = unplayed(SECOND.start, sticks=7)
    (said,), *others = judged(broken, wrong, wrong, every_frame=True)
    assert "without having drawn" in said
    assert others == [[], []]


def test_passed_over() -> None:
    """A frame after a skipped one is not compared with the frame before that."""
    judge = Judge(MATCH.rules, every_frame=True)
    assert list(judge.frame(FIRST)) == []
    assert judge.before == FIRST
    judge.pass_over()
    assert judge.before is None
    judge.begin(replace(SECOND.start, sticks=7))


@pytest.mark.parametrize("index", [2, -1, -3])
def test_fault(index: int) -> None:
    """The reader's error is reported for the frame, and the frame's end is not checked."""
    judge = Judge(MATCH.rules, every_frame=False)
    frame = replace(FIRST, end=replace(FIRST.end, points=(0, 0, 0, 0)))
    found = fault(index)
    assert list(judge.frame(frame, found)) == [found]
    assert judge.before is None


def test_fault_after_another() -> None:
    """Of the reader's error and an error in the play, the earlier one is reported."""
    broken = replace(FIRST, events=FIRST.events[1:])
    judge = Judge(MATCH.rules, every_frame=False)
    assert [error.index for error in judge.frame(broken, fault(3))] == [0]
    assert [error.index for error in judge.frame(broken, fault(0))] == [0]
    assert list(map(str, judge.frame(broken, fault(0)))) == ["this cannot be"]


def test_other_players_meld() -> None:
    """A hand with another player's meld is a problem, whether or not the play is recorded."""
    meld = Chi(1, 0, (4, 8), 0)
    none, of_another = replace(FIRST.end.hands[0], melds=()), replace(FIRST.end.hands[0], melds=(meld, meld))
    hands = (none, of_another, of_another, none)
    frame = Frame(replace(FIRST.start, hands=()), (), End(hands, None), None)
    assert judged(frame) == [["player 2 ends with a meld of player 1"]]


@pytest.mark.parametrize(
    ("event", "message"),
    [(Chi(1, 0, (4, 8), 0), None), (Chi(1, 0, (4, 12), 0), "invalid chi: 1m 2m 4m"), (DRAWS[0][0], None)],
)
def test_misshapen(event: Event, message: str | None) -> None:
    """A meld whose tiles do not form it is an error of its event."""
    found = misshapen(event, 17)
    assert message == (None if found is None else found.reason)
    assert found is None or found.index == 17


# --- the same for every format ---------------------------------------------------------------------------------------


class Broken(NamedTuple):
    """A match with one impossible frame, and the log with the same problem."""

    match: Match
    log: str


def broken(match: Match, log: str, frame: Frame, change: Callable[[Any], None]) -> Broken:
    """Return *match* with *frame* in the place of that of its name, and its *log* with *change* made to that frame.

    :param change: changes the elements of the frame, the first of which starts it.
    """
    index = [known.start.name for known in match.frames].index(frame.start.name)
    root = etree.fromstring(log)
    inits = [place for place, element in enumerate(root) if element.tag == "INIT"]
    change(root[inits[index] : [*inits, len(root)][index + 1]])
    frames = (*match.frames[:index], frame, *match.frames[index + 1 :])
    return Broken(replace(match, frames=frames), etree.tostring(root, encoding="unicode"))


def more_sticks(match: Match, log: str, frame: Frame) -> Broken:
    """Start *frame* with one more riichi stick than the previous frame left."""
    assert frame.start.sticks is not None

    def change(elements: Any) -> None:
        round_, honba, sticks, rest = elements[0].get("seed").split(",", 3)
        elements[0].set("seed", f"{round_},{honba},{int(sticks) + 1},{rest}")

    return broken(match, log, replace(frame, start=replace(frame.start, sticks=frame.start.sticks + 1)), change)


def more_points(match: Match, log: str, frame: Frame) -> Broken:
    """Start *frame* with more points for one player than the previous frame left."""
    assert frame.start.points is not None
    first, *others = frame.start.points

    def change(elements: Any) -> None:
        elements[0].set("ten", f"{first // 100 + 10},{elements[0].get('ten').partition(',')[2]}")

    return broken(match, log, replace(frame, start=replace(frame.start, points=(first + 1000, *others))), change)


def other_event(match: Match, log: str, frame: Frame, place: int, event: Draw | Discard) -> Broken:
    """Replace a draw or discard of *frame* with *event*."""
    letters = "TUVW" if isinstance(event, Draw) else "DEFG"

    def change(elements: Any) -> None:
        elements[place + 1].tag = f"{letters[event.player]}{event.tile}"

    events = (*frame.events[:place], event, *frame.events[place + 1 :])
    return broken(match, log, replace(frame, events=events), change)


def middle(frame: Frame, sort: type[Draw | Discard]) -> tuple[int, Any]:
    """Return the index of an event of *sort* in the middle of *frame*, followed by a draw or a discard, and the
    event."""
    pairs = enumerate(pairwise(frame.events))
    places = [at for at, (event, then) in pairs if isinstance(event, sort) and isinstance(then, Draw | Discard)]
    place = places[len(places) // 2]
    return place, frame.events[place]


def discard_of_no_tile(match: Match, log: str, frame: Frame) -> Broken:
    """Let a player discard a tile of a kind that they do not hold."""
    place, discard = middle(frame, Discard)
    hand = replay(frame.start, frame.events[:place], match.rules).end().hands[discard.player]
    held = set(map(kind, (*hand.tiles, discard.tile if hand.drawn is None else hand.drawn)))
    tile = next(tile for tile in range(PHYSICAL) if kind(tile) not in held)
    return other_event(match, log, frame, place, replace(discard, tile=tile, tsumogiri=False))


def draw_of_held_tile(match: Match, log: str, frame: Frame) -> Broken:
    """Let a player draw a tile that was dealt to another."""
    place, draw = middle(frame, Draw)
    return other_event(match, log, frame, place, DRAWS[draw.player][frame.start.hands[draw.player - 1][0]])


def draw_out_of_turn(match: Match, log: str, frame: Frame) -> Broken:
    """Let a player draw out of turn."""
    place, draw = middle(frame, Draw)
    return other_event(match, log, frame, place, DRAWS[(draw.player + 1) % match.rules.players][draw.tile])


UNITS: dict[Callable[..., object], int] = {read_mjlog: 100, read_jmjp: 1000, read_json: 1}
"""The points in one of the units of a format, by its reader."""


def findings(read: Callable[..., object], text: str) -> list[tuple[str, str]]:
    """Return the problems that *read* reports in *text*: frame and message, without the copies of tiles, which not
    every format records, with sticks as counts and lists of points in points, ascending."""

    def in_points(listed: re.Match[str]) -> str:
        return ",".join(map(str, sorted(round(float(value) * UNITS[read]) for value in listed[0].split(","))))

    found: list[Any] = []
    read(text.encode(), finding=found.append)
    reasons = [re.sub(r"\d+ \((\w\w)\)", r"\1", error.reason) for error in found]
    reasons = [reason.replace(".0", "") if "sticks" in reason else reason for reason in reasons]
    return [
        (error.frame, re.sub(r"-?[\d.]+(,-?[\d.]+){2,}", in_points, reason))
        for error, reason in zip(found, reasons, strict=True)
    ]


def valid(line: str, players: tuple[int, ...] = (3, 4)) -> list[tuple[Match, str, Frame]]:
    """Return match, log and a frame to break for each game with this many *players* and no returns, so that each
    element is one event."""
    found = []
    for game in games(line):
        match = read(game.id, game.log)
        even = [frame for frame in match.frames if not any(isinstance(event, Returned) for event in frame.events)]
        if even[1:] and match.rules.players in players:
            found.append((match, game.log, even[1]))
    assert found
    return found


@pytest.mark.parametrize("line", [NORMAL, WILD, SANMA])
@pytest.mark.parametrize("break_", [more_sticks, more_points, discard_of_no_tile, draw_of_held_tile, draw_out_of_turn])
def test_one_judge(break_: Callable[[Match, str, Frame], Broken], line: str) -> None:
    """A log and JSON give the same problems for a broken frame."""
    for match, log, frame in valid(line):
        made = break_(match, log, frame)
        found = findings(read_mjlog, made.log)
        assert found[0][0] == frame.start.name
        assert findings(read_json, write_json(made.match)) == found


@pytest.mark.parametrize("line", [NORMAL, WILD])
@pytest.mark.parametrize("break_", [more_sticks, more_points, discard_of_no_tile])
def test_one_judge_of_jmjp(break_: Callable[[Match, str, Frame], Broken], line: str) -> None:
    """A log and jmjp give the same first problem for a frame broken in something that jmjp represents."""
    for match, log, frame in valid(line, (FOUR,)):
        made = break_(match, log, frame)
        assert findings(read_jmjp, write_jmjp(made.match))[0] == findings(read_mjlog, made.log)[0]


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
    """Return a frame with a recorded end that matches the play."""
    begins = start(hands)
    return Frame(begins, events, replay(begins, events, RULES).end(), dora)


def wrong(made: Frame, player: int | None = None, hand: Hand | None = None) -> str:
    """Return the problems at the end of *made*, with one *player*'s hand replaced by *hand*."""
    if player is not None and hand is not None:
        hands = [hand if who == player else shown for who, shown in enumerate(made.end.hands)]
        made = replace(made, end=replace(made.end, hands=tuple(hands)))
    return " | ".join(map(str, check_end(replay(made.start, made.events, RULES), made)))


TURN = (Draw(0, ANY["9m"]), Discard(0, ANY["9m"]))
PON = Pon(2, ANY["9m"], faced("9m9m"), 0)
CHI = Chi(1, ANY["9m"], faced("7m8m"), 0)
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
    ("hands", "events", "player", "shown", "message"),
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
def test_unknown_tiles(hands: Sequence[str], events: tuple[Event, ...], player: int, shown: str, message: str) -> None:
    """An unknown tile matches any tile, on either side, and so does one that left the hand unseen."""
    assert wrong(frame(*events, hands=hands), player, Hand(tuple(sorted(faced(shown))))) == message


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


EXACT_HANDS = tuple(tuple(range(first, 4 * 13 + first, 4)) for first in range(4))  # 1m to 9m and 1p to 4p each


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
    hands = EXACT_HANDS if players == 4 else tuple(tuple(range(first, 3 * 13 + first, 3)) for first in (36, 37, 38))
    begins = Start(0, 0, 0, 0, None, None, hands, 88)
    win = Win(0, None, 130, ura=(84,))
    rules = Rules(players=players)
    played = replay(begins, (Draw(0, 130), win), rules)
    made = Frame(begins, (Draw(0, 130), win), played.end(), faced(dora))
    assert " | ".join(map(str, check_end(played, made))) == message
