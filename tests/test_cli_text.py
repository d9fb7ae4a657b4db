"""The width of text on a terminal."""

from __future__ import annotations

import pytest

from jmjp_convert.cli.console import columns, width


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("aZ~ ", [1, 1, 1, 1]),
        ("é", [1]),
        ("天鳳", [2, 2]),
        ("あア", [2, 2]),
        ("ｱ", [1]),
        ("\uff21\uff02\u3000", [2, 2, 2]),
        ("😀", [2]),
        ("e\u0301", [1, 0]),
        ("が", [2]),
        ("か\u3099", [2, 0]),
        ("\u200b\u202e\ufeff", [0, 0, 0]),
        ("\u20dd", [0]),
        ("ⓐα", [1, 1]),
    ],
)
def test_columns(text: str, expected: list[int]) -> None:
    """A character takes one column, a wide one two, a combining or format character none."""
    assert columns(text) == expected
    assert width(text) == sum(expected)
