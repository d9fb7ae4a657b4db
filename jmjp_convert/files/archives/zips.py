"""Reads the directory of a zip one member at a time, since there may be a million, and single members.

Source of the records of a zip, which a batch writes too: APPNOTE.TXT 6.3.10 (PKWARE), section 4.3.
"""

from __future__ import annotations

import bz2
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from jmjp_convert.errors import FileError
from jmjp_convert.files.archives.entry import ARCHIVE, Entry, Patience, Refused, Zipped, readable, refused
from jmjp_convert.files.inputs import most_packed, too_large

# Each record begins with its signature.
LOCAL = struct.Struct("<4sHHHHHIIIHH")
"""What precedes a member, without its name."""

MEMBER = struct.Struct("<4sHHHHHHIIIHHHHHII")
"""A member in the directory."""

END = struct.Struct("<4sHHHHIIH")
END_64 = struct.Struct("<4sQHHIIQQQQ")
END_64_LOCATOR = struct.Struct("<4sIQI")

LOCAL_SIGNATURE = b"PK\x03\x04"
MEMBER_SIGNATURE = b"PK\x01\x02"
END_SIGNATURE = b"PK\x05\x06"
END_64_SIGNATURE = b"PK\x06\x06"
END_64_LOCATOR_SIGNATURE = b"PK\x06\x07"

STORED, DEFLATED, BZIP2 = 0, 8, 12
"""Methods of compression."""

IN_EXTRA = 0xFFFFFFFF
"""Stands for a number that is too large for its field, and is in an extra field."""

ZIP64 = 1
"""The tag of that extra field."""

_BROKEN_DIRECTORY = "the zip's directory is corrupt"
_MISPLACED = "the zip is corrupt: no member at the offset in its directory"
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


def members(path: str, max_size: int, patience: Patience) -> Iterator[Entry]:
    """Yield the files in the zip *path*, in the order of its directory.

    There is no limit to their number but the size of the zip: each takes 46 bytes of the directory, which is not
    compressed, and 30 more that no other member has.

    :param max_size: the maximum size of a member in bytes.
    :raises GivenUpError: *patience* is over.
    """
    try:
        with Path(path).open("rb") as file:
            yield from _members(file, path, max_size, patience)
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
            while number := file.read(min(_PIECE, left)).count(MEMBER_SIGNATURE):
                total += number
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
    index = _end_record(tail)
    _, disk, _, _, number, size, offset, _ = END.unpack_from(tail, index)
    end = start + index
    if disk not in (0, 0xFFFF):
        raise BrokenZipError("the zip is one part of a split archive")
    locator = index - END_64_LOCATOR.size
    if locator >= 0 and tail.startswith(END_64_LOCATOR_SIGNATURE, locator):
        end, number, size, offset = _large(file, END_64_LOCATOR.unpack_from(tail, locator)[2])
    shift = end - size - offset
    if shift < 0:
        raise BrokenZipError("the zip's directory is truncated")
    return Directory(end - size, size, number, shift)


def _end_record(tail: bytes) -> int:
    """Return the index of the end record: the last with a comment up to the end of the file, since a comment may hold
    anything, or else the last, since other data may follow."""
    last = index = tail.rfind(END_SIGNATURE, 0, len(tail) - END.size + len(END_SIGNATURE))
    while index >= 0:
        if index + END.size + END.unpack_from(tail, index)[-1] == len(tail):
            return index
        index = tail.rfind(END_SIGNATURE, 0, index)
    if last < 0:
        raise BrokenZipError("the zip is truncated: no directory at its end")
    return last


def _large(file: IO[bytes], offset: int) -> tuple[int, int, int, int]:
    file.seek(min(offset, file.seek(0, 2)))  # how far past the end one may seek depends on the system
    record = file.read(END_64.size)
    if len(record) < END_64.size or not record.startswith(END_64_SIGNATURE):
        raise BrokenZipError("the zip64 directory is corrupt")
    *_, number, size, start = END_64.unpack(record)
    return offset, number, size, start


def _members(file: IO[bytes], path: str, max_size: int, patience: Patience) -> Iterator[Entry]:
    where = directory(file)
    room = _Room(where, max_size)
    file.seek(where.start)
    number, left = 0, where.size
    while left:
        patience.check()
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
            yield Entry(path, member, stamp, Refused(ARCHIVE, _MISPLACED))
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
    start = 0
    while start + 4 <= len(extra):
        tag, width = struct.unpack_from("<HH", extra, start)
        if tag == ZIP64:
            body = extra[start + 4 : start + 4 + width]
            wide = iter(struct.unpack(f"<{len(body) // 8}Q", body[: len(body) // 8 * 8]))
            length, size, offset = (
                next(wide, value) if value == IN_EXTRA else value for value in (length, size, offset)
            )
            break
        start += 4 + width
    return length, size, offset


def content(member: Zipped, max_size: int, file: IO[bytes]) -> bytes:
    """Return the content of a *member* of the zip *file*, which may be compressed once more.

    :raises FileError: it cannot be read, or is larger than *max_size* bytes whatever it decompresses to.
    """
    if max(member.size, member.length) > most_packed(max_size):
        raise too_large(max_size)
    file.seek(member.offset)
    head = file.read(LOCAL.size)
    if len(head) < LOCAL.size or not head.startswith(LOCAL_SIGNATURE):
        raise FileError(_MISPLACED)
    *_, name_length, extra_length = LOCAL.unpack(head)
    file.seek(name_length + extra_length, 1)
    packed = file.read(member.size)
    if len(packed) < member.size:
        raise FileError("the zip is truncated")
    inflated = _inflated(packed, member.method, member.length)
    if len(inflated) != member.length or zlib.crc32(inflated) != member.checksum:
        raise FileError("the zip is corrupt: checksum mismatch")
    return inflated


def _inflated(packed: bytes, method: int, length: int) -> bytes:
    bound = length + 1
    try:
        if method == STORED:
            return packed
        if method == DEFLATED:
            return zlib.decompressobj(wbits=-15).decompress(packed, bound)
        if method == BZIP2:
            return bz2.BZ2Decompressor().decompress(packed, bound)
    except (zlib.error, OSError) as error:
        raise FileError(f"the zip is corrupt: {error}") from error
    raise FileError(f"unknown zip compression method {method}")
