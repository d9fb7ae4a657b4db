"""The index of a data set, in the ledger of its runs: where the rows of each match are, and the digest of each file.

A match is staged in a segment, or in place in the files of its group, the matches of a month. A match that is dropped
but still in the files is left out when they are written again. Everything takes effect when the ledger is committed.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from jmjp_convert.batch.ledger import Ledger, Output
from jmjp_convert.batch.worker import Part

# --- segments: the rows of a chunk of matches that a worker stages, a section for each table --------------------------

_SECTION = struct.Struct("<QI")  # length and CRC-32


class Range(NamedTuple):
    """Where the rows of a match are in the section of a table: in units of the form, and their number."""

    start: int
    size: int
    rows: int


class DamagedError(Exception):
    """A *segment*, a file in the staging directory, is missing or damaged."""

    def __init__(self, segment: str) -> None:
        super().__init__(segment)
        self.segment = segment


def joined(sections: Sequence[bytes]) -> bytes:
    """Return *sections* as one file."""
    heads = b"".join(_SECTION.pack(len(section), zlib.crc32(section)) for section in sections)
    return b"".join((heads, *sections))


def section(path: Path, nth: int, number: int) -> bytes:
    """Return the section at index *nth* of *number* in the file *path*.

    :raises DamagedError: it is missing or damaged.
    :raises OSError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            heads = file.read(number * _SECTION.size)
            if len(heads) < number * _SECTION.size:
                raise DamagedError(path.name)
            sizes = [size for size, _ in _SECTION.iter_unpack(heads)]
            _, checksum = _SECTION.unpack_from(heads, nth * _SECTION.size)
            file.seek(sum(sizes[:nth]), 1)
            content = file.read(sizes[nth])
    except FileNotFoundError:
        raise DamagedError(path.name) from None
    if len(content) != sizes[nth] or zlib.crc32(content) != checksum:
        raise DamagedError(path.name)
    return content


# --- the index --------------------------------------------------------------------------------------------------------

NO_DATE = ""
"""The group of matches whose date is not known."""

_TABLES = (
    """CREATE TABLE IF NOT EXISTS matches (
      month TEXT, key TEXT, segment TEXT, own INTEGER NOT NULL, output TEXT NOT NULL, ranges TEXT NOT NULL,
      PRIMARY KEY (month, key, segment)
    ) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS matches_by_key ON matches (key)",
    "CREATE INDEX IF NOT EXISTS matches_by_output ON matches (output)",
    """CREATE TABLE IF NOT EXISTS files (
      name TEXT PRIMARY KEY, month TEXT NOT NULL, tbl TEXT NOT NULL, staged TEXT NOT NULL, size INTEGER NOT NULL,
      mtime INTEGER NOT NULL, sha256 BLOB NOT NULL, rows INTEGER NOT NULL
    ) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS stale (month TEXT PRIMARY KEY) WITHOUT ROWID",
)
_IN_PLACE = ""  # the segment of a match that is in the files
_DROPPED = "-"  # of one in the files that is left out when they are written again
_LOST = -1  # the size of a file that is missing, changed or obsolete
_SHORT = 8  # hexadecimal digits of a digest that distinguish matches with the same key


class IndexedMatch(NamedTuple):
    """A match, in the order of the files.

    :ivar keyed: whether the key in its rows is its key.
    :ivar segment: where it is staged; a mark if it is in the file.
    :ivar ranges: where its rows are, by table.
    """

    key: str
    keyed: bool
    segment: str
    ranges: Sequence[Range]

    @property
    def dropped(self) -> bool:
        """Whether it is in the files but no longer wanted."""
        return self.segment == _DROPPED

    @property
    def in_place(self) -> bool:
        """Whether it is in the files."""
        return self.segment in (_IN_PLACE, _DROPPED)


class File(NamedTuple):
    """A file of a data set: its *name* below the root, and what it contained when written.

    :ivar staged: its name in the staging directory, unless it is in place.
    """

    name: str
    month: str
    table: str
    staged: str
    size: int
    mtime: int
    sha256: bytes
    rows: int


