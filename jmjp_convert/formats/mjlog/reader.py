"""Read an mjlog from a path, an open file or bytes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import IO

from jmjp_convert.errors import ConvertError, MjlogError
from jmjp_convert.files.inputs import MAX_SIZE, Source, chunks, opened
from jmjp_convert.formats.mjlog.decoder import Decoder, OnError
from jmjp_convert.formats.mjlog.xml import DoubledAttributeError, XmlLog, without_repeats
from jmjp_convert.formats.session import Locate, Notice
from jmjp_convert.lazy_regex import regex
from jmjp_convert.messages import escaped
from jmjp_convert.model import Match, dates, log_ids

_SPOOL = 1 << 20
_TIME = regex(dates.TIME)
_NO_CHARACTER = regex("[\ud800-\udfff]")  # Python's stand-in for an undecodable byte of a file name


def read_mjlog(
    source: Source,
    *,
    id: str | None = None,
    time: str | None = None,
    file_name: str | None = None,
    max_size: int = MAX_SIZE,
    strict: bool = False,
    notice: Notice | None = None,
    finding: OnError | None = None,
    locate: list[Locate] | None = None,
) -> Match:
    """Read one mjlog, plain or compressed.

    :param source: a path, an open binary file, or bytes. From a path or file, at most one frame's XML is in memory.
    :param id: the log ID; by default, taken from *file_name*.
    :param time: the match start time, ``HHMM``, if known to the minute (not recorded in mjlog).
    :param file_name: the name of the file, empty for none; by default, that of the path. Undecodable bytes in it become
        U+FFFD.
    :param max_size: the maximum size in bytes, decompressed.
    :param strict: reject unknown elements and attributes; by default, they are ignored and reported to *notice*.
    :param notice: called with each remark on a log that is read, one line each.
    :param finding: called with each problem, instead of raising the first; the frame with the problem is skipped.
    :param locate: if given, gets a function that returns a problem of the match with its place.
    :returns: the match. Every frame has been replayed.
    :raises MjlogError: the log is not well-formed, or describes impossible play.
    :raises FileError: *source* cannot be read, or is too large.
    :raises ConvertError: *id* or *time* is invalid.
    """
    if file_name is None:
        file_name = _name(source) or ""
    if not file_name.isascii():
        file_name = _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", file_name)
    log_id = log_ids.find_id(id or file_name)
    if id is not None and (log_id is None or log_id.text != id):
        raise ConvertError(f"invalid log ID {id!r}")
    if time is not None and not _TIME.fullmatch(time):
        raise ConvertError(f"invalid time {time!r}; expected HHMM")
    notices: dict[str, None] = {}  # a dictionary, for order without repeats

    def decoded(content: bytes | Iterable[bytes]) -> Decoder:
        notices.clear()
        lobby = log_id.lobby if log_id else None
        decoder = Decoder(XmlLog(content), lobby, strict=strict, notices=notices, finding=finding or _refuse)
        decoder.run()
        return decoder

    with opened(source) as file:
        pieces = chunks(file, max_size)
        decoder = _from_memory(b"".join(pieces), decoded) if isinstance(source, bytes) else _streamed(pieces, decoded)
    if notice is not None:
        for line in notices:
            notice(escaped(line))
    if locate is not None:
        locate.append(decoder.locate)
    return decoder.match(log_id, time=time, file_name=file_name)


def _refuse(error: MjlogError) -> None:
    raise error


def _name(source: Source) -> str | None:
    """Return the name of *source*, if it has one."""
    path = getattr(source, "name", None) if hasattr(source, "read") else source
    return os.path.basename(path) if isinstance(path, str | os.PathLike) else None


# XML forbids duplicate attributes in an element. A log with identical duplicates is read again without them.


def _from_memory(content: bytes, decoded: Callable[[bytes | Iterable[bytes]], Decoder]) -> Decoder:
    try:
        return decoded(content if len(content) <= _SPOOL else [content])
    except DoubledAttributeError:
        repaired, removed = without_repeats(content)
        if not removed:
            raise
    decoder = decoded(repaired if len(repaired) <= _SPOOL else [repaired])
    decoder.notices.update(dict.fromkeys(removed))
    return decoder


def _streamed(pieces: Iterator[bytes], decoded: Callable[[bytes | Iterable[bytes]], Decoder]) -> Decoder:
    from tempfile import SpooledTemporaryFile

    with SpooledTemporaryFile(_SPOOL) as spool:
        try:
            return decoded(_spooled(pieces, spool))
        except DoubledAttributeError:
            spool.writelines(pieces)
            spool.seek(0)
            return _from_memory(spool.read(), decoded)


def _spooled(pieces: Iterator[bytes], spool: IO[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        spool.write(piece)
        yield piece
