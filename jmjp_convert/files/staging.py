"""Puts files in place together: written under temporary names, synced at once, then renamed."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from jmjp_convert.errors import FileError
from jmjp_convert.files import durability
from jmjp_convert.files.inputs import describe
from jmjp_convert.files.temporaries import Identity, Temporary, begin, end

_MOST = 64  # files that are open at once
_SECONDS = 1.0  # that a file waits for others


class Done(NamedTuple):
    """A file that is in place, or why it is not."""

    path: str
    owner: str
    error: FileError | None = None


class _Staged(NamedTuple):
    temporary: Temporary
    folder: str
    target: str
    path: str
    owner: str
    force: bool


class Staging:
    """Files that are written, and wait for their names.

    :ivar named: by identity, the path of each file that got its name here.
    """

    def __init__(self) -> None:
        self.named: dict[Identity, str] = {}
        self._staged: deque[_Staged] = deque()
        self._folders: dict[int, dict[str, None]] = {}  # those with new names, by file system
        self._since = 0.0

    def write(self, target: str, content: bytes, path: str, owner: str, *, force: bool) -> None:
        """Write *content* to a temporary file next to *target*, whose name it gets with :meth:`put`.

        :param path: what *target* is called in messages.
        :param owner: the input that it is the output of.
        :param force: whether a file that exists may be overwritten.
        :raises FileError: it cannot be written.
        """
        if not self._staged:
            self._since = time.monotonic()
        folder = os.path.dirname(target) or os.curdir
        try:
            temporary = begin(folder, content)
        except OSError as error:
            raise _failed(path, error) from error
        self._staged.append(_Staged(temporary, folder, target, path, owner, force))

    @property
    def full(self) -> bool:
        """Whether enough files wait, or have waited for long enough."""
        return len(self._staged) >= _MOST or (bool(self._staged) and time.monotonic() - self._since > _SECONDS)

    def put(self) -> Iterator[Done]:
        """Put all files on disk, then give them their names; yield each, in order."""
        problem = self._synced()
        while self._staged:
            one = self._staged.popleft()
            yield Done(one.path, one.owner, self._named(one, problem))

    def close(self) -> None:
        """Remove files that have no names yet, and put the names of the others on disk.

        :raises FileError: the names may not be on disk.
        """
        while self._staged:
            with suppress(OSError):
                end(self._staged.popleft().temporary, renamed=False)
        for folders in self._folders.values():
            names = list(folders)
            try:
                durability.sync([], names, names[0])
            except OSError as error:
                raise _failed(names[0], error) from error
        self._folders.clear()

    def _synced(self) -> OSError | None:
        """Put the contents of all files on disk; return the error if that fails."""
        by_device: dict[int, list[int]] = {}
        for one in self._staged:
            if one.temporary.lock is not None:
                by_device.setdefault(one.temporary.device, []).append(one.temporary.lock)
        try:
            for descriptors in by_device.values():
                durability.sync_descriptors(descriptors)
        except OSError as error:
            return error
        return None

    def _named(self, one: _Staged, problem: OSError | None) -> FileError | None:
        """Rename a file, or return why that is impossible; with a *problem*, it is."""
        renamed = False
        try:
            try:
                if problem is None:
                    self._name(one)
                    renamed = True
            finally:
                end(one.temporary, renamed=renamed)
        except FileError as error:
            return error
        except OSError as error:
            return _failed(one.path, error)
        return _failed(one.path, problem) if problem else None

    def _name(self, one: _Staged) -> None:
        """Rename a file.

        :raises FileExistsError: it may not be overwritten, and another process has created it.
        :raises FileError: its target is one that has been written here, under another name.
        """
        if one.force:
            self._check_other(one)
            os.replace(one.temporary.path, one.target)
        else:
            durability.move(one.temporary.path, one.target)
        self.named[one.temporary.identity] = one.target
        self._folders.setdefault(one.temporary.device, {})[one.folder] = None

    def _check_other(self, one: _Staged) -> None:
        """Check that the target of *one*, if it exists, has not been written here.

        :raises FileError: it has: the file system treats two names as one, for instance by ignoring case.
        """
        with suppress(OSError):
            found = os.lstat(one.target)
            if other := self.named.get((found.st_dev, found.st_ino)):
                raise FileError(f"{one.path} is the same file as {other}; convert it separately, with --output")


def exists(path: str) -> FileError:
    """Return the error for a file that exists."""
    return FileError(f"{path} exists; use --force to overwrite it")


def _failed(path: str, error: OSError) -> FileError:
    """Return the error for *error*, which kept *path* from being written."""
    return exists(path) if isinstance(error, FileExistsError) else FileError(f"{path}: {describe(error)}")
