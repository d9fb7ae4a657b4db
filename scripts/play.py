#!/usr/bin/env python3
"""Play riichi games by Tenhou's rules and write them as mjlog, with walls, seeds and results as in real logs.

The players choose among legal plays, partly at random; the seed determines everything. Unlike real logs, these may be
passed on. Requires the package `mahjong`, which the extra `dev` installs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import activate  # noqa: F401 - before what needs its packages
from commandline import FAILED, USAGE_ERROR, Parser, at_least, run, say
from simulator.coverage import NEVER, Tally, conditions_of, is_possible
from simulator.eras import DAYS, era_of, random_day
from simulator.game import Game, GameSpec, simulate
from simulator.random_source import RandomSource
from simulator.rules import COMMON, KNOWN, LEAST, MOST, rules_of
from simulator.targets import can_have, target_planner

from jmjp_convert.cli.console import Bar
from jmjp_convert.errors import FileError
from jmjp_convert.files import outputs
from jmjp_convert.model import ShuffleForm

_STDOUT = "-"
_FORMS = {shuffle.value: shuffle for shuffle in DAYS}
_FORM_WEIGHTS = {ShuffleForm.BASE64: 8.0, ShuffleForm.HEX: 1.0, ShuffleForm.OLD: 1.0}
_TRIES = 1_000_000
_ROBBED_ANKAN = "robbed-ankan"
_WON_BY_THREE = "won-by-three"

_EPILOG = """\
Rules (GO type) are the sum of: 1 always, 2 no red fives, 4 no open tanyao,
8 East-South (otherwise East-only), 16 three players, 64 fast, 32 expert room,
128 advanced room (160: phoenix).

Examples:
  scripts/play.py --seed 1 --games 100 -o games
  scripts/play.py --seed 7 -o - | jmjp convert - -o -
  scripts/play.py --seed 2 --games 50 --players 3 --wild --coverage -o games
  scripts/play.py --seed 3 --games 10 --rules 9,143,185 --form hex -o games
  scripts/play.py --seed 1 --want daisangen,nagashi -o games
"""


class NotFoundError(Exception):
    """Too few games have the wanted row."""


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the validated arguments."""
    parser = Parser(__file__, __doc__, _EPILOG)
    add = parser.add_argument
    add("--seed", type=int, required=True, metavar="N", help="random seed of all games")
    add("--games", type=at_least(1), default=1, metavar="K", help="number of games (default: 1)")
    add("--first", type=at_least(0), default=0, metavar="I", help="start with game I of the seed (default: 0)")
    add("--players", type=int, choices=COMMON, help="4 or 3 (default: according to --rules, otherwise 4)")
    add("--rules", type=_numbers, metavar="R,R", help="GO types to choose from, or `all` (default: common ones)")
    add("--form", choices=_FORMS, help="form of the shuffle seed, which also decides the period (default: random)")
    add("--wild", action="store_true", help="more calls, kans, unusual hands and lost connections")
    add("--rob-ankan", action="store_true", help="let kokushi win on a closed kan, which Tenhou is not known to allow")
    add("--want", type=_rows, default=[], metavar="ROW,ROW", help="find K games with each ROW of the coverage")
    tries = f"number of games to try for each ROW (default: {_TRIES:,})"
    add("--tries", type=at_least(1), default=_TRIES, metavar="T", help=tries)
    add("--coverage", action="store_true", help="report on stderr how often each thing occurred")
    add("-o", "--out", required=True, metavar="DIR", help="output directory; - prints a single log")
    asked = parser.parse_args(argv)
    asked.rules = [
        number
        for number in asked.rules or COMMON[asked.players or 4]
        if asked.players in (None, rules_of(number).players)
    ]
    if not asked.rules:
        parser.error(f"none of these rules are for {asked.players} players")
    for row in asked.want:
        if not _possible(asked, row):
            parser.error(f"no such game can have {row}{_needing(row)}")
    return asked


