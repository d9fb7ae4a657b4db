"""The destination of a data set: a directory for each table, with a file for each month, written at the end of a run.

Until then the rows of all new matches are staged. A month with new matches is written again as a whole, its matches in
the order of their keys: the files depend on the matches alone, not on the runs or workers that added them.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from functools import lru_cache, partial
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

from jmjp_convert.batch.destination import Destination, difference, unchanged
from jmjp_convert.batch.ledger import Ledger, Output
from jmjp_convert.batch.worker import OutputError, Part, Staged, unique
from jmjp_convert.dataset.schema import TABLES, DataTable
from jmjp_convert.dataset.table_files import Form
from jmjp_convert.errors import FileError
from jmjp_convert.files import durability
from jmjp_convert.files.inputs import reported

_LOADED = 32  # sections of segments that stay in memory


class DataSet(Destination):
    """A data set of matches in a directory."""

    def __init__(self, output: Path, form: Form) -> None:
        super().__init__(output)
        self.form = form
        self._index: Index
        self._rows: dict[str, int] | None = None
        self._changed = False

    def report(self) -> list[str]:
        """Return the number of rows of each table, once the run is complete."""
        if self._rows is None:
            return []
        rows = ", ".join(f"{table.name} {self._rows.get(table.name, 0):,}" for table in TABLES)
        return [f"{self.output} {'now has' if self._changed else 'is unchanged, with'} these rows: {rows}"]

    # --- a run ---

    def _check_output(self) -> None:
        for table in TABLES:
            path = self.output / table.name
            if os.path.lexists(path):
                raise FileError(f"{path} exists and is not from this data set; choose another --output or use --force")

    def use(self, ledger: Ledger) -> None:
        """Record the files in *ledger*, too."""
        super().use(ledger)
        self._index = Index(ledger)

    def check(self) -> int:
        """Record the months with missing or changed files, and return the number of inputs lost."""
        lost, harmed = 0, set()
        for file in self._index.files():
            if file.month not in harmed and not self._is_unchanged(file):
                harmed.add(file.month)
                lost += self._index.lose_month(file.month)
        return lost

    def _is_unchanged(self, file: File) -> bool:
        """Return whether *file* is there and unchanged: by size and time, or by content if only the time differs."""
        touch = partial(self._index.touch, file.name)
        return unchanged(self._path_of(file), file.size, file.mtime, file.sha256, touch)

    def _path_of(self, file: File) -> Path:
        """Return where *file* is: staged, or in place if the last run stopped right after moving it there."""
        staged = self.staging / file.staged
        return staged if file.staged and staged.exists() else self.output / file.name

    def _begin(self) -> None:
        self._put([file for file in self._index.files() if file.staged])
        self._records.commit()
        if self.force:
            self._index.clear()

    def _kept(self) -> set[str]:
        return super()._kept() | {file.staged for file in self._index.files()}

    def add(self, output: Output) -> None:
        """Record an output and its matches."""
        super().add(output)
        self._index.add(output)

    def unrecorded(self, name: str, staged: Staged) -> Staged | None:  # noqa: ARG002 - as above
        """Return ``None``: matches are nowhere but in the ledger."""
        return None

    # --- the end of a run ---

    def finish(self) -> None:
        """Write the months that have changed."""
        with reported(self.output, OutputError):
            for month in self._index.stale():
                self._write(month)
                self._changed = True
        self._records.put_all()
        self._records.commit()
        self._rows = self._index.rows()

    def _write(self, month: str) -> None:
        """Write the files of *month*: all are staged, then recorded in the ledger, then moved into place.

        :raises OutputError: their sources are damaged, or a foreign file is in the way.
        :raises OSError: they cannot be written.
        """
        self._check_earlier(month)
        files: list[File] = []
        resized: dict[str, list[Range]] = {}
        try:
            for nth, (table, rows) in enumerate(zip(TABLES, self._index.totals(month), strict=False)):
                if rows or self.form.empty:
                    files.append(self._staged(month, nth, table, rows, resized))
            durability.sync([self.staging / file.staged for file in files], [self.staging], self.home)
            self._check_free(files)
        except DamagedError as error:
            self._index.lose_segment(str(error))
            self._records.commit()
            raise OutputError(f"{self.staging / str(error)} is damaged") from error
        self._index.written(month, files, resized)
        self._records.commit()
        self._put(files)
        self._records.commit()

    def _check_earlier(self, month: str) -> None:
        """Check the content of the files of *month*, since it is copied."""
        for file in self._index.files(month):
            path = self.output / file.name
            if problem := difference(path, file.size, file.sha256):
                self._index.lose_month(month)
                self._records.commit()
                raise OutputError(f"{path}: {problem}")

    def _staged(self, month: str, nth: int, table: DataTable, rows: int, resized: dict[str, list[Range]]) -> File:
        """Stage the file of *table*, the one at index *nth*, for *month*: it has *rows*."""
        staged = unique("table")
        path = self.staging / staged
        with closing(self._pieces(month, nth, table, resized)) as pieces:
            self.form.write(path, table, pieces)
        status = path.stat()
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").digest()
        name = f"{table.name}/{_partition(month)}/{self.form.file_name}"
        return File(name, month, table.name, staged, status.st_size, status.st_mtime_ns, digest, rows)

    def _pieces(self, month: str, nth: int, table: DataTable, resized: dict[str, list[Range]]) -> Generator[Any]:
        """Yield the rows of the matches of *month* in the table at index *nth*.

        :param resized: receives the ranges of the matches whose rows have a new size, by key.
        """
        form = self.form

        @lru_cache(_LOADED)
        def loaded(segment: str) -> Any:
            return form.loaded(section(self.staging / segment, nth, len(TABLES)))

        earlier: Any = None
        with ExitStack() as opened:
            for match, where in together(self._index.matches(month), nth):
                if match.in_place:
                    if earlier is None:
                        path = self.output / table.name / _partition(month) / form.file_name
                        earlier = opened.enter_context(closing(form.earlier(path, table)))
                    piece = earlier.read(where.size)
                    if not match.dropped:
                        yield piece
                    continue
                piece = loaded(match.segment)[where.start : where.start + where.size]
                if not match.keyed:
                    piece = form.with_key(piece, match.key)
                    ranges = resized.setdefault(match.key, [*match.ranges])
                    ranges[nth] = where._replace(size=len(piece))
                yield piece

    def _check_free(self, files: Sequence[File]) -> None:
        """Check that no foreign file is in the way of *files*."""
        for file in files:
            path = self.output / file.name
            may_be_written = self.force or self._index.is_ours(file.name) or not os.path.lexists(path)
            if not may_be_written and difference(path, file.size, file.sha256):
                raise OutputError(f"{path} exists and is not from this data set (--force overwrites it)")

    def _put(self, files: Sequence[File]) -> None:
        """Move *files* into place unless they are there already, and remove obsolete ones."""
        folders: set[Path] = set()
        for file in files:
            path = self.output / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            folders.update(path.relative_to(self.output).parents)
            with suppress(FileNotFoundError):
                (self.staging / file.staged).replace(path)
        for name in self._index.obsolete():
            with suppress(OSError):
                (self.output / name).unlink()
                (self.output / name).parent.rmdir()
        durability.sync_folders([self.output / folder for folder in sorted(folders)])
        self._index.put()

    # --- verifying ---

    def number(self) -> int:
        """Return the number of files."""
        return len(self._index.files())

    def compared(self) -> Iterator[tuple[str, str]]:
        """Read all files, and yield the name of each, and how it differs from the ledger, if it does."""
        for file in self._index.files():
            yield file.name, difference(self._path_of(file), file.size, file.sha256)

    def lose(self, name: str) -> int:
        """Record that the month of the file *name* is lost."""
        return self._index.lose_month(self._index.month_of(name))


def _partition(month: str) -> str:
    """Return the directory of *month* below a table's."""
    year, _, number = month.partition("-") if month != NO_DATE else ("0", "", "0")
    # All readers see numbers here, unlike in 05; pandas cannot read the usual __HIVE_DEFAULT_PARTITION__.
    return f"year={year}/month={int(number)}"


