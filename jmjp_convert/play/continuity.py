"""From one frame to the next: what a frame leaves, the next takes up."""

from __future__ import annotations

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Frame, Start, Win
from jmjp_convert.play.expectations import listed


def check_follows(points: tuple[int, ...] | None, sticks: int | None, start: Start) -> None:
    """Check that *start* takes up the *points* and riichi *sticks* that the frame before it left, as far as known.

    :raises PlayError: it does not.
    """
    if None not in (points, start.points) and start.points != points:
        raise PlayError(f"the points are {listed(points)}, not {listed(start.points)}")
    if None not in (sticks, start.sticks) and start.sticks != sticks:
        raise PlayError(f"{sticks} riichi sticks are on the table, not {start.sticks}")


def can_follow(frame: Frame, other: Frame) -> bool:
    """Return whether *other* can come right after *frame*: the dealer goes on by a win, and the next begins without
    honba by another's; after a draw, either, with one honba more. A record may leave frames out."""
    rounds = _count(other) - _count(frame)
    honba = other.start.honba - frame.start.honba
    wins = [event for event in frame.endings if isinstance(event, Win)]
    if not wins:
        return rounds in (0, 1) and honba == 1
    if any(win.player == frame.start.dealer for win in wins):
        return (rounds, honba) == (0, 1)
    return rounds == 1 and other.start.honba == 0


def _count(frame: Frame) -> int:
    """Return which round it is; with three players there are three to a wind."""
    wind, number = divmod(frame.start.round, 4)
    return (len(frame.start.points or ()) or 4) * wind + number
