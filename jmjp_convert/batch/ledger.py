"""The ledger of a batch, a SQLite file that records the result of each input."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from jmjp_convert.batch.worker import OutputError, Staged
from jmjp_convert.errors import FileError
from jmjp_convert.files import sqlite_lock

_TABLES = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS inputs (
  source TEXT, member TEXT, stamp TEXT, state TEXT NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (source, member, stamp)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outputs (
  name TEXT PRIMARY KEY, key TEXT NOT NULL, digest TEXT NOT NULL, run INTEGER NOT NULL,
  segment TEXT NOT NULL, offset INTEGER NOT NULL, packed INTEGER NOT NULL, size INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS outputs_by_key ON outputs (key);
CREATE TABLE IF NOT EXISTS segments (name TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_PAGE = 200  # rows
_LAYOUT = "1"
"""The version of the tables."""


class Output(NamedTuple):
    """An output: its *name* below the root, *key* and *digest* of its input, and the number of the *run*."""

    name: str
    key: str
    digest: str
    run: int
    staged: Staged


class Ledger:
    """An open ledger, locked against other processes.

    Additions take effect when they are committed.

    :param path: its file, or ``None`` for a temporary ledger.
    :raises FileError: another process has it open, or it is not a ledger.
    :raises OutputError: it cannot be written.
    """

    def __init__(self, path: Path | None) -> None:
        try:
            self._connection = sqlite_lock.connect(path, _TABLES)
            self._connection.execute("BEGIN")
            self._connection.execute("INSERT OR IGNORE INTO settings VALUES ('layout', ?)", [_LAYOUT])
            self.commit()
        except sqlite_lock.TakenError as error:
            raise FileError(
                f"another batch is writing to this output ({path} is locked); wait until it is done"
            ) from error
        except sqlite3.OperationalError as error:
            raise OutputError(f"{path}: {error}") from error
        except sqlite3.Error as error:
            raise FileError(f"{path}: {error}") from error
        self.run = int(self.setting("run") or 0) + 1

    def close(self) -> None:
        """Close the ledger; uncommitted additions are lost."""
        self._connection.close()

    def commit(self) -> None:
        """Commit all additions, and begin a new transaction.

        :raises sqlite3.Error: it cannot be written.
        """
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN")

    def clear(self, but: str = "") -> None:
        """Forget everything except the setting named *but*."""
        kept = self.setting(but)
        for table in ("settings", "inputs", "outputs", "segments"):
            self._connection.execute(f"DELETE FROM {table}")  # noqa: S608 - the names above
        self.note("layout", _LAYOUT)
        if kept is not None:
            self.note(but, kept)

    def setting(self, name: str) -> str | None:
        """Return the value of the setting *name*."""
        found = self._connection.execute("SELECT value FROM settings WHERE name = ?", [name]).fetchone()
        return None if found is None else str(found[0])

    def note(self, name: str, value: str) -> None:
        """Set the setting *name* to *value*."""
        self._connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", [name, value])

    def input(self, source: str, member: str, stamp: str) -> tuple[str, str] | None:
        """Return the state of an input, and the name of its output or the reason."""
        query = "SELECT state, detail FROM inputs WHERE source = ? AND member = ? AND stamp = ?"
        found: tuple[str, str] | None = self._connection.execute(query, (source, member, stamp)).fetchone()
        return found

    def add_input(self, place: tuple[str, str, str], state: str, detail: str) -> None:
        """Record the state of the input at *place*: its source, member and stamp."""
        self._connection.execute("INSERT OR REPLACE INTO inputs VALUES (?, ?, ?, ?, ?)", (*place, state, detail))

    def outputs(self, key: str) -> list[tuple[str, str, int]]:
        """Return the outputs of *key*, an ID or a digest: the name, digest and run of each."""
        return self._connection.execute("SELECT name, digest, run FROM outputs WHERE key = ?", (key,)).fetchall()

    def add_output(self, output: Output) -> None:
        """Add an output."""
        self._connection.execute(
            "INSERT OR REPLACE INTO outputs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*output[:4], *output.staged)
        )

    def forget_output(self, name: str) -> None:
        """Forget an output that no longer exists."""
        self._connection.execute("DELETE FROM outputs WHERE name = ?", [name])

    def segments(self) -> set[str]:
        """Return the names of the staged files that hold outputs."""
        return {name for (name,) in self._connection.execute("SELECT name FROM segments")}

    def add_segment(self, name: str) -> None:
        """Add a staged file that holds outputs."""
        self._connection.execute("INSERT OR IGNORE INTO segments VALUES (?)", [name])

    def all_outputs(self) -> Iterator[tuple[str, Staged]]:
        """Yield the name of each output, in order, and where it is staged."""
        query = "SELECT name, segment, offset, packed, size, checksum FROM outputs WHERE name > ? ORDER BY name LIMIT ?"
        name = ""
        while rows := self._connection.execute(query, (name, _PAGE)).fetchall():
            for name, *staged in rows:
                yield name, Staged(*staged)

    def unstage(self, name: str, offset: int) -> None:
        """Record that the output *name* is at *offset* in the finished zip."""
        self._connection.execute("UPDATE outputs SET segment = '', offset = ? WHERE name = ?", (offset, name))

    def forget_segments(self) -> None:
        """Forget the staged files."""
        self._connection.execute("DELETE FROM segments")
