"""Disconnections and returns, in both directions.

Each is recorded with its frame and the number of steps before it: draws, discards and melds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from jmjp_convert.formats.tenhou6.values import WrongValue, count, expected, listed
from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    Draw,
    Event,
    Frame,
    Kakan,
    Kita,
    Match,
    Pon,
    Presence,
    Returned,
    RiichiAccepted,
    Ryuukyoku,
    Win,
)

_STEPS = frozenset((Draw, Discard, Chi, Pon, Daiminkan, Kakan, Ankan, Kita))
_LATE = frozenset((RiichiAccepted, Win, Ryuukyoku))
_WHAT: dict[type[Presence], int] = {Disconnected: 0, Returned: 1}
_KINDS = {what: kind for kind, what in _WHAT.items()}
_BEFORE = -1


class Mark(NamedTuple):
    """A disconnection or return after a number of *steps* of its frame."""

    steps: int
    event: Presence


def connections(match: Match) -> Iterator[dict[str, int]]:
    """Yield the disconnections (0) and returns (1) of *match*, each with its frame, -1 before the first, and steps."""
    for number, found in enumerate((marks(match.before), *map(marks_in, match.frames)), _BEFORE):
        for steps, event in found:
            yield {"what": _WHAT[type(event)], "log": number, "who": event.player, "step": steps}


def marks_in(frame: Frame) -> list[Mark]:
    """Return the disconnections and returns in *frame*; its fourteenth tile, if any, is written as a draw."""
    return marks(frame.events, int(frame.start.fourteenth is not None))


def marks(events: Sequence[Event], steps: int = 0) -> list[Mark]:
    """Return the disconnections and returns among *events*, before which there were a number of *steps*."""
    if _WHAT.keys().isdisjoint(map(type, events)):
        return []
    found = []
    for event in events:
        if type(event) in _STEPS:
            steps += 1
        elif isinstance(event, Presence):
            found.append(Mark(steps, _KINDS[_WHAT[type(event)]](event.player)))
    return found


def inserted(events: Sequence[Event], found: Iterable[Mark]) -> Sequence[Event]:
    """Return *events*, which have none, with the disconnections and returns *found*.

    Each comes right after its last step, or after the riichi accepted there; after the last step of all, at the end.
    """
    waiting = sorted(found, key=lambda mark: mark.steps)
    if not waiting:
        return events
    steps = 0
    shown: list[Event] = []
    for event in events:
        if type(event) not in _LATE:
            while waiting and waiting[0].steps <= steps:
                shown.append(waiting.pop(0).event)
            steps += type(event) in _STEPS
        shown.append(event)
    return [*shown, *(mark.event for mark in waiting)]


def by_frame(value: Any, frames: int, players: int, pointer: str) -> dict[int, list[Mark]]:
    """Return the disconnections and returns in *value* by the number of their frame, -1 before the first.

    :param frames: the number of frames.
    :raises WrongValue: it is malformed.
    """
    found: dict[int, list[Mark]] = {}
    for place, one in enumerate(listed(value, pointer)):
        where = f"{pointer}/{place}"
        if type(one) is not dict:
            raise expected("an object", one, where)
        what = count(one.get("what"), f"{where}/what", max(_KINDS))
        log = one.get("log")
        number = _BEFORE if log == _BEFORE else count(log, f"{where}/log")
        if number >= frames:
            raise WrongValue(f"there is no frame {number}; the log has {frames}", f"{where}/log")
        player = count(one.get("who"), f"{where}/who", players - 1)
        found.setdefault(number, []).append(Mark(count(one.get("step"), f"{where}/step"), _KINDS[what](player)))
    return found
