"""Detects the type of an archive by its first bytes."""

from __future__ import annotations

import zlib

from jmjp_convert.files.archives.tars import BLOCK, is_header
from jmjp_convert.files.inputs import GZIP

SNIFFED = 2048
"""How many bytes are enough to detect the type."""

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
SQLITE = b"SQLite format 3\x00"


def kind(start: bytes) -> str:
    """Return ``"zip"``, ``"sqlite"``, ``"tar"``, ``"tar.gz"``, or an empty string if it is not an archive.

    :param start: the first :data:`SNIFFED` bytes of a file.
    """
    if start.startswith(GZIP):
        return "tar.gz" if is_header(_unpacked(start)) else ""
    if start.startswith(ZIP):
        return "zip"
    if start.startswith(SQLITE):
        return "sqlite"
    return "tar" if is_header(start[:BLOCK]) else ""


def _unpacked(start: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(start, BLOCK)
    except zlib.error:
        return b""
