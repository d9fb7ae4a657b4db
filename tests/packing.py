"""Make archives for tests from the fixtures."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sqlite3
import struct
import sys
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = (FIXTURES / "valid" / "plain.xml").read_bytes()
SHORT = (FIXTURES / "valid" / "four-winds.xml").read_bytes()
OTHER = (FIXTURES / "valid" / "chi-low.xml").read_bytes()
SANMA = (FIXTURES / "invalid" / "sanma.xml").read_bytes()
BROKEN = (FIXTURES / "invalid" / "discard-not-held.xml").read_bytes()

HOUOU_1 = """
CREATE TABLE logs (id TEXT PRIMARY KEY, date TEXT NOT NULL, num_players INTEGER NOT NULL, is_tonpu INTEGER NOT NULL,
  is_processed INTEGER NOT NULL, was_error INTEGER NOT NULL, log BLOB) WITHOUT ROWID;
CREATE TABLE file_index (file TEXT PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE last_fetch_time (time REAL);
"""
HOUOU_2 = HOUOU_1.replace("last_fetch_time (time REAL)", "fetch_state (kind TEXT PRIMARY KEY)")
PHOENIX = """
CREATE TABLE logs(log_id text primary key, date text, is_tonpusen int, is_sanma int, is_processed int, was_error int,
  log_content text);
CREATE TABLE last_downloads(name text, date int);
"""


def game(number: int, day: str = "20190418") -> str:
    """Return the ID of an invented game."""
    return f"{day}{number % 24:02}gm-00a9-0000-{number:08x}"


def named(number: int, log: bytes = PLAIN) -> bytes:
    """Return a game, made from *log*, that differs from those of other numbers."""
    return log.replace(b'rate="1834.27', b'rate="%d.%02d' % divmod(100000 + number, 100))


def zipped(members: dict[str, bytes], path: Path | None = None, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of *members*; write it to *path*, if given."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    if path is not None:
        path.write_bytes(packed.getvalue())
    return packed.getvalue()


def patched(members: dict[str, bytes], mark: bytes, offset: int, form: str, number: int) -> bytes:
    """Return a zip of *members* with another *number* at an offset from the first *mark*."""
    whole = bytearray(zipped(members))
    struct.pack_into(form, whole, whole.index(mark) + offset, number)
    return bytes(whole)


def tarred(members: dict[str, bytes], path: Path, mode: str = "w") -> None:
    """Write a tar of *members* to *path*."""
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            archive.addfile(header(name, size=len(content)), io.BytesIO(content))


def header(name: str = "x", kind: bytes = tarfile.REGTYPE, size: int = 0) -> tarfile.TarInfo:
    """Return the header of a member of a tar."""
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info


Value = bytes | str | None


def database(path: Path, schema: str, logs: dict[str | None, Value], *, failed: tuple[str, ...] = ()) -> None:
    """Write a database of *logs*, a mapping of IDs to contents, to *path*."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(schema)
        width = len(connection.execute("PRAGMA table_info(logs)").fetchall())
        for id_, value in logs.items():
            row = [id_, "2019-04-18T09:00", 4, 0, 1, int(id_ in failed), value][:width]
            connection.execute(f"INSERT INTO logs VALUES ({','.join('?' * width)})", row)  # noqa: S608 - our own
        connection.commit()


def packed(content: bytes) -> bytes:
    """Return *content* as gzip."""
    return gzip.compress(content, mtime=0)


def zstd() -> Any:
    """Return the module that compresses with zstd; without the extra, the test is skipped."""
    return pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


def _with_zstd(content: bytes) -> bytes:
    module = zstd()
    return bytes(module.compress(content, options={module.CompressionParameter.checksum_flag: 1}))


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": packed,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": _with_zstd,
}
"""How to compress, by name."""

EXTENSIONS = {"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst"}

each_packer = pytest.mark.parametrize("name", PACKERS)
