"""The tables of a data set, compared by SQL with the statistics and with themselves.

`test_dataset_rows.py` compares them with the XML of the games.
"""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import effort
import pytest
from clients import NO_REAL, REAL
from playing import LINES, games
from table_data import database
from test_real_logs import FOUR, THREE

from jmjp_convert.dataset.schema import TABLES
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.stats.counts import Counts, counts_of

QUERIES = Path(__file__).parent.parent / "fixtures" / "dataset"


def queries(name: str) -> dict[str, str]:
    """Return the queries in a file, by the comments before them."""
    text = (QUERIES / f"{name}.sql").read_text(encoding="utf-8")
    return dict(query.split("\n", 1) for query in text.split("-- ")[1:])


YAKU = "SELECT match_id, player, yaku, count(*) FROM yaku GROUP BY ALL"

KEYS = {
    f"key of {table.name}": f"SELECT {', '.join(table.key)} FROM {table.name} GROUP BY ALL HAVING count(*) > 1"  # noqa: S608
    for table in TABLES
}
"""The rows with the same key."""


class Games:
    """Games with their rows in a database: the *sql*, and by key the *counts* of their players."""

    def __init__(self, logs: dict[str, bytes], folder: Path) -> None:
        matches = {key: read_mjlog(log) for key, log in logs.items()}
        self.counts = {key: counts_of(match) for key, match in matches.items()}
        self.sql = database(matches.items(), folder)
        self.sql.execute((QUERIES / "views.sql").read_text(encoding="utf-8"))

    def all(self, query: str) -> list[tuple[object, ...]]:
        """Return the rows of *query*."""
        rows: list[tuple[object, ...]] = self.sql.execute(query).fetchall()
        return rows


def real() -> Iterator[tuple[str, bytes]]:
    """Yield real logs with their names."""
    for path in effort.some((*FOUR, *THREE)):
        content = path.read_bytes()
        yield path.name, gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content


def generated() -> Iterator[tuple[str, bytes]]:
    """Yield games that were played at random, with rare events among them."""
    for line in LINES:
        for number, game in enumerate(games(line)):
            yield f"{line} {number}", game.log.encode()


SOURCES = {REAL: real, "scripts/play.py": generated}


@pytest.fixture(scope="session", params=[pytest.param(REAL, marks=NO_REAL), "scripts/play.py"])
def data(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Games:
    """Games of a source, with their rows."""
    return Games(dict(SOURCES[request.param]()), tmp_path_factory.mktemp("rows"))


def counted_by_sql(data: Games) -> dict[str, list[Counts]]:
    """Return what each player of each game did, as the tables show it."""
    counts: dict[str, dict[int, Counts]] = defaultdict(lambda: defaultdict(Counter))
    for name, query in queries("statistics").items():
        for key, player, number in data.sql.execute(query).fetchall():
            counts[key][player][name] += int(number or 0)
    for key, player, yaku, number in data.sql.execute(YAKU).fetchall():
        counts[key][player][f"yaku {yaku}"] += number
    return {key: [players[player] for player in sorted(players)] for key, players in counts.items()}


def test_statistics(data: Games) -> None:
    """SQL over the tables counts what the statistics count."""
    assert counted_by_sql(data) == data.counts


def test_consistent(data: Games) -> None:
    """What tables say of the same thing agrees, and numbers add up."""
    nothing = KEYS | queries("contradictions")
    assert {name: rows[:3] for name, query in nothing.items() if (rows := data.all(query))} == {}
