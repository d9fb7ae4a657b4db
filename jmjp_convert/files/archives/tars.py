"""Reads the members of a tar, plain or gzipped, in one pass."""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from jmjp_convert.files.archives.entry import ARCHIVE, Entry, Fetch, Held, Passed, Refused, readable, refused
from jmjp_convert.files.inputs import describe

_PIECE = 1 << 16
_LONGEST_HEADER = 1 << 20  # a name or a table of attributes; anything longer is an attack
_NO_FILE = "not a regular file"


def members(path: str, max_size: int, *, packed: bool) -> Iterator[Entry]:
    """Yield the files in the tar *path*, with their bytes.

    :param max_size: the maximum size of a member in bytes.
    :param packed: whether the tar is gzip.
    """
    try:
        with Path(path).open("rb") as raw, gzip.open(raw) if packed else raw as content:
            file = _Forward(cast("IO[bytes]", content), max(max_size, _LONGEST_HEADER))
            with tarfile.TarFile(fileobj=cast("IO[bytes]", file), errorlevel=1) as tar:
                yield from _members(tar, path, max_size)
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, ValueError) as error:
        yield refused(path, ARCHIVE, f"the tar is truncated or corrupt: {str(error).lower()}")
    except OSError as error:
        yield refused(path, ARCHIVE, describe(error))


def _members(tar: tarfile.TarFile, path: str, max_size: int) -> Iterator[Entry]:
    while (info := tar.next()) is not None:
        tar.members = []  # type: ignore[attr-defined] # otherwise it would keep them all
        if info.isdir():
            continue
        fetch = _fetch(tar, info, max_size)
        checksum = zlib.crc32(fetch.content) if isinstance(fetch, Held) else 0
        yield Entry(path, readable(info.name), f"{info.size}:{checksum:08x}", fetch)


def _fetch(tar: tarfile.TarFile, info: tarfile.TarInfo, max_size: int) -> Fetch:
    if not info.isreg() or info.issparse():
        return Passed(_NO_FILE)
    if info.size > max_size:
        return Refused("file", f"larger than {max_size:,} bytes (--max-size)")
    file = tar.extractfile(info)
    assert file is not None
    content = file.read()
    if len(content) < info.size:
        raise EOFError("unexpected end of data")
    return Held(content)


class _Forward(io.RawIOBase):
    """A file that is only read forward, and never more than *most* bytes at once: a header may claim any length."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self._file = file
        self._most = most
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence or offset < self._place:
            raise ValueError("cannot seek backwards")
        while self._place < offset and self.read(min(_PIECE, offset - self._place)):
            pass
        return self._place

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= self._most:
            raise ValueError("invalid header length")
        content = self._file.read(size)
        self._place += len(content)
        return content
