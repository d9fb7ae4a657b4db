#!/usr/bin/env python3
"""Play games of riichi by Tenhou's rules, and write them as mjlog: walls, seeds and results as in real logs.

The players choose among the plays that are legal, in part by chance; everything follows from the seed. Real logs may
not be passed on, these may. The package `mahjong` is needed, which the extra `dev` has.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path

from generator.chance import Chance
from generator.coverage import NEVER, Tally
from generator.game import Game, Order, play
from generator.rules import COMMON, LEAST, MOST, rules
from generator.times import DAYS, draw_day
from generator.wishes import can_have, planner

from jmjp_convert.model import ShuffleForm

_FORMS = {form.value: form for form in DAYS}
_LIKELY = {ShuffleForm.BASE64: 8.0, ShuffleForm.HEX: 1.0, ShuffleForm.OLD: 1.0}
_TRIES = 1_000_000
_ROBBED_ANKAN = "robbed-ankan"

_EPILOG = """\
Rules (GO type) are the sum of: 1 always, 2 no red fives, 4 no open tanyao,
8 East-South (else East-only), 16 three players, 64 fast, 32 expert room,
128 advanced room (160: phoenix).

Examples:
  scripts/play.py --seed 1 --games 100 -o games
  scripts/play.py --seed 7 -o - | jmjp convert - -o -
  scripts/play.py --seed 2 --games 50 --players 3 --wild --coverage -o games
  scripts/play.py --seed 3 --games 10 --rules 9,143,185 --form hex -o games
  scripts/play.py --seed 1 --want daisangen,nagashi -o games
"""


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(
        prog="play.py", description=__doc__, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--seed", type=int, required=True, metavar="N", help="what all follows from")
    add("--games", type=int, default=1, metavar="K", help="how many (default: 1)")
    add("--first", type=int, default=0, metavar="I", help="begin with game I of the seed (default: 0)")
    add("--players", type=int, choices=COMMON, help="4 or 3 (default: by the rules, else 4)")
    add(
        "--rules", type=_numbers, metavar="R,R", help="GO types to choose from, or `all` (default: those of real games)"
    )
    add("--form", choices=_FORMS, help="the form of the seed, and so the time of the log (default: by chance)")
    add("--wild", action="store_true", help="more calls, kans, odd hands and lost connections")
    add("--rob-ankan", action="store_true", help="let kokushi win on a closed kan, which Tenhou is not known to do")
    add("--want", type=_rows, metavar="ROW,ROW", help="look for K games with each ROW of the coverage")
    add("--tries", type=int, default=_TRIES, metavar="T", help=f"look at so many for each ROW (default: {_TRIES:,})")
    add("--coverage", action="store_true", help="say on stderr how often everything occurred")
    add("-o", "--out", required=True, metavar="DIR", help="where the logs go; - prints them")
    asked = parser.parse_args(argv)
    asked.rules = [
        number for number in asked.rules or COMMON[asked.players or 4] if asked.players in (None, rules(number).players)
    ]
    if not asked.rules:
        parser.error(f"none of these rules is for {asked.players} players")
    return asked


def _numbers(text: str) -> list[int]:
    numbers = list(range(LEAST, MOST + 1, 2)) if text == "all" else [int(word) for word in text.split(",")]
    if not all(number in range(LEAST, MOST + 1, 2) for number in numbers):
        raise argparse.ArgumentTypeError(f"a GO type is an odd number, {LEAST} to {MOST}")
    return numbers


def _rows(text: str) -> list[str]:
    for row in text.split(","):
        if row not in Tally():
            raise argparse.ArgumentTypeError(f"{row} is no row of the coverage")
        if row in NEVER:
            raise argparse.ArgumentTypeError(f"{row} never occurs: {NEVER[row]}")
    return list(dict.fromkeys(text.split(",")))


def games(asked: argparse.Namespace) -> Iterator[Game]:
    """Yield the games that are asked for.

    :raises LookupError: not so many of them have what is wanted.
    """
    for row in asked.want or ():
        yield from islice(_wanted(asked, row), asked.games)
    if not asked.want:
        yield from (play(_order(asked, number)) for number in range(asked.first, asked.first + asked.games))


def _wanted(asked: argparse.Namespace, row: str) -> Iterator[Game]:
    """Yield games that have *row*, and say on stderr which these are."""
    plans = planner(row, wild=asked.wild)
    for number in islice(count(asked.first), asked.tries):
        order = _order(asked, number, row)
        if can_have(row, order):
            game = play(order, plans)
            if game.tally[row]:
                print(f"{row}: game {number}, {game.id}", file=sys.stderr)
                yield game
    raise LookupError(f"too few games with {row} among {asked.tries:,}")


def _order(asked: argparse.Namespace, number: int, wish: str = "") -> Order:
    """Return the order of game *number*, from which the row *wish* is wanted."""
    name = f"{asked.seed}/{number}"
    chance = Chance(name)
    form = _FORMS[asked.form] if asked.form else chance.weighed(_LIKELY)
    chosen = rules(chance.one_of(asked.rules), robs_ankan=asked.rob_ankan or wish == _ROBBED_ANKAN)
    return Order(name, chosen, draw_day(chance, form), asked.wild, wish)


def main() -> None:
    """Play."""
    asked = arguments()
    tally = Tally()
    try:
        for game in games(asked):
            tally.add(game.tally)
            write(game, asked.out)
    except LookupError as error:
        sys.exit(f"play: {error}")
    if asked.coverage:
        print("\n".join(tally.lines()), file=sys.stderr)


def write(game: Game, out: str) -> None:
    """Write *game* to the folder *out*, under its id, or print it."""
    if out == "-":
        sys.stdout.buffer.write(game.log.encode())
        return
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{game.id}.xml").write_bytes(game.log.encode())


if __name__ == "__main__":
    main()
