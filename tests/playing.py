"""Games for tests, played by `scripts/play.py`: some of each sort, and one for each thing that is rare."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import cache

from generator.game import Game
from play import arguments
from play import games as asked_for

from jmjp_convert import read_mjlog
from jmjp_convert.model import Match

BASE = tuple(
    f"--seed 1 --games 10 --first {first} {options}"
    for options in ("--rules all", "--wild", "--wild --players 3 --rules all")
    for first in (0, 10, 20)
)

RARE: tuple[str, ...] = ()
"""Without `--first` they look from the first game on, and find the same."""

LINES = (*BASE, *(f"--seed 1 {line} --tries 1" for line in RARE))


@cache
def games(line: str) -> tuple[Game, ...]:
    """Return the games that `play.py` plays with the arguments *line*."""
    return tuple(asked_for(arguments([*shlex.split(line), "-o", "-"])))


@cache
def match(name: str, log: str) -> Match:
    """Return the match that *log* is, nothing in it ignored; *name* is its id."""
    return read_mjlog(log.encode(), file_name=f"{name}.xml", strict=True)


def matches(line: str) -> Iterator[Match]:
    """Yield the matches that `play.py` plays with the arguments *line*."""
    return (match(game.id, game.log) for game in games(line))
