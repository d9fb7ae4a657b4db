"""Writes a zip of staged outputs: its bytes do not depend on the order of work, and it is never held in memory."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Self

from jmjp_convert.batch.worker import Staged

Outputs = Callable[[], Iterable[tuple[str, Staged]]]
"""Returns the outputs in order each time that it is called."""

# Source: APPNOTE.TXT 6.3.10 (PKWARE), 4.3.
_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_MEMBER = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END = struct.Struct("<4sHHHHIIH")
_END_64 = struct.Struct("<4sQHHIIQQQQ")
_END_64_LOCATOR = struct.Struct("<4sIQI")
_VERSION, _VERSION_64 = 20, 45
_UNIX = 3 << 8
_DEFLATED = 8
_TIME, _DATE = 0, 0x21  # the earliest time in a zip: 1 January 1980
_MODE = 0o100644 << 16
_MOST = 0xFFFF
_LARGEST = 0xFFFFFFFF
_OPEN = 16


def write_zip(file: IO[bytes], outputs: Outputs, staging: Path, before: Path) -> None:
    """Write a zip of *outputs* to *file*.

    :param staging: the directory of segments.
    :param before: the previous zip, which holds the outputs that are in no segment.
    """
    with _Segments(staging, before) as segments:
        for name, staged in outputs():
            packed = segments.read(staged)
            file.write(_LOCAL.pack(b"PK\x03\x04", _VERSION, 0, _DEFLATED, _TIME, _DATE, *_sizes(staged), len(name), 0))
            file.write(name.encode("ascii"))
            file.write(packed)
    _write_directory(file, outputs)


class _Segments:
    """The files of compressed outputs, only a few open at a time because there may be very many."""

    def __init__(self, staging: Path, before: Path) -> None:
        self._staging = staging
        self._before = before
        self._open: dict[str, IO[bytes]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._open.values():
            file.close()

    def read(self, staged: Staged) -> bytes:
        """Return the compressed bytes of *staged*.

        :raises OSError: they cannot be read.
        """
        file = self._open.pop(staged.name, None) or self._opened(staged.name)
        self._open[staged.name] = file  # moved to the end: the least recently used is closed first
        file.seek(staged.offset)
        packed = file.read(staged.packed)
        if len(packed) < staged.packed:
            raise OSError(f"{file.name} is truncated")
        return packed

    def _opened(self, name: str) -> IO[bytes]:
        if len(self._open) == _OPEN:
            self._open.pop(next(iter(self._open))).close()
        return (self._staging / name if name else self._before).open("rb", buffering=0)


def offsets(outputs: Outputs) -> Iterator[tuple[str, int]]:
    """Yield the name of each of *outputs*, and the offset of its compressed bytes in the zip."""
    place = 0
    for name, staged in outputs():
        place += _LOCAL.size + len(name)
        yield name, place
        place += staged.packed


def _sizes(staged: Staged) -> tuple[int, int, int]:
    return staged.checksum, staged.packed, staged.size


def _write_directory(file: IO[bytes], outputs: Outputs) -> None:
    start = file.tell()
    number = place = 0
    for name, staged in outputs():
        extra = struct.pack("<HHQ", 1, 8, place) if place >= _LARGEST else b""
        version = _VERSION_64 if extra else _VERSION
        file.write(
            _MEMBER.pack(
                b"PK\x01\x02",
                _UNIX | version,
                version,
                0,
                _DEFLATED,
                _TIME,
                _DATE,
                *_sizes(staged),
                len(name),
                len(extra),
                0,
                0,
                0,
                _MODE,
                min(place, _LARGEST),
            )
        )
        file.write(name.encode("ascii") + extra)
        place += _LOCAL.size + len(name) + staged.packed
        number += 1
    end = file.tell()
    size = end - start
    if number >= _MOST or end >= _LARGEST:
        version = _UNIX | _VERSION_64
        record = (b"PK\x06\x06", _END_64.size - 12, version, _VERSION_64, 0, 0, number, number, size, start)
        file.write(_END_64.pack(*record))
        file.write(_END_64_LOCATOR.pack(b"PK\x06\x07", 0, end, 1))
    counts = min(number, _MOST)
    file.write(_END.pack(b"PK\x05\x06", 0, 0, counts, counts, min(size, _LARGEST), min(start, _LARGEST), 0))
