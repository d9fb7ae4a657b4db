"""Zips, tars and databases to make inputs from, and what keeps changed ones readable enough to be read on.

A tar begins each member with a checksum, and a zip ends with the size and place of its directory: an edit that leaves
them as they are is noticed at once, and tests nothing behind them.
"""

from __future__ import annotations

import gzip
import io
import re
import sqlite3
import struct
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from casefiles import FIXTURES

_BLOCK = 512
_CHECKSUM = slice(148, 156)
_MAGIC = slice(257, 262)
_END = struct.Struct("<4s4H2IH")
_MEMBER = struct.Struct("<4sHHHHHHIIIHHHHHII")
_MOST_STEPS = 2_000_000  # of SQLite's virtual machine to make a database: a tenth of a second
_MOST_PAGES = 256
_STEPS = 1000
_PATCH = re.compile(r"-- bytes ([0-9]{1,7}) ((?:[0-9a-f]{2}){1,64})")


def _game() -> bytes:
    return (FIXTURES / "valid" / "plain.xml").read_bytes()[:600]


def zips() -> list[bytes]:
    """Return small zips with stored, deflated and bzip2 members, with comments and extra fields."""
    members = {"2019/a.mjlog": _game(), "b.xml": gzip.compress(_game(), mtime=0), "c/": b"", "d": b"", "readme": b"x"}
    packed = []
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2):
        for forced in (False, True):
            file = io.BytesIO()
            with zipfile.ZipFile(file, "w", method) as archive:
                for name, content in members.items():
                    member = zipfile.ZipInfo(name)
                    member.comment = b"comment" if forced else b""
                    member.compress_type = method
                    with archive.open(member, "w", force_zip64=forced) as opened:
                        opened.write(content)
                archive.comment = b"PK\x05\x06" if forced else b""
            packed.append(file.getvalue())
    return packed


def with_right_end(content: bytes) -> bytes:
    """Return the zip *content* with an end record that fits its directory, if it has both."""
    end, start = content.rfind(b"PK\x05\x06"), content.find(b"PK\x01\x02")
    if not 0 <= start <= end <= len(content) - _END.size:
        return content
    number = content.count(b"PK\x01\x02", start, end) % (1 << 16)
    comment = len(content) - end - _END.size
    fixed = _END.pack(b"PK\x05\x06", 0, 0, number, number, end - start, start, comment % (1 << 16))
    return content[:end] + fixed + content[end + _END.size :]


def tars() -> list[bytes]:
    """Return small tars in the dialects, with long names, links, attributes and sparse files."""
    packed = []
    for dialect in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        file = io.BytesIO()
        with tarfile.open(fileobj=file, mode="w", format=dialect) as archive:
            for name, kind in (
                ("2019", tarfile.DIRTYPE),
                ("2019/a.mjlog", tarfile.REGTYPE),
                ("link", tarfile.SYMTYPE),
                ("long" * (20 if dialect == tarfile.USTAR_FORMAT else 40), tarfile.REGTYPE),
                ("é.xml", tarfile.REGTYPE),
                ("sparse", tarfile.GNUTYPE_SPARSE),
            ):
                member = tarfile.TarInfo(name)
                member.type = kind
                member.linkname = "a" if kind == tarfile.SYMTYPE else ""
                member.size = 600 if kind == tarfile.REGTYPE else 0
                archive.addfile(member, io.BytesIO(_game()))
        packed += [file.getvalue()[: -17 * _BLOCK], gzip.compress(file.getvalue(), mtime=0)]
    return packed


def with_right_checksums(content: bytes) -> bytes:
    """Return the tar *content* with the right checksum in each block that says it is a header."""
    fixed = bytearray(content)
    for start in range(0, len(content) - _BLOCK + 1, _BLOCK):
        block = fixed[start : start + _BLOCK]
        if block[_MAGIC] == b"ustar":
            block[_CHECKSUM] = b" " * 8
            fixed[start + _CHECKSUM.start : start + _CHECKSUM.stop] = b"%06o\x00 " % sum(block)
    return bytes(fixed)


def schemas() -> list[bytes]:
    """Return the SQL of databases: the three layouts with a few rows, and what a schema must not do."""
    values = ",".join(f"('2019041809gm-00a9-0000-0000000{index}',0,{log})" for index, log in enumerate(_LOGS))
    rows = f"INSERT INTO logs VALUES {values};\n"  # noqa: S608 - our own
    layouts = (
        "CREATE TABLE logs (id TEXT PRIMARY KEY, was_error INTEGER NOT NULL, log BLOB) WITHOUT ROWID;\n",
        "CREATE TABLE logs (id TEXT, was_error INTEGER, log BLOB);\nCREATE INDEX by_id ON logs (id);\n",
        "CREATE TABLE logs (log_id TEXT PRIMARY KEY, was_error INT, log_content TEXT);\n",
    )
    return [
        *((layout + rows).encode() for layout in layouts),
        _BY_NUMBER,
        *(layouts[1].encode() + statement + rows.encode() for statement in _ODD),
    ]


_BY_NUMBER = (
    b"CREATE TABLE mjlog (id INTEGER PRIMARY KEY, content TEXT);\nINSERT INTO mjlog VALUES (1,'<x/>'),(-1,x'00');\n"
)
_LOGS = ("x'1f8b'", "'<mjloggm/>'", "NULL", "7", "zeroblob(5000)", "''")
_ODD = (
    b"CREATE VIEW v AS SELECT * FROM logs;\nCREATE TRIGGER t AFTER INSERT ON logs BEGIN DELETE FROM logs; END;\n",
    b"CREATE INDEX e ON logs (length(log)) WHERE id > 'a';\n",
    b"ALTER TABLE logs ADD COLUMN g AS (hex(log));\n",
    b"PRAGMA writable_schema=ON;\nUPDATE sqlite_master SET rootpage=2 WHERE name='by_id';\n",
    b"PRAGMA page_size=512;\nPRAGMA encoding='UTF-16le';\nPRAGMA auto_vacuum=2;\n-- bytes 100 0d00\n",
)


def database(script: bytes, path: Path) -> None:
    """Make a database at *path* by running the SQL *script*, as far as it works.

    A line ``-- bytes 100 0d00`` puts these bytes at an offset of the file when it is complete.
    """
    text = script.decode("utf-8", "replace")
    left = _MOST_STEPS // _STEPS

    def tick() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1 << 20)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.execute(f"PRAGMA max_page_count = {_MOST_PAGES}")
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.set_progress_handler(tick, _STEPS)
        connection.set_authorizer(
            lambda action, *_: sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_ATTACH else sqlite3.SQLITE_OK
        )
        for statement in _statements(text):
            with suppress(sqlite3.Error, sqlite3.Warning, ValueError):
                connection.execute(statement).fetchmany(10)
    content = bytearray(path.read_bytes())
    for offset, digits in _PATCH.findall(text):
        if int(offset) < len(content):
            content[int(offset) : int(offset) + len(digits) // 2] = bytes.fromhex(digits)
    path.write_bytes(content)


def _statements(text: str) -> list[str]:
    """Return the statements of *text*: they end with a semicolon at the end of a line."""
    return [statement for statement in text.split(";\n") if statement.strip()]


MADE: dict[str, Callable[[], list[bytes]]] = {"zips": zips, "tars": tars, "databases": schemas}
"""By target: what makes its corpus."""
