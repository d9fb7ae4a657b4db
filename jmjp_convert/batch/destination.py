"""Lays out the output of a run: a directory, a zip or a data set, with its ledger, list of failures and summary.

Outputs are staged first. Only when they are on disk does the ledger say so, and only then do they get their names:
whenever the power fails, the next run finds what the ledger claims, in place or staged.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import ClassVar

from jmjp_convert.batch.ledger import DamagedError, Ledger, OlderError, Output
from jmjp_convert.batch.summary import is_list, is_summary
from jmjp_convert.batch.worker import OutputError, Staged
from jmjp_convert.errors import FileError
from jmjp_convert.files import durability
from jmjp_convert.files.archives.not_logs import FAILURES, LEDGER, MARKER, STAGING, SUMMARY
from jmjp_convert.files.inputs import describe, reported
from jmjp_convert.files.outputs import expect_directory, make_directory
from jmjp_convert.files.temporaries import clear
from jmjp_convert.lazy_regex import regex
from jmjp_convert.model import log_ids

_UNKNOWN = "unknown"
SHORT = 8
"""Hexadecimal digits of a digest that usually distinguish contents of the same ID."""
_LONG = 32  # if there is no ID
_STAGED = re.compile(r"(?:output|segment|table|zip|failures)-[0-9a-f]{24}")
_MARK = b"made by jmjp batch, which removes it at the end of a run\n"


class InTheWayError(FileError):
    """Something that is not from this batch is where an output should be."""


class PutError(OutputError):
    """A staged output cannot get its name, and the next one could not either; both stay staged."""


_OUTPUT_PATH = regex(rf"(?:[0-9]{{4}}/[0-9]{{2}}|{_UNKNOWN}(?:/[0-9a-f]{{2}})?)/[^/]+\.[^/]+")


def name_of(log_id: log_ids.LogId | None, digest: str, suffix: str) -> str:
    """Return the path of a log's output below the root: by year and month of its ID, or by the digest of its
    content."""
    if log_id is None:
        return f"{_UNKNOWN}/{digest[:2]}/{digest[:_LONG]}{suffix}"
    if log_id.date is None:
        return f"{_UNKNOWN}/{log_id.text}{suffix}"
    return f"{log_id.date[:4]}/{log_id.date[4:6]}/{log_id.text}{suffix}"


def is_name(path: str) -> bool:
    """Return whether :func:`name_of` could have named an output *path*."""
    return _OUTPUT_PATH.fullmatch(path) is not None


def longer(name: str, digest: str, suffix: str, digits: int) -> str:
    """Return the path of a log's output if other content with the same ID has its usual path, *name*."""
    return f"{name.removesuffix(suffix)}~{digest[:digits]}{suffix}"


