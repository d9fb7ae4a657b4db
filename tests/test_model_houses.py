"""Whose rules a game has, from the name of its rules and its log ID."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from jmjp_convert.model import House, Rules, log_ids, tenhou
from jmjp_convert.model.houses import is_ranked, mahjong_soul_rules, own_rules, own_uma, rules_of
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, RedFives

SOUL_ID = "231014-0123abcd-b3f7-4363-966e-25f378860000"
TENHOU_ID = "2022080600gm-00a9-0000-01234567"


def rules(
    name: str | None = None,
    log_id: str | None = None,
    *,
    players: int = 4,
    red_fives: RedFives | None = None,
    lobby: int | None = None,
) -> Rules:
    """Return the rules of a game."""
    return rules_of(name, log_id, players=players, red_fives=red_fives, lobby=lobby)


def soul(*, players: int = 4, red_fives: RedFives | None = None, lobby: int | None = 0, private: str = "") -> Rules:
    """Return rules of Mahjong Soul."""
    return Rules(players, red_fives, None, lobby, (("title", private),) if private else (), House.MAHJONG_SOUL)


# --- Tenhou -----------------------------------------------------------------------------------------------------------


@given(st.integers(0, 0x7F).map(lambda bits: 2 * bits + 1))
def test_code_of(code: int) -> None:
    """Every rules number of a room follows from its short title, with or without the 四 of four players."""
    title, players = tenhou.short_title(code), tenhou.players(code)
    assert tenhou.code_of(title, players) == code
    assert tenhou.code_of(title.removeprefix("四"), players) == code


@pytest.mark.parametrize(
    ("title", "players"),
    [("南喰赤", 4), ("三鳳南喰赤", 4), ("四鳳南喰赤", 3), ("鳳南喰赤祝", 4), ("玉の間南喰赤", 4), ("", 4)],
)
def test_no_code(title: str, players: int) -> None:
    """A title without a room, of another number of players, or with other words has no rules number."""
    assert tenhou.code_of(title, players) is None


@pytest.mark.parametrize(("name", "log_id", "code"), table("model_houses", "tenhou"))
def test_tenhou(name: str | None, log_id: str | None, code: int) -> None:
    """Tenhou's number is that of the log ID, or follows from the name; the lobby is that recorded, or the ID's."""
    players = tenhou.players(code)
    assert rules(name, log_id, players=players, lobby=7) == tenhou.rules(code, 7)
    assert rules(name, log_id, players=players) == tenhou.rules(code, None if log_id is None else 0)


@pytest.mark.parametrize(
    ("name", "log_id", "players", "red_fives"),
    [
        ("特南喰赤", TENHOU_ID, 4, None),
        (None, TENHOU_ID, 3, None),
        ("鳳南喰赤", None, 4, NO_REDS),
        ("鳳南喰", None, 4, ONE_RED_EACH),
    ],
)
def test_contradiction(name: str | None, log_id: str | None, players: int, *, red_fives: RedFives | None) -> None:
    """A number is not taken if name and ID disagree, or if it means other players or red fives."""
    found = rules(name, log_id, players=players, red_fives=red_fives, lobby=0)
    assert found == Rules(players, red_fives, lobby=0, house=House.TENHOU)


@pytest.mark.parametrize("name", [None, "", "MyMahjong", "南喰赤", "三南喰", "雀荘"])
def test_unknown(name: str | None) -> None:
    """Any other name says nothing of the house, and what is recorded besides is kept."""
    assert rules(name, "no ID", red_fives=NO_REDS, lobby=3) == Rules(4, red_fives=NO_REDS, lobby=3)


# --- Mahjong Soul -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", table("model_houses", "ranked_room"))
def test_ranked_room(name: str) -> None:
    """The rooms of ranked games are known by their names in several languages; they have lobby 0."""
    assert rules(name, lobby=5) == soul(red_fives=ONE_RED_EACH)
    assert rules(name, red_fives=NO_REDS) == soul(red_fives=NO_REDS)


@pytest.mark.parametrize(
    ("name", "private", "red_fives"),
    [
        ("友人戦南喰赤", "友人戦", ONE_RED_EACH),
        ("友人戦東喰", "友人戦", None),
        ("大会戦南喰赤: 12345", "大会戦", ONE_RED_EACH),
        ("Friendly South Aka Nashi", "Friendly", NO_REDS),
        ("3-Player Tounament East No Red Fives", "Tounament", NO_REDS),
    ],
)
def test_private_room(name: str, private: str, *, red_fives: RedFives | None) -> None:
    """A private room may have rules of its own, of which the word is kept."""
    assert rules(name) == soul(red_fives=red_fives, lobby=None, private=private)


def test_room_without_red_fives_said() -> None:
    """A name in English does not say that there are red fives."""
    assert rules("Gold Room South") == soul()


@pytest.mark.parametrize("name", ["Gold", "銅の間です", "A Gold Room", "Gold Room: x"])
def test_other_name(name: str) -> None:
    """A name with other words is not one of Mahjong Soul's."""
    assert mahjong_soul_rules(name, 4, red_fives=None) is None


