"""Detects the type of an archive by its first bytes."""

from __future__ import annotations

import os
from io import BytesIO

from jmjp_convert.errors import ConvertError, FileError
from jmjp_convert.files.compression import compression_of, decompressed, unread

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


def kind_of(descriptor: int) -> str:
    """Return the :func:`kind` of an open file, or of what it decompresses to if that is a tar: other archives are not
    compressed as a whole.

    :raises OSError: it cannot be read.
    """
    start = os.read(descriptor, SNIFFED)
    compression = compression_of(start)
    if compression is None:
        return kind(start)
    start += os.read(descriptor, _LONGEST_BLOCK)
    try:
        content = decompressed(BytesIO(start), compression).read(TAR_BLOCK)
    except ConvertError:  # reading it reports the error
        return ""
    return "tar" if is_tar_header(content) else ""


def is_tar_header(block: bytes) -> bool:
    """Return whether *block* is a tar header, recognized in every dialect by its own checksum."""
    digits = block[_CHECKSUM].strip(b" \x00")
    if len(block) < TAR_BLOCK or not digits or not digits.isdigit():
        return False
    try:
        said = int(digits, 8)
    except ValueError:
        return False
    usual = sum(block) - sum(block[_CHECKSUM]) + len(block[_CHECKSUM]) * ord(" ")
    if said == usual:
        return True
    # Some old programs added the bytes as signed numbers.
    return said == usual - 256 * sum(byte >= _HIGH for byte in block[: _CHECKSUM.start] + block[_CHECKSUM.stop :])
