"""Judging the frames of a match: their starts, plays and recorded ends."""

from __future__ import annotations

from typing import Any

import pytest
from playing import NORMAL, matches

from jmjp_convert.errors import PlayError
from jmjp_convert.model import DRAWS, Chi, End, Event, Frame, Start
from jmjp_convert.model.record import replace
from jmjp_convert.play.judge import Judge
from jmjp_convert.play.melds import misshapen

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
