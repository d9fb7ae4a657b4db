"""Checks that a frame continues from the previous one: points, sticks and the frame's name."""

from __future__ import annotations

from jmjp_convert.errors import StartError
from jmjp_convert.messages import Message, Points, Sticks
from jmjp_convert.model import Frame, Start, Win


def discontinuity(points: tuple[int, ...] | None, sticks: int | None, start: Start) -> StartError | None:
    """Return the error if *start* does not have the *points* and riichi *sticks* left by the previous frame, where both
    are known."""
    if points is not None and start.points is not None and start.points != points:
        said = "the points are {found}; {expected} expected from the previous frame"
        return StartError(Message(said, found=Points(start.points), expected=Points(points)))
    if sticks is not None and start.sticks is not None and start.sticks != sticks:
        said = "the riichi sticks are {found}; {expected} expected from the previous frame"
        return StartError(Message(said, found=Sticks(start.sticks), expected=Sticks(sticks)), sticks=True)
    return None


def can_follow(frame: Frame, start: Start) -> bool:
    """Return whether *start* can come right after *frame*.

    A dealer who wins stays, with one more honba; if only others win, the deal passes and honba is reset. After a draw
    the deal may stay or pass, with one more honba.
    """
    before = frame.start
    rounds = _count(start) - _count(before)
    one_more = start.honba - before.honba == 1
    winners = [event.player for event in frame.endings if isinstance(event, Win)]
    if not winners:
        return rounds in (0, 1) and one_more
    if before.dealer in winners:
        return rounds == 0 and one_more
    return rounds == 1 and start.honba == 0


def _count(start: Start) -> int:
    """Return the number of the round; with three players there are three per wind."""
    wind, number = divmod(start.round, 4)
    return (len(start.points or ()) or 4) * wind + number
