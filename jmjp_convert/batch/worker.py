"""Converts one chunk of inputs, in a worker process."""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

from jmjp_convert.convert import Writing, convert
from jmjp_convert.errors import ConvertError, FileError, FormatError, PlayError, reason
from jmjp_convert.files.archives.contents import Fetcher
from jmjp_convert.files.archives.entry import Fetch
from jmjp_convert.files.archives.signatures import SNIFFED, kind
from jmjp_convert.files.inputs import Bounds, describe
from jmjp_convert.files.outputs import create
from jmjp_convert.formats import detect, readable, unknown
from jmjp_convert.formats.format import Lost
from jmjp_convert.formats.reading import Reading
from jmjp_convert.model import Match

CONVERTED = "converted"
KNOWN = "known"
SKIPPED = "skipped"
FAILED = "failed"
"""What becomes of an input; known is what has been converted before, from another input of the same id and content."""

THREE_PLAYERS = "three players"
_LIST = "a list of games, not a game"
_SYSTEM = "a system's own file"

# Source: archives.md, 1: the lines of the daily and the yearly lists, and of the lists of private lobbies.
_LIST_LINE = re.compile(rb"\s*(?:[0-9]{2}:[0-9]{2} \| |L[0-9]{4,5} \| [0-9]{2}:[0-9]{2} \| )")
_SYSTEM_FILES = (b"\x00\x05\x16\x07", b"\x00\x00\x00\x01Bud1")  # what macOS puts beside files and into directories
_HEAD = 1 << 13  # bytes of a log before which its type stands
_TOGETHER = 1 << 20  # bytes of inputs that are held at once, or one that is larger


class Settings(NamedTuple):
    """What holds for all of a run.

    :ivar root: the directory of the outputs.
    :ivar staging: a directory on the same file system, for what is not in its place yet.
    :ivar zipped: whether outputs are packed, to be put into a zip.
    :ivar writing: what they are.
    :ivar bounds: what is taken as an input.
    """

    root: str
    staging: str
    zipped: bool
    writing: Writing
    bounds: Bounds


class Item(NamedTuple):
    """An input to convert.

    :ivar target: where the output goes, below the root; ``None`` if that is decided when all before it are done.
    :ivar known: the contents of the same id that have been converted, by their digests.
    """

    fetch: Fetch
    name: str
    target: str | None
    known: tuple[str, ...]


class Chunk(NamedTuple):
    """Inputs to convert."""

    settings: Settings
    items: tuple[Item, ...]


class Staged(NamedTuple):
    """An output that has no name yet: in the file *name* of the staging directory; if packed, *packed* bytes of it from
    *offset* on are *size* bytes with this *checksum*."""

    name: str
    offset: int = 0
    packed: int = 0
    size: int = 0
    checksum: int = 0


class Failure(NamedTuple):
    """Why an input failed; where, as far as its format can tell."""

    kind: str
    message: str
    frame: str | None = None
    element: str | None = None
    number: int | None = None
    line: int | None = None
    column: int | None = None


class Outcome(NamedTuple):
    """What became of an input.

    :ivar digest: the SHA-256 of its content, decompressed.
    :ivar reason: why it was skipped.
    :ivar notices: what is worth saying of it.
    :ivar lost: what its output does not hold as it is, unless an input before it in the chunk has told the same.
    """

    state: str
    digest: str = ""
    staged: Staged | None = None
    reason: str = ""
    failure: Failure | None = None
    notices: tuple[str, ...] = ()
    lost: tuple[Lost, ...] = ()


class OutputError(ConvertError):
    """An output that cannot be written: the next one could not be either."""

    def __reduce__(self) -> tuple[type[OutputError], tuple[str]]:
        return OutputError, (self.reason,)


class _Skip(Exception):  # noqa: N818 - it is none
    """An input that is none of ours."""


def convert_chunk(chunk: Chunk) -> list[Outcome]:
    """Convert the inputs of *chunk*, and return what became of each.

    :raises OutputError: an output cannot be written.
    """
    return _Work(chunk.settings).run(chunk.items)


