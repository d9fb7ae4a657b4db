"""Inputs by their names: what they are called, what they hold, and what their outputs are called."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, NamedTuple

from jmjp_convert.errors import FileError
from jmjp_convert.mjlog.reader import read_mjlog
from jmjp_convert.model import Match
from jmjp_convert.streams import MAX_SIZE, chunks, describe, opened

STDIN = "-"
"""The name that stands for standard input."""

_SUFFIX = ".jmjp"
_VIEWPOINT = re.compile(r"&tw=[0-9]+(?![0-9])", re.IGNORECASE)
_GZIP_ENDING = re.compile(r"(?<=.)\.gz$", re.IGNORECASE)
_LOG_ENDING = re.compile(r"(?<=.)\.(?:xml|mjlog)$", re.IGNORECASE)
_SMALL = 1 << 20


class Reading(NamedTuple):
    """How a log is read: the options of :func:`read_mjlog`."""

    id: str | None = None
    time: str | None = None
    max_size: int = MAX_SIZE
    strict: bool = False


def label(source: str) -> str:
    """Return what *source* is called in messages."""
    return "<stdin>" if source == STDIN else source


def output_name(name: str) -> str:
    """Return the name, without a directory, of the output for an input of that *name* (source: ``mapping.md``, Files).

    >>> output_name("2009081211gm-0061-0000-184f512b&tw=1.mjlog.gz")
    '2009081211gm-0061-0000-184f512b.jmjp'
    """
    name = _VIEWPOINT.sub("", Path(name).name)
    return _LOG_ENDING.sub("", _GZIP_ENDING.sub("", name)) + _SUFFIX


def output_path(source: str, directory: Path | None, log_id: str | None = None) -> Path:
    """Return where the output for *source* goes: into *directory*, or beside its input if that is ``None``.

    Standard input has no name: there it is *log_id*'s.
    """
    name = f"{log_id}{_SUFFIX}" if source == STDIN else output_name(source)
    return (Path(source).parent if directory is None else directory) / name


def check(source: str) -> None:
    """Check that *source* is there.

    :raises FileError: it is not, or it is a directory.
    """
    if source == STDIN:
        return
    try:
        # Windows would say no more of a directory than that permission is denied.
        if stat.S_ISDIR(Path(source).stat().st_mode):
            raise FileError(describe(IsADirectoryError()))
    except OSError as error:
        raise FileError(describe(error)) from error


def read(source: str, reading: Reading, notice: Callable[[str], None]) -> Match:
    """Read the log that *source* names.

    :param notice: as of :func:`read_mjlog`.
    :raises MjlogError: it is broken.
    :raises FileError: it cannot be read.
    """
    if source == STDIN:
        if sys.stdin is None:
            raise FileError("standard input is closed")
        return _read(sys.stdin.buffer, "", reading, notice)
    with opened(source) as file:
        return _read(file, _readable(Path(source).name), reading, notice)


def _read(file: IO[bytes], name: str, reading: Reading, notice: Callable[[str], None]) -> Match:
    content = _small(file, reading.max_size)
    return read_mjlog(file if content is None else content, file_name=name, notice=notice, **reading._asdict())


def _small(file: IO[bytes], max_size: int) -> bytes | None:
    """Return the content of *file*, decompressed, if it is small: as bytes it is read faster. Otherwise ``None``."""
    if not file.seekable():
        return None
    start = file.tell()
    try:
        return b"".join(chunks(file, min(_SMALL, max_size)))
    except FileError:  # larger; or broken, and then whoever reads it as a stream says so
        file.seek(start)
        return None


def _readable(name: str) -> str:
    """Return *name* with the bytes that no character has, which a system may allow, as U+FFFD."""
    return os.fsencode(name).decode("utf-8", "replace")
