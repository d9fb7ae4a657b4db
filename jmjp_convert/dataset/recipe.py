"""The recipe of ``jmjp tables``: the rows of each match, made by workers."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import Any, NamedTuple

from jmjp_convert.batch.worker import Content, Create, Part, Recipe, Remarks, Staged, format_of, unique
from jmjp_convert.convert import judged
from jmjp_convert.dataset.destination import NO_DATE, Range, joined
from jmjp_convert.dataset.rows import day, rows_of
from jmjp_convert.dataset.schema import TABLES, VERSION
from jmjp_convert.dataset.table_files import Form
from jmjp_convert.formats.reading import Reading, read_content
from jmjp_convert.model import Match, log_ids

_DIGITS = 32  # of a digest that is the key of a match without an ID


class _Made(NamedTuple):
    """A match: its rows in each table, as the form has made them, and their number."""

    group: str
    key: str
    tables: list[Any]
    rows: list[int]


class Games(Recipe):
    """The rows of matches, in a *form*."""

    def __init__(self, form: Form) -> None:
        super().__init__(form.name, "", {"tables": VERSION, "to": form.name, **form.options})  # a match is not a file
        self._form = form

    def other_options(self, before: dict[str, object]) -> str:
        """Return how a data set that was made with the options *before* differs."""
        if before["tables"] != VERSION:
            return f"has version {before['tables']} of the tables; this is version {VERSION}"
        if before["to"] == self._form.name:
            return "was made without --raw" if "raw" in before else "was made with --raw"
        return f"was made with --to {before['to']}"

    def expect(self, content: bytes, name: str) -> None:
        """Check that *content* is a log."""
        format_of(content, name)

    def make(self, source: Content, reading: Reading, remarks: Remarks) -> list[_Made]:
        """Return the rows of the matches of an input."""
        format_of(source.content, source.name)
        loaded = read_content(source.content, source.name, reading, remarks.notices.append)
        matches = judged(loaded, reading, remarks.problems.append)
        return [self._made(match, _key(match, number, source)) for number, match in enumerate(matches, 1)]

    def _made(self, match: Match, key: str) -> _Made:
        rows = list(rows_of(match, key).values())
        date = day(match)
        group = f"{date.year:04}-{date.month:02}" if date else NO_DATE
        return _Made(group, key, list(map(self._form.made, TABLES, rows)), list(map(len, rows)))

    def stage(self, made: Sequence[list[_Made]], create: Create) -> list[Staged]:
        """Write the rows of the matches as a segment."""
        name, starts, staged = unique("segment"), [0] * len(TABLES), []
        for matches in made:
            parts = []
            for match in matches:
                sizes = list(map(len, match.tables))
                parts.append(Part(match.group, match.key, list(map(Range, starts, sizes, match.rows))))
                starts = list(map(add, starts, sizes))
            staged.append(Staged(name, parts=tuple(parts)))
        by_table = list(zip(*(match.tables for matches in made for match in matches), strict=True))
        if by_table:
            create(name, joined(list(map(self._form.dumped, TABLES, by_table))))
        return staged


def _key(match: Match, number: int, source: Content) -> str:
    """Return the key of *match*, the file's match of this *number*: its ID, otherwise a digest of the file."""
    if match.id:
        return match.id
    log_id = log_ids.find_id(source.name)
    base = log_id.text if log_id else source.digest[:_DIGITS]
    return base if number == 1 else f"{base}-{number}"
