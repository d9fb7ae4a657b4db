"""The course of a frame, and the tiles of the wall that it reveals."""

from __future__ import annotations

from frames import frames, real_frames

from jmjp_convert.model import Discard, Draw
from jmjp_convert.play.course import Course
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
