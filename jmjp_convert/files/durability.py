"""Puts files on disk, so that a power cut loses none of them.

A rename that survives a power cut while the content of its file does not would leave an empty file: hence content is
synced before its file gets its name, and the directory after.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

_FEW = 4  # files and directories: so many are synced one by one, without waiting for what other programs write
_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0)
_WRITE = os.O_RDWR | getattr(os, "O_BINARY", 0)  # Windows syncs only what is open for writing
_UNSUPPORTED = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EBADF}  # of directories, on some file systems

Path_ = str | os.PathLike[str]


def sync(files: Sequence[Path_], folders: Sequence[Path_], home: Path_) -> None:
    """Put on disk the contents of *files*, and the names in *folders*: by one call where the system can sync a whole
    file system, otherwise one by one.

    :param home: a directory on the file system of all of them.
    :raises OSError: they may not be on disk.
    """
    if len(files) + len(folders) > _FEW and _syncfs() is not None:
        descriptor = os.open(home, _READ)
        try:
            if _sync_file_system(descriptor):
                return
        finally:
            os.close(descriptor)
    for file in files:
        sync_file(file)
    sync_folders(folders)


def sync_descriptors(descriptors: Sequence[int]) -> None:
    """Put on disk the contents of the files that are open as *descriptors*, all on one file system: by one call where
    the system has one, otherwise one by one.

    :raises OSError: they may not be on disk.
    """
    if len(descriptors) > _FEW and _sync_file_system(descriptors[0]):
        return
    for descriptor in descriptors:
        sync_descriptor(descriptor)


def sync_file(path: Path_) -> None:
    """Put on disk the content of the file *path*.

    :raises OSError: it may not be on disk.
    """
    descriptor = os.open(path, _WRITE)
    try:
        sync_descriptor(descriptor)
    finally:
        os.close(descriptor)


def sync_descriptor(descriptor: int) -> None:
    """Put on disk the content of the file that is open as *descriptor*.

    :raises OSError: it may not be on disk.
    """
    if sys.platform == "darwin":  # where fsync leaves the bytes in the drive's cache
        import fcntl

        try:
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
        else:
            return
    os.fsync(descriptor)


def sync_folders(paths: Iterable[Path_]) -> None:
    """Put on disk which names are in the directories *paths*, as far as they may be read; on Windows the system sees to
    that.

    :raises OSError: they may not be on disk.
    """
    if os.name == "nt":
        return
    for path in paths:
        try:
            descriptor = os.open(path, _READ)
        except PermissionError:  # a directory for dropping files into
            continue
        try:
            sync_descriptor(descriptor)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
        finally:
            os.close(descriptor)


def replace(temporary: Path_, path: Path_) -> None:
    """Move the file *temporary* to *path* in one step, replacing any file there; both names and the content are on disk
    when this returns.

    :raises OSError: it cannot be moved, or may not be on disk.
    """
    sync_file(temporary)
    os.replace(temporary, path)
    sync_folders([os.path.dirname(path) or os.curdir])


def move(source: str, target: str) -> None:
    """Rename the file *source* to *target*, which must not exist.

    :raises FileExistsError: it exists.
    :raises OSError: it cannot be renamed.
    """
    try:
        os.link(source, target)  # unlike a rename, it never overwrites
    except FileNotFoundError:
        raise
    except FileExistsError:
        # A run that ended between the two steps has left both names.
        if not os.path.samestat(os.lstat(source), os.lstat(target)):
            raise
    except OSError:  # such as on FAT, which has no links
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from None
        os.rename(source, target)
        return
    os.unlink(source)


def _sync_file_system(descriptor: int) -> bool:
    """Sync the file system of the open file *descriptor*, and return whether the system can.

    :raises OSError: it cannot write.
    """
    call = _syncfs()
    if call is None:
        return False
    import ctypes  # on most runs, nothing needs it

    if not call(descriptor):
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number))


@cache
def _syncfs() -> Any | None:
    """Return the function of the C library, which only Linux has."""
    if sys.platform != "linux":
        return None
    import ctypes  # as above

    try:
        return ctypes.CDLL(None, use_errno=True).syncfs
    except (OSError, AttributeError):
        return None
