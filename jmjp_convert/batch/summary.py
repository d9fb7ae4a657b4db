"""Counts the results of a batch, and writes its list of failures."""

from __future__ import annotations

import json
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from jmjp_convert.batch.worker import Failure, OutputError, unique
from jmjp_convert.files import durability
from jmjp_convert.files.archives.entry import Entry
from jmjp_convert.files.inputs import reported
from jmjp_convert.formats import readable

_NOUNS = {
    "a file of a data set": ("file of a data set", "files of data sets"),
    "a page of jmjp": ("page of jmjp", "pages of jmjp"),
    "a file of version control": ("version control file", "version control files"),
    "a readme": ("readme", "readmes"),
    "a file of another kind": ("file of another kind", "files of other kinds"),
    "a file of the operating system": ("file of the operating system", "files of the operating system"),
    "a file that batch wrote": ("file that batch wrote", "files that batch wrote"),
    "a list of games, not a game": ("list of games", "lists of games"),
    "archive": ("unreadable archive", "unreadable archives"),
    "crash": ("worker crash", "worker crashes"),
    "duplicates": ("copy", "copies"),
    "exists": ("file in the way", "files in the way"),
    "file": ("unreadable file", "unreadable files"),
    "four players": ("four-player game", "four-player games"),
    "internal": ("internal error", "internal errors"),
    "match": ("inconsistent match", "inconsistent matches"),
    "memory": ("out of memory", "out of memory"),
    "no date in its name": ("with no date in its name", "with no date in their names"),
    "not a regular file": ("special file", "special files"),
    "not-a-log": ("file that is not a log", "files that are not logs"),
    "output": ("game that the format cannot hold", "games that the format cannot hold"),
    "play": ("impossible play", "impossible plays"),
    "three players": ("three-player game", "three-player games"),
    **{format_.name: (f"{format_.name} error", f"{format_.name} errors") for format_ in readable()},
    **{f"{format_.name} already": (f"already {format_.name}", f"already {format_.name}") for format_ in readable()},
}
"""Singular and plural, for people, of reasons to skip an input and of kinds of failures; others are shown as is."""

_LONGEST = 1 << 20  # characters of a summary, or of a failure
_ALIKE = 10  # failures of one source that are the same but for the member; more are counted
_KINDS = 10_000  # different failures of one source that are counted
_LARGEST = 256 << 20  # bytes of a list of failures


class Summary:
    """The counts of a run.

    :ivar with_problems: the number of games converted although they have problems as a whole.
    :ivar lost: the number of earlier outputs that were missing or changed.
    :ivar renamed: the number of outputs with a longer name, because other content with their ID had the usual one.
    :ivar empty: the sources without any game records.
    :ivar has_records: whether there is a game record in any source.
    :ivar stopped: why the run could not continue, or an empty string.
    """

    def __init__(self) -> None:
        self.converted = self.already_there = self.with_problems = self.lost = self.renamed = 0
        self.skipped: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.empty: list[str] = []
        self.has_records = True
        self.interrupted = False
        self.stopped = ""
        self._began = time.monotonic()
        self._seconds: float | None = None

    @property
    def seconds(self) -> float:
        """How long the run took, or has taken so far."""
        return time.monotonic() - self._began if self._seconds is None else self._seconds

    @property
    def ok(self) -> bool:
        """Whether nothing failed, and there were game records."""
        return self.has_records and not self.failed and not self.stopped

    @property
    def games_per_second(self) -> float:
        """How many games were converted per second."""
        return self.converted / self.seconds if self.seconds else 0.0

    def end(self) -> None:
        """Stop the clock."""
        self._seconds = self.seconds

    def values(self) -> dict[str, Any]:
        """Return the summary for JSON."""
        return {
            "converted": self.converted,
            "with_problems": self.with_problems,
            "already_there": self.already_there,
            "lost": self.lost,
            "renamed": self.renamed,
            "skipped": dict(sorted(self.skipped.items())),
            "failed": dict(sorted(self.failed.items())),
            "seconds": round(self.seconds, 3),
            "games_per_second": round(self.games_per_second, 1),
            "interrupted": self.interrupted,
            "stopped": self.stopped or None,
        }

    def lines(self) -> list[str]:
        """Return the summary for people, as lines."""
        problems = f" ({self.with_problems:,} with problems)" if self.with_problems else ""
        parts = [f"{self.converted:,} converted{problems}", f"{self.already_there:,} already there"]
        parts += [counted_by("skipped", self.skipped), counted_by("failed", self.failed)]
        lines = [", ".join(parts)]
        if self.lost:
            were = "earlier output was" if self.lost == 1 else "earlier outputs were"
            lines.append(f"{self.lost:,} {were} missing or changed")
        if self.renamed:
            lines.append(f"{self.renamed:,} renamed, because another game has the same log ID")
        if self.converted:
            rate = f"{self.games_per_second:,.0f}"
            lines.append(f"{rate} {'game' if rate == '1' else 'games'} per second, {self.seconds:,.1f} seconds")
        return lines