class Destination:
    """The place of a run's outputs.

    :param output: the directory, or the zip.
    :param home: the directory of the ledger and its companions, if it is not *output*.
    :cvar segmented: whether workers stage several outputs in one file, which are put in place at the end of a run.
    :raises FileError: a file is where the directory should be.
    """

    segmented: ClassVar[bool] = True

    def __init__(self, output: Path, home: Path | None = None) -> None:
        if home is None:
            expect_directory(output)
        self.force = False  # whether whatever has the name of an output may be overwritten in this run
        self.output = output
        self.home = home or output
        self.staging = self.home / STAGING
        self._staging = str(self.staging)  # Path is slow for millions of outputs
        self.ledger = self.home / LEDGER
        self.failures = self.home / FAILURES
        self.summary = self.home / SUMMARY
        self._records: Ledger  # once it is open

    # --- a run ---

    def prepare(self, *, force: bool) -> None:
        """Create the directory of the ledger.

        :raises FileError: it cannot be created, or something that is not from this batch is in the way.
        """
        self.check_free(force=force)
        make_directory(self.home)
        clear(self.home)

    def check_free(self, *, force: bool) -> None:
        """Check that nothing is in the way of a run.

        :raises FileError: something that is not from this batch is.
        """
        if self.ledger.is_dir():
            raise FileError(f"{self.ledger} is a directory; move it away")
        known = force or self.ledger.exists() or self.is_rebuilt()
        for path, is_report in ((self.failures, is_list), (self.summary, is_summary)):
            if path.is_dir():
                raise FileError(f"{path} is a directory; move it away")
            if not known and os.path.lexists(path) and not is_report(path):
                raise FileError(f"{path} exists and is not from this batch; use --force to overwrite it")
        self._check_staging()
        if not known:
            self._check_output()

    def open(self, *, aside: bool = True, thorough: bool = False) -> tuple[Ledger, str | None]:
        """Open the ledger, and return it with a notice if the one there cannot be used: it is set *aside*, or left
        alone for a temporary one.

        :param thorough: read all of it first.
        :raises FileError: another process has it open.
        :raises OutputError: it cannot be written.
        """
        notice = None
        try:
            ledger = Ledger(self.ledger if aside or self.ledger.exists() else None)
            if thorough:
                ledger.check()
        except DamagedError as error:
            notice = f"{error}; a run will set it aside"
            if aside:
                name = self.set_aside(error)
                notice = (
                    f"{error}; set aside as {name}; "
                    "all inputs are converted again and compared with the outputs that exist"
                )
            ledger = Ledger(self.ledger if aside else None)
        self.use(ledger)
        return ledger, notice

    def use(self, ledger: Ledger) -> None:
        """Record outputs in *ledger*, which is open, from now on."""
        self._records = ledger

    def set_aside(self, error: Exception) -> str:
        """Rename the ledger, which *error* makes useless, and return its new name.

        :raises OutputError: it cannot be renamed.
        """
        word = "older" if isinstance(error, OlderError) else "damaged"
        number = 1
        while (aside := self.home / f"{LEDGER}.{word}-{number}").exists():
            number += 1
        with reported(self.ledger, OutputError):
            for suffix in ("-wal", "-journal", ""):
                with suppress(FileNotFoundError):
                    self.ledger.with_name(f"{LEDGER}{suffix}").rename(f"{aside}{suffix}")
        return aside.name

    def is_rebuilt(self) -> bool:
        """Return whether an earlier ledger was set aside, so that outputs which no ledger knows may be from this
        batch."""
        return any(self.home.glob(f"{LEDGER}.*-[0-9]*"))

    def begin(self, *, force: bool) -> int:
        """Make the ledger and the files on disk agree, however the last run ended, and return the number of outputs in
        the zip that are damaged.

        :raises FileError: the zip exists but the ledger does not know it.
        :raises OSError: the staging directory cannot be used.
        """
        self.force = force
        damaged = 0 if force else self.check()
        self._check_staging()
        self.staging.mkdir(exist_ok=True)
        (self.staging / MARKER).write_bytes(_MARK)
        self._begin()
        self._records.commit()
        self._sweep()
        return damaged

    def _sweep(self) -> None:
        """Remove what workers staged that the ledger does not know, because they or the run ended."""
        kept = self._kept()
        for name in os.listdir(self.staging):
            if name not in kept and _STAGED.fullmatch(name):
                with suppress(OSError):
                    (self.staging / name).unlink()

    def _kept(self) -> set[str]:
        """Return the names of the staged files that the ledger knows."""
        return self._records.staged_files()

    def clean(self) -> None:
        """Remove the staging directory, unless it still holds what the next run needs."""
        with suppress(OSError, sqlite3.Error):
            self._sweep()
            if os.listdir(self.staging) == [MARKER]:
                (self.staging / MARKER).unlink()
                self.staging.rmdir()

    def _check_staging(self) -> None:
        """Check that the staging directory is ours, if there is one: what is in it is going to be deleted."""
        if not os.path.lexists(self.staging):
            return
        if self.staging.is_symlink() or not self.staging.is_dir():
            raise FileError(f"{self.staging} is not a directory made by jmjp batch; move it away")
        if not (self.staging / MARKER).is_file() and any(self.staging.iterdir()):
            raise FileError(f"{self.staging} was not made by jmjp batch; move it away")

    def _path(self, staged: Staged) -> str:
        return f"{self._staging}{os.sep}{staged.name}"

    def add(self, output: Output) -> None:
        """Record an output that is staged or there."""
        self._records.add_output(output)

    # --- what differs between the kinds of destinations: by default, outputs stay in the segments that workers stage,
    # --- until the end of a run puts them together

    def _check_output(self) -> None:
        """Check, if there is no ledger, that no output is in the way. By default, each is checked later."""

    def _begin(self) -> None:
        """Complete what the last run has begun."""
        raise NotImplementedError

    def check(self) -> int:
        """Record which outputs are lost, if that is not seen one by one, and return their number.

        :raises FileError: the output is not from this batch.
        """
        return 0

    def is_unchanged(self, name: str, staged: Staged) -> bool:  # noqa: ARG002 - as above
        """Return whether the recorded output *name* is there and unchanged: by size and time, or by content if only
        the time differs. In a segment it is: :meth:`check` has found it."""
        return True

    def unrecorded(self, name: str, staged: Staged) -> Staged | None:
        """Return what is at *name* although the ledger does not know its source, if it is the same as *staged*;
        ``None`` if nothing is there, or something that may be overwritten.

        :raises InTheWayError: something else is there.
        """
        raise NotImplementedError

    def sync(self, staged: Iterable[Staged]) -> None:
        """Flush to disk what is *staged*, and what was moved into place since the last call.

        :raises OSError: it may not be on disk.
        """
        files = {self._path(each) for each in staged}
        if files:
            durability.sync(sorted(files), [self.staging], self.home)

    def put(self, name: str, staged: Staged, *, ours: bool) -> None:
        """Move what is *staged* into place, unless that is done at the end, and record that, to be committed after the
        next sync.

        :param ours: whether something there may be overwritten.
        :raises InTheWayError: it cannot be moved, which concerns only this output.
        :raises PutError: it cannot be moved.
        """

    def drop(self, staged: Staged) -> None:
        """Remove what is *staged* but not needed, unless it is in a segment."""

    def finish(self) -> None:
        """Complete the outputs.

        :raises OutputError: they cannot be written.
        """

    def report(self) -> list[str]:
        """Return lines about the output at the end of a run, for people."""
        return []

    # --- verifying ---

    def number(self) -> int:
        """Return how many outputs there are to compare."""
        return self._records.number_of_outputs()

    def compared(self) -> Iterator[tuple[str, str]]:
        """Read all outputs, and yield the name of each, and how it differs from what it must be, or an empty string if
        it does not; an empty name is that of the zip itself."""
        raise NotImplementedError

    def label(self, name: str) -> str:
        """Return the output *name* as it is called in messages."""
        return str(self.output / name)

    def lose(self, name: str) -> int:
        """Record that *name* is damaged, so that the next run writes it again, and return the number of outputs lost
        with it."""
        self._records.lose(name)
        return 1


