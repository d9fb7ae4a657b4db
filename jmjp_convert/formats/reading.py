"""Files of any format that is read, told apart by their first bytes."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple, cast

from jmjp_convert.errors import ConvertError, FileError, MjlogError
from jmjp_convert.files.inputs import (
    JMJP,
    JSON,
    MAX_SIZE,
    MJLOG,
    UNKNOWN_FORMAT,
    Pieces,
    chunks,
    format_of,
    opened,
)
from jmjp_convert.files.names import STDIN
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match

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
