"""Honba that a program paid to every winner are counted for the first alone."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

import pytest
from playing import COVERING, matches

from jmjp_convert.errors import Tenhou6Error
from jmjp_convert.formats.tenhou6.reader import read_tenhou6
from jmjp_convert.formats.tenhou6.writer import write_tenhou6
from jmjp_convert.model import Frame, Match, Win


def is_sought(frame: Frame) -> bool:
    """Return whether a frame has honba and two winners."""
    return frame.start.honba > 0 and [type(event) for event in frame.endings] == [Win, Win]


def game() -> tuple[Match, int]:
    """Return a match and the place of a frame with honba and two winners, not the last."""
    for match in matches(COVERING):
        for place, frame in enumerate(match.frames[:-1]):
            if is_sought(frame):
                return match, place
    raise AssertionError("no such game")


MATCH, PLACE = game()
FRAME = MATCH.frames[PLACE]


def paid_twice(extra: int = 300) -> dict[str, Any]:
    """Return the game with *extra* points per honba paid to the second winner as well."""
    written: dict[str, Any] = json.loads(write_tenhou6(MATCH))
    changes, (winner, source, *_) = written["log"][PLACE][-1][3:5]
    changes[winner] += extra * FRAME.start.honba
    changes[source] -= extra * FRAME.start.honba
    return written


def read(value: dict[str, Any]) -> tuple[Match, list[str]]:
    """Return the match in *value*, and the notices about it."""
    said: list[str] = []
    (match,) = read_tenhou6(json.dumps(value).encode(), notice=said.append)
    return match, said


def test_paid_to_every_winner() -> None:
    """The next frame's points show that the honba were paid once, and one line says so."""
    right, nothing = read(json.loads(write_tenhou6(MATCH)))
    corrected, said = read(paid_twice())
    assert (corrected, nothing) == (right, [])
    assert said == [f"frame {FRAME.start.name}: honba paid to every winner; counted for the first alone"]


def test_last_frame() -> None:
    """After the last frame, the final points show it."""
    written = paid_twice()
    written["log"] = written["log"][: PLACE + 1]
    written["sc"] = list(chain.from_iterable((points, 0) for points in FRAME.end.points or ()))
    match, said = read(written)
    assert match.frames[-1].end.points == FRAME.end.points
    assert len(said) == 1


@pytest.mark.parametrize("extra", [100, 600])
def test_other_payments(extra: int) -> None:
    """Payments that the honba do not explain are refused."""
    with pytest.raises(Tenhou6Error, match="expected from the previous frame"):
        read(paid_twice(extra))


def test_nothing_follows() -> None:
    """Without points afterwards, payments are kept as they are."""
    written = paid_twice()
    written["log"] = written["log"][: PLACE + 1]
    del written["sc"]
    match, said = read(written)
    assert said == []
    assert match.frames[-1].end.points != FRAME.end.points
