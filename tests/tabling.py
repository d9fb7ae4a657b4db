"""Run `jmjp tables` in a temporary folder, and read the data set."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from packing import SANMA, game, named, zipped

from jmjp_convert.batch.executor import Workers
from jmjp_convert.cli import main, running
from jmjp_convert.dataset.schema import TABLES

BOOKS = ("failures.jsonl", "summary.json", "ledger.sqlite")
UNKNOWN = "0"

_PARTITION = re.compile(r"year=(\w+)/month=(\w+)/data\.(?:csv|parquet)")

Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture(autouse=True)
def work_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty directory, with threads."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(running, "processes", lambda number: Workers(number, lambda: ThreadPoolExecutor(number)))


def tables(*args: str, code: int = 0, given: bytes = b"") -> Result:
    """Return the result of `jmjp tables` with *args* and *given* on stdin, after checking its exit *code*."""
    result = CliRunner().invoke(main, ["tables", *args], input=given)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    return result


def year(number: int = 12, path: str = "games.zip") -> dict[str, bytes]:
    """Make a zip of games from three months and of unknown date, one with three players; return its members."""
    days = ("20190418", "20190501", "20200101")
    members = {f"{game(index, days[index % 3])}.mjlog": named(index) for index in range(number)}
    members[f"{game(number, days[0])}.xml"] = SANMA
    members["nameless.xml"] = named(number + 1)
    zipped(members, Path(path))
    return members


def files(home: str = "out") -> dict[str, bytes]:
    """Return the contents of all files of a data set by name, but for the bookkeeping."""
    paths = {path.relative_to(home).as_posix(): path for path in Path(home).rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in sorted(paths.items()) if name not in BOOKS}


def parts(home: str = "out") -> Iterator[tuple[str, tuple[str, str], Path]]:
    """Yield each file of a data set with its table, and its year and month, in the order of their names."""
    for table in TABLES:
        for path in sorted(Path(home, table.name).rglob("data.*")):
            match = _PARTITION.fullmatch(path.relative_to(Path(home, table.name)).as_posix())
            assert match, path
            yield table.name, (match[1], match[2]), path


def rows(home: str = "out") -> Rows:
    """Return the rows of a data set, Parquet or CSV, by table, in the order of the files: all values as in CSV."""
    by_table: Rows = {table.name: [] for table in TABLES}
    for table, _, path in parts(home):
        by_table[table] += _parquet(path) if path.suffix == ".parquet" else _csv(path)
    return by_table


def _csv(path: Path) -> list[tuple[Any, ...]]:
    with path.open(encoding="utf-8", newline="") as file:
        _, *lines = csv.reader(file)
    return [tuple(row) for row in lines]


def _parquet(path: Path) -> list[tuple[Any, ...]]:
    import pyarrow.parquet as pq

    columns = pq.ParquetFile(path).read().to_pydict().values()
    return [tuple(map(_text, row)) for row in zip(*columns, strict=True)]


def _text(value: object) -> str:
    """Return *value* as it is in CSV."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
