"""The riichi sticks that tenhou6 needs and a record may lack, and disconnections between the steps of a frame."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from expected import expecting

from jmjp_convert.api import dumps
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.tenhou6.notation import Mark, connections, inserted
from jmjp_convert.formats.tenhou6.reader import read_tenhou6
from jmjp_convert.formats.tenhou6.writer import write_tenhou6
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    Disconnected,
    Event,
    Frame,
    Match,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.play.points import with_sticks

held = expecting("tenhou6")

VALID = Path(__file__).parent.parent / "fixtures" / "valid"
LOGS = ("sticks-and-honba-carried", "riichi-accepted", "exhaustive-4-tenpai", "plain", "double-ron")


def without(match: Match, *numbers: int) -> Match:
    """Return *match* without the riichi sticks of these frames, or of all, nor what says them elsewhere."""
    frames = [
        replace(
            frame, start=replace(frame.start, sticks=None), events=tuple([_unsaid(event) for event in frame.events])
        )
        if number in numbers or not numbers
        else frame
        for number, frame in enumerate(match.frames)
    ]
    return replace(match, frames=tuple(frames))


def _unsaid(event: Event) -> Event:
    return replace(event, sticks=None) if isinstance(event, Win) else event


@pytest.mark.parametrize("name", LOGS)
def test_inferred(name: str) -> None:
    """Sticks that no frame records follow from payments, from the frame before and from the one after."""
    match = read_mjlog(VALID / f"{name}.xml")
    wanted = [frame.start.sticks for frame in match.frames]
    assert [frame.start.sticks for frame in with_sticks(without(match).frames)] == wanted
    for number in range(len(wanted)):
        assert [frame.start.sticks for frame in with_sticks(without(match, number).frames)] == wanted


@pytest.mark.parametrize("name", LOGS)
def test_written(name: str) -> None:
    """A match without sticks is written with those that follow, and reads back."""
    match = without(read_mjlog(VALID / f"{name}.xml"))
    told: list[str] = []
    text = dumps(match, "tenhou6", notice=told.append)
    assert read_tenhou6(text.encode()) == [held(match)]
    assert "tenhou6: unknown number of riichi sticks inferred from payments, or written as 0" in told


def test_recorded() -> None:
    """Recorded sticks are left alone."""
    frames = read_mjlog(VALID / "sticks-and-honba-carried.xml").frames
    assert with_sticks(frames) == list(frames)


STEPS = (DRAWS[0][5], RiichiDeclared(0), DISCARDS[True][0][5], RiichiAccepted(0), DRAWS[1][9], Win(1, None, 9))


@pytest.mark.parametrize(("steps", "place"), [(0, 0), (1, 1), (2, 4), (3, 6), (9, 6)])
def test_presences(steps: int, place: int) -> None:
    """A disconnection comes right after its step and a riichi accepted there; after the last step, it comes last."""
    found = inserted(STEPS, [Mark(steps, Disconnected(2)), Mark(steps, Returned(2))])
    assert found == [*STEPS[:place], Disconnected(2), Returned(2), *STEPS[place:]]


@pytest.mark.parametrize("name", ["disconnections", "disconnection-before-riichi"])
def test_presences_written(name: str) -> None:
    """Disconnections are written with the steps before them, and read back."""
    (match,) = [read_mjlog(VALID / f"{name}.xml")]
    whole = json.loads(write_tenhou6(match))
    read = read_tenhou6(json.dumps(whole).encode())[0]
    assert [*connections(read)] == [*connections(match)]
    assert json.loads(write_tenhou6(read))["connection"] == whole["connection"]


def test_fourteenth_tile() -> None:
    """A fourteenth tile of the deal is written as a draw, and so counts as a step."""
    frame: Frame = read_mjlog(VALID / "plain.xml").frames[0]
    dealt = replace(
        frame,
        start=replace(frame.start, fourteenth=frame.events[0].tile),  # type: ignore[union-attr]
        events=(Disconnected(1), *frame.events[1:]),
    )
    match = replace(read_mjlog(VALID / "plain.xml"), frames=(dealt,), final_points=None, results=None)
    assert json.loads(write_tenhou6(match))["connection"] == [{"what": 0, "log": 0, "who": 1, "step": 1}]
    assert read_tenhou6(write_tenhou6(match).encode()) == [held(match)]
