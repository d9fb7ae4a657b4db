"""Converts one chunk of inputs, in a worker process."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

from jmjp_convert.convert import Writing, convert
from jmjp_convert.errors import (
    ConvertError,
    FileError,
    FormatError,
    MatchError,
    NotMjlogError,
    PlayError,
    RecordError,
    reason,
)
from jmjp_convert.files import durability
from jmjp_convert.files.archives.contents import Fetcher
from jmjp_convert.files.archives.entry import Fetch
from jmjp_convert.files.archives.not_logs import by_content
from jmjp_convert.files.inputs import Bounds, describe
from jmjp_convert.files.signatures import SNIFFED, kind
from jmjp_convert.files.temporaries import create
from jmjp_convert.formats import detect, readable, unknown
from jmjp_convert.formats.format import Lost
from jmjp_convert.formats.reading import Reading
from jmjp_convert.garbage import forget_frames
from jmjp_convert.model import Match

CONVERTED = "converted"
KNOWN = "known"
SKIPPED = "skipped"
FAILED = "failed"
"""The states of an input; known: another input with the same ID and content was converted before."""

THREE_PLAYERS = "three players"
_HEAD = 1 << 13  # bytes of a log that include its type
_TOGETHER = 1 << 20  # bytes of inputs held at once, unless a single one is larger


class Settings(NamedTuple):
    """The settings of a run.

    :ivar root: the directory of the outputs.
    :ivar staging: a directory on the same file system, for outputs that are not in place yet.
    :ivar zipped: whether outputs are compressed for a zip.
    :ivar elsewhere: whether workers may be on other machines, so that each has to put what it writes on disk.
    :ivar writing: the output format and its options.
    :ivar bounds: the limits on inputs.
    """

    root: str
    staging: str
    zipped: bool
    writing: Writing
    bounds: Bounds
    elsewhere: bool = False


class Item(NamedTuple):
    """An input to convert.

    :ivar known: the digests of contents with the same ID that have been converted.
    """

    fetch: Fetch
    name: str
    known: tuple[str, ...]


class Staged(NamedTuple):
    """The bytes of an output.

    :ivar name: the file in the staging directory that has them; empty if they are in place.
    :ivar offset: where they begin in that file, or in the zip, if they are compressed.
    :ivar packed: the number of compressed bytes.
    :ivar size: the number of bytes.
    :ivar checksum: the CRC-32, if they are compressed.
    :ivar sha256: the SHA-256.
    :ivar mtime: when the file was modified, in nanoseconds, if they are a file of their own.
    """

    name: str
    offset: int = 0
    packed: int = 0
    size: int = 0
    checksum: int = 0
    sha256: bytes = b""
    mtime: int = 0


class Failure(NamedTuple):
    """Why an input failed, and where, as far as its format knows."""

    kind: str
    message: str
    frame: str | None = None
    element: str | None = None
    number: int | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None


class Outcome(NamedTuple):
    """The result of an input.

    :ivar digest: the SHA-256 of its decompressed content.
    :ivar reason: why it was skipped.
    :ivar notices: warnings about it.
    :ivar problems: those that it has although it was converted.
    :ivar lost: what its output leaves out or changes, unless reported for an earlier input of the chunk.
    """

    state: str
    digest: str = ""
    staged: Staged | None = None
    reason: str = ""
    failure: Failure | None = None
    notices: tuple[str, ...] = ()
    problems: tuple[RecordError, ...] = ()
    lost: tuple[Lost, ...] = ()


class OutputError(ConvertError):
    """An output cannot be written, and the next one could not be either."""

    def __reduce__(self) -> tuple[type[OutputError], tuple[str]]:
        return OutputError, (self.reason,)


class Skip(Exception):  # noqa: N818 - it is not an error
    """An input is to be skipped."""


DIED = Outcome(FAILED, failure=Failure("crash", "the worker crashed while converting it"))
"""The outcome of an input with which a worker crashes."""


def convert_chunk(settings: Settings, items: Sequence[Item]) -> list[Outcome]:
    """Convert *items*, and return the outcome of each.

    :raises OutputError: an output cannot be written.
    """
    return _Work(settings).run(items)


class _Work:
    """A chunk being converted.

    :ivar segment: with a zip, the compressed outputs so far.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._reported: set[Lost] = set()
        self._segment = bytearray()
        self._segment_name = f"segment-{os.urandom(12).hex()}"

    def run(self, items: Sequence[Item]) -> list[Outcome]:
        """Convert *items*: reading, converting and writing many at a time is a tenth faster than one by one."""
        outcomes: list[Outcome] = []
        with Fetcher(self._settings.bounds.max_size) as fetcher:
            remaining = iter(items)
            while read := list(self._read(remaining, fetcher)):
                converted = [self._convert(*one) for one in read]
                outcomes += [self._write(*one) for one in converted]
        if self._segment:
            self._create(self._segment_name, self._segment)
        if self._settings.elsewhere:
            self._sync(outcomes)
        return outcomes

    def _sync(self, outcomes: list[Outcome]) -> None:
        files = sorted({self._path(outcome.staged.name) for outcome in outcomes if outcome.staged})
        staging = self._settings.staging
        try:
            durability.sync(files, [staging] if files else [], staging)
        except OSError as error:
            raise OutputError(f"{self._settings.root}: {describe(error)}") from error

    def _read(self, items: Iterator[Item], fetcher: Fetcher) -> Iterator[tuple[Item, bytes, Outcome]]:
        """Yield the next of *items*, as many as are held at once, with their contents and outcomes so far."""
        size = 0
        while size < _TOGETHER and (item := next(items, None)) is not None:
            try:
                content = fetcher.content(item.fetch)
            except Exception as error:  # noqa: BLE001 - one bad input must not stop the rest, whatever the error
                yield item, b"", Outcome(FAILED, failure=failure(error))
                continue
            digest = hashlib.sha256(content).hexdigest()
            yield item, content, Outcome(KNOWN if digest in item.known else CONVERTED, digest)
            size += len(content)

    def _path(self, name: str) -> str:
        return f"{self._settings.staging}{os.sep}{name}"

    def _convert(self, item: Item, content: bytes, outcome: Outcome) -> tuple[bytes, Outcome]:
        if outcome.state != CONVERTED:
            return b"", outcome
        notices: list[str] = []
        problems: list[RecordError] = []
        try:
            text, found = self._converted(content, item.name, notices, problems)
        except Skip as skip:
            return b"", outcome._replace(state=SKIPPED, reason=str(skip))
        except Exception as error:  # noqa: BLE001 - as above
            return b"", outcome._replace(state=FAILED, failure=failure(error))
        if notices or problems or found:
            outcome = outcome._replace(notices=tuple(notices), problems=tuple(problems), lost=found)
        return text, outcome

    def _converted(
        self, content: bytes, name: str, notices: list[str], problems: list[RecordError]
    ) -> tuple[bytes, tuple[Lost, ...]]:
        settings = self._settings
        expect_wanted(content, name, settings.writing)
        reading = Reading(**settings.bounds._asdict())
        writing, note = settings.writing, problems.append
        text, lost = convert(content, name, reading, writing, notices.append, problem=note, accept=self._accept)
        return text.encode(), self._new(lost)

    def _accept(self, matches: Sequence[Match]) -> None:
        """Check that *matches* are wanted in this run.

        :raises Skip: they are not.
        """
        writing = self._settings.writing
        if any(match.rules.players not in writing.format.players for match in matches):
            raise Skip(THREE_PLAYERS)
        lacking = [writing.format.lacks(match, **writing.options) for match in matches]
        if lacking and all(lacking):
            raise Skip(lacking[0])

    def _new(self, found: Sequence[Lost]) -> tuple[Lost, ...]:
        """Return those of *found* that have not been reported for this chunk yet."""
        new = tuple(one for one in found if one not in self._reported)
        self._reported.update(new)
        return new

    def _write(self, text: bytes, outcome: Outcome) -> Outcome:
        if outcome.state != CONVERTED:
            return outcome
        return outcome._replace(staged=self._staged(text))

    def _create(self, name: str, content: bytes | bytearray) -> int:
        """Write the file *name*, and return when it was modified."""
        try:
            return _create(self._path(name), content)
        except OSError as error:
            raise OutputError(f"{self._settings.root}: {describe(error)}") from error

    def _staged(self, text: bytes) -> Staged:
        digest = hashlib.sha256(text).digest()
        if self._settings.zipped:
            packer = zlib.compressobj(wbits=-15)
            packed = packer.compress(text) + packer.flush()
            place = len(self._segment)
            self._segment += packed
            return Staged(self._segment_name, place, len(packed), len(text), zlib.crc32(text), digest)
        name = f"output-{os.urandom(12).hex()}"
        mtime = self._create(name, text)
        return Staged(name, size=len(text), sha256=digest, mtime=mtime)


