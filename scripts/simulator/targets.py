"""How players help a rare row of `coverage` to occur. They cannot change the walls, which the seed determines.

For most targets one player, the hero, aims for it, and the others feed the hero or stay out of the way. For a few, a
game is only played if its first wall makes the target possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from jmjp_convert.model import Wall
from simulator.coverage import is_possible
from simulator.eras import era_of
from simulator.game import GameSpec, walls_of
from simulator.planners import Planner, choose_plan, hand_planner, views
from simulator.plans import PLANS, Plan, View, feeding_plan
from simulator.random_source import RandomSource
from simulator.seat import Seat
from simulator.table import Table

_FEED = "feed"
_BY_HAND = "by hand"
_HELP = "help"


class Target(NamedTuple):
    """How to help a row to occur.

    :ivar hero: the plan of the player whose hand suits it best.
    :ivar others: the plan of the others, or whether they feed the hero, help (feed and declare riichi), or have plans
        to suit their own hands.
    :ivar screen: whether a first wall makes the row possible.
    """

    hero: str
    others: str = _FEED
    screen: Callable[[Wall], bool] | None = None


def _waits(wall: Wall, player: int) -> int:
    return Seat(player, wall.hands[player]).waits


def _gives_tenhou(wall: Wall) -> bool:
    return bool(_waits(wall, 0) >> (wall.draws[0] >> 2) & 1)


def _gives_chiihou(wall: Wall) -> bool:
    return any(_waits(wall, player) >> (wall.draws[player] >> 2) & 1 for player in range(1, len(wall.hands)))


def _deals_tenpai(wall: Wall) -> bool:
    return any(_waits(wall, player) for player in range(1, len(wall.hands)))


def _gives_nine_gates(wall: Wall) -> bool:
    """Return whether a player draws all tiles of nine gates if nobody calls."""
    players = len(wall.hands)
    for player, hand in enumerate(wall.hands):
        counts = Counter(tile >> 2 for tile in (*hand, *wall.draws[player::players]))
        for suit in range(3):
            first, *middle, last = range(9 * suit, 9 * suit + 9)
            if min(counts[first], counts[last]) > 2 and all(counts[kind] for kind in middle):  # noqa: PLR2004
                return True
    return False


TARGETS = {
    "tenhou": Target("passive", "passive", _gives_tenhou),
    "chiihou": Target("passive", "passive", _gives_chiihou),
    "first-turn-ron": Target("passive", _BY_HAND, _deals_tenpai),
    "robbed-ankan": Target("kokushi", "closed kans"),
    "kokushi-musou": Target("kokushi"),
    "kokushi-musou-juusanmen": Target("thirteen-sided kokushi"),
    "chuuren-poutou": Target("nine gates"),
    "junsei-chuuren-poutou": Target("pure nine gates", screen=_gives_nine_gates),
    "chinitsu": Target("flush"),
    "ryuuiisou": Target("all green"),
    "chinroutou": Target("terminals"),
    "honroutou": Target("terminals and honors"),
    "junchan": Target("outside hand"),
    "ryanpeikou": Target("seven pairs"),
    "sanshoku-doukou": Target("same triplets"),
    **dict.fromkeys(("suuankou", "suuankou-tanki"), Target("closed triplets")),
    **dict.fromkeys(("tsuuiisou", "several-yakuman"), Target("honors")),
    **dict.fromkeys(("daisuushii", "shousuushii"), Target("winds")),
    **dict.fromkeys(("daisangen", "shousangen", "pao-tsumo", "pao-himself"), Target("dragons")),
    "pao-ron": Target("dragons", _BY_HAND),
    "pao-in-double-ron": Target("dragons", _HELP),
    **dict.fromkeys(("suukantsu", "sankantsu", "four-kans-of-one", "five-dora"), Target("kans")),
    **dict.fromkeys(("four-kans", "kan-with-dora-owed"), Target("kans", "kans")),
    **dict.fromkeys(("robbed-kakan", "robbed-ippatsu"), Target("kans", "riichi")),
    **dict.fromkeys(("nagashi", "nagashi-of-dealer"), Target("nagashi")),
    "nagashi-of-two": Target("nagashi", "nagashi"),
    **dict.fromkeys(
        ("four-riichi", "triple-ron", "won-by-three", "double-riichi", "riichi-furiten"), Target("riichi", "riichi")
    ),
}
"""Targets by row. For any other row, ordinary games are played until one has it."""


def target_planner(row: str, *, wild: bool) -> Planner:
    """Return the planner that helps *row* to occur."""
    target = TARGETS.get(row)
    if target is None:
        return hand_planner(wild=wild)

    def plans(table: Table, random: RandomSource) -> list[Plan]:
        seen = views(table)
        own = list(map(PLANS[target.hero], seen))
        hero = max(range(len(seen)), key=lambda player: _fit(own[player], seen[player]))
        feeding = feeding_plan(hero, own[hero])
        return [
            own[hero] if player == hero else _other_plan(target.others, view, random, feeding, wild=wild)
            for player, view in enumerate(seen)
        ]

    return plans


def _other_plan(name: str, view: View, random: RandomSource, feeding: Plan, *, wild: bool) -> Plan:
    if name == _FEED:
        return feeding
    if name == _HELP:
        return PLANS["riichi"](view)._replace(fed=feeding.fed, fed_kinds=feeding.fed_kinds)
    return choose_plan(view, random, wild=wild) if name == _BY_HAND else PLANS[name](view)


def _fit(plan: Plan, view: View) -> int:
    """Return how well the hand suits *plan*: the cost of discarding its tiles."""
    return sum(plan.costs[kind][count] * count for kind, count in enumerate(view.counts))


def can_have(row: str, spec: GameSpec) -> bool:
    """Return whether the game of *spec* can have *row*, judging by its rules, its day and its first wall."""
    if not is_possible(row, spec.rules, era_of(spec.day)):
        return False
    target = TARGETS.get(row)
    return target is None or target.screen is None or target.screen(walls_of(spec).next(0))
