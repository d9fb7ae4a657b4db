"""The binary form of records of Mahjong Soul: what is read from bytes, and the bounds on hostile ones."""

from __future__ import annotations

import pytest
from tables import table

from jmjp_convert.errors import MahjongSoulError
from jmjp_convert.formats import detect
from jmjp_convert.formats.json_values import WrongValue
from jmjp_convert.formats.mahjong_soul import messages
from jmjp_convert.formats.mahjong_soul.messages import decoded, named
from jmjp_convert.formats.mahjong_soul.reader import read_mahjong_soul

NAME = b".lq.GameDetailRecords"


def field(number: int, content: bytes) -> bytes:
    """Return a field of bytes, at most 2**14 of them."""
    size = len(content)
    length = bytes([size]) if size < 1 << 7 else bytes([size & 0x7F | 0x80, size >> 7])
    return bytes([number << 3 | 2]) + length + content


def wrapped(name: bytes, content: bytes) -> bytes:
    """Return *content* in a wrapper."""
    return field(1, name) + field(2, content)


def test_decoded() -> None:
    """Fields have their names, lists come packed or not, the last single value counts, unknown fields are skipped."""
    data = (
        b"\x08\x01\x08\x02" + field(5, b"\x80\x01") + b"\x28\x05" + field(7, b"1m") + field(7, b"0p") + b"\xf8\x07\x01"
    )
    assert decoded(data, "RecordNewRound") == {"chang": 2, "scores": [128, 5], "tiles0": ["1m", "0p"]}


@pytest.mark.parametrize(
    ("data", "message", "reason", "pointer"),
    table("mahjong_soul_messages", "invalid_values", vars(messages) | globals()),
)
def test_invalid_values(data: bytes, message: str, reason: str, pointer: str) -> None:
    """Values of the wrong kind, and lists that are too long, are rejected at their place."""
    with pytest.raises(WrongValue) as refused:
        decoded(data, message)
    assert (refused.value.reason, refused.value.pointer) == (reason, pointer)


def test_depth() -> None:
    """Messages within messages that the table does not have are skipped, however deep."""
    deep = b""
    for _ in range(2000):
        deep = field(12, deep)
        if len(deep) > (1 << 14) - 10:
            break
    assert decoded(field(12, deep), "Wrapper") == {}


def test_wrapper_in_a_wrapper() -> None:
    """A wrapper has no other wrapper in it, however many there are."""
    deep = b"\x1a\x04\x0a\x02id"
    for _ in range(1000):
        deep = field(2, deep)
    assert detect(deep) is None
    with pytest.raises(MahjongSoulError, match=r"^not a record of Mahjong Soul$"):
        read_mahjong_soul(b"\x03\x00\x00\x0a\x00" + deep)


def test_keys() -> None:
    """The keys of JSON are read in every spelling; a null counts as missing."""
    values = {"part_point_1": 1, "totalPoint": 2, "SEAT": 3, "gold": 4, "gradingScore": None}
    assert named(values, "Placed") == {"part_point_1": 1, "total_point": 2, "seat": 3}


@pytest.mark.parametrize(("content", "message"), table("mahjong_soul_messages", "refused"))
def test_refused(content: bytes, message: str) -> None:
    """What is no record of a game, or not whole, is refused in one line."""
    with pytest.raises(MahjongSoulError) as refused:
        read_mahjong_soul(content)
    line = refused.value.about("x")
    assert message in line
    assert "\n" not in line
