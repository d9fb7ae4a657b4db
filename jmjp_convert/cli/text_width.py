"""Measures the width of text on a terminal."""

from __future__ import annotations

import unicodedata

_NO_WIDTH = ("Mn", "Me", "Cf")  # combining marks and format characters


def columns(text: str) -> list[int]:
    """Return how many terminal columns each character of *text* takes."""
    kinds = ((unicodedata.category(character), unicodedata.east_asian_width(character)) for character in text)
    return [0 if category in _NO_WIDTH else 1 + (width in "WF") for category, width in kinds]


def width(text: str) -> int:
    """Return how many terminal columns *text* takes."""
    return sum(columns(text))
