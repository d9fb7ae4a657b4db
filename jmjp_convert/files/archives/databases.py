"""Reads logs from SQLite databases of houou-logs, phoenix-logs and tenhou-visualizer, recognized by their columns.

A database may come from anyone, and SQLite runs what its schema says: a view or virtual table in place of the table of
logs can return rows for ever. So only an ordinary table is read, with few functions and a limited number of steps
(source: sqlite.org, "Defense Against The Dark Arts").
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePath
from typing import Any, NamedTuple
from urllib.parse import quote

from jmjp_convert.errors import FileError
from jmjp_convert.files import sqlite_lock
from jmjp_convert.files.archives.entry import (
    ARCHIVE,
    FILE,
    DatabaseRow,
    Entry,
    InMemory,
    Passed,
    Patience,
    Refused,
    readable,
    refused,
)
from jmjp_convert.files.inputs import most_packed, too_large

_PAGE = 1000
_VERSIONS = slice(18, 20)  # of the database header: the file format versions for writing and reading
_ROW_NUMBERS = ("rowid", "_rowid_", "oid")  # the names for the row number, unless a column has the name
_EXPRESSION = -2  # in place of a column of an index
_LONGEST_ID = 200  # characters shown of a log ID
NOT_DOWNLOADED = "not downloaded"
NO_CONTENT = "no longer in the database"

# --- limits ----------------------------------------------------------------------------------------------------------

_STEPS = 1_000  # of SQLite's virtual machine between two looks at them: some 50 rows
_MOST_STEPS = 20_000_000  # per query: a page of rows takes about 20,000
_SMALLEST_ROW = 4
"""Bytes that a row takes at least: two of content, two for its place in the page (source: SQLite's file format, section
1.6). Pages that occur twice in a damaged table give more rows than there is room for."""
_FUNCTIONS = frozenset(("count", "length", "substr", "typeof"))
_SCHEMA_PRAGMAS = frozenset(("index_list", "index_xinfo", "table_xinfo"))
_PRAGMAS = (
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "query_only = ON",
    "temp_store = MEMORY",
    "mmap_size = 0",
    f"hard_heap_limit = {1 << 30}",
)
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 1 << 28,  # bytes of a row
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 200,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 5,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 10,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 10_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 10,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}


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
_TABLES = frozenset(("sqlite_master", *(layout.table for layout in LAYOUTS)))


class UnusableError(sqlite3.DatabaseError):
    """A database without a table of logs that can be read safely."""


class Database:
    """A database of logs that is only read."""

    def __init__(self, connection: sqlite3.Connection, check: Callable[[], None]) -> None:
        """Limit what reading through *connection* can do, and find the table of logs.

        :param check: called now and then during a query, which ends if this raises an exception.
        :raises UnusableError: there is none, or it is not an ordinary table.
        :raises sqlite3.Error: the database cannot be read.
        """
        self._connection = connection
        self._left = 0
        self._check = check
        self._raised: BaseException | None = None
        self._restrict()
        self.layout = self._layout()  # its table of logs
        self.key = self._key()  # the column that identifies a row

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def rows(self, query: str, *values: str | bytes | float) -> list[tuple[Any, ...]]:
        """Return the rows that *query* selects. Texts and blobs are both bytes.

        :raises sqlite3.Error: it fails, is not allowed, or takes too many steps.
        """
        self._left = _MOST_STEPS
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.OperationalError:
            if self._raised is not None:
                raise self._raised from None
            if self._left < 0:
                raise sqlite3.OperationalError("reading it takes too many steps") from None
            raise

    def number(self) -> int:
        """Return the number of rows of the table."""
        ((number,),) = self.rows(f"SELECT count(*) FROM {self.layout.table}")  # noqa: S608 - a name in LAYOUTS
        return int(number)

    def content(self, key: str | bytes | float) -> bytes | None:
        """Return the content of the row with this *key*; ``None`` if there is no such row, or a number in it."""
        query = f"SELECT {self.layout.content} FROM {self.layout.table} WHERE {self.key} = ?"  # noqa: S608 - as above
        rows = self.rows(query, key)
        return rows[0][0] if rows and isinstance(rows[0][0], bytes) else None

    # --- limits ------------------------------------------------------------------------------------------------------

    def _restrict(self) -> None:
        connection = self._connection
        connection.text_factory = bytes
        for category, most in _LIMITS.items():
            connection.setlimit(category, most)
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").fetchall()
        connection.set_progress_handler(self._ticks().__next__, _STEPS)
        connection.set_authorizer(_authorized)

    def _ticks(self) -> Iterator[bool]:
        """Yield, whenever a query has taken some steps, whether it must end.

        A signal that arrives during a query, such as Ctrl-C, raises its exception where Python code continues, and
        SQLite drops what a handler raises. A generator continues inside this ``try``, a function would not.
        """
        while True:
            try:
                yield self._raised is not None or self._left < 0
                self._left -= _STEPS
                self._check()
            except GeneratorExit:
                raise
            except BaseException as error:  # noqa: BLE001 - raised again when the query has ended
                self._raised = error

    # --- the table of logs -------------------------------------------------------------------------------------------

    def _layout(self) -> Layout:
        for layout in LAYOUTS:
            columns = self._columns(layout.table)
            if {layout.id, layout.content, *filter(None, [layout.error])} <= columns.keys():
                self._expect_plain(layout.table, columns)
                return layout
        raise UnusableError("the database has no table of logs like those of houou-logs or phoenix-logs")

    def _columns(self, table: str) -> dict[str, tuple[Any, ...]]:
        """Return what SQLite says of each column of *table*, by name; nothing if there is no such table.

        :raises UnusableError: it is a view, or a virtual table, which SQLite would already run code to describe.
        """
        query = "SELECT type, rootpage, substr(sql, 1, 13) FROM sqlite_master WHERE name = ? COLLATE NOCASE"
        for kind, page, sql in self.rows(query, table):
            if kind == b"view" or (kind == b"table" and (not page or sql.upper() != b"CREATE TABLE ")):
                raise UnusableError(f"{table} is a view or a virtual table, not an ordinary table")
        return {row[1].decode().lower(): row for row in self.rows(f"PRAGMA table_xinfo({table})")}

    def _expect_plain(self, table: str, columns: dict[str, tuple[Any, ...]]) -> None:
        """Check that reading *table* calculates nothing that its schema says."""
        if any(row[6] for row in columns.values()):
            raise UnusableError(f"table {table} has generated or hidden columns")
        for _, index, *_ in self.rows(f"PRAGMA index_list({table})"):
            name = index.decode().replace('"', '""')
            if any(column == _EXPRESSION for _, column, *_ in self.rows(f'PRAGMA index_xinfo("{name}")')):
                raise UnusableError(f"table {table} has an index on an expression")

    def _key(self) -> str:
        """Return the column that identifies a row: its number if the table has one, because IDs may be missing or
        repeated; otherwise the ID, if that is the primary key."""
        table, columns = self.layout.table, self._columns(self.layout.table)
        for name in _ROW_NUMBERS:
            if name not in columns and self._has(name):
                return name
        if [name for name, row in columns.items() if row[5]] == [self.layout.id]:
            return self.layout.id
        raise UnusableError(f"table {table} has neither row numbers nor {self.layout.id} as its key")

    def _has(self, column: str) -> bool:
        try:
            self.rows(f"SELECT {column} FROM {self.layout.table} LIMIT 1")  # noqa: S608 - as above
        except sqlite3.OperationalError:
            return False
        return True


def _authorized(action: int, first: str | None, second: str | None, _: str | None, within: str | None) -> int:
    """Return whether SQLite may prepare an action of a query.

    :param within: the view or trigger that asks for it, if there is one.
    """
    allowed = within is None and (
        action == sqlite3.SQLITE_SELECT
        or (action == sqlite3.SQLITE_READ and (first or "").lower() in _TABLES)
        or (action == sqlite3.SQLITE_FUNCTION and second in _FUNCTIONS)
        or (action == sqlite3.SQLITE_PRAGMA and first in _SCHEMA_PRAGMAS)
    )
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


# --- opening ---------------------------------------------------------------------------------------------------------


def connect(path: str) -> Database:
    """Open the database *path* without writing to it or next to it.

    :raises UnusableError: it has no table of logs that can be read safely.
    :raises sqlite3.Error: it cannot be opened, for instance because it can only be read as a copy.
    :raises OSError: it cannot be read.
    """
    return _connected(path, _options(path) or _IN_USE, lambda: None)


_IN_USE = "mode=ro&readonly_shm=1"


def _options(path: str) -> str:
    """Return how SQLite opens the database *path* without leaving new files next to it. Empty if it can only
    be read as a copy: its write-ahead log has content, but to read that, SQLite would have to create the shared-memory
    file.

    :raises OSError: it cannot be read.
    """
    with Path(path).open("rb") as file:
        has_log = file.read(_VERSIONS.stop)[_VERSIONS] == b"\x02\x02"  # source: SQLite's file format, 1.3.3
    log = _log(path)
    if not has_log:
        return "mode=ro"
    if not log.exists():
        return "mode=ro&immutable=1"
    if Path(f"{path}-shm").exists():
        return _IN_USE
    return "" if log.stat().st_size else "mode=ro&immutable=1"


def _log(path: str) -> Path:
    return Path(f"{path}-wal")


def _connected(path: str, options: str, check: Callable[[], None]) -> Database:
    connection = sqlite3.connect(f"{uri(Path(path).absolute())}?{options}", uri=True, check_same_thread=False)
    try:
        return Database(connection, check)
    except BaseException:
        connection.close()
        raise


def uri(path: PurePath) -> str:
    """Return the URI by which SQLite opens the absolute *path*. It takes no host, as in ``as_uri()`` of a UNC path, but
    a path that begins with two slashes."""
    name = path.as_posix()
    return f"file://{'' if name.startswith('/') else '/'}{quote(os.fsencode(name), safe='/:')}"


@contextmanager
def _copied(path: str, check: Callable[[], None]) -> Iterator[Database]:
    """Open a copy of the database *path*, which no one has open, so no one writes to it meanwhile."""
    with sqlite_lock.copied(Path(path)) as copy, closing(_connected(str(copy), "mode=rw", check)) as database:
        yield database


def rows(path: str, patience: Patience) -> Iterator[Entry]:
    """Yield the logs in the database *path* in order of log ID or row number.

    If it has to be copied, their bytes are read at once, because the copy is deleted afterwards.

    :raises OSError: it cannot be read.
    :raises GivenUpError: *patience* is over.
    """
    try:
        options = _options(path)
        size = sum(file.stat().st_size for file in (Path(path), _log(path)) if file.exists())
        opened = closing(_connected(path, options, patience.check)) if options else _copied(path, patience.check)
        with opened as database:
            for entry in _rows(database, path, size):
                yield entry if options else _in_memory(entry, database)
    except UnusableError as error:
        yield refused(path, ARCHIVE, str(error))
    except (sqlite3.Error, UnicodeError) as error:
        yield refused(path, ARCHIVE, f"cannot read the database: {error}")


def _in_memory(entry: Entry, database: Database) -> Entry:
    fetch = entry.fetch
    if not isinstance(fetch, DatabaseRow):
        return entry
    content = database.content(fetch.key)
    return entry._replace(fetch=Refused(FILE, NO_CONTENT) if content is None else InMemory(content))


def content(row: DatabaseRow, max_size: int, database: Database) -> bytes:
    """Return the content of a *row* of *database*, which may be compressed.

    :raises FileError: it is gone, or larger than *max_size* bytes whatever it decompresses to.
    """
    if row.size > most_packed(max_size):
        raise too_large(max_size)
    blob = database.content(row.key)
    if blob is None:
        raise FileError(NO_CONTENT)
    return blob


def count(path: str) -> int | None:
    """Return how many logs the database *path* has; 0 if it cannot be read, ``None`` if it would have to be copied."""
    try:
        if not _options(path):
            return None
        with closing(connect(path)) as database:
            return database.number()
    except (sqlite3.Error, UnicodeError):
        return 0


def _rows(database: Database, path: str, size: int) -> Iterator[Entry]:
    """Page by the key.

    :param size: that of the database in bytes, with its log; another program may be writing to it.
    """
    (table, id_, content, error), key = database.layout, database.key
    # length() of a blob reads only the beginning of its row; that of a text ends at the first zero byte.
    length = f"CASE typeof({content}) WHEN 'text' THEN length(CAST({content} AS BLOB)) ELSE length({content}) END"
    columns = f"{key}, typeof({key}), substr({id_}, 1, {_LONGEST_ID}), {error or 0}, {length}, typeof({content})"
    # Only the names in LAYOUTS and _ROW_NUMBERS are put into these queries, never anything from a database.
    first = f"SELECT {columns} FROM {table} ORDER BY {key} LIMIT {_PAGE}"  # noqa: S608
    after = f"SELECT {columns} FROM {table} WHERE {key} > ? ORDER BY {key} LIMIT {_PAGE}"  # noqa: S608
    page = database.rows(first)
    last: set[str | bytes | float] = set()
    rows_left, bytes_left = size // _SMALLEST_ROW + _PAGE, 2 * size
    while page:
        end = _value(*page[-1][:2])
        if end in last:
            raise sqlite3.DatabaseError("its rows are not in order")
        last.add(end)
        rows_left -= len(page)
        for key_value, key_kind, log_id, failed, length, kind in page:
            bytes_left -= length or 0
            if rows_left < 0 or bytes_left < 0:
                raise sqlite3.DatabaseError("its rows overlap")
            where = _value(key_value, key_kind)
            member = _text(log_id) or f"row {_text(key_value)}"
            stamp = f"{_text(failed)}:{_text(kind)}:{length}"
            fetch = DatabaseRow(path, where, length) if length and not failed else Passed(NOT_DOWNLOADED)
            yield Entry(path, readable(member), stamp, fetch)
        page = database.rows(after, end)


def _value(key: bytes | float, kind: bytes) -> str | bytes | float:
    """Return the value of a key as SQLite compares it: text and blobs, which both come as bytes, are never equal."""
    return key.decode() if isinstance(key, bytes) and kind == b"text" else key


def _text(value: object) -> str:
    if value is None:
        return ""
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
