"""How much the tests try: all that they can with ``--long``, as CI does; else so much that they take little more
than a minute on two cores."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

MANIFEST = Path(__file__).parents[2] / "shared" / "mjlog" / "manifest.csv"

T = TypeVar("T")
_SHARE = 10

long = False
"""Whether ``--long`` is given: `conftest.py` sets it before any test is read."""


def many(number: int) -> int:
    """Return how many things at random are tried, of which ``--long`` tries *number*: a tenth."""
    return number if long else -(-number // _SHARE)


def some(things: Sequence[T]) -> Sequence[T]:
    """Return which of *things* are tried, of which ``--long`` tries all: every tenth."""
    return things if long else things[::_SHARE]


@cache
def left_out() -> frozenset[str]:
    """Return the files of the real logs, if there are any, that only ``--long`` reads: the others have, all together,
    each peculiarity that the manifest tells of any."""
    if not MANIFEST.is_file():
        return frozenset()
    with MANIFEST.open(encoding="utf-8", newline="") as file:
        tags = {row["file"]: set(row["tags"].split(";")) for row in csv.DictReader(file)}
    missing, rest = set().union(*tags.values()), dict(tags)
    while missing:
        most = max(rest, key=lambda name: len(rest[name] & missing))
        missing -= rest.pop(most)
    return frozenset(rest)
