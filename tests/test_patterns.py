"""Patterns that are compiled on first use."""

from __future__ import annotations

import re

import pytest

from jmjp_convert.patterns import regex


def test_methods() -> None:
    """Such a pattern has the methods of a compiled one, for text and for bytes."""
    digit = regex("[0-9]")
    assert digit.search("a1") is not None
    assert digit.match("a1") is None
    assert digit.fullmatch("12") is None
    assert digit.sub("x", "1a2") == "xax"
    assert digit.split("a1b") == ["a", "b"]
    assert [found[0] for found in digit.finditer("1a2")] == ["1", "2"]
    assert regex(b"[0-9]").match(b"1") is not None


def test_flags() -> None:
    """It has the flags that it is given."""
    assert regex("a", re.IGNORECASE).match("A") is not None


def test_first_use() -> None:
    """It is compiled when it is first used, not before."""
    wrong = regex("(")
    with pytest.raises(re.error):
        wrong.match("(")
