"""Runs chunks on any executor, with a bound on those pending, and survives workers that die."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, Self

from jmjp_convert.batch.worker import FAILED, Chunk, Failure, Outcome, OutputError, convert_chunk

_DIED = Outcome(FAILED, failure=Failure("crash", "the worker crashed while converting it"))

Result = Future[list[Outcome]]

STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals by which a run is ended; they may reach the workers too, to which they are nothing."""


def _forget(executor: Executor) -> None:
    executor.shutdown(wait=False)


class Workers(NamedTuple):
    """An executor of how many workers, how to get one like it if it breaks, and how to let go of one at once, whatever
    its workers do."""

    number: int
    make: Callable[[], Executor]
    abandon: Callable[[Executor], None] = _forget


def processes(number: int) -> Workers:
    """Return *number* processes of this machine."""
    return Workers(number, lambda: _Processes(number), _abandon)


class _Processes(ProcessPoolExecutor):
    """Processes that end when this one closes its end of *line*, or ends itself, however it does."""

    def __init__(self, number: int) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would take locks and databases with it
        theirs, self.line = context.Pipe(duplex=False)
        with _signals_held():  # for the process that keeps count of the others' semaphores
            super().__init__(number, context, initializer=_begin_process, initargs=(theirs,))

    def submit(self, *args: Any, **options: Any) -> Future[Any]:
        """Submit a call, for which a process may be started."""
        with _signals_held():
            return super().submit(*args, **options)


def _abandon(executor: Executor) -> None:
    assert isinstance(executor, _Processes)
    executor.line.close()
    executor.shutdown(wait=True)  # or the program would wait for them as it ends, where nothing can be told any more


@contextmanager
def _signals_held() -> Iterator[None]:
    """Let signals wait, and let processes that are started meanwhile never see them: not even before they could see to
    that themselves."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_process(line: Connection) -> None:
    """Leave it to the parent to be stopped, and end when nobody holds the other end of *line*."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=[line], daemon=True).start()


def _end_with(line: Connection) -> None:
    wait([line])
    os._exit(1)


class Crew:
    """Workers at work. As a context, it lets them go at its end: when they are done, or at once if it is left by what
    is no error, as by Ctrl-C."""

    def __init__(self, workers: Workers) -> None:
        self._make = workers.make
        self._abandon = workers.abandon
        self._ahead = 2 * workers.number + 2
        self._executor = workers.make()
        self._waiting: deque[tuple[Chunk, Result]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None or issubclass(kind, Exception):
            for _, result in self._waiting:
                result.cancel()
            self._executor.shutdown(wait=True)
        else:
            self._abandon(self._executor)

    def outcomes(self, chunks: Iterable[Chunk]) -> Iterator[list[Outcome]]:
        """Yield what becomes of each of *chunks*, in their order; no more than a few are taken before.

        :raises OutputError: an output cannot be written.
        """
        for chunk in chunks:
            self._waiting.append((chunk, self._submit(chunk)))
            if len(self._waiting) >= self._ahead:
                yield self._oldest()
        while self._waiting:
            yield self._oldest()

    def _submit(self, chunk: Chunk) -> Result:
        try:
            return self._executor.submit(convert_chunk, chunk)
        except BrokenExecutor as error:
            broken: Result = Future()
            broken.set_exception(error)
            return broken

    def _oldest(self) -> list[Outcome]:
        chunk, result = self._waiting.popleft()
        try:
            return result.result()
        except OutputError:
            raise
        except BrokenExecutor:  # all that wait are lost with it
            self._renew()
            outcomes = self._alone(chunk)
            for index, (other, _) in enumerate(self._waiting):
                self._waiting[index] = other, self._submit(other)
            return outcomes
        except Exception:  # noqa: BLE001 - as when a cluster gives a chunk up: whatever it is, it is this chunk's
            return self._alone(chunk)

    def _renew(self) -> None:
        self._abandon(self._executor)
        self._executor = self._make()

    def _alone(self, chunk: Chunk) -> list[Outcome]:
        """Convert *chunk* while nothing else is; if that fails too, each of its inputs by itself."""
        try:
            return self._submit(chunk).result()
        except OutputError:
            raise
        except Exception as error:  # noqa: BLE001 - as above
            if isinstance(error, BrokenExecutor):
                self._renew()
            if len(chunk.items) == 1:
                return [_DIED]
        return [outcome for item in chunk.items for outcome in self._alone(chunk._replace(items=(item,)))]
