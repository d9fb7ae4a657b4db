"""`jmjp tables`: data sets of many games."""

from __future__ import annotations

import json
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from pkgutil import resolve_name

import pytest
from batching import dask_cluster, power_cut, verify
from packing import OTHER, PLAIN, game, named, zipped
from tabling import (
    UNKNOWN,
    files,
    parts,
    rows,
    tables,
    work_there,  # noqa: F401 - pytest finds it by its name
    year,
)

from jmjp_convert import read
from jmjp_convert.batch.executor import Workers
from jmjp_convert.cli import running
from jmjp_convert.dataset.rows import rows_of
from jmjp_convert.dataset.schema import TABLES
from jmjp_convert.formats.json.writer import write_json

pytest.importorskip("pyarrow", reason="pip install '.[tables]' in the checkout")

forms = pytest.mark.parametrize("form", ["parquet", "csv"])


# --- rows -------------------------------------------------------------------------------------------------------------


@forms
def test_all_rows(form: str) -> None:
    """The rows of all months are those of all games, each once, with the key of their match."""
    members = year()
    tables("games.zip", "-o", "out", "--to", form)
    rows_of_table = rows()
    expected = {table.name: 0 for table in TABLES}
    for name, content in members.items():
        (match,) = read(content, file_name=name)
        key = match.id or sha256(content).hexdigest()[:32]
        for table, made in rows_of(match, key).items():
            expected[table] += len(made)
            assert sum(row[0] == key for row in rows_of_table[table]) == len(made)
    assert {table: len(made) for table, made in rows_of_table.items()} == expected


def test_forms_agree() -> None:
    """CSV and Parquet have the same rows in the same order."""
    year()
    tables("games.zip", "-o", "out")
    tables("games.zip", "-o", "csv", "--to", "csv")
    assert rows() == rows("csv")


def test_months() -> None:
    """Each table has a file for each month, and one for the games whose date is not known."""
    year()
    tables("games.zip", "-o", "out")
    months = [("2019", "4"), ("2019", "5"), ("2020", "1"), (UNKNOWN, UNKNOWN)]
    assert {(table, month) for table, month, _ in parts()} == {
        (table_.name, month) for table_ in TABLES for month in months
    }
    for (table, (number, month), _), made in zip(parts(), map(_table, parts()), strict=True):
        if table == "matches":
            dates = {str(date) for date in made["date"]}
            assert {date[:7] for date in dates} == ({f"{number}-{int(month):02}"} if number != UNKNOWN else {"None"})


def _table(part: tuple[str, tuple[str, str], Path]) -> dict[str, list[object]]:
    import pyarrow.parquet as pq

    columns: dict[str, list[object]] = pq.ParquetFile(part[2]).read().to_pydict()
    return columns


def test_types() -> None:
    """The columns of Parquet have the names and types of the schema; what is never null is marked."""
    import pyarrow.parquet as pq

    year(1)
    tables("games.zip", "-o", "out")
    names = {"text": "string", "float": "double", "date": "date32[day]", "time": "time32[ms]"}
    for table in TABLES:
        schema = pq.read_schema(Path("out", table.name, f"year={UNKNOWN}", f"month={UNKNOWN}", "data.parquet"))
        assert [(field.name, str(field.type), field.nullable) for field in schema] == [
            (column.name, names.get(column.type, column.type), bool(column.null)) for column in table.columns
        ]


def test_other_readers() -> None:
    """DuckDB and pyarrow, which pandas uses, read the months as numbers."""
    import pyarrow.parquet as pq

    duckdb = pytest.importorskip("duckdb")
    year()
    tables("games.zip", "-o", "out")
    tables("games.zip", "-o", "csv", "--to", "csv")
    for home, kind in (("out", "parquet"), ("csv", "csv")):
        query = f"SELECT year, month, count(*) FROM '{home}/matches/**/*.{kind}' GROUP BY ALL ORDER BY ALL"  # noqa: S608
        assert duckdb.sql(query).fetchall() == [(0, 0, 1), (2019, 4, 5), (2019, 5, 4), (2020, 1, 4)]
    months = pq.read_table("out/matches", columns=["year", "month"]).unify_dictionaries().to_pylist()
    assert {(row["year"], row["month"]) for row in months} == {(0, 0), (2019, 4), (2019, 5), (2020, 1)}


