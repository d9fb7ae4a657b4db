"""Tenhou's log IDs, rule numbers and their names."""

from __future__ import annotations

import re
from itertools import chain
from math import sin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from jmjp_convert.model import House, Rules, Text, dates, log_ids, tenhou
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, RedFives

ID = "2011020417gm-00a9-0000-b67fcaa3"


@pytest.mark.parametrize(("text", "expected"), table("model_tenhou", "find_id"))
def test_find_id(text: str, expected: tuple[str, str | None, int]) -> None:
    """A log ID is found alone, in a file name or in a URL, and gives the day, lobby and rules."""
    found = log_ids.find_id(text)
    assert found is not None
    assert (found.text, found.date, found.lobby) == expected
    assert found.rules == int(expected[0].split("-")[1], 16)


@pytest.mark.parametrize(("text", "expected"), table("model_tenhou", "parse_id"))
def test_parse_id(text: str, expected: str) -> None:
    """A bare ID is parsed; a scrambled one is unscrambled if its date determines the key (docs/design/archives.md, Log
    IDs)."""
    found = log_ids.parse_id(text)
    assert found is not None
    assert found.text == expected


@pytest.mark.parametrize("text", ["", f" {ID}", f"{ID}.xml", f"../{ID}", f"{ID}\n", f"{ID} {ID}"])
def test_parse_nothing(text: str) -> None:
    """Text around an ID makes parsing fail."""
    assert log_ids.parse_id(text) is None


def test_keys() -> None:
    """All 34 keys are reachable: after the two used by the IDs above, they are the halves of MD5's constants."""
    constants = [int(abs(sin(number)) * (1 << 32)) for number in range(1, 17)]  # RFC 1321, 3.4
    keys = [0x5678, 0xCDEF, *chain.from_iterable(divmod(constant, 1 << 16) for constant in constants)]
    days = (f"2019{month:02}{day:02}00" for month in range(1, 13) for day in range(1, 29))
    reached = {int(f"3{day[4:]}") % 33: day for day in days}  # the key of an hour that ends in 0
    assert len(reached) == 33
    for number, day in reached.items():
        last = f"{keys[number]:04x}{keys[number] ^ keys[number + 1]:04x}"
        assert log_ids.unscrambled(f"{day}gm-00a9-0000-x000000000000") == f"{day}gm-00a9-0000-{last}"


def test_keys_change() -> None:
    """From a certain hour on, the key depends on the date."""
    before, after = (log_ids.unscrambled(f"20100411{hour}gm-0089-0000-x666f4d41e26b") for hour in (10, 11))
    assert before.removeprefix("2010041110") != after.removeprefix("2010041111")


@pytest.mark.parametrize(
    "text", ["", "-x666f4d41e26b", "abcdefghijkl-0089-0000-x666f4d41e26b", "2012090306-0-x666f4d41e26b"]
)
def test_not_scrambled(text: str) -> None:
    """Anything other than a scrambled ID is returned unchanged."""
    assert log_ids.unscrambled(text) == text


def test_find_ids() -> None:
    """All IDs in a text are found, in order."""
    other = ID.replace("a9", "e1")
    assert [found.text for found in log_ids.find_ids(f"<{ID}>,{other}{ID}x {other}&tw=1")] == [ID, other]


@pytest.mark.parametrize(("code", "players"), [(0x00A9, 4), (0x00E1, 4), (0x00B9, 3), (0x0001, 4)])
def test_players(code: int, players: int) -> None:
    """The rules number determines the number of players."""
    assert tenhou.players(code) == players


@pytest.mark.parametrize(
    ("code", "kuitan", "tonpuu"),
    [(0x0001, True, True), (0x0009, True, False), (0x0005, False, True), (0x00AF, False, False), (0x0841, True, True)],
)
def test_rules_of_a_code(code: int, *, kuitan: bool, tonpuu: bool) -> None:
    """The rules number determines open tanyao and the length of the match."""
    assert (tenhou.has_open_tanyao(code), tenhou.is_east_only(code)) == (kuitan, tonpuu)