class Index:
    """The tables of a data set in *ledger*; those missing are created."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._run = ledger.connection.execute
        for statement in _TABLES:
            self._run(statement)

    # --- matches ---

    def add(self, output: Output) -> None:
        """Record the matches of an output, which are staged, replacing those recorded for it before."""
        self._drop(output.name)
        for part in output.staged.parts:
            key = self._free(part, output.digest)
            ranges = json.dumps(part.ranges)
            row = (part.group, key, output.staged.name, key == part.key, output.name, ranges)
            self._run("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?)", row)
            self._mark(part.group)

    def _free(self, part: Part, digest: str) -> str:
        """Return the key of *part*; if another match has it, a longer one, as a batch names files."""
        query = "SELECT 1 FROM matches WHERE key = ? AND segment != ?"
        other = f"{part.key}~{digest[:_SHORT]}"
        further = (f"{other}-{number}" for number in count(2))
        names = chain((part.key, other), further)
        return next(key for key in names if self._run(query, (key, _DROPPED)).fetchone() is None)

    def _drop(self, output: str) -> None:
        """Forget the matches of *output*."""
        for month, segment in self._run("SELECT month, segment FROM matches WHERE output = ?", [output]).fetchall():
            if segment != _DROPPED:
                self._mark(month)
        self._run("DELETE FROM matches WHERE output = ? AND segment NOT IN (?, ?)", (output, _IN_PLACE, _DROPPED))
        self._run("UPDATE matches SET segment = ? WHERE output = ?", (_DROPPED, output))

    def _mark(self, month: str) -> None:
        """Record that the files of *month* must be written."""
        self._run("INSERT OR IGNORE INTO stale VALUES (?)", [month])

    def lose_month(self, month: str) -> int:
        """Record that files of *month* are missing or changed, and return the number of outputs with matches in them,
        which are lost."""
        number = self._lose(month, _IN_PLACE)
        self._run("DELETE FROM matches WHERE month = ? AND segment = ?", (month, _DROPPED))
        self._run("UPDATE files SET size = ?, staged = '' WHERE month = ?", (_LOST, month))
        self._mark(month)
        return number

    def lose_segment(self, segment: str) -> None:
        """Record that *segment* is damaged, and the outputs in it lost."""
        for (month,) in self._run("SELECT DISTINCT month FROM matches WHERE segment = ?", [segment]).fetchall():
            self._lose(month, segment)

    def _lose(self, month: str, segment: str) -> int:
        query = "SELECT DISTINCT output FROM matches WHERE month = ? AND segment = ?"
        outputs = [output for (output,) in self._run(query, (month, segment)).fetchall()]
        for output in outputs:
            self._ledger.lose(output)
            self._drop(output)
        return len(outputs)

    def clear(self) -> None:
        """Forget all matches; the files stay recorded as ours, to be written again or removed."""
        self._run("DELETE FROM matches")
        self._run("INSERT OR IGNORE INTO stale SELECT month FROM files")

    # --- files ---

    def stale(self) -> list[str]:
        """Return the months whose files must be written, in order."""
        return [month for (month,) in self._run("SELECT month FROM stale ORDER BY month")]

    def matches(self, month: str) -> Iterator[IndexedMatch]:
        """Yield the matches of *month*, and those that are dropped, in the order of their keys."""
        query = "SELECT key, own, segment, ranges FROM matches WHERE month = ? ORDER BY key, segment"
        for key, keyed, segment, ranges in self._run(query, [month]):
            yield IndexedMatch(key, bool(keyed), segment, [Range(*where) for where in json.loads(ranges)])

    def totals(self, month: str) -> list[int]:
        """Return the number of rows of *month* in each table; an empty list without matches."""
        kept = (match for match in self.matches(month) if not match.dropped)
        counts = [[where.rows for where in match.ranges] for match in kept]
        return list(map(sum, zip(*counts, strict=True)))

    def files(self, month: str | None = None) -> list[File]:
        """Return the files not known to be missing or changed, of *month* or of all months."""
        query = "SELECT * FROM files WHERE size != ? AND (month = ? OR ?) ORDER BY name"
        return [File(*row) for row in self._run(query, (_LOST, month, month is None))]

    def is_ours(self, name: str) -> bool:
        """Return whether the file *name* is ours, even if it has changed since."""
        return self._run("SELECT 1 FROM files WHERE name = ?", [name]).fetchone() is not None

    def month_of(self, name: str) -> str:
        """Return the month of the file *name*."""
        (month,) = self._run("SELECT month FROM files WHERE name = ?", [name]).fetchone()
        return str(month)

    def written(self, month: str, files: Iterable[File], resized: Mapping[str, Sequence[Range]]) -> None:
        """Record that the matches of *month* are in *files*, which are staged; its other files become obsolete.

        :param resized: the ranges, by key, of the matches whose rows have a new size.
        """
        self._run("DELETE FROM matches WHERE month = ? AND segment = ?", (month, _DROPPED))
        self._run("UPDATE matches SET segment = ?, own = 1 WHERE month = ?", (_IN_PLACE, month))
        for key, ranges in resized.items():
            self._run("UPDATE matches SET ranges = ? WHERE month = ? AND key = ?", (json.dumps(ranges), month, key))
        self._run("UPDATE files SET size = ?, rows = 0 WHERE month = ?", (_LOST, month))
        for file in files:
            self._run("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)", file)
        self._run("DELETE FROM stale WHERE month = ?", [month])

    def obsolete(self) -> list[str]:
        """Return the names of files that no longer belong to any month; they are still ours."""
        query = "SELECT name FROM files WHERE size = ? AND month NOT IN (SELECT month FROM stale) ORDER BY name"
        return [name for (name,) in self._run(query, [_LOST])]

    def put(self) -> None:
        """Record that all files are in place."""
        self._run("UPDATE files SET staged = '' WHERE staged != ''")

    def touch(self, name: str, mtime: int) -> None:
        """Record that the file *name* was last modified at *mtime*, with unchanged content."""
        self._run("UPDATE files SET mtime = ? WHERE name = ?", (mtime, name))

    def rows(self) -> dict[str, int]:
        """Return the number of rows of each table that has files."""
        return dict(self._run("SELECT tbl, sum(rows) FROM files WHERE size != ? GROUP BY tbl", [_LOST]).fetchall())


def together(matches: Iterable[IndexedMatch], nth: int) -> Iterator[tuple[IndexedMatch, Range]]:
    """Yield the *matches* that have rows in the table at index *nth*, and where the rows are. For matches staged next
    to each other, yield the first, and the range of all their rows."""
    before: IndexedMatch | None = None
    start = size = rows = 0
    for match in matches:
        where = match.ranges[nth]
        if not where.size:
            continue
        if before is not None:
            if match.keyed and before.keyed and match.segment == before.segment and where.start == start + size:
                size += where.size
                rows += where.rows
                continue
            yield before, Range(start, size, rows)
        before = None if match.in_place else match
        start, size, rows = where
        if match.in_place:
            yield match, where
    if before is not None:
        yield before, Range(start, size, rows)
