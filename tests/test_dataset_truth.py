"""The tables of a data set, compared by SQL with the statistics, with the XML of the games, and with themselves."""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import effort
import pytest
from clients import NO_REAL, REAL
from playing import LINES, games
from recounting import recounted, without_zeros
from table_data import database
from test_real_logs import FOUR, THREE

from jmjp_convert.dataset.schema import TABLES
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.stats.counts import Counts, counts_of

VIEWS = """
CREATE VIEW ended AS SELECT * FROM seats JOIN frames USING (match_id, frame) WHERE ending IS NOT NULL;
CREATE VIEW deal_ins AS
    SELECT match_id, frame, source AS player, sum(points) AS points FROM wins WHERE NOT tsumo GROUP BY ALL;
CREATE VIEW riichi_wins AS
    SELECT DISTINCT match_id, frame, player FROM wins JOIN yaku USING (match_id, frame, player) WHERE riichi;
CREATE VIEW following AS
    SELECT *, lead(sticks) OVER (PARTITION BY match_id ORDER BY frame) AS next FROM frames;
"""

STATISTICS = {
    "games": "SELECT match_id, player, 1 FROM players",
    "placed": "SELECT match_id, player, count(place) FROM players GROUP BY ALL",
    "place1": "SELECT match_id, player, 1 FROM players WHERE place = 1",
    "place2": "SELECT match_id, player, 1 FROM players WHERE place = 2",
    "place3": "SELECT match_id, player, 1 FROM players WHERE place = 3",
    "place4": "SELECT match_id, player, 1 FROM players WHERE place = 4",
    "places": "SELECT match_id, player, place FROM players",
    "busts": "SELECT match_id, player, 1 FROM players WHERE points < 0",
    "results": "SELECT match_id, player, 1 FROM players WHERE result IS NOT NULL",
    "result": "SELECT match_id, player, result FROM players",
    "frames": "SELECT match_id, player, count(*) FROM ended GROUP BY ALL",
    "played": "SELECT match_id, player, count(*) FROM ended WHERE played GROUP BY ALL",
    "wins": "SELECT match_id, player, count(*) FROM wins GROUP BY ALL",
    "tsumo": "SELECT match_id, player, count(*) FROM wins WHERE tsumo GROUP BY ALL",
    "valued": "SELECT match_id, player, count(points) FROM wins GROUP BY ALL",
    "win_points": "SELECT match_id, player, sum(points) FROM wins GROUP BY ALL",
    "deal_ins": "SELECT match_id, player, count(*) FROM deal_ins GROUP BY ALL",
    "valued_deal_ins": "SELECT match_id, player, count(points) FROM deal_ins GROUP BY ALL",
    "deal_in_points": "SELECT match_id, player, sum(points) FROM deal_ins GROUP BY ALL",
    "riichi": "SELECT match_id, player, count(*) FROM riichi GROUP BY ALL",
    "riichi_turns": "SELECT match_id, player, sum(turn) FROM riichi GROUP BY ALL",
    "calls": "SELECT match_id, player, count(DISTINCT frame) FROM calls WHERE source IS NOT NULL GROUP BY ALL",
    "played_wins": "SELECT match_id, player, count(turn) FROM wins GROUP BY ALL",
    "win_turns": "SELECT match_id, player, sum(turn) FROM wins GROUP BY ALL",
    "draws": "SELECT match_id, player, count(tenpai) FROM seats GROUP BY ALL",
    "draw_tenpai": "SELECT match_id, player, count(*) FROM seats WHERE tenpai GROUP BY ALL",
    "riichi_wins": "SELECT match_id, player, count(*) FROM riichi_wins GROUP BY ALL",
    "ippatsu": "SELECT match_id, player, count(*) FROM yaku WHERE yaku = 2 GROUP BY ALL",
    "ura": "SELECT match_id, player, count(*) FROM yaku WHERE yaku = 53 GROUP BY ALL",
}
"""The statistics of players in a match, by the name of the count."""

YAKU = "SELECT match_id, player, yaku, count(*) FROM yaku GROUP BY ALL"

KEYS = {
    f"key of {table.name}": f"SELECT {', '.join(table.key)} FROM {table.name} GROUP BY ALL HAVING count(*) > 1"  # noqa: S608
    for table in TABLES
}
"""The rows with the same key."""

