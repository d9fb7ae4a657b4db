"""Checking a match from Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jmjp_convert import Discard, Match, Win, check, read
from jmjp_convert.model.record import replace

VALID = Path(__file__).parent.parent / "fixtures" / "valid"
(GAME,) = read(VALID / "plain.xml")


def changed(frame: int, **fields: object) -> Match:
    """Return the game with *fields* of a frame changed."""
    frames = [*GAME.frames]
    frames[frame] = replace(frames[frame], **fields)
    return replace(GAME, frames=tuple(frames))


def test_name() -> None:
    """`check` is the function even if submodules, and the program, have been imported first."""
    program = (
        "import jmjp_convert.checks.match, jmjp_convert.checks.score, jmjp_convert.cli.check, jmjp_convert\n"
        "from jmjp_convert import check\n"
        "print(jmjp_convert.check is check, type(check).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "True function\n"


def test_sound() -> None:
    """A sound game has no problems; what cannot be checked is said."""
    notices: list[str] = []
    assert check(GAME, wall=True, score=True, notice=notices.append) == []
    assert "wall not checked: no seed or wall is recorded" in notices


def test_play() -> None:
    """An impossible event is found with its frame and index, though the match was made in Python."""
    events = [*GAME.frames[1].events]
    number = next(index for index, event in enumerate(events) if isinstance(event, Discard))
    events[number] = Discard(events[number].player, 135)  # type: ignore[union-attr]
    (problem, *_) = check(changed(1, events=tuple(events)))
    assert (problem.frame, problem.name, problem.index) == (1, "E2-0", number)
    assert str(problem) == f"frame E2-0: {problem.reason}"
    assert "does not hold tile 135 (rd)" in problem.reason


def test_whole() -> None:
    """A problem of the match as a whole is found, in no frame, once."""
    (problem,) = check(replace(GAME, results=(1000, 0, 0, 0)), score=True)
    assert (problem.frame, problem.index) == (None, -1)
    assert problem.reason == "the results add up to 1000; 0 expected"


def test_score() -> None:
    """A wrong value of a win is found only if asked for."""
    (win,) = GAME.frames[0].endings
    assert isinstance(win, Win)
    assert win.score is not None
    wrong = replace(win, score=replace(win.score, fu=110))
    match = changed(0, events=(*GAME.frames[0].events[:-1], wrong))
    assert check(match) == []
    problems = check(match, score=True)
    assert {(problem.frame, problem.index) for problem in problems} == {(0, len(match.frames[0].events) - 1)}


@pytest.mark.parametrize("what", ["wall", "score"])
def test_other_problems(what: str) -> None:
    """The wall and the score are not checked if there are other problems, and that is said."""
    notices: list[str] = []
    wrong = replace(GAME, results=(1000, 0, 0, 0))
    assert len(check(wrong, wall=what == "wall", score=what == "score", notice=notices.append)) == 1
    assert notices == [f"{what} not checked: other problems found"]
