"""Rows of games in DuckDB, one table for each of the schema."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from jmjp_convert.dataset.rows import rows_of
from jmjp_convert.dataset.schema import TABLES, Row
from jmjp_convert.model import Match

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SQL = {
    "text": "VARCHAR",
    "bool": "BOOLEAN",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "float": "DOUBLE",
    "date": "DATE",
    "time": "TIME",
}
"""The types of columns in SQL."""

_FORM = """FORMAT csv, AUTO_DETECT false, HEADER false, DELIMITER ',', QUOTE '"', ESCAPE '"', NULLSTR ''"""


def database(games: Iterable[tuple[str, Match]], folder: Path) -> DuckDBPyConnection:
    """Return a database in memory with the rows of *games*, each with its key.

    :param folder: for temporary files.
    """
    import duckdb  # not when the tests are collected: what is frozen then, it reports as leaked at the end

    rows_of_table: dict[str, list[Row]] = {table.name: [] for table in TABLES}
    for key, match in games:
        for name, rows in rows_of(match, key).items():
            rows_of_table[name] += rows
    connection = duckdb.connect()
    for table in TABLES:
        columns = ", ".join(f"{column.name} {_SQL[column.type]}" for column in table.columns)
        connection.execute(f"CREATE TABLE {table.name} ({columns})")
        path = folder / f"{table.name}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows_of_table[table.name])
        connection.execute(f"COPY {table.name} FROM '{path}' ({_FORM})")
    return connection
