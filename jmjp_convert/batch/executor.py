"""Runs chunks on processes, or on a Dask cluster, with a bound on those pending, and survives crashed workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from multiprocessing.connection import Connection, wait
from types import ModuleType
from typing import Any, Generic, NamedTuple, Self, TypeVar

from jmjp_convert.batch.worker import OutputError
from jmjp_convert.errors import ConvertError, MissingExtraError
from jmjp_convert.garbage_collection import collect_rarely

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that stop a run; they may also reach the workers, which ignore them."""

_MOST_ON_WINDOWS = 61  # Windows waits for at most 64 objects at a time; ProcessPoolExecutor refuses more than these

_SILENTLY = ("sh", "-c", 'exec "$0" "$@" 2>/dev/null')


class Workers(NamedTuple):
    """A way to run workers."""

    number: int  # how many there are
    make: Callable[[], Executor]  # creates an executor; called again if one breaks
    elsewhere: bool = False  # whether they may be on other machines


def cores() -> int:
    """Return the number of processors that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def processes(number: int) -> Workers:
    """Return *number* processes on this machine, or as many as it can have."""
    if sys.platform == "win32":
        number = min(number, _MOST_ON_WINDOWS)
    return Workers(number, lambda: _Processes(number))


class _Processes(ProcessPoolExecutor):
    """Processes that end when this process closes its end of a line, or ends in any way."""

    def __init__(self, number: int) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would inherit locks and databases
        _silence_processes()
        theirs, self._line = context.Pipe(duplex=False)
        self._ending: threading.Thread | None = None
        with _signals_blocked():  # for the process that tracks the others' semaphores
            super().__init__(number, context, initializer=_begin_process, initargs=(theirs,))

    def submit(self, *args: Any, **options: Any) -> Future[Any]:
        """Submit a call; this may start a process."""
        with _signals_blocked(), _main_hidden():
            return super().submit(*args, **options)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when they are done. Unlike with the inherited method, a second call can still wait for
        them: a program that ends while they do may show a traceback."""
        if self._ending is None:
            self._ending = threading.Thread(target=super().shutdown, kwargs={"cancel_futures": cancel_futures})
            self._ending.start()
        if wait:
            self._ending.join()

    def abandon(self) -> None:
        """End the processes at once, and wait until they have ended."""
        self._line.close()
        # A process may end while it sends an outcome. The rest is waited for as long as any process could send it, and
        # this one could, too.
        if (results := self._result_queue) is not None:
            results._writer.close()  # type: ignore[attr-defined] # noqa: SLF001
        self.shutdown(wait=True)  # otherwise the program waits for them at exit, where nothing can be reported


def _abandon(executor: Executor) -> None:
    """Drop *executor* at once, whatever its workers are doing."""
    if isinstance(executor, _Processes):
        executor.abandon()
    else:
        executor.shutdown(wait=False)


@cache
def _silence_processes() -> None:
    """Have the processes that ``multiprocessing`` starts write nothing to stderr.

    If one of them or this process is killed, the others would show tracebacks, and warn of semaphores that are removed
    all the same. What happens to an input is reported by this process.
    """
    if sys.platform == "win32":
        return
    util: Any = import_module("multiprocessing.util")
    start = util.spawnv_passfds

    def start_silently(path: bytes, args: Sequence[str | bytes], descriptors: Sequence[int]) -> Any:
        return start(b"/bin/sh", [*_SILENTLY, path, *args[1:]], descriptors)

    util.spawnv_passfds = start_silently
    warnings.filterwarnings("ignore", category=UserWarning, module=r"multiprocessing\.resource_tracker")


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Block signals, so that processes started meanwhile never receive them, not even before they can ignore them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _main_hidden() -> Iterator[None]:
    """Have the processes started meanwhile not run the user's script again: they need nothing of it, and one without
    ``if __name__ == "__main__":`` would start processes in each of them, which fails."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _begin_process(line: Connection) -> None:
    """Ignore the signals that stop the parent, and end when the other end of *line* is closed."""
    collect_rarely()
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=[line], daemon=True).start()


def _end_with(line: Connection) -> None:
    wait([line])
    os._exit(1)


class Crew(Generic[Item, Outcome]):
    """Workers at work. As a context manager it releases them at its end: when they are done, or at once if it is left
    by an exception that is not an error, such as Ctrl-C.

    :param work: what workers do with a chunk of items: it returns an outcome for each; it is called in other processes.
    :param died: the outcome of an item with which a worker crashes.
    """

    def __init__(self, workers: Workers, work: Callable[[Sequence[Item]], list[Outcome]], died: Outcome) -> None:
        self._work = work
        self._died = died
        self._make = workers.make
        self._ahead = 2 * workers.number + 2
        self._executor = workers.make()
        self._waiting: deque[tuple[Sequence[Item], Future[list[Outcome]]]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_rest: object) -> None:
        if kind is None or issubclass(kind, Exception):
            for _chunk, result in self._waiting:
                result.cancel()
            self._executor.shutdown(wait=True)
        else:
            _abandon(self._executor)

    def outcomes(self, chunks: Iterable[Sequence[Item]]) -> Iterator[list[Outcome]]:
        """Yield the outcomes of each of *chunks*, in order; only a few chunks are taken in advance.

        :raises OutputError: an output cannot be written.
        """
        for chunk in chunks:
            self._waiting.append((chunk, self._submit(chunk)))
            if len(self._waiting) >= self._ahead:
                yield self._oldest()
        while self._waiting:
            yield self._oldest()
        self._executor.shutdown(wait=False)  # so that the workers end while the last outcomes are recorded

    def _submit(self, chunk: Sequence[Item]) -> Future[list[Outcome]]:
        try:
            return self._executor.submit(self._work, chunk)
        except BrokenExecutor as error:
            broken: Future[list[Outcome]] = Future()
            broken.set_exception(error)
            return broken

    def _oldest(self) -> list[Outcome]:
        chunk, result = self._waiting.popleft()
        try:
            return result.result()
        except OutputError:
            raise
        except BrokenExecutor:  # all pending chunks are lost with it
            self._renew()
            outcomes = self._alone(chunk)
            for index, (other, _) in enumerate(self._waiting):
                self._waiting[index] = other, self._submit(other)
            return outcomes
        except Exception:  # noqa: BLE001 - as when a cluster gives up on a chunk: any error concerns this chunk
            return self._alone(chunk)

    def _renew(self) -> None:
        _abandon(self._executor)
        self._executor = self._make()

    def _alone(self, chunk: Sequence[Item]) -> list[Outcome]:
        """Work on *chunk* while nothing else runs; if that fails too, on each of its items separately."""
        try:
            return self._submit(chunk).result()
        except OutputError:
            raise
        except Exception as error:  # noqa: BLE001 - as above
            if isinstance(error, BrokenExecutor):
                self._renew()
            if len(chunk) == 1:
                return [self._died]
        return [outcome for item in chunk for outcome in self._alone((item,))]


# --- a cluster --------------------------------------------------------------------------------------------------------

_PATIENCE = 30  # seconds for the scheduler to answer


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """Connect to the workers of the cluster whose scheduler is at *address*.

    :raises MissingExtraError: ``distributed`` is not installed.
    :raises ConvertError: the scheduler cannot be reached.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtraError("--dask", "cluster") from error
    try:
        client: Any = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ConvertError(f"cannot reach a Dask scheduler at {address}: {error}") from error
    with client:
        number = sum(client.ncores().values())
        yield Workers(max(number, 1), partial(client.get_executor, pure=False), elsewhere=True)
