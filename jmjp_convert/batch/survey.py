"""Reads every game in files, directories and archives, on one process or several, for commands that look at games."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Generic, NamedTuple, Protocol, TypeVar

from jmjp_convert.batch import wording
from jmjp_convert.batch.executor import Crew, cores, processes
from jmjp_convert.errors import ConvertError, FileError, reason
from jmjp_convert.files import archives
from jmjp_convert.files.archives.contents import Fetcher
from jmjp_convert.files.archives.entry import FILE, Fetch, Held, Passed, Refused
from jmjp_convert.files.archives.not_logs import by_content
from jmjp_convert.files.inputs import STDIN, chunks, expect_file, is_directory, is_path, label
from jmjp_convert.formats.reading import Finding, Reading, read_content, read_source
from jmjp_convert.formats.session import Loaded
from jmjp_convert.garbage import forget_frames

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Read = Callable[[Finding | None], Loaded]
"""Reads the matches of an input, as :func:`~jmjp_convert.formats.reading.read` does."""

_TOGETHER = 32  # inputs that a worker takes at a time
_MANY = 64  # games: with fewer, processes take longer to start than to help


class Task(Protocol[T_co]):
    """What is done with each input, in any process: its class is in a module, and its fields can be pickled."""

    def __call__(self, source: str, read: Read, /) -> T_co:
        """Return what is found in *source*, after calling *read*; what it raises is the input's failure."""


class Input(NamedTuple):
    """An input.

    :ivar source: what it is called in messages and JSON: a path, a link, ``-``, or an archive and the member in it.
    :ivar name: its file name, for formats that take the log ID from it.
    :ivar fetch: where its bytes are, if *source* is not to be opened itself.
    """

    source: str
    name: str = ""
    fetch: Fetch | None = None

    @property
    def label(self) -> str:
        """Its name in messages."""
        return label(self.source)


class Seen(NamedTuple, Generic[T]):
    """What was found in an input, or the *failure* to read it, with the notices on the way.

    :ivar passed: why it is passed over, if it is not a log at all.
    """

    found: T | None
    failure: Exception | None
    notices: tuple[str, ...] = ()
    passed: str = ""


class _PassedOver(Exception):  # noqa: N818 - it is not an error
    """An input is not a log."""


def is_collection(source: str) -> bool:
    """Return whether *source* is a directory or an archive."""
    return is_path(source) and (is_directory(source) or archives.is_archive(source))


def inputs(sources: Iterable[str], max_size: int, passed: Callable[[str], None]) -> Iterator[Input]:
    """Yield the inputs in *sources*: files, directories, archives, links and standard input.

    A directory or archive without any is an input that cannot be read.

    :param max_size: the maximum size of an input in bytes.
    :param passed: called with the reason for each file in a directory or archive that is passed over.
    """
    for source in sources:
        if not is_collection(source):
            yield Input(source)
            continue
        is_empty = True
        for entry in archives.entries(source, max_size):
            if isinstance(entry.fetch, Passed):
                passed(entry.fetch.reason)
            else:
                is_empty = False
                yield Input(wording.label(entry), entry.name, entry.fetch)
        if is_empty:
            yield Input(source, fetch=Refused(FILE, "no game records found"))


def count(sources: Sequence[str]) -> int | None:
    """Return approximately how many inputs are in *sources*, or ``None`` if that is unknown."""
    collections = [source for source in sources if is_collection(source)]
    number = archives.count(collections)
    return None if number is None else number + len(sources) - len(collections)


def usual_jobs(number: int | None) -> int:
    """Return how many processes to use for a *number* of games: one per processor for many, otherwise one.

    :param number: as :func:`count` returns it.
    """
    return 1 if number is not None and number < _MANY else cores()


def survey(given: Iterable[Input], task: Task[T], reading: Reading, jobs: int) -> Iterator[tuple[Input, Seen[T]]]:
    """Yield each of the inputs with what *task* finds in it, in order.

    :param jobs: the number of processes; with 1, no other than this one.
    """
    if jobs == 1:
        with Fetcher(reading.max_size) as fetcher:
            for one in given:
                yield one, _look(task, reading, fetcher, one)
        return
    died: Seen[T] = Seen(None, FileError("the worker crashed while reading it"))
    remaining = iter(given)
    taken: list[list[Input]] = []

    def taken_together() -> Iterator[list[Input]]:
        while chunk := [_held(one, reading.max_size) for one in islice(remaining, _TOGETHER)]:
            taken.append(chunk)
            yield chunk

    with Crew(processes(jobs), partial(_looks, task, reading), died) as crew:
        for outcomes in crew.outcomes(taken_together()):
            yield from zip(taken.pop(0), outcomes, strict=True)


def _held(one: Input, max_size: int) -> Input:
    """Return *one* with its bytes if only this process can read them."""
    if one.source != STDIN:
        return one
    if sys.stdin is None:
        return one._replace(fetch=Refused(FILE, "standard input is closed"))
    try:
        return one._replace(fetch=Held(b"".join(chunks(sys.stdin.buffer, max_size))))
    except ConvertError as error:
        return one._replace(fetch=Refused(FILE, str(error)))


def _looks(task: Task[T], reading: Reading, chunk: Sequence[Input]) -> list[Seen[T]]:
    """Return what *task* finds in each input of *chunk*."""
    with Fetcher(reading.max_size) as fetcher:
        return [_look(task, reading, fetcher, one) for one in chunk]


def _look(task: Task[T], reading: Reading, fetcher: Fetcher, one: Input) -> Seen[T]:
    notices: list[str] = []

    def read(finding: Finding | None) -> Loaded:
        if one.fetch is None:
            expect_file(one.source)
            return read_source(one.source, reading, notices.append, finding)
        content = fetcher.content(one.fetch)
        if why := by_content(content, one.name):
            raise _PassedOver(why)
        return read_content(content, one.name, reading, notices.append, finding=finding)

    try:
        return Seen(task(one.source, read), None, tuple(notices))
    except _PassedOver as passed:
        return Seen(None, None, passed=str(passed))
    except ConvertError as error:
        forget_frames(error)
        return Seen(None, error, tuple(notices))
    except Exception as error:  # noqa: BLE001 - one bad input must not stop the rest, whatever the error
        return Seen(None, FileError(reason(error, None)), tuple(notices))
