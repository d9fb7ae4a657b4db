"""Opens inputs: a path, stdin, an open file or bytes, plain or compressed, up to a size bound."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike
from typing import IO, cast

from jmjp_convert.errors import ConvertError, FileError, file_error
from jmjp_convert.files.compression import (
    ARCHIVES,
    ZIP,
    compression_of,
    decompressed,
    kind_of,
    not_a_log,
    unpack_first,
    unread,
)
from jmjp_convert.lazy_regex import regex

Source = str | PathLike[str] | bytes | bytearray | memoryview | IO[bytes]
"""An input: a path, bytes, or an open binary file. A ``str`` is always a path."""

MAX_SIZE = 64 << 20
"""Default maximum size in bytes of one decompressed log or jmjp file (source: ``docs/design/mapping.md``, Files)."""

STDIN = "-"
"""The name that stands for standard input."""

NO_STDIN = "standard input is closed"
"""The problem where there is none to read."""

_LINK = regex(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)  # a single letter would be a drive
_TEXT = regex(r"[\r\n]|^\s*(?:[<{\[]|jmjp\[)")  # in a str: the content of a file rather than its path
_LABEL = 72  # characters of a link or text in messages: enough for a link that names a log

_CHUNK = 1 << 15
_PACKED_MORE = 1 << 12  # bytes
_SNIFFED = 6  # bytes: enough to detect compression


@contextmanager
def opened(source: Source) -> Iterator[IO[bytes]]:
    """Open *source*; a file that was already open is left open.

    :raises FileError: it cannot be opened.
    :raises TypeError: it is not an input at all.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        yield io.BytesIO(source)
    elif isinstance(source, str | PathLike):
        try:
            # Closed below: the caller's errors must not be caught here. What is read in large pieces needs no buffer.
            file = open(source, "rb", buffering=0)  # noqa: SIM115
        except (OSError, ValueError) as error:  # ValueError: a null character
            raise file_error(_not_opened(source, error), error) from error
        with file:
            yield file
    elif hasattr(source, "read"):
        yield source
    else:
        raise TypeError(f"expected a path, bytes or an open binary file, found {type(source).__name__}")


def _not_opened(path: str | PathLike[str], error: OSError | ValueError) -> str:
    """Return why the file *path* cannot be opened. What looks like a file's content, or is a link, gets a remedy."""
    if isinstance(path, str) and (is_link(path) or _TEXT.search(path)):
        what = "a link" if is_link(path) else "the content of a file"
        return f"a str is a path; pass {what} as bytes, with .encode()"
    return describe(error) if isinstance(error, OSError) else str(error)


def describe(error: OSError) -> str:
    """Return the message of *error* without numbers and file names."""
    if isinstance(error, FileError):
        return error.reason
    if isinstance(error, IsADirectoryError):
        return "is a directory; use jmjp batch, or name the files in it"
    return (error.strerror or str(error) or type(error).__name__).lower()


@contextmanager
def reported(what: object, kind: Callable[[str], ConvertError] = FileError) -> Iterator[None]:
    """Raise the errors of the system as errors of a *kind* that name *what* they are about."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        raise kind(f"{what}: {describe(error)}") from error


def chunks(file: IO[bytes], max_size: int) -> Iterator[bytes]:
    """Yield the content of *file* in pieces, decompressed if it is compressed.

    :raises BrokenDataError: it is truncated or corrupt compressed data.
    :raises FileError: it cannot be read or decompressed, is an archive, or has more than *max_size* bytes.
    """
    size = 0
    try:
        start = _start(file)
        if start.startswith(ZIP[0]):
            raise not_a_log("zip")
        if name := unread(start):
            raise unpack_first(name)
        content, piece = file, start
        if compression := compression_of(start):
            content = decompressed(cast("IO[bytes]", Pieces(_packed(start, file, max_size))), compression)
            piece = content.read(_CHUNK)
        while piece:
            size += len(piece)
            if size > max_size:
                raise too_large(max_size)
            yield piece
            piece = content.read(_CHUNK)
    except FileError:
        raise
    except OSError as error:
        raise file_error(describe(error), error) from error


def content_of(source: Source, max_size: int) -> bytes:
    """Return the content of a path, an open binary file, or bytes, decompressed.

    :param max_size: the maximum size in bytes.
    :raises FileError: it cannot be read, or is too large.
    """
    with opened(source) as file:
        return b"".join(chunks(file, max_size))


def most_packed(max_size: int) -> int:
    """Return the maximum size of a file that decompresses to *max_size* bytes, however badly it is compressed."""
    return max_size + (max_size >> 6) + _PACKED_MORE


def too_large(max_size: int) -> FileError:
    """Return the error for an input of more than *max_size* bytes."""
    return FileError(f"larger than {max_size:,} bytes (--max-size)")


UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Pieces(io.RawIOBase):
    """A readable file whose content comes in *pieces*."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces

    def readable(self) -> bool:
        """Return ``True``."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return the next piece, or all the rest if *size* is negative."""
        return next(self._pieces, b"") if size >= 0 else b"".join(self._pieces)


