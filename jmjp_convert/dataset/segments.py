"""The files that workers stage for a data set: the rows of a chunk of matches, a section for each table."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

_SECTION = struct.Struct("<QI")  # length and CRC-32
_RANGE = struct.Struct("<QQI")
_OPEN = 32


class Range(NamedTuple):
    """Where the rows of a match are in the section of a table: in units of the form, and their number."""

    start: int
    size: int
    rows: int


class DamagedError(Exception):
    """A segment is missing or damaged."""


def joined(sections: Sequence[bytes]) -> bytes:
    """Return *sections* as one file."""
    heads = b"".join(_SECTION.pack(len(section), zlib.crc32(section)) for section in sections)
    return b"".join((heads, *sections))


def section(path: Path, place: int, number: int) -> bytes:
    """Return the section *place* of *number* in the file *path*.

    :raises DamagedError: it is missing or damaged.
    :raises OSError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            heads = file.read(number * _SECTION.size)
            if len(heads) < number * _SECTION.size:
                raise DamagedError
            sizes = [size for size, _ in _SECTION.iter_unpack(heads)]
            _, checksum = _SECTION.unpack_from(heads, place * _SECTION.size)
            file.seek(sum(sizes[:place]), 1)
            content = file.read(sizes[place])
    except FileNotFoundError:
        raise DamagedError from None
    if len(content) != sizes[place] or zlib.crc32(content) != checksum:
        raise DamagedError
    return content


def packed(ranges: Sequence[Range]) -> bytes:
    """Return *ranges*, one for each table, for the ledger."""
    return b"".join(_RANGE.pack(*one) for one in ranges)


def unpacked(content: bytes | bytearray, place: int) -> Range:
    """Return the range of the table *place*."""
    return Range(*_RANGE.unpack_from(content, place * _RANGE.size))


def rows_of(ranges: bytes) -> list[int]:
    """Return the number of rows in each of *ranges*."""
    return [rows for _, _, rows in _RANGE.iter_unpack(ranges)]


def repack(ranges: bytearray, place: int, size: int) -> None:
    """Change the size of the range of the table *place* in *ranges*."""
    start, _, rows = unpacked(ranges, place)
    _RANGE.pack_into(ranges, place * _RANGE.size, start, size, rows)


class Sections(Generic[T]):
    """The sections of one table; the most recently used stay loaded."""

    def __init__(self, load: Callable[[str], T]) -> None:
        self._load = load
        self._kept: dict[str, T] = {}

    def get(self, name: str) -> T:
        """Return the section of the segment *name*.

        :raises DamagedError: as :func:`section`.
        """
        found = self._kept.pop(name, None)
        if found is None:
            if len(self._kept) == _OPEN:
                del self._kept[next(iter(self._kept))]
            found = self._load(name)
        self._kept[name] = found  # moved to the end
        return found
