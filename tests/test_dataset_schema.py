"""The schema of a data set: names that every tool can take, types that files have, and texts for the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from table_data import database

from jmjp_convert.dataset.schema import TABLES, Table

TYPES = {"text", "bool", "int16", "int32", "int64", "float", "date", "time"}

each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)


@each_table
def test_names(table: Table) -> None:
    """Tables and columns have names in lower case, each once; the match comes first, and the key is made of columns."""
    names = [column.name for column in table.columns]
    assert [name for name in (table.name, *names) if not re.fullmatch("[a-z]+(?:_[a-z]+)*", name)] == []
    assert len(set(names)) == len(names)
    assert names[0] == "match_id"
    assert set(table.key) <= set(names)


@each_table
def test_keys_are_never_null(table: Table) -> None:
    """Columns of a key have a value in every row."""
    assert [column.name for column in table.columns if column.name in table.key and column.null] == []


@each_table
def test_texts(table: Table) -> None:
    """Every column has a known type and a sentence; what follows "null if" is a clause; only numbers have units."""
    for column in table.columns:
        assert column.type in TYPES
        assert re.fullmatch(r"[A-Z0-9`].*[.…]", column.doc), column
        assert re.fullmatch(r"(?:[a-z].*[^.])?", column.null), column
        assert not column.unit or column.type.startswith("int"), column


def test_no_quotes_in_sql(tmp_path: Path) -> None:
    """No name is a reserved word of SQL: every column can be selected without quotes."""
    sql = database([], tmp_path)
    for table in TABLES:
        for column in table.columns:
            query = f"SELECT {column.name} FROM {table.name} WHERE {column.name} IS NULL ORDER BY {column.name}"  # noqa: S608
            assert sql.execute(query).fetchall() == []
