"""Reads the members of a tar, plain or compressed, in one pass.

Not with ``tarfile``: it recurses into each of a row of extension headers, accepts any number as a length, takes minutes
to find out that a row of 200,000 digits is none, and stops silently at a corrupt or missing header.
"""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from jmjp_convert.errors import FileError
from jmjp_convert.files.archives.entry import (
    ARCHIVE,
    FILE,
    Entry,
    Fetch,
    InMemory,
    Passed,
    Patience,
    Refused,
    readable,
    refused,
)
from jmjp_convert.files.archives.not_logs import NO_FILE
from jmjp_convert.files.compression import TAR_BLOCK, TrailingDataError, compression_of, decompressed, is_tar_header
from jmjp_convert.files.inputs import describe, too_large

# Source: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Header Block"; GNU tar manual, "Basic Tar Format".
_NAME, _SIZE, _TYPE = slice(0, 100), slice(124, 136), slice(156, 157)
_MAGIC, _PREFIX = slice(257, 263), slice(345, 500)
_USTAR = b"ustar"
_POSIX = b"ustar\x00"  # only here is there a prefix: GNU keeps times in its place
_REGULAR = (b"0", b"\x00", b"7")
_DIRECTORY = b"5"
_WITHOUT_DATA = (b"1", b"2", b"3", b"4", b"6", _DIRECTORY)  # whatever the size says
_GNU_NAME, _GNU_LINK, _GNU_SPARSE = b"L", b"K", b"S"
_PAX = (b"x", b"X")
_GLOBAL = b"g"  # what it sets for all members is never a name or a size
_EXTENSIONS = (_GNU_NAME, _GNU_LINK, *_PAX, _GLOBAL)
_SPARSE_MORE = 482, 504  # whether a block of a sparse file's map follows: in its header, and in such a block

_HIGH = 0x80  # of the bits of a byte
_PIECE = 1 << 16
_ZEROS = bytes(TAR_BLOCK)
_MOST_AFTER_END = 1 << 28  # bytes, of zeros or of anything else; programs pad to a few megabytes at most
_LONGEST_EXTENSION = 1 << 20  # bytes of a name or a table of attributes; anything longer is an attack
_SPARSE = b"GNU.sparse."  # begins the attributes of a sparse file
_SPARSE_NAME = b"GNU.sparse.name"
_USED = (b"path", b"size", _SPARSE_NAME)
_DIGITS = 20  # of a size in a pax header: more than any file has bytes
_FEWEST_HEADERS, _BYTES_PER_HEADER = 10_000, 64
"""A tar may have this many headers, and one more per so many bytes of its file: a log takes 1,500 in the best
compression, an empty member next to none."""
_SMALLEST_TOTAL, _MOST_TIMES = 1 << 30, 200
"""It may decompress to the first, or to so many times its size: games shrink to a thirtieth at most."""
_TOO_MUCH = f"more than {_MOST_AFTER_END:,} bytes after its end"


class BrokenTarError(ValueError):
    """A tar that cannot be read."""


class TarBombError(ValueError):
    """A tar that costs far more to read than its size suggests."""


class _Header(NamedTuple):
    """A member's header: its name, how many bytes follow, and what they are."""

    name: bytes
    size: int
    kind: bytes
    sparse: bool


def members(path: str, max_size: int, patience: Patience) -> Iterator[Entry]:
    """Yield the files in the tar *path*, with their bytes.

    :param max_size: the maximum size of a member in bytes.
    :raises GivenUpError: *patience* is over.
    """
    try:
        with Path(path).open("rb") as raw:
            compression = compression_of(raw.read(TAR_BLOCK))
            raw.seek(0)
            size = os.fstat(raw.fileno()).st_size
            blocks = _Blocks(decompressed(raw, compression) if compression else raw, size, patience)
            yield from _members(blocks, path, max_size)
            if compression:
                blocks.finish()
    except (BrokenTarError, EOFError) as error:
        yield refused(path, ARCHIVE, f"the tar is truncated or corrupt: {str(error).lower()}")
    except TarBombError as error:
        yield refused(path, ARCHIVE, f"the tar is a bomb: {error}")
    except FileError as error:
        yield refused(path, ARCHIVE, error.reason)
    except OSError as error:
        yield refused(path, ARCHIVE, describe(error))


def _members(blocks: _Blocks, path: str, max_size: int) -> Iterator[Entry]:
    while (header := _next(blocks)) is not None:
        if header.kind == _DIRECTORY:
            continue
        fetch = _fetch(header, blocks, max_size)
        checksum = zlib.crc32(fetch.content) if isinstance(fetch, InMemory) else 0
        name = readable(header.name.decode("utf-8", "surrogateescape"))
        yield Entry(path, name, f"{header.size}:{checksum:08x}", fetch)


def _next(blocks: _Blocks) -> _Header | None:
    """Return the next member's header, with what the extension headers before it say; ``None`` at the end."""
    name: bytes | None = None
    pax: dict[bytes, bytes] = {}
    extended = False
    while True:
        block = blocks.next()
        if block == _ZEROS:
            if extended:
                raise BrokenTarError("unexpected end of data")
            block = blocks.after_end()
        if not block:
            return None
        if not is_tar_header(block):
            raise BrokenTarError("invalid header checksum")
        kind = block[_TYPE]
        if kind not in _EXTENSIONS:
            return _header(block, blocks, name, pax)
        size = _number(block[_SIZE])
        if size > _LONGEST_EXTENSION:
            raise BrokenTarError("invalid header length")
        content = blocks.content(size)
        extended |= kind in (_GNU_NAME, *_PAX)
        if kind == _GNU_NAME:
            name = _text(content)
        elif kind in _PAX:
            pax |= _records(content)