class _Work:
    """A chunk being converted.

    :ivar segment: with a zip, the packed outputs so far.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._told: set[Lost] = set()
        self._segment = bytearray()
        self._segment_name = f"segment-{os.urandom(12).hex()}"

    def run(self, items: tuple[Item, ...]) -> list[Outcome]:
        """Convert *items*: reading, converting and writing by turns, each for many, takes a tenth less time."""
        outcomes: list[Outcome] = []
        with Fetcher(self._settings.bounds.max_size) as fetcher:
            remaining = iter(items)
            while read := list(self._read(remaining, fetcher)):
                converted = [self._convert(*one) for one in read]
                outcomes += [self._write(*one) for one in converted]
        if self._segment:
            self._create(self._segment_name, self._segment)
        return outcomes

    def _read(self, items: Iterator[Item], fetcher: Fetcher) -> Iterator[tuple[Item, bytes, Outcome]]:
        """Yield the next of *items*, as many as can be held together, their contents and what has become of them."""
        size = 0
        while size < _TOGETHER and (item := next(items, None)) is not None:
            try:
                content = fetcher.content(item.fetch)
            except Exception as error:  # noqa: BLE001 - one bad input, whatever is wrong, does not stop the rest
                yield item, b"", Outcome(FAILED, failure=failure(error))
                continue
            digest = hashlib.sha256(content).hexdigest()
            yield item, content, Outcome(KNOWN if digest in item.known else CONVERTED, digest)
            size += len(content)

    def _path(self, name: str) -> str:
        return f"{self._settings.staging}{os.sep}{name}"

    def _convert(self, item: Item, content: bytes, outcome: Outcome) -> tuple[Item, bytes, Outcome]:
        if outcome.state != CONVERTED:
            return item, b"", outcome
        notices: list[str] = []
        try:
            text, found = self._converted(content, item.name, notices)
        except _Skip as skip:
            return item, b"", outcome._replace(state=SKIPPED, reason=str(skip))
        except Exception as error:  # noqa: BLE001 - as above
            return item, b"", outcome._replace(state=FAILED, failure=failure(error))
        return item, text, outcome._replace(notices=tuple(notices), lost=found) if notices or found else outcome

    def _converted(self, content: bytes, name: str, notices: list[str]) -> tuple[bytes, tuple[Lost, ...]]:
        settings = self._settings
        _expect_wanted(content, settings.writing)
        reading = Reading(**settings.bounds._asdict())
        text, lost = convert(content, name, reading, settings.writing, notices.append, accept=self._accept)
        return text.encode(), self._new(lost)

    def _accept(self, matches: Sequence[Match]) -> None:
        """Skip an input of which the *matches* are not for this run.

        :raises _Skip: they are not.
        """
        writing = self._settings.writing
        if any(match.rules.players not in writing.format.players for match in matches):
            raise _Skip(THREE_PLAYERS)
        lacking = [writing.format.lacks(match, **writing.options) for match in matches]
        if lacking and all(lacking):
            raise _Skip(lacking[0])

    def _new(self, found: Sequence[Lost]) -> tuple[Lost, ...]:
        """Return what of *found* has not been told of this chunk yet."""
        new = tuple(one for one in found if one not in self._told)
        self._told.update(new)
        return new

    def _write(self, item: Item, text: bytes, outcome: Outcome) -> Outcome:
        if outcome.state != CONVERTED:
            return outcome
        staged = self._put(text, item.target)
        return outcome if staged is None else outcome._replace(staged=staged)

    def _create(self, name: str, content: bytes | bytearray) -> None:
        try:
            _create(self._path(name), content)
        except OSError as error:
            raise OutputError(f"{self._settings.root}: {describe(error)}") from error

    def _put(self, text: bytes, target: str | None) -> Staged | None:
        if self._settings.zipped:
            packer = zlib.compressobj(wbits=-15)
            packed = packer.compress(text) + packer.flush()
            place = len(self._segment)
            self._segment += packed
            return Staged(self._segment_name, place, len(packed), len(text), zlib.crc32(text))
        name = f"output-{os.urandom(12).hex()}"
        self._create(name, text)
        if target is None:
            return Staged(name)
        put(self._path(name), f"{self._settings.root}{os.sep}{target}")
        return None


def put(staged: str, path: str) -> None:
    """Give the file *staged* its place, *path*, whatever is there.

    :raises OutputError: it cannot be put there.
    """
    try:
        try:
            os.replace(staged, path)  # noqa: PTH105 - paths are made by the million here
        except FileNotFoundError:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            os.replace(staged, path)  # noqa: PTH105 - as above
    except OSError as error:
        with suppress(OSError):
            Path(staged).unlink()
        raise OutputError(f"{path}: {describe(error)}") from error


def _create(path: str, content: bytes | bytearray) -> None:
    """Write the file *path*, which is new.

    :raises OSError: it cannot be written.
    """
    try:
        create(path, content)
    except OSError:
        with suppress(OSError):
            Path(path).unlink()
        raise


def _expect_wanted(content: bytes, writing: Writing) -> None:
    """Check by its beginning that *content* is to be converted.

    :raises _Skip: it is not.
    :raises FileError: it is an archive, or nothing known.
    """
    found = detect(content)
    if found is None or found.read is None:
        _refuse(content)
    players = found.peek(content[:_HEAD])
    if players is not None and players not in writing.format.players:
        raise _Skip(THREE_PLAYERS)
    if found.name == writing.to and writing.is_usual:
        raise _Skip(f"{found.name} already")


def _refuse(content: bytes) -> NoReturn:
    if _LIST_LINE.match(content):
        raise _Skip(_LIST)
    if content.startswith(_SYSTEM_FILES):
        raise _Skip(_SYSTEM)
    if kind(content[:SNIFFED]):
        raise _ArchiveInsideError("archive inside an archive; unpack it first")
    raise _NoLogError(unknown())


class _ArchiveInsideError(FileError):
    """An archive where a log should be."""


class _NoLogError(FileError):
    """Something else where a log should be."""


KINDS = (
    (_ArchiveInsideError, "archive"),
    (_NoLogError, "not-a-log"),
    (FileError, "file"),
    (FormatError, "output"),
    *((one.error, one.name) for one in readable()),
)
"""The kinds of failures by their errors; ``play`` is a record in which something cannot happen."""

_PLACES = ("frame", "element", "number", "line", "column")


def failure(error: Exception) -> Failure:
    """Return what *error* is in a report."""
    if not isinstance(error, ConvertError):
        return Failure("memory" if isinstance(error, MemoryError) else "internal", reason(error, None))
    word = next((word for family, word in KINDS if isinstance(error, family)), "internal")
    if isinstance(error.__cause__, PlayError):
        word = "play"
    return Failure(word, error.reason, **{place: getattr(error, place, None) for place in _PLACES})
