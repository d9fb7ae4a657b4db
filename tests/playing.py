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

_COVERING = (
    "--rules all --first 11",
    "--rules all --first 177",
    "--rules all --first 220",
    "--want bust-of-two --players 3 --wild --first 524 --tries 1",
    "--want chiihou --form old --first 11519 --tries 1",
    "--want chinroutou --first 291 --tries 1",
    "--want chuuren-poutou --first 739 --tries 1",
    "--want daiminkan-red-held --wild --first 239 --tries 1",
    "--want daiminkan-red-taken --wild --first 883 --tries 1",
    "--want first-turn-ron --form old --first 166931 --tries 1",
    "--want four-kans --first 184 --tries 1",
    "--want honroutou --first 201 --tries 1",
    "--want honroutou --first 351 --tries 1",
    "--want honroutou --first 361 --tries 1",
    "--want junsei-chuuren-poutou --first 24110 --tries 1",
    "--want kan-with-dora-owed --players 3 --wild --first 249 --tries 1",
    "--want kan-with-dora-owed --players 3 --wild --first 295 --tries 1",
    "--want kan-with-dora-owed --players 3 --wild --first 31 --tries 1",
    "--want kokushi-musou-juusanmen --first 53 --tries 1",
    "--want left-sticks --wild --first 311 --tries 1",
    "--want nagashi-of-two --players 3 --wild --first 196 --tries 1",
    "--want pao-himself --first 75 --tries 1",
    "--want pao-in-double-ron --players 3 --first 7822 --tries 1",
    "--want riichi-tile-called --wild --first 77 --tries 1",
    "--want riichi-with-last-points --wild --first 315 --tries 1",
    "--want robbed-ankan --first 295 --tries 1",
    "--want robbed-kakan --wild --first 240 --tries 1",
    "--want ryuuiisou --first 370 --tries 1",
    "--want several-yakuman --first 82 --tries 1",
    "--want shousuushii --first 282 --tries 1",
    "--want suuankou-tanki --first 85 --tries 1",
    "--want suukantsu --first 1457 --tries 1",
    "--want tenhou --form old --first 96679 --tries 1",
    "--want triple-ron --first 1517 --tries 1",
    "--wild --first 0",
    "--wild --first 103",
    "--wild --first 14",
    "--wild --first 146",
    "--wild --first 335",
    "--wild --players 3 --rules all --first 129",
    "--wild --players 3 --rules all --first 13",
    "--wild --players 3 --rules all --first 130",
    "--wild --players 3 --rules all --first 151",
    "--wild --players 3 --rules all --first 176",
    "--wild --players 3 --rules all --first 223",
    "--wild --players 3 --rules all --first 23",
    "--wild --players 3 --rules all --first 271",
    "--wild --players 3 --rules all --first 367",
)
"""If the players' choices change, `scripts/play.py` without `--first` finds games with rare events again; of these and
others, a few short ones that together have everything."""

RARE = (
    "--want chiihou --form old --first 11519",
    "--want kazoe-yakuman --players 3 --wild --first 20",
    "--want kita-with-dora-owed --players 3 --wild --first 5",
    "--want kokushi-musou-juusanmen --first 53",
    "--want pao-himself --first 75",
    "--want pao-in-double-ron --players 3 --first 7822",
    "--want rinshan-after-ankan --first 8",
    "--want rinshan-after-daiminkan --wild --first 106",
    "--want rinshan-last-tile --wild --first 1421",
    "--want robbed-ankan --first 283",
    "--want robbed-kita --players 3 --wild --first 814",
    "--want several-yakuman --first 82",
    "--want tenhou --form old --first 96679",
)
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
