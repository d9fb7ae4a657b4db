#!/usr/bin/env python3
"""Play games of riichi by Tenhou's rules, and write them as mjlog: walls, seeds and results as in real logs.

The players choose among the plays that are legal, in part by chance; everything follows from the seed. Real logs may
not be passed on, these may.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from generator.chance import Chance
from generator.coverage import Tally
from generator.game import Game, Order, play
from generator.rules import COMMON, LEAST, MOST, rules
from generator.times import DAYS, draw_day

from jmjp_convert.model import ShuffleForm

_FORMS = {form.value: form for form in DAYS}
_LIKELY = {ShuffleForm.BASE64: 8.0, ShuffleForm.HEX: 1.0, ShuffleForm.OLD: 1.0}

_EPILOG = """\
rules (GO type) are the sum of: 1 always, 2 no red fives, 4 no open tanyao,
8 East-South (else East-only), 16 three players, 32 expert room, 64 fast,
128 advanced room (160: phoenix)

examples:
  scripts/play.py --seed 1 --games 100 -o games
  scripts/play.py --seed 7 -o - | jmjp convert - -o -
  scripts/play.py --seed 2 --games 50 --players 3 --wild --coverage -o games
  scripts/play.py --seed 3 --games 10 --rules 9,143,185 --form hex -o games
"""


def arguments() -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, required=True, metavar="N", help="what all follows from")
    parser.add_argument("--games", type=int, default=1, metavar="K", help="how many (default: 1)")
    parser.add_argument("--first", type=int, default=0, metavar="I", help="begin with game number I of the seed")
    parser.add_argument("--players", type=int, choices=COMMON, help="4, or 3 (default: by the rules, else 4)")
    parser.add_argument("--rules", type=_numbers, metavar="R,R", help="GO types to choose from, or `all`")
    parser.add_argument(
        "--form", choices=_FORMS, help="the form of the seed, and so the log's time (default: by chance)"
    )
    parser.add_argument("--wild", action="store_true", help="more calls, kans, odd hands and lost connections")
    parser.add_argument(
        "--rob-ankan", action="store_true", help="kokushi may win on a closed kan (Tenhou is not known to allow it)"
    )
    parser.add_argument("--coverage", action="store_true", help="say on stderr how often everything occurred")
    parser.add_argument("-o", "--out", required=True, metavar="DIR", help="where the logs go, or - to print one game")
    return parser.parse_args()


def _numbers(text: str) -> tuple[int, ...]:
    numbers = tuple(range(LEAST, MOST + 1, 2)) if text == "all" else tuple(map(int, text.split(",")))
    if not all(LEAST <= number <= MOST and number & 1 for number in numbers):
        raise argparse.ArgumentTypeError(f"a GO type is an odd number, {LEAST} to {MOST}")
    return numbers


def orders(asked: argparse.Namespace) -> Iterator[Order]:
    """Yield the orders of the games, one after the other without end."""
    number = asked.first
    while True:
        yield order(asked, number)
        number += 1


def order(asked: argparse.Namespace, number: int) -> Order:
    """Return the order of game *number*."""
    name = f"{asked.seed}/{number}"
    chance = Chance(name)
    numbers = asked.rules or COMMON[asked.players or 4]
    numbers = [one for one in numbers if asked.players is None or rules(one).players == asked.players]
    form = _FORMS[asked.form] if asked.form else chance.weighed(_LIKELY)
    chosen = rules(chance.one_of(numbers), robs_ankan=asked.rob_ankan)
    return Order(name, chosen, draw_day(chance, form), asked.wild)


def main() -> None:
    """Play."""
    asked = arguments()
    tally = Tally()
    for game in map(play, islice(orders(asked), asked.games)):
        tally.add(game.tally)
        write(game, asked.out)
    if asked.coverage:
        print("\n".join(tally.lines()), file=sys.stderr)


def write(game: Game, out: str) -> None:
    """Write *game* to the folder *out*, or print it."""
    if out == "-":
        sys.stdout.buffer.write(game.log.encode())
        return
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{game.id}.xml").write_bytes(game.log.encode())


if __name__ == "__main__":
    main()