SUMS = {
    "each place once": """
        SELECT match_id FROM players JOIN matches USING (match_id) GROUP BY match_id, players
        HAVING list(place ORDER BY place) != range(1, players + 1) AND count(place) > 0""",
    "places by points": """
        SELECT * FROM players AS one JOIN players AS other USING (match_id)
        WHERE one.place < other.place AND one.points < other.points""",
    "results": "SELECT match_id FROM players GROUP BY ALL HAVING sum(result) != 0",
    "points from frame to frame": """
        SELECT * FROM seats JOIN seats AS next USING (match_id, player)
        WHERE next.frame = seats.frame + 1 AND next.points != seats.points + seats.change""",
    "points and sticks on the table": """
        SELECT match_id, frame FROM following JOIN seats USING (match_id, frame)
        GROUP BY ALL HAVING sum(change) != any_value(1000 * (sticks - next))""",
    "sticks paid and taken": """
        SELECT match_id, frame FROM following LEFT JOIN riichi USING (match_id, frame)
        GROUP BY ALL HAVING any_value(next) !=
            CASE WHEN any_value(wins) > 0 THEN 0 ELSE any_value(sticks) + count(*) FILTER (accepted) END""",
    "final points": """
        SELECT * FROM (
            SELECT match_id, sum(points) AS points FROM players GROUP BY ALL
        ) AS final JOIN (
            SELECT match_id, sum(points) + 1000 * any_value(sticks) AS points
            FROM seats JOIN frames USING (match_id, frame) WHERE frame = 1 GROUP BY ALL
        ) AS first USING (match_id) WHERE final.points != first.points""",
    "final points and the last frame": """
        SELECT * FROM players JOIN seats USING (match_id, player) JOIN matches USING (match_id)
        WHERE frame = frames AND players.points != seats.points + change AND place > 1""",
}
"""Sums that do not agree."""

WHOLES = {
    "wins of a frame": """
        SELECT * FROM frames LEFT JOIN (SELECT match_id, frame, count(*) AS found FROM wins GROUP BY ALL)
        USING (match_id, frame) WHERE wins != coalesce(found, 0)""",
    "gain of a win": """
        SELECT * FROM wins JOIN frames USING (match_id, frame) JOIN matches USING (match_id)
        WHERE gain != wins.points + 1000 * wins.sticks
            + CASE WHEN number = 1 THEN 100 * (players - 1) * honba ELSE 0 END
            AND ranked""",
    "han of a win": """
        SELECT match_id, frame, player FROM wins JOIN yaku USING (match_id, frame, player)
        GROUP BY ALL HAVING any_value(wins.han) != sum(yaku.han)""",
    "yakuman": """
        SELECT * FROM wins JOIN yaku USING (match_id, frame, player) WHERE (wins.han IS NULL) != (yaku.han IS NULL)""",
    "dora of a win": """
        SELECT match_id, frame, player FROM wins JOIN yaku USING (match_id, frame, player) GROUP BY ALL
        HAVING any_value(dora + ura + red) != coalesce(sum(yaku.han) FILTER (yaku >= 52), 0)""",
    "riichi of a win": """
        SELECT match_id, frame, player FROM wins JOIN yaku USING (match_id, frame, player) WHERE wins.han IS NOT NULL
        GROUP BY ALL HAVING any_value(riichi) != bool_or(yaku IN (1, 21))""",
    "double riichi of a win": """
        SELECT match_id, frame, player FROM riichi JOIN wins USING (match_id, frame, player)
        JOIN yaku USING (match_id, frame, player) WHERE wins.han IS NOT NULL
        GROUP BY ALL HAVING any_value(double) != bool_or(yaku = 21)""",
    "open hands": """
        SELECT match_id, frame, player FROM wins LEFT JOIN calls USING (match_id, frame, player)
        GROUP BY ALL HAVING any_value(wins.open) != coalesce(bool_or(calls.open), FALSE)""",
    "tiles that are waited for": """
        SELECT * FROM riichi JOIN wins USING (match_id, frame, player)
        WHERE NOT list_contains(string_split(waits, ' '), replace(wins.tile, '0', '5'))""",
    "riichi and its discard": """
        SELECT * FROM (SELECT *, TRUE AS found FROM riichi)
        FULL JOIN (SELECT *, TRUE AS made FROM discards WHERE declares) USING (match_id, frame, player, discard, turn)
        WHERE found IS NULL OR made IS NULL""",
    "tile called": """
        SELECT * FROM (SELECT * FROM calls WHERE source IS NOT NULL) AS calls
        FULL JOIN (SELECT * FROM discards WHERE called_by IS NOT NULL) AS discards USING (match_id, frame, discard)
        WHERE (called_by, discards.player, discards.tile) IS DISTINCT FROM (calls.player, source, calls.tile)""",
    "tile won on": """
        SELECT * FROM discards LEFT JOIN (
            SELECT match_id, frame, discard, source AS player, count(*) AS found FROM wins GROUP BY ALL
        ) USING (match_id, frame, discard, player) WHERE discards.wins != coalesce(found, 0)""",
    "furiten after a riichi": """
        SELECT match_id, frame, player FROM riichi JOIN discards USING (match_id, frame, player)
        WHERE discards.discard <= riichi.discard GROUP BY ALL HAVING any_value(furiten) !=
            bool_or(list_contains(string_split(waits, ' '), replace(discards.tile, '0', '5')))""",
    "points before a discard": """
        SELECT * FROM discards JOIN seats USING (match_id, frame, player)
        WHERE discards.points != seats.points - CASE WHEN riichi THEN 1000 ELSE 0 END""",
    "players in riichi": """
        SELECT match_id, frame, one.discard, one.riichi, one.riichi_others
        FROM discards AS one LEFT JOIN riichi AS other USING (match_id, frame) GROUP BY ALL HAVING
            one.riichi != (count(*) FILTER (accepted AND other.discard < one.discard AND other.player = one.player) > 0)
            OR riichi_others !=
                count(*) FILTER (accepted AND other.discard < one.discard AND other.player != one.player)""",
    "melds before a discard": """
        SELECT match_id, frame, one.discard, one.player, melds
        FROM discards AS one LEFT JOIN calls AS other USING (match_id, frame) GROUP BY ALL HAVING melds !=
            count(*) FILTER (source IS NOT NULL AND other.discard < one.discard AND other.player = one.player)""",
    "tiles left": """
        SELECT match_id, frame, one.discard, tiles_left FROM discards AS one JOIN matches USING (match_id)
        LEFT JOIN calls AS other USING (match_id, frame) GROUP BY ALL HAVING
            tiles_left != CASE WHEN any_value(players) = 4 THEN 70 ELSE 55 END - one.discard
                + count(*) FILTER (kind IN ('chi', 'pon') AND other.discard < one.discard)
                - count(*) FILTER (kind IN ('ankan', 'kakan', 'kita') AND other.discard < one.discard)""",
    "turns": """
        SELECT *, row_number() OVER (PARTITION BY match_id, frame, player ORDER BY discard) AS number FROM discards
        QUALIFY turn != number""",
    "outcomes of riichi": """
        SELECT * FROM riichi JOIN seats USING (match_id, frame, player)
        WHERE riichi.outcome IS DISTINCT FROM seats.outcome""",
    "seats": """
        SELECT * FROM seats JOIN frames USING (match_id, frame) WHERE (seat = 'E') != (player = dealer)""",
    "outcomes": """
        SELECT * FROM seats LEFT JOIN wins USING (match_id, frame, player)
        WHERE (outcome IN ('tsumo', 'ron')) != (wins.player IS NOT NULL)""",
    "outcomes that are known": """
        SELECT * FROM seats JOIN frames USING (match_id, frame) WHERE (outcome IS NULL) != (ending IS NULL)""",
    "outcomes of others": """
        SELECT match_id, frame, seats.player, outcome FROM seats JOIN frames USING (match_id, frame)
        LEFT JOIN wins USING (match_id, frame) WHERE outcome NOT IN ('tsumo', 'ron') GROUP BY ALL
        HAVING outcome != CASE WHEN any_value(frames.wins) = 0 THEN 'draw'
            WHEN bool_or(wins.source = seats.player) THEN 'deal-in' ELSE 'other win' END""",
    "tenpai at draws": """
        SELECT * FROM seats JOIN frames USING (match_id, frame)
        WHERE (tenpai IS NOT NULL) != (ending IN ('exhaustive', 'nagashi mangan'))""",
}

