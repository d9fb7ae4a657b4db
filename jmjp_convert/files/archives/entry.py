"""An entry of an archive: its name, and where its bytes are."""

from __future__ import annotations

from typing import NamedTuple


class File(NamedTuple):
    """A file of its own."""

    path: str


class Zipped(NamedTuple):
    """A member of a zip: its local header is at *offset*, and *size* bytes of it are stored by *method*."""

    path: str
    offset: int
    method: int
    size: int
    checksum: int


class Row(NamedTuple):
    """A value in a database: *query* finds it by *key*."""

    path: str
    query: str
    key: str | bytes | int
    size: int


class Held(NamedTuple):
    """Bytes that are at hand: those of what can only be read from its beginning to its end."""

    content: bytes


class Refused(NamedTuple):
    """Nothing: it cannot be read, for this *reason*; *kind* is a word for all such."""

    kind: str
    reason: str


class Passed(NamedTuple):
    """Nothing: it is passed over, for this *reason*."""

    reason: str


Fetch = File | Zipped | Row | Held | Refused | Passed


class Entry(NamedTuple):
    """A named input.

    :ivar source: the file or archive, as it was told or found.
    :ivar member: what it is called in the archive; empty for a file of its own.
    :ivar stamp: something that changes when the content does, to be had without reading it.
    :ivar fetch: where its bytes are found, by any process that sees the same files.
    """

    source: str
    member: str
    stamp: str
    fetch: Fetch

    @property
    def name(self) -> str:
        """What it is called, without directories: this may hold its log's id."""
        return (self.member or self.source).replace("\\", "/").rsplit("/", 1)[-1]


ARCHIVE = "archive"
FILE = "file"
"""Kinds of what cannot be read: an archive that is broken, a file that does not open."""


def readable(text: str) -> str:
    """Return *text*, a name that may hold bytes that are no characters, with those written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def refused(source: str, kind: str, reason: str, member: str = "") -> Entry:
    """Return an entry for what cannot be read of *source*."""
    return Entry(source, member, "", Refused(kind, reason))
