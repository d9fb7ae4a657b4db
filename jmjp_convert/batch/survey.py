"""Reads every input of a run, on one process or several, and keeps no ledger: files, directories, archives, links."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from jmjp_convert.convert import judged
from jmjp_convert.errors import ConvertError, FileError, RecordError, reason
from jmjp_convert.files.compression import SNIFFED, kind
from jmjp_convert.files.inputs import NO_STDIN, STDIN, content_of, expect_file, is_archive, is_path, label
from jmjp_convert.files.outputs import LOST
from jmjp_convert.formats import detect
from jmjp_convert.formats.reading import OnError, Reading, read_content, read_source, source_content
from jmjp_convert.formats.session import Loaded
from jmjp_convert.garbage_collection import forget_frames
from jmjp_convert.model import Match, log_ids
from jmjp_convert.model.record import Record, replace

if TYPE_CHECKING:  # a run over files alone needs no archives or databases, and one process no others
    import sqlite3

    from jmjp_convert.files.archives import Fetcher
    from jmjp_convert.files.archives.entry import Fetch

T = TypeVar("T")

DUPLICATE = "duplicates"
"""The reason to skip a copy."""


def skipped(why: str) -> str:
    """Return what is said of a file that is skipped: *why* it is no log, or that it is a copy."""
    return f"skipped: {'a copy of another file' if why == DUPLICATE else why}"


_DIGEST = 16  # bytes
_TOGETHER = 32  # inputs that a worker takes at a time
_MANY = 64  # games: with fewer, processes take longer to start than to help


class Input(Record):
    """An input."""

    __slots__ = ("source", "name", "fetch", "archive", "member", "origin")

    def __init__(
        self,
        source: str,
        name: str = "",
        fetch: Fetch | None = None,
        archive: str = "",
        member: str = "",
        origin: str = "",
    ) -> None:
        # What it is called in messages and JSON: a path, a link, -, or an archive and the member in it.
        self.source: Final = source
        self.name: Final = name  # its file name, for formats that take the log ID from it
        self.fetch: Final = fetch  # where its bytes are, if source is not to be opened itself
        self.archive: Final = archive  # the file in a directory, or the archive, that it was found in or as
        self.member: Final = member  # its name in the archive
        self.origin: Final = origin  # the source that the user named, if source is in it

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

    def skip(self, what: str, why: str) -> None:
        """Handle that a file is skipped: why it is no log, or :data:`DUPLICATE`."""


class Skipped(Exception):  # noqa: N818 - it is not an error
    """An input is skipped: it is not a log, or a copy of another one."""


class Opened:
    """An input that a task may read; its *listener* receives what there is to say about it."""

    def __init__(self, input_: Input, reading: Reading, archives: _Archives, listener: Listener) -> None:
        self.input = input_
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

        :raises Skipped: it is a file in a directory or an archive, and known not to be a log.
        """
        if self.input.fetch is None:
            self._whole = source_content(self.input.source, self._reading.max_size)
            return self._whole
        content = self._archives.fetcher(self._reading.max_size).content(self.input.fetch)
        if why := not_a_record(content, self.input.name):
            raise Skipped(why)
        return content

    @cached_property
    def identity(self) -> str:
        """What copies of the input have in common: the log ID in the name, if there is one, and the content, after its
        format."""
        from hashlib import sha256  # as for a site or statistics alone

        log_id, format_ = log_ids.find_id(os.path.basename(self.input.name or self.input.source)), detect(self.content)
        return f"{log_id.text if log_id else ''} {format_.name if format_ else ''} {sha256(self.content).hexdigest()}"

    def read(self, finding: OnError | None = None) -> Loaded:
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


def not_a_record(content: bytes, name: str) -> str:
    """Return why a file in a directory or archive is skipped: its *content* or *name* show that it is no game record;
    "" if it may be one."""
    from jmjp_convert.files.archives.not_logs import by_content, by_extension

    if why := by_content(content, name):
        return why
    return by_extension(name) if detect(content) is None and not kind(content[:SNIFFED]) else ""


class Copies(ExitStack):
    """Recognizes copies of inputs, as a batch does; a context manager.

    A game in two formats is not a copy. The log ID alone does not show that both files have the same game: one may be
    cut off, or another game. And of two that do, the one with less, a converted file, is often first in the order of
    names, in which inputs are read once; a batch has written its output by the time it meets the other. Such games are
    counted, for a warning.

    What is known of the inputs is kept on disk, since there may be millions.

    :param named: whether files that the user names are compared too, rather than only those in directories and
        archives.
    """

    def __init__(self, *, named: bool) -> None:
        super().__init__()
        self.converted = 0  # how many of the others have the log ID of an earlier input in another format
        self._named = named
        self._seen: sqlite3.Connection | None = None

    def concern(self, input_: Input) -> bool:
        """Return whether *input_* may be skipped as a copy."""
        return self._named or input_.fetch is not None

    def add(self, identity: str) -> bool:
        """Return whether no input before had this :attr:`~Opened.identity`."""
        import sqlite3
        from hashlib import sha256

        if self._seen is None:
            self._seen = self.enter_context(closing(sqlite3.connect("")))  # a temporary file
            self._seen.execute("CREATE TABLE seen (identity BLOB PRIMARY KEY) WITHOUT ROWID")
            self._seen.execute("CREATE TABLE formats (log_id TEXT PRIMARY KEY, format TEXT) WITHOUT ROWID")
        key = sha256(identity.encode()).digest()[:_DIGEST]
        is_new = self._seen.execute("INSERT OR IGNORE INTO seen VALUES (?)", [key]).rowcount > 0
        log_id, format_, _ = identity.split(" ")
        if is_new and log_id:
            self._seen.execute("INSERT OR IGNORE INTO formats VALUES (?, ?)", [log_id, format_])
            (first,) = self._seen.execute("SELECT format FROM formats WHERE log_id = ?", [log_id]).fetchone()
            self.converted += format_ != first
        return is_new


