"""Detects the type of an archive by its first bytes."""

from __future__ import annotations

import zlib

from jmjp_convert.files.inputs import GZIP

SNIFFED = 2048
"""How many bytes are enough to detect the type."""

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
SQLITE = b"SQLite format 3\x00"

_BLOCK = 512  # of a tar
_CHECKSUM = slice(148, 156)


def kind(start: bytes) -> str:
    """Return ``"zip"``, ``"sqlite"``, ``"tar"``, ``"tar.gz"``, or an empty string if it is not an archive.

    :param start: the first :data:`SNIFFED` bytes of a file.
    """
    if start.startswith(GZIP):
        return "tar.gz" if _is_tar(_unpacked(start)) else ""
    if start.startswith(ZIP):
        return "zip"
    if start.startswith(SQLITE):
        return "sqlite"
    return "tar" if _is_tar(start) else ""


def _unpacked(start: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(start, _BLOCK)
    except zlib.error:
        return b""


def _is_tar(start: bytes) -> bool:
    """Return whether *start* begins with a tar header, recognized in every dialect by its own checksum."""
    header = start[:_BLOCK]
    digits = header[_CHECKSUM].strip(b" \x00")
    if len(header) < _BLOCK or not digits or not digits.isdigit():
        return False
    try:
        return int(digits, 8) == sum(header) - sum(header[_CHECKSUM]) + 8 * ord(" ")
    except ValueError:
        return False
