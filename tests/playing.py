"""Games for tests, played by `scripts/play.py`: some with everything that can occur, and with ``--long`` more of each
sort."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache, partial
from typing import TypeVar

import effort
from play import arguments, spec_of
from play import games as asked_for
from simulator.coverage import Tally
from simulator.eras import Era
from simulator.game import Game, GameSpec, simulate_with
from simulator.mjlog_writer import MjlogWriter
from simulator.planners import Planner
from simulator.rules import Rules, rules_of
from simulator.targets import target_planner
from tables import table

from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match
from jmjp_convert.model.log_ids import find_id

W = TypeVar("W", bound=MjlogWriter)

NORMAL, WILD, SANMA = (
    f"--seed 1 --games 10 --first 0 {options}"
    for options in ("--rules all", "--wild", "--wild --players 3 --rules all")
)
"""Ten games of each sort."""

COVERING = "scripts/play.py"
"""Games that together have all that can occur: every row of `simulator/coverage.py`, and all of `rare_play.py`."""

_COVERING = table("playing", "covering")
RARE = table("playing", "rare")
"""Games with a rare event that a test asks for by its row."""

LINES = (
    COVERING,
    *(
        line.replace("--first 0", f"--first {first}")
        for line in (NORMAL, WILD, SANMA)
        for first in ((0, 10, 20) if effort.long else ())
    ),
)
"""What :func:`games` accepts, for a test of all games."""


def rare(row: str) -> str:
    """Return the arguments for the game with the rare event *row*."""
    line = next(line for line in RARE if line.startswith(f"--want {row} "))
    return f"--seed 1 {line} --tries 1"


def _lines(line: str) -> Sequence[str]:
    if line != COVERING:
        return [line]
    return [f"--seed 1 {line}" for line in _COVERING]


@cache
def games(line: str) -> tuple[Game, ...]:
    """Return the games played by `play.py` with the arguments *line*, or those of :data:`COVERING`."""
    return tuple(game for single in _lines(line) for game in asked_for(arguments([*shlex.split(single), "-o", "-"])))


@cache
def match(name: str, log: str) -> Match:
    """Return the match in *log*, with nothing in it ignored; *name* is its ID."""
    return read_mjlog(log.encode(), file_name=f"{name}.xml", strict=True)


def matches(line: str) -> Iterator[Match]:
    """Yield the matches played by `play.py` with the arguments *line*."""
    return (match(game.id, game.log) for game in games(line))


def rules_and_day(game: Game) -> tuple[Rules, date]:
    """Return the rules and the day of *game*, read from its ID."""
    log_id = find_id(game.id)
    assert log_id is not None
    assert log_id.date is not None
    return rules_of(log_id.rules), date.fromisoformat(log_id.date)


def specs(line: str) -> Iterator[tuple[GameSpec, Planner | None]]:
    """Yield what determines the games that :func:`games` returns."""
    for single in _lines(line):
        asked = arguments([*shlex.split(single), "-o", "-"])
        for row in asked.want or [""]:
            planner = target_planner(row, wild=asked.wild) if row else None
            for number in range(asked.first, asked.first + (1 if row else asked.games)):
                yield spec_of(asked, number, row), planner


def written(line: str, make: Callable[[GameSpec, Era, Tally], W]) -> Iterator[tuple[Game, W]]:
    """Yield the games played by `play.py` with the arguments *line*, each with the writer that *make* makes for it,
    which may write more than the log."""
    for spec, planner in specs(line):
        yield simulate_with(partial(make, spec), spec, planner)
