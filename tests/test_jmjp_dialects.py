"""jmjp's dialects and points."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp.notation import DEFAULT_DIALECT, DIALECTS, points


@pytest.mark.parametrize(("value", "text"), table("jmjp_dialects", "points"))
def test_points(value: int, text: str) -> None:
    """Points are written in thousands with one decimal, negative ones with one minus sign."""
    assert points(value) == text


@given(st.integers(-(10**9), 10**9))
def test_every_number_of_points(hundreds: int) -> None:
    """Any whole hundreds of points are written exactly, in their only form."""
    value = 100 * hundreds
    assert re.fullmatch(r"-?(0|[1-9][0-9]*)\.[0-9]", points(value))
    assert Decimal(points(value)) == Decimal(value) / 1000
    assert points(value) != "-0.0"


@pytest.mark.parametrize("value", [1, 25050, -99, -100_001])
def test_not_whole_hundreds(value: int) -> None:
    """Points that need a second decimal are rejected."""
    with pytest.raises(FormatError) as rejected:
        points(value)
    assert str(rejected.value) == f"{value} points; jmjp can hold only whole hundreds"


def test_dialects() -> None:
    """There are three dialects, two of which share a header; 1.0 is the default."""
    assert {name: dialect.version for name, dialect in DIALECTS.items()} == {"0": "0", "1.0": "1.0", "1.0-beta": "1.0"}
    assert DEFAULT_DIALECT == "1.0"


@pytest.mark.parametrize(
    ("name", "comments", "all_tiles", "escapes", "brackets", "ron", "tenpai"),
    [
        ("0", False, False, False, "[]", "ro", False),
        ("1.0", True, True, False, "()", "ro", False),
        ("1.0-beta", True, True, True, "()", "rn", True),
    ],
)
def test_dialect(
    name: str, brackets: str, ron: str, *, comments: bool, all_tiles: bool, escapes: bool, tenpai: bool
) -> None:
    """Each dialect has its own features."""
    dialect = DIALECTS[name]
    assert (dialect.comments, dialect.all_tiles, dialect.escapes) == (comments, all_tiles, escapes)
    assert (dialect.name, dialect.ron, dialect.tenpai) == (brackets, ron, tenpai)