# --- keys -------------------------------------------------------------------------------------------------------------


@forms
def test_same_id(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of games with the same ID, a copy is skipped, and another one has a longer key in all its rows; these rows are
    kept when the month is written again."""
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS_PER_CHUNK", 2)
    zipped({f"{game(1)}.xml": named(1), f"b/{game(1)}.xml": named(1), f"c/{game(1)}.xml": named(2)}, Path("a.zip"))
    said = tables("a.zip", "-o", "out", "--to", form).stderr
    assert "2 converted, 0 already there, 1 skipped (1 copy), 0 failed\n" in said
    longer = f"{game(1)}~{sha256(named(2)).hexdigest()[:8]}"
    before = rows()
    for made in before.values():
        assert {row[0] for row in made} <= {game(1), longer}
        assert sum(row[0] == longer for row in made) == sum(row[0] == game(1) for row in made)
    zipped({f"{game(index)}.xml": named(index) for index in (0, 2)}, Path("b.zip"))
    tables("a.zip", "b.zip", "-o", "out", "--to", form)
    after = rows()
    assert {name: [row for row in made if row[0] in (game(1), longer)] for name, made in after.items()} == before
    tables("a.zip", "b.zip", "-o", "again", "--to", form)
    assert files() == files("again")


def test_several_matches() -> None:
    """The matches of one file are in the months of their dates; those without an ID are numbered."""
    text = "".join(write_json(read(named(index), file_name=game(index, day))[0]) for index, day in enumerate(DAYS))
    text += write_json(read(OTHER)[0]) + write_json(read(PLAIN)[0])
    Path("games.jsonl").write_text(text, encoding="utf-8")
    tables("games.jsonl", "-o", "out")
    digest = sha256(text.encode()).hexdigest()[:32]
    ids = {(month, row["match_id"][number]) for _, month, row, number in _matches()}
    assert ids == {
        (("2019", "4"), game(0, DAYS[0])),
        (("2020", "1"), game(1, DAYS[1])),
        ((UNKNOWN, UNKNOWN), f"{digest}-3"),
        ((UNKNOWN, UNKNOWN), f"{digest}-4"),
    }
    Path("out/matches/year=2019/month=4/data.parquet").unlink()
    assert "1 converted" in tables("games.jsonl", "-o", "out").stderr
    tables("games.jsonl", "-o", "again")
    assert files() == files("again")


DAYS = ("20190418", "20200101")


def _matches() -> list[tuple[str, tuple[str, str], dict[str, list[object]], int]]:
    read = [(*part[:2], _table(part)) for part in parts() if part[0] == "matches"]
    return [(*each, number) for each in read for number in range(len(each[2]["match_id"]))]


# --- runs -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "value", "why"),
    [
        ("frames", 1 << 20, "matches: a value of frames is not a valid int16"),
        ("players", None, "matches: players is missing"),
        ("log_id", "\ud800", "matches: a value of log_id is not a valid string"),
    ],
)
def test_strange_value(column: str, value: object, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that its column cannot have is a failure of its game alone."""
    year(3)
    index = [one.name for one in TABLES[0].columns].index(column)

    def strange(match: object, key: str) -> dict[str, list[tuple[object, ...]]]:
        rows_ = rows_of(match, key)  # type: ignore[arg-type]
        if key == game(1, "20190501"):
            row = list(rows_["matches"][0])
            row[index] = value
            rows_["matches"] = [tuple(row)]
        return rows_

    monkeypatch.setattr("jmjp_convert.dataset.recipe.rows_of", strange)
    said = tables("games.zip", "-o", "out", code=1).stderr
    assert "4 converted, 0 already there, 0 skipped, 1 failed (1 game that the format cannot hold)" in said
    assert json.loads(Path("out/failures.jsonl").read_text(encoding="utf-8"))["message"] == why


def test_damaged_segment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was staged by an interrupted run and damaged since is read again."""
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS_PER_CHUNK", 3)
    year()
    tables("games.zip", "-o", "whole")
    with monkeypatch.context() as patch:
        patch.setattr("jmjp_convert.dataset.destination.DataSet.finish", lambda *_: None)
        tables("games.zip", "-o", "out")
    first, second, *_ = sorted(Path("out/.staging").glob("segment-*"))
    first.unlink()
    second.write_bytes(second.read_bytes()[:-1] + b"x")
    for _ in range(2):
        assert "is damaged; run the same command again" in tables("games.zip", "-o", "out", code=1).stderr
    tables("games.zip", "-o", "out")
    assert files() == files("whole")


STEPS = [
    ("jmjp_convert.batch.ledger.Ledger", "commit"),
    ("jmjp_convert.dataset.destination.DataSet", "_put"),
    ("jmjp_convert.dataset.table_files.Parquet", "write"),
    ("jmjp_convert.dataset.destination.Index", "put"),
    ("jmjp_convert.files.durability", "sync_folders"),
]


@pytest.mark.parametrize(("owner", "step"), STEPS)
def test_ended_anywhere(owner: str, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a run ends, the next ones go on, and the data set has each game once."""
    monkeypatch.setattr("jmjp_convert.batch.run._SECONDS_BETWEEN_COMMITS", 0)
    monkeypatch.setattr("jmjp_convert.batch.run._ITEMS_PER_CHUNK", 4)
    year()
    tables("games.zip", "-o", "whole")
    tables("games.zip", "-o", "out", "--limit", "6")
    for last in (0, 1, 2, 4, 7):
        with power_cut(resolve_name(owner), step, last):
            tables("games.zip", "-o", "out")
    tables("games.zip", "-o", "out")
    assert files() == files("whole")
    assert not Path("out/.staging").exists()
    verify("out")


# --- what cannot be ---------------------------------------------------------------------------------------------------


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyarrow, one line says what to install, or to use CSV, which does not need it."""
    year(1)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    said = tables("games.zip", "-o", "out", code=1).stderr
    assert said.startswith("error: Parquet needs the extra 'tables'; run ")
    assert said.endswith(", or use --to csv\n")
    assert not Path("out").exists()
    tables("games.zip", "-o", "out", "--to", "csv")


def test_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worker processes make the same files as threads."""
    from jmjp_convert.batch.executor import processes

    year()
    tables("games.zip", "-o", "out")
    monkeypatch.setattr(running, "processes", processes)
    tables("games.zip", "-o", "processes", "-j", "2")
    assert files("processes") == files()


def test_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that may be on other machines put what they stage on disk themselves."""
    year()
    synced: list[list[str]] = []
    monkeypatch.setattr("jmjp_convert.batch.worker.durability.sync", lambda files, *_: synced.append(list(files)))
    workers = Workers(1, lambda: ThreadPoolExecutor(1), elsewhere=True)
    monkeypatch.setattr(running, "processes", lambda _: workers)
    tables("games.zip", "-o", "out")
    assert next("segment-" in str(name) for names in synced for name in names)


def test_cluster() -> None:
    """On a Dask cluster, the files are the same as with processes."""
    year()
    tables("games.zip", "-o", "out")
    with dask_cluster() as cluster:
        tables("games.zip", "-o", "cluster", "--dask", cluster.scheduler_address)
    assert files("cluster") == files()


def test_copy_of_a_data_set() -> None:
    """A data set can be copied to another place and continued there."""
    year(6)
    tables("games.zip", "-o", "out", "--limit", "4")
    shutil.copytree("out", "copy")
    tables("games.zip", "-o", "copy")
    tables("games.zip", "-o", "out")
    assert files("copy") == files()
