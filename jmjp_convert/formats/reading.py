"""Reads a file of any format: detects it and calls its reader."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple, cast

from jmjp_convert.errors import ConvertError, FileError, RecordError
from jmjp_convert.files.inputs import MAX_SIZE, STDIN, Pieces, Source, chunks, opened
from jmjp_convert.formats import detect, expect_readable, readable
from jmjp_convert.formats.format import Format
from jmjp_convert.model import Match

Notice = Callable[[str], None]
Finding = Callable[[ConvertError], None]

_SMALL = 1 << 20  # up to here a file is read at once: a log of bytes in memory is read faster


class Reading(NamedTuple):
    """How a file is read.

    :ivar id: the game's id, for a format whose files do not hold it.
    :ivar time: when the match started, ``HHMM``, likewise.
    :ivar max_size: the most bytes, decompressed.
    :ivar strict: whether what nobody has described is refused.
    """

    id: str | None = None
    time: str | None = None
    max_size: int = MAX_SIZE
    strict: bool = False


def read(  # takes what the reader of any format takes, under the same names
    source: Source,
    *,
    id: str | None = None,  # noqa: A002 - the field's word
    time: str | None = None,
    file_name: str | None = None,
    max_size: int = MAX_SIZE,
    strict: bool = False,
    notice: Notice | None = None,
    finding: Finding | None = None,
) -> list[Match]:
    """Read the matches in a file of any format that is read, plain or gzip: its first bytes tell the format.

    :param source: a path, an open binary file, or bytes.
    :param id: the game's id, for a format that does not hold it; without it, the file's name may tell.
    :param time: when the match started, ``HHMM``, likewise.
    :param file_name: the name of what is read; without it, a path's own.
    :param max_size: the most bytes, decompressed.
    :param strict: refuse what nobody has described; otherwise it is passed over and told to *notice*.
    :param notice: called with each thing worth saying of a file that is taken, a line each.
    :param finding: called with each thing that is wrong inside a frame, in place of raising the first.
    :returns: the matches, at least one. Every frame has been replayed.
    :raises MjlogError: it is an mjlog, and broken.
    :raises TextError: it is jmjp or JSON, and broken.
    :raises FileError: it cannot be read, or is of no format that is read.
    """
    name = _name(source) if file_name is None else file_name
    with opened(source) as file:
        return _read(file, name, Reading(id, time, max_size, strict), notice or _ignore, finding)


def read_source(source: str, reading: Reading, notice: Notice, finding: Finding | None = None) -> list[Match]:
    """Read the matches in the file that *source* names, or for ``-`` in standard input, as :func:`read` does."""
    if source == STDIN:
        if sys.stdin is None:
            raise FileError("standard input is closed")
        return _read(sys.stdin.buffer, "", reading, notice, finding)
    return read(source, notice=notice, finding=finding, **reading._asdict())


def _ignore(_: str) -> None:
    """Say nothing."""


def _name(source: Source) -> str:
    """Return the name of *source* as text: UTF-8, whatever the locale takes its bytes for; empty if it has none."""
    path = getattr(source, "name", None) if hasattr(source, "read") else source
    if not isinstance(path, str | os.PathLike):
        return ""
    return os.fsencode(Path(path).name).decode(errors="replace")


def _read(file: IO[bytes], name: str, reading: Reading, notice: Notice, finding: Finding | None) -> list[Match]:
    pieces = chunks(file, reading.max_size)
    start = b""
    while len(start) < _SMALL and (piece := next(pieces, b"")):
        start += piece
    whole = len(start) < _SMALL
    if whole and start.isspace():
        raise RecordError("the file contains only white space")
    found = expect_readable(detect(start))
    content: bytes | IO[bytes] = start
    if not whole:
        rest = chain([start], pieces)
        content = cast("IO[bytes]", Pieces(rest)) if found.streams else b"".join(rest)
    return _read_as(found, content, name, reading, notice=notice, finding=finding)


def read_content(
    content: bytes, name: str, reading: Reading, notice: Notice, *, finding: Finding | None = None
) -> list[Match]:
    """Read the matches in *content*, a whole file that is called *name*, as :func:`read` does."""
    return _read_as(expect_readable(detect(content)), content, name, reading, notice=notice, finding=finding)


def _read_as(
    format_: Format,
    content: bytes | IO[bytes],
    name: str,
    reading: Reading,
    *,
    notice: Notice,
    finding: Finding | None,
) -> list[Match]:
    """Read *content* in a known format.

    :raises ConvertError: it is broken, or *reading* says what such a file says itself.
    """

    def refuse(line: str) -> None:
        raise ConvertError(line)

    own = {**reading._asdict(), "file_name": name}
    told = [option for option in ("id", "time") if option not in format_.takes]
    if any(own[option] is not None for option in told):
        raise ConvertError(f"{_owned(told)} only; a {format_.name} file has its own")
    if reading.strict and "strict" not in format_.takes:
        notice = refuse
    options = {option: own[option] for option in format_.takes}
    assert format_.read is not None
    matches: list[Match] = format_.read(content, max_size=reading.max_size, notice=notice, finding=finding, **options)
    return matches


def _owned(options: list[str]) -> str:
    """Return for what files the *options* are."""
    owners = " and ".join(one.noun or one.name for one in readable() if one.takes.issuperset(options))
    return f"{' and '.join(f'--{option}' for option in options)} are for {owners}"
