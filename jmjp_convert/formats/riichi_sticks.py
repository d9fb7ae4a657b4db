"""Infer the riichi sticks on the table where a frame does not record them."""

from __future__ import annotations

from collections.abc import Sequence

from jmjp_convert.model import Frame, RiichiAccepted, Win
from jmjp_convert.model.record import replace
from jmjp_convert.play.continuity import can_follow
from jmjp_convert.play.points import STICK, frame_changes


def with_sticks(frames: Sequence[Frame]) -> list[Frame]:
    """Return *frames*, each with the number of riichi sticks at its start.

    Where it is not recorded, it follows from the payments of a win, from the next frame or from the one before. If
    nothing shows it, it is 0.
    """
    found = [frame.start.sticks for frame in frames]
    if None not in found:
        return [*frames]
    for number in reversed(range(len(frames))):
        if found[number] is None:
            found[number] = _from_end(frames, number, found)
    for number in range(len(frames)):
        if found[number] is None:
            found[number] = _from_before(frames, number, found)
    return [
        replace(frame, start=replace(frame.start, sticks=sticks)) for frame, sticks in zip(frames, found, strict=True)
    ]


def _paid(frame: Frame) -> int:
    return list(map(type, frame.events)).count(RiichiAccepted)


def _is_won(frame: Frame) -> bool:
    return any(isinstance(event, Win) for event in frame.endings)


def _from_end(frames: Sequence[Frame], number: int, found: Sequence[int | None]) -> int | None:
    """Return the sticks that the end of a frame, or the next one, shows."""
    frame = frames[number]
    changes = frame_changes(frame) if _is_won(frame) else None
    if changes is not None:
        return max(0, sum(changes) // STICK - _paid(frame))
    after = found[number + 1] if number + 1 < len(frames) else None
    if after is None or _is_won(frame) or not can_follow(frame, frames[number + 1].start):
        return None
    return max(0, after - _paid(frame))


def _from_before(frames: Sequence[Frame], number: int, found: Sequence[int | None]) -> int:
    """Return the sticks that the frame before leaves."""
    if not number or not can_follow(frames[number - 1], frames[number].start) or _is_won(frames[number - 1]):
        return 0
    return (found[number - 1] or 0) + _paid(frames[number - 1])
