"""Reads logs from SQLite databases of houou-logs, phoenix-logs and tenhou-visualizer, recognized by their columns."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import quote

from jmjp_convert.errors import FileError
from jmjp_convert.files.archives.entry import ARCHIVE, Entry, Held, Passed, Row, readable, refused
from jmjp_convert.files.inputs import most_packed, too_large

_PAGE = 1000
_VERSIONS = slice(18, 20)  # of the database header: the file format versions for writing and reading
_ROW_NUMBERS = ("rowid", "_rowid_", "oid")  # the names for the row number, unless a column has the name
NOT_DOWNLOADED = "not downloaded"


class Layout(NamedTuple):
    """A program's table of logs (source: ``docs/design/archives.md``, section 6): its name, and the columns of the log
    ID, the content and the flag for a failed download."""

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
    """Open the database *path* without writing to it or next to it.

    :raises sqlite3.Error: it cannot be opened, for instance because it :func:`is_left_open`.
    :raises OSError: it cannot be read.
    """
    options = "mode=ro"
    if _has_log(path):  # with mode=ro alone, SQLite would create the missing files next to it, and leave them
        options += "&readonly_shm=1" if is_left_open(path) or _is_open(path) else "&immutable=1"
    return _connected(path, options)


def is_left_open(path: str) -> bool:
    """Return whether the database *path* can only be read as a copy: its write-ahead log has content, but to read that,
    SQLite would have to create the shared-memory file.

    :raises OSError: it cannot be read.
    """
    log = _log(path)
    return _has_log(path) and log.exists() and log.stat().st_size > 0 and not _is_open(path)


def _is_open(path: str) -> bool:
    return _log(path).exists() and Path(f"{path}-shm").exists()


def _log(path: str) -> Path:
    return Path(f"{path}-wal")


def _has_log(path: str) -> bool:
    """Return whether the database *path* uses a write-ahead log (source: SQLite's file format, section 1.3.3)."""
    with Path(path).open("rb") as file:
        return file.read(_VERSIONS.stop)[_VERSIONS] == b"\x02\x02"


def _connected(path: str, options: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{uri(Path(path).absolute())}?{options}", uri=True, check_same_thread=False)
    connection.text_factory = bytes
    return connection


def uri(path: PurePath) -> str:
    """Return the URI by which SQLite opens the absolute *path*. It takes no host, as in ``as_uri()`` of a UNC path, but
    a path that begins with two slashes."""
    name = path.as_posix()
    return f"file://{'' if name.startswith('/') else '/'}{quote(os.fsencode(name), safe='/:')}"


@contextmanager
def _copied(path: str) -> Iterator[sqlite3.Connection]:
    """Open a copy of the database *path*, which :func:`is_left_open`, so no one writes to it meanwhile."""
    with TemporaryDirectory() as folder:
        copy = f"{folder}{os.sep}copy"
        shutil.copyfile(path, copy)
        shutil.copyfile(_log(path), _log(copy))
        with closing(_connected(copy, "mode=rw")) as connection:
            yield connection


def rows(path: str) -> Iterator[Entry]:
    """Yield the logs in the database *path* in order of log ID or row number.

    If it has to be copied, their bytes are read at once, because the copy is deleted afterwards.

    :raises OSError: it cannot be read.
    """
    try:
        is_copied = is_left_open(path)
        with _copied(path) if is_copied else closing(connect(path)) as connection:
            layout = _layout(connection)
            if layout is None:
                yield refused(
                    path, ARCHIVE, "the database has no table of logs like those of houou-logs or phoenix-logs"
                )
                return
            key = _key(connection, layout)
            if key is None:
                yield refused(path, ARCHIVE, f"table {layout.table} has neither row numbers nor {layout.id} as its key")
                return
            for entry in _rows(connection, path, layout, key):
                yield _in_memory(entry, connection) if is_copied else entry
    except (sqlite3.Error, UnicodeError) as error:
        yield refused(path, ARCHIVE, f"cannot read the database: {error}")


def _in_memory(entry: Entry, connection: sqlite3.Connection) -> Entry:
    fetch = entry.fetch
    if not isinstance(fetch, Row):
        return entry
    (content,) = connection.execute(fetch.query, [fetch.key]).fetchone()
    return entry._replace(fetch=Held(content))


def content(row: Row, max_size: int, database: sqlite3.Connection) -> bytes:
    """Return the content of a *row* of *database*, which may be compressed.

    :raises FileError: it is gone, or larger than *max_size* bytes whatever it decompresses to.
    """
    if row.size > most_packed(max_size):
        raise too_large(max_size)
    values = database.execute(row.query, [row.key]).fetchone()
    if values is None or not isinstance(values[0], bytes):
        raise FileError("no longer in the database")
    return values[0]


def count(path: str) -> int | None:
    """Return how many logs the database *path* has; 0 if it cannot be read, ``None`` if it would have to be copied."""
    try:
        if is_left_open(path):
            return None
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
            columns = {row[1].decode().lower() for row in connection.execute(f"PRAGMA table_info({layout.table})")}
            if {layout.id, layout.content, *filter(None, [layout.error])} <= columns:
                return layout
    return None


def _rows(connection: sqlite3.Connection, path: str, layout: Layout, key: str) -> Iterator[Entry]:
    """Page by *key*."""
    table, error = layout.table, layout.error or "0"
    # length() of a blob reads only the beginning of its row.
    columns = f"{key}, typeof({key}), {layout.id}, {error}, length({layout.content}), typeof({layout.content})"
    # Only the names in LAYOUTS and _ROW_NUMBERS are put into these queries, never anything from a database.
    first = f"SELECT {columns} FROM {table} ORDER BY {key} LIMIT {_PAGE}"  # noqa: S608
    after = f"SELECT {columns} FROM {table} WHERE {key} > ? ORDER BY {key} LIMIT {_PAGE}"  # noqa: S608
    query = f"SELECT {layout.content} FROM {table} WHERE {key} = ?"  # noqa: S608
    page = connection.execute(first).fetchall()
    last: set[str | bytes | float] = set()
    while page:
        end = _value(*page[-1][:2])
        if end in last:
            raise sqlite3.DatabaseError("its rows are not in order")
        last.add(end)
        for raw_key, key_kind, id_, failed, size, kind in page:
            key_value = _value(raw_key, key_kind)
            member = _text(id_) or f"row {_text(raw_key)}"
            stamp = f"{_text(failed)}:{_text(kind)}:{size}"
            fetch = Row(path, query, key_value, size) if size and not failed else Passed(NOT_DOWNLOADED)
            yield Entry(path, readable(member), stamp, fetch)
        page = connection.execute(after, [end]).fetchall()


def _key(connection: sqlite3.Connection, layout: Layout) -> str | None:
    """Return the column that identifies a row: its number if the table has one, because IDs may be missing or repeated;
    otherwise the ID, if that is the primary key."""
    columns = {row[1].decode().lower(): row[5] for row in connection.execute(f"PRAGMA table_xinfo({layout.table})")}
    for name in _ROW_NUMBERS:
        if name not in columns and _has(connection, layout.table, name):
            return name
    return layout.id if [name for name, key_position in columns.items() if key_position] == [layout.id] else None


def _has(connection: sqlite3.Connection, table: str, column: str) -> bool:
    try:
        connection.execute(f"SELECT {column} FROM {table} LIMIT 1").fetchone()  # noqa: S608 - as above
    except sqlite3.OperationalError:
        return False
    return True


def _value(key: bytes | float, kind: bytes) -> str | bytes | float:
    """Return the value of a key as SQLite compares it: text and blobs, which both come as bytes, are never equal."""
    return key.decode() if isinstance(key, bytes) and kind == b"text" else key


def _text(value: object) -> str:
    if value is None:
        return ""
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
