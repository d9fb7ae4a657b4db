"""How wide text is on a terminal, and tables of text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, zip_longest
from typing import NamedTuple

# --- widths -----------------------------------------------------------------------------------------------------------

_NO_WIDTH = ("Mn", "Me", "Cf")  # combining marks and format characters


def columns(text: str) -> list[int]:
    """Return how many terminal columns each character of *text* takes."""
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
    """Yield *text* in lines of at most *room* columns, broken at spaces and Japanese commas where there are any; all
    but the first begin with *indent*."""
    start = len(text) - len(text.lstrip(" "))
    line = text[:start]
    for gap, word in _words(text[start:]):
        longer = line + gap + word if line.strip() else line + word
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


def _words(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of *text* that are not broken, each with what is between it and the one before."""
    for spaced in text.split(" "):
        first, *others = spaced.replace("、", "、\n").rstrip("\n").split("\n")
        yield " ", first
        yield from (("", other) for other in others)


# --- tables -----------------------------------------------------------------------------------------------------------

_COMFORTABLE = 40  # columns of the terminal for a text that wraps


class Column(NamedTuple):
    """A column of a table."""

    cells: Sequence[str]  # its texts, the heading first
    right: bool = False  # whether they are aligned to the right
    least: int = 0  # its least width in a narrow terminal; 0 for that of its longest text
    wraps: bool = False  # whether its texts go on in the next line rather than being cut


def table(columns: Sequence[Column], room: int, more: str) -> Iterator[list[str]]:
    """Yield each row of *columns* as lines of at most *room* columns, unless the least widths need more.

    Columns that wrap are narrowed first, to a comfortable width, then the widest of the others.

    :param more: what replaces the rest of a text that is cut.
    """
    widths = _widths(columns, room)
    between = "  " if sum(widths) + 2 * (len(widths) - 1) <= room else " "
    for cells in zip(*(column.cells for column in columns), strict=True):
        yield [between.join(line).rstrip() for line in _lines(cells, columns, widths, more)]


def fits(columns: Sequence[Column], room: int) -> bool:
    """Return whether a table of *columns* can be as narrow as *room* columns of the terminal."""
    return sum(_widths(columns, room)) + len(columns) - 1 <= room


def _widths(columns: Sequence[Column], room: int) -> list[int]:
    widths = [max(map(width, column.cells)) for column in columns]
    for wraps, least in ((True, _COMFORTABLE), (False, 0), (True, 0)):
        leasts = {index: max(column.least, least) for index, column in enumerate(columns) if column.wraps is wraps}
        _narrow(widths, {index: least for index, least in leasts.items() if columns[index].least}, room)
    return widths


def _narrow(widths: list[int], leasts: Mapping[int, int], room: int) -> None:
    """Narrow those columns that have a least width until the table fits into *room* columns, the widest first."""
    while sum(widths) + len(widths) - 1 > room:
        wide = [index for index, least in leasts.items() if widths[index] > least]
        if not wide:
            return
        widths[max(wide, key=widths.__getitem__)] -= 1


def _lines(cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int], more: str) -> Iterator[list[str]]:
    """Yield the lines of a row, each as its padded cells."""
    parts = (
        [*wrapped(cell, room)] or [""] if column.wraps else [cut(cell, room, more)]
        for cell, column, room in zip(cells, columns, widths, strict=True)
    )
    for line in zip_longest(*parts, fillvalue=""):
        yield [_padded(*cell) for cell in zip(line, columns, widths, strict=True)]


def _padded(text: str, column: Column, room: int) -> str:
    gap = " " * (room - width(text))
    return gap + text if column.right else text + gap


def distinct(names: Sequence[str], room: int) -> int:
    """Return the least number of terminal columns, *room* or more, to which *names* can be cut so that no two different
    ones look the same."""
    while len({cut(name, room) for name in names}) < len(set(names)):
        room += 1
    return room
