"""Measures text on a terminal, and fits it to a width."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

_NO_WIDTH = ("Mn", "Me", "Cf")  # combining marks and format characters


def columns(text: str) -> list[int]:
    """Return how many terminal columns each character of *text* takes."""
    import unicodedata

    kinds = ((unicodedata.category(character), unicodedata.east_asian_width(character)) for character in text)
    return [0 if category in _NO_WIDTH else 1 + (width in "WF") for category, width in kinds]


def width(text: str) -> int:
    """Return how many terminal columns *text* takes."""
    return sum(columns(text))


def cut(text: str, room: int, more: str = "…") -> str:
    """Return *text*, or what of it fits into *room* columns with *more* behind it."""
    if width(text) <= room:
        return text
    return text[: sum(taken <= room - width(more) for taken in accumulate(columns(text)))] + more


def wrapped(text: str, room: int, indent: str = "") -> Iterator[str]:
    """Yield *text* in lines of at most *room* columns, broken at spaces where there are any; all but the first begin
    with *indent*."""
    start = len(text) - len(text.lstrip(" "))
    line = text[:start]
    for word in text[start:].split(" "):
        longer = f"{line} {word}" if line.strip() else line + word
        if width(longer) <= room:
            line = longer
            continue
        if line.strip():
            yield line
            line = indent
        line += word
        while width(line) > room:
            head = cut(line, room, "")
            yield head
            line = indent + line[len(head) :]
    if line.strip():
        yield line
