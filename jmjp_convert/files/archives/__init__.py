"""Lists the inputs in directories, zips, tars and databases, in a stable order, and reads each up to a size bound."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path
from typing import IO

from jmjp_convert.errors import FileError, file_error
from jmjp_convert.files.archives import databases, tars, zips
from jmjp_convert.files.archives.entry import (
    ARCHIVE,
    FILE,
    DatabaseRow,
    Entry,
    Fetch,
    File,
    InMemory,
    Passed,
    Patience,
    Refused,
    Zipped,
    failed,
    readable,
    refused,
)
from jmjp_convert.files.archives.not_logs import BATCH, NO_FILE, by_name, is_from_batch
from jmjp_convert.files.compression import compression_of, kind_of, unpack_first
from jmjp_convert.files.inputs import content_of, describe, too_large
from jmjp_convert.files.temporaries import Identity, is_temporary


def entries(
    source: str, max_size: int, without: Container[tuple[int, int]] = (), *, listed: bool = False
) -> Iterator[Entry]:
    """Yield the inputs in *source*, which is a file, an archive or a directory.

    Nothing is raised: for what cannot be listed, whatever the error, there is an entry with the reason.

    :param max_size: the maximum size of one input in bytes.
    :param without: files and directories to leave out, by device and inode number.
    :param listed: whether *source* was found by a program, and is skipped if its name shows that it is no log.
    """
    if not os.path.isdir(source):
        yield from _file(source, source if listed else "", max_size, without)
        return
    try:
        for path in walk(source, without):
            if isinstance(path, Entry):
                yield path._replace(source=readable(path.source))
            else:
                yield from _file(path, path[len(source) :].lstrip(os.sep), max_size, without)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one source must not stop the rest
        yield failed(readable(source), error)


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
    if os.path.isdir(source):
        return sum(1 for _ in walk(source, ()))
    container = kind_of(source)
    return _COUNTS[container](source) if container in _COUNTS else 1


_COUNTS: dict[str, Callable[[str], int | None]] = {
    "zip": zips.count,
    "sqlite": databases.count,
    "tar": lambda _: None,  # it has no list of its members
}


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
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            yield Entry(source, "", "", Passed(NO_FILE)) if inside else refused(source, FILE, NO_FILE)
            return
        if (status.st_dev, status.st_ino) in without or (inside and is_temporary(os.path.basename(path))):
            return
        if is_from_batch(path):
            yield Entry(source, "", "", Passed(BATCH))
            return
        container = kind_of(path)
        absolute = os.path.abspath(path)
        if not container:
            yield Entry(source, "", f"{status.st_size}:{status.st_mtime_ns}", File(absolute))
            return
        patience = Patience(status.st_size)
        for entry in patience.watched(_opened(absolute, container, max_size, patience), source):
            why = by_name(entry.member)
            yield entry._replace(source=source, fetch=Passed(why) if why else entry.fetch)
    except Exception as error:  # noqa: BLE001 - as above
        yield failed(source, error)


def _opened(path: str, container: str, max_size: int, patience: Patience) -> Iterator[Entry]:
    if container == "zip":
        return zips.members(path, max_size, patience)
    if container == "sqlite":
        return databases.rows(path, patience)
    if container == "tar":
        return tars.members(path, max_size, patience)
    return iter([refused(path, ARCHIVE, unpack_first(container).reason)])


class Fetcher(ExitStack):
    """Fetches the content of inputs; keeps their archives open until it exits."""

    def __init__(self, max_size: int) -> None:
        """Create a fetcher for inputs of at most *max_size* bytes."""
        super().__init__()
        self._max_size = max_size
        self._files: dict[str, IO[bytes]] = {}
        self._databases: dict[str, databases.Database] = {}

    def content(self, fetch: Fetch) -> bytes:
        """Return the content that *fetch* refers to, decompressed if it is compressed.

        :raises FileError: it cannot be read or decompressed, or is too large.
        """
        try:
            if isinstance(fetch, File):
                with open(fetch.path, "rb", buffering=0) as file:
                    return content_of(file, self._max_size)
            raw = self._raw(fetch)
        except FileError:
            raise
        except OSError as error:
            raise file_error(describe(error), error) from error
        except sqlite3.Error as error:
            raise FileError(f"cannot read the database: {error}") from error
        if compression_of(raw):
            return content_of(raw, self._max_size)
        if len(raw) > self._max_size:
            raise too_large(self._max_size)
        return raw

    def _raw(self, fetch: Zipped | DatabaseRow | InMemory | Refused | Passed) -> bytes:
        if isinstance(fetch, Zipped):
            return zips.content(fetch, self._max_size, self._file(fetch.path))
        if isinstance(fetch, DatabaseRow):
            return databases.content(fetch, self._max_size, self._database(fetch.path))
        if isinstance(fetch, InMemory):
            return fetch.content
        raise FileError(fetch.reason)

    def _file(self, path: str) -> IO[bytes]:
        if path not in self._files:
            self._files[path] = self.enter_context(Path(path).open("rb"))  # noqa: SIM115 - closed by the ExitStack
        return self._files[path]

    def _database(self, path: str) -> databases.Database:
        if path not in self._databases:
            self._databases[path] = self.enter_context(closing(databases.connect(path)))
        return self._databases[path]


# --- directories, in order of names, without holding all in memory ----------------------------------------------------

_IN_MEMORY = 5_000  # names per directory; more are sorted on disk


def walk(top: str, without: Container[Identity]) -> Iterator[str | Entry]:
    """Yield the path of each file in and below *top*, and an entry with the reason for each unreadable directory.

    Symbolic links are followed, but no directory is entered twice, so loops end.

    :param without: directories to leave out, by device and inode number.
    """
    seen: set[Identity] = set()
    folders = [_inside(top, without, seen)]  # not recursion: a tree may be deeper than Python's stack
    while folders:
        path = next(folders[-1], None)
        if path is None:
            folders.pop()
        elif isinstance(path, str) and os.path.isdir(path):
            folders.append(_inside(path, without, seen))
        else:
            yield path


def _inside(folder: str, without: Container[Identity], seen: set[Identity]) -> Iterator[str | Entry]:
    """Yield the paths in *folder*, or an entry with the reason why it cannot be read."""
    try:
        status = os.stat(folder)
        identity = status.st_dev, status.st_ino
        if identity in without or identity in seen:
            return
        seen.add(identity)
        with os.scandir(folder) as entries:
            names = in_order(entry.name for entry in entries)
    except OSError as error:
        yield refused(folder, FILE, describe(error))
        return
    for name in names:
        yield os.path.join(folder, name)


def in_order(names: Iterable[str]) -> Iterator[str]:
    """Yield *names* in order; all are read first, and sorted on disk if there are many."""
    remaining = iter(names)
    first = list(islice(remaining, _IN_MEMORY))
    if len(first) < _IN_MEMORY:
        return iter(sorted(first))
    spilled = sqlite3.connect("")  # a temporary file, with only a few pages in memory
    spilled.execute("CREATE TABLE names (name BLOB PRIMARY KEY) WITHOUT ROWID")
    for part in (first, *iter(lambda: list(islice(remaining, _IN_MEMORY)), [])):
        # As bytes, names sort in the order of their characters.
        blobs = ((name.encode("utf-8", "surrogatepass"),) for name in sorted(part))
        spilled.executemany("INSERT OR IGNORE INTO names VALUES (?)", blobs)
    return _spilled(spilled)


def _spilled(names: sqlite3.Connection) -> Iterator[str]:
    with closing(names):
        for (name,) in names.execute("SELECT name FROM names ORDER BY name"):
            yield name.decode("utf-8", "surrogatepass")