def _numbers(text: str) -> list[int]:
    known = {str(number): number for number in KNOWN}
    words = list(known) if text == "all" else text.split(",")
    if not known.keys() >= set(words):
        raise argparse.ArgumentTypeError(f"a GO type is an odd number from {LEAST} to {MOST}")
    return [known[word] for word in words]


def _rows(text: str) -> list[str]:
    for row in text.split(","):
        if row not in Tally():
            raise argparse.ArgumentTypeError(f"unknown coverage row {row}")
        if row in NEVER:
            raise argparse.ArgumentTypeError(f"{row} never occurs: {NEVER[row]}")
    return list(dict.fromkeys(text.split(",")))


def _possible(asked: argparse.Namespace, row: str) -> bool:
    """Return whether any of the requested rules allow a game with *row* on any day."""
    shuffles = [_FORMS[asked.form]] if asked.form else DAYS
    days = [
        day for shuffle in shuffles for day in DAYS[shuffle]
    ]  # first and last days are enough, because no change was ever reverted
    return any(is_possible(row, rules_of(number), era_of(day)) for number in asked.rules for day in days)


def _needing(row: str) -> str:
    others = [condition for condition in conditions_of(row) if condition != row]
    return f", which needs {' and '.join(others)}" if others else ""


def games(asked: argparse.Namespace) -> Iterator[Game]:
    """Yield the requested games.

    :raises NotFoundError: too few games have a wanted row.
    """
    for row in asked.want:
        yield from _wanted(asked, row)
    if not asked.want:
        yield from (simulate(spec_of(asked, number)) for number in range(asked.first, asked.first + asked.games))


def _wanted(asked: argparse.Namespace, row: str) -> Iterator[Game]:
    """Yield games with *row*, and report each on stderr."""
    planner, found = target_planner(row, wild=asked.wild), 0
    with Bar(lambda: asked.tries, "game", wanted=True) as bar:
        for number in range(asked.first, asked.first + asked.tries):
            spec = spec_of(asked, number, row)
            game = simulate(spec, planner) if can_have(row, spec) else None
            if game is not None and game.tally[row]:
                found += 1
                with bar.hidden():
                    print(f"{row}: game {number}, {game.id}", file=sys.stderr)
                yield game
                if found == asked.games:
                    return
            bar.advance(1, f"{found} with {row}")
    raise NotFoundError(f"{found or 'none'} of {asked.tries:,} games (--tries) had {row}; wanted: {asked.games}")


def spec_of(asked: argparse.Namespace, number: int, target: str = "") -> GameSpec:
    """Return the specification of game *number*, which should have the row *target*, if any."""
    name = f"{asked.seed}/{number}"
    random = RandomSource(name)
    shuffle = _FORMS[asked.form] if asked.form else random.weighted(_FORM_WEIGHTS)
    rules = rules_of(
        random.choice(asked.rules),
        robs_ankan=asked.rob_ankan or target == _ROBBED_ANKAN,
        three_win=target == _WON_BY_THREE,
    )
    return GameSpec(name, rules, random_day(random, shuffle), asked.wild, target)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script and return the exit code."""
    asked = arguments(argv)
    number = asked.games * max(1, len(asked.want))
    if asked.out == _STDOUT and number > 1:
        return say(__file__, f"-o - prints a single game; {number} requested", USAGE_ERROR)
    try:
        _run(asked)
    except (NotFoundError, FileError) as error:
        return say(__file__, str(error), FAILED)
    return 0


def _run(asked: argparse.Namespace) -> None:
    """Play and write the requested games."""
    tally = Tally()
    if asked.out != _STDOUT:
        outputs.make_directory(Path(asked.out))
    for game in games(asked):
        tally.add(game.tally)
        _write(game, asked.out)
    if asked.coverage:
        print("\n".join(tally.lines()), file=sys.stderr)


def _write(game: Game, out: str) -> None:
    """Write *game* to the directory *out* under its log ID, or print it."""
    if out == _STDOUT:
        outputs.write_stdout(game.log.encode())
    else:
        outputs.write(Path(out, f"{game.id}.xml"), game.log.encode(), force=True)


if __name__ == "__main__":
    sys.exit(run(__file__, main))
