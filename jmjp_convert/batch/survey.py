"""Reads every input of a run, on one process or several, and keeps no ledger: files, directories, archives, links."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from jmjp_convert.convert import judged
from jmjp_convert.errors import ConvertError, FileError, RecordError, reason
from jmjp_convert.files.inputs import STDIN, chunks, expect_file, is_archive, is_directory, is_path, label
from jmjp_convert.files.outputs import LOST
from jmjp_convert.formats.reading import Finding, Reading, read_content, read_source, source_content
from jmjp_convert.formats.session import Loaded
from jmjp_convert.garbage import forget_frames
from jmjp_convert.model import Match

if TYPE_CHECKING:  # a run over files alone needs no archives, and one process no others
    from jmjp_convert.files.archives import Fetcher
    from jmjp_convert.files.archives.entry import Entry, Fetch

T = TypeVar("T")

_TOGETHER = 32  # inputs that a worker takes at a time
_MANY = 64  # games: with fewer, processes take longer to start than to help


class Input(NamedTuple):
    """An input.

    :ivar source: what it is called in messages and JSON: a path, a link, ``-``, or an archive and the member in it.
    :ivar name: its file name, for formats that take the log ID from it.
    :ivar fetch: where its bytes are, if *source* is not to be opened itself.
    :ivar archive: the file in a directory, or the archive, that it was found in or as.
    :ivar member: its name in the archive.
    """

    source: str
    name: str = ""
    fetch: Fetch | None = None
    archive: str = ""
    member: str = ""

    @property
    def label(self) -> str:
        """Its name in messages."""
        return label(self.source)


class Listener(Protocol):
    """Receives what there is to say about inputs, each by its name in messages, in their order."""

    def notice(self, what: str, text: str) -> None:
        """Handle a warning, in one line."""

    def problem(self, what: str, error: RecordError) -> None:
        """Handle a problem of a match as a whole, which does not make its input fail."""

    def fail(self, what: str, error: Exception) -> None:
        """Handle that an input failed."""

    def pass_over(self, why: str) -> None:
        """Handle that a file is passed over because it is no log."""


class PassedOver(Exception):  # noqa: N818 - it is not an error
    """An input is not a log."""


class Opened:
    """An input that a task may read.

    :ivar input: which one.
    :ivar listener: receives what there is to say about it.
    """

    def __init__(self, given: Input, reading: Reading, archives: _Archives, listener: Listener) -> None:
        self.input = given
        self._reading = reading
        self._archives = archives
        self.listener = listener
        self._whole: bytes | None = None  # standard input cannot be read twice

    @property
    def strict(self) -> bool:
        """Whether warnings are errors."""
        return self._reading.strict

    @cached_property
    def content(self) -> bytes:
        """The bytes of the input.

        :raises PassedOver: it is a file in a directory or an archive, and known not to be a log.
        """
        if self.input.fetch is None:
            self._whole = source_content(self.input.source, self._reading.max_size)
            return self._whole
        from jmjp_convert.files.archives.not_logs import by_content

        content = self._archives.fetcher(self._reading.max_size).content(self.input.fetch)
        if why := by_content(content, self.input.name):
            raise PassedOver(why)
        return content

    def read(self, finding: Finding | None = None) -> Loaded:
        """Return its matches, as :func:`~jmjp_convert.formats.reading.read` does."""
        if self.input.fetch is None:
            return read_source(self.input.source, self._reading, self.notice, finding, content=self._whole)
        return read_content(self.content, self.input.name, self._reading, self.notice, finding=finding)

    def judged(self) -> list[Match]:
        """Return its matches, each checked as a whole, too.

        :raises RecordError: one has a problem, and the reading is strict.
        """
        return judged(self.read(), self._reading, partial(self.listener.problem, self.input.label))

    def notice(self, text: str) -> None:
        """Give a warning about it."""
        self.listener.notice(self.input.label, text)


Task = Callable[[Opened], T]
"""What is done with each input; what it raises is the input's failure. With several processes, it can be pickled."""


class _Archives(ExitStack):
    """Keeps archives open until it exits."""

    _fetcher: Fetcher | None = None

    def fetcher(self, max_size: int) -> Fetcher:
        from jmjp_convert.files.archives import Fetcher

        if self._fetcher is None:
            self._fetcher = self.enter_context(Fetcher(max_size))
        return self._fetcher


# --- the inputs -------------------------------------------------------------------------------------------------------


def entry_label(entry: Entry) -> str:
    """Return what an input in a directory or archive is called in messages."""
    return f"{entry.source}: {entry.member}" if entry.member else entry.source


def is_collection(source: str) -> bool:
    """Return whether *source* is a directory or an archive."""
    return is_path(source) and (is_directory(source) or is_archive(source))


