"""Reading records of Riichi City: recognition, places of problems, findings, and hostile input."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from tables import table

from jmjp_convert.checks.match import check_match
from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import RiichiCityError
from jmjp_convert.formats import detect
from jmjp_convert.formats.reading import Reading, read_content
from jmjp_convert.formats.riichi_city.notation import CARDS, RANKS, YAKU, YAKUMAN
from jmjp_convert.formats.riichi_city.reader import read_riichi_city
from jmjp_convert.formats.session import Locate
from jmjp_convert.model import DrawKind, House, Match, Ryuukyoku, Win, houses
from jmjp_convert.model.tiles import BY_NAME, FACES, NO_REDS, ONE_RED_EACH, PHYSICAL
from jmjp_convert.model.yaku import NAMES

FOLDER = Path(__file__).parent.parent / "fixtures" / "riichi-city" / "valid"


def content(name: str) -> bytes:
    """Return a fixture."""
    return (FOLDER / f"{name}.riichi-city.json").read_bytes()


def edited(name: str, change: Callable[[dict[str, Any]], None]) -> bytes:
    """Return a fixture whose ``data`` was changed."""
    answer = json.loads(content(name))
    change(answer["data"])
    return json.dumps(answer).encode()


def read(record: bytes, **options: Any) -> Match:
    """Return the match of *record*."""
    (match,) = read_riichi_city(record, **options)
    return match


# --- recognition ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("start", "name"), table("riichi_city_reader", "detected"))
def test_detected(start: bytes, name: str | None) -> None:
    """A record, the server's error and events without a head are recognised by content, and no other JSON is."""
    detected = detect(start)
    assert (detected and detected.name) == name


def test_any_name() -> None:
    """A record is read under any file name, and so is a list of records."""
    loaded = read_content(content("pao"), "x.txt", Reading(), pytest.fail)
    assert [len(match.frames) for match in loaded.matches] == [1]
    both = b"[" + content("pao") + b"," + content("data-alone") + b"]"
    assert [match.frames[0].start.name for match in read_riichi_city(both)] == ["W2-0", "E1-0"]


NOTEN, TENPAI = 0, 1
NAGASHI = 5
"""Who is noten and who is tenpai in the frame of `draws` with nagashi mangan, and the number of that frame."""


@pytest.mark.parametrize("also_tenpai", [False, True])
def test_nagashi_among_the_hands(*, also_tenpai: bool) -> None:
    """Nagashi mangan may be listed as a yaku of a player among those who are tenpai; only waits show a hand then."""

    def listed(data: dict[str, Any]) -> None:
        frame = data["handRecord"][NAGASHI]
        tenpai = json.loads(data["handRecord"][NAGASHI - 1]["handEventRecord"][-1]["data"])["win_info"][0]
        end = json.loads(frame["handEventRecord"][-1]["data"])
        users = [profit["user_id"] for profit in end["user_profit"]]
        assert tenpai["user_id"] == users[TENPAI]
        nagashi = {"fang_info": [{"fang_type": 30, "fang_num": 5}], "ting_card_list": None, "user_cards": [1, 1, 1]}
        if also_tenpai:
            end["win_info"] = [tenpai | nagashi | {"user_cards": tenpai["user_cards"], "ting_card_list": [24]}]
        else:
            end["win_info"] = [nagashi | {"user_id": users[NOTEN]}, tenpai]
        end["zhong_liu_info"] = []
        frame["handEventRecord"][-1]["data"] = json.dumps(end)

    draw = read(edited("draws", listed)).frames[NAGASHI].endings[0]
    assert isinstance(draw, Ryuukyoku)
    assert draw.kind is DrawKind.NAGASHI
    assert [hand is not None for hand in draw.shown or ()] == [False, True, False, False]


def test_no_indicators() -> None:
    """The event that lists the indicators of kans may list none."""

    def added(data: dict[str, Any]) -> None:
        events = data["handRecord"][0]["handEventRecord"]
        place = next(index for index, event in enumerate(events) if event["eventType"] == 4)
        events.insert(place, {"eventType": 7, "userId": 0, "data": json.dumps({"cards": None})})

    found, usual = read(edited("kans", added)), read(content("kans"))
    assert [frame.events for frame in found.frames] == [frame.events for frame in usual.frames]