NOTHING = KEYS | SUMS | WHOLES


class Games:
    """Games with their rows in a database: the *sql*, and by key the *logs* and the *counts* of their players."""

    def __init__(self, logs: dict[str, bytes], folder: Path) -> None:
        matches = {key: read_mjlog(log) for key, log in logs.items()}
        self.logs = logs
        self.counts = {key: counts_of(match) for key, match in matches.items()}
        self.sql = database(matches.items(), folder)
        self.sql.execute(VIEWS)

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
    for name, query in STATISTICS.items():
        for key, player, number in data.sql.execute(query).fetchall():
            counts[key][player][name] += int(number or 0)
    for key, player, yaku, number in data.sql.execute(YAKU).fetchall():
        counts[key][player][f"yaku {yaku}"] += number
    return {key: [players[player] for player in sorted(players)] for key, players in counts.items()}


def test_statistics(data: Games) -> None:
    """SQL over the tables counts what the statistics count, and what the XML of the games shows."""
    counted = counted_by_sql(data)
    assert counted.keys() == data.logs.keys()
    for key, counts in counted.items():
        assert list(map(without_zeros, counts)) == list(map(without_zeros, data.counts[key])), key
        assert list(map(without_zeros, counts)) == list(map(without_zeros, recounted(data.logs[key]))), key


def test_consistent(data: Games) -> None:
    """What tables say of the same thing agrees, and numbers add up."""
    assert {name: rows[:3] for name, query in NOTHING.items() if (rows := data.all(query))} == {}
