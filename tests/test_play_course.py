"""The course of a frame, and the tiles of the wall that it reveals."""

from __future__ import annotations

import pytest
from frames import frames, real_frames

from jmjp_convert.model import (
    Ankan,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    End,
    Event,
    Frame,
    Kakan,
    Kita,
    Meld,
    Pon,
    Start,
    Win,
)
from jmjp_convert.model.tiles import any_copy
from jmjp_convert.play.course import Course, Shown, shown
from jmjp_convert.table import walk


def test_course() -> None:
    """At every event, course and table agree on the tile drawn, who is in riichi and who draws a replacement."""
    for frame, rules in [*frames(), *real_frames()]:
        course = Course(frame.start)
        for (table, event), same in zip(walk(rules, frame), course.along(frame.events), strict=True):
            assert event is same
            assert course.drawn == table.drawn
            assert course.declared == table.declared
            assert tuple(course.riichi[: rules.players]) == table.riichi
            assert course.replacement == table.replacement


STATE = ("declared", "drawn", "replacement", "riichi")


def test_course_without_plain_turns() -> None:
    """A draw from the wall with the discard right after it has no net effect on the course."""
    for frame, _ in frames():
        course, other = Course(frame.start), Course(frame.start)
        events = iter(frame.events)
        for event in events:
            following = next(events, None) if isinstance(event, Draw) and course.replacement is None else None
            for each in (event, *([] if following is None else [following])):
                course.follow(each)
                if not isinstance(following, Discard):
                    other.follow(each)
            assert all(getattr(course, name) == getattr(other, name) for name in STATE)


START = Start(0, 0, 0, 0, None, None, (), 100)
FIVE = any_copy("5m")
KANS: list[Meld] = [
    Ankan(0, (0, 1, 2, 3)),
    Daiminkan(0, 0, (1, 2, 3), 1),
    Kakan(0, 3, Pon(0, 0, (1, 2), 1)),
    Kita(0, 120),
]


def of(*events: Event, start: Start = START) -> Shown:
    """Return the tiles that a frame with *events* shows."""
    return shown(Frame(start, events, End((), None), None))


def test_draws() -> None:
    """Draws are in order, no matter who draws."""
    assert of(Draw(0, 7), Discard(0, 7), Draw(1, 9), Discard(1, 30), Draw(2, 5)) == Shown((7, 9, 5), (), (100,), ())


@pytest.mark.parametrize("kan", KANS, ids=lambda kan: type(kan).__name__)
def test_replacements(kan: Meld) -> None:
    """The draw after a kan or kita is a replacement, whatever happens in between; the next one is an ordinary draw."""
    found = of(
        Draw(0, 7), kan, DoraRevealed(101), Disconnected(2), Draw(0, 8), kan, Draw(0, 9), Discard(0, 9), Draw(1, 5)
    )
    assert found == Shown((7, 5), (8, 9), (100, 101), ())


def test_robbed_kan() -> None:
    """A robbed kan draws nothing."""
    assert of(Draw(0, 7), KANS[2], Win(1, 0, 3)).replacements == ()


def test_fourteenth() -> None:
    """A fourteenth tile dealt to the dealer is the first draw."""
    start = Start(0, 0, 0, 0, None, None, (), fourteenth=7)
    assert of(Discard(0, 7), Draw(1, 8), start=start) == Shown((7, 8), (), (), ())


def test_wins() -> None:
    """Tiles shown by two wins count once; tiles shown by only one of them count too."""
    first, second = Win(1, 0, 5, indicators=(100, 101), ura=(60,)), Win(2, 0, 5, indicators=(100, 101), ura=(60, 61))
    assert of(DoraRevealed(101), first, second) == Shown((), (), (100, 101), (60, 61))
    assert of(second).indicators == (100, 101)


def test_faces() -> None:
    """An indicator known only by face is counted as often as in the list with the most copies of it."""
    start = Start(0, 0, 0, 0, None, None, (), FIVE)
    win = Win(1, 0, 5, indicators=(FIVE, FIVE), ura=(FIVE, FIVE))
    assert of(DoraRevealed(FIVE), win, win, start=start) == Shown((), (), (FIVE, FIVE), (FIVE, FIVE))