def _start(file: IO[bytes]) -> bytes:
    """Return enough of the first bytes of *file* to detect its type: a pipe may give them one at a time.

    :raises FileError: it is open in text mode.
    """
    start = b""
    while len(start) < _SNIFFED and (more := file.read(_CHUNK)):
        if isinstance(more, str):
            raise FileError('the file is open in text mode; open it with mode "rb"')
        start += more
    return start


def _packed(start: bytes, rest: IO[bytes], max_size: int) -> Iterator[bytes]:
    """Yield a compressed file whose first bytes, *start*, have been read.

    :param max_size: the maximum size of the file, decompressed: it may have any number of streams that decompress to
        nothing.
    """
    left = most_packed(max_size) - len(start)
    yield start
    while content := rest.read(_CHUNK):
        left -= len(content)
        if left < 0:
            raise too_large(max_size)
        yield content


def is_link(source: str) -> bool:
    """Return whether *source* is a link."""
    return "://" in source and _LINK.match(source) is not None


def is_path(source: str) -> bool:
    """Return whether *source* is the path of a file, rather than standard input or a link."""
    return source != STDIN and not is_link(source)


def label(source: str) -> str:
    """Return the name of *source* for messages; a link may be long, and is cut off."""
    return "<stdin>" if source == STDIN else _cut(source) if is_link(source) else source


def label_in_python(source: str) -> str:
    """Return the name of *source* for messages: a path, or the beginning of a link or text in place of a path."""
    if is_link(source):
        return _cut(source)
    return _cut(" ".join(source[: 2 * _LABEL].split())) if _TEXT.search(source) else source


def _cut(text: str) -> str:
    return f"{text[: _LABEL - 1]}…" if len(text) > _LABEL else text


def is_same(path: str | PathLike[str], other: str | PathLike[str]) -> bool:
    """Return whether both paths are of one file or directory, which exists."""
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False


def is_archive(path: str) -> bool:
    """Return whether *path* is a file that contains others."""
    try:
        return os.path.isfile(path) and kind_of(path) in ARCHIVES
    except OSError:
        return False


def missing(source: str, error: OSError) -> str:
    """Return the message of *error*, for which the path *source* cannot be used. A log ID gets the command that
    downloads the log."""
    if not isinstance(error, FileNotFoundError):
        return describe(error)
    from jmjp_convert.model import log_ids

    log_id = log_ids.parse_id(source.partition("&")[0])
    if log_id is None:
        return describe(error)
    return f"no such file; to download the log with this ID, run jmjp fetch {log_id.text}"


def expect_file(source: str) -> None:
    """Check that *source*, if it is a path, exists and is not a directory.

    :raises FileError: it does not, or is one.
    """
    if not is_path(source):
        return
    try:
        mode = os.stat(source).st_mode
    except OSError as error:
        raise file_error(missing(source, error), error) from error
    if stat.S_ISDIR(mode):  # for which Windows would only report "permission denied"
        problem = IsADirectoryError(errno.EISDIR, "is a directory", source)
        raise file_error(describe(problem), problem)
