"""An entry of an archive: its name and the location of its bytes; and how long archives may take to list."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

from jmjp_convert.errors import reason
from jmjp_convert.files.inputs import describe


class File(NamedTuple):
    """A file on disk."""

    path: str


class Zipped(NamedTuple):
    """A member of a zip: its local header is at *offset*, followed by *size* bytes, which *method* decompresses to
    *length* bytes with this *checksum*."""

    path: str
    offset: int
    method: int
    size: int
    length: int
    checksum: int


class DatabaseRow(NamedTuple):
    """The content of the row *key* in a database."""

    path: str
    key: str | bytes | float
    size: int


class InMemory(NamedTuple):
    """Bytes in memory, for archives that can only be read sequentially."""

    content: bytes


class Refused(NamedTuple):
    """No content: it cannot be read for this *reason*; *kind* is the category of the failure."""

    kind: str
    reason: str


class Passed(NamedTuple):
    """No content: it is skipped for this *reason*."""

    reason: str


Fetch = File | Zipped | DatabaseRow | InMemory | Refused | Passed


class Entry(NamedTuple):
    """A named input."""

    source: str  # the file or archive, as given or found
    member: str  # its name in the archive; empty for a file on disk
    stamp: str  # text that changes when the content does, available without reading the content
    fetch: Fetch  # where its bytes are, for any process with access to the same files
    origin: str = ""  # which of the sources of a run it is in

    @property
    def name(self) -> str:
        """Its name without directories, which may contain the log ID."""
        return (self.member or self.source).replace("\\", "/").rsplit("/", 1)[-1]

    @property
    def label(self) -> str:
        """What it is called in messages and JSON."""
        return f"{self.source}: {self.member}" if self.member else self.source


ARCHIVE = "archive"
FILE = "file"
"""Kinds of :class:`Refused` entries: a corrupt archive, an unreadable file."""


def readable(text: str) -> str:
    """Return the name *text* with undecodable bytes escaped."""
    return text.encode("utf-8", "backslashreplace").decode()


def failed(source: str, error: Exception) -> Entry:
    """Return an entry for *source*, whose listing ended with *error*."""
    if isinstance(error, OSError):
        return refused(source, FILE, describe(error))
    return refused(source, "memory" if isinstance(error, MemoryError) else "internal", reason(error, None))


def refused(source: str, kind: str, reason: str) -> Entry:
    """Return an entry for an unreadable *source*."""
    return Entry(source, "", "", Refused(kind, reason))


# --- patience --------------------------------------------------------------------------------------------------------

_SECONDS, _BYTES_PER_SECOND = 30.0, 1 << 20
"""How long an archive may be listed without a file that may be a log, and one second more per so many bytes: slow disks
read ten times as fast."""


class GivenUpError(Exception):
    """An archive takes too long to list."""


class Patience:
    """The time that listing an archive may take until the next file that may be a log.

    Other limits are in proportion to the archive, and end its listing at the same entry on every machine; this one is
    for what they leave, so that one archive never holds up the others for long.
    """

    def __init__(self, size: int) -> None:
        """Create it for an archive of *size* bytes."""
        self._most = _SECONDS + size / _BYTES_PER_SECOND
        self._spent = 0.0
        self._since = time.monotonic()

    def check(self) -> None:
        """Check that it is not over; called for each step of listing.

        :raises GivenUpError: it is.
        """
        if self._spent + time.monotonic() - self._since > self._most:
            raise GivenUpError(f"given up after {self._most:,.0f} seconds without a file that may be a log")

    def watched(self, entries: Iterator[Entry], source: str) -> Iterator[Entry]:
        """Yield *entries*, those of *source*, while it is not over. The time between them does not count."""
        while True:
            self._since = time.monotonic()
            try:
                self.check()
                entry = next(entries, None)
            except GivenUpError as error:
                yield refused(source, ARCHIVE, str(error))
                return
            if entry is None:
                return
            self._spent += time.monotonic() - self._since
            if not isinstance(entry.fetch, Passed | Refused):
                self._spent = 0.0
            yield entry