def inputs(sources: Iterable[str], max_size: int, passed: Callable[[str], None]) -> Iterator[Input]:
    """Yield the inputs in *sources*: files, directories, archives, links and standard input.

    A directory or archive without any is an input that cannot be read.

    :param max_size: the maximum size of an input in bytes.
    :param passed: called with the reason for each file in a directory or archive that is passed over.
    """
    from jmjp_convert.files import archives
    from jmjp_convert.files.archives.entry import FILE, Passed, Refused

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
                yield Input(entry_label(entry), entry.name, entry.fetch, entry.source, entry.member)
        if is_empty:
            yield Input(source, fetch=Refused(FILE, "no game records found"))


def count(sources: Sequence[str]) -> int | None:
    """Return approximately how many inputs are in *sources*, or ``None`` if that is unknown."""
    from jmjp_convert.files import archives

    collections = [source for source in sources if is_collection(source)]
    number = archives.count(collections)
    return None if number is None else number + len(sources) - len(collections)


# --- reading them -----------------------------------------------------------------------------------------------------


def survey(
    queue: Iterable[Input], task: Task[T], reading: Reading, listener: Listener, jobs: int = 1
) -> Iterator[tuple[Input, T | None]]:
    """Yield each input of *queue* with what *task* returns for it, in order; ``None`` if it failed or is passed over.

    :param listener: receives what there is to say about an input before that is yielded; with one job, at once.
    :param jobs: the number of processes; with 1, no other than this one.
    :raises UnreadError, StdoutError: *task* cannot write its output, which would fail for every other input too.
    """
    if jobs == 1:
        with _Archives() as archives:
            for given in queue:
                yield given, _result(task, Opened(given, reading, archives, listener))
        return
    from jmjp_convert.batch.executor import Crew, processes

    remaining = iter(queue)
    taken: list[list[Input]] = []

    def taken_together() -> Iterator[list[Input]]:
        while chunk := [_with_stdin(given, reading.max_size) for given in islice(remaining, _TOGETHER)]:
            taken.append(chunk)
            yield chunk

    crew: Crew[Input, tuple[T | None, list[_Call]] | None]
    with Crew(processes(jobs), partial(_results, task, reading), died=None) as crew:
        for results in crew.outcomes(taken_together()):
            for given, result in zip(taken.pop(0), results, strict=True):
                if result is None:
                    listener.fail(given.label, FileError("the worker crashed while reading it"))
                    yield given, None
                    continue
                value, calls = result
                for name, *values in calls:
                    getattr(listener, name)(*values)
                yield given, value


def usual_jobs(number: int | None) -> int:
    """Return how many processes to use for a *number* of games: one per processor for many, otherwise one.

    :param number: as :func:`count` returns it.
    """
    from jmjp_convert.batch.executor import cores

    return 1 if number is not None and number < _MANY else cores()


def _result(task: Task[T], opened: Opened) -> T | None:
    """Return what *task* returns; ``None`` if the input failed or is passed over, after saying so."""
    try:
        if opened.input.fetch is None:
            expect_file(opened.input.source)
        return task(opened)
    except PassedOver as passed:
        opened.listener.pass_over(str(passed))
    except LOST:
        raise
    except Exception as error:  # noqa: BLE001 - one bad input must not stop the rest, whatever the error
        opened.listener.fail(opened.input.label, error)
    return None


# --- in other processes -----------------------------------------------------------------------------------------------

_Call = tuple[Any, ...]
"""The name of a method of a listener, and its arguments."""


class _Recorder:
    """A listener that keeps what it receives for the one in the first process."""

    def __init__(self) -> None:
        self.calls: list[_Call] = []

    def notice(self, what: str, text: str) -> None:
        self.calls.append(("notice", what, text))

    def problem(self, what: str, error: RecordError) -> None:
        self.calls.append(("problem", what, error))

    def fail(self, what: str, error: Exception) -> None:
        if not isinstance(error, ConvertError):  # which may not fit through a pipe
            error = FileError(reason(error, None))
        forget_frames(error)
        self.calls.append(("fail", what, error))

    def pass_over(self, why: str) -> None:
        self.calls.append(("pass_over", why))


def _results(task: Task[T], reading: Reading, chunk: Sequence[Input]) -> list[tuple[T | None, list[_Call]] | None]:
    """Return what *task* returns for each input of *chunk*, and what there is to say about it."""
    results: list[tuple[T | None, list[_Call]] | None] = []
    with _Archives() as archives:
        for given in chunk:
            recorder = _Recorder()
            results.append((_result(task, Opened(given, reading, archives, recorder)), recorder.calls))
    return results


def _with_stdin(given: Input, max_size: int) -> Input:
    """Return *given* with its bytes if only this process can read them: if it is standard input."""
    from jmjp_convert.files.archives.entry import FILE, Held, Refused

    if given.source != STDIN:
        return given
    if sys.stdin is None:
        return given._replace(fetch=Refused(FILE, "standard input is closed"))
    try:
        return given._replace(fetch=Held(b"".join(chunks(sys.stdin.buffer, max_size))))
    except ConvertError as error:
        return given._replace(fetch=Refused(FILE, str(error)))
