"""Walks a directory in order of names, without holding all of them in memory."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Container, Iterable, Iterator
from contextlib import closing
from itertools import islice

from jmjp_convert.files.archives.entry import FILE, Entry, refused
from jmjp_convert.files.inputs import describe
from jmjp_convert.files.temporaries import Identity

_IN_MEMORY = 5_000  # names per directory; more are sorted on disk


def walk(top: str, without: Container[Identity]) -> Iterator[str | Entry]:
    """Yield the path of each file in and below *top*, and an entry with the reason for each unreadable directory.

    Symbolic links are followed, but no directory is entered twice, so loops end.

    :param without: directories to leave out, by device and inode number.
    """
    seen: set[Identity] = set()
    folders = [_inside(top, without, seen)]  # not recursion: a tree may be deeper than Python's stack
    while folders:
        found = next(folders[-1], None)
        if found is None:
            folders.pop()
        elif isinstance(found, str) and os.path.isdir(found):
            folders.append(_inside(found, without, seen))
        else:
            yield found


def _inside(folder: str, without: Container[Identity], seen: set[Identity]) -> Iterator[str | Entry]:
    """Yield the paths in *folder*, or an entry with the reason why it cannot be read."""
    try:
        found = os.stat(folder)
        identity = found.st_dev, found.st_ino
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
        spilled.executemany("INSERT OR IGNORE INTO names VALUES (?)", ((_blob(name),) for name in sorted(part)))
    return _spilled(spilled)


def _spilled(names: sqlite3.Connection) -> Iterator[str]:
    with closing(names):
        for (name,) in names.execute("SELECT name FROM names ORDER BY name"):
            yield name.decode("utf-8", "surrogatepass")


def _blob(name: str) -> bytes:
    """Return *name* as bytes that sort in the order of its characters."""
    return name.encode("utf-8", "surrogatepass")
