"""The destination of a data set: a directory for each table, with a file for each month, written at the end of a run.

Until then the rows of all new matches are staged. A month with new matches is written again as a whole, its matches in
the order of their keys: the files depend on the matches alone, not on the runs or workers that added them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from jmjp_convert.batch.destination import Destination, difference, unchanged
from jmjp_convert.batch.ledger import Ledger, Output
from jmjp_convert.batch.worker import OutputError, Staged, unique
from jmjp_convert.dataset.index import NO_DATE, DamagedError, File, Index, Range, section, together
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

    def open(self, *, aside: bool = True, thorough: bool = False) -> tuple[Ledger, str | None]:
        """Open the ledger, and the tables of the data set in it."""
        ledger, notice = super().open(aside=aside, thorough=thorough)
        self._index = Index(ledger)
        return ledger, notice

    def check(self, ledger: Ledger) -> int:  # noqa: ARG002 - the index is in it
        """Record the months with missing or changed files, and return the number of inputs lost."""
        lost, harmed = 0, set()
        for file in self._index.files():
            if file.month not in harmed and not self._is_unchanged(file):
                harmed.add(file.month)
                lost += self._index.lose_month(file.month)
        return lost

    def _is_unchanged(self, file: File) -> bool:
        """Return whether *file* is there and unchanged: by size and time, or by content if only the time differs."""
        mtime = unchanged(self._path_of(file), file.size, file.mtime, file.sha256)
        if mtime is not None and mtime != file.mtime:
            self._index.touch(file.name, mtime)
        return mtime is not None

    def _path_of(self, file: File) -> Path:
        """Return where *file* is: staged, or in place if the last run stopped right after moving it there."""
        staged = self.staging / file.staged
        return staged if file.staged and staged.exists() else self.output / file.name

    def _begin(self, ledger: Ledger) -> None:
        self._put([file for file in self._index.files() if file.staged])
        ledger.commit()
        if self.force:
            self._index.clear()

    def _kept(self, ledger: Ledger) -> set[str]:
        return ledger.segments() | {file.staged for file in self._index.files()}

    def add(self, ledger: Ledger, output: Output) -> None:
        """Record an output and its matches."""
        super().add(ledger, output)
        self._index.add(output)

    def unrecorded(self, ledger: Ledger, name: str, staged: Staged) -> Staged | None:  # noqa: ARG002 - as above
        """Return ``None``: matches are nowhere but in the ledger."""
        return None

    # --- the end of a run ---

    def finish(self, ledger: Ledger) -> None:
        """Write the months that have changed."""
        with reported(self.output, OutputError):
            for month in self._index.stale():
                self._write(ledger, month)
                self._changed = True
        ledger.forget_segments()
        ledger.commit()
        self._rows = self._index.rows()

    def _write(self, ledger: Ledger, month: str) -> None:
        """Write the files of *month*: all are staged, then recorded in the ledger, then moved into place.

        :raises OutputError: their sources are damaged, or a foreign file is in the way.
        :raises OSError: they cannot be written.
        """
        self._check_earlier(ledger, month)
        files: list[File] = []
        resized: dict[str, list[Range]] = {}
        try:
            for nth, (table, rows) in enumerate(zip(TABLES, self._index.totals(month), strict=False)):
                if rows or self.form.empty:
                    files.append(self._staged(month, nth, table, rows, resized))
            durability.sync([self.staging / file.staged for file in files], [self.staging], self.home)
            self._check_free(files)
        except DamagedError as error:
            self._index.lose_segment(error.segment)
            ledger.commit()
            raise OutputError(f"{self.staging / error.segment} is damaged") from error
        self._index.written(month, files, resized)
        ledger.commit()
        self._put(files)
        ledger.commit()

    def _check_earlier(self, ledger: Ledger, month: str) -> None:
        """Check the content of the files of *month*, since it is copied."""
        for file in self._index.files(month):
            path = self.output / file.name
            if problem := difference(path, file.size, file.sha256):
                self._index.lose_month(month)
                ledger.commit()
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
                piece = form.part(loaded(match.segment), where.start, where.size)
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

    def number(self, ledger: Ledger) -> int:
        """Return the number of files."""
        return len(Index(ledger).files())

    def compared(self, ledger: Ledger) -> Iterator[tuple[str, str]]:
        """Read all files, and yield the name of each, and how it differs from the ledger, if it does."""
        for file in Index(ledger).files():
            yield file.name, difference(self._path_of(file), file.size, file.sha256)

    def lose(self, ledger: Ledger, name: str) -> int:
        """Record that the month of the file *name* is lost."""
        index = Index(ledger)
        return index.lose_month(index.month_of(name))


def _partition(month: str) -> str:
    """Return the directory of *month* below a table's."""
    year, _, number = month.partition("-") if month != NO_DATE else ("0", "", "0")
    # All readers see numbers here, unlike in 05; pandas cannot read the usual __HIVE_DEFAULT_PARTITION__.
    return f"year={year}/month={int(number)}"
