"""The figures on speed in the documentation, each computed from the tables that ``scripts/bench.py`` makes, or from the
pause between downloads.

``<!-- figure: NAME -->550<!-- end -->`` marks one in any page.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import click

from jmjp_convert.cli import main

SOURCE = Path(__file__).parent.parent / "docs" / "performance.md"

_FIGURE = re.compile(r"(?<=<!-- figure: )([a-z ]+)( -->)[^<]*(?=<!-- end -->)")
_YEAR, _ALL = 200_000, 3_000_000
_COMMAND = 0.0001
"""Seconds that the command itself takes for a game of a batch, which no number of workers makes fewer."""


def with_figures(text: str) -> str:
    """Return *text* with the figures that it marks, to two digits."""
    return _FIGURE.sub(lambda match: f"{match[1]}{match[2]}{rounded(figures()[match[1]])}", text)


def without_figures(text: str) -> str:
    """Return *text* without the figures that it marks."""
    return re.sub(r"<!-- figure: [a-z ]+ -->[^<]*<!-- end -->", "", text)


@cache
def figures() -> dict[str, float]:
    """Return the figures by name: games per second, the minutes that many games take, and the hours of pauses
    between as many downloads."""
    batch, unverified = _speed("batch --jobs 2", 1), _speed("batch --jobs 2 --no-verify", 1)
    usual, shortest = _pauses()
    return {
        "batch": batch,
        "batch unverified": unverified,
        "check": _speed("check", 3),
        "year": _YEAR / batch / 60,
        "all": _ALL / batch / 60,
        "all unverified": _ALL / unverified / 60,
        "cluster": _ALL * _COMMAND / 60,
        "fetch": _YEAR * usual / 3600,
        "fetch fastest": _YEAR * shortest / 3600,
    }


def _pauses() -> tuple[float, float]:
    """Return the seconds between two downloads: usually, and at least."""
    fetch = main.get_command(click.Context(main), "fetch")
    assert fetch is not None
    (delay,) = [option for option in fetch.params if "--delay" in option.opts]
    assert isinstance(delay.type, click.FloatRange)
    return float(str(delay.default)), delay.type.min or 0


def _speed(command: str, column: int) -> float:
    """Return the games per second of a row of the tables, in this cell after its name."""
    (row,) = re.findall(rf"^\| `{re.escape(command)}` (\|.*)", SOURCE.read_text(encoding="utf-8"), re.MULTILINE)[:1]
    return float(row.split("|")[column].replace(",", ""))


def rounded(value: float) -> str:
    """Return *value* as a page says it: to two digits."""
    return f"{float(f'{value:.2g}'):,.0f}"
