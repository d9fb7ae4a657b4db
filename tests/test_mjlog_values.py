"""Attribute values: numbers, tiles, names. They are accepted as Tenhou writes them, points also with a plus sign."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.mjlog import values


@pytest.mark.parametrize(("text", "expected"), table("mjlog_values", "number"))
def test_number(text: str, expected: int) -> None:
    """A whole number is accepted, with or without a minus sign."""
    assert values.number(text) == expected


@given(st.integers(-999_999_999, 999_999_999))
def test_every_number(value: int) -> None:
    """Every number of up to nine digits is read back."""
    assert values.number(str(value)) == value


@pytest.mark.parametrize("text", table("mjlog_values", "invalid_number"))
def test_invalid_number(text: str) -> None:
    """A number that Tenhou would not write is rejected, even if Python accepts it."""
    with pytest.raises(ConvertError) as refused:
        values.number(text)
    assert str(refused.value) == f"{text!r} is not a number"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("5", (5,)), ("1,2", (1, 2)), ("250,250,-32,12345", (250, 250, -32, 12345)), ("0,0,0,0", (0, 0, 0, 0))],
)
def test_numbers(text: str, expected: tuple[int, ...]) -> None:
    """Numbers are separated by commas."""
    assert values.numbers(text) == expected


@given(st.lists(st.integers(-99_999, 99_999), min_size=1))
def test_all_numbers(several: list[int]) -> None:
    """Any list of numbers is read back; as points, it is in hundreds."""
    text = ",".join(map(str, several))
    assert values.numbers(text) == tuple(several)
    assert values.points(text) == tuple(100 * value for value in several)


@pytest.mark.parametrize(
    ("text", "wrong"), [("", ""), ("1,,2", ""), (",", ""), ("1,", ""), ("1,x", "x"), ("1, 2", " 2")]
)
def test_invalid_numbers(text: str, wrong: str) -> None:
    """A list with anything else in it is rejected, as numbers and as points."""
    for read in (values.numbers, values.points):
        with pytest.raises(ConvertError) as refused:
            read(text)
        assert str(refused.value) == f"{wrong!r} is not a number"


def test_points_with_a_sign() -> None:
    """Points may have a plus sign, as tenhou-python-bot writes gains; other numbers may not."""
    assert values.points("250,+10,250,-10") == (25000, 1000, 25000, -1000)
    for text in ("+", "++1", "+-1", "+ 1"):
        with pytest.raises(ConvertError):
            values.points(text)


@pytest.mark.parametrize(("text", "expected"), table("mjlog_values", "thousands"))
def test_thousands(text: str, expected: int) -> None:
    """A result is read exactly, with or without a decimal."""
    assert values.thousands(text) == expected


@given(st.integers(-9_999_999, 9_999_999))
def test_every_tenth(value: int) -> None:
    """Every number with one decimal is read exactly."""
    assert values.thousands(str(Decimal(value) / 10)) == 100 * value


@pytest.mark.parametrize("text", table("mjlog_values", "invalid_tenths"))
def test_invalid_tenths(text: str) -> None:
    """Anything other than a number with at most one decimal is rejected."""
    with pytest.raises(ConvertError) as refused:
        values.thousands(text)
    assert str(refused.value) == f"{text!r} is not a number with at most one decimal"


@given(st.integers(0, 135))
def test_tile(tile: int) -> None:
    """Every tile is accepted."""
    assert values.tile(str(tile)) == tile
    assert values.tiles(str(tile)) == (tile,)


@pytest.mark.parametrize(
    "text", ["", "136", "-1", "01", "00", " 1", "1 ", "+1", "1.0", "5m", "\N{FULLWIDTH DIGIT ONE}"]
)
def test_invalid_tile(text: str) -> None:
    """Anything other than a tile is rejected."""
    with pytest.raises(ConvertError) as refused:
        values.tile(text)
    assert str(refused.value) == f"{text!r} is not a tile (0 to 135)"


@pytest.mark.parametrize(("text", "expected"), [("", ()), ("0", (0,)), ("135,0,16", (135, 0, 16)), ("1,1", (1, 1))])
def test_tiles(text: str, expected: tuple[int, ...]) -> None:
    """Tiles are in any order, separated by commas; an empty text has none."""
    assert values.tiles(text) == expected


@pytest.mark.parametrize(
    ("text", "wrong"), [("1,136", "136"), ("1,,2", ""), ("1,2,", ""), ("x", "x"), ("1, 2", " 2"), (",", "")]
)
def test_invalid_tiles(text: str, wrong: str) -> None:
    """A list with anything else in it is rejected."""
    with pytest.raises(ConvertError) as refused:
        values.tiles(text)
    assert str(refused.value) == f"{wrong!r} is not a tile (0 to 135)"


def test_pairs() -> None:
    """Pairs of numbers are in one list."""
    assert values.pairs("1,1,52,2") == ((1, 1), (52, 2))
    assert values.pairs("53,0") == ((53, 0),)


@pytest.mark.parametrize("text", ["1", "1,2,3"])
def test_odd_pairs(text: str) -> None:
    """A leftover number is rejected."""
    with pytest.raises(ConvertError) as refused:
        values.pairs(text)
    assert str(refused.value) == f"{text!r} is not a list of number pairs"


@pytest.mark.parametrize(("text", "expected"), table("mjlog_values", "name"))
def test_name(text: str, expected: str) -> None:
    """In a name, only `%XX` is decoded, and only once; its bytes are kept only if they are not UTF-8."""
    assert values.name(text) == (expected, None)


@given(st.text())
def test_every_name(text: str) -> None:
    """Any name is read back from its percent-encoded bytes."""
    assert values.name("".join(f"%{byte:02X}" for byte in text.encode())) == (text, None)


@given(st.binary())
def test_every_bytes(raw: bytes) -> None:
    """Bytes that are not UTF-8 become U+FFFD and are kept next to the name."""
    decoded, kept = values.name("".join(f"%{byte:02X}" for byte in raw))
    assert decoded == raw.decode("utf-8", "replace")
    assert kept == (None if decoded.encode() == raw else raw)


@pytest.mark.parametrize(
    ("text", "decoded", "raw"),
    [
        ("%FF", "\N{REPLACEMENT CHARACTER}", b"\xff"),
        ("A%80B", "A\N{REPLACEMENT CHARACTER}B", b"A\x80B"),
        ("%E5%A4", "\N{REPLACEMENT CHARACTER}", b"\xe5\xa4"),
        ("%ED%A0%80", "\N{REPLACEMENT CHARACTER}" * 3, b"\xed\xa0\x80"),
        ("%C0%AF", "\N{REPLACEMENT CHARACTER}" * 2, b"\xc0\xaf"),
    ],
)
def test_bad_name(text: str, decoded: str, raw: bytes) -> None:
    """Bad bytes of a name become U+FFFD, and its bytes are kept."""
    assert values.name(text) == (decoded, raw)


@pytest.mark.parametrize(("seed", "expected"), table("mjlog_values", "frame_of"))
def test_frame_of(seed: str, expected: str | None) -> None:
    """A frame has its name if its attributes show it."""
    assert values.frame_of({"seed": seed}) == expected


def test_frame_of_nothing() -> None:
    """Without a seed there is no name."""
    assert values.frame_of({}) is None
