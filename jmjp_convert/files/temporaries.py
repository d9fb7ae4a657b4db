"""Temporary files next to outputs: their writer holds a lock on them, so those that a killed run left can be told from
those of a run in progress."""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jmjp_convert.files.durability import sync_descriptor

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_NAME = re.compile(r"\.jmjp-[0-9a-f]{16}\.tmp")
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_LOOK = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_MODE = 0o666  # minus the umask
_ABANDONED = 3600  # seconds after which a file is taken to be left over where there are no locks

_cleared: set[str] = set()


def is_temporary(name: str) -> bool:
    """Return whether *name* is one that such a file has."""
    return _NAME.fullmatch(name) is not None


@contextmanager
def temporary(folder: Path, content: bytes) -> Iterator[Path]:
    """Write *content* to a new file in *folder*, put it on disk, and provide its path, to be renamed; remove it at the
    end if it is still there. The first time in a process, files that killed runs left in *folder* are removed.

    :raises OSError: it cannot be written.
    """
    if str(folder) not in _cleared:
        _cleared.add(str(folder))
        clear(folder)
    path = folder / f".jmjp-{os.urandom(8).hex()}.tmp"
    held = None
    try:
        held = _written(path, content)
        yield path
    finally:
        if held is not None:
            with suppress(OSError):
                os.close(held)
        with suppress(FileNotFoundError):
            path.unlink()


def clear(folder: Path) -> None:
    """Remove the temporary files in *folder* whose writers are gone, as far as that is possible."""
    with suppress(OSError):
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if is_temporary(entry.name)]
        for name in names:
            with suppress(OSError):
                _remove(folder / name)


def create(path: str | Path, content: bytes | bytearray) -> None:
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


def _written(path: Path, content: bytes) -> int | None:
    """Write *content* to the new file *path*, and return a descriptor that holds a lock on it, where there are locks.

    :raises OSError: it cannot be written.
    """
    descriptor = os.open(path, _CREATE, _MODE)
    held = None
    try:
        if fcntl is not None:
            with suppress(OSError):  # on a file system without locks
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                held = os.dup(descriptor)  # so that closing the file may still fail before it is renamed
            if not os.fstat(descriptor).st_nlink:  # another run has looked at it before it was locked
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))  # noqa: TRY301
        write_all(descriptor, content)
        sync_descriptor(descriptor)
    except BaseException:
        if held is not None:
            with suppress(OSError):
                os.close(held)
        raise
    finally:
        os.close(descriptor)
    return held


def _remove(path: Path) -> None:
    """Remove the file *path* if its writer is gone.

    :raises OSError: it is in use, or cannot be removed.
    """
    if fcntl is None:
        found = path.lstat()
        if stat.S_ISREG(found.st_mode) and time.time() - found.st_mtime > _ABANDONED:
            path.unlink()
        return
    descriptor = os.open(path, _LOOK)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
    finally:
        os.close(descriptor)
