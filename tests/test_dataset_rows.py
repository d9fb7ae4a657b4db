"""The rows of games: compared column by column with the XML of real and generated games, and with another package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, time
from functools import cache
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any

import effort
import pytest
import tables
from clients import NO_REAL, REAL
from conftest import FIXTURES
from hypothesis import given, settings
from hypothesis import strategies as st
from models import matches
from recounting_rows import Recount, shanten_of
from table_data import database
from test_dataset_truth import SOURCES

from jmjp_convert.api import dumps
from jmjp_convert.dataset.rows import rows_of
from jmjp_convert.dataset.schema import TABLES, Column, DataTable
from jmjp_convert.errors import ConvertError, PlayError
from jmjp_convert.formats import FORMATS, detect
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.reading import read
from jmjp_convert.model import (
    Discard,
    Draw,
    End,
    Frame,
    House,
    Kita,
    Match,
    Player,
    Rules,
    Ryuukyoku,
    Start,
    Win,
    handle,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import KIND_FACES, PHYSICAL, UNKNOWN, any_copy

COLUMNS = {table.name: [column.name for column in table.columns] for table in TABLES}
TYPES: dict[str, type] = {"text": str, "bool": bool, "float": float, "date": date, "time": time}
BITS = {"int16": 16, "int32": 32, "int64": 64}

NamedRows = dict[str, list[dict[str, Any]]]

each_source = pytest.mark.parametrize("source", [pytest.param(REAL, marks=NO_REAL), "scripts/play.py"])


def named(match: Match) -> NamedRows:
    """Return the rows of *match*, by column."""
    rows = rows_of(match, "key")
    return {name: [dict(zip(COLUMNS[name], row, strict=True)) for row in rows[name]] for name in rows}


@cache
def logs(source: str) -> list[tuple[bytes, Match, NamedRows]]:
    """Return games of *source*: their XML, and what is read of it, with its rows."""
    read_games = ((log, read_mjlog(log)) for _, log in SOURCES[source]())
    return [(log, match, named(match)) for log, match in read_games]


@cache
def games(source: str) -> list[tuple[Recount, NamedRows]]:
    """Return games of *source*: what their XML shows, and their rows."""
    assert logs(source)
    return [(Recount(log), rows) for log, _, rows in logs(source)]


@each_source
def test_columns(source: str) -> None:
    """Columns have what the XML shows."""
    for recount, rows in games(source):
        for table in COLUMNS:
            assert len(rows[table]) == len(recount.rows[table])
            for row, expected in zip(rows[table], recount.rows[table], strict=True):
                assert {name: row[name] for name in expected} == expected


@each_source
def test_dora(source: str) -> None:
    """The dora counted in a hand are those that Tenhou counts when it wins: a kita is one more than its tile is."""
    counted = [counts for recount, _ in games(source) for counts in recount.dora_won]
    assert [computed for computed, _ in counted] == [recorded for _, recorded in counted]
    assert any(computed for computed, _ in counted)


BY_OTHER_MEANS = dict(tables.table("dataset_rows", "by_other_means"))
"""The columns that are compared with something else than the XML."""
NO_SECOND_SOURCE = dict(tables.table("dataset_rows", "no_second_source"))
"""The columns that nothing is compared with, and why; a column is in all tables if no table is named."""


@each_source
def test_every_column_is_compared(source: str) -> None:
    """Every column is compared with a second source, or it is said why there is none."""
    all_rows = [
        (table, row) for recount, _ in games(source) for table, rows in recount.rows.items() for row in rows[:1]
    ]
    compared = {f"{table}.{name}" for table, row in all_rows for name in row}
    columns = {f"{table}.{name}" for table, names in COLUMNS.items() for name in names}
    alone = {column for column in columns if NO_SECOND_SOURCE.keys() & {column, column.partition(".")[2]}}
    assert compared.isdisjoint(alone | BY_OTHER_MEANS.keys())
    assert compared | alone | BY_OTHER_MEANS.keys() == columns


@each_source
def test_shanten(source: str) -> None:
    """The shanten of hands dealt, and before and after a discard, are those that another package finds."""
    chance = Random(1)  # noqa: S311 - the same hands every time
    for recount, rows in games(source):
        discards = list(zip(recount.hands, rows["discards"], strict=True))
        for (hand, melds), row in chance.sample(discards, min(len(discards), 20)):
            kinds = [tile // 4 for tile in hand]
            assert row["shanten"] == shanten_of(kinds, melds, players=recount.players)
            kinds.remove(KIND_FACES.index(str(row["tile"]).replace("0", "5")))
            assert row["shanten_after"] == shanten_of(kinds, melds, players=recount.players)
        for hand, row in zip(recount.dealt, rows["seats"], strict=True):
            assert row["shanten"] == shanten_of([tile // 4 for tile in hand], 0, players=recount.players)


def fits(value: object, column: Column) -> bool:
    """Return whether *value* may be in *column*."""
    if value is None:
        return bool(column.null)
    if column.type in BITS:
        return type(value) is int and -(1 << BITS[column.type] - 1) <= value < 1 << BITS[column.type] - 1
    return type(value) is TYPES[column.type] and value != ""


def misfits(match: Match) -> list[tuple[str, str, object]]:
    """Return the values in rows of *match* that may not be in their columns."""
    rows = rows_of(match, "key")
    assert list(rows) == list(COLUMNS)
    return [
        (table.name, column.name, value)
        for table in TABLES
        for row in rows[table.name]
        for column, value in zip(table.columns, row, strict=True)
        if not fits(value, column)
    ]


def readable() -> Iterator[tuple[Path, list[Match]]]:
    """Yield the fixtures of all formats, with the matches in them."""
    for path in sorted(FIXTURES.rglob("*.*")):
        if path.is_file():
            content = path.read_bytes()
            format_ = detect(content)
            with suppress(ConvertError):
                if format_ is not None and format_.read is not None:
                    yield path, format_.read(content)


def test_any_format() -> None:
    """The rows of games in any format have the types of their columns, and nulls only where these may have them."""
    suffixes = set()
    for path, of_file in readable():
        suffixes.add(path.suffix)
        assert [misfit for match in of_file for misfit in misfits(match)] == [], path
    assert {".xml", ".jmjp", ".jsonl", ".mjson", ".json"} <= suffixes


@settings(max_examples=effort.many(30))
@given(st.sampled_from([3, 4]).flatmap(matches))
def test_any_match(match: Match) -> None:
    """Whatever the model can represent has rows, unless its play is impossible."""
    with suppress(PlayError):
        assert misfits(match) == []
    assert misfits(replace(match, frames=tuple(unplayed(frame) for frame in match.frames))) == []


def unplayed(frame: Frame) -> Frame:
    """Return *frame* as if its play were not recorded."""
    events = tuple(event for event in frame.events if isinstance(event, Win | Ryuukyoku))
    return replace(frame, start=replace(frame.start, hands=()), events=events)


_BY_NAME = itemgetter("frame", "player", "name")


OTHERS: list[tuple[str, dict[str, Any]]] = [("jmjp", {}), ("tenhou6", {}), ("majiang", {}), ("mjai", {"details": True})]


@pytest.mark.parametrize(("name", "options"), OTHERS)
def test_other_formats(name: str, options: dict[str, Any]) -> None:
    """What the rows of a game from another format say is what those of its log say; they lack what the format does,
    but not what follows from the play."""
    for _, match, rows in effort.shared_out(logs("scripts/play.py"), OTHERS.index((name, options)), parts=2):
        if match.rules.players not in FORMATS[name].players:
            continue
        (match_,) = read(dumps([match], name, **options).encode())
        others = named(match_)
        for table, expected in rows.items():
            assert len(others[table]) == len(expected)
            pair = expected, others[table]
            if table == "yaku" and name == "mjai":  # which has dragons in one order, and old logs in any
                pair = sorted(pair[0], key=_BY_NAME), sorted(pair[1], key=_BY_NAME)
            for row, other in zip(*pair, strict=True):
                said = {column: value for column, value in other.items() if value is not None and column != "rating"}
                assert {column: row[column] for column in said} == said
        assert None not in [win["sticks"] for win in others["wins"]]
        assert None not in [player["place"] for player in others["players"]]


def test_one_view() -> None:
    """A record of what one player sees has the shanten and dora of that player's hands, and null for others."""
    (path,) = FIXTURES.rglob("one-view.mjson")
    (match,) = next(of_file for other, of_file in readable() if other == path)
    for row in named(match)["discards"]:
        known = row["player"] == 0
        assert [row[name] is None for name in ("shanten", "shanten_after", "dora")] == [not known] * 3
        assert row["tile"] is not None


