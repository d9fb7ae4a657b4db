"""Temporary files next to outputs: their writer holds a lock on them, so those that a killed run left can be told from
those of a run in progress."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count

from jmjp_convert.files.durability import Path_, sync_descriptor
from jmjp_convert.lazy_regex import regex

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_NAME = regex(r"\.jmjp-[0-9a-f]{16}\.tmp")
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_LOOK = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_MODE = 0o666  # minus the umask
_ABANDONED = 3600  # seconds after which a file is taken to be left over where there are no locks

_cleared: set[str] = set()
_made: dict[str, None] = {}  # the files and folders of this process that are still there
_numbers = count()
_prefix = cache(lambda: os.urandom(4).hex())  # of the names of this process


def is_temporary(name: str) -> bool:
    """Return whether *name* is one that such a file has."""
    return name.startswith(".jmjp-") and _NAME.fullmatch(name) is not None


Identity = tuple[int, int]
"""The identity of a file: the numbers of its file system and of the file there."""


def identities(paths: Iterable[Path_]) -> set[Identity]:
    """Return the identities of the files and directories *paths*, as far as they have one."""
    found = set()
    for path in paths:
        with suppress(OSError):
            status = os.stat(path)
            found.add((status.st_dev, status.st_ino))
    return {identity for identity in found if identity[1]}


class Temporary:
    """A temporary file."""

    __slots__ = ("path", "lock", "identity")

    def __init__(self, path: str, lock: int | None, identity: Identity) -> None:
        self.path = path
        # A descriptor that holds a lock on it; None where there are no locks, and it is on disk already.
        self.lock = lock
        self.identity = identity

    @property
    def device(self) -> int:
        """The number of its file system."""
        return self.identity[0]


def begin(folder: str, content: bytes) -> Temporary:
    """Write *content* to a new file in *folder*, to be put on disk and renamed, and then passed to :func:`end`. The
    first time in a process, files that killed runs left in *folder* are removed.

    :raises OSError: it cannot be written.
    """
    if folder not in _cleared:
        _cleared.add(folder)
        clear(folder)
    path = os.path.join(folder, f".jmjp-{_prefix()}{next(_numbers):08x}.tmp")
    _made[path] = None
    try:
        return _written(path, content)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(path)
        _made.pop(path, None)
        raise


def end(temporary: Temporary, *, renamed: bool) -> None:
    """Close *temporary*, and remove it unless it has been *renamed*.

    :raises OSError: it cannot be removed.
    """
    if temporary.lock is not None:
        with suppress(OSError):
            os.close(temporary.lock)
    if not renamed:
        with suppress(FileNotFoundError):
            os.unlink(temporary.path)
    _made.pop(temporary.path, None)


@contextmanager
def temporary_folder() -> Iterator[str]:
    """Provide an empty folder, which is removed in the end."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        _made[folder] = None
        try:
            yield folder
        finally:
            _made.pop(folder, None)


def discard() -> None:
    """Remove the temporary files and folders of this process, which ends at once, as far as that is possible."""
    import shutil

    for path in list(_made):
        with suppress(OSError):
            os.unlink(path)
        shutil.rmtree(path, ignore_errors=True)


def clear(folder: Path_) -> None:
    """Remove the temporary files in *folder* whose writers are gone, as far as that is possible."""
    with suppress(OSError):
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if is_temporary(entry.name)]
        for name in names:
            with suppress(OSError):
                _remove(os.path.join(folder, name))


def create(path: Path_, content: bytes | bytearray) -> None:
    """Write *content* to the new file *path*; it need not be on disk yet.

    :raises OSError: it exists, or cannot be written.
    """
    # Not with tempfile, whose files only their owner can read, whatever the umask.
    descriptor = os.open(path, _CREATE, _MODE)
    try:
        write_all(descriptor, content)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, content: bytes | bytearray) -> None:
    """Write all of *content*.

    :raises OSError: it cannot be written.
    """
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _written(path: str, content: bytes) -> Temporary:
    """Write *content* to the new file *path*."""
    descriptor = os.open(path, _CREATE, _MODE)
    lock = None
    try:
        if fcntl is not None:
            with suppress(OSError):  # on a file system without locks
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                lock = os.dup(descriptor)  # so that closing the file may still fail before it is renamed
        status = os.fstat(descriptor)
        if not status.st_nlink:  # another run has looked at it before it was locked
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)  # noqa: TRY301
        write_all(descriptor, content)
        if lock is None:
            sync_descriptor(descriptor)
    except BaseException:
        if lock is not None:
            with suppress(OSError):
                os.close(lock)
        raise
    finally:
        os.close(descriptor)
    return Temporary(path, lock, (status.st_dev, status.st_ino))


def _remove(path: str) -> None:
    """Remove the file *path* if its writer is gone."""
    if fcntl is None:
        status = os.lstat(path)
        if stat.S_ISREG(status.st_mode) and time.time() - status.st_mtime > _ABANDONED:
            os.unlink(path)
        return
    descriptor = os.open(path, _LOOK)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)
    finally:
        os.close(descriptor)
