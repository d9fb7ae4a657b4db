"""The pattern of a row of parts matches exactly what the parts match one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from jmjp_convert.errors import JmjpError
from jmjp_convert.formats.jmjp.grammar import FOUR_POINTS, TEXT, Row, optional_parts, tiles, value, word
from jmjp_convert.formats.jmjp.lexer import Script

ROW = Row(
    word("frm["),
    optional_parts(value("[1-6]-[1-6]", "two dice such as 3-4")),
    optional_parts(word("pfs["), FOUR_POINTS),
    optional_parts(tiles(2)),
    TEXT,
    word("]"),
)
FULL = 'frm[3-4,pfs[25.0,-1.5,25.0,51.5],1muk,snt["天"]srm["sky"]]'
PIECES = ("", ",", "[", "]", "0", "-", ".", "1m", "uk", "9x", '"', "snt[", "pfs[", "3-4", "25.0", "é", "\x00")


def script(text: str) -> Script:
    """Return *text* as a script."""
    return Script(text)


def test_groups() -> None:
    """The values are groups of the match, ``None`` for a part that is left out."""
    found = ROW.match(script(FULL).text, 0)
    assert found is not None
    assert found.groups() == ("3-4", "25.0,-1.5,25.0,51.5", "1muk", '"', '"')
    found = ROW.match("frm[,,,]", 0)
    assert found is not None
    assert found.groups() == (None, None, None, None, None)


@pytest.mark.parametrize(("text", "message"), table("jmjp_grammar", "missing"))
def test_missing(text: str, message: str) -> None:
    """The error for a missing part says what was expected and what was found."""
    assert ROW.match(script(text).text, 0) is None
    assert str(ROW.error(script(text), 0)) == message


@given(st.lists(st.tuples(st.integers(0, len(FULL)), st.integers(0, 6), st.sampled_from(PIECES)), max_size=3))
def test_one_grammar(edits: list[tuple[int, int, str]]) -> None:
    """Pattern and parts match up to the same place, except that the pattern may match invalid tiles."""
    text = FULL
    for place, length, piece in edits:
        text = text[:place] + piece + text[place + length :]
    taken = script(text)
    found = ROW.match(taken.text, 0)
    end, missing = None, ""
    try:
        end = ROW.after(taken, 0)
    except JmjpError as error:
        missing = str(error)
    assert end == (None if found is None else found.end()) or "expected a tile" in missing
