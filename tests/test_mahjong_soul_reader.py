"""Records of Mahjong Soul: names, times and bounds; `test_read.py` has what its records hold otherwise."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tables import table

from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import MahjongSoulError
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.mahjong_soul.reader import read_mahjong_soul
from jmjp_convert.model import Discard, House, Match, Thinking, Win, houses

VALID = Path(__file__).parent.parent / "fixtures" / "mahjong-soul" / "valid"

Json = dict[str, Any]

RANKED = {*range(1, 13), *range(15, 27)}
SPECIAL = {33, 34, 35, 40, 41, *range(44, 54)}
ROOMS = RANKED | SPECIAL | {13, 14, *range(29, 33), 36, 37, 38, 39, 42, 43}
"""The numbers of rooms."""


def record(name: str) -> Json:
    """Return the JSON of a fixture."""
    document: Json = json.loads((VALID / f"{name}.rec").read_text(encoding="utf-8"))
    return document


def match(document: Json) -> Match:
    """Return the match of a record."""
    return read_mahjong_soul(json.dumps(document).encode())[0]


def values(document: Json, name: str) -> list[Json]:
    """Return the values of all records called *name*, which may be changed."""
    entries = document["data"]["data"]["actions"]
    results = [entry["result"] for entry in entries if "result" in entry]
    return [result["data"] for result in results if result["name"] == f".lq.{name}"]


# --- the head ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("config", "name", "lobby", "custom"), table("mahjong_soul_reader", "rules"))
def test_rules(config: Json, name: str | None, lobby: int | None, custom: tuple[tuple[str, str], ...]) -> None:
    """The room and the length give the name of the rules; settings that differ from ranked games are listed."""
    document = record("riichi")
    document["head"]["config"] = config
    game = match(document)
    assert game.rules.house is House.MAHJONG_SOUL
    assert (game.rules.lobby, game.rules.custom) == (lobby, custom)
    title = game.tournament and game.tournament.name and game.tournament.name.native
    assert title == name


def test_no_dora() -> None:
    """A tournament may have no dora: there is no indicator then, and the game is read and written."""
    document = record("riichi")
    (deal,), (win,) = values(document, "RecordNewRound"), values(document, "RecordHule")
    deal["doras"] = []
    win["hules"][0] |= {"doras": [], "li_doras": []}
    (frame,) = match(document).frames
    assert (frame.start.indicator, frame.endings[0].ura) == (None, ())  # type: ignore[union-attr]
    for to in ("json", "mjai", "majiang", "tenhou6", "jmjp"):
        assert written([match(document)], Writing(to), lambda _: None).content


def test_names(subtests: pytest.Subtests) -> None:
    """The name of the rules in a room is one that readers of other formats understand: ranked rooms have lobby 0."""
    for number, players in product(range(1, 54), (3, 4)):
        with subtests.test(f"room {number} of {players}"):
            room = houses.SOUL_ROOMS.get(number)
            if room is None:
                assert number in SPECIAL or number not in ROOMS
                continue
            name = houses.mahjong_soul_name(room, players=players, mode=2, open_tanyao=True, red_fives=True)
            rules = houses.named_rules(name, players, red_fives=None)
            assert rules is not None
            assert rules.red_fives
            assert (rules.lobby, rules.custom) == ((0, ()) if number in RANKED else (None, (("title", room),)))


@pytest.mark.parametrize(("rule", "start", "uma"), table("mahjong_soul_reader", "point_rule"))
def test_point_rule(rule: Json, start: int, uma: tuple[int, ...]) -> None:
    """Starting points and uma are those of ranked games, unless others are set."""
    document = record("riichi")
    document["head"]["config"]["mode"]["detail_rule"] = rule
    point_rule = match(document).point_rule
    assert point_rule is not None
    assert (point_rule.start, point_rule.target, point_rule.uma) == (start, start, uma)


@pytest.mark.parametrize(("started", "day", "date", "time"), table("mahjong_soul_reader", "time"))
def test_time(started: int, day: str, date: str, time: str) -> None:
    """Date and time are China's, or Japan's if only that gives the day of the log ID; the second is kept in UTC."""
    document = record("riichi")
    document["head"] |= {"start_time": started, "uuid": day + document["head"]["uuid"][6:]}
    game = match(document)
    assert (game.date, game.time, game.started) == (date, time, started)


def test_thinking() -> None:
    """The time of a discard is from the record before it to what the player entered; autoplay has none."""
    document = record("riichi")
    frame = match(document).frames[0]
    assert len(frame.thinking) == len(frame.events)
    actions = document["data"]["data"]["actions"]
    times = [entry["passed"] for entry in actions]
    first = next(index for index, entry in enumerate(actions) if "user_input" in entry)
    assert frame.thinking[0] == Thinking(times[first] - times[first - 1])
    assert {type(event) for event, time in zip(frame.events, frame.thinking, strict=True) if time} <= {Discard, Win}
    actions[first]["user_input"]["operation"]["timeuse"] = 1_000_000
    assert match(document).frames[0].thinking[0] == Thinking(None, autoplay=True)


def test_many_melds() -> None:
    """A player has at most four melds and four norths, so that a hostile record takes no time."""
    document = record("three-players")
    actions = document["data"]["data"]["actions"]
    index = next(index for index, entry in enumerate(actions) if "RecordBaBei" in str(entry))
    actions[index:index] = [{"passed": 1, "result": {"name": ".lq.RecordBaBei", "data": {"seat": 2}}}] * 1000
    with pytest.raises(MahjongSoulError, match="a player with more than 8 melds"):
        match(document)


def test_findings() -> None:
    """Problems are collected one for each frame, which is left out; the rest is read."""
    document = record("riichi")
    deals = document["data"]["data"]["actions"]
    again = json.loads(json.dumps([entry for entry in deals if "result" in entry]))
    again[1]["result"]["data"]["tile"] = "9z"
    deals[-1:] = [*again, *json.loads(json.dumps([entry for entry in deals if "result" in entry]))]
    findings: list[MahjongSoulError] = []
    (read,) = read_mahjong_soul(json.dumps(document).encode(), finding=findings.append)
    assert [error.reason for error in findings] == ['expected a tile, found "9z"']
    assert len(read.frames) == 2


# --- writing ----------------------------------------------------------------------------------------------------------


def test_written(subtests: pytest.Subtests) -> None:
    """Every format that can hold the game takes it, with each option, and what is written reads back as it must."""
    ways = [
        (to, {option: True})
        for to, one in FORMATS.items()
        if one.write and one.holding
        for option in ("", *(option.name for option in one.options if option.default is False))
    ]
    for path, (to, options) in product(sorted(VALID.glob("*.rec")), ways):
        with subtests.test(f"{path.stem} as {to} {[*options]}"):
            (game,) = read_mahjong_soul(path)
            if game.rules.players in FORMATS[to].players:
                writing = Writing(to, **{key: value for key, value in options.items() if key})
                assert written([game], writing, lambda _: None).content
