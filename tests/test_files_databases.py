"""A database that somebody made to run for ever, or to run something, is one failure, and soon."""

from __future__ import annotations

import os
import signal
import sqlite3
import struct
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from batching import (
    batch,
    counted,
    failures,
    summary,
    work_there,  # noqa: F401 - pytest finds it by its name
)
from converting import posix
from packing import HOUOU_2, PLAIN, database, game
from tables import table

from jmjp_convert.files import archives
from jmjp_convert.files.archives import databases
from jmjp_convert.files.archives.entry import DatabaseRow, Refused

ENDLESS = """
create view v as select i as r, '2019041809gm-0009-0000-00000051' id, zeroblob(10) log, 0 was_error
  from (with recursive c(i) as (select 1 union all select i + 1 from c) select i from c);
"""
"""A view that has rows without end."""

ORDINARY = "create table logs(id text primary key, log blob, was_error int);"


def made(script: str) -> None:
    """Make the database `evil`."""
    with closing(sqlite3.connect("evil")) as connection:
        connection.executescript(script)


@pytest.mark.parametrize(("script", "message"), table("files_databases", "hostile_schema", globals()))
def test_hostile_schema(script: str, message: str) -> None:
    """A table of logs that is not an ordinary table is one failure, and counts nothing."""
    made(ENDLESS + script)
    batch("evil", "-o", "out", code=1)
    assert summary() == counted(failed={"archive": 1})
    assert message in failures()[0]["message"]
    assert databases.count("evil") == 0


def test_ordinary_index_and_trigger() -> None:
    """Ordinary indexes and triggers, which reading does not run, do no harm."""
    database(Path("evil"), HOUOU_2, {game(1): PLAIN})
    made(
        "create index by_date on logs(date); create table other(x);"
        "create trigger t after insert on logs begin insert into other values (1); end"
    )
    batch("evil", "-o", "out")
    assert summary() == counted(converted=1)


@pytest.fixture
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow the queries of a database only few steps."""
    monkeypatch.setattr(databases, "_STEPS", 100)
    monkeypatch.setattr(databases, "_MOST_STEPS", 1000)


@pytest.mark.usefixtures("few_steps")
def test_too_many_steps() -> None:
    """A query that takes too many steps ends."""
    database(Path("evil"), HOUOU_2, {game(number): PLAIN for number in range(200)})
    batch("evil", "-o", "out", code=1)
    assert failures()[0]["message"] == "cannot read the database: reading it takes too many steps"


@pytest.mark.parametrize("query", table("files_databases", "nothing_else_is_allowed"))
def test_nothing_else_is_allowed(query: str) -> None:
    """Queries reach the schema and the table of logs alone, with the functions that are used."""
    database(Path("evil"), HOUOU_2 + "CREATE TABLE other(name);", {game(1): PLAIN})
    with (
        closing(databases.connect("evil")) as opened,
        pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"),
    ):
        opened.rows(query)


_ENDLESS_QUERY = """
import sys, sqlite3
from jmjp_convert.cli import main
from jmjp_convert.files import archives
from jmjp_convert.files.archives import databases
from jmjp_convert.files.archives.entry import Refused, DatabaseRow
databases._MOST_STEPS = 10 ** 15
databases._FUNCTIONS |= {"max"}
databases._authorized = lambda *_: sqlite3.SQLITE_OK
forever = "with recursive c(i) as (select 1 union all select i + 1 from c) select max(i) from c"
databases.Database.number = lambda self: print("counting", flush=True) or self.rows(forever)
databases._rows = lambda database, path: print("reading", flush=True) or database.rows(forever)
main(["info", "evil"])
"""


@posix
@pytest.mark.usefixtures("heard_signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signals_during_a_query(number: signal.Signals, code: int) -> None:
    """A signal ends the program although SQLite is busy with a query."""
    database(Path("evil"), HOUOU_2, {game(1): PLAIN})
    start = [sys.executable, "-c", _ENDLESS_QUERY]
    with subprocess.Popen(start, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.2)
        os.kill(process.pid, number)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == code
    assert b"Traceback" not in errors


# --- rows that share their pages --------------------------------------------------------------------------------------


def test_pages_that_occur_twice() -> None:
    """A damaged table whose pages occur again and again has no more rows than there is room for."""
    with closing(sqlite3.connect("evil", isolation_level=None)) as connection:
        connection.execute("PRAGMA page_size = 512")
        connection.execute("CREATE TABLE logs (id, was_error, log)")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO logs VALUES (NULL, 0, NULL)", [()] * 3000)
        connection.execute("COMMIT")
        ((root,),) = connection.execute("SELECT rootpage FROM sqlite_master").fetchall()
    content = bytearray(Path("evil").read_bytes())
    page = 512 * (root - 1)
    assert content[page] == 5  # it has the numbers of other pages
    (number,) = struct.unpack_from(">H", content, page + 3)
    offsets = [page + offset for offset in struct.unpack_from(f">{number}H", content, page + 12)]
    for offset in (*offsets, page + 8):
        content[offset : offset + 4] = content[offsets[0] : offsets[0] + 4]
    Path("evil").write_bytes(content)
    *read, last = archives.entries("evil", 1 << 20)
    assert last.fetch == Refused("archive", "cannot read the database: its rows overlap")
    assert len(read) <= 1000 + len(content) // 4


def test_contents_that_overlap() -> None:
    """Rows that say that they are larger than the database, together, are rejected before they are read."""
    with closing(sqlite3.connect("evil", isolation_level=None)) as connection:
        connection.execute("PRAGMA page_size = 512")
        connection.execute("CREATE TABLE logs (id, was_error, log)")
        connection.executemany(
            "INSERT INTO logs VALUES (?, 0, zeroblob(200000))", [(f"{index}",) for index in range(6)]
        )
    content = Path("evil").read_bytes()
    for row in range(1, 7):
        before, after = (
            varint(7 + size) + bytes([row, 6, 15, 8]) + varint(2 * size + 12)
            for size in (200_000, 200_000 + 508 * 1000)  # as many whole pages more
        )
        assert content.count(before) == 1
        content = content.replace(before, after)
    Path("evil").write_bytes(content)
    *_, last = archives.entries("evil", 1 << 20)
    assert last.fetch == Refused("archive", "cannot read the database: its rows overlap")


def varint(number: int) -> bytes:
    """Return *number* as SQLite writes it (source: SQLite's file format, section 1.6)."""
    digits = [number & 0x7F]
    while number := number >> 7:
        digits.append(number & 0x7F | 0x80)
    return bytes(reversed(digits))


def test_length_of_a_text() -> None:
    """The length of a text is that of its bytes, and does not end at a zero byte."""
    with closing(sqlite3.connect("evil", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE logs (id, was_error, log)")
        connection.execute("INSERT INTO logs VALUES ('a', 0, ?)", ["é\x00" * 10])
    (entry,) = archives.entries("evil", 1 << 20)
    assert isinstance(entry.fetch, DatabaseRow)
    assert entry.fetch.size == 30
