"""Writes outputs whole or not at all, and never overwrites by accident."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from jmjp_convert.errors import FileError
from jmjp_convert.files.inputs import describe

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_MODE = 0o666  # less what the umask takes


class StdoutError(FileError):
    """Standard output that cannot be written to: no fault of any input, and all that follows would fail as well."""


class UnreadError(BrokenPipeError):
    """A pipe that nobody reads any more: whoever did has had what was wanted."""


LOST = (UnreadError, StdoutError)
"""What ends a run, not only the work on one input: nobody gets the output any more."""

_Key = str | tuple[int, int]
"""What tells one file from another: its path without symbolic links, or its device and number."""


class Outputs:
    """The outputs of one run.

    :param inputs: the paths of all of its inputs, none of which is ever an output.
    :param force: whether files that exist may be overwritten.
    """

    def __init__(self, inputs: Iterable[Path], *, force: bool) -> None:
        self._inputs = inputs
        self._force = force
        self._owners: dict[_Key, str] = {}

    def reserve(self, path: Path, owner: str) -> None:
        """Check that *path* can be written, for an input that is called *owner*, and keep it for that one.

        :raises FileError: it exists, is an input or a directory, or is another one's.
        """
        found = _status(path)
        if found is not None and not stat.S_ISREG(found.st_mode):
            _refuse_directory(path, found)
            return
        keys = list(_keys(path, found))
        for key in keys:
            if key in self._owners:
                raise FileError(f"{path} is already the output of {self._owners[key]}")
        if found is not None and not _is_stdout(found):
            if any(found.st_ino and _same(found, name) for name in self._inputs):
                raise FileError(f"{path} is an input; inputs are never overwritten")
            if not self._force:
                raise _exists(path)
        self._owners.update(dict.fromkeys(keys, owner))

    def write(self, path: Path, content: bytes, owner: str) -> None:
        """Write *content* to *path*, which is reserved for *owner*.

        :raises FileError: it cannot be written, or exists by now.
        """
        write(path, content, force=self._force)
        # A file system may take two names for one, as by their case: the file itself tells.
        for key in _keys(path, _status(path)):
            self._owners.setdefault(key, owner)


def write(path: Path, content: bytes, *, force: bool = False) -> None:
    """Write *content* to the file *path*, whole or not at all; of a symbolic link, to the file that it leads to.

    What exists and is no regular file (a device, a pipe) is written to as it is.

    :param force: whether a file that exists may be overwritten.
    :raises FileError: it cannot be written, or exists.
    :raises UnreadError: it is a pipe, and nobody reads it.
    """
    found = _status(path)
    try:
        if found is not None and _is_stdout(found):
            write_stdout(content)
        elif found is not None and not stat.S_ISREG(found.st_mode):
            _refuse_directory(path, found)
            with path.open("wb", buffering=0) as file:
                _write_all(file.fileno(), content)
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
    """Write *content* to standard output as it is, whatever the console's encoding and line ends.

    :raises StdoutError: it cannot be written.
    :raises UnreadError: nobody reads it.
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
    """Return what *error*, of standard output, is told as; nothing more goes there."""
    _give_up_stdout()
    return StdoutError(f"<stdout>: {describe(error)}")


def create(path: str | Path, content: bytes | bytearray) -> None:
    """Write *content* to the file *path*, which is new.

    :raises OSError: it exists, or cannot be written.
    """
    # Not by tempfile, whose files are their owner's alone, whatever the umask.
    descriptor = os.open(path, _CREATE, _MODE)
    try:
        _write_all(descriptor, content)
    finally:
        os.close(descriptor)


def make_directory(path: Path) -> None:
    """Make the directory *path*, if it is not there.

    :raises FileError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{path}: {describe(error)}") from error


def _replace(path: Path, content: bytes, *, force: bool) -> None:
    """Write a temporary file in the directory of *path*, then put it in its place."""
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".jmjp-{os.urandom(8).hex()}.tmp")
    try:
        create(temporary, content)
        _put(temporary, target, force=force)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _put(temporary: Path, target: Path, *, force: bool) -> None:
    """Give the file *temporary* the name *target*.

    :raises FileExistsError: without *force*, another process has made a file of that name.
    """
    if force:
        temporary.replace(target)
        return
    try:
        target.hardlink_to(temporary)  # unlike rename, it never overwrites
    except FileExistsError:
        raise
    except OSError:  # as on FAT, which has no links
        if os.path.lexists(target):
            raise FileExistsError from None
        temporary.rename(target)


def _write_all(descriptor: int, content: bytes | bytearray) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _status(path: Path) -> os.stat_result | None:
    """Return what is known of the file *path*, or ``None`` if there is none."""
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
    """Return whether a file is what standard output goes to, as ``/dev/stdout`` is, or the file it is redirected to."""
    with suppress(OSError, ValueError, AttributeError):
        return os.path.samestat(found, os.fstat(sys.stdout.fileno()))
    return False


def _give_up_stdout() -> None:
    """Let nothing more go to standard output: what is left in its buffer would fail again as the program ends."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _refuse_directory(path: Path, found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise FileError(f"{path} is a directory")


def _exists(path: Path) -> FileError:
    return FileError(f"{path} exists (--force overwrites it)")
