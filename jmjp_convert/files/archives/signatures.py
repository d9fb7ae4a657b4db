"""Detects the type of an archive by its first bytes."""

from __future__ import annotations

import os
from io import BytesIO

from jmjp_convert.errors import ConvertError
from jmjp_convert.files.archives.tars import BLOCK, is_header
from jmjp_convert.files.compression import compression_of, decompressed, unread

SNIFFED = 2048
"""How many bytes are enough to detect the type, decompressed."""
_LONGEST_BLOCK = 1 << 20
"""How many bytes are enough to decompress the first: bzip2 has blocks of 900,000, and gives none before the last."""

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
SQLITE = b"SQLite format 3\x00"


def kind(start: bytes) -> str:
    """Return ``"zip"``, ``"sqlite"``, ``"tar"``, the name of an unreadable archive, or "" for other files.

    :param start: the first :data:`SNIFFED` bytes of a file.
    """
    if start.startswith(ZIP):
        return "zip"
    if start.startswith(SQLITE):
        return "sqlite"
    return "tar" if is_header(start[:BLOCK]) else unread(start)


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
        content = decompressed(BytesIO(start), compression).read(BLOCK)
    except ConvertError:  # whoever reads it reports the error
        return ""
    return "tar" if is_header(content) else ""