def _create(path: str, content: bytes | bytearray) -> int:
    """Write the new file *path*, and return when it was modified, in nanoseconds.

    :raises OSError: it cannot be written.
    """
    try:
        create(path, content)
        return os.stat(path).st_mtime_ns  # noqa: PTH116 - called for every output
    except OSError:
        with suppress(OSError):
            Path(path).unlink()
        raise


def expect_wanted(content: bytes, name: str, writing: Writing) -> None:
    """Check from its beginning that *content*, of a file called *name*, is to be converted.

    :raises Skip: it is not.
    :raises FileError: it is an archive, or of an unknown type.
    """
    if why := by_content(content, name):
        raise Skip(why)
    found = detect(content)
    if found is None or found.read is None:
        _reject(content)
    players = found.peek(content[:_HEAD])
    if players is not None and players not in writing.format.players:
        raise Skip(THREE_PLAYERS)
    if found.name == writing.to and writing.is_usual:
        raise Skip(f"{found.name} already")


def _reject(content: bytes) -> NoReturn:
    if kind(content[:SNIFFED]):
        raise _ArchiveInsideError("archive inside an archive; unpack it first")
    raise _NoLogError(unknown())


class _ArchiveInsideError(FileError):
    """An archive where a log should be."""


class _NoLogError(FileError):
    """Something other than a log where a log should be."""


KINDS = (
    (_ArchiveInsideError, "archive"),
    (_NoLogError, "not-a-log"),
    (NotMjlogError, "not-a-log"),
    (FileError, "file"),
    (FormatError, "output"),
    *((one.error, one.name) for one in readable()),
)
"""The kinds of failures by their errors; ``play`` is a record with an impossible play."""

_PLACES = ("frame", "element", "number", "line", "column", "pointer")


def failure(error: Exception) -> Failure:
    """Return the failure that *error* is."""
    if not isinstance(error, ConvertError):
        return Failure("memory" if isinstance(error, MemoryError) else "internal", reason(error, None))
    forget_frames(error)
    word = next((word for family, word in KINDS if isinstance(error, family)), "internal")
    if isinstance(error.__cause__, PlayError):
        word = "match" if isinstance(error.__cause__, MatchError) else "play"
    return Failure(word, error.reason, **{place: getattr(error, place, None) or None for place in _PLACES})
