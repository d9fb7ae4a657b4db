"""The recipe of ``jmjp tables``: the rows of each match, made by workers."""

from __future__ import annotations

from typing import Any, NamedTuple

from jmjp_convert.batch.worker import (
    DATA_SET,
    Content,
    Create,
    Maker,
    Part,
    Recipe,
    Remarks,
    Staged,
    format_of,
    other_kind,
    unique,
)
from jmjp_convert.convert import judged
from jmjp_convert.dataset.destination import NO_DATE, Range, joined
from jmjp_convert.dataset.rows import rows_of
from jmjp_convert.dataset.schema import MATCHES, TABLES, VERSION
from jmjp_convert.dataset.table_files import Form
from jmjp_convert.formats.reading import Reading, read_content
from jmjp_convert.model import Match, log_ids

_DATE = [column.name for column in MATCHES.columns].index("date")
_DIGITS = 32  # of a digest that is the key of a match without an ID


class Games(Recipe):
    """The rows of matches, in a *form*."""

    def __init__(self, form: Form) -> None:
        super().__init__(form.name, "", {"tables": VERSION, "to": form.name, **form.options})  # a match is not a file
        self._form = form

    def others(self, before: dict[str, object]) -> str:
        """Return how a data set that was made with the options *before* differs."""
        if other := other_kind(DATA_SET, before):
            return other
        if before["tables"] != VERSION:
            return f"has version {before['tables']} of the tables; this is version {VERSION}"
        if before["to"] == self._form.name:
            return "was made without --raw" if "raw" in before else "was made with --raw"
        return f"was made with --to {before['to']}"

    def expect(self, content: bytes, name: str) -> None:
        """Check that *content* is a log."""
        format_of(content, name)

    def maker(self, reading: Reading, create: Create) -> Maker[list[_Made]]:
        """Return what makes the rows of a chunk."""
        return _Maker(self._form, reading, create)


class _Made(NamedTuple):
    """A match: its rows in each table, as the form has made them, and their number."""

    group: str
    key: str
    tables: list[Any]
    rows: list[int]


class _Maker(Maker[list[_Made]]):
    def __init__(self, form: Form, reading: Reading, create: Create) -> None:
        self._form = form
        self._reading = reading
        self._create = create
        self._name = unique("segment")
        self._tables: list[list[Any]] = [[] for _ in TABLES]
        self._sizes = [0] * len(TABLES)

    def make(self, source: Content, remarks: Remarks) -> list[_Made]:
        """Return the rows of the matches of an input."""
        format_of(source.content, source.name)
        loaded = read_content(source.content, source.name, self._reading, remarks.notices.append)
        matches = judged(loaded, self._reading, remarks.problems.append)
        return [self._made(match, _key(match, number, source)) for number, match in enumerate(matches, 1)]

    def _made(self, match: Match, key: str) -> _Made:
        rows_of_table = rows_of(match, key)
        (row,) = rows_of_table[MATCHES.name]
        date = row[_DATE]
        group = f"{date.year:04}-{date.month:02}" if date else NO_DATE
        each = [rows_of_table[table.name] for table in TABLES]
        tables = [self._form.made(table, rows) for table, rows in zip(TABLES, each, strict=True)]
        return _Made(group, key, tables, list(map(len, each)))

    def stage(self, made: list[_Made]) -> Staged:
        """Add matches to the segment."""
        return Staged(self._name, parts=tuple(map(self._part, made)))

    def _part(self, made: _Made) -> Part:
        ranges = []
        for nth, (rows, number) in enumerate(zip(made.tables, made.rows, strict=True)):
            ranges.append(Range(self._sizes[nth], len(rows), number))
            self._tables[nth].append(rows)
            self._sizes[nth] += len(rows)
        return Part(made.group, made.key, ranges)

    def end(self) -> None:
        """Write the segment."""
        if self._tables[0]:
            pairs = zip(TABLES, self._tables, strict=True)
            self._create(self._name, joined([self._form.dumped(table, made) for table, made in pairs]))


def _key(match: Match, number: int, source: Content) -> str:
    """Return the key of *match*, the file's match of this *number*: its ID, otherwise a digest of the file."""
    if match.id:
        return match.id
    log_id = log_ids.find_id(source.name)
    base = log_id.text if log_id else source.digest[:_DIGITS]
    return base if number == 1 else f"{base}-{number}"
