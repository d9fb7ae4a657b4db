"""The outputs of a batch as one zip, which is written at the end of a run.

Its bytes do not depend on the order of work, it is never held in memory, and nothing is copied into it unchecked.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

from jmjp_convert.batch.destination import Destination, InTheWayError, is_name
from jmjp_convert.batch.ledger import UNCLAIMED, Output
from jmjp_convert.batch.worker import OutputError, Staged, unique
from jmjp_convert.errors import FileError
from jmjp_convert.files import durability
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
from jmjp_convert.files.inputs import describe, reported

# --- the zip ----------------------------------------------------------------------------------------------------------

Outputs = Callable[[], Iterable[tuple[str, Staged]]]
"""Returns the outputs in order each time that it is called."""

_VERSION, _VERSION_64 = 20, 45
_UNIX = 3 << 8
_TIME, _DATE = 0, 0x21  # the earliest time in a zip: 1 January 1980
_MODE = 0o100644 << 16
_MOST = 0xFFFF
_OPEN = 16
_BUFFER = 1 << 20


def write_zip(file: IO[bytes], outputs: Outputs, staging: Path, before: Path) -> list[str]:
    """Write a zip of *outputs* to *file*, after checking each; return the names of those that are not what they must
    be, without which there is no zip.

    :param staging: the directory of segments.
    :param before: the previous zip, which holds the outputs that are in no segment.
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
    if not damaged:
        file.writelines(_directory(outputs))
    return damaged


def compared(path: Path, outputs: Outputs) -> Iterator[tuple[str, bool]]:
    """Yield the name of each of *outputs*, and whether it is in the zip *path* as it must be; at the end, if they all
    are but its directory is not, or something else is in it, an empty name.

    :raises OSError: it cannot be read.
    """
    whole = exact = True
    position = 0
    with path.open("rb", buffering=_BUFFER) as file:
        for name, staged in outputs():
            head = _head(name, staged)
            if staged.offset - len(head) != position:
                exact = False
                position = max(staged.offset - len(head), 0)
                file.seek(position)
            right = file.read(len(head)) == head and is_whole(file.read(staged.packed), staged)
            yield name, right
            whole = whole and right
            position += len(head) + staged.packed
            file.seek(position)
        exact = exact and all(file.read(len(part)) == part for part in _directory(outputs)) and not file.read(1)
        if whole and not exact:
            yield "", False


def members(path: Path) -> Iterator[tuple[str, Staged]]:
    """Yield the outputs in *path*, a zip that :func:`write_zip` wrote, that are whole.

    :raises OSError: it cannot be read.
    """
    position = 0
    with path.open("rb", buffering=_BUFFER) as file:
        while len(head := file.read(LOCAL.size)) == LOCAL.size and head.startswith(LOCAL_SIGNATURE):
            checksum, packed, size, length = LOCAL.unpack(head)[-5:-1]
            name = file.read(length)
            position += len(head) + length
            content = _unpacked(file.read(packed))
            staged = Staged("", position, packed, size, checksum, hashlib.sha256(content or b"").digest())
            if not name.isascii() or _head(name.decode(), staged) != head + name:
                return
            if content is not None and len(content) == size and zlib.crc32(content) == checksum:
                yield name.decode(), staged
            position += packed


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
        """Return the compressed bytes of *staged*, as far as they are there."""
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
    position = 0
    for name, staged in outputs():
        position += LOCAL.size + len(name)
        yield name, position
        position += staged.packed


def _sizes(staged: Staged) -> tuple[int, int, int]:
    return staged.checksum, staged.packed, staged.size


def _head(name: str, staged: Staged) -> bytes:
    """Return what precedes the compressed bytes of an output."""
    head = LOCAL.pack(LOCAL_SIGNATURE, _VERSION, 0, DEFLATED, _TIME, _DATE, *_sizes(staged), len(name), 0)
    return head + name.encode("ascii")


