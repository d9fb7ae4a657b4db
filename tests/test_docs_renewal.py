"""How the recorded output of an example is renewed."""

from __future__ import annotations

import pytest
from docs_pages import cells
from docs_sessions import merge


@pytest.mark.parametrize("expected", ["", "one\n", "one\n…\nfour\n", "o…\nfour\n", "…e\ntwo\nthree\n…\n", "…\n"])
def test_what_matches_stays(expected: str) -> None:
    """Text that matches is kept, with what it leaves out."""
    actual = "one\ntwo\nthree\nfour\n" if "…" in expected else expected
    assert merge(expected, actual) == (expected, [])


def test_complete_text_is_replaced() -> None:
    """Text that leaves nothing out becomes the output."""
    assert merge("a is b\nc\n", "a was b\n") == ("a was b\n", [])


@pytest.mark.parametrize(
    ("expected", "actual", "merged"),
    [
        ("3 games done\n… seconds\n", "3 games converted\n0.4 seconds\n", "3 games converted\n… seconds\n"),
        ("… seconds\nsee log.txt\n", "4 seconds\nmore\nsee log.txt\n", "… seconds\nmore\nsee log.txt\n"),
        ("gone\n… seconds\n", "4 seconds\n", "… seconds\n"),
        ("old 1\n…\nold 2\n", "new 1\na\nb\nnew 2\n", "new 1\n…\nnew 2\n"),
        ("a word\n{\n  …\n", "the words\n{\n  1\n}\n", "the words\n{\n  …\n"),
    ],
)
def test_other_lines_are_renewed(expected: str, actual: str, merged: str) -> None:
    """Around lines that leave something out and still match, the rest is renewed."""
    assert merge(expected, actual) == (merged, [])


def test_what_no_longer_matches_is_reported() -> None:
    """A line that leaves something out and no longer matches stays, and is a problem."""
    text, problems = merge("games: 3\n… seconds\n", "3 games\n0.4 s in all\n")
    assert text == "3 games\n… seconds\n"
    assert problems == ["expected '… seconds', found '0.4 s in all'"]


def test_cells() -> None:
    """A bar that is escaped does not end a cell."""
    assert cells(r"| `a\|b` | | c |") == [r"`a\|b`", "", "c"]