def test_written_by_frame() -> None:
    """Games of private rooms are written as tenhou6 in every way, and the output is verified."""
    for path in sorted(FOLDER.glob("*.riichi-city.json")):
        match = read(path.read_bytes())
        for option in ("per_frame", "url"):
            assert written([match], Writing("tenhou6", **{option: True}), lambda _: None).content


def test_unknown_keys() -> None:
    """Keys that newer clients add are passed over."""

    def add(data: dict[str, Any]) -> None:
        data.update(gameMode=3, symbolEventRecord=[1])
        data["handRecord"][0]["players"][0].update(robotLevel=1, mortalModule=None)

    assert read(edited("pao", add)) == read(content("pao"))


# --- problems and their places ----------------------------------------------------------------------------------------


def test_findings() -> None:
    """Collected, each problem leaves out its frame, and the others are read."""
    text = content("draws").replace(rb"\"card\":9,", rb"\"card\":10,", 1)
    findings: list[RiichiCityError] = []
    match = read(text, finding=findings.append)
    assert [error.frame for error in findings] == ["E1-1"]
    assert [frame.start.name for frame in match.frames] == ["E1-0", *(f"E1-{number}" for number in range(2, 8))]


def test_places_of_the_match() -> None:
    """A problem of the whole match is where its value is: that of a frame in its events, of the result in the last."""
    located: list[Locate] = []
    match = read(content("draws"), locate=located)
    errors = [located[0](error) for error in check_match(match)]
    assert [(error.frame, error.pointer) for error in errors] == [  # type: ignore[attr-defined]
        ("E1-4", "/data/handRecord/4/handEventRecord/6/data"),
        ("E1-5", "/data/handRecord/5/handEventRecord/6/data"),
        ("E1-6", "/data/handRecord/6/handEventRecord/6/data"),
    ]
    late = read(content("double-ron").replace(rb"\"score\":900", rb"\"score\":901"), locate=located)
    (error,) = check_match(late)
    assert str(located[1](error)) == (
        "line 1: /data/handRecord/0/handEventRecord/9/data: the results add up to 0.1; 0 expected"
    )


# --- what a record holds ----------------------------------------------------------------------------------------------


def test_walls_are_kept() -> None:
    """A wall is read by face with its hash; one of the wrong length or with an unknown tile is refused."""
    wall = "".join(f"{rank}{suit}" * 4 for suit in "mps" for rank in range(1, 10)) + "".join(
        f"{rank}z" * 4 for rank in range(1, 8)
    )

    def put(text: str, digest: str = "0" * 64) -> bytes:
        def change(data: dict[str, Any]) -> None:
            data["handRecord"][0].update(handCardEncode=text, handCardsSHA256=digest)

        return edited("breaks-off", change)

    match = read(put(wall))
    assert match.rules.red_fives == NO_REDS
    wall_ = match.frames[0].wall
    assert wall_ is not None
    assert (len(wall_.tiles), wall_.dealt, wall_.algorithm, wall_.hash) == (136, True, "sha256", "0" * 64)
    assert read(put("0p" + wall[2:])).rules.red_fives == ONE_RED_EACH
    for text, digest, reason in (
        (wall[:-2], "0" * 64, "a wall of 270 characters; 272 expected"),
        ("0z" + wall[2:], "0" * 64, "a wall without a tile at character 1"),
        (wall, "x", 'expected a hash, 64 hexadecimal digits, found "x"'),
    ):
        with pytest.raises(RiichiCityError) as refused:
            read(put(text, digest))
        assert refused.value.reason == reason


def test_tables() -> None:
    """Every card, tile of a wall, yaku and rank has one meaning, and every tile and yaku of the game has a number."""
    assert sorted(CARDS.values()) == sorted(BY_NAME.values()) == list(range(PHYSICAL, PHYSICAL + len(FACES)))
    assert set(YAKU.values()) <= set(range(len(NAMES)))
    assert {YAKU[number] for number in YAKUMAN} >= {37, 38, *range(39, 52)}
    assert len(set(RANKS)) == len(RANKS) == 22


