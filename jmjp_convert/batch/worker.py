"""Converts one chunk of inputs, in a worker process."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from jmjp_convert.batch.product import (
    ArchiveInsideError,
    Content,
    NoLogError,
    OutputError,
    Product,
    Remarks,
    Skip,
    Staged,
)
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
from jmjp_convert.files.inputs import Bounds, describe
from jmjp_convert.files.temporaries import create
from jmjp_convert.formats import readable
from jmjp_convert.formats.format import Lost
from jmjp_convert.garbage import forget_frames

CONVERTED = "converted"
KNOWN = "known"
SKIPPED = "skipped"
FAILED = "failed"
"""The states of an input; known: another input with the same ID and content was converted before."""

_TOGETHER = 1 << 20  # bytes of inputs held at once, unless a single one is larger


class Settings(NamedTuple):
    """The settings of a run.

    :ivar root: the directory of the outputs.
    :ivar staging: a directory on the same file system, for outputs that are not in place yet.
    :ivar product: what is made of the inputs.
    :ivar bounds: the limits on inputs.
    :ivar elsewhere: whether workers may be on other machines, so that each has to put what it writes on disk.
    """

    root: str
    staging: str
    product: Product
    bounds: Bounds
    elsewhere: bool = False


class Item(NamedTuple):
    """An input to convert.

    :ivar known: the digests of contents with the same ID that have been converted.
    """

    fetch: Fetch
    name: str
    known: tuple[str, ...]


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
        self._maker = settings.product.maker(settings.bounds, self._create)

    def run(self, items: Sequence[Item]) -> list[Outcome]:
        """Convert *items*: reading, converting and writing many at a time is a tenth faster than one by one."""
        outcomes: list[Outcome] = []
        with Fetcher(self._settings.bounds.max_size) as fetcher:
            remaining = iter(items)
            while read := list(self._read(remaining, fetcher)):
                made = [self._make(*one) for one in read]
                outcomes += [self._stage(*one) for one in made]
        try:
            self._maker.end()
        except FormatError as error:
            if len(items) > 1:  # the crew tries each of them alone
                raise
            return [outcome._replace(state=FAILED, staged=None, failure=failure(error)) for outcome in outcomes]
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

    def _make(self, given: Content, outcome: Outcome) -> tuple[Any, Outcome]:
        """Return what is made of an input, and its outcome so far."""
        if outcome.state != CONVERTED:
            return None, outcome
        remarks = Remarks([], [], [])
        try:
            made = self._maker.make(given, remarks)
        except Skip as skip:
            return None, outcome._replace(state=SKIPPED, reason=str(skip))
        except Exception as error:  # noqa: BLE001 - as above
            return None, outcome._replace(state=FAILED, failure=failure(error))
        if any(remarks):
            notices, problems, lost = remarks
            outcome = outcome._replace(notices=tuple(notices), problems=tuple(problems), lost=tuple(lost))
        return made, outcome

    def _stage(self, made: Any, outcome: Outcome) -> Outcome:
        if outcome.state != CONVERTED:
            return outcome
        return outcome._replace(staged=self._maker.stage(made))

    def _create(self, name: str, content: bytes | bytearray) -> int:
        """Write the file *name*, and return when it was modified."""
        try:
            return _create(self._path(name), content)
        except OSError as error:
            raise OutputError(f"{self._settings.root}: {describe(error)}") from error


def _create(path: str, content: bytes | bytearray) -> int:
    """Write the new file *path*, and return when it was modified, in nanoseconds.

    :raises OSError: it cannot be written.
    """
    try:
        create(path, content)
        return os.stat(path).st_mtime_ns
    except OSError:
        with suppress(OSError):
            Path(path).unlink()
        raise


KINDS = (
    (ArchiveInsideError, "archive"),
    (NoLogError, "not-a-log"),
    (NotMjlogError, "not-a-log"),
    (FileError, "file"),
    (FormatError, "output"),
    *((one.error, one.name) for one in readable()),
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
    return Failure(word, error.reason, **{place: getattr(error, place, None) or None for place in COORDINATES})
