"""What a player aims for in a frame: which tiles to keep, and which to call.

A plan consists of tables, so that choosing a discard takes one look-up per tile. No player looks at the wall, or at
another's hand except to feed it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from jmjp_convert.model import SEATS
from simulator.tile_kinds import (
    ALL_BITS,
    DRAGONS,
    EAST,
    HONOR_SUIT,
    HONORS,
    KINDS,
    WINDS,
    YAOCHUU,
    YAOCHUU_BITS,
    bits_of,
    kinds_of,
)

_TERMINALS = tuple(kind for kind in YAOCHUU if kind < EAST)
_SIMPLES_BITS = ALL_BITS & ~YAOCHUU_BITS
_GREEN = (19, 20, 21, 23, 25, 32)

Costs = tuple[int, int, int, int, int]
"""What it costs to discard a tile of a kind when 0 to 4 of that kind are held. A set of the hand is worth 100."""

_NEUTRAL: Costs = (0, 0, 0, 0, 0)
_TRIPLET: Costs = (0, 0, 40, 80, 80)
_SEVEN_PAIRS: Costs = (0, 0, 100, -10, -10)
_ORPHAN: Costs = (0, 100, 40, 20, 10)
_WANTED: Costs = (0, 150, 200, 250, 250)
_UNWANTED: Costs = (0, -90, -80, -20, -20)
_DULL: Costs = (0, -25, -10, 0, 0)
_GATE_END: Costs = (0, 90, 95, 100, 5)
_GATE_MIDDLE: Costs = (0, 100, 25, 10, 5)
_SINGLE: Costs = (0, 100, 5, 0, 0)
_HELD_BACK: Costs = (0, 50, 50, 50, 50)
_NAGASHI: Costs = (0, -200, -200, -200, -200)


class Plan(NamedTuple):
    """What a player aims for. Kinds are bits, probabilities are percent.

    :ivar costs: what discards cost, by kind.
    :ivar builds_sets: whether sets and partial sets count in addition to the costs.
    :ivar pon_kinds: the kinds to call pon on.
    :ivar chi_kinds: the kinds that a chi must consist of.
    :ivar open_kinds: the kinds that may also be called, once a set of *yaku_kinds* is open.
    :ivar yaku_kinds: the kinds of which a set is a yaku.
    :ivar kan: the probability of declaring a kan; *riichi*: of declaring riichi.
    :ivar fearless: whether the player ignores others' riichi.
    :ivar wins: whether the player wins at all.
    :ivar breaks_off: whether the player may declare nine terminals.
    :ivar fed: the player to be fed, if any; *fed_kinds*: the kinds that help that player.
    """

    costs: tuple[Costs, ...]
    builds_sets: bool = True
    pon_kinds: int = 0
    chi_kinds: int = 0
    open_kinds: int = 0
    yaku_kinds: int = 0
    kan: int = 30
    riichi: int = 90
    fearless: bool = False
    wins: bool = True
    breaks_off: bool = True
    fed: int | None = None
    fed_kinds: int = 0


class View(NamedTuple):
    """What a player bases a plan on.

    :ivar counts: how many tiles the hand has, by kind.
    :ivar seat_wind: 0 east to 3 north, like *round_wind*.
    :ivar players: the number of players.
    """

    counts: Sequence[int]
    seat_wind: int
    round_wind: int
    players: int

    @property
    def yakuhai(self) -> int:
        """The kinds, as bits, of which a set is a yaku."""
        return bits_of({*DRAGONS, EAST + self.seat_wind, EAST + self.round_wind})

    def count(self, kinds: Sequence[int]) -> int:
        """Return how many tiles of *kinds* are held."""
        return sum(self.counts[kind] for kind in kinds)

    @property
    def pairs(self) -> int:
        """How many kinds are held twice or more."""
        return sum(count > 1 for count in self.counts)

    @property
    def longest_suit(self) -> range:
        """The kinds of the suit with the most tiles in the hand."""
        suits = [range(9 * suit, 9 * suit + 9) for suit in range(HONOR_SUIT) if suit or self.players == SEATS]
        return max(suits, key=self.count)


def _costs(inside: Costs, kinds: Sequence[int], outside: Costs = _UNWANTED) -> tuple[Costs, ...]:
    """Return costs by kind: *inside* for *kinds*, *outside* for the others."""
    wanted = frozenset(kinds)
    return tuple(inside if kind in wanted else outside for kind in range(KINDS))


def _any_yaku(view: View) -> Plan:
    """Go for whichever comes first: riichi, or an open hand with yakuhai."""
    yakuhai = view.yakuhai
    costs = [_NEUTRAL] * KINDS
    for kind in HONORS:
        costs[kind] = (0, 3, 20, 0, 0) if yakuhai >> kind & 1 else (0, -4, 0, 0, 0)
    return Plan(tuple(costs), pon_kinds=yakuhai, open_kinds=ALL_BITS, yaku_kinds=yakuhai)


def _riichi(_view: View) -> Plan:
    return Plan((_NEUTRAL,) * KINDS, riichi=100, fearless=True)


def _dama(_view: View) -> Plan:
    return Plan((_NEUTRAL,) * KINDS, riichi=0)


def _tanyao(_view: View) -> Plan:
    return Plan(_costs(_DULL, tuple(YAOCHUU), _NEUTRAL), pon_kinds=_SIMPLES_BITS, chi_kinds=_SIMPLES_BITS)


def _half_flush(view: View) -> Plan:
    kinds = (*view.longest_suit, *HONORS)
    return Plan(_costs(_NEUTRAL, kinds), pon_kinds=bits_of(kinds), chi_kinds=bits_of(kinds))


def _flush(view: View) -> Plan:
    kinds = view.longest_suit
    return Plan(_costs(_NEUTRAL, kinds), pon_kinds=bits_of(kinds), chi_kinds=bits_of(kinds))


def _nine_gates(view: View) -> Plan:
    return _gates(view, _GATE_MIDDLE)


def _pure_nine_gates(view: View) -> Plan:
    return _gates(view, _SINGLE)


def _gates(view: View, inside: Costs) -> Plan:
    first, *middle, last = view.longest_suit
    costs = list(_costs(inside, middle))
    costs[first] = costs[last] = _GATE_END
    return Plan(tuple(costs), builds_sets=False, kan=0, riichi=0)


def _triplets(_view: View) -> Plan:
    return Plan((_TRIPLET,) * KINDS, builds_sets=False, pon_kinds=ALL_BITS, kan=70)


def _closed_triplets(_view: View) -> Plan:
    return Plan((_TRIPLET,) * KINDS, builds_sets=False, kan=20, riichi=50)


def _same_triplets(view: View) -> Plan:
    rank = max(range(9), key=lambda rank: view.count((rank, rank + 9, rank + 18)))
    kinds = (rank, rank + 9, rank + 18)
    wanted = bits_of(kinds)
    return Plan(_costs(_WANTED, kinds, _NEUTRAL), pon_kinds=wanted, open_kinds=ALL_BITS, yaku_kinds=wanted)


def _seven_pairs(_view: View) -> Plan:
    return Plan((_SEVEN_PAIRS,) * KINDS, builds_sets=False, kan=0)


def _kokushi(_view: View) -> Plan:
    return Plan(_costs(_ORPHAN, tuple(YAOCHUU), _UNWANTED), builds_sets=False, kan=0, riichi=10, breaks_off=False)


def _thirteen_sided_kokushi(_view: View) -> Plan:
    return Plan(_costs(_SINGLE, tuple(YAOCHUU)), builds_sets=False, kan=0, riichi=0, breaks_off=False)


def _closed_kans(_view: View) -> Plan:
    """Keep all tiles that may become a closed kan, and never win."""
    return Plan((_TRIPLET,) * KINDS, builds_sets=False, kan=100, riichi=0, wins=False)


def _passive(_view: View) -> Plan:
    """Call nothing and declare nothing."""
    return Plan((_NEUTRAL,) * KINDS, kan=0, riichi=0)


def _outside_hand(_view: View) -> Plan:
    middle = [kind for kind in range(EAST) if 3 <= kind % 9 <= 5]  # noqa: PLR2004 - not in any run with a terminal
    near_ends = bits_of(kind for kind in range(EAST) if kind not in middle)
    return Plan(_costs(_DULL, middle, _NEUTRAL), pon_kinds=YAOCHUU_BITS, chi_kinds=near_ends, kan=10)


def _kans(_view: View) -> Plan:
    return Plan(((0, 0, 60, 120, 200),) * KINDS, builds_sets=False, pon_kinds=ALL_BITS, kan=100, riichi=20)


def _triplets_of(kinds: Sequence[int], *, then: int = 0) -> Callable[[View], Plan]:
    """Return a function that makes plans for triplets of *kinds*. Once one is open, the kinds *then* may be called."""

    def plan(_view: View) -> Plan:
        wanted = bits_of(kinds)
        return Plan(
            _costs(_WANTED, kinds, _TRIPLET),
            builds_sets=False,
            pon_kinds=wanted,
            open_kinds=then,
            yaku_kinds=wanted,
            kan=20,
        )

    return plan


def _all_green(_view: View) -> Plan:
    return Plan(_costs(_WANTED, _GREEN), pon_kinds=bits_of(_GREEN), chi_kinds=bits_of((19, 20, 21)), riichi=20)


def _nagashi(_view: View) -> Plan:
    """Discard only terminals and honors while there are any."""
    return Plan(_costs(_NAGASHI, tuple(YAOCHUU), _NEUTRAL), kan=0, riichi=0)


PLANS: dict[str, Callable[[View], Plan]] = {
    "any yaku": _any_yaku,
    "riichi": _riichi,
    "dama": _dama,
    "tanyao": _tanyao,
    "half flush": _half_flush,
    "flush": _flush,
    "nine gates": _nine_gates,
    "triplets": _triplets,
    "closed triplets": _closed_triplets,
    "same triplets": _same_triplets,
    "seven pairs": _seven_pairs,
    "kokushi": _kokushi,
    "thirteen-sided kokushi": _thirteen_sided_kokushi,
    "closed kans": _closed_kans,
    "pure nine gates": _pure_nine_gates,
    "passive": _passive,
    "outside hand": _outside_hand,
    "kans": _kans,
    "dragons": _triplets_of(DRAGONS, then=ALL_BITS),
    "winds": _triplets_of(WINDS, then=ALL_BITS),
    "honors": _triplets_of(HONORS),
    "terminals": _triplets_of(_TERMINALS),
    "terminals and honors": _triplets_of(tuple(YAOCHUU)),
    "all green": _all_green,
    "nagashi": _nagashi,
}
"""By name: a function that makes a plan for a view of the hand."""


def feeding_plan(hero: int, plan: Plan) -> Plan:
    """Return the plan to discard what helps the player *hero* with *plan*, and to stay out of the way."""
    fed_kinds = plan.yaku_kinds or plan.pon_kinds
    costs = _costs(_HELD_BACK, kinds_of(fed_kinds) if fed_kinds != ALL_BITS else (), _NEUTRAL)
    return Plan(costs, builds_sets=False, kan=0, riichi=0, wins=False, fed=hero, fed_kinds=fed_kinds)
