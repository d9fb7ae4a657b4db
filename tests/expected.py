"""What a match must read back as."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jmjp_convert.formats import FORMATS
from jmjp_convert.model import Match


def expecting(to: str) -> Callable[..., Match]:
    """Return a function that returns what a match, written as the format *to* with options, must read back as."""

    def expected(match: Match, **options: Any) -> Match:
        holding = FORMATS[to].holding
        assert holding is not None
        expectation: Match = holding(**options).expected(match)
        return expectation

    return expected
