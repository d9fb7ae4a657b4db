"""What is wished for: how players help a rare row of `coverage.py` to occur. The walls stay what the seeds make them.

For most rows one player, the hero, strives for it, and the others feed the hero or keep out of the way; for a few the
first wall is looked at, and a game is played only if it can be the one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from jmjp_convert.model import Wall
from simulator.coverage import allowed
from simulator.eras import form
from simulator.game import Order, Planner, by_hands, deal, view
from simulator.plans import PLANS, Plan, View, choose, feed
from simulator.random_source import Chance
from simulator.seat import Seat
from simulator.table import Table

_FEED = "feed"
_BY_HAND = "by hand"
_HELP = "help"


class Wish(NamedTuple):
    """How a row is helped to occur.

    :ivar hero: the plan of the player for whose hand it is the best.
    :ivar others: that of the others; or they feed the hero, help (which is to feed and to declare riichi), or go by
        their own hands.
    :ivar screen: whether the first wall can be the one.
    """

    hero: str
    others: str = _FEED
    screen: Callable[[Wall], bool] | None = None


def _waits(wall: Wall, player: int) -> int:
    return Seat(player, wall.hands[player]).waits


def _tenhou(wall: Wall) -> bool:
    return bool(_waits(wall, 0) >> (wall.draws[0] >> 2) & 1)


def _chiihou(wall: Wall) -> bool:
    return any(_waits(wall, player) >> (wall.draws[player] >> 2) & 1 for player in range(1, len(wall.hands)))


def _dealt_tenpai(wall: Wall) -> bool:
    return any(_waits(wall, player) for player in range(1, len(wall.hands)))


def _gates(wall: Wall) -> bool:
    """Return whether somebody who is not called upon draws all of the nine gates."""
    players = len(wall.hands)
    for player, hand in enumerate(wall.hands):
        counts = Counter(tile >> 2 for tile in (*hand, *wall.draws[player::players]))
        for suit in range(3):
            first, *middle, last = range(9 * suit, 9 * suit + 9)
            if min(counts[first], counts[last]) > 2 and all(counts[kind] for kind in middle):  # noqa: PLR2004
                return True
    return False


WISHES = {
    "tenhou": Wish("quiet", "quiet", _tenhou),
    "chiihou": Wish("quiet", "quiet", _chiihou),
    "first-turn-ron": Wish("quiet", _BY_HAND, _dealt_tenpai),
    "robbed-ankan": Wish("orphans", "hoard"),
    "kokushi-musou": Wish("orphans"),
    "kokushi-musou-juusanmen": Wish("thirteen sides"),
    "chuuren-poutou": Wish("nine gates"),
    "junsei-chuuren-poutou": Wish("pure gates", screen=_gates),
    "chinitsu": Wish("flush"),
    "ryuuiisou": Wish("green"),
    "chinroutou": Wish("terminals"),
    "honroutou": Wish("outer triplets"),
    "junchan": Wish("outer"),
    "ryanpeikou": Wish("seven pairs"),
    "sanshoku-doukou": Wish("same triplets"),
    **dict.fromkeys(("suuankou", "suuankou-tanki"), Wish("closed triplets")),
    **dict.fromkeys(("tsuuiisou", "several-yakuman"), Wish("honors")),
    **dict.fromkeys(("daisuushii", "shousuushii"), Wish("winds")),
    **dict.fromkeys(("daisangen", "shousangen", "pao-tsumo", "pao-himself"), Wish("dragons")),
    "pao-ron": Wish("dragons", _BY_HAND),
    "pao-in-double-ron": Wish("dragons", _HELP),
    **dict.fromkeys(("suukantsu", "sankantsu", "four-kans-of-one", "five-dora"), Wish("kans")),
    **dict.fromkeys(("four-kans", "kan-with-dora-owed"), Wish("kans", "kans")),
    **dict.fromkeys(("robbed-kakan", "robbed-ippatsu"), Wish("kans", "closed")),
    **dict.fromkeys(("nagashi", "nagashi-of-dealer"), Wish("river")),
    "nagashi-of-two": Wish("river", "river"),
    **dict.fromkeys(("four-riichi", "triple-ron", "double-riichi", "riichi-furiten"), Wish("closed", "closed")),
}
"""By row. Of the others, games are played until one has them."""


def planner(row: str, *, wild: bool) -> Planner:
    """Return what makes the plans for *row* to occur."""
    wish = WISHES.get(row)
    if wish is None:
        return by_hands(wild=wild)

    def give(table: Table, chance: Chance) -> list[Plan]:
        views = [view(table, player) for player in range(len(table.seats))]
        plans = list(map(PLANS[wish.hero], views))
        hero = max(range(len(views)), key=lambda player: _fit(plans[player], views[player]))
        return [
            plans[hero] if player == hero else _other(wish.others, seen, chance, feed(hero, plans[hero]), wild=wild)
            for player, seen in enumerate(views)
        ]

    return give


def _other(name: str, seen: View, chance: Chance, feeding: Plan, *, wild: bool) -> Plan:
    if name == _FEED:
        return feeding
    if name == _HELP:
        return PLANS["closed"](seen)._replace(fed=feeding.fed, takes=feeding.takes)
    return choose(seen, chance, wild=wild) if name == _BY_HAND else PLANS[name](seen)


def _fit(plan: Plan, seen: View) -> int:
    """Return how well the hand goes with *plan*: what it would cost to throw its tiles away."""
    return sum(plan.costs[kind][count] * count for kind, count in enumerate(seen.counts))


def can_have(row: str, order: Order) -> bool:
    """Return whether the game of *order* can have *row*, as far as its rules, its day and its first wall tell."""
    if not allowed(row, order.rules, form(order.day)):
        return False
    wish = WISHES.get(row)
    return wish is None or wish.screen is None or wish.screen(deal(order).wall(0))
