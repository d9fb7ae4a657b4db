"""Whose rules a game has, from the name of its rules and its log ID."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from jmjp_convert.model import House, Rules, tenhou
from jmjp_convert.model.houses import is_ranked, named_rules, own_rules, own_uma

# --- Tenhou -----------------------------------------------------------------------------------------------------------


@given(st.integers(0, 0x7F).map(lambda bits: 2 * bits + 1))
def test_code_of(code: int) -> None:
    """Every rules number of a room follows from its short title, with or without the 四 of four players."""
    title, players = tenhou.short_title(code), tenhou.players(code)
    assert tenhou.code_of(title, players) == code
    assert tenhou.code_of(title.removeprefix("四"), players) == code


# --- Mahjong Soul -----------------------------------------------------------------------------------------------------


def test_name_of_numbers() -> None:
    """A name that might be split into numbers of rooms in many ways is recognized at once."""
    start = process_time()
    assert named_rules(":333333333333" * 20 + "!", 4, red_fives=None) is None
    assert process_time() - start < 1


# --- IDs --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("custom", "judged"), table("model_houses", "private_room_that_lists_its_settings"))
def test_private_room_that_lists_its_settings(custom: tuple[tuple[str, str], ...], *, judged: bool) -> None:
    """A private game of Mahjong Soul is judged if its record lists the settings, and none changes what a win pays."""
    private = Rules(4, house=House.MAHJONG_SOUL, custom=custom)
    assert (own_rules(private) is None) is judged
    assert is_ranked(private) is False
    assert own_uma(private) is not None
