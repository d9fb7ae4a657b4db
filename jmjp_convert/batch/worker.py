"""Makes the outputs of one chunk of inputs, in a worker process, by the recipe of the run."""

from __future__ import annotations

import hashlib
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from jmjp_convert.batch.survey import Skipped, not_a_record
from jmjp_convert.errors import (
    COORDINATES,
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
from jmjp_convert.files.archives import Fetcher
from jmjp_convert.files.archives.entry import Fetch
from jmjp_convert.files.compression import ArchiveInsideError, refuse_archive
from jmjp_convert.files.inputs import reported
from jmjp_convert.files.temporaries import create
from jmjp_convert.formats import detect, readable, unknown
from jmjp_convert.formats.format import Format, Lost
from jmjp_convert.formats.reading import Reading
from jmjp_convert.garbage_collection import forget_frames

Create = Callable[[str, bytes | bytearray], int]
"""Creates a file with this name and content in the staging directory, and returns when it was modified, in nanoseconds.
Raises :class:`OutputError`."""

SKIPPED_PLAYERS = {3: "three players", 4: "four players"}
"""The reason to skip a game by its number of players."""


class OutputError(ConvertError):
    """An output cannot be written, and the next one could not be either."""


class NoLogError(FileError):
    """Something other than a log where a log should be."""


class Part(NamedTuple):
    """A match of an input, in a run that combines the matches of many inputs."""

    group: str  # what it is combined with
    key: str  # its key, unless another match has it
    ranges: Sequence[tuple[int, ...]]  # where it is in the staged file, in a form that its recipe knows


class Staged(NamedTuple):
    """The bytes of an output."""

    name: str  # the file in the staging directory that has them; empty if they are in place
    offset: int = 0  # where they begin in that file, or in the zip, if they are compressed
    packed: int = 0
    size: int = 0
    checksum: int = 0  # the CRC-32, if they are compressed
    sha256: bytes = b""
    mtime: int = 0  # when the file was modified, in nanoseconds, if they are a separate file
    parts: tuple[Part, ...] = ()  # its matches, if they are to be combined with others; the ledger has them


class Content(NamedTuple):
    """The decompressed content of an input called *name*; *digest* is its SHA-256 in hexadecimal."""

    content: bytes
    name: str
    digest: str


class Remarks(NamedTuple):
    """Remarks on an input that is converted all the same."""

    notices: list[str]
    problems: list[RecordError]
    lost: list[Lost]  # what its output leaves out or changes; in an outcome, only what is new in its chunk


class Recipe(ABC):
    """What a run makes of its inputs, and the options for it; it can be pickled, for the workers that make it."""

    def __init__(self, to: str, suffix: str, options: dict[str, object], *, anonymous: bool = False) -> None:
        self.to = to  # the format of the outputs, by name
        self.suffix = suffix  # the extension of their names
        self.options = options  # the options that affect them; a run cannot be continued with different ones
        self.anonymous = anonymous  # whether nothing in the output may say which inputs it was made from

    def others(self, before: dict[str, object]) -> str:
        """Return how an output made with the options *before* differs, in a clause with a verb."""
        if is_data_set(before) == is_data_set(self.options):
            return self.other_options(before)
        return "is a data set made by jmjp tables" if is_data_set(before) else "is the output of jmjp batch"

    @abstractmethod
    def other_options(self, before: dict[str, object]) -> str:
        """Return :meth:`others` for an output of the same kind."""

    @abstractmethod
    def expect(self, content: bytes, name: str) -> None:
        """Check from its beginning that *content*, of a file called *name*, is wanted.

        :raises Skipped: it is not.
        :raises FileError: it is an archive, or of an unknown type.
        """

    @abstractmethod
    def make(self, source: Content, reading: Reading, remarks: Remarks) -> Any:
        """Return the output of an input, read as *reading* says.

        :raises Skipped: it is to be skipped.
        :raises ConvertError: it cannot be made.
        """

    @abstractmethod
    def stage(self, made: Sequence[Any], create: Create) -> list[Staged]:
        """Stage what was made of some inputs, each in a file or all in one.

        :raises FormatError: an input cannot be written; the others can, without it.
        :raises OutputError: it cannot be written.
        """


def format_of(content: bytes, name: str) -> Format:
    """Return the format of *content*, of a file called *name*.

    :raises Skipped: it is known not to be a log, such as a readme.
    :raises FileError: it is an archive, or of an unknown type.
    """
    if why := not_a_record(content, name):
        raise Skipped(why)
    format_ = detect(content)
    if format_ is None or format_.read is None:
        refuse_archive(content)
        raise NoLogError(unknown(content))
    return format_


def is_data_set(options: Mapping[str, object]) -> bool:
    """Return whether an output with *options* is a data set."""
    return "tables" in options


def unique(word: str) -> str:
    """Return a new name for a staged file, which begins with *word*."""
    return f"{word}-{os.urandom(12).hex()}"


# --- a chunk of inputs ------------------------------------------------------------------------------------------------

CONVERTED = "converted"
KNOWN = "known"
SKIPPED = "skipped"
FAILED = "failed"
"""The states of an input; known: another input with the same ID and content was converted before."""

_TOGETHER = 4 << 20  # bytes of inputs held at once, unless a single one is larger


class Settings(NamedTuple):
    """The settings of a run."""

    root: str  # the directory of the outputs
    staging: str  # a directory on the same file system, for outputs that are not in place yet
    recipe: Recipe
    reading: Reading
    elsewhere: bool = False  # whether workers may be on other machines, so that each has to put what it writes on disk


class Item(NamedTuple):
    """An input to convert."""

    fetch: Fetch
    name: str
    known: tuple[str, ...]  # the digests of contents with the same ID that have been converted


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

    @property
    def text(self) -> str:
        """The message after the location, as far as that is known."""
        if self.number is not None:
            location = [f"element {self.number} {self.element}"]
        else:
            location = [f"{name} {value}" for name, value in (("line", self.line), ("column", self.column)) if value]
            location += [self.pointer] if self.pointer else []
        location = [f"frame {self.frame}"] * bool(self.frame) + location
        return f"{', '.join(location)}: {self.message}" if location else self.message


class Outcome(NamedTuple):
    """The result of an input."""

    state: str
    digest: str = ""  # the SHA-256 of its decompressed content
    staged: Staged | None = None
    reason: str = ""
    failure: Failure | None = None
    remarks: Remarks = Remarks([], [], [])


DIED = Outcome(FAILED, failure=Failure("crash", "the worker crashed while converting it"))
"""The outcome of an input with which a worker crashes."""


def convert_chunk(settings: Settings, items: Sequence[Item]) -> list[Outcome]:
    """Convert *items*, and return the outcome of each.

    :raises OutputError: an output cannot be written.
    """
    return _Work(settings).run(items)


class _Work:
    """A chunk being converted."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._recipe = settings.recipe
        self._reported: set[Lost] = set()

    def run(self, items: Sequence[Item]) -> list[Outcome]:
        """Convert *items*: reading, converting and writing many at a time is a tenth faster than one by one."""
        outcomes: list[Outcome] = []
        with Fetcher(self._settings.reading.max_size) as fetcher:
            remaining = iter(items)
            while read := list(self._read(remaining, fetcher)):
                made = [self._make(content, outcome) for content, outcome in read]
                try:
                    outcomes += self._stage(made)
                except FormatError as error:
                    if len(items) > 1:  # the crew tries each of them alone
                        raise
                    outcomes += [outcome._replace(state=FAILED, failure=failure(error)) for _, outcome in made]
        if self._settings.elsewhere:
            self._sync(outcomes)
        return outcomes

    def _sync(self, outcomes: list[Outcome]) -> None:
        files = sorted({self._path(outcome.staged.name) for outcome in outcomes if outcome.staged})
        staging = self._settings.staging
        with reported(self._settings.root, OutputError):
            durability.sync(files, [staging] if files else [], staging)

    def _read(self, items: Iterator[Item], fetcher: Fetcher) -> Iterator[tuple[Content, Outcome]]:
        """Yield the contents of the next of *items*, as many as are held at once, and their outcomes so far."""
        size = 0
        while size < _TOGETHER and (item := next(items, None)) is not None:
            try:
                content = fetcher.content(item.fetch)
            except Exception as error:  # noqa: BLE001 - one bad input must not stop the rest, whatever the error
                yield Content(b"", item.name, ""), Outcome(FAILED, failure=failure(error))
                continue
            digest = hashlib.sha256(content).hexdigest()
            yield Content(content, item.name, digest), Outcome(KNOWN if digest in item.known else CONVERTED, digest)
            size += len(content)

    def _path(self, name: str) -> str:
        return f"{self._settings.staging}{os.sep}{name}"

    def _make(self, source: Content, outcome: Outcome) -> tuple[Any, Outcome]:
        """Return what is made of an input, and its outcome so far."""
        if outcome.state != CONVERTED:
            return None, outcome
        remarks = Remarks([], [], [])
        try:
            made = self._recipe.make(source, self._settings.reading, remarks)
        except Skipped as passed:
            return None, outcome._replace(state=SKIPPED, reason=str(passed))
        except Exception as error:  # noqa: BLE001 - as above
            return None, outcome._replace(state=FAILED, failure=failure(error))
        if any(remarks):
            new = [loss for loss in remarks.lost if loss not in self._reported]
            self._reported.update(new)
            outcome = outcome._replace(remarks=remarks._replace(lost=new))
        return made, outcome

    def _stage(self, made: list[tuple[Any, Outcome]]) -> list[Outcome]:
        """Stage the outputs that were *made*, and return the outcomes with them."""
        outputs = [output for output, outcome in made if outcome.state == CONVERTED]
        staged = iter(self._recipe.stage(outputs, self._create) if outputs else ())
        return [outcome._replace(staged=next(staged)) if outcome.state == CONVERTED else outcome for _, outcome in made]

    def _create(self, name: str, content: bytes | bytearray) -> int:
        """Write the new file *name*, and return when it was modified."""
        path = self._path(name)
        with reported(self._settings.root, OutputError):
            try:
                create(path, content)
                return os.stat(path).st_mtime_ns
            except OSError:
                with suppress(OSError):
                    os.unlink(path)
                raise


KINDS = (
    (ArchiveInsideError, "archive"),
    (NoLogError, "not-a-log"),
    (NotMjlogError, "not-a-log"),
    (FileError, "file"),
    (FormatError, "output"),
    *((format_.error, format_.name) for format_ in readable()),
)
"""The kinds of failures by their errors; ``play`` is a record with an impossible play."""


def failure(error: Exception) -> Failure:
    """Return the failure that *error* is."""
    if not isinstance(error, ConvertError):
        return Failure("memory" if isinstance(error, MemoryError) else "internal", reason(error, None))
    forget_frames(error)
    word = next((word for family, word in KINDS if isinstance(error, family)), "internal")
    if isinstance(error.__cause__, PlayError):
        word = "match" if isinstance(error.__cause__, MatchError) else "play"
    return Failure(word, error.reason, **{name: getattr(error, name, None) or None for name in COORDINATES})
