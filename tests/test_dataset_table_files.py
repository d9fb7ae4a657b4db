"""The forms of a data set's tables, and the segments in which rows are staged."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterator, Sequence
from datetime import date, time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmjp_convert.dataset.destination import DamagedError, joined, section
from jmjp_convert.dataset.schema import Column, DataTable
from jmjp_convert.dataset.table_files import Csv, Form, Parquet

pytest.importorskip("pyarrow", reason="pip install '.[tables]' in the checkout")

TYPES = {
    "text": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=5),
    "bool": st.booleans(),
    "int16": st.integers(-(2**15), 2**15 - 1),
    "int32": st.integers(-(2**31), 2**31 - 1),
    "int64": st.integers(-(2**63), 2**63 - 1),
    "float": st.floats(allow_nan=False, allow_infinity=False),
    "date": st.dates(date(1900, 1, 1)),
    "time": st.times().map(lambda one: one.replace(microsecond=0)),
}
TABLE = DataTable(
    "every",
    "A row with a value of each type.",
    ("match_id",),
    (Column("match_id", "text", "The key."), *(Column(name, name, "A value.", null="unknown") for name in TYPES)),
)
ROWS = st.lists(st.tuples(st.just("key"), *(st.none() | values for values in TYPES.values())), max_size=6)
FORMS = [Csv(), Csv(raw=True), Parquet()]

forms = pytest.mark.parametrize("form", FORMS, ids=["csv", "raw csv", "parquet"])


@pytest.fixture(autouse=True)
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few rows be several row groups."""
    monkeypatch.setattr("jmjp_convert.dataset.table_files._GROUP", 3)
    monkeypatch.setattr("jmjp_convert.dataset.table_files._BATCH", 2)


def loaded(form: Form, rows: Sequence[Any]) -> Any:
    """Return *rows* as a piece."""
    return form.loaded(form.dumped(TABLE, [form.made(TABLE, rows)]))


def written(form: Form, path: Path, pieces: Iterator[Any]) -> bytes:
    """Return the content of a file with *pieces*."""
    form.write(path, TABLE, pieces)
    return path.read_bytes()


@forms
@given(matches=st.lists(ROWS, min_size=1, max_size=4))
def test_merged(form: Form, matches: list[Any]) -> None:
    """A file has the same bytes whether its rows come from one segment, from several or from an earlier file."""
    with tempfile.TemporaryDirectory() as folder:
        first, second, third = (Path(folder, name) for name in "abc")
        whole = written(form, first, iter([loaded(form, [row for rows in matches for row in rows])]))
        made = [form.made(TABLE, rows) for rows in matches]
        together = form.loaded(form.dumped(TABLE, made))
        starts = [sum(map(len, made[:number])) for number in range(len(made))]
        pieces = (together[start : start + len(rows)] for start, rows in zip(starts, made, strict=True))
        assert written(form, second, pieces) == whole
        earlier = form.earlier(first, TABLE)
        pieces = (earlier.read(len(rows)) for rows in made if len(rows))
        assert written(form, third, pieces) == whole
        earlier.close()


@given(rows=ROWS)
def test_forms_agree(rows: list[Any]) -> None:
    """CSV has the values of Parquet, and Parquet those of the rows."""
    columns = loaded(Parquet(), rows).to_pydict()
    assert list(zip(*columns.values(), strict=True)) == rows
    lines = _read(loaded(Csv(raw=True), rows).decode())
    assert [tuple(line) for line in lines] == [tuple(map(_spelled, row)) for row in rows]


def _spelled(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else value.isoformat() if isinstance(value, time) else str(value)


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201"]


@pytest.mark.parametrize("text", FORMULAS)
def test_formula(text: str) -> None:
    """An apostrophe keeps spreadsheets from taking a text of CSV for a formula, a key too, but no number gets one."""
    row = (text, text, None, -1, None, None, -41.0, None, None)
    guarded, raw = (loaded(form, [row]).decode() for form in (Csv(), Csv(raw=True)))
    assert list(_read(raw)) == [[text, text, "", "-1", "", "", "-41.0", "", ""]]
    assert list(_read(guarded)) == [[f"'{text}", f"'{text}", "", "-1", "", "", "-41.0", "", ""]]
    assert Csv().with_key(loaded(Csv(), [("key", *row[1:])]), text).decode() == guarded
    assert loaded(Parquet(), [row]).to_pylist()[0]["text"] == text


def _read(lines: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(lines, newline=""))


@forms
@given(rows=ROWS)
def test_with_key(form: Form, rows: list[Any]) -> None:
    """The rows of a match with another key are those that it would have had with that key from the start."""
    piece = form.with_key(loaded(form, rows), "other~12345678")
    expected = loaded(form, [("other~12345678", *row[1:]) for row in rows])
    assert piece.equals(expected) if isinstance(form, Parquet) else piece == expected


def test_segment(tmp_path: Path) -> None:
    """A section of a segment is read alone; anything else than what was written is noticed."""
    path = tmp_path / "segment"
    sections = [b"", b"one", b"", b"three" * 100]
    content = joined(sections)
    path.write_bytes(content)
    assert [section(path, index, 4) for index in range(4)] == sections
    for harmed in (content[:-1], content[:-1] + b"x", content[:20], b""):
        path.write_bytes(harmed)
        with pytest.raises(DamagedError):
            section(path, 3, 4)
    path.unlink()
    with pytest.raises(DamagedError):
        section(path, 3, 4)
