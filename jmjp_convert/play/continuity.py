"""Checks that a frame takes up what the one before it left: points, sticks, the next frame's name."""

from __future__ import annotations

from jmjp_convert.errors import StartError
from jmjp_convert.model import Frame, Start, Win
from jmjp_convert.play.expectations import listed


def check_follows(points: tuple[int, ...] | None, sticks: int | None, start: Start) -> None:
    """Check that *start* takes up the *points* and riichi *sticks* that the frame before it left, as far as known.

    :raises StartError: it does not.
    """
    if None not in (points, start.points) and start.points != points:
        raise StartError(f"the points are {listed(start.points)}; {listed(points)} expected from the previous frame")
    if None not in (sticks, start.sticks) and start.sticks != sticks:
        raise StartError(
            f"the riichi stick count is {start.sticks}; {sticks} expected from the previous frame", sticks=True
        )


def can_follow(frame: Frame, start: Start) -> bool:
    """Return whether the frame that begins by *start* can come right after *frame*.

    A dealer who wins goes on, with one honba more; if others win alone, the next dealer begins without honba. After a
    draw, either may deal, with one honba more.
    """
    rounds = _count(start) - _count(frame.start)
    honba = start.honba - frame.start.honba
    wins = [event for event in frame.endings if isinstance(event, Win)]
    if not wins:
        return rounds in (0, 1) and honba == 1
    if any(win.player == frame.start.dealer for win in wins):
        return (rounds, honba) == (0, 1)
    return rounds == 1 and start.honba == 0


def _count(start: Start) -> int:
    """Return which round it is; with three players there are three to a wind."""
    wind, number = divmod(start.round, 4)
    return (len(start.points or ()) or 4) * wind + number
