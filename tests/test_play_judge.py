"""Judging the frames of a match: their starts, plays and recorded ends."""

from __future__ import annotations

import re
from collections.abc import Callable
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
from jmjp_convert.model import DRAWS, Chi, Discard, Draw, End, Event, Frame, Match, Returned, Start
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import PHYSICAL, kind
from jmjp_convert.play.judge import Judge
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