def _directory(outputs: Outputs) -> Iterator[bytes]:
    """Yield the parts of the directory of a zip, which follows its last output."""
    number = position = size = 0
    for name, staged in outputs():
        extra = struct.pack("<HHQ", ZIP64, 8, position) if position >= IN_EXTRA else b""
        version = _VERSION_64 if extra else _VERSION
        versions = _UNIX | version, version
        lengths = len(name), len(extra), 0
        sizes = _sizes(staged)
        start = min(position, IN_EXTRA)
        member = MEMBER.pack(
            MEMBER_SIGNATURE, *versions, 0, DEFLATED, _TIME, _DATE, *sizes, *lengths, 0, 0, _MODE, start
        )
        part = member + name.encode("ascii") + extra
        yield part
        size += len(part)
        position += LOCAL.size + len(name) + staged.packed
        number += 1
    end = position + size
    if number >= _MOST or end >= IN_EXTRA:
        version = _UNIX | _VERSION_64
        record = (END_64_SIGNATURE, END_64.size - 12, version, _VERSION_64, 0, 0, number, number, size, position)
        yield END_64.pack(*record)
        yield END_64_LOCATOR.pack(END_64_LOCATOR_SIGNATURE, 0, end, 1)
    counts = min(number, _MOST)
    yield END.pack(END_SIGNATURE, 0, 0, counts, counts, min(size, IN_EXTRA), min(position, IN_EXTRA), 0)


# --- the output of a run ----------------------------------------------------------------------------------------------

_PENDING = "zip being put in place"  # its staged name, size and time
_FINISHED = "size and time of the zip"  # as it was when it was last known to be ours
_STALE = "zip to be written again"


