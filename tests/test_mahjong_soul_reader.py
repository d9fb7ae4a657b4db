"""Records of Mahjong Soul: heads, times, connections, rare ends, and problems that are collected."""

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
from jmjp_convert.formats.mahjong_soul.notation import rank
from jmjp_convert.formats.mahjong_soul.reader import read_mahjong_soul
from jmjp_convert.model import (
    Discard,
    Disconnected,
    DrawKind,
    House,
    Match,
    Player,
    Returned,
    Ryuukyoku,
    Thinking,
    Win,
    handle,
    houses,
)

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


@pytest.mark.parametrize(("level", "name"), table("mahjong_soul_reader", "rank"))
def test_rank(level: int, name: str) -> None:
    """A rank has the name that players know; one that is unknown keeps its number."""
    assert rank(level) == name


def test_players() -> None:
    """Seats without an account are computers; those of newer records are listed apart."""
    document = record("riichi")
    (first, *_), document["head"]["accounts"] = document["head"]["accounts"], document["head"]["accounts"][:1]
    document["head"]["robots"] = [{"seat": 3, "nickname": "Bot"}]
    computer = Player(handle("AI"), sex="C")
    players = match(document).players
    assert players[0].account == first["account_id"]
    assert players[1:] == (computer, computer, Player(handle("Bot"), sex="C"))


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


USUAL = {
    **dict.fromkeys(
        (
            *("can_jifei", "have_liujumanguan", "have_biao_dora", "have_gang_biao_dora", "have_li_dora"),
            *("have_gang_li_dora", "have_sifenglianda", "have_sigangsanle", "have_sijializhi", "have_jiuzhongjiupai"),
            *("have_helelianzhuang", "have_helezhongju", "have_tingpailianzhuang", "have_tingpaizhongju", "have_yifa"),
            "have_nanruxiru",
        ),
        True,
    ),
    "enable_baopai_extend_settings": 1,
} | {
    key: int(value)
    for key, _, value in (
        pair.partition(" ")
        for pair in (
            *("dora_count 3", "shiduan 1", "init_point 25000", "fandian 30000", "fanfu 1", "jingsuanyuandian 25000"),
            *("liqibang_value 1000", "changbang_value 300", "noting_fafu_1 1000", "noting_fafu_2 1500"),
            *("noting_fafu_3 3000", "shunweima_2 5000", "shunweima_3 -5000", "shunweima_4 -15000"),
        )
    )
}
"""The settings of a tournament that are those of ranked games."""

UNSET = {key: False if value is True else 0 for key, value in USUAL.items()} | {
    **dict.fromkeys(("have_zimosun", "have_toutiao", "have_sanjiahele", "have_qieshangmanguan"), False),
    **dict.fromkeys(("disable_leijiyiman", "enable_renhe", "guyi_mode", "open_hand", "field_spell_mode"), 0),
    "amusement_switches": [],
}
"""Settings as programs write them that add zeros for all that is not set."""

SHARES = ("shunweima_2", "shunweima_3", "shunweima_4")


def settings(rule: Json, *, category: int = 4, players: int = 4) -> tuple[tuple[str, str], ...]:
    """Return the settings that a game with the settings *rule* has beside its name."""
    document = record("riichi" if players == 4 else "three-players")
    mode = {"mode": 2 if players == 4 else 12, "detail_rule": rule}
    document["head"]["config"] = {"category": category, "mode": mode, "meta": {"mode_id": 12}}
    return tuple(pair for pair in match(document).rules.custom if pair[0] not in ("game", *SHARES))


def test_zeros_of_ranked_games() -> None:
    """Zeros that a program adds to a ranked game are no settings."""
    document = record("riichi")
    document["head"]["config"]["mode"]["detail_rule"] = UNSET
    found = match(document)
    assert (found.rules, found.tournament) == (match(record("riichi")).rules, match(record("riichi")).tournament)


