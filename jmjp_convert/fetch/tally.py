"""Counts what a fetch run did: fetched, failed, why it stopped."""

from __future__ import annotations

from typing import NamedTuple

from jmjp_convert.fetch.state import StoppedError
from jmjp_convert.fetch.web import UnreachableError

IN_A_ROW = 3
"""So many requests in a row that the server does not answer end a run."""

MISSING, FETCH, CONVERT, INPUT = "missing", "fetch", "convert", "input"
"""Kinds of failures: there is no such log; it could not be fetched; not converted; what was given is none."""


class Failure(NamedTuple):
    """What failed: *what*, a log's id or something given in its place; its *kind*, and a *message*."""

    what: str
    kind: str
    message: str


class Tally:
    """A run over files of a server.

    :ivar fetched: how many have been fetched.
    :ivar there: how many were there already.
    :ivar failures: what failed.
    :ivar stopped: why the run could not go on, if it could not.
    :param noun: what the files are called.
    """

    def __init__(self, noun: str) -> None:
        self.fetched = self.there = 0
        self.failures: list[Failure] = []
        self.stopped = ""
        self._noun = noun
        self._unanswered = 0  # requests, up to the last one

    def _fail(self, what: str, kind: str, message: str) -> None:
        self.failures.append(Failure(what, kind, message))

    def _count_unanswered(self, before: int, error: UnreachableError) -> None:
        """Count a request without an answer, after so many *before* it.

        :raises StoppedError: it is one too many.
        """
        self._unanswered = before + 1
        if self._unanswered == IN_A_ROW:
            raise StoppedError(f"no response for {IN_A_ROW} {self._noun} in a row") from error