def test_hand_becomes_known() -> None:
    """A hand with one unknown tile is known from the discard of that tile on."""
    read = FORMATS["jmjp"].read
    assert read is not None
    (match,) = read((FIXTURES / "valid" / "plain.jmjp").read_bytes())
    frame = match.frames[0]
    (hand, *others), start = frame.start.hands, frame.start
    mine = [event.tile for event in frame.events if isinstance(event, Discard) and event.player == 0]
    first = next(index for index, tile in enumerate(mine) if hand.count(tile) == 1)
    hidden = tuple(UNKNOWN if tile == mine[first] else tile for tile in hand)
    start = replace(start, hands=(hidden, *others))
    rows = named(replace(match, frames=(replace(frame, start=start),)))["discards"]
    known = [row["shanten"] is not None for row in rows if row["player"] == 0]
    assert known == [index > first for index in range(len(mine))]
    assert any(known)


@pytest.mark.parametrize(("indicator", "dora"), [("ww", 2), ("9p", 1)])
def test_kita_that_is_dora(indicator: str, dora: int) -> None:
    """A north that is set aside counts as a kita, and as dora too if north is the dora."""
    north = any_copy("nw")
    hand = tuple(map(any_copy, ("2p", "3p", "4p", "6p", "7p", "8p", "1s", "2s", "3s", "4s", "6s", "8s", "9s")))
    start = Start(0, 0, 0, 0, None, (35000,) * 3, (hand,) * 3, any_copy(indicator))
    tile = any_copy("7s")
    events = (Draw(0, north), Kita(0, north), Draw(0, tile), Discard(0, tile, tsumogiri=True))
    match = Match(Rules(3), (Player(),) * 3, (Frame(start, events, End((), None), None),))
    (row,) = named(match)["discards"]
    assert (row["tile"], row["dora"]) == ("7s", dora)


