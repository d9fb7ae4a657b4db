"""Chooses the inputs of a batch by log ID, date, rules, number and sample, in a stable order; reads lists of paths."""

from __future__ import annotations

import hashlib
import heapq
import os
import tempfile
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, BinaryIO, NamedTuple

from jmjp_convert.batch.worker import SKIPPED_PLAYERS
from jmjp_convert.errors import FileError
from jmjp_convert.files import archives
from jmjp_convert.files.archives.entry import Entry, Passed, Refused
from jmjp_convert.files.inputs import STDIN, label, reported
from jmjp_convert.files.temporaries import Identity
from jmjp_convert.model import log_ids, tenhou

_EXCERPT = 40  # characters of a line


_BEFORE = "before --since"
_AFTER = "after --until"
_UNDATED = "no date in its name"
_UNLISTED = "not in --ids"


class Ids:
    """The log IDs to choose: the first of each of *lines*; empty lines and comments are ignored.

    :raises FileError: a line has no log ID.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._texts = set()
        for number, line in enumerate(map(log_ids.without_comment, lines), 1):
            log_id = log_ids.find_id(line)
            if log_id is not None:
                self._texts.add(log_ids.unscrambled(log_id.text))
            elif line:
                raise FileError(f"line {number}: no log ID in {line[:_EXCERPT]!r}")
        self.number = len(self._texts)  # how many there are
        self.missing = self._texts.copy()  # those that no input has had yet

    def has(self, log_id: log_ids.LogId | None) -> bool:
        """Return whether *log_id*, that of an input, is chosen."""
        text = "" if log_id is None else log_ids.unscrambled(log_id.text)
        self.missing.discard(text)
        return text in self._texts


class Selection(NamedTuple):
    """The criteria for choosing inputs."""

    players: int | None = None  # skip logs whose ID shows another number of players, without reading them
    since: str | None = None  # the first day (YYYYMMDD), month or year, as leading digits
    until: str | None = None  # the last one
    limit: int | None = None  # the maximum number of inputs, counted from the first
    sample: int | None = None  # the size of a sample from all sources, the same in every run
    ids: Ids | None = None  # the log IDs, if only logs with these are chosen

    @property
    def bounded(self) -> bool:
        """Whether not all inputs may be chosen that could be."""
        return self.limit is not None or self.sample is not None

    def total(self, number: int | None) -> int | None:
        """Return how many of *number* inputs are chosen at most; ``None`` is unknown."""
        return min((bound for bound in (number, self.limit, self.sample) if bound is not None), default=None)


class Sources:
    """The inputs of a run.

    :param names: paths, and ``-`` for a list of paths.
    :param stdin: that list; it may be read several times.
    """

    def __init__(self, names: Sequence[str], stdin: BinaryIO | None) -> None:
        self._names = names
        self._stdin = stdin
        self.finished: dict[str, None] = {}  # those that have been listed to their ends

    def count(self) -> int | None:
        """Return the approximate number of inputs, as :func:`archives.count`."""
        return archives.count(path for name in self._names for path in self._paths(name))

    def entries(self, max_size: int, without: Container[Identity]) -> Iterator[Entry]:
        """Yield all inputs, as :func:`archives.entries`."""
        for name in self._names:
            for path in self._paths(name):
                for entry in archives.entries(path, max_size, without, listed=name == STDIN):
                    yield entry._replace(origin=name)
            self.finished[name] = None

    def _paths(self, name: str) -> Iterator[str]:
        if name != STDIN:
            yield name
        elif self._stdin is not None:
            self._stdin.seek(0)
            yield from listed(self._stdin)


@contextmanager
def sources(names: Sequence[str], stdin: BinaryIO | None) -> Iterator[Sources]:
    """Provide the inputs that *names* and, with ``-`` among them, *stdin* list.

    :raises FileError: the list cannot be read or stored, or is too long.
    """
    if stdin is None:
        yield Sources(names, None)
        return
    with tempfile.TemporaryFile() as stored:
        spool(stdin, stored)
        yield Sources(names, stored)


class Candidate(NamedTuple):
    """An input, its log ID, and why it is skipped, if it is."""

    entry: Entry
    log_id: log_ids.LogId | None
    passed: str

    @property
    def chosen(self) -> bool:
        """Whether it counts towards a limit or sample."""
        return not self.passed and not isinstance(self.entry.fetch, Refused)


def select(entries: Callable[[], Iterable[Entry]], selection: Selection) -> Iterator[Candidate]:
    """Yield the chosen inputs, and those that are skipped before the limit applies.

    :param entries: returns all inputs each time that it is called.
    """
    chosen: Container[int] | None = None
    if selection.sample is not None:
        numbered = _numbered(entries(), selection)
        ranked = (
            (hashlib.sha256(candidate.entry.name.encode()).digest(), index)
            for index, candidate in numbered
            if index is not None
        )
        chosen = {index for _, index in heapq.nsmallest(selection.sample, ranked)}
    taken = 0
    for index, candidate in _numbered(entries(), selection):
        if index is not None:
            if chosen is not None and index not in chosen:
                continue
            if taken == selection.limit:
                return
            taken += 1
        yield candidate


def _numbered(entries: Iterable[Entry], selection: Selection) -> Iterator[tuple[int | None, Candidate]]:
    """Yield the inputs; those that count towards limit and sample have a number."""
    number = 0
    for entry in entries:
        log_id = log_ids.find_id(entry.name)
        passed = _reason(log_id, selection)
        if isinstance(entry.fetch, Passed):
            passed = entry.fetch.reason
        if isinstance(entry.fetch, Refused) and passed in (_UNDATED, _UNLISTED):
            passed = ""  # an unreadable source may hold any game
        candidate = Candidate(entry, log_id, passed)
        yield (number if candidate.chosen else None), candidate
        number += candidate.chosen


def _reason(log_id: log_ids.LogId | None, selection: Selection) -> str:
    """Return why *selection* skips the log *log_id*, or an empty string if it does not."""
    if selection.ids is not None and not selection.ids.has(log_id):
        return _UNLISTED
    if selection.players is not None and log_id is not None:
        players = tenhou.players(log_id.rules)
        if players != selection.players:
            return SKIPPED_PLAYERS[players]
    if selection.since is None and selection.until is None:
        return ""
    if log_id is None or log_id.date is None:
        return _UNDATED
    if selection.since is not None and log_id.date < selection.since:
        return _BEFORE
    # Only as many digits are compared, so that a whole year or month counts as before its end.
    until = selection.until
    return _AFTER if until is not None and log_id.date[: len(until)] > until else ""


# --- a list of paths on stdin -----------------------------------------------------------------------------------------

_LONGEST_PATH = 1 << 15
"""In bytes. No system takes a longer one: Linux stops at 4,096 bytes, Windows at 32,767 characters."""

_MOST = 1 << 28
"""The maximum size of a list in bytes: more than four million games at 60 bytes a path."""

_PIECE = 1 << 20


def spool(stream: IO[bytes], into: IO[bytes]) -> None:
    """Copy the list *stream* to the file *into*, so that it can be read several times.

    :raises FileError: it cannot be read or stored, or is too long.
    """
    size = 0
    with reported(label(STDIN)):
        while piece := stream.read(_PIECE):
            size += len(piece)
            if size > _MOST:
                raise FileError(f"{label(STDIN)}: larger than {_MOST:,} bytes; name directories or archives instead")
            into.write(piece)


def listed(stream: IO[bytes]) -> Iterator[str]:
    """Yield the paths listed in *stream*, one per line. A line that is too long for a path is cut: it cannot be opened,
    and fails like any other wrong path."""
    within = False  # a line whose beginning was too long
    while piece := stream.readline(_LONGEST_PATH):
        path = os.fsdecode(piece.rstrip(b"\r\n"))
        if path and not within:
            yield path
        within = not piece.endswith(b"\n")
