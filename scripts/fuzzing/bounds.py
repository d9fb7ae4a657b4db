"""Bounds on the time and memory of reading, by the size of the input."""

from __future__ import annotations

import signal
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

_TRIES = 3
_MIB = 1 << 20


class Bounds(NamedTuple):
    """What a judge may use for an input, which it reads by several routes and writes in several formats: a fixed
    amount, and more for each byte. No fixture needs a third of it.

    :ivar seconds: of processor time.
    :ivar memory: in bytes: the peak of Python's objects, including those not yet collected.
    """

    seconds: float = 0.5
    seconds_per_byte: float = 20e-6
    memory: int = 4 * _MIB
    memory_per_byte: int = 1000

    def slower(self, factor: float) -> Bounds:
        """Return the bounds for a program that is slower by *factor*."""
        return self._replace(seconds=self.seconds * factor, seconds_per_byte=self.seconds_per_byte * factor)

    def check_time(self, judge: Callable[[bytes], None], content: bytes, size: int) -> None:
        """Call *judge* with *content*, and stop it if it takes too long; retry then, because the machine may be busy.

        :raises TooSlowError: it takes too long each time.
        """
        limit = self.seconds + self.seconds_per_byte * size
        for _ in range(_TRIES - 1):
            try:
                return _timed(judge, content, limit)
            except TooSlowError:
                pass
        return _timed(judge, content, limit)

    def check_memory(self, judge: Callable[[bytes], None], content: bytes, size: int) -> None:
        """Call *judge* with *content*, and measure its memory.

        :raises TooLargeError: it needs too much.
        """
        limit = self.memory + self.memory_per_byte * size
        tracemalloc.start()
        try:
            judge(content)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        if peak > limit:
            raise TooLargeError(f"{peak:,} bytes of memory, more than {limit:,}, for an input of {size:,}")


class TooSlowError(BaseException):
    """An input takes too long. Not an Exception, so that nothing on its way catches it."""


class TooLargeError(Exception):
    """An input needs too much memory."""


def _timed(judge: Callable[[bytes], None], content: bytes, limit: float) -> None:
    message = f"more than {limit:.2f} s of processor time for an input of {len(content):,} bytes"
    started = time.process_time()
    with _stopped(limit, message):
        judge(content)
    if time.process_time() - started > limit:
        raise TooSlowError(message)


@contextmanager
def _stopped(limit: float, message: str) -> Iterator[None]:
    """Raise an error in the block after *limit* seconds of processor time, where the system has such a timer."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: Any) -> None:
        raise TooSlowError(message)

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