def test_zeros_of_private_games() -> None:
    """A friendly game has few settings; zeros that a program adds for the others are ignored."""
    rule = UNSET | {"dora_count": 3, "shiduan": 1, "init_point": 25000, "fandian": 30000, "fanfu": 1}
    assert settings(rule, category=1) == ()
    assert settings(rule | {"shiduan": 0}, category=1) == (("shiduan", "0"),)


@pytest.mark.parametrize(("changed", "custom"), table("mahjong_soul_reader", "settings_of_tournaments"))
def test_settings_of_tournaments(changed: Json, custom: tuple[tuple[str, str], ...]) -> None:
    """A tournament sets everything: what differs from ranked games is listed, also if a program leaves out zeros."""
    rule = USUAL | changed
    assert settings(UNSET | rule) == custom
    assert settings({key: value for key, value in rule.items() if value}) == custom


@pytest.mark.parametrize(("changed", "honba", "tenpai"), table("mahjong_soul_reader", "payments_of_tournaments"))
def test_payments_of_tournaments(changed: Json, honba: int, tenpai: int) -> None:
    """A tournament may set what a honba is worth and what noten players pay, if it is the same sum for any number."""
    document = record("riichi")
    document["head"]["config"]["mode"]["detail_rule"] = USUAL | changed
    rule = match(document).point_rule
    assert rule is not None
    assert (rule.honba, rule.tenpai) == (honba, tenpai)


@pytest.mark.parametrize(
    ("rule", "custom"),
    [
        ({"have_zimosun": True, "fanfu": 1}, ()),
        ({"have_zimosun": False, "fanfu": 1}, (houses.NO_TSUMO_LOSS,)),
        ({"fanfu": 1}, (houses.NO_TSUMO_LOSS,)),
        ({"have_zimosun": False}, ()),
    ],
)
def test_tsumo_loss(rule: Json, custom: tuple[tuple[str, str], ...]) -> None:
    """Whether three players lose the part of the fourth is a setting since games record the least han."""
    assert settings({"shiduan": 1, **rule}, category=1, players=3) == custom
    assert settings({"shiduan": 1, **rule}, category=1) == ()


def test_no_dora() -> None:
    """A tournament may have no dora: there is no indicator then, and the game is read and written."""
    document = record("riichi")
    (deal,), (win,) = values(document, "RecordNewRound"), values(document, "RecordHule")
    deal["doras"] = []
    win["hules"][0] |= {"doras": [], "li_doras": []}
    (frame,) = match(document).frames
    assert frame.start.indicator is None
    assert isinstance(frame.events[-1], Win)
    assert (frame.events[-1].indicators, frame.events[-1].ura) == (None, ())
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
            rules = houses.mahjong_soul_rules(name, players, red_fives=None)
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


def test_foreign_id() -> None:
    """An ID that is not one of Mahjong Soul is ignored, with a notice."""
    document = record("riichi")
    document["head"]["uuid"] = "game 1"
    notices: list[str] = []
    (game,) = read_mahjong_soul(json.dumps(document).encode(), notice=notices.append)
    assert game.id is None
    assert notices == ['"game 1" is not a log ID of Mahjong Soul, and is ignored']


# --- times and connections --------------------------------------------------------------------------------------------


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


def test_presence() -> None:
    """A disconnection is followed by a return; connections at the start, and again without one, are not events."""
    document = record("riichi")
    actions = document["data"]["data"]["actions"]
    index = next(index for index, entry in enumerate(actions) if "result" in entry) + 3
    came, went = ({"passed": 1, "user_event": {"seat": 2, "type": type_}} for type_ in (1, 2))
    actions[index:index] = [came, went, came, came]
    game = match(document)
    events = [event for event in game.frames[0].events if isinstance(event, Disconnected | Returned)]
    assert events == [Disconnected(2), Returned(2)]
    assert game.before == ()


