"""Opens a SQLite file for one process exclusively, so that it also serves as a lock."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jmjp_convert.files.temporaries import temporary_folder


class TakenError(Exception):
    """Another process has the database open."""


class VersionError(Exception):
    """The database has other tables than expected; it is left as it is."""


class ReadOnlyError(sqlite3.OperationalError):
    """The database may be read, but not written; see :func:`copied`."""


def connect(path: Path | None, tables: str, version: int) -> sqlite3.Connection:
    """Open the database *path* in autocommit mode, and create the missing *tables* in it. What is committed is on disk.

    :param path: its file, or ``None`` for a temporary database in memory.
    :param tables: SQL statements, each ended by a semicolon.
    :param version: the version of the tables, which the file records as its ``user_version``.
    :raises TakenError: another process has it open.
    :raises VersionError: it has tables already, of another version.
    :raises ReadOnlyError: its file, or the folder, may not be written.
    :raises sqlite3.OperationalError: it cannot be opened or written for another reason.
    :raises sqlite3.DatabaseError: it is damaged, or not a database.
    """
    try:
        connection = sqlite3.connect(path or ":memory:", timeout=0, isolation_level=None)
    except sqlite3.OperationalError as error:
        if path is not None and not path.exists() and not os.access(path.parent, os.W_OK | os.X_OK):
            raise sqlite3.OperationalError("permission denied") from error  # "unable to open database file"
        raise
    try:
        run = connection.execute
        run("PRAGMA locking_mode = EXCLUSIVE")  # held until it is closed, so no shared memory or lock file is needed
        run("BEGIN EXCLUSIVE")  # lock now, so that a second process fails before it does anything
        (recorded,) = run("PRAGMA user_version").fetchone()
        (number,) = run("SELECT count(*) FROM sqlite_master").fetchone()
        if number and recorded != version:
            raise VersionError  # noqa: TRY301 - the connection is closed as for other errors
        run("ROLLBACK")  # a COMMIT would write a page to a new file, and wait for the disk
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        run("BEGIN EXCLUSIVE")
        for statement in tables.split(";"):
            run(statement)
        if not number:
            run(f"PRAGMA user_version = {version:d}")
        run("COMMIT")
    except VersionError:
        connection.close()
        raise
    except sqlite3.Error as error:
        connection.close()
        if "locked" in str(error):
            raise TakenError from error
        if path is not None:
            _expect_writable(path, error)
        raise
    return connection


def _expect_writable(path: Path, error: sqlite3.Error) -> None:
    """Raise another error for *error* if it is because *path* may not be written: SQLite says "disk I/O error" or
    "unable to open database file".

    :raises ReadOnlyError: it may not.
    """
    if not os.access(path, os.R_OK):
        return
    if not os.access(path, os.W_OK):
        raise ReadOnlyError("the file is read-only") from error
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise ReadOnlyError("the folder is read-only") from error


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """Provide a copy of the database *path*, which may not be written: SQLite opens no such file if a process that had
    it open was killed, since there is a journal to put into it first.

    :raises OSError: it cannot be copied.
    """
    with temporary_folder() as folder:
        for name in (path.name, f"{path.name}-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(name), Path(folder, name))
        yield Path(folder, path.name)
