"""Games for tests, played by `scripts/play.py`: one for each rare event, and with ``--long`` more of each sort."""

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
"""Games that together have all that can occur: every row of `simulator/coverage.py`, every order of kans."""

RARE = (
    "--want bakaze-shaa --wild --first 80",
    "--want bust-of-two --players 3 --wild --first 524",
    "--want chiihou --form old --first 11519",
    "--want chinroutou --first 59",
    "--want chuuren-poutou --first 739",
    "--want daiminkan-red-held --wild --first 239",
    "--want daiminkan-red-taken --wild --first 883",
    "--want daisuushii --first 433",
    "--want first-turn-ron --form old --first 166931",
    "--want four-kans --first 0",
    "--want four-kans-of-one --first 53",
    "--want four-riichi --first 15",
    "--want four-winds --first 376",
    "--want honroutou --first 0",
    "--want junsei-chuuren-poutou --first 24110",
    "--want kakan-red-added --wild --first 99",
    "--want kakan-red-held --wild --first 55",
    "--want kakan-red-taken --wild --first 134",
    "--want kan-with-dora-owed --players 3 --wild --first 8",
    "--want kan-with-dora-owed --first 35",
    "--want kan-with-dora-owed --players 3 --wild --first 94",
    "--want kan-with-dora-owed --first 142",
    "--want kan-with-dora-owed --first 297",
    "--want kazoe-yakuman --players 3 --wild --first 20",
    "--want kita-with-dora-owed --players 3 --wild --first 5",
    "--want kokushi-musou-juusanmen --first 53",
    "--want left-sticks --wild --first 4",
    "--want nagashi-of-two --players 3 --wild --first 92",
    "--want noten-on-own-four --players 3 --wild --first 110",
    "--want pao-himself --first 75",
    "--want pao-in-double-ron --players 3 --first 7822",
    "--want pao-ron --first 916",
    "--want pao-tsumo --first 47",
    "--want riichi-tile-called --wild --first 2",
    "--want riichi-with-last-points --wild --first 315",
    "--want rinshan-after-ankan --first 8",
    "--want rinshan-after-daiminkan --wild --first 106",
    "--want rinshan-last-tile --wild --first 1421",
    "--want robbed-ankan --first 283",
    "--want robbed-ippatsu --players 3 --first 333",
    "--want robbed-kakan --wild --first 18",
    "--want robbed-kita --players 3 --wild --first 814",
    "--want ryanpeikou --players 3 --first 197",
    "--want ryuuiisou --first 370",
    "--want sankantsu --first 22",
    "--want sanshoku-doukou --first 1",
    "--want several-yakuman --first 82",
    "--want shousuushii --first 128",
    "--want suuankou --first 30",
    "--want suuankou-tanki --first 68",
    "--want suukantsu --first 1457",
    "--want tenhou --form old --first 96679",
    "--want triple-ron --first 1517",
    "--want twenty-frames --wild --first 1722",
)
"""If the players' choices change, `scripts/play.py` without `--first` finds such games again."""

_REST = (
    "--rules all --first 11",
    "--rules all --first 17",
    "--wild --first 14",
    "--wild --first 17",
    "--wild --first 21",
    "--wild --first 23",
    "--wild --first 103",
    "--wild --players 3 --rules all --first 14",
    "--wild --players 3 --rules all --first 18",
    "--wild --players 3 --rules all --first 23",
)
"""Games with what none of the rare ones has."""

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
    return [*(f"--seed 1 {rest}" for rest in _REST), *(f"--seed 1 {line} --tries 1" for line in RARE)]


@cache
def games(line: str) -> tuple[Game, ...]:
    """Return the games played by `play.py` with the arguments *line*, or those of :data:`COVERING`."""
    return tuple(game for one in _lines(line) for game in asked_for(arguments([*shlex.split(one), "-o", "-"])))


@cache
def match(name: str, log: str) -> Match:
    """Return the match in *log*, with nothing in it ignored; *name* is its ID."""
    return read_mjlog(log.encode(), file_name=f"{name}.xml", strict=True)


def matches(line: str) -> Iterator[Match]:
    """Yield the matches played by `play.py` with the arguments *line*."""
    return (match(game.id, game.log) for game in games(line))


def rules_and_day(game: Game) -> tuple[Rules, date]:
    """Return the rules and the day of *game*, read from its ID."""
    found = find_id(game.id)
    assert found is not None
    assert found.date is not None
    return rules_of(found.rules), date.fromisoformat(found.date)


def specs(line: str) -> Iterator[tuple[GameSpec, Planner | None]]:
    """Yield what determines the games that :func:`games` returns."""
    for one in _lines(line):
        asked = arguments([*shlex.split(one), "-o", "-"])
        for row in asked.want or [""]:
            planner = target_planner(row, wild=asked.wild) if row else None
            for number in range(asked.first, asked.first + (1 if row else asked.games)):
                yield spec_of(asked, number, row), planner


def written(line: str, make: Callable[[GameSpec, Era, Tally], W]) -> Iterator[tuple[Match, W]]:
    """Yield the matches played by `play.py` with the arguments *line*, each with the writer that *make* makes for it,
    which may write more than the log."""
    for spec, planner in specs(line):
        game, writer = simulate_with(partial(make, spec), spec, planner)
        yield match(game.id, game.log), writer