def test_undated_dora() -> None:
    """Without the time at which dora were turned, what depends on those turned so far is null: the number of dora for
    each discard, the tiles waited for that a player does not see."""
    match = read_mjlog(FIXTURES / "valid" / "riichi-accepted.xml")
    frame = match.frames[0]
    events = tuple(event for event in frame.events if not isinstance(event, Win))
    gone = {frame.start.indicator, *(tile for hand in frame.start.hands for tile in hand)}
    gone |= {event.tile for event in events if isinstance(event, Draw)}
    undated = next(tile for tile in range(PHYSICAL) if tile not in gone)
    for start in (replace(frame.start, kan_indicators=(undated,)), replace(frame.start, indicator=None)):
        rows = named(replace(match, frames=(replace(frame, start=start, events=events),)))
        assert {(row["dora"], row["indicators"]) for row in rows["discards"]} == {(None, None)}
        assert [(row["wait_kinds"] is None, row["wait_tiles"]) for row in rows["riichi"]] == [(False, None)]
        assert len((rows["frames"][0]["indicators"] or "").split()) == (2 if start.kan_indicators else 0)


def test_unplayed() -> None:
    """A frame whose play is not recorded has no rows of decisions, and nulls where a win would show them."""
    match = read_mjlog(FIXTURES / "valid" / "ura-dora.xml")
    rows = named(replace(match, frames=tuple(unplayed(frame) for frame in match.frames)))
    assert rows["calls"] == rows["riichi"] == rows["discards"] == []
    assert {row["played"] for row in rows["frames"]} == {False}
    (win,) = rows["wins"]
    assert [win[name] for name in ("turn", "discard", "riichi", "open")] == [None] * 4
    assert win["points"] == 12000


@pytest.mark.parametrize(
    ("day", "hour", "expected"),
    [
        pytest.param("20191231", "1945", (date(2019, 12, 31), time(19, 45)), id="both"),
        pytest.param("20190418", None, (date(2019, 4, 18), None), id="no time"),
        pytest.param("20190231", "0000", (None, time(0, 0)), id="not in the calendar"),
        pytest.param(None, None, (None, None), id="neither"),
    ],
)
def test_date(day: str | None, hour: str | None, expected: tuple[date | None, time | None]) -> None:
    """A date is null if it is not recorded or not in the calendar."""
    match = read_mjlog(FIXTURES / "valid" / "plain.xml")
    (row,) = named(replace(match, id="some ID", date=day, time=hour))["matches"]
    assert (row["match_id"], row["log_id"], row["date"], row["time"]) == ("key", "some ID", *expected)


