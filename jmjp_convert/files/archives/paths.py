"""Walks a directory in order of names, and reads lists of paths, without holding either in memory."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Container, Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import IO

from jmjp_convert.errors import FileError
from jmjp_convert.files.archives.entry import FILE, Entry, refused
from jmjp_convert.files.inputs import STDIN, describe, label, reported
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


_LONGEST_PATH = 1 << 15
"""In bytes. No system takes a longer one: Linux stops at 4,096 bytes, Windows at 32,767 characters."""

_MOST = 1 << 28
"""The maximum size of a list in bytes: more than four million games at 60 bytes a path."""

_PIECE = 1 << 20


def spool(stream: IO[bytes], into: IO[bytes]) -> None:
    """Copy the list *stream* to the file *into*, so that it can be read several times.

    :raises FileError: it cannot be read or stored, or is too long.
    """
    size = 0
    with reported(label(STDIN)):
        while piece := stream.read(_PIECE):
            size += len(piece)
            if size > _MOST:
                raise FileError(f"{label(STDIN)}: larger than {_MOST:,} bytes; name directories or archives instead")
            into.write(piece)


def listed(stream: IO[bytes]) -> Iterator[str]:
    """Yield the paths listed in *stream*, one per line. A line that is too long for a path is cut: it cannot be opened,
    and fails like any other wrong path."""
    within = False  # a line whose beginning was too long
    while piece := stream.readline(_LONGEST_PATH):
        path = os.fsdecode(piece.rstrip(b"\r\n"))
        if path and not within:
            yield path
        within = not piece.endswith(b"\n")
