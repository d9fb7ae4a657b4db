"""A hunt: tries inputs on a target, and reduces, reports and saves findings."""

from __future__ import annotations

import re
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from zlib import crc32

from fuzzing.bounds import Bounds, TooSlowError
from fuzzing.corruption import Mutator
from fuzzing.targets import size

Judge = Callable[[bytes], None]

LAST = "last-input"
"""The name of the file with the current input."""

_MOST_FINDINGS = 20
_SECONDS_TO_SHRINK = 10.0
_MEMORY_EVERY = 64
_DEPTH = 3
_PARTICULARS = re.compile(r"[0-9]+|'[^']*'|\"[^\"]*\"")


class Hunt:
    """Tries inputs on a target.

    :param name: the name of the target.
    :param out: where findings are saved, if anywhere.
    :ivar count: how many inputs were tried.
    :ivar found: one input for each kind of finding.
    """

    def __init__(self, name: str, judge: Judge, bounds: Bounds, out: Path | None = None) -> None:
        self.count = 0
        self.found: dict[str, bytes] = {}
        self._name = name
        self._judge = judge
        self._bounds = bounds
        self._kept = None if out is None else out / name
        if self._kept is not None:
            self._kept.mkdir(parents=True, exist_ok=True)

    @property
    def over(self) -> bool:
        """Whether there are so many findings that more would not help."""
        return len(self.found) >= _MOST_FINDINGS

    def fault(self, content: bytes, *, with_memory: bool = True) -> BaseException | None:
        """Return the fault in reading *content*, if there is one."""
        try:
            self._bounds.check_time(self._judge, content, size(content))
            if with_memory:
                self._bounds.check_memory(self._judge, content, size(content))
        except (Exception, TooSlowError) as error:  # noqa: BLE001 - any exception is a finding
            return error
        return None

    def try_(self, content: bytes) -> None:
        """Try *content*, and now and then measure its memory, which is slow. If it kills the process, the file
        :data:`LAST` has the input."""
        self.count += 1
        if self._kept is not None:
            (self._kept / LAST).write_bytes(content)
        error = self.fault(content, with_memory=self.count % _MEMORY_EVERY == 1)
        if error is None or (key := _kind(error)) in self.found:
            return
        self.found[key] = smaller = shrunk(content, lambda less: self._is(key, less), _SECONDS_TO_SHRINK)
        self._tell(error, smaller)

    def done(self) -> None:
        """Remove the file of the last input, which has not killed the process."""
        if self._kept is not None:
            (self._kept / LAST).unlink(missing_ok=True)

    def _is(self, key: str, content: bytes) -> bool:
        error = self.fault(content)
        return error is not None and _kind(error) == key

    def _tell(self, error: BaseException, content: bytes) -> None:
        """Report a finding, and save its input."""
        lines = [*traceback.format_exception(error), f"{self._name}: fails on an input of {_bytes(content)}"]
        if self._kept is not None:
            words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()
            path = self._kept / f"{words}-{crc32(content):08x}"
            path.write_bytes(content)
            lines.append(f": {path}")
        print("".join(lines), file=sys.stderr, flush=True)


def _bytes(content: bytes) -> str:
    return f"{len(content):,} byte{'s' * (len(content) != 1)}"


def _kind(error: BaseException) -> str:
    """Return what errors of the same cause share: the type, the lines of code, and the message without particulars."""
    lines = [f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-_DEPTH:]]
    return " ".join([type(error).__name__, *lines, _PARTICULARS.sub("", str(error))[:100]])


def shrunk(content: bytes, still: Callable[[bytes], bool], seconds: float) -> bytes:
    """Return *content* without as much as can be removed in *seconds* while *still* returns true."""
    end = time.monotonic() + seconds
    step = len(content) // 2
    while step:
        place = 0
        while place < len(content) and time.monotonic() < end:
            less = content[:place] + content[place + step :]
            if still(less):
                content = less
            else:
                place += step
        step //= 2
    return content


def inputs(mutator: Mutator, seed: int) -> Iterator[bytes]:
    """Yield the files of the corpus, then endless inputs made from them."""
    yield from mutator.corpus
    number = 0
    while True:
        yield mutator.input(seed, number)
        number += 1


def seeded(hunt: Hunt, mutator: Mutator, *, seed: int, runs: int | None, seconds: float) -> None:
    """Try inputs determined by *seed*, up to *runs* or *seconds*."""
    end = time.monotonic() + seconds
    for content in islice(inputs(mutator, seed), runs):
        hunt.try_(content)
        if hunt.over or time.monotonic() > end:
            return
