"""The state that fetch runs keep, and its lock."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from jmjp_convert.errors import FileError
from jmjp_convert.fetch import state as module
from jmjp_convert.fetch.state import BusyError, Missing, State, today


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of the state file."""
    return tmp_path / "home" / "state.sqlite"


HOLDER = """
import sys
from pathlib import Path
from jmjp_convert.fetch.state import State
state = State(Path(sys.argv[1]), None)
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that has the state open."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"open"
        yield process
        process.kill()


def test_kept(path: Path) -> None:
    """The next run sees what was noted."""
    page = path.parent / "scc20190418.html"
    with closing(State(path, None)) as state:
        assert (state.time("x"), state.index("x"), state.page_size(page), state.missing("x")) == (None,) * 4
        state.note_time("x", 1.5)
        state.keep_index("x", b"list();")
        state.note_page(page, 12)
        state.note_missing("x", "none")
    with closing(State(path, None)) as state:
        assert (state.time("x"), state.index("x"), state.page_size(page)) == (1.5, b"list();", 12)
        missing = state.missing("x")
        assert missing is not None
        assert missing.since == missing.asked
        assert abs(missing.since - today()) <= timedelta(1)
        assert missing.reason == "none"


def test_taken(path: Path, holder: subprocess.Popen[bytes]) -> None:
    """Only one process can open the state at a time; another can wait for it."""
    with pytest.raises(BusyError, match=r"^another jmjp fetch is running; Tenhou asks for one at a time$"):
        State(path, None)
    waited: list[bool] = []

    def waiting() -> None:
        waited.append(True)
        assert holder.stdin is not None
        holder.stdin.close()

    State(path, waiting).close()
    assert waited == [True]


def test_killed(path: Path, holder: subprocess.Popen[bytes]) -> None:
    """A killed process releases the lock."""
    holder.kill()
    holder.wait()
    State(path, None).close()


def test_noted_for_good(path: Path, holder: subprocess.Popen[bytes]) -> None:
    """What was noted survives if the process is killed."""
    holder.kill()
    holder.wait()
    note = f"{HOLDER.partition('print')[0]}state.note_time('x', 2.5)\nimport os; os._exit(9)"
    subprocess.run([sys.executable, "-c", note, path], check=False)
    with closing(State(path, None)) as state:
        assert state.time("x") == 2.5


def test_broken(path: Path) -> None:
    """A file that is not a state file is rejected."""
    path.parent.mkdir()
    path.write_bytes(b"x" * 5000)
    with pytest.raises(FileError, match=r"state\.sqlite: file is not a database; delete it to start over$"):
        State(path, None)


@pytest.mark.parametrize("version", [0, 1, 3])
def test_other_version(path: Path, version: int) -> None:
    """A file that another version of the program has written is rejected, and left unchanged."""
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as other:
        other.executescript(f"CREATE TABLE more (x); PRAGMA user_version = {version}")
    for _ in range(2):
        with pytest.raises(FileError) as rejected:
            State(path, None)
    assert str(rejected.value) == f"{path}: written by another version of jmjp; delete it to start over"
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("more",)]


FIRST = date(2021, 2, 27)


@pytest.mark.parametrize(
    ("age", "pause"), [(0, 1), (1, 7), (7, 7), (8, 30), (38, 30), (4000, 30)], ids=lambda value: f"{value} days"
)
def test_pauses(age: int, pause: int) -> None:
    """The pause after a request is a day, a week or thirty days: the longer, the longer the log has been missing."""
    asked = FIRST + timedelta(age)
    assert Missing(FIRST, asked, "").next_try == asked + timedelta(pause)


@pytest.mark.parametrize(("days", "is_due"), [(-1, True), (0, False), (6, False), (7, True), (99, True)])
def test_due(monkeypatch: pytest.MonkeyPatch, days: int, *, is_due: bool) -> None:
    """A log is due from the day of its next try, and if the clock was set back."""
    asked = FIRST + timedelta(1)
    monkeypatch.setattr(module, "today", lambda: asked + timedelta(days))
    assert Missing(FIRST, asked, "").is_due is is_due