# --- a directory ------------------------------------------------------------------------------------------------------

_ONLY_THIS_OUTPUT = (
    FileExistsError,
    IsADirectoryError,
    NotADirectoryError,
    PermissionError,
)  # a file in the way, or in use


class Folder(Destination):
    """A directory of outputs."""

    segmented = False

    def __init__(self, output: Path) -> None:
        super().__init__(output)
        self._root = os.path.join(output, "")
        self._moved: set[str] = set()  # the directories of outputs that were moved since the last sync

    def _begin(self) -> None:
        for name, segment, ours in self._records.staged():
            try:
                if (self.staging / segment).exists():
                    self.put(name, Staged(segment), ours=ours or self.force)
                else:
                    self._records.put(name)
            except InTheWayError:
                self._records.withdraw(name)
        self.sync(())

    def is_unchanged(self, name: str, staged: Staged) -> bool:
        """Return whether the output *name* is still what it must be."""
        if staged.name and os.path.exists(self._path(staged)):
            return True
        touch = partial(self._records.touch, name)
        return unchanged(self._named(name), staged.size, staged.mtime, staged.sha256, touch)

    def unrecorded(self, name: str, staged: Staged) -> Staged | None:
        """Return what is at *name* although the ledger does not know it, if it is the same as *staged*."""
        path = self._named(name)
        try:
            status = os.lstat(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InTheWayError(f"{path}: {describe(error)}") from error
        ours = self.force or self._records.output(name) is not None
        if stat.S_ISDIR(status.st_mode):
            with suppress(OSError):
                if ours:
                    os.rmdir(path)
                    return None
            raise InTheWayError(f"{path} is a directory; move it away")
        if ours:
            return None
        if stat.S_ISREG(status.st_mode) and not difference(path, staged.size, staged.sha256):
            return staged._replace(name="", mtime=status.st_mtime_ns)
        raise self._foreign(path)

    def sync(self, staged: Iterable[Staged]) -> None:
        """Put on disk what is *staged*, and what was moved into place since the last call."""
        files = [self._path(each) for each in staged]
        folders: list[str | Path] = [*self._moved, *([self.staging] if files else [])]
        if folders:
            durability.sync(files, folders, self.home)
        self._moved.clear()

    def put(self, name: str, staged: Staged, *, ours: bool) -> None:
        """Move what is *staged* into place."""
        move = os.replace if ours else durability.move  # Path is slow for millions of outputs
        source, target = self._path(staged), self._named(name)
        folder = target.rpartition("/")[0]
        try:
            try:
                move(source, target)
            except FileNotFoundError:
                self._make(Path(folder))
                move(source, target)
        except OSError as error:
            if not isinstance(error, _ONLY_THIS_OUTPUT) and error.errno != errno.EXDEV:
                raise PutError(f"{target}: {describe(error)}") from error
            self.drop(staged)
            if isinstance(error, FileExistsError) and not os.path.isdir(target):
                raise self._foreign(target) from error
            other = error.errno == errno.EXDEV
            reason = "on another file system than the rest of the output" if other else describe(error)
            raise InTheWayError(f"{target}: {reason}") from error
        self._moved.add(folder)
        self._records.put(name)

    def drop(self, staged: Staged) -> None:
        """Remove what is *staged* but not needed."""
        with suppress(OSError):
            os.unlink(self._path(staged))

    def compared(self) -> Iterator[tuple[str, str]]:
        """Read all outputs, and yield the name of each, and how it differs from what it must be."""
        for name, staged in self._records.all_outputs(lost=True):
            waits = staged.name and os.path.exists(self._path(staged))
            path = self._path(staged) if waits else self._named(name)  # the next run moves it into place
            yield name, difference(path, staged.size, staged.sha256)

    def _make(self, folder: Path) -> None:
        """Make the directory *folder* of outputs."""
        folder.mkdir(parents=True, exist_ok=True)
        self._moved.update(str(self.output / above) for above in folder.relative_to(self.output).parents)

    @staticmethod
    def _foreign(path: str) -> InTheWayError:
        return InTheWayError(f"{path} exists and is not from this batch (--force overwrites it)")

    def _named(self, name: str) -> str:
        return f"{self._root}{name}"


def unchanged(path: str | Path, size: int, mtime: int, sha256: bytes, touch: Callable[[int], None]) -> bool:
    """Return whether the file *path* has this *size* and digest. It is read only if it was not modified at *mtime*, in
    nanoseconds; if only that differs, *touch* is called with the new time."""
    try:
        status = os.stat(path)
    except OSError:
        return False
    if stat.S_ISREG(status.st_mode) and (status.st_size, status.st_mtime_ns) == (size, mtime):
        return True
    if difference(path, size, sha256):
        return False
    touch(status.st_mtime_ns)
    return True


def difference(path: str | Path, size: int, sha256: bytes) -> str:
    """Return how the file *path* differs from one of this *size* and digest, or an empty string."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            return "not a regular file"
        if status.st_size != size:
            return f"{status.st_size:,} bytes; {size:,} expected"
        with open(path, "rb", buffering=0) as file:
            return "" if hashlib.file_digest(file, "sha256").digest() == sha256 else "content changed"
    except FileNotFoundError:
        return "missing"
    except OSError as error:
        return describe(error)
