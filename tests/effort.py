"""How much the tests try. Without ``--long``, as CI runs them, they try everything that the program does; with it, more
examples of the same: random ones, games, real logs."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

MANIFEST = Path(__file__).parents[2] / "shared" / "mjlog" / "manifest.csv"

T = TypeVar("T")
_EXAMPLES = 5
_THINGS = 10

long = False
"""Whether ``--long`` is given; set by `conftest.py` before any test is read."""


def many(number: int) -> int:
    """Return the number of random examples: *number* with ``--long``, otherwise a fifth of it."""
    return number if long else -(-number // _EXAMPLES)


def some(things: Sequence[T]) -> Sequence[T]:
    """Return the *things* to try: all with ``--long``, otherwise every tenth."""
    return things if long else things[::_THINGS]


def shared_out(things: Sequence[T], number: int, parts: int = 3) -> Sequence[T]:
    """Return the *things* that a test tries which has this *number* among those that try the same things in different
    ways: all with ``--long``, otherwise one in *parts*, other ones for the next number."""
    return things if long else things[number % parts :: parts]


@cache
def manifest() -> dict[str, dict[str, str]]:
    """Return the rows on real logs in their manifest, by file; none without them."""
    if not MANIFEST.is_file():
        return {}
    with MANIFEST.open(encoding="utf-8", newline="") as file:
        rows = {row["file"]: row for row in csv.DictReader(file)}
    assert rows
    return rows


@cache
def left_out() -> frozenset[str]:
    """Return the real log files, if available, that only ``--long`` reads: the rest cover every peculiarity in the
    manifest."""
    tags = {name: set(row["tags"].split(";")) for name, row in manifest().items()}
    missing, rest = set().union(*tags.values()), dict(tags)
    while missing:
        most = max(rest, key=lambda name: len(rest[name] & missing))
        missing -= rest.pop(most)
    return frozenset(rest)
