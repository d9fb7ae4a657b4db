"""What every reader does with its notices, problems and matches."""

from __future__ import annotations

import io

import pytest

from jmjp_convert.errors import FileError, MatchError, MjaiError, RecordError
from jmjp_convert.formats import bounds
from jmjp_convert.formats.session import MOST_NOTICES, Locate, Session, content_of
from jmjp_convert.model import Match, Player, Rules

MATCH = Match(Rules(), (Player(),) * 4, ())


def error(reason: str) -> MjaiError:
    """Return an error on line 7."""
    return MjaiError(reason, line=7)


def locate_nowhere(problem: MatchError) -> RecordError:
    """Return *problem* without a place."""
    return RecordError(problem.reason)


def test_notices() -> None:
    """A notice is passed on once, and after a hundred different ones a last one says that there are more."""
    notices: list[str] = []
    session = Session(error, notices.append)
    for number in (1, 2, 1, *range(200)):
        session.notice(f"notice {number}")
    assert notices[:3] == ["notice 1", "notice 2", "notice 0"]
    assert len(notices) == MOST_NOTICES + 1
    assert notices[-1] == "further notices left out"


def test_no_notices() -> None:
    """Without a callback, notices are dropped."""
    Session(error).notice("dropped")


def test_problems() -> None:
    """A problem is raised, or passed on if problems are collected."""
    with pytest.raises(MjaiError, match=r"^line 7: odd$"):
        Session(error).find(error("odd"))
    problems: list[MjaiError] = []
    session = Session(error, finding=problems.append)
    session.find(error("odd"))
    assert (session.collects, [str(each) for each in problems]) == (True, ["line 7: odd"])


def test_matches() -> None:
    """Every match is returned, with a function that returns a problem of it with its place."""
    locate: list[Locate] = []
    session = Session(error, locate=locate)
    session.begin_match()
    session.add(MATCH, locate_nowhere)
    assert (session.end(), locate) == ([MATCH], [locate_nowhere])
    with pytest.raises(MjaiError, match=r"^line 7: no match found$"):
        Session(error).end()


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """More matches or frames than any file has are refused where they begin."""
    for name, bound in (("MATCHES", 2), ("FRAMES", 3), ("MATCH_FRAMES", 2)):
        monkeypatch.setattr(bounds, name, bound)
    session = Session(error)
    session.begin_match()
    session.begin_frame()
    session.begin_frame()
    with pytest.raises(MjaiError, match=r"^line 7: more than 2 frames in a match$"):
        session.begin_frame()
    session.begin_match()
    with pytest.raises(MjaiError, match=r"^line 7: more than 3 frames$"):
        session.begin_frame()
    session.matches += [MATCH] * 2
    with pytest.raises(MjaiError, match=r"^line 7: more than 2 matches$"):
        session.begin_match()


def test_content() -> None:
    """The content of a file is read up to the maximum size."""
    assert content_of(io.BytesIO(b"abc"), 3) == b"abc"
    with pytest.raises(FileError):
        content_of(io.BytesIO(b"abcd"), 3)