def test_name_of_numbers() -> None:
    """A name that might be split into numbers of rooms in many ways is recognized at once."""
    start = process_time()
    assert mahjong_soul_rules(":333333333333" * 20 + "!", 4, red_fives=None) is None
    assert process_time() - start < 1


@pytest.mark.parametrize("name", [None, "MyMahjong", "鳳南喰赤"])
@pytest.mark.parametrize("log_id", [SOUL_ID, f"{SOUL_ID}_a12345678"])
def test_soul_id(name: str | None, log_id: str) -> None:
    """A log ID of Mahjong Soul tells the house, whatever the name; the room is unknown then."""
    assert rules(name, log_id, players=3, lobby=0) == soul(players=3, lobby=None)
    assert rules("玉の間南喰赤", log_id) == soul(red_fives=ONE_RED_EACH)


def test_tenhou_id_with_a_room() -> None:
    """A log ID of Tenhou tells the house though the name is a room of Mahjong Soul."""
    assert rules("玉の間南喰赤", TENHOU_ID) == tenhou.rules(169, 0)


# --- IDs --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TENHOU_ID, (House.TENHOU, "20220806")),
        ("2022130600gm-00a9-0000-01234567", (House.TENHOU, None)),
        (SOUL_ID, (House.MAHJONG_SOUL, "20231014")),
        (f"{SOUL_ID}_a12345678", (House.MAHJONG_SOUL, "20231014")),
        (f"{SOUL_ID}_a12345678_2", (House.MAHJONG_SOUL, "20231014")),
        (SOUL_ID.replace("1014", "1314"), (House.MAHJONG_SOUL, None)),
        *[(text, None) for text in (TENHOU_ID.upper(), f"a {TENHOU_ID}", SOUL_ID.upper(), f"{SOUL_ID}_b1", "", "x")],
    ],
)
def test_identify(text: str, expected: tuple[House, str | None] | None) -> None:
    """A log ID of either house is known by its form and tells the date, if it is one."""
    assert log_ids.identify(text) == (expected and log_ids.Identity(*expected))


@pytest.mark.parametrize(
    ("custom", "judged"),
    [
        ((("game", "友人戦"),), True),
        ((("game", "友人戦"), ("init_point", "30000"), ("dora_count", "4")), True),
        ((("game", "友人戦"), ("shiduan", "0")), False),
        ((("game", "友人戦"), ("guyi_mode", "1")), False),
        ((("title", "友人戦"),), False),
    ],
)
def test_private_room_that_lists_its_settings(custom: tuple[tuple[str, str], ...], *, judged: bool) -> None:
    """A private game of Mahjong Soul is judged if its record lists the settings, and none changes what a win pays."""
    private = Rules(4, house=House.MAHJONG_SOUL, custom=custom)
    assert (own_rules(private) is None) is judged
    assert is_ranked(private) is False
    assert own_uma(private) is not None
