"""The zip of a batch: its bytes do not depend on the order of work, it is never held in memory, and nothing is copied
into it unchecked."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Self

from jmjp_convert.batch.product import Staged
from jmjp_convert.files.archives.zips import (
    DEFLATED,
    END,
    END_64,
    END_64_LOCATOR,
    END_64_LOCATOR_SIGNATURE,
    END_64_SIGNATURE,
    END_SIGNATURE,
    IN_EXTRA,
    LOCAL,
    LOCAL_SIGNATURE,
    MEMBER,
    MEMBER_SIGNATURE,
    ZIP64,
)

Outputs = Callable[[], Iterable[tuple[str, Staged]]]
"""Returns the outputs in order each time that it is called."""

_VERSION, _VERSION_64 = 20, 45
_UNIX = 3 << 8
_TIME, _DATE = 0, 0x21  # the earliest time in a zip: 1 January 1980
_MODE = 0o100644 << 16
_MOST = 0xFFFF
_OPEN = 16
_BUFFER = 1 << 20


class DamagedError(Exception):
    """Outputs are not what they must be.

    :ivar names: their names.
    """

    def __init__(self, names: list[str]) -> None:
        super().__init__(names)
        self.names = names


def write_zip(file: IO[bytes], outputs: Outputs, staging: Path, before: Path) -> None:
    """Write a zip of *outputs* to *file*, after checking each.

    :param staging: the directory of segments.
    :param before: the previous zip, which holds the outputs that are in no segment.
    :raises DamagedError: outputs are not what they must be.
    """
    damaged = []
    with _Segments(staging, before) as segments:
        for name, staged in outputs():
            packed = segments.read(staged)
            if not is_whole(packed, staged):
                damaged.append(name)
                continue
            file.write(_head(name, staged))
            file.write(packed)
    if damaged:
        raise DamagedError(damaged)
    for part in _directory(outputs):
        file.write(part)


def compared(path: Path, outputs: Outputs) -> Iterator[tuple[str, bool]]:
    """Yield the name of each of *outputs*, and whether it is in the zip *path* as it must be; at the end, if they all
    are but its directory is not, or something else is in it, an empty name.

    :raises OSError: it cannot be read.
    """
    whole = exact = True
    place = 0
    with path.open("rb", buffering=_BUFFER) as file:
        for name, staged in outputs():
            head = _head(name, staged)
            if staged.offset - len(head) != place:
                exact = False
                place = max(staged.offset - len(head), 0)
                file.seek(place)
            right = file.read(len(head)) == head and is_whole(file.read(staged.packed), staged)
            yield name, right
            whole = whole and right
            place += len(head) + staged.packed
            file.seek(place)
        exact = exact and all(file.read(len(part)) == part for part in _directory(outputs)) and not file.read(1)
        if whole and not exact:
            yield "", False


def members(path: Path) -> Iterator[tuple[str, Staged]]:
    """Yield the outputs in *path*, a zip that :func:`write_zip` wrote, that are whole.

    :raises OSError: it cannot be read.
    """
    place = 0
    with path.open("rb", buffering=_BUFFER) as file:
        while len(head := file.read(LOCAL.size)) == LOCAL.size and head.startswith(LOCAL_SIGNATURE):
            checksum, packed, size, length = LOCAL.unpack(head)[-5:-1]
            name = file.read(length)
            place += len(head) + length
            content = _unpacked(file.read(packed))
            staged = Staged("", place, packed, size, checksum, hashlib.sha256(content or b"").digest())
            if not name.isascii() or _head(name.decode(), staged) != head + name:
                return
            if content is not None and len(content) == size and zlib.crc32(content) == checksum:
                yield name.decode(), staged
            place += packed


def is_whole(packed: bytes, staged: Staged) -> bool:
    """Return whether *packed* is compressed from what *staged* must be."""
    content = _unpacked(packed)
    return content is not None and hashlib.sha256(content).digest() == staged.sha256


def _unpacked(packed: bytes) -> bytes | None:
    try:
        return zlib.decompress(packed, wbits=-15)
    except zlib.error:
        return None


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
        """Return the compressed bytes of *staged*, as far as they are there.

        :raises OSError: they cannot be read.
        """
        try:
            file = self._open.pop(staged.name, None) or self._opened(staged.name)
        except FileNotFoundError:
            return b""
        self._open[staged.name] = file  # moved to the end: the least recently used is closed first
        file.seek(staged.offset)
        return file.read(staged.packed)

    def _opened(self, name: str) -> IO[bytes]:
        if len(self._open) == _OPEN:
            self._open.pop(next(iter(self._open))).close()
        return (self._staging / name if name else self._before).open("rb", buffering=0)


def offsets(outputs: Outputs) -> Iterator[tuple[str, int]]:
    """Yield the name of each of *outputs*, and the offset of its compressed bytes in the zip."""
    place = 0
    for name, staged in outputs():
        place += LOCAL.size + len(name)
        yield name, place
        place += staged.packed


def _sizes(staged: Staged) -> tuple[int, int, int]:
    return staged.checksum, staged.packed, staged.size


def _head(name: str, staged: Staged) -> bytes:
    """Return what precedes the compressed bytes of an output."""
    head = LOCAL.pack(LOCAL_SIGNATURE, _VERSION, 0, DEFLATED, _TIME, _DATE, *_sizes(staged), len(name), 0)
    return head + name.encode("ascii")


def _directory(outputs: Outputs) -> Iterator[bytes]:
    """Yield the parts of the directory of a zip, which follows its last output."""
    number = place = size = 0
    for name, staged in outputs():
        extra = struct.pack("<HHQ", ZIP64, 8, place) if place >= IN_EXTRA else b""
        version = _VERSION_64 if extra else _VERSION
        versions = _UNIX | version, version
        lengths = len(name), len(extra), 0
        sizes = _sizes(staged)
        start = min(place, IN_EXTRA)
        member = MEMBER.pack(
            MEMBER_SIGNATURE, *versions, 0, DEFLATED, _TIME, _DATE, *sizes, *lengths, 0, 0, _MODE, start
        )
        part = member + name.encode("ascii") + extra
        yield part
        size += len(part)
        place += LOCAL.size + len(name) + staged.packed
        number += 1
    end = place + size
    if number >= _MOST or end >= IN_EXTRA:
        version = _UNIX | _VERSION_64
        record = (END_64_SIGNATURE, END_64.size - 12, version, _VERSION_64, 0, 0, number, number, size, place)
        yield END_64.pack(*record)
        yield END_64_LOCATOR.pack(END_64_LOCATOR_SIGNATURE, 0, end, 1)
    counts = min(number, _MOST)
    yield END.pack(END_SIGNATURE, 0, 0, counts, counts, min(size, IN_EXTRA), min(place, IN_EXTRA), 0)
