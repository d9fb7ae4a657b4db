"""What a player strives for in a frame: which tiles to keep, which to call.

A plan is tables, so that choosing a discard is a look-up for each tile. No player looks at the wall, and none at
another's hand, but to feed it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from jmjp_convert.model import SEATS
from simulator.hand_shapes import ALL, COPIES, DRAGONS, EAST, HONORS, KINDS, OUTER, OUTERS, WINDS, kinds_of, mask
from simulator.random_source import Chance

_HONORS = range(EAST, KINDS)
_TERMINALS = tuple(kind for kind in OUTER if kind < EAST)
_SIMPLES = ALL & ~OUTERS
_GREEN = (19, 20, 21, 23, 25, 32)

Costs = tuple[int, int, int, int, int]
"""What it costs to throw one of a kind away, by how many of it are held, 0 to 4; a set of the hand is worth 100."""

_LIKE_ANY: Costs = (0, 0, 0, 0, 0)
_PAIRED: Costs = (0, 0, 40, 80, 80)
_SEVEN: Costs = (0, 0, 100, -10, -10)
_ORPHAN: Costs = (0, 100, 40, 20, 10)
_WANTED: Costs = (0, 150, 200, 250, 250)
_UNWANTED: Costs = (0, -90, -80, -20, -20)
_DULL: Costs = (0, -25, -10, 0, 0)
_GATE: Costs = (0, 90, 95, 100, 5)
_HELD_BACK: Costs = (0, 50, 50, 50, 50)
_SIDE: Costs = (0, 100, 5, 0, 0)
_WAY: Costs = (0, 100, 25, 10, 5)


class Plan(NamedTuple):
    """What a player strives for.

    :ivar shape: whether sets and what may become one count, beside the costs.
    :ivar costs: by kind.
    :ivar pon: the kinds, as bits, of which a pon helps.
    :ivar chi: the kinds, as bits, all of which a chi must be of.
    :ivar opened: the kinds, as bits, that may be called once a set of one of *keys* lies open.
    :ivar keys: the kinds, as bits, a set of which is a yaku.
    :ivar kan: how likely a kan is declared, in percent.
    :ivar riichi: likewise riichi.
    :ivar bold: whether others' riichi are not feared.
    :ivar wins: whether the player wins at all.
    :ivar breaks_off: whether nine terminals are declared.
    :ivar fed: the player to whom tiles are thrown, if any, and *takes*, the kinds, as bits, that this player takes.
    """

    costs: tuple[Costs, ...]
    shape: bool = True
    pon: int = 0
    chi: int = 0
    opened: int = 0
    keys: int = 0
    kan: int = 30
    riichi: int = 90
    bold: bool = False
    wins: bool = True
    breaks_off: bool = True
    fed: int | None = None
    takes: int = 0


class View(NamedTuple):
    """What a plan is made from: the hand by kind, the player's wind, the round's, and the number of players."""

    counts: Sequence[int]
    seat: int
    round: int
    players: int

    @property
    def yakuhai(self) -> int:
        """The kinds, as bits, a set of which is a yaku."""
        return mask({*DRAGONS, EAST + self.seat, EAST + self.round})

    def of(self, kinds: Sequence[int] | range) -> int:
        """Return how many tiles of *kinds* are held."""
        return sum(self.counts[kind] for kind in kinds)

    @property
    def pairs(self) -> int:
        """Of how many kinds there are two or more."""
        return sum(count > 1 for count in self.counts)


def _costs(inside: Costs, kinds: Sequence[int] | range, outside: Costs = _UNWANTED) -> tuple[Costs, ...]:
    """Return costs by kind: *inside* for *kinds*, *outside* for the others."""
    wanted = frozenset(kinds)
    return tuple(inside if kind in wanted else outside for kind in range(KINDS))


def _suit(view: View) -> range:
    """Return the kinds of the suit of which most are held."""
    suits = [range(9 * suit, 9 * suit + 9) for suit in range(HONORS) if suit or view.players == SEATS]
    return max(suits, key=view.of)


def _swift(view: View) -> Plan:
    """Any yaku that comes first: riichi, or an open hand with a set that is a yaku."""
    yakuhai = view.yakuhai
    costs = [_LIKE_ANY] * KINDS
    for kind in _HONORS:
        costs[kind] = (0, 3, 20, 0, 0) if yakuhai >> kind & 1 else (0, -4, 0, 0, 0)
    return Plan(tuple(costs), pon=yakuhai, opened=ALL, keys=yakuhai)


def _closed(_view: View) -> Plan:
    return Plan((_LIKE_ANY,) * KINDS, riichi=100, bold=True)


def _patient(_view: View) -> Plan:
    return Plan((_LIKE_ANY,) * KINDS, riichi=0)


def _simples(_view: View) -> Plan:
    return Plan(_costs(_DULL, tuple(OUTER), _LIKE_ANY), pon=_SIMPLES, chi=_SIMPLES)


def _half_flush(view: View) -> Plan:
    kinds = (*_suit(view), *_HONORS)
    return Plan(_costs(_LIKE_ANY, kinds), pon=mask(kinds), chi=mask(kinds))


def _flush(view: View) -> Plan:
    kinds = _suit(view)
    return Plan(_costs(_LIKE_ANY, kinds), pon=mask(kinds), chi=mask(kinds))


def _gates(view: View) -> Plan:
    return _nine_gates(view, _WAY)


def _pure_gates(view: View) -> Plan:
    return _nine_gates(view, _SIDE)


def _nine_gates(view: View, inside: Costs) -> Plan:
    first, *middle, last = _suit(view)
    costs = list(_costs(inside, middle))
    costs[first] = costs[last] = _GATE
    return Plan(tuple(costs), shape=False, kan=0, riichi=0)


def _triplets(_view: View) -> Plan:
    return Plan((_PAIRED,) * KINDS, shape=False, pon=ALL, kan=70)


def _quiet_triplets(_view: View) -> Plan:
    return Plan((_PAIRED,) * KINDS, shape=False, kan=20, riichi=50)


def _same_triplets(view: View) -> Plan:
    rank = max(range(9), key=lambda rank: view.of((rank, rank + 9, rank + 18)))
    kinds = (rank, rank + 9, rank + 18)
    return Plan(_costs(_WANTED, kinds, _LIKE_ANY), pon=mask(kinds), opened=ALL, keys=mask(kinds))


def _pairs(_view: View) -> Plan:
    return Plan((_SEVEN,) * KINDS, shape=False, kan=0)


def _orphans(_view: View) -> Plan:
    return Plan(_costs(_ORPHAN, tuple(OUTER), _UNWANTED), shape=False, kan=0, riichi=10, breaks_off=False)


def _thirteen(_view: View) -> Plan:
    return Plan(_costs(_SIDE, tuple(OUTER)), shape=False, kan=0, riichi=0, breaks_off=False)


def _hoard(_view: View) -> Plan:
    """Keep what may become a closed kan, and nothing else."""
    return Plan((_PAIRED,) * KINDS, shape=False, kan=100, riichi=0, wins=False)


def _quiet(_view: View) -> Plan:
    """Call nothing, declare nothing."""
    return Plan((_LIKE_ANY,) * KINDS, kan=0, riichi=0)


def _outer(_view: View) -> Plan:
    middle = [kind for kind in range(EAST) if 3 <= kind % 9 <= 5]  # noqa: PLR2004 - in no run with a terminal
    return Plan(_costs(_DULL, middle, _LIKE_ANY), pon=OUTERS, chi=_near_the_ends(), kan=10)


def _near_the_ends() -> int:
    return mask({kind for kind in range(EAST) if kind % 9 in (0, 1, 2, 6, 7, 8)})


def _kans(_view: View) -> Plan:
    return Plan(((0, 0, 60, 120, 200),) * KINDS, shape=False, pon=ALL, kan=100, riichi=20)


def _collect(kinds: Sequence[int] | range, *, rest: int = 0) -> Callable[[View], Plan]:
    """Return what makes the plan to collect triplets of *kinds*; once one lies open, *rest* may be called too."""

    def plan(_view: View) -> Plan:
        wanted = mask(frozenset(kinds))
        return Plan(_costs(_WANTED, kinds, _PAIRED), shape=False, pon=wanted, opened=rest, keys=wanted, kan=20)

    return plan


def _green(_view: View) -> Plan:
    return Plan(_costs(_WANTED, _GREEN), pon=mask(_GREEN), chi=mask((19, 20, 21)), riichi=20)


def _river(_view: View) -> Plan:
    """Throw terminals and honors alone, as long as there are any: nagashi mangan."""
    return Plan(_costs((0, -200, -200, -200, -200), tuple(OUTER), _LIKE_ANY), kan=0, riichi=0)


PLANS: dict[str, Callable[[View], Plan]] = {
    "swift": _swift,
    "closed": _closed,
    "patient": _patient,
    "simples": _simples,
    "half flush": _half_flush,
    "flush": _flush,
    "nine gates": _gates,
    "triplets": _triplets,
    "closed triplets": _quiet_triplets,
    "same triplets": _same_triplets,
    "seven pairs": _pairs,
    "orphans": _orphans,
    "thirteen sides": _thirteen,
    "hoard": _hoard,
    "pure gates": _pure_gates,
    "quiet": _quiet,
    "outer": _outer,
    "kans": _kans,
    "dragons": _collect(DRAGONS, rest=ALL),
    "winds": _collect(WINDS, rest=ALL),
    "honors": _collect(_HONORS),
    "terminals": _collect(_TERMINALS),
    "outer triplets": _collect(tuple(OUTER)),
    "green": _green,
    "river": _river,
}

_STEADY = {"swift": 45.0, "closed": 20.0, "patient": 3.0, "simples": 20.0, "outer": 2.0, "river": 0.3, "kans": 1.0}
_WILD = {
    **{name: 2.0 for name in PLANS if name not in ("hoard", "quiet", "thirteen sides", "pure gates")},
    "swift": 14.0,
    "closed": 16.0,
    "simples": 12.0,
    "triplets": 8.0,
    "kans": 12.0,
    "half flush": 6.0,
    "river": 4.0,
}

_MANY_OF_A_SUIT = 8
_MANY_PAIRS = 4
_MANY_OUTER = 9


def _fitting(view: View) -> dict[str, float]:
    """Return the plans for which the hand is good, as dealt, and how likely each is taken up."""
    return {
        "half flush": 60.0 * (view.of(_suit(view)) + view.of(_HONORS) > _MANY_OF_A_SUIT + 1),
        "flush": 60.0 * (view.of(_suit(view)) > _MANY_OF_A_SUIT),
        "triplets": 20.0 * (view.pairs >= _MANY_PAIRS),
        "seven pairs": 40.0 * (view.pairs > _MANY_PAIRS),
        "orphans": 80.0 * (sum(view.counts[kind] > 0 for kind in OUTER) >= _MANY_OUTER),
        "dragons": 60.0 * (sum(view.counts[kind] > 1 for kind in DRAGONS) > 1),
        "winds": 60.0 * (view.of(WINDS) > COPIES + 1),
    }


def choose(view: View, chance: Chance, *, wild: bool) -> Plan:
    """Return what a player strives for with a hand, as it is dealt."""
    weights = dict(_WILD if wild else _STEADY)
    for name, weight in _fitting(view).items():
        weights[name] = weights.get(name, 0.0) + weight
    return PLANS[chance.weighed(weights)](view)


def feed(hero: int, plan: Plan) -> Plan:
    """Return the plan to throw to the player *hero*, who has *plan*, what helps, and to keep out of the way."""
    takes = plan.keys or plan.pon
    costs = _costs(_HELD_BACK, kinds_of(takes) if takes != ALL else (), _LIKE_ANY)
    return Plan(costs, shape=False, kan=0, riichi=0, wins=False, fed=hero, takes=takes)