def test_ranks() -> None:
    """A rank of Tenhou is a number, that of another server its name."""
    match = read_mjlog(FIXTURES / "valid" / "plain.xml")
    players = (replace(match.players[0], dan=None, rank="初心★3"), *match.players[1:])
    rows = named(replace(match, players=players))["players"]
    assert [(row["dan"] is None, row["rank"]) for row in rows] == [(True, "初心★3"), *[(False, None)] * 3]


def test_names_of_yaku() -> None:
    """A yaku has its name in both scripts; ura dora that hit nothing is left out."""
    rows = named(read_mjlog(FIXTURES / "valid" / "double-ron.xml"))["yaku"]
    assert [(row["yaku"], row["name"], row["japanese"], row["han"]) for row in rows] == [
        (7, "Pinfu", "平和", 1),
        (8, "Tanyao", "断幺九", 1),
        (21, "Double riichi", "両立直", 2),
        (2, "Ippatsu", "一発", 1),
        (8, "Tanyao", "断幺九", 1),
    ]


def test_yaku_by_name() -> None:
    """A yaku without a number has its name as recorded, for both scripts."""
    (match,) = read(FIXTURES / "majiang" / "valid" / "unknown.majiang.json")
    assert [(row["yaku"], row["name"], row["japanese"], row["han"]) for row in named(match)["yaku"]] == [
        (None, "三色小同刻", "三色小同刻", 1),
        (12, "Jikaze shaa", "自風 西", 2),
    ]


COLUMN_TYPES = {"text", "bool", "int16", "int32", "int64", "float", "date", "time"}

each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)


@each_table
def test_names(table: DataTable) -> None:
    """Tables and columns have names in lower case, each once; the match comes first, and the key is made of columns."""
    names = [column.name for column in table.columns]
    assert [name for name in (table.name, *names) if not re.fullmatch("[a-z]+(?:_[a-z]+)*", name)] == []
    assert len(set(names)) == len(names)
    assert names[0] == "match_id"
    assert set(table.key) <= set(names)


@each_table
def test_keys_are_never_null(table: DataTable) -> None:
    """Columns of a key have a value in every row."""
    assert [column.name for column in table.columns if column.name in table.key and column.null] == []


@each_table
def test_texts(table: DataTable) -> None:
    """Every column has a known type and a sentence; what follows "null if" is a clause; only numbers have units."""
    for column in table.columns:
        assert column.type in COLUMN_TYPES
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


def test_records_of_other_servers() -> None:
    """Games of other servers have accounts, points within the rank, times, and how long each discard took; several
    players may be liable for pao."""
    (match,) = read((FIXTURES / "json" / "valid" / "other-servers.jsonl").read_bytes())
    rows = named(match)
    (row,) = rows["matches"]
    assert (row["house"], row["started"], row["ended"]) == ("riichi-city", 1700000000, 1700000720)
    assert [(row["account"], row["rank"], row["rank_points"], row["rank_change"]) for row in rows["players"]] == [
        (1234567, "5 dan", 1450, 90),
        (7654321, None, -20, -45),
        (None, None, None, 0),
    ]
    assert [(row["player"], row["thinking"], row["autoplay"]) for row in rows["discards"]] == [
        (0, 3200, False),
        (1, None, True),
    ]
    (win,) = rows["wins"]
    assert (win["pao"], win["second_pao"]) == (1, 2)
    assert [(row["yaku"], row["name"]) for row in rows["yaku"]] == [(72, "Open riichi yakuman"), (39, "Daisangen")]


def test_times_not_recorded() -> None:
    """Without thinking times, neither those nor autoplay are known."""
    (match,) = read((FIXTURES / "json" / "valid" / "plain.jsonl").read_bytes())
    rows = named(match)["discards"]
    assert rows
    assert {(row["thinking"], row["autoplay"]) for row in rows} == {(None, None)}


def test_shared_names() -> None:
    """The names of guests of Tenhou, and of computers on other servers, are marked as those of many players."""
    match = read_mjlog(FIXTURES / "valid" / "plain.xml")
    guest, computer, kept, unnamed = match.players
    players = (
        replace(guest, full_name=handle("NoName")),
        replace(computer, full_name=handle("AI"), sex="C"),
        kept,
        replace(unnamed, full_name=None),
    )
    match = replace(match, players=players)
    assert [row["shared_name"] for row in named(match)["players"]] == [True, False, False, None]
    match = replace(match, rules=replace(match.rules, house=House.MAHJONG_SOUL))
    assert [row["shared_name"] for row in named(match)["players"]] == [True, True, False, None]
