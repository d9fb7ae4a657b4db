"""Read a file of any format: detect the format and call its reader."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import IO, Final, cast

from jmjp_convert.errors import ConvertError, FileError, RecordError, for_python, in_python
from jmjp_convert.files.compression import kind, not_a_log, refuse_archive
from jmjp_convert.files.inputs import (
    MAX_SIZE,
    NO_STDIN,
    STDIN,
    Pieces,
    Source,
    chunks,
    is_link,
    label_in_python,
    opened,
)
from jmjp_convert.formats import detect, expect_readable, readable
from jmjp_convert.formats.format import Format
from jmjp_convert.formats.session import Loaded, Notice, ignore
from jmjp_convert.messages import option_names
from jmjp_convert.model import Match, log_ids
from jmjp_convert.model.record import Record, as_dict

OnError = Callable[[ConvertError], None]

_SMALL = 1 << 20  # up to this size a file is read whole, which is faster


class Reading(Record):
    """How to read a file."""

    __slots__ = ("id", "time", "max_size", "strict")

    def __init__(
        self, id: str | None = None, time: str | None = None, max_size: int = MAX_SIZE, strict: bool = False
    ) -> None:
        self.id: Final = id  # the log ID, for a format that does not hold it
        self.time: Final = time  # the match start time, HHMM, for a format that does not hold it
        self.max_size: Final = max_size  # the maximum size in bytes, decompressed
        self.strict: Final = strict  # whether to reject unknown elements


def read(  # every parameter of any format's reader, under the same name
    source: Source,
    *,
    id: str | None = None,
    time: str | None = None,
    file_name: str | None = None,
    max_size: int = MAX_SIZE,
    strict: bool = False,
    notice: Notice | None = None,
    finding: OnError | None = None,
) -> list[Match]:
    """Read the matches in a file of any readable format, plain or compressed. Its first bytes show which one.

    :param source: a path, an open binary file, or bytes.
    :param id: the log ID, for a format that does not hold it; by default, taken from the file name if it has one.
    :param time: the match start time, ``HHMM``, for a format that does not hold it.
    :param file_name: the name of the file; by default, that of the path.
    :param max_size: the maximum size in bytes, decompressed.
    :param strict: reject unknown elements; by default, they are ignored and reported to *notice*.
    :param notice: called with each remark on a file that is read, one line each.
    :param finding: called with each problem inside a frame, instead of raising the first.
    :returns: the matches, at least one. Every frame has been replayed.
    :raises MjlogError: the file is an invalid mjlog.
    :raises TextError: the file is invalid in any other format.
    :raises FileError: the file cannot be read, or its format is unknown or write-only.
    """
    name = _name(source) if file_name is None else file_name
    label = os.fspath(source) if isinstance(source, os.PathLike) else name
    if isinstance(source, str):
        label = label_in_python(source)
    reading = Reading(id, time, max_size, strict)
    with in_python(label or None), opened(source) as file:
        return _read(file, name, reading, _of(notice), finding and _of_source(finding, label or None)).matches


def _of(notice: Notice | None) -> Notice:
    """Return *notice* so that it gets the names that options have in Python."""
    return ignore if notice is None else lambda line: notice(option_names(line))


def _of_source(finding: OnError, source: str | None) -> OnError:
    """Return *finding* so that each error has the *source* that it is about."""

    def with_source(error: ConvertError) -> None:
        for_python(error, source)
        finding(error)

    return with_source


def read_source(
    source: str, reading: Reading, notice: Notice, finding: OnError | None = None, *, content: bytes | None = None
) -> Loaded:
    """Read the matches in the file *source*, in standard input for ``-``, or in a link that contains its game, as
    :func:`read` does.

    :param content: its :func:`source_content`, if that has been read.
    """
    name = "" if source == STDIN or is_link(source) else _name(source)
    with _source(source) if content is None else nullcontext(io.BytesIO(content)) as file:
        return _read(file, name, reading, notice, finding)


def source_content(source: str, max_size: int) -> bytes:
    """Return the content of a *source* as for :func:`read_source`, decompressed.

    :raises FileError: it cannot be read, or has more than *max_size* bytes.
    """
    with _source(source) as file:
        return b"".join(chunks(file, max_size))


def _source(source: str) -> AbstractContextManager[IO[bytes]]:
    """Open *source*."""
    if source == STDIN:
        if sys.stdin is None:
            raise FileError(NO_STDIN)
        return nullcontext(sys.stdin.buffer)
    return nullcontext(io.BytesIO(_linked(source))) if is_link(source) else opened(source)


def _linked(link: str) -> bytes:
    """Return *link* as the content of a file.

    :raises FileError: it contains no game.
    """
    content = os.fsencode(link)
    if detect(content) is not None:
        return content
    if named_log := log_ids.find_id(link):
        raise FileError(
            f"this link names a log but does not contain it; to download it, run jmjp fetch {named_log.text}"
        )

    from jmjp_convert.formats.unreadable import named  # no file that is read needs it

    raise FileError(named(content) or "this link contains no game; download the file and give its name")


def _name(source: Source) -> str:
    """Return the name of *source*, decoded as UTF-8 in any locale; empty if it has none."""
    path = getattr(source, "name", None) if hasattr(source, "read") else source
    if not isinstance(path, str | os.PathLike):
        return ""
    return os.fsencode(os.path.basename(path)).decode(errors="replace")


def _read(file: IO[bytes], name: str, reading: Reading, notice: Notice, finding: OnError | None) -> Loaded:
    pieces = chunks(file, reading.max_size)
    start = b""
    while len(start) < _SMALL and (piece := next(pieces, b"")):
        start += piece
    whole = len(start) < _SMALL
    if whole and start.isspace():
        raise RecordError("the file contains only white space")
    format_ = detect(start)
    if format_ is None and (archive := kind(start)):
        raise not_a_log(archive)
    format_ = expect_readable(format_, start)
    content = start if whole else cast("IO[bytes]", Pieces(chain([start], pieces)))
    return _read_as(format_, content, name, reading, notice=notice, finding=finding)


def read_content(
    content: bytes, name: str, reading: Reading, notice: Notice, *, finding: OnError | None = None
) -> Loaded:
    """Read the matches in *content*, a whole file called *name* that was found among others, as :func:`read` does."""
    format_ = detect(content)
    if format_ is None:
        refuse_archive(content)
    return _read_as(expect_readable(format_, content), content, name, reading, notice=notice, finding=finding)


def _read_as(
    format_: Format,
    content: bytes | IO[bytes],
    name: str,
    reading: Reading,
    *,
    notice: Notice,
    finding: OnError | None,
) -> Loaded:
    """Read *content* in a known format.

    :raises ConvertError: *content* is invalid, or *reading* gives what no such file needs.
    """

    def refuse(line: str) -> None:
        raise ConvertError(line)

    arguments = {**as_dict(reading), "file_name": name}
    unused = [option for option in ("id", "time") if option not in format_.takes]
    if any(arguments[option] is not None for option in unused):
        raise ConvertError(f"{_owned(unused)}; this is {format_.noun}")
    if reading.strict and "strict" not in format_.takes:
        notice = refuse
    options = {option: arguments[option] for option in format_.takes}
    assert format_.read is not None
    loaded = Loaded([], [])
    common = {"max_size": reading.max_size, "notice": notice, "finding": finding, "locate": loaded.locate}
    loaded.matches.extend(format_.read(content, **common, **options))
    return loaded


def _owned(options: list[str]) -> str:
    """Return the start of a message on which formats the *options* work with."""
    owners = " and ".join(format_.noun for format_ in readable() if format_.takes.issuperset(options))
    return f"{' and '.join(f'--{option}' for option in options)} work only with {owners}"
