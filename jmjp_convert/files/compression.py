"""Detects compressed files and archives by their first bytes; decompresses gzip, bzip2, xz and zstd in bounded memory,
and compresses outputs.

Not with the file objects of the standard library: those of bzip2 and xz silently ignore whatever follows a stream, and
that of xz takes as much memory as a file asks for.
"""

from __future__ import annotations

import io
import re
import sys
import zlib
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any, NoReturn

from jmjp_convert.errors import ConvertError, FileError, MissingExtraError
from jmjp_convert.lazy_regex import regex

SNIFFED = 2048
"""How many bytes are enough to detect the type, decompressed."""
_LONGEST_BLOCK = 1 << 20
"""How many bytes are enough to decompress the first: bzip2 has blocks of 900,000, and gives none before the last."""

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
SQLITE = b"SQLite format 3\x00"

# Source: POSIX.1-2017, pax, "ustar Interchange Format"
TAR_BLOCK = 512
_CHECKSUM = slice(148, 156)
_HIGH = 0x80  # of the bits of a byte


def kind(start: bytes) -> str:
    """Return ``"zip"``, ``"sqlite"``, ``"tar"``, the name of an unreadable archive, or "" for other files.

    :param start: the first :data:`SNIFFED` bytes of a file.
    """
    if start.startswith(ZIP):
        return "zip"
    if start.startswith(SQLITE):
        return "sqlite"
    return "tar" if is_tar_header(start[:TAR_BLOCK]) else unread(start)


ARCHIVES = frozenset({"zip", "sqlite", "tar"})
"""The kinds of archives that are read."""


class ArchiveError(FileError):
    """An archive that is read, where one log should be.

    :ivar what: what it is, with an article.
    """

    what: str


def not_a_log(kind: str) -> ArchiveError:
    """Return the error for an archive of a :func:`kind`."""
    what = "an SQLite database" if kind == "sqlite" else f"a {kind} archive"
    error = ArchiveError(f"this is {what}, not a log; use jmjp batch, or give its path to check, info or view")
    error.what = what
    return error


class ArchiveInsideError(FileError):
    """An archive inside an archive."""


def refuse_archive(content: bytes) -> None:
    """Check that *content*, that of a file in an archive, is no archive itself.

    :raises ArchiveInsideError: it is one.
    """
    if kind(content[:SNIFFED]):
        raise ArchiveInsideError("archive inside an archive; unpack it first")


def kind_of(path: str) -> str:
    """Return the :func:`kind` of the file *path*, or of what it decompresses to if that is a tar: other archives are
    not compressed as a whole.

    :raises OSError: it cannot be read.
    """
    with open(path, "rb", buffering=0) as file:
        start = file.read(SNIFFED)
        compression = compression_of(start)
        if compression is None:
            return kind(start)
        start += file.read(_LONGEST_BLOCK)
    try:
        content = decompressed(io.BytesIO(start), compression).read(TAR_BLOCK)
    except ConvertError:  # reading it reports the error
        return ""
    return "tar" if is_tar_header(content) else ""


def is_tar_header(block: bytes) -> bool:
    """Return whether *block* is a tar header, recognized in every dialect by its checksum."""
    digits = block[_CHECKSUM].strip(b" \x00")
    if len(block) < TAR_BLOCK or not digits or not digits.isdigit():
        return False
    try:
        recorded = int(digits, 8)
    except ValueError:
        return False
    usual = sum(block) - sum(block[_CHECKSUM]) + len(block[_CHECKSUM]) * ord(" ")
    if recorded == usual:
        return True
    # Some old programs added the bytes as signed numbers.
    return recorded == usual - 256 * sum(byte >= _HIGH for byte in block[: _CHECKSUM.start] + block[_CHECKSUM.stop :])


class BrokenDataError(FileError):
    """Compressed data that is truncated or corrupt."""


class TrailingDataError(BrokenDataError):
    """Compressed data that is followed by something else."""


class Compression:
    """A way of compressing files."""

    __slots__ = ("name", "extension", "signs", "start", "pack")

    def __init__(
        self,
        name: str,
        extension: str,
        signs: tuple[bytes, ...],
        start: Callable[[], tuple[Decompressor, type[Exception]]],
        pack: Callable[[bytes], bytes],
    ) -> None:
        self.name = name
        self.extension = extension  # what it adds to a file name
        self.signs = signs  # how each stream begins; a file may have several
        self.start = start  # returns a new decompressor, and the error that it raises for corrupt data
        self.pack = pack  # returns a file of content


