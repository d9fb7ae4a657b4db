"""Chooses the inputs of a batch by date, rules, number and sample, in a stable order."""

from __future__ import annotations

import hashlib
import heapq
import tempfile
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple

from jmjp_convert.batch.worker import THREE_PLAYERS
from jmjp_convert.files import archives
from jmjp_convert.files.archives.entry import Entry, Passed, Refused
from jmjp_convert.files.inputs import MAX_SIZE
from jmjp_convert.model import log_ids, tenhou

LIST = "-"
"""The source that stands for a list of paths on standard input."""

_BEFORE = "before --since"
_AFTER = "after --until"
_UNDATED = "no date in its name"


class Selection(NamedTuple):
    """What is taken.

    :ivar four_players: pass over what an id says to be of three players, unread.
    :ivar since: the first day, ``YYYYMMDD``, or month or year, as that begins.
    :ivar until: the last one.
    :ivar limit: how many inputs at most, the first.
    :ivar sample: how many inputs at most, from all over the sources: the same ones each time.
    """

    four_players: bool = False
    since: str | None = None
    until: str | None = None
    limit: int | None = None
    sample: int | None = None


class Sources:
    """The inputs of a run.

    :param names: paths, and :data:`LIST`.
    :param stdin: what :data:`LIST` stands for; it may be gone through several times.
    """

    def __init__(self, names: Sequence[str], stdin: BinaryIO | None) -> None:
        self._names = names
        self._stdin = stdin
        self.max_size = MAX_SIZE
        self.without: Container[tuple[int, int]] = ()

    def count(self) -> int | None:
        """Return about how many there are, as :func:`archives.count`."""
        return archives.count(self._paths())

    def entries(self) -> Iterator[Entry]:
        """Yield them all."""
        for path in self._paths():
            yield from archives.entries(path, self.max_size, self.without)

    def _paths(self) -> Iterator[str]:
        for name in self._names:
            if name != LIST:
                yield name
            elif self._stdin is not None:
                self._stdin.seek(0)
                yield from archives.listed(self._stdin)


@contextmanager
def sources(names: Sequence[str], stdin: BinaryIO | None) -> Iterator[Sources]:
    """Have the inputs that *names* and, if :data:`LIST` is among them, *stdin* name."""
    with tempfile.TemporaryFile() as spool:
        if LIST in names and stdin is not None:
            spool.writelines(stdin)
        yield Sources(names, spool)


class Candidate(NamedTuple):
    """An input, its log's id, and why it is passed over, if it is."""

    entry: Entry
    log_id: log_ids.LogId | None
    passed: str


def select(
    entries: Callable[[], Iterator[Entry]], selection: Selection, stopped: Callable[[], bool]
) -> Iterator[Candidate]:
    """Yield the inputs that are taken, and those that are passed over before their number is limited.

    :param entries: yields all inputs, each time that it is called.
    :param stopped: whether to end here.
    """
    chosen: Container[int] | None = None
    if selection.sample is not None:
        ranked = ((_rank(candidate.entry), index) for index, candidate in _taken(entries(), selection, stopped))
        chosen = {index for _, index in heapq.nsmallest(selection.sample, ranked)}
    taken = 0
    for index, candidate in _numbered(entries(), selection, stopped):
        if index is not None:
            if chosen is not None and index not in chosen:
                continue
            if taken == selection.limit:
                return
            taken += 1
        yield candidate


def _taken(
    entries: Iterator[Entry], selection: Selection, stopped: Callable[[], bool]
) -> Iterator[tuple[int, Candidate]]:
    for index, candidate in _numbered(entries, selection, stopped):
        if index is not None:
            yield index, candidate


def _numbered(
    entries: Iterator[Entry], selection: Selection, stopped: Callable[[], bool]
) -> Iterator[tuple[int | None, Candidate]]:
    """Yield the inputs, those that count with a number."""
    number = 0
    for entry in entries:
        if stopped():
            return
        log_id = log_ids.find_id(entry.name)
        passed = _reason(log_id, selection)
        if isinstance(entry.fetch, Passed):
            passed = entry.fetch.reason
        counts = not passed and not isinstance(entry.fetch, Refused)
        yield (number if counts else None), Candidate(entry, log_id, passed)
        number += counts


def _reason(log_id: log_ids.LogId | None, selection: Selection) -> str:
    """Return why *selection* leaves the log *log_id* out, nothing if it does not."""
    if selection.four_players and log_id is not None and tenhou.is_three_player(log_id.rules):
        return THREE_PLAYERS
    if selection.since is None and selection.until is None:
        return ""
    if log_id is None or log_id.date is None:
        return _UNDATED
    if selection.since is not None and log_id.date < selection.since:
        return _BEFORE
    # So that all of a year or month is before its end.
    until = selection.until
    return _AFTER if until is not None and log_id.date[: len(until)] > until else ""


def _rank(entry: Entry) -> bytes:
    return hashlib.sha256(entry.name.encode()).digest()
