"""The sessions in `fixtures/sessions`: what commands write, and the files they leave.

`PYTHONPATH=scripts python tests/test_sessions.py NAME …` writes what the commands give now into session files; check
it by `git diff`.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path

import pytest
import sessions
from casefiles import FIXTURES
from tables import table

FOLDER = FIXTURES / "sessions"
CASES = [(path.stem, name) for path in sorted(FOLDER.glob("*.txt")) for name in sessions.sessions(path)]


@pytest.mark.parametrize(("file", "name"), CASES)
def test_session(file: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of a session writes what is expected, and has the exit code."""
    if file == "tables":
        pytest.importorskip("pyarrow", reason="pip install '.[tables]' in the checkout")
    monkeypatch.chdir(tmp_path)
    with sessions.surroundings(file) as server:
        for step, actual in sessions.run(sessions.sessions(FOLDER / f"{file}.txt")[name], server):
            if not sessions.fits(step, actual):
                assert f"$ {step.command}\n{actual}" == f"$ {step.command}\n{step.expected}"
                pytest.fail("`…` stands for something else")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("$ ls\n", "text before the first case"),
        ("case a\n$ ls\n", "a: a case needs"),
        ("case a\n# It lists.\n", "a: a case needs"),
        ("case a\n# It lists.\n$ ls\ncase a\n# It lists.\n$ ls\n", "a: a case needs"),
    ],
)
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
    """Write what the commands in the session file at *path* give now, as far as `…` does not stand for it."""
    text = path.read_text(encoding="utf-8")
    end = 0
    for name, session in sessions.sessions(path).items():
        end = text.index(f"\ncase {name}\n", end)
        folder = tempfile.TemporaryDirectory()
        with folder, contextlib.chdir(folder.name), sessions.surroundings(path.stem) as server:
            for step, actual in sessions.run(session, server):
                command = f"\n$ {step.command}"
                end = text.index(f"{command}\n{step.expected}", end) + len(command)
                if not sessions.fits(step, actual):
                    text = (
                        text[:end] + f"\n{actual}".rstrip("\n") + text[end + len(f"\n{step.expected}".rstrip("\n")) :]
                    )
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        renew(FOLDER / f"{argument}.txt")