def counted_by(word: str, counts: Counter[str]) -> str:
    """Return how many inputs are *word*, such as "skipped", in all and by the reasons in *counts*, for people."""
    each = ", ".join(f"{number:,} {_noun(reason, number)}" for reason, number in sorted(counts.items()))
    return f"{counts.total():,} {word}" + (f" ({each})" if each else "")


def _noun(reason: str, number: int) -> str:
    """Return what *number* inputs skipped or failed for *reason* are called."""
    if reason not in _NOUNS:
        return f"with {reason}" if reason.startswith("no ") else reason
    singular, plural = _NOUNS[reason]
    return singular if number == 1 else plural


def is_summary(path: Path) -> bool:
    """Return whether *path* is the summary of a batch, by its content."""
    return not path.is_symlink() and set(_object_in(path, whole=True) or ()) == set(Summary().values())


def is_unfinished(path: Path) -> bool:
    """Return whether the summary *path* is that of a run that was interrupted, killed or stopped."""
    values = _object_in(path, whole=True) or {}
    return bool(values.get("interrupted") or values.get("stopped"))


def is_list(path: Path) -> bool:
    """Return whether *path* is the list of failures of a batch, by its content."""
    if path.is_symlink():
        return False
    return (
        set(_object_in(path, whole=False) or ()) == {"source", "member", "log_id", *Failure._fields, "times"}
        or not path.stat().st_size
    )


def _object_in(path: Path, *, whole: bool) -> dict[str, Any] | None:
    """Return the JSON object in the file *path*, or in its first line."""
    try:
        if not path.is_file():
            return None
        with path.open(encoding="utf-8") as file:
            document = json.loads(file.read(_LONGEST) if whole else file.readline(_LONGEST))
    except (OSError, ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


class Failures:
    """The list of failures of a run, moved into place when it is kept.

    Whatever is in a source, the list stays small: many failures of one source that are the same are counted, and what
    does not fit into a list of the largest size is not listed.

    :param path: its final path.
    :param staging: a directory on the same file system.
    :raises OutputError: it cannot be written.
    """

    def __init__(self, path: Path, staging: Path) -> None:
        self._path = path
        self._temporary = staging / unique("failures")
        with reported(path, OutputError):
            self._file: TextIO = self._temporary.open("w", encoding="utf-8", newline="\n")
        self._source = ""
        self._times: Counter[Failure] = Counter()  # in the current source
        self._last: dict[Failure, tuple[str | None, str | None]] = {}  # the member and log ID
        self._size = self._unlisted = 0

    def add(self, entry: Entry, log_id: str | None, failure: Failure) -> None:
        """Add the *failure* of *entry*.

        :raises OSError: it cannot be written.
        """
        if entry.source != self._source:
            self._count_alike()
            self._source = entry.source
        if failure in self._times or len(self._times) < _KINDS:
            self._times[failure] += 1
            self._last[failure] = entry.member or None, log_id
        if self._times[failure] <= _ALIKE:
            self._list(entry.source or None, entry.member or None, log_id, failure, 1)

    def _count_alike(self) -> None:
        """List how many more failures of the current source were like those listed."""
        for failure, times in self._times.items():
            if times > _ALIKE:
                member, log_id = self._last[failure] if times == _ALIKE + 1 else (None, None)
                self._list(self._source or None, member, log_id, failure, times - _ALIKE)
        self._times.clear()
        self._last.clear()

    def _list(self, source: str | None, member: str | None, log_id: str | None, failure: Failure, times: int) -> None:
        values = {"source": source, "member": member, "log_id": log_id, **failure._asdict(), "times": times}
        line = json.dumps(values, ensure_ascii=False) + "\n"
        size = len(line.encode("utf-8", "surrogatepass"))
        if self._unlisted or self._size + size > _LARGEST:
            self._unlisted += times
            return
        self._size += size
        self._file.write(line)

    def keep(self) -> None:
        """Move the file into place, on disk.

        :raises OSError: it cannot be written.
        """
        self._count_alike()
        if unlisted := self._unlisted:
            self._unlisted = self._size = 0  # there is always room for this line
            more = "1 more failure is" if unlisted == 1 else f"{unlisted:,} more failures are"
            self._list(None, None, None, Failure("unlisted", f"{more} not listed"), unlisted)
        self._file.close()
        durability.replace(self._temporary, self._path)

    def close(self) -> None:
        """Close the file, and remove it unless it was kept."""
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self._temporary.unlink()
