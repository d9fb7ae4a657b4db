"""Lists the inputs in directories, zips, tars and databases, in a stable order."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Container, Iterable, Iterator
from typing import BinaryIO

from jmjp_convert.files.archives import databases, tars, zips
from jmjp_convert.files.archives.batch_files import is_own
from jmjp_convert.files.archives.entry import FILE, Entry, File, Passed, readable, refused
from jmjp_convert.files.archives.folders import walk
from jmjp_convert.files.archives.signatures import SNIFFED, kind
from jmjp_convert.files.inputs import describe

_NO_FILE = "not a regular file"
_OWN = "a batch's own file"


def entries(source: str, max_size: int, without: Container[tuple[int, int]] = ()) -> Iterator[Entry]:
    """Yield the inputs in *source*, which is a file, an archive or a directory.

    :param max_size: the maximum size of one input in bytes.
    :param without: files and directories to leave out, by device and inode number.
    """
    if os.path.isdir(source):  # noqa: PTH112 - runs for every file
        for found in walk(source, without):
            if isinstance(found, Entry):
                yield found._replace(source=readable(found.source))
            else:
                yield from _file(found, max_size, without, named=False)
    else:
        yield from _file(source, max_size, without, named=True)


def is_archive(path: str) -> bool:
    """Return whether *path* is a file that contains others."""
    try:
        return os.path.isfile(path) and bool(_kind(path))  # noqa: PTH113 - as above
    except OSError:
        return False


def listed(stream: BinaryIO) -> Iterator[str]:
    """Yield the paths listed in *stream*, one per line."""
    for line in stream:
        path = os.fsdecode(line.rstrip(b"\r\n"))
        if path:
            yield path


def count(sources: Iterable[str]) -> int | None:
    """Return approximately how many inputs are in *sources*, without reading them, or ``None`` if that is unknown."""
    total = 0
    for source in sources:
        if os.path.isdir(source):  # noqa: PTH112 - as above
            total += sum(1 for _ in walk(source, ()))
            continue
        try:
            container = _kind(source)
            number = _COUNTS[container](source) if container else 1
        except OSError:
            number = 1
        if number is None:
            return None
        total += number
    return total


def _unknown(_: str) -> None:
    """Return nothing: a tar has no list of its members."""


_COUNTS: dict[str, Callable[[str], int | None]] = {
    "zip": zips.count,
    "sqlite": databases.count,
    "tar": _unknown,
    "tar.gz": _unknown,
}


def _kind(path: str) -> str:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        return kind(os.read(descriptor, SNIFFED))
    finally:
        os.close(descriptor)


def _file(path: str, max_size: int, without: Container[tuple[int, int]], *, named: bool) -> Iterator[Entry]:
    source = readable(path)
    try:
        found = os.stat(path)  # noqa: PTH116 - as above
        if not stat.S_ISREG(found.st_mode):
            yield refused(source, FILE, _NO_FILE) if named else Entry(source, "", "", Passed(_NO_FILE))
            return
        if (found.st_dev, found.st_ino) in without:
            return
        if is_own(path):
            yield Entry(source, "", "", Passed(_OWN))
            return
        container = _kind(path)
        absolute = os.path.abspath(path)  # noqa: PTH100 - as above; other processes may work in another directory
        if not container:
            yield Entry(source, "", f"{found.st_size}:{found.st_mtime_ns}", File(absolute))
            return
        for entry in _opened(absolute, container, max_size):
            yield entry._replace(source=source)
    except OSError as error:
        yield refused(source, FILE, describe(error))


def _opened(path: str, container: str, max_size: int) -> Iterator[Entry]:
    if container == "zip":
        return zips.members(path)
    if container == "sqlite":
        return databases.rows(path)
    return tars.members(path, max_size, packed=container == "tar.gz")