def test_presence_before() -> None:
    """Who goes after the start of the game, but before the first deal, does so before the first frame."""
    document = record("riichi")
    actions = document["data"]["data"]["actions"]
    index = next(index for index, entry in enumerate(actions) if entry.get("game_event") == 1) + 1
    actions.insert(index, {"passed": 1, "user_event": {"seat": 1, "type": 2}})
    assert match(document).before == (Disconnected(1),)


# --- play and ends ----------------------------------------------------------------------------------------------------


def test_riichi_of_a_ronned_tile() -> None:
    """A riichi whose stick no record has is not accepted if its tile is ronned."""
    frame = match(record("triple-ron")).frames[0]
    assert isinstance(frame.events[-1], Ryuukyoku)
    assert frame.events[-1].kind is DrawKind.TRIPLE_RON


def test_pao_from_the_payments() -> None:
    """Who is liable follows from the payments if the record does not say it: a ron that two players pay."""
    document = record("pao")
    (hule,) = values(document, "RecordHule")[0]["hules"]
    said = match(document).frames[0].events[-1]
    hule["baopai"], hule["baopai_seats"] = 0, []
    assert match(document).frames[0].events[-1] == said
    assert isinstance(said, Win)
    assert said.pao == (0,)


def test_pao_by_seat_alone() -> None:
    """Old records give the seat that is liable plus one, newer ones also a list of seats."""
    document = record("pao")
    (hule,) = values(document, "RecordHule")[0]["hules"]
    said = match(document).frames[0].events[-1]
    del hule["baopai_seats"]
    assert match(document).frames[0].events[-1] == said


def test_three_wins() -> None:
    """Of three wins off one tile the first gets honba and sticks; each has its own payments."""
    document = record("triple-ron")
    draw = document["data"]["data"]["actions"][-1]["result"]
    hands = [hand.split("|") for hand in draw["data"]["allplayertiles"]]
    frame = match(document).frames[0]
    honba, sticks = frame.start.honba, (frame.start.sticks or 0) + len(frame.riichi)
    wins = [(2, 8000), (3, 2000), (0, 1000)]  # in turn order from player 1
    delta = [1000, -11000 - 300 * honba, 8000 + 300 * honba + 1000 * sticks, 2000]
    hules = [
        {
            "seat": seat,
            "hand": hands[seat],
            "huTile": "5m",
            "pointRong": value,
            "fu": 30,
            "fans": [{"id": 12, "val": 1}],
        }
        for seat, value in wins
    ]
    draw |= {"name": ".lq.RecordHule", "data": {"hules": hules, "deltaScores": delta}}
    endings = match(document).frames[0].endings
    assert [(win.player, win.source) for win in endings if isinstance(win, Win)] == [(2, 1), (3, 1), (0, 1)]
    changes = [win.changes for win in endings]
    assert changes[1:] == [(0, -2000, 0, 2000), (1000, -1000, 0, 0)]
    assert changes[0] == (0, -8000 - 300 * honba, 8000 + 300 * honba + 1000 * sticks, 0)


def test_many_melds() -> None:
    """A player has at most four melds and four norths, so that a hostile record takes no time."""
    document = record("three-players")
    actions = document["data"]["data"]["actions"]
    index = next(index for index, entry in enumerate(actions) if "RecordBaBei" in str(entry))
    actions[index:index] = [{"passed": 1, "result": {"name": ".lq.RecordBaBei", "data": {"seat": 2}}}] * 1000
    with pytest.raises(MahjongSoulError, match="more than 8 melds of a player"):
        match(document)


def test_unknown_record() -> None:
    """A record of an unknown kind is ignored, with a notice."""
    document = record("riichi")
    document["data"]["data"]["actions"].insert(6, {"passed": 1, "result": {"name": ".lq.RecordCheer", "data": {}}})
    notices: list[str] = []
    read_mahjong_soul(json.dumps(document).encode(), notice=notices.append)
    assert notices == ['unknown record "RecordCheer" ignored']


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
