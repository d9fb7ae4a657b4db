"""Inputs by their names: what they are called, what they hold, and what their outputs are called."""

from __future__ import annotations

import codecs
import os
import re
import stat
import sys
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple, cast

from jmjp_convert.errors import ConvertError, FileError, MjlogError
from jmjp_convert.jmjp.reader import read_jmjp
from jmjp_convert.jsonl.reader import read_json
from jmjp_convert.mjlog.reader import read_mjlog
from jmjp_convert.model import Match
from jmjp_convert.streams import (
    JMJP,
    JSON,
    MAX_SIZE,
    MJLOG,
    UNKNOWN_FORMAT,
    Pieces,
    chunks,
    describe,
    format_of,
    opened,
)

STDIN = "-"
"""The name that stands for standard input."""

_VIEWPOINT = re.compile(r"&tw=[0-9]+(?![0-9])", re.IGNORECASE)
_GZIP_ENDING = re.compile(r"(?<=.)\.gz$", re.IGNORECASE)
_LOG_ENDING = re.compile(r"(?<=.)\.(?:xml|mjlog|jmjp|jsonl)$", re.IGNORECASE)
_BEGINNING = 1000  # bytes
_NOT_READ = {
    b'{"title":[': "tenhou6",
    b'{"ver":': "tenhou6",
    b"https://tenhou.net/6/#json=": "tenhou6",
    b'{"type":"start_game"': "mjai",
    b'{"title":"': "majiang",
    b'{"mods":': "riichi-advanced",
    b'{"starting_hand":': "riichi-advanced",
}
"""How files begin, without white space, of the formats that are only written."""
_SMALL = 1 << 20  # up to here a file is read at once: a log of bytes in memory is read faster


Finding = Callable[[ConvertError], None]


class Reading(NamedTuple):
    """How a file is read: the options of :func:`read_mjlog`."""

    id: str | None = None
    time: str | None = None
    max_size: int = MAX_SIZE
    strict: bool = False


def label(source: str) -> str:
    """Return what *source* is called in messages."""
    return "<stdin>" if source == STDIN else source


def output_name(name: str, suffix: str) -> str:
    """Return the name, without a directory, of the output with *suffix* for an input of that *name* (source:
    ``mapping.md``, Files).

    >>> output_name("2009081211gm-0061-0000-184f512b&tw=1.mjlog.gz", ".jmjp")
    '2009081211gm-0061-0000-184f512b.jmjp'
    """
    name = _VIEWPOINT.sub("", Path(name).name)
    return _LOG_ENDING.sub("", _GZIP_ENDING.sub("", name)) + suffix


def output_path(source: str, directory: Path | None, suffix: str, log_id: str | None = None) -> Path:
    """Return where the output for *source* goes: into *directory*, or beside its input if that is ``None``.

    Standard input has no name: there it is *log_id*'s.
    """
    name = f"{log_id}{suffix}" if source == STDIN else output_name(source, suffix)
    return (Path(source).parent if directory is None else directory) / name


def paths_of(path: Path, suffix: str, matches: Sequence[Match]) -> list[Path]:
    """Return where each of *matches* goes of which *path*, with *suffix*, is the output in a directory: one to *path*,
    several to files that are named by their ids, or else numbered."""
    if len(matches) == 1:
        return [path]
    ids = [match.id for match in matches]
    stem = path.name.removesuffix(suffix)
    numbered = (f"{stem}-{number}" for number in range(1, len(matches) + 1))
    names = (log_id if log_id and ids.count(log_id) == 1 else name for log_id, name in zip(ids, numbered, strict=True))
    return [path.with_name(name + suffix) for name in names]


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


def read_all(
    source: str, reading: Reading, notice: Callable[[str], None], finding: Finding | None = None
) -> list[Match]:
    """Read the matches in the file that *source* names, whatever its format: its first bytes tell.

    :param notice: called with each thing worth saying of a file that is taken, a line each.
    :param finding: called with each thing that is wrong inside a frame, in place of raising the first.
    :raises MjlogError: it is an mjlog, and broken.
    :raises TextError: it is jmjp or JSON, and broken.
    :raises FileError: it cannot be read, or is neither.
    """
    if source == STDIN:
        if sys.stdin is None:
            raise FileError("standard input is closed")
        return _read(sys.stdin.buffer, "", reading, notice, finding)
    with opened(source) as file:
        return _read(file, _name(source), reading, notice, finding)


def _name(source: str) -> str:
    """Return the name of the file *source* as text: UTF-8, whatever the locale takes its bytes for."""
    return os.fsencode(Path(source).name).decode(errors="replace")


def _read(
    file: IO[bytes], name: str, reading: Reading, notice: Callable[[str], None], finding: Finding | None
) -> list[Match]:
    pieces = chunks(file, reading.max_size)
    start = b""
    while len(start) < _SMALL and (piece := next(pieces, b"")):
        start += piece
    whole = len(start) < _SMALL
    if whole and start.isspace():
        raise MjlogError("there is nothing but white space in it")
    format_ = known_format(start)
    content: bytes | IO[bytes] = start
    if not whole:
        rest = chain([start], pieces)
        content = cast("IO[bytes]", Pieces(rest)) if format_ == MJLOG else b"".join(rest)
    return read_content(format_, content, name, reading, notice, finding=finding)


def known_format(start: bytes) -> str:
    """Return the format of a file by its first bytes; one without any is taken for an mjlog.

    :raises FileError: it is none that is read.
    """
    found = format_of(start)
    if found is None:
        beginning = b"".join(start[:_BEGINNING].removeprefix(codecs.BOM_UTF8).split())
        for known, name in _NOT_READ.items():
            if beginning.startswith(known):
                raise FileError(f"this is {name}, which is written but not read")
        raise FileError(UNKNOWN_FORMAT)
    return found or MJLOG


_TEXTS: dict[str, Callable[..., list[Match]]] = {JMJP: read_jmjp, JSON: read_json}
"""What reads the formats that hold all that there is to know of a match."""


def read_content(
    format_: str,
    content: bytes | IO[bytes],
    name: str,
    reading: Reading,
    notice: Callable[[str], None],
    *,
    finding: Finding | None = None,
) -> list[Match]:
    """Read the matches in *content*, which is of a known format; only an mjlog may be an open file, and has a *name*.

    :raises ConvertError: it is broken, or *reading* says what only an mjlog does not.
    """
    if format_ == MJLOG:
        return [read_mjlog(content, file_name=name, notice=notice, finding=finding, **reading._asdict())]
    if reading.id is not None or reading.time is not None:
        raise ConvertError(f"--id and --time are for an mjlog: a {format_} file holds its own")

    def refuse(line: str) -> None:
        raise ConvertError(line)

    notice = refuse if reading.strict else notice
    return _TEXTS[format_](content, max_size=reading.max_size, notice=notice, finding=finding)
