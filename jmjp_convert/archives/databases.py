"""The logs in a SQLite database, known by its columns: houou-logs, phoenix-logs, tenhou-visualizer."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from jmjp_convert.archives.entry import ARCHIVE, Entry, Passed, Row, readable, refused

_PAGE = 1000
NOT_DOWNLOADED = "not downloaded"


class Layout(NamedTuple):
    """A program's table of logs (source: ``archives.md``, 6): the columns of the id and of the content, and that of the
    mark that a download has failed."""

    table: str
    id: str
    content: str
    error: str | None


LAYOUTS = (
    Layout("logs", "id", "log", "was_error"),  # houou-logs 1 and 2
    Layout("logs", "log_id", "log_content", "was_error"),  # phoenix-logs
    Layout("mjlog", "id", "content", None),  # tenhou-visualizer
)


def connect(path: str) -> sqlite3.Connection:
    """Open the database *path*, never to write into it.

    :raises sqlite3.Error: it cannot be opened.
    """
    uri = Path(path).absolute().as_uri()
    connection = sqlite3.connect(f"{uri}?mode=ro", uri=True, check_same_thread=False)
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        # In a place where nothing can be written, one with a write-ahead log opens only so.
        connection.close()
        if Path(f"{path}-wal").exists():
            raise
        connection = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    connection.text_factory = bytes
    return connection


def rows(path: str) -> Iterator[Entry]:
    """Yield the logs of the database *path*, in the order of their ids."""
    try:
        with closing(connect(path)) as connection:
            layout = _layout(connection)
            if layout is None:
                yield refused(path, ARCHIVE, "a database without a table of logs as houou-logs or phoenix-logs make it")
                return
            yield from _rows(connection, path, layout)
    except (sqlite3.Error, UnicodeError) as error:
        yield refused(path, ARCHIVE, f"the database cannot be read: {error}")


def count(path: str) -> int:
    """Return how many logs the database *path* has, 0 if it cannot be read."""
    try:
        with closing(connect(path)) as connection:
            layout = _layout(connection)
            return 0 if layout is None else _number(connection, f"SELECT count(*) FROM {layout.table}")  # noqa: S608
    except (sqlite3.Error, UnicodeError):
        return 0


def _number(connection: sqlite3.Connection, query: str) -> int:
    (number,) = connection.execute(query).fetchone()
    return int(number)


def _layout(connection: sqlite3.Connection) -> Layout | None:
    tables = connection.execute("SELECT lower(name) FROM sqlite_master WHERE type = 'table'")
    names = {name.decode() for (name,) in tables.fetchall()}
    for layout in LAYOUTS:
        if layout.table in names:
            found = {row[1].decode().lower() for row in connection.execute(f"PRAGMA table_info({layout.table})")}
            if {layout.id, layout.content, *filter(None, [layout.error])} <= found:
                return layout
    return None


def _rows(connection: sqlite3.Connection, path: str, layout: Layout) -> Iterator[Entry]:
    """Page by the id, which may be missing; where it is, and where two are the same, by the number of the row."""
    table, error = layout.table, layout.error or "0"
    key = "rowid" if _has_rowid(connection, table) else layout.id
    # length() of a blob reads no more than the beginning of its row.
    columns = f"{key}, {layout.id}, {error}, length({layout.content}), typeof({layout.content})"
    # What is put into these queries are the names above, never what a database holds.
    first = f"SELECT {columns} FROM {table} ORDER BY {key} LIMIT {_PAGE}"  # noqa: S608
    after = f"SELECT {columns} FROM {table} WHERE {key} > ? ORDER BY {key} LIMIT {_PAGE}"  # noqa: S608
    query = f"SELECT {layout.content} FROM {table} WHERE {key} = ?"  # noqa: S608
    page = connection.execute(first).fetchall()
    while page:
        for found, id_, failed, size, kind in page:
            where = _key(found)
            member = _text(id_) or f"row {_text(found)}"
            stamp = f"{_text(failed)}:{_text(kind)}:{size}"
            fetch = Row(path, query, where, size) if size and not failed else Passed(NOT_DOWNLOADED)
            yield Entry(path, readable(member), stamp, fetch)
        page = connection.execute(after, [_key(page[-1][0])]).fetchall()


def _has_rowid(connection: sqlite3.Connection, table: str) -> bool:
    try:
        connection.execute(f"SELECT rowid FROM {table} LIMIT 1").fetchone()  # noqa: S608 - as above
    except sqlite3.OperationalError:
        return False
    return True


def _key(value: bytes | int) -> str | int:
    return value if isinstance(value, int) else value.decode()


def _text(value: object) -> str:
    if value is None:
        return ""
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