@pytest.mark.parametrize("text", table("model_tenhou", "no_id"))
def test_no_id(text: str) -> None:
    """A text without a complete ID has none."""
    assert log_ids.find_id(text) is None


@pytest.mark.parametrize(("day", "expected"), table("model_tenhou", "weekday"))
def test_weekday(day: str, expected: str | None) -> None:
    """A valid date has a weekday; an invalid one has none."""
    assert dates.weekday(day) == expected


@pytest.mark.parametrize(
    ("code", "players", "red_fives"),
    [
        (9, 4, ONE_RED_EACH),
        (41, 4, ONE_RED_EACH),
        (11, 4, NO_REDS),
        (185, 3, ONE_RED_EACH),
        (187, 3, NO_REDS),
        (0, 4, ONE_RED_EACH),
        (1 << 20, 4, ONE_RED_EACH),
    ],
)
def test_rules(code: int, players: int, *, red_fives: RedFives) -> None:
    """The rules number determines the players and the red fives, and is kept."""
    assert tenhou.rules(code, 7) == Rules(players=players, red_fives=red_fives, code=code, lobby=7, house=House.TENHOU)


def test_custom_rules() -> None:
    """The settings of a private table are kept unchanged."""
    custom = (("title", "cup"), ("rule", "x"))
    assert tenhou.rules(9, None, custom) == Rules(code=9, lobby=None, custom=custom, house=House.TENHOU)


@pytest.mark.parametrize(("code", "lobby", "native", "roman"), table("model_tenhou", "title"))
def test_title(code: int, lobby: int | None, native: str, roman: str) -> None:
    """Rules have their usual name, without the room if the number has bits of other tables."""
    assert tenhou.title(code, lobby) == Text(f"天鳳 {native}", f"Tenhou {roman}")


@given(st.integers(0, 1 << 31), st.none() | st.integers(0, 99999))
def test_every_code(code: int, lobby: int | None) -> None:
    """Every rules number is accepted, and no part of its name is missing."""
    name = tenhou.title(code, lobby)
    assert tenhou.rules(code, lobby).code == code
    assert name.roman is not None
    assert "  " not in name.roman
    assert ", ," not in name.roman
    assert name.roman == name.roman.strip(" ,")


def test_name() -> None:
    """Tenhou's name is available in both scripts."""
    assert Text("天鳳", "Tenhou") == tenhou.NAME


@pytest.mark.parametrize(
    ("code", "title"), [(169, "四鳳南喰赤"), (185, "三鳳南喰赤"), (79, "四般南速"), (553, "四南喰赤")]
)
def test_short_title(code: int, title: str) -> None:
    """The short title omits the place and the lobby."""
    assert tenhou.short_title(code) == title


@pytest.mark.parametrize(("text", "value"), table("model_tenhou", "rating"))
def test_rating(text: str, value: float) -> None:
    """A rating is a number, an integer if recorded without decimals, and is written back unchanged."""
    found = tenhou.rating(text)
    assert (found, type(found)) == (value, type(value))
    assert tenhou.rating_text(found) == text


@pytest.mark.parametrize(
    "text", ["", "x", "1e9", "nan", "inf", "1.", ".5", "+1", " 1", "1 ", "1,5", "1234567890", "999999999.9999999999"]
)
def test_not_a_rating(text: str) -> None:
    """Anything but a plain number is rejected as a rating."""
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        tenhou.rating(text)


@given(st.floats(-999_999_999, 999_999_999))
def test_every_rating(value: float) -> None:
    """A rating is written with two decimals, or as many more as it takes to keep its value, and never with an
    exponent."""
    text = tenhou.rating_text(value)
    assert re.fullmatch(r"-?[0-9]+\.[0-9]{2,}", text)
    assert tenhou.rating(text) == value


def test_ranks() -> None:
    """There are 21 ranks: newcomer, nine kyu, ten dan and tenhou."""
    assert len(set(tenhou.RANKS)) == 21
    assert (tenhou.RANKS[0], tenhou.RANKS[10], tenhou.RANKS[19], tenhou.RANKS[20]) == ("新人", "初段", "十段", "天鳳")