_MOST_MEMORY = 1 << 27
"""Bytes for decompression, whatever a file asks for: xz -9 needs 65 MiB, zstd --ultra -22 and --long 128 MiB."""
_TOO_MUCH_MEMORY = regex("usage limit exceeded|too much memory", re.IGNORECASE)  # of xz, of zstd
_LONGEST_BEGINNING = 6  # bytes
_ZEROS = regex(rb"\x00*+")
_CHUNK = 1 << 15
_BUFFER = 1 << 10
"""Bytes decompressed beyond those wanted. A wrong checksum loses what precedes it, and a tar ends with so many zeros
at least."""
_FIRST = 1 << 9
"""Bytes for a new stream at first, since those that it does not use are copied: a hostile file has many short ones."""
_FEW, _SHORT = 1_000, 256
"""How many streams a file may have, and one more for each so many bytes: to begin one takes as long as to decompress a
thousand bytes or more."""


class _Gunzip:
    """Decompresses one gzip stream, as the classes of ``bz2`` and ``lzma`` do, and verifies its length and checksum."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=31)
        self._full = False

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def needs_input(self) -> bool:
        return not self._full

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        left = self._zlib.unconsumed_tail
        content = self._zlib.decompress(left + data if left else data, max_length)
        self._full = len(content) == max_length
        return content


if TYPE_CHECKING:
    from bz2 import BZ2Decompressor
    from lzma import LZMADecompressor

    Decompressor = _Gunzip | BZ2Decompressor | LZMADecompressor


def _gzip() -> tuple[Decompressor, type[Exception]]:
    return _Gunzip(), zlib.error


def _bzip2() -> tuple[Decompressor, type[Exception]]:
    import bz2

    return bz2.BZ2Decompressor(), OSError


def _xz() -> tuple[Decompressor, type[Exception]]:
    import lzma

    return lzma.LZMADecompressor(lzma.FORMAT_XZ, _MOST_MEMORY), lzma.LZMAError


def _zstd() -> tuple[Decompressor, type[Exception]]:
    zstd = _zstd_module()
    options = {zstd.DecompressionParameter.window_log_max: _MOST_MEMORY.bit_length() - 1}
    return zstd.ZstdDecompressor(options=options), zstd.ZstdError


def _packed_gzip(content: bytes) -> bytes:
    import gzip

    return gzip.compress(content, mtime=0)  # the same bytes at any time


def _packed_bzip2(content: bytes) -> bytes:
    import bz2

    return bz2.compress(content)


def _packed_xz(content: bytes) -> bytes:
    import lzma

    return lzma.compress(content)


def _packed_zstd(content: bytes) -> bytes:
    packed: bytes = _zstd_module("writing").compress(content)
    return packed


def _zstd_module(doing: str = "reading") -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        try:
            from backports import zstd
        except ImportError as error:
            raise FileError(MissingExtraError(f"{doing} zstd", "zstd").reason) from error
    return zstd


COMPRESSIONS = (
    Compression("gzip", ".gz", (b"\x1f\x8b",), _gzip, _packed_gzip),
    Compression("bzip2", ".bz2", (b"BZh",), _bzip2, _packed_bzip2),
    Compression("xz", ".xz", (b"\xfd7zXZ\x00",), _xz, _packed_xz),
    # A frame, or one to skip, with which those of pzstd begin (source: RFC 8878, 3.1).
    Compression(
        "zstd",
        ".zst",
        (b"\x28\xb5\x2f\xfd", *(b"%c\x2a\x4d\x18" % first for first in range(0x50, 0x60))),
        _zstd,
        _packed_zstd,
    ),
)
"""What is decompressed wherever a file is read."""

_UNREAD = {b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!\x1a\x07": "rar"}
"""Archives that only other programs unpack: how they begin, and what they are called."""


def without_extension(name: str) -> str:
    """Return the file name *name* without the extension of a compressed file.

    >>> without_extension("game.json.gz")
    'game.json'
    """
    compression = _by_extension(name)
    return name if compression is None else name[: -len(compression.extension)]


def compressed(content: bytes, name: str) -> bytes:
    """Return *content* as the extension of the file *name* says: compressed, or unchanged.

    :raises FileError: it takes an extra, or a module that this Python lacks.
    """
    compression = _by_extension(name)
    if compression is None:
        return content
    try:
        return compression.pack(content)
    except ImportError as error:
        raise FileError(f"this Python was built without {compression.name}") from error


def compression_of(start: bytes) -> Compression | None:
    """Return how a file is compressed by its first bytes; ``None`` if it is not."""
    return next((compression for compression in COMPRESSIONS if start.startswith(compression.signs)), None)


def _by_extension(name: str) -> Compression | None:
    lower = name.lower()
    return next((compression for compression in COMPRESSIONS if lower.endswith(compression.extension)), None)


def unread(start: bytes) -> str:
    """Return what kind of archive a file is by its first bytes, if only other programs unpack it, otherwise ""."""
    return next((name for sign, name in _UNREAD.items() if start.startswith(sign)), "")


def unpack_first(name: str) -> FileError:
    """Return the error for an archive of the kind *name* that only other programs unpack."""
    return FileError(f"this is a {name} archive; unpack it first")


def decompressed(file: IO[bytes], compression: Compression) -> IO[bytes]:
    """Return a file of the decompressed content of *file*, which is at its beginning; closing it leaves *file* open.

    To read from it raises :class:`BrokenDataError` for data that is truncated or corrupt, and :class:`FileError` if it
    takes too much memory, an extra, or a module that this Python lacks.
    """
    return io.BufferedReader(_Decompressed(file, compression), _BUFFER)


class _Decompressed(io.RawIOBase):
    """The decompressed content of a file, of all its streams."""

    def __init__(self, file: IO[bytes], compression: Compression) -> None:
        self._file = file
        self._compression = compression
        self._buffer = b""
        self._index = 0  # in the buffer
        self._step = _FIRST
        self._stream: Decompressor | None = None
        self._error: type[Exception] = EOFError
        self._streams = self._taken = 0  # the number of streams, of bytes read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self._some(len(buffer))
        buffer[: len(content)] = content
        return len(content)

    def _some(self, size: int) -> bytes:
        """Return up to *size* bytes, none only at the end."""
        while True:
            if (self._stream is None or self._stream.eof) and not self._next_stream():
                return b""
            stream = self._stream
            assert stream is not None
            data = self._input() if stream.needs_input else b""
            try:
                content = stream.decompress(data, size)
            except self._error as error:
                self._reject(error)
            if stream.eof:
                self._index -= len(stream.unused_data)
            if content:
                return content

    def _next_stream(self) -> bool:
        """Start the next stream, and return whether there is one. Zeros after a stream are padding, as of tapes.

        :raises TrailingDataError: something else follows.
        :raises FileError: there are too many streams.
        """
        if self._stream is not None:
            while self._fill(1) and not self._buffer[self._index]:
                self._index = _ZEROS.match(self._buffer, self._index).end()  # type: ignore[union-attr]  # always matches
            if self._index == len(self._buffer):
                return False
        self._fill(_LONGEST_BEGINNING)
        if not self._buffer.startswith(self._compression.signs, self._index):
            raise TrailingDataError(f"the {self._compression.name} data is followed by something else")
        self._streams += 1
        if self._streams > _FEW + self._taken // _SHORT:
            raise FileError(f"the {self._compression.name} data is a bomb: too many short streams")
        try:
            self._stream, self._error = self._compression.start()
        except ImportError as error:
            raise FileError(f"this Python was built without {self._compression.name}") from error
        self._step = _FIRST
        return True

    def _input(self) -> bytes:
        """Return more of the stream."""
        if not self._fill(1):
            raise BrokenDataError(self._broken("it ends too early"))
        start, self._index = self._index, min(self._index + self._step, len(self._buffer))
        self._step = min(self._step * 2, _CHUNK)
        return self._buffer[start : self._index]

    def _fill(self, size: int) -> bool:
        """Read until *size* bytes are in the buffer, and return whether they are."""
        while len(self._buffer) - self._index < size:
            more = self._file.read(_CHUNK)
            if not more:
                return False
            self._taken += len(more)
            self._buffer = self._buffer[self._index :] + more
            self._index = 0
        return True

    def _reject(self, error: Exception) -> NoReturn:
        if _TOO_MUCH_MEMORY.search(str(error)):
            most = f"{_MOST_MEMORY >> 20} MiB"
            raise FileError(
                f"decompressing the {self._compression.name} data takes more than {most} of memory"
            ) from error
        raise BrokenDataError(self._broken(str(error).lower())) from error

    def _broken(self, problem: str) -> str:
        return f"the {self._compression.name} data is truncated or corrupt: {problem}"
