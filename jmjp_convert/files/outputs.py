"""Writes outputs completely or not at all, so that they survive a power cut, and never overwrites by accident.

Outputs are put in place together: written under temporary names, synced at once, then renamed.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Self

from jmjp_convert.errors import FileError, file_error
from jmjp_convert.files import durability
from jmjp_convert.files.durability import Path_, sync_folders
from jmjp_convert.files.inputs import describe
from jmjp_convert.files.temporaries import Identity, Temporary, begin, end, identities, write_all
from jmjp_convert.lazy_regex import regex
from jmjp_convert.messages import for_terminal

# Source: learn.microsoft.com/windows/win32/fileio/naming-a-file. Neither case nor an extension makes a difference.
_DEVICE = regex(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³]) *(?:[.:].*)?", re.IGNORECASE)

WINDOWS = os.name == "nt"

_MOST_OPEN_FILES = 64
_MOST_SECONDS_STAGED = 1.0


class Done:
    """A file that is in place, or why it is not."""

    __slots__ = ("path", "owner", "error")

    def __init__(self, path: str, owner: str, error: FileError | None = None) -> None:
        self.path = path
        self.owner = owner
        self.error = error


class _Staged:
    __slots__ = ("temporary", "folder", "target", "path", "owner", "force")

    def __init__(self, temporary: Temporary, folder: str, target: str, path: str, owner: str, force: bool) -> None:
        self.temporary = temporary
        self.folder = folder
        self.target = target
        self.path = path
        self.owner = owner
        self.force = force


def exists(path: str) -> FileError:
    """Return the error for a file that exists."""
    cause = FileExistsError(errno.EEXIST, "file exists", path)
    return file_error(f"{path} exists; use --force to overwrite it", cause)


def _failed(path: str, error: OSError) -> FileError:
    """Return the error for *error*, which kept *path* from being written."""
    return exists(path) if isinstance(error, FileExistsError) else file_error(f"{path}: {describe(error)}", error)


class StdoutError(FileError):
    """Standard output cannot be written to: not the fault of any input, and all further output would fail too."""


class UnreadError(BrokenPipeError):
    """A pipe that its reader has closed, having read what it wanted."""


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
        self._owners: dict[str, str] = {}
        self._real_folders: dict[str, str] = {}
        self._named: dict[Identity, str] = {}  # the path of each file that got its name here
        self._new_folders: dict[int, dict[str, None]] = {}  # those with new names, by file system
        self._staged: deque[_Staged] = deque()
        self._done: list[Done] = []
        self._since = 0.0

    def reserve(self, path: str, owner: str, *, renew: bool = False) -> None:
        """Check that *path* can be written, and reserve it for the input named *owner*.

        :param renew: whether it may be overwritten in any case.
        :raises FileError: it exists, is an input or a directory, or is reserved for another input.
        """
        status, is_link = _status(path)
        if status is not None and not stat.S_ISREG(status.st_mode):
            _refuse_directory(path, status)
            return
        key = os.path.normcase(self._real(path, is_link=is_link))
        # A file system may treat two names as one, for instance by ignoring case: only the file itself shows that.
        same = status and self._named.get((status.st_dev, status.st_ino))
        if other := self._owners.get(key) or (same and self._owners.get(os.path.normcase(same))):
            raise FileError(f"{path} is already the output of {other}; convert it separately, with --output")
        if status is not None and not _is_stdout(status):
            if (status.st_dev, status.st_ino) in self._identities:
                raise FileError(f"{path} is an input; inputs are never overwritten")
            if not (self._force or renew):
                raise exists(path)
        self._owners[key] = owner

    def write(self, path: str, content: bytes, owner: str, *, renew: bool = False) -> None:
        """Write *content* to *path*, which is reserved for *owner*; it gets its name with :meth:`put`.

        :param renew: as for :meth:`reserve`.
        :raises FileError: it cannot be written.
        """
        status, is_link = _status(path)
        if status is not None and _is_special(status):
            _write_special(path, content, status)
            self._done.append(Done(path, owner))
        else:
            force = self._force or renew
            self.stage(self._real(path, is_link=is_link), content, path, owner, force=force)

    def stage(self, target: str, content: bytes, path: str, owner: str, *, force: bool) -> None:
        """Write *content* to a temporary file next to *target*; :meth:`put` renames it.

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
        return len(self._staged) >= _MOST_OPEN_FILES or (
            bool(self._staged) and time.monotonic() - self._since > _MOST_SECONDS_STAGED
        )

    def put(self) -> Iterator[Done]:
        """Put what has been written on disk, then give it its names; yield what is done, in order."""
        done, self._done = self._done, []
        yield from done
        problem = self._sync_contents()
        while self._staged:
            staged = self._staged.popleft()
            yield Done(staged.path, staged.owner, self._put_one(staged, problem))

    def _real(self, path: str, *, is_link: bool) -> str:
        """Return *path* without symbolic links; the directory is looked at once a run."""
        if is_link:
            return os.path.realpath(path)
        folder, name = os.path.split(path)
        if folder not in self._real_folders:
            self._real_folders[folder] = os.path.realpath(folder)
        return os.path.join(self._real_folders[folder], name)

    @cached_property
    def _identities(self) -> set[Identity]:
        """The identities of the inputs."""
        return identities(self._inputs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Remove files that have no names yet, and put the names of the others on disk.

        :raises FileError: the names may not be on disk.
        """
        while self._staged:
            with suppress(OSError):
                end(self._staged.popleft().temporary, renamed=False)
        for folders in self._new_folders.values():
            names = list(folders)
            try:
                durability.sync([], names, names[0])
            except OSError as error:
                raise _failed(names[0], error) from error

    def _sync_contents(self) -> OSError | None:
        """Put the contents of all files on disk; return the error if that fails."""
        by_device: dict[int, list[int]] = {}
        for staged in self._staged:
            if staged.temporary.lock is not None:
                by_device.setdefault(staged.temporary.device, []).append(staged.temporary.lock)
        try:
            for descriptors in by_device.values():
                durability.sync_descriptors(descriptors)
        except OSError as error:
            return error
        return None

    def _put_one(self, staged: _Staged, problem: OSError | None) -> FileError | None:
        """Rename a file, or return why that is impossible; with a *problem*, it is."""
        renamed = False
        try:
            try:
                if problem is None:
                    self._rename(staged)
                    renamed = True
            finally:
                end(staged.temporary, renamed=renamed)
        except FileError as error:
            return error
        except OSError as error:
            return _failed(staged.path, error)
        return _failed(staged.path, problem) if problem else None

    def _rename(self, staged: _Staged) -> None:
        """Rename a file.

        :raises FileExistsError: it may not be overwritten, and another process has created it.
        :raises FileError: its target is one that has been written here, under another name.
        """
        if staged.force:
            self._check_other(staged)
            os.replace(staged.temporary.path, staged.target)
        else:
            durability.move(staged.temporary.path, staged.target)
        self._named[staged.temporary.identity] = staged.target
        self._new_folders.setdefault(staged.temporary.device, {})[staged.folder] = None

    def _check_other(self, staged: _Staged) -> None:
        """Check that the target of *staged*, if it exists, has not been written here.

        :raises FileError: it has: the file system treats two names as one, for instance by ignoring case.
        """
        status = None
        with suppress(OSError):
            status = os.lstat(staged.target)
        if status is not None and (other := self._named.get((status.st_dev, status.st_ino))):
            raise FileError(f"{staged.path} is the same file as {other}; convert it separately, with --output")


def write(path: Path_, content: bytes, *, force: bool = False) -> None:
    """Write *content* to the file *path*, completely or not at all; a symbolic link is followed. It is on disk when
    this returns.

    An existing path that is not a regular file (a device, a pipe) is written to directly.

    :param force: whether an existing file may be overwritten.
    :raises FileError: it cannot be written, or exists.
    :raises UnreadError: it is a pipe that has no reader.
    """
    name = os.fspath(path)
    status, _ = _status(name)
    if status is not None and _is_special(status):
        _write_special(name, content, status)
    else:
        replace(os.path.realpath(name), content, name, force=force)


def replace(target: str, content: bytes, path: str, *, force: bool) -> None:
    """Write *content* to the file *target*, which may be a symbolic link to be replaced itself, as :func:`write` does.

    :param path: what it is called in messages.
    """
    with Outputs((), force=force) as outputs:
        outputs.stage(target, content, path, "", force=force)
        for done in outputs.put():
            if done.error is not None:
                raise done.error


def _write_special(path: str, content: bytes, status: os.stat_result) -> None:
    if _is_stdout(status):
        write_data(content)
        return
    _refuse_directory(path, status)
    try:
        with open(path, "wb", buffering=0) as file:
            write_all(file.fileno(), _for_terminal(content) if file.isatty() else content)
    except BrokenPipeError as error:
        raise UnreadError from error
    except OSError as error:
        raise file_error(f"{path}: {describe(error)}", error) from error


def write_data(content: bytes) -> None:
    """Write *content*, in UTF-8, to standard output: unchanged, except that what would control a terminal is escaped
    on one.

    :raises StdoutError: it cannot be written.
    :raises UnreadError: it is a pipe that has no reader.
    """
    on_terminal = sys.stdout is not None and sys.stdout.isatty()
    write_stdout(_for_terminal(content) if on_terminal else content)


def _for_terminal(content: bytes) -> bytes:
    return for_terminal(content.decode("utf-8", "backslashreplace")).encode()


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


def expect_directory(path: Path_) -> None:
    """Check that *path*, in which outputs are to be, is not a file.

    :raises FileError: it is one.
    """
    name = os.fspath(path).rstrip(f"/{os.sep}") or path
    if os.path.exists(name) and not os.path.isdir(name):
        raise FileError(f"{name} is a file, not a directory; choose another --output")


def make_directory(path: Path_) -> None:
    """Create the directory *path* if it does not exist, and put it on disk.

    :raises FileError: it cannot be created.
    """
    try:
        missing, folder = [], os.path.dirname(os.path.join(path, ""))
        while folder and not os.path.exists(folder):
            missing.append(folder)
            folder = os.path.dirname(folder)
        os.makedirs(path, exist_ok=True)
        sync_folders([os.path.dirname(folder) or os.curdir for folder in missing])
    except OSError as error:
        raise file_error(f"{path}: {describe(error)}", error) from error


def _status(path: str) -> tuple[os.stat_result | None, bool]:
    """Return the status of the file *path*, ``None`` if it does not exist, and whether *path* is a symbolic link."""
    is_link = False
    try:
        status = os.lstat(path)
        is_link = stat.S_ISLNK(status.st_mode)
        return os.stat(path) if is_link else status, is_link
    except FileNotFoundError:
        return None, is_link
    except OSError as error:
        raise file_error(f"{path}: {describe(error)}", error) from error


def _is_special(status: os.stat_result) -> bool:
    """Return whether a file is written to directly: it is not a regular one, or it is standard output."""
    return not stat.S_ISREG(status.st_mode) or _is_stdout(status)


def _is_stdout(status: os.stat_result) -> bool:
    """Return whether a file is standard output: ``/dev/stdout``, or the file that stdout is redirected to."""
    with suppress(OSError, ValueError, AttributeError):
        return os.path.samestat(status, os.fstat(sys.stdout.fileno()))
    return False


def _give_up_stdout() -> None:
    """Discard all further standard output: what is left in its buffer would fail again when the program exits."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _refuse_directory(path: str, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise file_error(f"{path} is a directory", IsADirectoryError(errno.EISDIR, "is a directory", path))


def portable(name: str) -> str:
    """Return the file name *name*, changed if it is that of a device: ``portable("con.html") == "_con.html"``."""
    return f"_{name}" if _DEVICE.fullmatch(name) else name


def usable(name: str) -> str:
    """Return the file name *name*, changed if it is that of a device on this system."""
    return portable(name) if WINDOWS else name