def test_title_shows_the_room() -> None:
    """The name of a ranked room, in either script, shows that the game is ranked; that of a private one no options."""
    for room, length, players in ((1, 1, 4), (4, 2, 3)):
        title = houses.riichi_city_title("ranked", room, length, players)
        for text in (title.native, title.roman):
            rules = houses.rules_of(text, None, players=players, red_fives=ONE_RED_EACH, lobby=None)
            assert (rules.house, rules.lobby, rules.custom) == (House.RIICHI_CITY, 0, ())
    private = houses.riichi_city_title("friends", 0, 2, 4)
    rules = houses.rules_of(private.native, "c0ffee00000000000000", players=4, red_fives=None, lobby=None)
    assert (rules.house, rules.lobby, rules.custom) == (House.RIICHI_CITY, None, (("title", "友人戦"),))


def test_ranked_game_stays_ranked() -> None:
    """A ranked game that is converted to tenhou6 is still judged by the rules of its room."""
    match = read(content("double-ron"))
    text = written([match], Writing("tenhou6"), lambda _: None).content
    again = read_content(text, "x.json", Reading(), pytest.fail).matches[0]
    assert (again.rules.house, again.rules.lobby) == (House.RIICHI_CITY, 0)
    assert houses.own_rules(again.rules) is None


@pytest.mark.parametrize(("head", "settings"), table("riichi_city_reader", "settings"))
def test_settings(head: dict[str, Any], settings: dict[str, str]) -> None:
    """Each option of the head that is not as in ranked games becomes a setting; unknown numbers are kept."""
    match = read(edited("breaks-off", lambda data: data.update(head)))
    assert dict(match.rules.custom) == {**settings, "pao for daiminkan": "off"}


def test_several_winners() -> None:
    """Two winners are in turn order after the discarder; the record has only the sum of their payments."""
    frame = read(content("double-ron")).frames[0]
    wins = [ending for ending in frame.endings if isinstance(ending, Win)]
    assert [(win.player, win.changes) for win in wins] == [(0, None), (2, None)]
    assert [[yaku.number for yaku in win.yaku] for win in wins] == [[20, 9, 52, 54], [49, 42]]


# --- hostile input ----------------------------------------------------------------------------------------------------


def _times(count: int) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        events = data["handRecord"][0]["handEventRecord"]
        events.extend([events[-1]] * count)

    return change


def test_many_events() -> None:
    """A frame of more events than any game has is refused."""
    with pytest.raises(RiichiCityError, match=r"2,006 values; at most 2000 expected"):
        read(edited("breaks-off", _times(2000)))


def _frames(count: int) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["handRecord"].extend(data["handRecord"] * count)


_HOSTILE: dict[str, Callable[[int], bytes]] = {
    "empty frames": lambda count: b'{"code": 0, "data": {"handRecord": [' + b"{}," * count + b'{}], "playerCount": 4}}',
    "lists in lists": lambda count: b'{"data": ' + b"[" * count,
    "frames": lambda count: edited("breaks-off", _frames(count // 1000)),
    "backslashes": lambda count: edited("breaks-off", lambda data: data.update(remark="\\" * count)),
    "keys after the code": lambda count: b'{"code": 1' + b'"message": "x", ' * count,
    "a long message": lambda count: b'{"message": "' + b"x" * count,
    "a long text": lambda count: b'{"handRecord": "' + b'\\"' * count,
}


@pytest.mark.parametrize("make", _HOSTILE.values(), ids=_HOSTILE)
def test_linear(make: Callable[[int], bytes]) -> None:
    """Whatever the input repeats, it is read or refused in time in proportion to its size."""

    def seconds(record: bytes) -> float:
        started = process_time()
        detect(record)
        with suppress(RiichiCityError):
            read_riichi_city(record)
        return process_time() - started

    small, large = make(20_000), make(160_000)
    least = min(seconds(small) for _ in range(3))
    assert min(seconds(large) for _ in range(3)) < 30 * least + 0.5