# --- segments: the rows of a chunk of matches that a worker stages, a section for each table --------------------------

_SECTION = struct.Struct("<QI")  # length and CRC-32


class Range(NamedTuple):
    """Where the rows of a match are in the section of a table: in units of the form, and their number."""

    start: int
    size: int
    rows: int


class DamagedError(Exception):
    """A segment, a file in the staging directory, is missing or damaged; the message is its name."""


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
#
# In the ledger of the runs: where the rows of each match are, and the digest of each file. A match is staged in a
# segment, or in place in the files of its group, the matches of a month. A match that is dropped but still in the files
# is left out when they are written again. Everything takes effect when the ledger is committed.

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
    """A match, in the order of the files."""

    key: str
    keyed: bool  # whether the key in its rows is its key
    segment: str  # where it is staged; a mark if it is in the file
    ranges: Sequence[Range]  # where its rows are, by table

    @property
    def dropped(self) -> bool:
        """Whether it is in the files but no longer wanted."""
        return self.segment == _DROPPED

    @property
    def in_place(self) -> bool:
        """Whether it is in the files."""
        return self.segment in (_IN_PLACE, _DROPPED)


class File(NamedTuple):
    """A file of a data set: its *name* below the root, and what it contained when written."""

    name: str
    month: str
    table: str
    staged: str  # its name in the staging directory, unless it is in place
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
