"""Reads the directory of a zip one member at a time, since there may be a million."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from jmjp_convert.files.archives.entry import ARCHIVE, Entry, Refused, Zipped, readable, refused
from jmjp_convert.files.zip_records import (
    END,
    END_64,
    END_64_LOCATOR,
    END_64_LOCATOR_SIGNATURE,
    END_64_SIGNATURE,
    END_SIGNATURE,
    IN_EXTRA,
    LOCAL,
    MEMBER,
    MEMBER_SIGNATURE,
    ZIP64,
)

_BROKEN_DIRECTORY = "the zip's directory is corrupt"
MISPLACED = "the zip is corrupt: no member at the offset in its directory"
_MOST_TIMES = 100
"""How many times its own size a zip may decompress to, beyond one member of the maximum size. Game records shrink to a
seventh, the most repetitive format (mjai) to a thirteenth; deflate reaches 1,000 and bzip2 a million times."""
_LONGEST_COMMENT = 0xFFFF
_WRAP = 1 << 16
"""Old programs write more members than the field for their number can hold, which then has the rest of a division."""
_PIECE = 1 << 20
_ENCRYPTED = 0x1
_UTF8 = 0x800


class BrokenZipError(ValueError):
    """A zip that cannot be read."""


class Directory(NamedTuple):
    """The list of a zip's members: its *start* and *size*, their *number* modulo 65,536 at least, and *shift*, how many
    bytes precede the zip."""

    start: int
    size: int
    number: int
    shift: int


def members(path: str, max_size: int) -> Iterator[Entry]:
    """Yield the files in the zip *path*, in the order of its directory.

    :param max_size: the maximum size of a member in bytes.
    """
    try:
        with Path(path).open("rb") as file:
            yield from _members(file, path, max_size)
    except BrokenZipError as error:
        yield refused(path, ARCHIVE, str(error))


def count(path: str) -> int:
    """Return how many members the zip *path* has, less the few that begin in one piece of its directory and end in
    another, or 0 if it is corrupt."""
    total = 0
    try:
        with Path(path).open("rb") as file:
            where = directory(file)
            file.seek(where.start)
            left = where.size
            while found := file.read(min(_PIECE, left)).count(MEMBER_SIGNATURE):
                total += found
                left = max(0, left - _PIECE)
    except (BrokenZipError, OSError):
        return 0
    return total


def directory(file: IO[bytes]) -> Directory:
    """Return the location of the directory of the zip *file*.

    :raises BrokenZipError: it has none.
    """
    length = file.seek(0, 2)
    start = max(0, length - END.size - _LONGEST_COMMENT)
    file.seek(start)
    tail = file.read()
    place = _end_record(tail)
    _, disk, _, _, number, size, offset, _ = END.unpack_from(tail, place)
    end = start + place
    if disk not in (0, 0xFFFF):
        raise BrokenZipError("the zip is one part of a split archive")
    locator = place - END_64_LOCATOR.size
    if locator >= 0 and tail.startswith(END_64_LOCATOR_SIGNATURE, locator):
        end, number, size, offset = _large(file, END_64_LOCATOR.unpack_from(tail, locator)[2])
    shift = end - size - offset
    if shift < 0:
        raise BrokenZipError("the zip's directory is truncated")
    return Directory(end - size, size, number, shift)


def _end_record(tail: bytes) -> int:
    """Return the place of the end record: the last with a comment up to the end of the file, since a comment may hold
    anything, or else the last, since other data may follow."""
    last = place = tail.rfind(END_SIGNATURE, 0, len(tail) - END.size + len(END_SIGNATURE))
    while place >= 0:
        if place + END.size + END.unpack_from(tail, place)[-1] == len(tail):
            return place
        place = tail.rfind(END_SIGNATURE, 0, place)
    if last < 0:
        raise BrokenZipError("the zip is truncated: no directory at its end")
    return last


def _large(file: IO[bytes], place: int) -> tuple[int, int, int, int]:
    file.seek(min(place, file.seek(0, 2)))  # how far past the end one may seek depends on the system
    record = file.read(END_64.size)
    if len(record) < END_64.size or not record.startswith(END_64_SIGNATURE):
        raise BrokenZipError("the zip64 directory is corrupt")
    *_, number, size, offset = END_64.unpack(record)
    return place, number, size, offset


def _members(file: IO[bytes], path: str, max_size: int) -> Iterator[Entry]:
    where = directory(file)
    room = _Room(where, max_size)
    file.seek(where.start)
    number, left = 0, where.size
    while left:
        head = file.read(MEMBER.size)
        if min(left, len(head)) < MEMBER.size or not head.startswith(MEMBER_SIGNATURE):
            raise BrokenZipError(_BROKEN_DIRECTORY)
        _, _, _, flags, method, time, date, checksum, size, length, *more = MEMBER.unpack(head)
        name_length, extra_length, comment_length, _, _, _, offset = more
        name = file.read(name_length)
        extra = file.read(extra_length)
        file.seek(comment_length, 1)
        number, left = number + 1, left - MEMBER.size - name_length - extra_length - comment_length
        if left < 0:
            raise BrokenZipError(_BROKEN_DIRECTORY)
        length, size, offset = _wide(extra, length, size, offset)
        if name.endswith(b"/") and not length:
            continue
        member = readable(name.decode("utf-8" if flags & _UTF8 else "cp437", "backslashreplace"))
        stamp = f"{offset}:{size}:{checksum:08x}:{date}:{time}"
        if flags & _ENCRYPTED:
            yield Entry(path, member, stamp, Refused(ARCHIVE, "encrypted"))
        elif not room.takes(offset, size, length):
            yield Entry(path, member, stamp, Refused(ARCHIVE, MISPLACED))
        else:
            yield Entry(path, member, stamp, Zipped(path, offset + where.shift, method, size, length, checksum))
    if (number - where.number) % _WRAP:
        raise BrokenZipError(_BROKEN_DIRECTORY)


class _Room:
    """Tracks the bytes that the members of a zip occupy, and their sizes when decompressed."""

    def __init__(self, where: Directory, max_size: int) -> None:
        self._end = where.start - where.shift
        self._max_size = max_size
        self._occupied = self._total = 0

    def takes(self, offset: int, size: int, length: int) -> bool:
        """Return whether a member can be in the zip: *size* bytes after a header at *offset*, which become *length*.

        :raises BrokenZipError: together with those before it, it cannot.
        """
        size += LOCAL.size
        if offset + size > self._end:
            return False
        self._occupied += size
        self._total += length if length <= self._max_size else 0  # longer ones are not decompressed
        if self._occupied > self._end:
            raise BrokenZipError("the zip is corrupt or a bomb: its members overlap")
        if self._total > self._max_size + _MOST_TIMES * self._end:
            raise BrokenZipError(f"the zip is a bomb: it decompresses to more than {_MOST_TIMES} times its size")
        return True


def _wide(extra: bytes, length: int, size: int, offset: int) -> tuple[int, int, int]:
    """Return *length*, *size* and *offset*, taken from *extra* if they are too large for their own fields."""
    if IN_EXTRA not in (length, size, offset):
        return length, size, offset
    place = 0
    while place + 4 <= len(extra):
        tag, width = struct.unpack_from("<HH", extra, place)
        if tag == ZIP64:
            body = extra[place + 4 : place + 4 + width]
            wide = iter(struct.unpack(f"<{len(body) // 8}Q", body[: len(body) // 8 * 8]))
            length, size, offset = (
                next(wide, value) if value == IN_EXTRA else value for value in (length, size, offset)
            )
            break
        place += 4 + width
    return length, size, offset
