"""Counts what a fetch run fetched, what failed, and why it stopped."""

from __future__ import annotations

from typing import NamedTuple

from jmjp_convert.fetch.state import StoppedError
from jmjp_convert.fetch.web import UnreachableError

IN_A_ROW = 3
"""This many requests in a row without a response end a run."""

MISSING, FETCH, CONVERT, INPUT = "missing", "fetch", "convert", "input"
"""Kinds of failures: no such log; fetching failed; conversion failed; invalid input."""


class Failure(NamedTuple):
    """A failure.

    :ivar what: what failed: a log ID, page or input.
    :ivar kind: one of the kinds above.
    :ivar since: the day since when a log is missing.
    :ivar next_try: the day from which it is asked for again.
    """

    what: str
    kind: str
    message: str
    since: str | None = None
    next_try: str | None = None


class Tally:
    """A run over files on a server.

    :ivar fetched: how many were fetched.
    :ivar there: how many were already there.
    :ivar failures: the failures.
    :ivar stopped: why the run stopped early, or empty.
    :param noun: what to call the files in messages.
    """

    def __init__(self, noun: str) -> None:
        self.fetched = self.there = 0
        self.failures: list[Failure] = []
        self.stopped = ""
        self._noun = noun
        self._unanswered = 0  # requests in a row, up to the last one

    def _fail(self, what: str, kind: str, message: str) -> None:
        self.failures.append(Failure(what, kind, message))

    def _count_unanswered(self, before: int, error: UnreachableError) -> None:
        """Count a request without a response, after *before* such requests in a row.

        :raises StoppedError: there are too many in a row.
        """
        self._unanswered = before + 1
        if self._unanswered == IN_A_ROW:
            raise StoppedError(f"no response for {IN_A_ROW} {self._noun} in a row") from error
