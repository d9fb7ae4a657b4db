"""Writes outputs completely or not at all, so that they survive a power cut, and never overwrites by accident."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from functools import cached_property
from pathlib import Path
from typing import Self

from jmjp_convert.errors import FileError
from jmjp_convert.files.durability import sync_folders
from jmjp_convert.files.inputs import describe
from jmjp_convert.files.staging import Done, Staging, exists
from jmjp_convert.files.temporaries import Identity, write_all


class StdoutError(FileError):
    """Standard output cannot be written to: not the fault of any input, and all further output would fail too."""


class UnreadError(BrokenPipeError):
    """A pipe whose reader has closed it, having read what it wanted."""


LOST = (UnreadError, StdoutError)
"""Errors that end the whole run rather than one input: nothing receives the output any more."""


class Outputs:
    """The outputs of one run; a context manager. Outputs get their names many at a time, since it is several times
    faster to put many on disk at once.

    :param inputs: the paths of all inputs of the run, which are never overwritten.
    :param force: whether existing files may be overwritten.
    """

    def __init__(self, inputs: Iterable[str], *, force: bool) -> None:
        self._inputs = inputs
        self._force = force
        self._staging = Staging()
        self._owners: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self._done: list[Done] = []

    def reserve(self, path: str, owner: str) -> None:
        """Check that *path* can be written, and reserve it for the input named *owner*.

        :raises FileError: it exists, is an input or a directory, or is reserved for another input.
        """
        found, is_link = _status(path)
        if found is not None and not stat.S_ISREG(found.st_mode):
            _refuse_directory(path, found)
            return
        key = os.path.normcase(self._real(path, is_link=is_link))
        # A file system may treat two names as one, for instance by ignoring case: only the file itself shows that.
        same = found and self._staging.named.get((found.st_dev, found.st_ino))
        if other := self._owners.get(key) or (same and self._owners.get(os.path.normcase(same))):
            raise FileError(f"{path} is already the output of {other}; convert it separately, with --output")
        if found is not None and not _is_stdout(found):
            if (found.st_dev, found.st_ino) in self._identities:
                raise FileError(f"{path} is an input; inputs are never overwritten")
            if not self._force:
                raise exists(path)
        self._owners[key] = owner

    def write(self, path: str, content: bytes, owner: str) -> None:
        """Write *content* to *path*, which is reserved for *owner*; it gets its name with :meth:`put`.

        :raises FileError: it cannot be written.
        """
        found, is_link = _status(path)
        if found is not None and _is_special(found):
            _write_special(path, content, found)
            self._done.append(Done(path, owner))
        else:
            self._staging.write(self._real(path, is_link=is_link), content, path, owner, force=self._force)

    @property
    def full(self) -> bool:
        """Whether it is time to :meth:`put`."""
        return self._staging.full

    def put(self) -> Iterator[Done]:
        """Put what has been written on disk and give it its names; yield what is done, in order."""
        done, self._done = self._done, []
        yield from done
        yield from self._staging.put()

    def _real(self, path: str, *, is_link: bool) -> str:
        """Return *path* without symbolic links; the directory is looked at once a run."""
        if is_link:
            return os.path.realpath(path)
        folder, name = os.path.split(path)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return os.path.join(self._folders[folder], name)

    @cached_property
    def _identities(self) -> set[Identity]:
        """The identities of the inputs."""
        return set(filter(None, map(_identity, self._inputs)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._staging.close()


def write(path: Path, content: bytes, *, force: bool = False) -> None:
    """Write *content* to the file *path*, completely or not at all; a symbolic link is followed. It is on disk when
    this returns.

    An existing path that is not a regular file (a device, a pipe) is written to directly.

    :param force: whether an existing file may be overwritten.
    :raises FileError: it cannot be written, or exists.
    :raises UnreadError: it is a pipe that has no reader.
    """
    name = str(path)
    found, _ = _status(name)
    if found is not None and _is_special(found):
        _write_special(name, content, found)
    else:
        replace(os.path.realpath(path), content, name, force=force)


def replace(target: str, content: bytes, path: str, *, force: bool) -> None:
    """Write *content* to the file *target*, which may be a symbolic link to be replaced itself, as :func:`write` does.

    :param path: what it is called in messages.
    """
    with closing(Staging()) as staging:
        staging.write(target, content, path, "", force=force)
        for done in staging.put():
            if done.error is not None:
                raise done.error


def _write_special(path: str, content: bytes, found: os.stat_result) -> None:
    if _is_stdout(found):
        write_stdout(content)
        return
    _refuse_directory(path, found)
    try:
        with open(path, "wb", buffering=0) as file:
            write_all(file.fileno(), content)
    except BrokenPipeError as error:
        raise UnreadError from error
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


def _status(path: str) -> tuple[os.stat_result | None, bool]:
    """Return the status of the file *path*, ``None`` if it does not exist, and whether *path* is a symbolic link."""
    is_link = False
    try:
        found = os.lstat(path)
        is_link = stat.S_ISLNK(found.st_mode)
        return os.stat(path) if is_link else found, is_link
    except FileNotFoundError:
        return None, is_link
    except OSError as error:
        raise FileError(f"{path}: {describe(error)}") from error


def _identity(path: str) -> Identity | None:
    """Return the identity of the file *path*, if it has one."""
    with suppress(OSError):
        found = os.stat(path)
        return (found.st_dev, found.st_ino) if found.st_ino else None
    return None


def _is_special(found: os.stat_result) -> bool:
    """Return whether a file is written to directly: it is not a regular one, or it is standard output."""
    return not stat.S_ISREG(found.st_mode) or _is_stdout(found)


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


def _refuse_directory(path: str, found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise FileError(f"{path} is a directory")
