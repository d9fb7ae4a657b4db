"""Strings and comment values, which read back as they are written."""

from __future__ import annotations

import re
from itertools import chain
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tables import table

from jmjp_convert.formats.jmjp.comments import encoded
from jmjp_convert.formats.jmjp.notation import DIALECTS, Dialect, literal, storable, string
from jmjp_convert.model import Text
from jmjp_convert.model.yaku import LIMITS, NAMES
from jmjp_convert.play.outcome_text import ALL_NOTEN, BETWEEN_WINS, DRAWS, PAO, RON, TENPAI, TSUMO, UNFINISHED, WINDS

BETA = DIALECTS["1.0-beta"]
PLAIN = DIALECTS["1.0"]

dialects = st.sampled_from([*DIALECTS.values()])
odd_texts = st.text(st.sampled_from(["\\", '"', "/", "a", "天", "\n", "\x7f", "\x85", "]", ","]))
texts = st.text() | odd_texts

each_dialect = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)


def read(text: str, dialect: Dialect) -> tuple[str, str]:
    """Parse the string at the start of *text* by the grammar; return it and the rest."""
    character = r"""(?:\\"|[^"])""" if dialect.escapes else r"""[^"]"""
    match = re.match(rf'"({character}*?)"', text, re.DOTALL)
    assert match, text
    content = match[1].replace('\\"', '"') if dialect.escapes else match[1]
    return content, text[match.end() :]


@given(texts, dialects)
@example("\\", BETA)
@example('\\"', BETA)
@example('"\\', PLAIN)
@example("a\\\n", BETA)
@example("\\\\", PLAIN)
def test_round_trip(text: str, dialect: Dialect) -> None:
    """A string reads back as `held` says, and ends where it was closed."""
    assert read(string(text, dialect) + ',"next"', dialect) == (storable(text, dialect), ',"next"')


@given(texts, dialects)
@example("\\", PLAIN)
@example('\\"', PLAIN)
def test_one_reading(text: str, dialect: Dialect) -> None:
    """A written string is unambiguous: it ends at the same place with and without escapes."""
    written = string(text, dialect)
    assert not written[:-1].endswith("\\")
    assert read(written + "]", BETA)[1] == "]"
    if not dialect.escapes:
        assert read(written, PLAIN)[0] == read(written, BETA)[0]


@each_dialect
def test_words_of_outcomes(dialect: Dialect) -> None:
    """Every dialect holds the words of our own descriptions unchanged."""
    words = [*WINDS, *DRAWS.values(), *LIMITS.values(), *NAMES, TSUMO, RON, PAO, TENPAI, ALL_NOTEN]
    spoken = (
        "".join(chain.from_iterable(words))
        + f"{UNFINISHED.native}{UNFINISHED.roman}{BETWEEN_WINS}←飜符点 han, fu: -0123456789 points"
    )
    assert storable(spoken, dialect) == spoken


@given(texts, dialects)
def test_held_twice(text: str, dialect: Dialect) -> None:
    """A text that a dialect can hold is held unchanged."""
    assert storable(storable(text, dialect), dialect) == storable(text, dialect)


@given(texts, dialects)
def test_replacements(text: str, dialect: Dialect) -> None:
    """Only controls, quotes and backslashes are replaced, each by one character: U+FFFD or its wide form."""
    kept = storable(text, dialect)
    assert len(kept) == len(text)
    for before, after in zip(text, kept, strict=True):
        if before == after:
            assert not re.match("[\x00-\x1f\x7f-\x9f]", before)
            assert before != '"' or dialect.escapes
        else:
            assert after == {'"': "\uff02", "\\": "\uff3c"}.get(before, "\ufffd")
            assert re.match('[\x00-\x1f\x7f-\x9f"\\\\]', before)


@given(texts, dialects)
def test_written_string(text: str, dialect: Dialect) -> None:
    """A string is one line between quotes."""
    written = string(text, dialect)
    assert written[0] == written[-1] == '"'
    assert written.splitlines() == [written] or re.search("[\u2028\u2029]", written)


@pytest.mark.parametrize(("text", "plain", "beta"), table("jmjp_strings", "string"))
def test_string(text: str, plain: str, beta: str) -> None:
    """Only 1.0-beta can hold a quote; in every dialect a backslash before a quote becomes wide."""
    assert string(text, DIALECTS["0"]) == string(text, PLAIN) == plain
    assert string(text, BETA) == beta


@each_dialect
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, ""),
        (Text(), ""),
        (Text("天鳳"), 'snt["天鳳"]'),
        (Text(roman="Tenhou"), 'srm["Tenhou"]'),
        (Text("天鳳", "Tenhou"), 'snt["天鳳"]srm["Tenhou"]'),
        (Text("", ""), 'snt[""]srm[""]'),
    ],
)
def test_literal(text: Text | None, expected: str, dialect: Dialect) -> None:
    """A text is written in the scripts that it has, native first."""
    assert literal(text, dialect) == expected


def test_literal_of_a_dialect() -> None:
    """The strings of a text follow the dialect."""
    assert literal(Text('"', "\\"), PLAIN) == 'snt["\uff02"]srm["\uff3c"]'
    assert literal(Text('"', "\\"), BETA) == 'snt["\\""]srm["\uff3c"]'


@pytest.mark.parametrize(("value", "expected"), table("jmjp_strings", "encoded"))
def test_encoded(value: str | bytes | int, expected: str) -> None:
    """Exactly `%`, bytes up to 0x20, 0x7F, and bytes from 0x80 are percent-encoded."""
    assert encoded(value) == expected


@given(st.binary() | st.text())
def test_encoding_round_trip(value: str | bytes) -> None:
    """A value is written as one printable ASCII word and reads back unchanged."""
    written = encoded(value)
    assert unquote_to_bytes(written) == (value if isinstance(value, bytes) else value.encode())
    assert re.fullmatch("[!-~]*", written)


@given(st.binary())
def test_encoded_bytes(raw: bytes) -> None:
    """No other byte is encoded, and hexadecimal digits are upper case."""
    expected = "".join(chr(byte) if 0x20 < byte < 0x7F and byte != 0x25 else f"%{byte:02X}" for byte in raw)
    assert encoded(raw) == expected
