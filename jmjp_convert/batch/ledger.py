"""The ledger of a batch, a SQLite file that records the result of each input, and what each output must be.

It is written after the outputs are: what it says is on disk. An output that it says is staged is in the staging
directory, or in place already if the run ended between the two.
"""

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
  name TEXT PRIMARY KEY, key TEXT NOT NULL, digest TEXT NOT NULL, run INTEGER NOT NULL, ours INTEGER NOT NULL,
  segment TEXT NOT NULL, offset INTEGER NOT NULL, packed INTEGER NOT NULL, size INTEGER NOT NULL,
  checksum INTEGER NOT NULL, sha256 BLOB NOT NULL, mtime INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS outputs_by_key ON outputs (key, digest);
CREATE INDEX IF NOT EXISTS outputs_staged ON outputs (segment) WHERE segment != '';
"""
_VERSION = 1
_PAGE = 200  # rows
_COLUMNS = 7  # the fields of what is staged, without its parts

# Digests of outputs that no input is known to have.
_LOST = ""  # the output is not there as it should be, but its name is ours
UNCLAIMED = "?"  # the output is there, from before a ledger was set aside

VERIFIED = "lost when verified"
"""A setting: the number of outputs that a verification found lost since the last run."""


InputKey = tuple[str, str, str]
"""An input: its source, member and stamp."""


class DamagedError(Exception):
    """The ledger cannot be used, but may be set aside."""


class OlderError(DamagedError):
    """The ledger is of another version of this program."""


class ReadOnlyError(OutputError):
    """The ledger may be read, but not written."""


class Output(NamedTuple):
    """An output: its *name* below the root, *key* and *digest* of its input, and the number of the *run*."""

    name: str
    key: str
    digest: str
    run: int
    ours: bool  # whether the name was ours before, so that whatever is there may be overwritten
    staged: Staged


class Recorded(NamedTuple):
    """What the ledger says of an output, and the digest of its input."""

    staged: Staged
    digest: str

    @property
    def lost(self) -> bool:
        """Whether it is not there as it should be."""
        return self.digest == _LOST

    @property
    def unclaimed(self) -> bool:
        """Whether its input is not known."""
        return self.digest == UNCLAIMED


class Ledger:
    """An open ledger, locked against other processes.

    Additions take effect when they are committed.

    :param path: its file, or ``None`` for a temporary ledger.
    :ivar connection: the database, for a destination that keeps tables in it too.
    :raises FileError: another process has it open.
    :raises ReadOnlyError: it may not be written.
    :raises OutputError: it cannot be written for another reason.
    :raises DamagedError: it is not a ledger of this version.
    """

    def __init__(self, path: Path | None) -> None:
        try:
            self.connection = sqlite_lock.connect(path, _TABLES, _VERSION)
            try:
                self.connection.execute("BEGIN")
                self.run = int(self.setting("run") or 0) + 1
            except (sqlite3.Error, ValueError):
                self.close()  # and give up the lock
                raise
        except sqlite_lock.TakenError as error:
            raise FileError(
                f"another batch is writing to this output ({path} is locked); wait until it is done"
            ) from error
        except sqlite_lock.VersionError as error:
            raise OlderError("made by another version of jmjp") from error
        except sqlite_lock.ReadOnlyError as error:
            raise ReadOnlyError(f"{path}: {error}") from error
        except (sqlite3.Error, ValueError) as error:
            if isinstance(error, sqlite3.OperationalError):
                raise OutputError(f"{path}: {error}") from error
            raise DamagedError(f"damaged ({error})") from error

    def close(self) -> None:
        """Close the ledger; uncommitted additions are lost."""
        self.connection.close()

    def commit(self) -> None:
        """Commit all additions, which are on disk then, and begin a new transaction.

        :raises sqlite3.Error: it cannot be written.
        """
        self.connection.execute("COMMIT")
        self.connection.execute("BEGIN")

    def check(self) -> None:
        """Check the structure of the whole file.

        :raises DamagedError: it is damaged; it is closed then.
        """
        try:
            (finding,) = self.connection.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.Error as error:
            finding = error
        if finding != "ok":
            self.close()
            raise DamagedError(f"damaged ({finding})")

    def clear(self, *, names: bool) -> None:
        """Forget everything; except, if *names*, the names of outputs, which may be overwritten."""
        self.connection.execute("DELETE FROM settings")
        self.connection.execute("DELETE FROM inputs")
        self.connection.execute("UPDATE outputs SET digest = ?" if names else "DELETE FROM outputs", [_LOST][:names])

    def setting(self, name: str) -> str | None:
        """Return the value of the setting *name*."""
        row = self.connection.execute("SELECT value FROM settings WHERE name = ?", [name]).fetchone()
        return None if row is None else str(row[0])

    def note(self, name: str, value: str) -> None:
        """Set the setting *name* to *value*."""
        self.connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", [name, value])

    def input(self, key: InputKey) -> tuple[str, str] | None:
        """Return the state of an input, and the name of its output or the reason."""
        query = "SELECT state, detail FROM inputs WHERE source = ? AND member = ? AND stamp = ?"
        row: tuple[str, str] | None = self.connection.execute(query, key).fetchone()
        return row

    def is_first(self, key: InputKey, name: str) -> bool:
        """Return whether the output *name* was made from this input, whatever its stamp was then."""
        query = "SELECT 1 FROM inputs WHERE source = ? AND member = ? AND state = 'converted' AND detail = ?"
        return self.connection.execute(query, (*key[:2], name)).fetchone() is not None

    def add_input(self, key: InputKey, state: str, detail: str) -> None:
        """Record the state of an input."""
        self.connection.execute("INSERT OR REPLACE INTO inputs VALUES (?, ?, ?, ?, ?)", (*key, state, detail))

    def number_of_outputs(self) -> int:
        """Return how many outputs there are."""
        (number,) = self.connection.execute("SELECT count(*) FROM outputs").fetchone()
        return int(number)

    def digests(self, key: str, most: int) -> list[tuple[str, str]]:
        """Return the name and digest of the outputs of *key*, an ID, that are not lost: at *most* so many."""
        query = "SELECT name, digest FROM outputs WHERE key = ? AND digest != ? LIMIT ?"
        return self.connection.execute(query, (key, _LOST, most)).fetchall()

    def outputs(self, key: str, digest: str) -> list[tuple[str, int]]:
        """Return the outputs of *key*, an ID or a digest, made from content with *digest*: the name and run of each."""
        query = "SELECT name, run FROM outputs WHERE key = ? AND digest = ?"
        return self.connection.execute(query, (key, digest)).fetchall()

    def output(self, name: str) -> Recorded | None:
        """Return what the output *name* must be; ``None`` if the name is not ours."""
        query = "SELECT segment, offset, packed, size, checksum, sha256, mtime, digest FROM outputs WHERE name = ?"
        row = self.connection.execute(query, [name]).fetchone()
        return None if row is None else Recorded(Staged(*row[:-1]), row[-1])

    def add_output(self, output: Output) -> None:
        """Add an output."""
        query = "INSERT OR REPLACE INTO outputs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self.connection.execute(query, (*output[:5], *output.staged[:_COLUMNS]))

    def lose(self, name: str) -> None:
        """Record that an output is not there as it should be; its name stays ours."""
        self.connection.execute("UPDATE outputs SET digest = ? WHERE name = ?", (_LOST, name))

    def all_outputs(self, *, lost: bool = False) -> Iterator[tuple[str, Staged]]:
        """Yield the name of each output, in order, and what it must be, also of those that are *lost*."""
        columns = "name, segment, offset, packed, size, checksum, sha256, mtime"
        query = f"SELECT {columns} FROM outputs WHERE name > ? AND (? OR digest != ?) ORDER BY name LIMIT ?"  # noqa: S608
        name = ""
        while rows := self.connection.execute(query, (name, lost, _LOST, _PAGE)).fetchall():
            for name, *staged in rows:
                yield name, Staged(*staged)

    # --- what is staged ---

    def staged(self) -> list[tuple[str, str, bool]]:
        """Return the name and the staged file of each output that is not in place, and whether the name was ours."""
        query = "SELECT name, segment, ours FROM outputs WHERE segment != ''"
        return [(name, segment, bool(ours)) for name, segment, ours in self.connection.execute(query)]

    def staged_files(self) -> set[str]:
        """Return the names of the staged files that hold outputs which are not in place."""
        query = "SELECT DISTINCT segment FROM outputs WHERE segment != ''"
        return {name for (name,) in self.connection.execute(query)}

    def put(self, name: str, offset: int = 0) -> None:
        """Record that the output *name* is in place; in a zip, at *offset*."""
        self.connection.execute("UPDATE outputs SET segment = '', offset = ? WHERE name = ?", (offset, name))

    def put_all(self) -> None:
        """Record that all outputs are in place."""
        self.connection.execute("UPDATE outputs SET segment = '' WHERE segment != ''")

    def forget_staged(self) -> None:
        """Forget the outputs that are not in place: once all others are, they are lost."""
        self.connection.execute("DELETE FROM outputs WHERE segment != ''")

    def withdraw(self, name: str) -> None:
        """Record that an output cannot get its name, which is no more ours than it was before."""
        self.connection.execute("DELETE FROM outputs WHERE name = ? AND NOT ours", [name])
        self.lose(name)

    def touch(self, name: str, mtime: int) -> None:
        """Record that the output *name* was last modified at *mtime*, with the content that it must have."""
        self.connection.execute("UPDATE outputs SET mtime = ? WHERE name = ?", (mtime, name))
