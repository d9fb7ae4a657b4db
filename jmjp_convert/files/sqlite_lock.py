"""Opens a SQLite file for one process exclusively, so that it also serves as a lock."""

from __future__ import annotations

import sqlite3
from pathlib import Path


class TakenError(Exception):
    """Another process has the database open."""


def connect(path: Path | None, tables: str) -> sqlite3.Connection:
    """Open the database *path* in autocommit mode, and create the missing *tables* in it.

    :param path: its file, or ``None`` for a temporary database in memory.
    :param tables: SQL statements, each ended by a semicolon.
    :raises TakenError: another process has it open.
    :raises sqlite3.Error: it cannot be opened or written.
    """
    connection = sqlite3.connect(path or ":memory:", timeout=0, isolation_level=None)
    try:
        run = connection.execute
        run("PRAGMA locking_mode = EXCLUSIVE")  # held until it is closed, so no shared memory or lock file is needed
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")
        run("BEGIN EXCLUSIVE")  # lock now, so that a second process fails before it does anything
        for statement in tables.split(";"):
            run(statement)
        run("COMMIT")
    except sqlite3.Error as error:
        connection.close()
        if "locked" in str(error):
            raise TakenError from error
        raise
    return connection
