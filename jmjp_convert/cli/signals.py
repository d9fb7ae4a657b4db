"""Signals that end a run: as exceptions, so that temporary files are removed; by force, if these do not arrive in time.

Python handles a signal between two steps of Python code in the main thread. A library that loops, or a look-up of a
host that hangs, may keep the main thread for minutes; another thread then ends the process.
"""

from __future__ import annotations

import _thread
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

from jmjp_convert.cli.console import say
from jmjp_convert.files.temporaries import discard

SIGNALLED = 128
"""The exit code of a process that is ended by a signal, less the signal's number."""


_AS_EXCEPTIONS = ("SIGTERM", "SIGHUP")
_PATIENCE = 0.7  # seconds for what ends a run to do so
_SAYING = 0.1  # seconds to write a line
_GRACE = 1.0  # seconds to finish the work in progress


class _Watchdog:
    """Ends the process some time after a signal, unless it is closed before."""

    def __init__(self) -> None:
        self._deadline = 0.0
        self._over = _thread.allocate_lock()
        self._over.acquire()
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)
        try:
            self._before = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        except ValueError:  # only the main thread can handle signals
            os.close(self._writer)
            os.close(self._reader)
            raise
        _thread.start_new_thread(self._watch, ())

    def postpone(self, seconds: float) -> None:
        """Give the process at least that many *seconds* and the usual patience from now on to end."""
        self._deadline = max(self._deadline, time.monotonic() + seconds + _PATIENCE)

    def close(self) -> None:
        """Stop watching."""
        signal.set_wakeup_fd(self._before)
        os.close(self._writer)
        self._over.release()

    def _watch(self) -> None:
        ending = {signal.SIGINT, *(getattr(signal, name) for name in _AS_EXCEPTIONS)}
        number = 0
        while number not in ending:
            received = os.read(self._reader, 1)
            if not received:
                os.close(self._reader)
                return
            number = received[0]
        self.postpone(0)
        while (left := self._deadline - time.monotonic()) > 0:
            if self._over.acquire(timeout=left):
                os.close(self._reader)
                return
        _end(number)


_watching: _Watchdog | None = None
_done: list[Callable[[], str]] = []


@contextmanager
def saying(done: Callable[[], str]) -> Iterator[None]:
    """While this lasts, and after a signal has ended it, the last line of the run says what *done* returns, and how to
    go on."""
    _done[:] = [done]
    yield
    _done.clear()


def interrupted(done: str) -> str:
    """Return the last line of a run that can be continued."""
    return f"interrupted after {done}; run the same command again to continue"


def last_words(number: int) -> str:
    """Return the last line of a run that the signal *number* ends; empty if there is nothing to say."""
    return interrupted(_done[0]()) if _done else "interrupted" if number == signal.SIGINT else ""


def _end(number: int) -> NoReturn:
    """End the process as the signal *number* does, with nothing left behind."""
    discard()
    if words := last_words(number):
        said = _thread.allocate_lock()
        said.acquire()
        _thread.start_new_thread(_say, (words, said))
        said.acquire(timeout=_SAYING)  # nobody may be reading it
    os._exit(SIGNALLED + number)


def _say(words: str, said: _thread.LockType) -> None:
    say(words)
    said.release()


def postpone(seconds: float) -> None:
    """Give the process, which has received a signal, at least that many *seconds* to end by itself."""
    if _watching is not None:
        _watching.postpone(seconds)


@contextmanager
def ending() -> Iterator[None]:
    """Turn signals that would end the process at once into exceptions, and end it if they have not done so soon."""
    global _watching  # noqa: PLW0603 - there is one process
    before = {}
    outer = _watching
    _done.clear()
    try:
        for name in _AS_EXCEPTIONS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, _exit)
        if os.name == "posix" and outer is None:
            _watching = _Watchdog()
    except ValueError:  # only the main thread can handle signals
        pass
    try:
        yield
    finally:
        if _watching is not None and outer is None:
            _watching.close()
        _watching = outer
        for number, handler in before.items():
            with suppress(ValueError):
                signal.signal(number, handler)


def _exit(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(SIGNALLED + number)


# --- runs that finish their work in progress --------------------------------------------------------------------------


class Interrupts:
    """Handles Ctrl-C and termination signals: the first lets the run finish its work in progress, and says so; Ctrl-C
    after it stops the run at once, and so does running out of time for that work.

    :param tell: shows a line; may raise :class:`RuntimeError` while stderr is being written to.
    """

    def __init__(self, tell: Callable[[str], object]) -> None:
        self.signal = 0  # the number of the first signal, or 0
        self._tell = tell
        self._before: dict[int, Any] = {}
        self._lock = threading.Lock()
        self._over = False
        self._timer = threading.Timer(_GRACE, self._hurry)
        self._timer.daemon = True

    def __enter__(self) -> Interrupts:  # noqa: PYI034 - it has no subclasses
        from jmjp_convert.batch.executor import STOPPING  # loaded only for a run

        with suppress(ValueError):  # only the main thread can handle signals
            for number in STOPPING:
                if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN:  # as nohup sets it
                    self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._over = True
        self._timer.cancel()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _: FrameType | None) -> None:
        if not self.signal:
            self.signal = number
            postpone(_GRACE)
            if hasattr(signal, "pthread_kill"):
                self._timer.start()
            with suppress(RuntimeError):
                self._tell(
                    "finishing work in progress; press Ctrl-C again to stop at once"
                    if number == signal.SIGINT
                    else "finishing work in progress"
                )
        elif number == signal.SIGINT:  # the others may arrive twice, for the process and for its group
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a third one would interrupt the shutdown of the workers
            postpone(_GRACE)  # for the summary
            if self.signal == signal.SIGINT:
                raise KeyboardInterrupt
            raise SystemExit(SIGNALLED + self.signal)

    def _hurry(self) -> None:
        """Stop the run as Ctrl-C does, which also ends whatever the main thread waits for."""
        with self._lock:
            if not self._over:
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
