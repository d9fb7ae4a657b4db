"""Reads the content of an entry up to a size bound, and verifies checksums where they exist."""

from __future__ import annotations

import bz2
import io
import sqlite3
import zlib
from contextlib import ExitStack, closing
from pathlib import Path
from typing import IO, Self

from jmjp_convert.errors import FileError
from jmjp_convert.files.archives import databases
from jmjp_convert.files.archives.entry import Fetch, File, Held, Row, Zipped
from jmjp_convert.files.archives.zips import MISPLACED
from jmjp_convert.files.compression import compression_of
from jmjp_convert.files.inputs import chunks, describe, most_packed, too_large
from jmjp_convert.files.zip_records import BZIP2, DEFLATED, LOCAL, LOCAL_SIGNATURE, STORED


class Fetcher:
    """Fetches the content of inputs; a context manager that keeps their archives open until it exits."""

    def __init__(self, max_size: int) -> None:
        """Create a fetcher for inputs of at most *max_size* bytes."""
        self._max_size = max_size
        self._open = ExitStack()
        self._files: dict[str, IO[bytes]] = {}
        self._databases: dict[str, sqlite3.Connection] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def content(self, fetch: Fetch) -> bytes:
        """Return the content that *fetch* refers to, decompressed if it is compressed.

        :raises FileError: it cannot be read or decompressed, or is too large.
        """
        try:
            raw = self._raw(fetch)
        except OSError as error:
            raise FileError(describe(error)) from error
        except sqlite3.Error as error:
            raise FileError(f"cannot read the database: {error}") from error
        if compression_of(raw):
            return b"".join(chunks(io.BytesIO(raw), self._max_size))
        if len(raw) > self._max_size:
            raise too_large(self._max_size)
        return raw

    def _raw(self, fetch: Fetch) -> bytes:
        if isinstance(fetch, File):
            return _file(fetch, self._max_size)
        if isinstance(fetch, Zipped):
            return _zipped(fetch, self._max_size, self._file(fetch.path))
        if isinstance(fetch, Row):
            return _row(fetch, self._max_size, self._database(fetch.path))
        if isinstance(fetch, Held):
            return fetch.content
        raise FileError(fetch.reason)

    def _file(self, path: str) -> IO[bytes]:
        if path not in self._files:
            self._files[path] = self._open.enter_context(Path(path).open("rb"))  # noqa: SIM115 - closed by the ExitStack
        return self._files[path]

    def _database(self, path: str) -> sqlite3.Connection:
        if path not in self._databases:
            self._databases[path] = self._open.enter_context(closing(databases.connect(path)))
        return self._databases[path]


def _file(fetch: File, max_size: int) -> bytes:
    with open(fetch.path, "rb", buffering=0) as file:
        return _read(file, most_packed(max_size))


def _row(fetch: Row, max_size: int, database: sqlite3.Connection) -> bytes:
    if fetch.size > most_packed(max_size):
        raise too_large(max_size)
    found = database.execute(fetch.query, [fetch.key]).fetchone()
    if found is None or not isinstance(found[0], bytes):
        raise FileError("no longer in the database")
    return found[0]


def _zipped(fetch: Zipped, max_size: int, file: IO[bytes]) -> bytes:
    if max(fetch.size, fetch.length) > most_packed(max_size):
        raise too_large(max_size)
    file.seek(fetch.offset)
    head = file.read(LOCAL.size)
    if len(head) < LOCAL.size or not head.startswith(LOCAL_SIGNATURE):
        raise FileError(MISPLACED)
    *_, name_length, extra_length = LOCAL.unpack(head)
    file.seek(name_length + extra_length, 1)
    packed = file.read(fetch.size)
    if len(packed) < fetch.size:
        raise FileError("the zip is truncated")
    content = _inflated(packed, fetch.method, fetch.length)
    if len(content) != fetch.length or zlib.crc32(content) != fetch.checksum:
        raise FileError("the zip is corrupt: checksum mismatch")
    return content


def _inflated(packed: bytes, method: int, length: int) -> bytes:
    bound = length + 1
    try:
        if method == STORED:
            return packed
        if method == DEFLATED:
            return zlib.decompressobj(wbits=-15).decompress(packed, bound)
        if method == BZIP2:
            return bz2.BZ2Decompressor().decompress(packed, bound)
    except (zlib.error, OSError) as error:
        raise FileError(f"the zip is corrupt: {error}") from error
    raise FileError(f"unknown zip compression method {method}")


def _read(file: IO[bytes], most: int) -> bytes:
    """Return the rest of *file*, up to one byte more than *most*."""
    parts, size = [], 0
    while size <= most and (part := file.read(min(1 << 16, most + 1 - size))):
        parts.append(part)
        size += len(part)
    return b"".join(parts)
