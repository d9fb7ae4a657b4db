"""The sessions in `fixtures/sessions`: what commands write, and the files they leave; what pages show.

`PYTHONPATH=scripts python tests/test_sessions.py NAME …` writes what the commands give now into session files; check
it by `git diff`.
"""

from __future__ import annotations

import contextlib
import sys
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import page_sessions
import pytest
import sessions
from browsing import browser
from casefiles import FIXTURES
from tables import table

FOLDER = FIXTURES / "sessions"


def case(path: Path, name: str) -> Any:
    """Return the case of a file as parameters."""
    marks = [pytest.mark.long] if name.endswith(" (long)") else []
    return pytest.param(path, name, id=f"{path.stem}-{name}", marks=marks)


COMMANDS, PAGES = (
    [case(path, name) for path in sorted(FOLDER.glob(pattern)) for name in sessions.sessions(path)]
    for pattern in ("*.txt", "pages/*.txt")
)


@pytest.mark.parametrize(("path", "name"), COMMANDS)
@pytest.mark.usefixtures("in_tmp_path")
def test_session(path: Path, name: str) -> None:
    """Every command of a session writes what is expected, and has the exit code."""
    if path.stem == "tables":
        pytest.importorskip("pyarrow", reason="pip install '.[tables]' in the checkout")
    with sessions.surroundings(path.stem) as perform:
        follow(sessions.sessions(path)[name], perform)


@pytest.mark.parametrize(("path", "name"), PAGES)
@pytest.mark.usefixtures("in_tmp_path")
def test_page(path: Path, name: str, running: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A page shows what is expected after each step of a session."""
    with page_sessions.surroundings(running, tmp_path_factory.mktemp("pages")) as perform:
        follow(sessions.sessions(path)[name], perform)


def follow(session: sessions.Session, perform: sessions.Perform) -> None:
    """Compare what the steps of a *session* write with what is expected."""
    for step, actual in sessions.run(session, perform):
        if not sessions.fits(step, actual):
            assert f"$ {step.command}\n{actual}" == f"$ {step.command}\n{step.expected}"
            pytest.fail("`…` stands for something else")


@pytest.mark.parametrize(("text", "why"), table("sessions", "mistakes"))
def test_mistakes(text: str, why: str, tmp_path: Path) -> None:
    """A session file in which a case could be lost is rejected."""
    path = tmp_path / "cases.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=why):
        sessions.sessions(path)


@pytest.mark.parametrize(("expected", "actual", "fit"), table("sessions", "left_out"))
def test_left_out(expected: str, actual: str, *, fit: bool) -> None:
    """What is left out of a line, or lines that are left out, may be anything; all else must be the same."""
    assert sessions.fits(sessions.Step("x", expected), actual) is fit


def renew(path: Path) -> None:
    """Write what the steps in the session file at *path* give now, as far as `…` does not stand for it."""
    text = path.read_text(encoding="utf-8")
    end = 0
    with nullcontext() if path.parent == FOLDER else browser() as running, TemporaryDirectory() as pages:
        for name, session in sessions.sessions(path).items():
            end = text.index(f"case {name}\n", end)
            surroundings = (
                page_sessions.surroundings(running, Path(pages)) if running else sessions.surroundings(path.stem)
            )
            with TemporaryDirectory() as folder, contextlib.chdir(folder), surroundings as perform:
                for step, actual in sessions.run(session, perform):
                    end = text.index(f"\n$ {step.command}\n{step.expected}", end) + len(f"\n$ {step.command}")
                    if not sessions.fits(step, actual):
                        rest = text[end:].removeprefix(f"\n{step.expected}".rstrip("\n"))
                        text = text[:end] + f"\n{actual}".rstrip("\n") + rest
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        renew(FOLDER / f"{argument}.txt")