class Zip(Destination):
    """A zip of outputs."""

    def __init__(self, output: Path) -> None:
        super().__init__(output, output.with_name(f"{output.name}.batch"))

    def _check_output(self) -> None:
        if os.path.lexists(self.output):
            raise self._foreign()

    def check(self) -> int:
        """Record which outputs are lost, and return their number, if the zip may have been changed."""
        self._complete()
        stamp = self._stamp()
        finished = self._records.setting(_FINISHED)
        if finished:
            return 0 if stamp == finished else self._check_members(finished, stamp)
        if stamp:
            if not self.is_rebuilt():
                raise self._foreign()
            self._adopt(stamp)
        return 0

    def _check_members(self, finished: str, stamp: str | None) -> int:
        """Record which outputs are lost, and return their number."""
        lost = 0
        sound, ours = stamp is not None, not _is_other(stamp, finished)
        try:
            for name, whole in compared(self.output, self._in_place):
                sound, ours = sound and whole, ours or whole
                if name and not whole:
                    self._records.lose(name)
                    lost += 1
        except FileNotFoundError:
            for name, _ in self._in_place():
                self._records.lose(name)
                lost += 1
        except OSError as error:
            raise FileError(f"{self.output}: {describe(error)}") from error
        if not ours:
            raise self._foreign()
        self._records.note(_FINISHED, stamp or finished)
        if not sound:
            self._records.note(_STALE, "yes")
        return lost

    def _adopt(self, stamp: str) -> None:
        """Record in the ledger, which is new, the outputs in the zip that are whole; their sources are not known."""
        is_ours = False
        with reported(self.output):
            for name, staged in members(self.output):
                is_ours = True
                if not is_name(name):  # what others write may look the same but for that
                    raise self._foreign()
                if self._records.output(name) is None:
                    self._records.add_output(Output(name, "", UNCLAIMED, self._records.run, True, staged))  # noqa: FBT003
        if not is_ours:
            raise self._foreign()
        self._records.note(_FINISHED, stamp)
        self._records.note(_STALE, "yes")

    def _begin(self) -> None:
        self._records.note(_PENDING, "")
        if self.force:  # the zip there may be overwritten, by a later run too if this one is stopped, but no other
            self._records.note(_FINISHED, self._stamp() or "")
            self._records.note(_STALE, "yes")

    def unrecorded(self, name: str, staged: Staged) -> Staged | None:
        """Return the output *name* of a zip after its ledger was set aside, if it is the same as *staged*."""
        recorded = self._records.output(name)
        if recorded is None or not recorded.unclaimed:
            return None
        if recorded.staged.sha256 == staged.sha256:
            return recorded.staged
        raise InTheWayError(f"{name} in {self.output} is not from this batch (--force overwrites it)")

    def finish(self) -> None:
        """Write the zip, if anything in it has changed."""
        before, there = self._records.setting(_FINISHED), self._stamp()
        if there and there == before and not self._records.staged_files() and not self._records.setting(_STALE):
            return
        if there and there != before:
            raise OutputError(f"{self.output} was changed by another program during the run")
        name = unique("zip")
        try:
            with (self.staging / name).open("xb") as file:
                damaged = write_zip(file, self._records.all_outputs, self.staging, self.output)
            if damaged:
                for output in damaged:
                    self.lose(output)
                self._records.commit()
                more = f" and {len(damaged) - 1:,} others" if len(damaged) > 1 else ""
                raise OutputError(f"{self.output}: {damaged[0]}{more} damaged")
            durability.sync_file(self.staging / name)
            durability.sync_folders([self.staging])
            stamp = _stamp_of(self.staging / name)
            self._records.note(_PENDING, f"{name} {stamp}")
            self._records.commit()
            durability.replace(self.staging / name, self.output)
        except OSError as error:
            if (self.staging / name).exists():
                self._records.note(_PENDING, "")
                self._records.commit()
            raise OutputError(f"{self.output}: {describe(error)}") from error
        self._finished(stamp)
        self._records.commit()

    def compared(self) -> Iterator[tuple[str, str]]:
        """Read all outputs, and yield the name of each, and how it differs from what it must be.

        :raises FileError: the zip is not written yet, or not from this batch.
        """
        self._complete()
        self._check_ours()
        try:
            for name, whole in compared(self.output, lambda: self._in_place(lost=True)):
                if name:
                    yield name, "" if whole else "damaged or missing"
                elif not self._records.staged_files():  # otherwise, others take the place of some
                    yield "", "its directory is damaged"
        except OSError as error:
            yield "", describe(error)

    def label(self, name: str) -> str:
        """Return the path of the zip, and the *name* in it."""
        return f"{self.output}: {name}" if name else str(self.output)

    def lose(self, name: str) -> int:
        """Record that *name* is not what it must be."""
        if name:
            self._records.lose(name)
        self._records.note(_STALE, "yes")
        return 1 if name else 0

    def _check_ours(self) -> None:
        """Check that the zip, if there is one, is from this batch, though it may be damaged.

        :raises FileError: it is not, or has never been written.
        """
        stamp, finished = self._stamp(), self._records.setting(_FINISHED)
        if not finished and stamp is None:
            raise FileError(f"{self.output} is not written yet; repeat the jmjp batch command that writes it")
        if finished and not _is_other(stamp, finished):
            return
        with suppress(OSError):
            if finished and any(whole for _, whole in compared(self.output, lambda: self._in_place(lost=True))):
                return
        raise FileError(f"{self.output} is not from this batch")

    def _complete(self) -> None:
        """Record that the zip is in place, if the last run ended just before that."""
        pending = self._records.setting(_PENDING)
        if not pending:
            return
        _, _, stamp = pending.partition(" ")
        if stamp and self._stamp() == stamp:  # a rename changes neither
            self._finished(stamp)
        self._records.note(_PENDING, "")

    def _finished(self, stamp: str) -> None:
        """Record that all outputs are in the zip, and where."""
        for name, offset in offsets(self._records.all_outputs):
            self._records.put(name, offset)
        self._records.forget_staged()  # those in damaged segments
        self._records.note(_PENDING, "")
        self._records.note(_FINISHED, stamp)
        self._records.note(_STALE, "")

    def _stamp(self) -> str | None:
        """Return the size and time of the zip, if there is one."""
        try:
            return _stamp_of(self.output)
        except FileNotFoundError:
            return None

    def _in_place(self, *, lost: bool = False) -> Iterator[tuple[str, Staged]]:
        """Yield those outputs that are in the zip already."""
        return ((name, staged) for name, staged in self._records.all_outputs(lost=lost) if not staged.name)

    def _foreign(self) -> FileError:
        return FileError(f"{self.output} exists and is not from this batch; use --force to overwrite it")


def _stamp_of(path: Path) -> str:
    status = path.stat()
    return f"{status.st_size}:{status.st_mtime_ns}"


def _is_other(stamp: str | None, finished: str) -> bool:
    """Return whether a zip of *stamp* differs in size from the one that was *finished*, other than by being empty: it
    is from this batch only if outputs are in it."""
    return stamp is not None and _size(stamp) not in (0, _size(finished))


def _size(stamp: str) -> int:
    return int(stamp.partition(":")[0] or 0)