# --- the inputs -------------------------------------------------------------------------------------------------------


NO_RECORDS = "no game records found"


def is_collection(source: str) -> bool:
    """Return whether *source* is a directory or an archive."""
    return is_path(source) and (os.path.isdir(source) or is_archive(source))


def inputs(sources: Iterable[str], max_size: int, passed: Callable[[str, str], None]) -> Iterator[Input]:
    """Yield the inputs in *sources*: files, directories, archives, links and standard input.

    A directory or archive without any is an input that cannot be read.

    :param max_size: the maximum size of an input in bytes.
    :param passed: called with each file in a directory or archive that is skipped, by its name in messages, and why.
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
                passed(label(entry.label), entry.fetch.reason)
            else:
                is_empty = False
                yield Input(entry.label, entry.name, entry.fetch, entry.source, entry.member, source)
        if is_empty:
            yield Input(source, fetch=Refused(FILE, NO_RECORDS))


def count(sources: Sequence[str]) -> int | None:
    """Return approximately how many inputs are in *sources*, or ``None`` if that is unknown."""
    from jmjp_convert.files import archives

    collections = [source for source in sources if is_collection(source)]
    number = archives.count(collections)
    return None if number is None else number + len(sources) - len(collections)


# --- reading them -----------------------------------------------------------------------------------------------------


def survey(
    queue: Iterable[Input],
    task: Task[T],
    reading: Reading,
    listener: Listener,
    jobs: int = 1,
    *,
    copies: Copies | None = None,
) -> Iterator[tuple[Input, T | None]]:
    """Yield each input of *queue* with what *task* returns for it, in order; ``None`` if it failed or is skipped.

    :param listener: receives what there is to say about an input before that is yielded; with one job, at once.
    :param jobs: the number of processes; with 1, no other than this one.
    :raises UnreadError, StdoutError: *task* cannot write its output, which would fail for every other input too.
    """
    if jobs == 1:
        with _Archives() as archives:
            for input_ in queue:
                yield input_, _result(task, Opened(input_, reading, archives, listener), copies)[0]
        return
    from jmjp_convert.batch.executor import Crew, processes

    remaining = iter(queue)
    taken: list[list[Input]] = []

    def taken_together() -> Iterator[list[Input]]:
        while chunk := [_with_stdin(input_, reading.max_size) for input_ in islice(remaining, _TOGETHER)]:
            taken.append(chunk)
            yield chunk

    crew: Crew[Input, tuple[T | None, list[_Call], str] | None]
    with Crew(processes(jobs), partial(_results, task, reading, identified=copies is not None), died=None) as crew:
        for results in crew.outcomes(taken_together()):
            for input_, result in zip(taken.pop(0), results, strict=True):
                if result is None:
                    listener.fail(input_.label, FileError("the worker crashed while reading it"))
                    yield input_, None
                    continue
                value, calls, identity = result
                if copies is not None and identity and copies.concern(input_) and not copies.add(identity):
                    listener.skip(input_.label, DUPLICATE)
                    yield input_, None
                    continue
                for name, *values in calls:
                    getattr(listener, name)(*values)
                yield input_, value


def usual_jobs(number: int | None) -> int:
    """Return how many processes to use for a *number* of games: one per processor for many, otherwise one.

    :param number: as :func:`count` returns it.
    """
    from jmjp_convert.batch.executor import cores

    return 1 if number is not None and number < _MANY else cores()


def _result(
    task: Task[T], opened: Opened, copies: Copies | None = None, *, identified: bool = False
) -> tuple[T | None, str]:
    """Return what *task* returns, ``None`` if the input failed or is skipped, after saying so; and its identity, if
    that is asked for."""
    identity = ""
    try:
        if opened.input.fetch is None:
            expect_file(opened.input.source)
        if copies is not None and copies.concern(opened.input) and not copies.add(opened.identity):
            raise Skipped(DUPLICATE)  # noqa: TRY301 - handled like all others
        if identified:
            identity = opened.identity
        return task(opened), identity
    except Skipped as passed:
        opened.listener.skip(opened.input.label, str(passed))
    except LOST:
        raise
    except Exception as error:  # noqa: BLE001 - one bad input must not stop the rest, whatever the error
        opened.listener.fail(opened.input.label, error)
    return None, identity


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

    def skip(self, what: str, why: str) -> None:
        self.calls.append(("skip", what, why))


def _results(
    task: Task[T], reading: Reading, chunk: Sequence[Input], *, identified: bool
) -> list[tuple[T | None, list[_Call], str] | None]:
    """Return what *task* returns for each input of *chunk*, what there is to say about it, and its identity, if that is
    asked for."""
    results: list[tuple[T | None, list[_Call], str] | None] = []
    with _Archives() as archives:
        for input_ in chunk:
            recorder = _Recorder()
            value, identity = _result(task, Opened(input_, reading, archives, recorder), identified=identified)
            results.append((value, recorder.calls, identity))
    return results


def _with_stdin(input_: Input, max_size: int) -> Input:
    """Return *input_* with its bytes if only this process can read them: if it is standard input."""
    from jmjp_convert.files.archives.entry import FILE, InMemory, Refused

    if input_.source != STDIN:
        return input_
    if sys.stdin is None:
        return replace(input_, fetch=Refused(FILE, NO_STDIN))
    try:
        return replace(input_, fetch=InMemory(content_of(sys.stdin.buffer, max_size)))
    except ConvertError as error:
        return replace(input_, fetch=Refused(FILE, str(error)))
