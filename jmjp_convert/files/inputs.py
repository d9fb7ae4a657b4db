"""Opens inputs: a path, stdin, an open file or bytes, plain or gzip, up to a bound."""

from __future__ import annotations

import codecs
import gzip
import io
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, NamedTuple, cast

from jmjp_convert.errors import FileError

Source = str | PathLike[str] | bytes | IO[bytes]
"""What is read: a path, bytes, or an open binary file."""

MAX_SIZE = 64 << 20
"""The most bytes, decompressed, that one log or one jmjp file may have (source: ``mapping.md``, Files)."""


class BrokenGzipError(FileError):
    """Gzip that is cut off or broken."""


class Bounds(NamedTuple):
    """What is taken as an input: up to how many bytes, and whether what nobody has described is refused."""

    max_size: int = MAX_SIZE
    strict: bool = False


STDIN = "-"
"""The name that stands for standard input."""

_CHUNK = 1 << 15
GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"


@contextmanager
def opened(source: Source) -> Iterator[IO[bytes]]:
    """Open *source*; a file that was open already is left open.

    :raises FileError: it cannot be opened.
    """
    if isinstance(source, bytes):
        yield io.BytesIO(source)
    elif isinstance(source, str | PathLike):
        try:
            file = Path(source).open("rb")  # noqa: SIM115 - closed below; the caller's errors are not this open's
        except OSError as error:
            raise FileError(describe(error)) from error
        with file:
            yield file
    else:
        yield source


def describe(error: OSError) -> str:
    """Return what *error* says, without numbers and file names."""
    if isinstance(error, IsADirectoryError):
        return "is a directory; name the files in it"
    return (error.strerror or str(error) or type(error).__name__).lower()


def chunks(file: IO[bytes], max_size: int) -> Iterator[bytes]:
    """Yield the content of *file*, decompressed if it is gzip, in pieces.

    :raises BrokenGzipError: it is gzip, and broken.
    :raises FileError: it cannot be read, is a zip, or has more than *max_size* bytes.
    """
    size = 0
    try:
        start = _start(file)
        if start.startswith(_ZIP):
            raise FileError("this is a zip archive, not a log; use jmjp batch for archives")
        rest = cast("IO[bytes]", _Rejoined(start, file))
        with gzip.open(rest) if start.startswith(GZIP) else rest as content:
            while piece := content.read(_CHUNK):
                size += len(piece)
                if size > max_size:
                    raise FileError(f"larger than {max_size:,} bytes (--max-size)")
                yield piece
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise BrokenGzipError(f"the gzip data is truncated or corrupt: {str(error).lower()}") from error
    except OSError as error:
        raise FileError(describe(error)) from error


UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Pieces(io.RawIOBase):
    """A file of which the content comes in *pieces*."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return the next piece, or, for a negative *size*, all that are left."""
        return next(self._pieces, b"") if size >= 0 else b"".join(self._pieces)


def _start(file: IO[bytes]) -> bytes:
    """Return the first bytes of *file*, enough to see what it is: a pipe may give them one at a time."""
    start = b""
    while len(start) < len(_ZIP) and (more := file.read(_CHUNK)):
        start += more
    return start


class _Rejoined(io.RawIOBase):
    """The first bytes of a file, already read, and the rest of it; closing it does not close the file."""

    def __init__(self, start: bytes, rest: IO[bytes]) -> None:
        self._start = start
        self._rest = rest

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if not self._start:
            return self._rest.read(size)
        if size < 0:
            start, self._start = self._start, b""
            return start + self._rest.read()
        start, self._start = self._start[:size], self._start[size:]
        return start


def label(source: str) -> str:
    """Return what *source* is called in messages."""
    return "<stdin>" if source == STDIN else source


def expect_file(source: str) -> None:
    """Check that *source* is there.

    :raises FileError: it is not, or it is a directory.
    """
    if source == STDIN:
        return
    try:
        # Windows would say no more of a directory than that permission is denied.
        if stat.S_ISDIR(Path(source).stat().st_mode):
            raise FileError(describe(IsADirectoryError()))
    except OSError as error:
        raise FileError(describe(error)) from error
