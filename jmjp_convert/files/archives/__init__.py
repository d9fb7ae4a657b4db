"""Lists the inputs in directories, zips, tars and databases, in a stable order."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Container, Iterable, Iterator

from jmjp_convert.files.archives import databases, tars, zips
from jmjp_convert.files.archives.batch_files import is_own
from jmjp_convert.files.archives.entry import ARCHIVE, FILE, Entry, File, Passed, failed, readable, refused
from jmjp_convert.files.archives.folders import walk
from jmjp_convert.files.archives.not_logs import BATCH, NO_FILE, by_name
from jmjp_convert.files.compression import unpack_first
from jmjp_convert.files.inputs import is_directory
from jmjp_convert.files.signatures import kind_of
from jmjp_convert.files.temporaries import is_temporary


def entries(
    source: str, max_size: int, without: Container[tuple[int, int]] = (), *, listed: bool = False
) -> Iterator[Entry]:
    """Yield the inputs in *source*, which is a file, an archive or a directory.

    Nothing is raised: for what cannot be listed, whatever the error, there is an entry with the reason.

    :param max_size: the maximum size of one input in bytes.
    :param without: files and directories to leave out, by device and inode number.
    :param listed: whether *source* was found by a program, and is passed over if its name shows that it is no log.
    """
    if not is_directory(source):
        yield from _file(source, source if listed else "", max_size, without)
        return
    try:
        for found in walk(source, without):
            if isinstance(found, Entry):
                yield found._replace(source=readable(found.source))
            else:
                yield from _file(found, found[len(source) :].lstrip(os.sep), max_size, without)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one source must not stop the rest
        yield failed(readable(source), error)


def is_archive(path: str) -> bool:
    """Return whether *path* is a file that contains others."""
    try:
        return os.path.isfile(path) and _kind(path) in _COUNTS
    except OSError:
        return False


def count(sources: Iterable[str]) -> int | None:
    """Return approximately how many inputs are in *sources*, without reading them, or ``None`` if that is unknown."""
    total = 0
    for source in sources:
        try:
            number = _number(source)
        except Exception:  # noqa: BLE001 - listing it reports the error
            number = 1
        if number is None:
            return None
        total += number
    return total


def _number(source: str) -> int | None:
    if is_directory(source):
        return sum(1 for _ in walk(source, ()))
    container = _kind(source)
    return _COUNTS[container](source) if container in _COUNTS else 1


def _unknown(_: str) -> None:
    """Return nothing: a tar has no list of its members."""


_COUNTS: dict[str, Callable[[str], int | None]] = {
    "zip": zips.count,
    "sqlite": databases.count,
    "tar": _unknown,
}


def _kind(path: str) -> str:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        return kind_of(descriptor)
    finally:
        os.close(descriptor)


def _file(path: str, inside: str, max_size: int, without: Container[tuple[int, int]]) -> Iterator[Entry]:
    """Yield the inputs in the file *path*.

    :param inside: its path in the source; empty for a source itself, which is never passed over for its name.
    """
    source = readable(path)
    if "\x00" in path:  # as in a list
        yield refused(source, FILE, "no file name contains a zero byte")
        return
    if why := inside and by_name(inside):
        yield Entry(source, "", "", Passed(why))
        return
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            yield Entry(source, "", "", Passed(NO_FILE)) if inside else refused(source, FILE, NO_FILE)
            return
        if (found.st_dev, found.st_ino) in without or (inside and is_temporary(os.path.basename(path))):
            return
        if is_own(path):
            yield Entry(source, "", "", Passed(BATCH))
            return
        container = _kind(path)
        absolute = os.path.abspath(path)
        if not container:
            yield Entry(source, "", f"{found.st_size}:{found.st_mtime_ns}", File(absolute))
            return
        for entry in _opened(absolute, container, max_size):
            why = by_name(entry.member)
            yield entry._replace(source=source, fetch=Passed(why) if why else entry.fetch)
    except Exception as error:  # noqa: BLE001 - as above
        yield failed(source, error)


def _opened(path: str, container: str, max_size: int) -> Iterator[Entry]:
    if container == "zip":
        return zips.members(path, max_size)
    if container == "sqlite":
        return databases.rows(path)
    if container == "tar":
        return tars.members(path, max_size)
    return iter([refused(path, ARCHIVE, unpack_first(container).reason)])
