"""Writes outputs completely or not at all, so that they survive a power cut, and never overwrites by accident."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from jmjp_convert.errors import FileError
from jmjp_convert.files.durability import sync_folders
from jmjp_convert.files.inputs import describe
from jmjp_convert.files.temporaries import temporary, write_all


class StdoutError(FileError):
    """Standard output cannot be written to: not the fault of any input, and all further output would fail too."""


class UnreadError(BrokenPipeError):
    """A pipe whose reader has closed it, having read what it wanted."""


LOST = (UnreadError, StdoutError)
"""Errors that end the whole run rather than one input: nothing receives the output any more."""

_Key = str | tuple[int, int]
"""The identity of a file: its path without symbolic links, or its device and inode number."""


class Outputs:
    """The outputs of one run.

    :param inputs: the paths of all inputs of the run, which are never overwritten.
    :param force: whether existing files may be overwritten.
    """

    def __init__(self, inputs: Iterable[Path], *, force: bool) -> None:
        self._inputs = inputs
        self._force = force
        self._owners: dict[_Key, str] = {}

    def reserve(self, path: Path, owner: str) -> None:
        """Check that *path* can be written, and reserve it for the input named *owner*.

        :raises FileError: it exists, is an input or a directory, or is reserved for another input.
        """
        found = _status(path)
        if found is not None and not stat.S_ISREG(found.st_mode):
            _refuse_directory(path, found)
            return
        keys = list(_keys(path, found))
        for key in keys:
            if key in self._owners:
                raise FileError(
                    f"{path} is already the output of {self._owners[key]}; convert it separately, with --output"
                )
        if found is not None and not _is_stdout(found):
            if any(found.st_ino and _same(found, name) for name in self._inputs):
                raise FileError(f"{path} is an input; inputs are never overwritten")
            if not self._force:
                raise _exists(path)
        self._owners.update(dict.fromkeys(keys, owner))

    def write(self, path: Path, content: bytes, owner: str) -> None:
        """Write *content* to *path*, which is reserved for *owner*.

        :raises FileError: it cannot be written, or has come to exist since.
        """
        write(path, content, force=self._force)
        # A file system may treat two names as one, for instance by ignoring case: only the file itself shows that.
        for key in _keys(path, _status(path)):
            self._owners.setdefault(key, owner)


def write(path: Path, content: bytes, *, force: bool = False) -> None:
    """Write *content* to the file *path*, completely or not at all; a symbolic link is followed.

    An existing path that is not a regular file (a device, a pipe) is written to directly.

    :param force: whether an existing file may be overwritten.
    :raises FileError: it cannot be written, or exists.
    :raises UnreadError: it is a pipe that has no reader.
    """
    found = _status(path)
    try:
        if found is not None and _is_stdout(found):
            write_stdout(content)
        elif found is not None and not stat.S_ISREG(found.st_mode):
            _refuse_directory(path, found)
            with path.open("wb", buffering=0) as file:
                write_all(file.fileno(), content)
        else:
            _replace(path, content, force=force)
    except UnreadError:
        raise
    except BrokenPipeError as error:
        raise UnreadError from error
    except FileExistsError as error:
        raise _exists(path) from error
    except OSError as error:
        raise FileError(f"{path}: {describe(error)}") from error


def write_stdout(content: bytes) -> None:
    """Write *content* to standard output unchanged, whatever the console's encoding and line ends.

    :raises StdoutError: it cannot be written.
    :raises UnreadError: it is a pipe that has no reader.
    """
    if sys.stdout is None:
        raise StdoutError("standard output is closed")
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError as error:
        _give_up_stdout()
        raise UnreadError from error
    except OSError as error:
        raise lost_stdout(error) from error


def lost_stdout(error: OSError) -> StdoutError:
    """Return the error to report for *error*, raised by standard output, and discard all further output."""
    _give_up_stdout()
    return StdoutError(f"<stdout>: {describe(error)}")


def make_directory(path: Path) -> None:
    """Create the directory *path* if it does not exist, and put it on disk.

    :raises FileError: it cannot be created.
    """
    try:
        missing = [folder for folder in (path, *path.parents) if not folder.exists()]
        path.mkdir(parents=True, exist_ok=True)
        sync_folders({folder.parent for folder in missing})
    except OSError as error:
        raise FileError(f"{path}: {describe(error)}") from error


def _replace(path: Path, content: bytes, *, force: bool) -> None:
    """Write a temporary file in the directory of *path*, then move it into place; it is on disk at the end."""
    target = Path(os.path.realpath(path))
    with temporary(target.parent, content) as written:
        _put(written, target, force=force)
        sync_folders([target.parent])


def _put(written: Path, target: Path, *, force: bool) -> None:
    """Rename the file *written* to *target*.

    :raises FileExistsError: without *force*, another process has created *target*.
    """
    if force:
        written.replace(target)
        return
    try:
        target.hardlink_to(written)  # unlike rename, it never overwrites
    except FileExistsError:
        raise
    except OSError:  # such as on FAT, which has no links
        if os.path.lexists(target):
            raise FileExistsError from None
        written.rename(target)


def _status(path: Path) -> os.stat_result | None:
    """Return the status of the file *path*, or ``None`` if it does not exist."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FileError(f"{path}: {describe(error)}") from error


def _keys(path: Path, found: os.stat_result | None) -> Iterator[_Key]:
    yield os.path.normcase(os.path.realpath(path))
    if found is not None and stat.S_ISREG(found.st_mode):
        yield found.st_dev, found.st_ino


def _same(found: os.stat_result, path: Path) -> bool:
    with suppress(OSError):
        return os.path.samestat(found, path.stat())
    return False


def _is_stdout(found: os.stat_result) -> bool:
    """Return whether a file is standard output: ``/dev/stdout``, or the file that stdout is redirected to."""
    with suppress(OSError, ValueError, AttributeError):
        return os.path.samestat(found, os.fstat(sys.stdout.fileno()))
    return False


def _give_up_stdout() -> None:
    """Discard all further standard output: what is left in its buffer would fail again when the program exits."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _refuse_directory(path: Path, found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise FileError(f"{path} is a directory")


def _exists(path: Path) -> FileError:
    return FileError(f"{path} exists; use --force to overwrite it")
