"""Tenhou's log IDs, rule numbers and their names."""

from __future__ import annotations

import re
from itertools import chain
from math import sin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from jmjp_convert.model import log_ids, tenhou

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


def test_find_ids() -> None:
    """All IDs in a text are found, in order."""
    other = ID.replace("a9", "e1")
    assert [found.text for found in log_ids.find_ids(f"<{ID}>,{other}{ID}x {other}&tw=1")] == [ID, other]


@given(st.integers(0, 1 << 31), st.none() | st.integers(0, 99999))
def test_every_code(code: int, lobby: int | None) -> None:
    """Every rules number is accepted, and no part of its name is missing."""
    name = tenhou.title(code, lobby)
    assert tenhou.rules(code, lobby).code == code
    assert name.roman is not None
    assert "  " not in name.roman
    assert ", ," not in name.roman
    assert name.roman == name.roman.strip(" ,")


@given(st.floats(-999_999_999, 999_999_999))
def test_every_rating(value: float) -> None:
    """A rating is written with two decimals, or as many more as it takes to keep its value, and never with an
    exponent."""
    text = tenhou.rating_text(value)
    assert re.fullmatch(r"-?[0-9]+\.[0-9]{2,}", text)
    assert tenhou.rating(text) == value
