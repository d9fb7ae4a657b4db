"""The outputs of a batch as a directory of files."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from jmjp_convert.batch.destination import InTheWayError, Place, PutError
from jmjp_convert.batch.ledger import Ledger
from jmjp_convert.batch.product import Staged
from jmjp_convert.errors import FileError
from jmjp_convert.files import durability
from jmjp_convert.files.inputs import describe

_OF_ONE = (FileExistsError, IsADirectoryError, NotADirectoryError, PermissionError)  # a file in the way, or in use


class Folder(Place):
    """A directory of outputs.

    :raises FileError: a file is where the directory should be.
    """

    segmented = False

    def __init__(self, output: Path) -> None:
        if output.exists() and not output.is_dir():
            raise FileError(f"{output} is a file, not a directory; choose another --output")
        super().__init__(output, output)
        self._root = os.path.join(output, "")
        self._moved: set[str] = set()  # the directories of outputs that were moved since the last sync
        self._put: list[str] = []  # the names of outputs that were moved since that was last noted

    def _check_output(self, *, force: bool) -> None:
        """Accept any directory: each output is checked when it gets its name."""

    def check(self, ledger: Ledger) -> int:  # noqa: ARG002 - as for a zip
        """Return 0: each output is checked when its input comes."""
        return 0

    def _begin(self, ledger: Ledger, *, force: bool) -> None:
        for name, segment, ours in ledger.staged():
            try:
                if (self.staging / segment).exists():
                    self.put(name, Staged(segment), ours=ours or force)
                else:
                    self._put.append(name)
            except InTheWayError:
                ledger.withdraw(name)
        self.note_put(ledger)
        self.sync(())

    def is_there(self, ledger: Ledger, name: str, staged: Staged) -> bool:
        """Return whether the output *name* is still what it must be."""
        if staged.name and os.path.exists(self._path(staged)):
            return True
        try:
            found = os.stat(self._named(name))
        except OSError:
            return False
        if not stat.S_ISREG(found.st_mode) or found.st_size != staged.size:
            return False
        if found.st_mtime_ns == staged.mtime:
            return True
        if not self._is_same(name, staged):
            return False
        ledger.touch(name, found.st_mtime_ns)
        return True

    def there(self, ledger: Ledger, name: str, staged: Staged) -> Staged | None:
        """Return what is at *name* although the ledger does not know it, if it is the same as *staged*."""
        path = self._named(name)
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InTheWayError(f"{path}: {describe(error)}") from error
        ours = self.force or ledger.output(name) is not None
        if stat.S_ISDIR(found.st_mode):
            with suppress(OSError):
                if ours:
                    os.rmdir(path)
                    return None
            raise InTheWayError(f"{path} is a directory; move it away")
        if ours:
            return None
        if stat.S_ISREG(found.st_mode) and self._is_same(name, staged):
            return staged._replace(name="", mtime=found.st_mtime_ns)
        raise self._foreign(path)

    def sync(self, staged: Iterable[Staged]) -> None:
        """Put on disk what is *staged*, and what was moved into place since the last call."""
        files = [self._path(one) for one in staged]
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
            if not isinstance(error, _OF_ONE) and error.errno != errno.EXDEV:
                raise PutError(f"{target}: {describe(error)}") from error
            self.drop(staged)
            if isinstance(error, FileExistsError) and not os.path.isdir(target):
                raise self._foreign(target) from error
            other = error.errno == errno.EXDEV
            reason = "on another file system than the rest of the output" if other else describe(error)
            raise InTheWayError(f"{target}: {reason}") from error
        self._moved.add(folder)
        self._put.append(name)

    def note_put(self, ledger: Ledger) -> None:
        """Record that what was put since the last call is in place."""
        ledger.put_files(self._put)
        self._put.clear()

    def drop(self, staged: Staged) -> None:
        """Remove what is *staged* but not needed."""
        with suppress(OSError):
            os.unlink(self._path(staged))

    def finish(self, ledger: Ledger) -> None:
        """Do nothing: each output is in place."""

    def compared(self, ledger: Ledger) -> Iterator[tuple[str, str]]:
        """Read all outputs, and yield the name of each, and how it differs from what it must be."""
        for name, staged in ledger.all_outputs(lost=True):
            waits = staged.name and os.path.exists(self._path(staged))
            path = self._path(staged) if waits else self._named(name)  # the next run moves it into place
            try:
                yield name, difference(path, staged)
            except FileNotFoundError:
                yield name, "missing"
            except OSError as error:
                yield name, describe(error)

    def label(self, name: str) -> str:
        """Return the path of the output *name*."""
        return str(self.output / name)

    def lose(self, ledger: Ledger, name: str) -> int:
        """Record that *name* is not what it must be."""
        ledger.lose(name)
        return 1

    def _make(self, folder: Path) -> None:
        """Make the directory *folder* of outputs.

        :raises OSError: it cannot be made.
        """
        folder.mkdir(parents=True, exist_ok=True)
        above = folder
        while above != self.output:
            above = above.parent
            self._moved.add(str(above))

    @staticmethod
    def _foreign(path: str) -> InTheWayError:
        return InTheWayError(f"{path} exists and is not from this batch (--force overwrites it)")

    def _named(self, name: str) -> str:
        return f"{self._root}{name}"

    def _is_same(self, name: str, staged: Staged) -> bool:
        """Return whether the file *name* has the content that *staged* must have."""
        try:
            return not difference(self._named(name), staged)
        except OSError:
            return False


def difference(path: str, staged: Staged) -> str:
    """Return how the file *path* differs from what *staged* must be, or an empty string.

    :raises OSError: it cannot be read.
    """
    found = os.stat(path)
    if not stat.S_ISREG(found.st_mode):
        return "not a regular file"
    if found.st_size != staged.size:
        return f"{found.st_size:,} bytes; {staged.size:,} expected"
    with open(path, "rb", buffering=0) as file:
        return "" if hashlib.file_digest(file, "sha256").digest() == staged.sha256 else "content changed"
