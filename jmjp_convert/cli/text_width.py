"""Measures how many columns text takes on a terminal."""

from __future__ import annotations

import unicodedata

_NO_WIDTH = ("Mn", "Me", "Cf")  # what combines with another character, or steers it


def columns(text: str) -> list[int]:
    """Return how many columns of a terminal each character of *text* takes."""
    kinds = ((unicodedata.category(character), unicodedata.east_asian_width(character)) for character in text)
    return [0 if category in _NO_WIDTH else 1 + (width in "WF") for category, width in kinds]


def width(text: str) -> int:
    """Return how many columns of a terminal *text* takes."""
    return sum(columns(text))
