"""Remembers between runs what was fetched or missing, and locks out a second run.

Times are seconds since 1970 on the local clock.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from jmjp_convert.errors import FileError
from jmjp_convert.files import sqlite_lock
from jmjp_convert.files.outputs import make_directory

_PAUSES = ((1, 1), (8, 7))
_LONGEST_PAUSE = 30
"""Days: for a log missing for less than the first number, the pause is the second. By the day, so that a daily run at
about the same time counts as a day later."""


class Missing(NamedTuple):
    """A log that the server does not have, and when to ask for it again. Tenhou has answered 404 for the logs of whole
    years and served them again later, so it is not given up for good. Most stay missing, so the pauses grow."""

    since: date  # the day of the first request, in local time
    asked: date  # the day of the last one
    reason: str  # the server's answer to that

    @property
    def next_try(self) -> date:
        """The day from which it is asked for again."""
        age = (self.asked - self.since).days
        return self.asked + timedelta(next((pause for days, pause in _PAUSES if age < days), _LONGEST_PAUSE))

    @property
    def is_due(self) -> bool:
        """Whether it is asked for again today."""
        # A last request in the future, because the clock was set back, does not count.
        return not self.asked <= today() < self.next_try


def today() -> date:
    """Return the current day in local time."""
    return datetime.now().astimezone().date()


_TABLES = """
CREATE TABLE IF NOT EXISTS times (name TEXT PRIMARY KEY, time REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS indexes (name TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pages (path TEXT PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS missing (
  id TEXT PRIMARY KEY, since TEXT NOT NULL, asked TEXT NOT NULL, reason TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS unconverted (
  id TEXT, maker TEXT, reason TEXT NOT NULL, PRIMARY KEY (id, maker)
) WITHOUT ROWID;
"""
_VERSION = 2
_LOOK_AGAIN = 0.2  # seconds between checks whether the other run is done

REQUEST = "request"
"""Name of the time at which the last request began or ended."""

NOT_BEFORE = "not before"
"""Name of the time before which the server wants no requests."""


class StoppedError(FileError):
    """The run cannot continue, or should not for now."""


class BusyError(FileError):
    """Another run has the state open."""


class State:
    """The state kept between runs for one server, open in one process at a time.

    :param path: its file, as named by :func:`path_of`.
    :param waiting: called once before waiting for another run to close it; ``None``: do not wait.
    :raises BusyError: another run has it open, and *waiting* is ``None``.
    :raises FileError: it cannot be read or written, or another version of the program has written it.
    """

    def __init__(self, path: Path, waiting: Callable[[], None] | None) -> None:
        self._path = path
        make_directory(path.parent)
        self._connection = self._connected(waiting)

    def _connected(self, waiting: Callable[[], None] | None) -> sqlite3.Connection:
        notified = False
        while True:
            try:
                return sqlite_lock.connect(self._path, _TABLES, _VERSION)
            except sqlite_lock.TakenError as error:
                if waiting is None:
                    raise BusyError("another jmjp fetch is running; Tenhou asks for one at a time") from error
                if not notified:
                    waiting()
                notified = True
                time.sleep(_LOOK_AGAIN)
            except sqlite_lock.VersionError as error:
                raise FileError(f"{self._path}: written by another version of jmjp; delete it to start over") from error
            except sqlite3.Error as error:
                raise FileError(self._described(error)) from error

    def close(self) -> None:
        """Close the state, so that another run can open it."""
        self._connection.close()

    def _run(self, query: str, *values: object) -> list[tuple[object, ...]]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoppedError(self._described(error)) from error

    def _described(self, error: sqlite3.Error) -> str:
        is_damaged = type(error) is sqlite3.DatabaseError  # its subclasses are for other errors, such as a full disk
        return f"{self._path}: {error}" + ("; delete it to start over" if is_damaged else "")

    # All methods below raise StoppedError if the file cannot be read or written.

    def time(self, name: str) -> float | None:
        """Return the time noted as *name*."""
        rows = self._run("SELECT time FROM times WHERE name = ?", name)
        return float(rows[0][0]) if rows else None  # type: ignore[arg-type]

    def note_time(self, name: str, moment: float) -> None:
        """Note the time *moment* as *name*; it is on disk when this returns."""
        self._run("INSERT OR REPLACE INTO times VALUES (?, ?)", name, moment)

    def index(self, name: str) -> bytes | None:
        """Return the saved copy of the index *name*."""
        rows = self._run("SELECT content FROM indexes WHERE name = ?", name)
        return rows[0][0] if rows else None  # type: ignore[return-value]

    def forget_index(self, name: str) -> None:
        """Forget the index *name*."""
        self._run("DELETE FROM indexes WHERE name = ?", name)

    def keep_index(self, name: str, content: bytes) -> None:
        """Save *content* as the index *name*."""
        self._run("INSERT OR REPLACE INTO indexes VALUES (?, ?)", name, content)

    def page_size(self, path: Path) -> int | None:
        """Return the size that the index gave for the list page now at *path*."""
        rows = self._run("SELECT size FROM pages WHERE path = ?", str(path.absolute()))
        return rows[0][0] if rows else None  # type: ignore[return-value]

    def note_page(self, path: Path, size: int) -> None:
        """Note that the list page at *path* is the one with *size* in the index."""
        self._run("INSERT OR REPLACE INTO pages VALUES (?, ?)", str(path.absolute()), size)

    def missing(self, log_id: str) -> Missing | None:
        """Return what was noted of a missing log."""
        for since, asked, reason in self._run("SELECT since, asked, reason FROM missing WHERE id = ?", log_id):
            return Missing(date.fromisoformat(str(since)), date.fromisoformat(str(asked)), str(reason))
        return None

    def note_missing(self, log_id: str, reason: str) -> None:
        """Note that the server does not have a log today, and why."""
        day = today().isoformat()
        self._run("INSERT OR IGNORE INTO missing VALUES (?, ?, ?, ?)", log_id, day, day, reason)
        self._run("UPDATE missing SET asked = ?, reason = ? WHERE id = ?", day, reason, log_id)

    def forget_missing(self, log_id: str) -> None:
        """Forget that the server did not have a log."""
        self._run("DELETE FROM missing WHERE id = ?", log_id)

    def unconverted(self, log_id: str, maker: str) -> str | None:
        """Return why a log could not be converted with the program version and options in *maker*."""
        rows = self._run("SELECT reason FROM unconverted WHERE id = ? AND maker = ?", log_id, maker)
        return rows[0][0] if rows else None  # type: ignore[return-value]

    def note_unconverted(self, log_id: str, maker: str, reason: str) -> None:
        """Note that a log cannot be converted."""
        self._run("INSERT OR REPLACE INTO unconverted VALUES (?, ?, ?)", log_id, maker, reason)


def path_of(home: Path, server: str) -> Path:
    """Return the path of the state file of *server* (``host`` or ``host:port``) in *home*, the program's directory."""
    return home / f"fetch-{re.sub('[^0-9a-z.]', '-', server.lower())}.sqlite"
