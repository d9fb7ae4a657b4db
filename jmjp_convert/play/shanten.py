"""Shanten: how far a hand is from tenpai.

A hand lacks as many tiles as have to be drawn, each for a free discard, until it is complete: four sets and a pair,
seven different pairs, or thirteen orphans. Its shanten is one less: -1 complete, 0 tenpai. No complete hand has five
copies of a tile, so four of a kind and no other tile of a pair are not tenpai (docs/design/scoring.md, Positions).
Melds are complete sets; their tiles are not looked at.

A hand is taken apart into blocks that share no sets: the suits and the honors. What a block lacks for each number of
sets, with and without a pair, depends on its tiles alone, and so is computed once. Hands differ, blocks recur.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from jmjp_convert.model.tiles import COPIES, KINDS, exists

_SETS = 4
_LAST_RUN = 7  # the highest rank at which a run begins
_ALL_PAIRS = 7
_ALL_ORPHANS = 13
_PLAYERS = 4
_CACHED = 1 << 16
_CACHED_STATES = 1 << 13

_WIDTH = _SETS + 1
_GOALS = 2 * _WIDTH  # a number of sets, without a pair and with it
_COSTS = 15
_SETS_OF_EQUALS = ((0, 0, 0), (2, 0, 1), (3, 1, 0))  # tiles, triplets, pairs


def _room(sets: int, pairs: int) -> int:
    """Return the goals, of all costs, that can be reached with as many more *sets* and *pairs*."""
    goals = (1 << (_WIDTH - sets)) - 1
    if not pairs:
        goals |= goals << _WIDTH
    return sum(goals << (cost * _GOALS) for cost in range(_COSTS))


_ROOM = {(sets, pairs): _room(sets, pairs) for sets in range(_SETS) for pairs in (0, 1)}


class Block:
    """What tiles lack, alike for all tiles that lack the same: there is one block for each.

    :ivar costs: the tiles lacking for 0 to 4 sets, then for these and a pair.
    :ivar kinds: the number of kinds, for seven pairs, which are all different.
    :ivar pairs: the number of kinds with two tiles or more.
    :ivar orphans: the number of kinds of terminals and honors.
    :ivar twins: 1 if there are two tiles of one of these, else 0.
    """

    __slots__ = ("costs", "kinds", "orphans", "pairs", "twins")

    def __init__(self, costs: tuple[int, ...], kinds: int, pairs: int, orphans: int, twins: int) -> None:
        self.costs, self.kinds, self.pairs, self.orphans, self.twins = costs, kinds, pairs, orphans, twins


def shanten(counts: Sequence[int], melds: int = 0, *, players: int = _PLAYERS) -> int:
    """Return the shanten of a hand: -1 if it is complete, 0 if it is tenpai.

    :param counts: of the closed tiles, by kind (0 to 33), at most four of each; 13 or 14 of them, less three a meld.
    :param melds: the number of melds without kita. With any, seven pairs and thirteen orphans are out of reach.
    :param players: with 3, there are no 2m to 8m.
    """
    closed = bytes(counts)
    if players == _PLAYERS:
        low = _joined(_block(closed[:9], runs=True), _block(closed[9:18], runs=True))
        high = _joined(_block(closed[18:27], runs=True), _block(closed[27:], runs=False))
    else:
        low = _block(bytes((closed[0], closed[8], *closed[27:])), runs=False)
        high = _joined(_block(closed[9:18], runs=True), _block(closed[18:27], runs=True))
    return _lacking(low, high, melds) - 1


def useful(counts: Sequence[int], melds: int = 0, *, players: int = _PLAYERS) -> tuple[int, ...]:
    """Return the kinds that lower the shanten of a hand when drawn, ascending: its waits, if it is tenpai.

    :param counts: as for :func:`shanten`, of a hand that has not drawn.
    """
    now, more = shanten(counts, melds, players=players), bytearray(counts)
    found = []
    for kind in range(KINDS):
        if more[kind] < COPIES and exists(kind, players):
            more[kind] += 1
            if shanten(more, melds, players=players) < now:
                found.append(kind)
            more[kind] -= 1
    return tuple(found)


@lru_cache(_CACHED)
def _block(counts: bytes, *, runs: bool) -> Block:
    """Return what a block of tiles lacks, where neighbours can form *runs* or only equal tiles form sets."""
    reached = _reached(counts, runs=runs)[0, 0]
    costs = [
        next((cost for cost in range(_COSTS) if reached >> (cost * _GOALS + goal) & 1), _COSTS)
        for goal in range(_GOALS)
    ]
    orphans = (counts[0], counts[-1]) if runs else counts
    return _only(
        tuple(costs),
        sum(map(bool, counts)),
        sum(count > 1 for count in counts),
        sum(map(bool, orphans)),
        int(max(orphans) > 1),
    )


@lru_cache(_CACHED_STATES)
def _reached(counts: bytes, *, runs: bool) -> dict[tuple[int, int], int]:
    """Return the goals reached with the lowest ranks of a block, by the number of runs begun on the last rank but one
    and on the last, which need one more tile and two more. Each is a number with a bit for each cost and goal, so all
    goals advance at once. Three equal runs are three triplets, so two are enough.
    """
    if not counts:
        return {(0, 0): 1}
    found: dict[tuple[int, int], int] = {}
    held = counts[-1]
    begun_at_most = 2 if runs and len(counts) <= _LAST_RUN else 0
    for (before, last), reached in _reached(counts[:-1], runs=runs).items():
        for begun in range(begun_at_most + 1):
            following = found.get((last, begun), 0)
            for tiles, triplets, pairs in _SETS_OF_EQUALS:
                needed = before + last + begun + tiles
                if needed <= COPIES:
                    sets = begun + triplets
                    shift = sets + pairs * _WIDTH + max(0, needed - held) * _GOALS
                    following |= (reached & _ROOM[sets, pairs]) << shift
            found[last, begun] = following
    return found


@lru_cache(_CACHED)
def _joined(one: Block, other: Block) -> Block:
    """Return what two blocks together lack."""
    mine, yours = one.costs, other.costs
    alone, paired = [], []
    for sets in range(_WIDTH):
        splits = [(own, sets - own) for own in range(sets + 1)]
        alone.append(min(mine[own] + yours[rest] for own, rest in splits))
        paired.append(
            min(min(mine[own + _WIDTH] + yours[rest], mine[own] + yours[rest + _WIDTH]) for own, rest in splits)
        )
    return _only(
        (*alone, *paired),
        one.kinds + other.kinds,
        one.pairs + other.pairs,
        one.orphans + other.orphans,
        one.twins | other.twins,
    )


@lru_cache(_CACHED)
def _lacking(low: Block, high: Block, melds: int) -> int:
    """Return what a hand of two blocks and a number of *melds* lacks."""
    hand = _joined(low, high)
    lacking = hand.costs[_WIDTH + _SETS - melds]
    if melds:
        return lacking
    all_pairs = _ALL_PAIRS - hand.pairs + max(0, _ALL_PAIRS - hand.kinds)
    return min(lacking, all_pairs, _ALL_ORPHANS + 1 - hand.orphans - hand.twins)


@cache
def _only(costs: tuple[int, ...], kinds: int, pairs: int, orphans: int, twins: int) -> Block:
    """Return the only block of these values, found by identity."""
    return Block(costs, kinds, pairs, orphans, twins)