def _header(block: bytes, blocks: _Blocks, name: bytes | None, pax: dict[bytes, bytes]) -> _Header:
    kind = block[_TYPE]
    if kind == _GNU_SPARSE:
        more = bool(block[_SPARSE_MORE[0]])
        while more:
            more = bool(blocks.next()[_SPARSE_MORE[1]])
    if name is None:
        prefix = _text(block[_PREFIX]) if block[_MAGIC] == _POSIX else b""
        name = b"/".join(filter(None, [prefix, _text(block[_NAME])]))
    name = pax.get(_SPARSE_NAME, pax.get(b"path", name))
    if kind == b"\x00" and name.endswith(b"/"):  # as before POSIX
        kind = _DIRECTORY
    sparse = _SPARSE in pax
    if kind in _WITHOUT_DATA:
        return _Header(name, 0, kind, sparse)
    return _Header(name, _decimal(pax[b"size"]) if b"size" in pax else _number(block[_SIZE]), kind, sparse)


def _fetch(header: _Header, blocks: _Blocks, max_size: int) -> Fetch:
    if header.kind in _REGULAR and not header.sparse:
        if header.size <= max_size:
            return InMemory(blocks.content(header.size))
        blocks.skip(header.size)
        return Refused(FILE, too_large(max_size).reason)
    blocks.skip(header.size)
    return Passed(NO_FILE)


def _text(field: bytes) -> bytes:
    return field.partition(b"\x00")[0]


def _number(field: bytes) -> int:
    """Return the number in *field*: octal digits, or in GNU's way of large numbers, binary."""
    if field[0] == _HIGH:
        return int.from_bytes(field[1:])
    digits = _text(field).strip(b" ")
    if digits.isdigit():
        try:
            return int(digits, 8)
        except ValueError:
            pass
    elif not digits:
        return 0
    raise BrokenTarError("invalid number in a header")


def _decimal(digits: bytes) -> int:
    if not digits.isdigit() or len(digits) > _DIGITS:
        raise BrokenTarError("invalid number in a header")
    return int(digits)


def _records(content: bytes) -> dict[bytes, bytes]:
    """Return the used attributes in a pax header: records of their length in digits, a space, ``key=value``, a newline.

    ``_SPARSE`` is among them if there are any of a sparse file. The rest is only checked: a row of headers can have
    any number of them.
    """
    attributes = {}
    start = 0
    while start < len(content) and content[start]:
        space = content.find(b" ", start, start + _DIGITS + 1)
        end = start + _decimal(content[start:space]) if space >= 0 else 0
        key, equals, value = content[space + 1 : end - 1].partition(b"=")
        if not space < end <= len(content) or not key or not equals or content[end - 1 : end] != b"\n":
            raise BrokenTarError("invalid attributes in a header")
        if key in _USED:
            attributes[key] = value
        if key.startswith(_SPARSE):
            attributes[_SPARSE] = b""
        start = end
    return attributes


class _Blocks:
    """The blocks of a tar, only read forward.

    :param size: the size of its file in bytes.
    """

    def __init__(self, file: IO[bytes], size: int, patience: Patience) -> None:
        self._file = file
        self._patience = patience
        self._headers_left = self._most_headers = _FEWEST_HEADERS + size // _BYTES_PER_HEADER
        self._bytes_left = self._most_bytes = max(_SMALLEST_TOTAL, _MOST_TIMES * size)

    def next(self) -> bytes:
        """Return the next block, a header.

        :raises EOFError: there is none.
        :raises TarBombError: there are too many.
        """
        self._headers_left -= 1
        if self._headers_left < 0:
            raise TarBombError(f"more than {self._most_headers:,} headers")
        return self._exactly(TAR_BLOCK)

    def after_end(self) -> bytes:
        """Return the first header after the zero blocks that end a tar; nothing if anything else follows.

        Tars are appended to each other, and some programs write a zero block between two members.

        :raises BrokenTarError: there are too many zeros.
        """
        for _ in range(_MOST_AFTER_END // TAR_BLOCK):
            block = self._some(TAR_BLOCK)
            if block != _ZEROS:
                return block if is_tar_header(block) or block[_MAGIC].startswith(_USTAR) else b""
        raise BrokenTarError(_TOO_MUCH)

    def finish(self) -> None:
        """Read what follows the end of a tar, to have its length and checksum verified.

        :raises BrokenTarError: that is too much.
        """
        for _ in range(_MOST_AFTER_END // _PIECE):
            if not self._some(_PIECE):
                return
        raise BrokenTarError(_TOO_MUCH)

    def content(self, size: int) -> bytes:
        """Return the next *size* bytes, which fill whole blocks.

        :raises EOFError: there are fewer.
        """
        return self._exactly(size + -size % TAR_BLOCK)[:size]

    def skip(self, size: int) -> None:
        """Skip the next *size* bytes, and the rest of their last block.

        :raises EOFError: there are fewer.
        """
        left = size + -size % TAR_BLOCK
        while left:
            left -= len(self._exactly(min(_PIECE, left)))

    def _some(self, size: int) -> bytes:
        """Return up to *size* bytes; nothing at the end, even if compressed data is followed by something else."""
        try:
            return self._read(size)
        except TrailingDataError:
            self._file = io.BytesIO()
            return b""

    def _exactly(self, size: int) -> bytes:
        content = self._read(size)
        if len(content) < size:
            raise EOFError("unexpected end of data")
        return content

    def _read(self, size: int) -> bytes:
        self._patience.check()
        content = self._file.read(size)
        self._bytes_left -= len(content)
        if self._bytes_left < 0:
            raise TarBombError(f"it decompresses to more than {self._most_bytes:,} bytes")
        return content
