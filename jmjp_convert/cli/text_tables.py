"""Lays out tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from jmjp_convert.cli.text_width import cut, width, wrapped

_COMFORTABLE = 40  # columns of the terminal for a text that wraps


class Column(NamedTuple):
    """A column of a table.

    :ivar cells: its texts, the heading first.
    :ivar right: whether they are aligned to the right.
    :ivar least: its least width in a narrow terminal; 0 for that of its longest text.
    :ivar wraps: whether its texts go on in the next line rather than being cut.
    """

    cells: Sequence[str]
    right: bool = False
    least: int = 0
    wraps: bool = False


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
        leasts = {place: max(column.least, least) for place, column in enumerate(columns) if column.wraps is wraps}
        _narrow(widths, {place: least for place, least in leasts.items() if columns[place].least}, room)
    return widths


def _narrow(widths: list[int], leasts: Mapping[int, int], room: int) -> None:
    """Narrow those columns that have a least width until the table fits into *room* columns, the widest first."""
    while sum(widths) + len(widths) - 1 > room:
        wide = [place for place, least in leasts.items() if widths[place] > least]
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
