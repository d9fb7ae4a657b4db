"""Shanten: how far a hand is from tenpai.

A hand lacks as many tiles as have to be drawn, each for a free discard, until it is complete: four sets and a pair,
seven different pairs, or thirteen orphans. Its shanten is one less: -1 complete, 0 tenpai. No complete hand has five
copies of a tile, so four of a kind and no other tile of a pair are not tenpai (docs/design/scoring.md, Positions).
Melds are complete sets; their tiles are not looked at.

A hand is taken apart into blocks that share no sets: the suits and the honors. What a block lacks for each number of
sets, with and without a pair, depends on its tiles alone, and so is computed once. Hands differ, but blocks recur.
There are a few hundred different answers, so what two blocks lack together is soon known for nearly all pairs of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from operator import add
from typing import NamedTuple, TypeVar

from jmjp_convert.model.tiles import COPIES, EAST, KINDS, SUIT, TERMINALS_AND_HONORS, exists

_SETS = 4
_SET = 3  # tiles
_MELDS = {tiles: (14 - tiles) // _SET for tiles in range(1, 15) if tiles % _SET}
"""The number of melds by that of the closed tiles."""
_LAST_RUN = 7  # the highest rank at which a run begins
_ALL_PAIRS = 7
_ALL_ORPHANS = 13
_PLAYERS = 4
_CACHED = 1 << 16
_CACHED_STATES = 1 << 13

_WIDTH = _SETS + 1
_GOALS = 2 * _WIDTH  # a number of sets, without a pair and with it
_COSTS = 15
_EACH_COST = sum(1 << (cost * _GOALS) for cost in range(_COSTS))
_PAIRS, _ORPHANS, _DOUBLE, _TILES, _FIELD = 4, 8, 12, 16, 15  # the bits of a variety
_SETS_OF_EQUALS = ((0, 0, 0), (2, 0, 1), (3, 1, 0))  # tiles, triplets, pairs

_NEAR = tuple(
    range(max(kind - 2, kind // SUIT * SUIT), min(kind + 3, kind // SUIT * SUIT + SUIT)) if kind < EAST else (kind,)
    for kind in range(KINDS)
)
"""The kinds that can be in one set with each."""

K = TypeVar("K")
V = TypeVar("V")


class _Known(dict[K, V]):
    """The values of a function that are known, forgotten when they are too many. Looking one up takes a third of the
    time of an ``lru_cache``."""

    def __init__(self, function: Callable[[K], V]) -> None:
        self._function = function

    def __missing__(self, key: K) -> V:
        if len(self) >= _CACHED:
            self.clear()
        value = self[key] = self._function(key)
        return value


class Costs:
    """What a block of tiles lacks: there are a few hundred different ones, each made once and found by identity."""

    __slots__ = ("needed",)

    def __init__(self, needed: tuple[int, ...]) -> None:
        self.needed = needed  # the tiles lacking for 0 to 4 sets, then for these and a pair


class Block(NamedTuple):
    """A block of tiles: its *costs*, and its *variety*, which seven pairs and thirteen orphans depend on. The varieties
    of blocks add up to that of the hand: the numbers of kinds, of kinds with two tiles or more, of kinds of terminals
    and honors, of blocks with two tiles of one of these, and of tiles, each in its own bits."""

    costs: Costs
    variety: int


def shanten(counts: Sequence[int], *, players: int = _PLAYERS) -> int:
    """Return the shanten of a hand: -1 if it is complete, 0 if it is tenpai.

    :param counts: of the closed tiles, by kind (0 to 33), at most four of each; 13 or 14 of them, less three a meld, so
        their number says how many melds there are. With any, seven pairs and thirteen orphans are out of reach.
    :param players: with 3, there are no 2m to 8m.
    :raises TypeError: *counts* are something else.
    """
    try:
        closed = bytes(counts)
    except (TypeError, ValueError):
        raise _bad(counts) from None
    if len(closed) != KINDS:
        raise _bad(counts)
    try:
        (pin, of_pin), (sou, of_sou) = _SUIT[closed[9:18]], _SUIT[closed[18:27]]
        if players == _PLAYERS:
            (man, of_man), (honors, of_honors) = _SUIT[closed[:9]], _EQUALS[closed[27:]]
            low, high, variety = _JOINED[man, pin], _JOINED[sou, honors], of_man + of_pin + of_sou + of_honors
        else:
            low, of_others = _EQUALS[bytes((closed[0], closed[8], *closed[27:]))]
            high, variety = _JOINED[pin, sou], of_others + of_pin + of_sou
        melds = _MELDS[variety >> _TILES]
    except LookupError:
        raise _bad(counts) from None
    lacking = _LACKING[low, high, melds]
    return (lacking if melds else min(lacking, _LACKING_VARIETY[variety])) - 1


def _bad(counts: object) -> TypeError:
    return TypeError(
        f"expected {KINDS} counts by kind, of 13 or 14 tiles less three a meld, such as tiles.counts('1123m'), "
        f"found {counts!r:.60}"
    )


def useful(counts: Sequence[int], *, players: int = _PLAYERS) -> tuple[int, ...]:
    """Return the kinds that lower the shanten of a hand when drawn, ascending: its waits, if it is tenpai.

    :param counts: as for :func:`shanten`, of a hand that has not drawn: 13 tiles, less three a meld.
    :raises TypeError: *counts* are something else.
    """
    now, more = shanten(counts, players=players), bytearray(counts)
    if sum(more) % _SET != 1:
        raise _bad(counts)
    kinds = []
    for kind in range(KINDS) if now else _near(counts):
        if more[kind] < COPIES and exists(kind, players):
            more[kind] += 1
            if shanten(more, players=players) < now:
                kinds.append(kind)
            more[kind] -= 1
    return tuple(kinds)


def _suit(counts: bytes) -> Block:
    """Return the block of a suit. It lacks the same from right to left."""
    mirrored = counts[::-1]
    if mirrored < counts:
        return _SUIT[mirrored]
    return _block(counts, (counts[0], counts[-1]), runs=True)


def _equals(counts: bytes) -> Block:
    """Return the block of terminals and honors that form no runs."""
    return _block(counts, counts, runs=False)


def _block(counts: bytes, orphans: Sequence[int], *, runs: bool) -> Block:
    """Return the block of tiles where neighbours can form *runs* or only equal tiles form sets.

    :param orphans: the counts of terminals and honors among them.
    :raises LookupError: there are more copies of a tile than the set has.
    """
    if max(counts) > COPIES:
        raise LookupError
    reached = _reached(counts, runs=runs)[0, 0]
    costs = [reached >> goal & _EACH_COST for goal in range(_GOALS)]
    needed = tuple([(bits & -bits).bit_length() // _GOALS if bits else _COSTS for bits in costs])
    kinds, pairs = sum(map(bool, counts)), sum(count > 1 for count in counts)
    single, double = sum(map(bool, orphans)), max(orphans) > 1
    return Block(
        _costs(needed), kinds | pairs << _PAIRS | single << _ORPHANS | double << _DOUBLE | sum(counts) << _TILES
    )


def _near(counts: Sequence[int]) -> list[int]:
    """Return the kinds that a tenpai hand can wait for, and some more: it holds the rest of the set or pair that they
    complete, unless it is thirteen orphans."""
    kinds = [kind for kind, count in enumerate(counts) if count]
    if TERMINALS_AND_HONORS.issuperset(kinds):
        return sorted(TERMINALS_AND_HONORS)
    return sorted({near for kind in kinds for near in _NEAR[kind]})


@lru_cache(_CACHED_STATES)
def _reached(counts: bytes, *, runs: bool) -> dict[tuple[int, int], int]:
    """Return the goals reached with the lowest ranks of a block, by the number of runs begun on the last rank but one
    and on the last, which need one more tile and two more. Each is a number with a bit for each cost and goal, so all
    goals advance at once. Three equal runs are three triplets, so two are enough.
    """
    if not counts:
        return {(0, 0): 1}
    goals: dict[tuple[int, int], int] = {}
    most = 2 if runs and len(counts) <= _LAST_RUN else 0
    for (before, last), reached in _reached(counts[:-1], runs=runs).items():
        for begun, room, shift in _steps(before + last, counts[-1], most):
            goals[last, begun] = goals.get((last, begun), 0) | (reached & room) << shift
    return goals


@cache
def _steps(owed: int, held: int, most: int) -> tuple[tuple[int, int, int], ...]:
    """Return what can be done with a rank: the number of runs begun, at *most* so many, the goals that leave room for
    them and for what is made of equals, and the shift to the goals and costs then reached.

    :param owed: the number of tiles that runs begun before need.
    :param held: the number of tiles there are.
    """
    return tuple(
        (
            begun,
            _room(begun + triplets, pairs),
            begun + triplets + pairs * _WIDTH + max(0, owed + begun + tiles - held) * _GOALS,
        )
        for begun in range(most + 1)
        for tiles, triplets, pairs in _SETS_OF_EQUALS
        if owed + begun + tiles <= COPIES
    )


def _room(sets: int, pairs: int) -> int:
    """Return the goals, of all costs, that can be reached with as many more *sets* and *pairs*."""
    goals = (1 << (_WIDTH - sets)) - 1
    if not pairs:
        goals |= goals << _WIDTH
    return goals * _EACH_COST


def _joined(blocks: tuple[Costs, Costs]) -> Costs:
    """Return what two blocks together lack."""
    mine, yours = blocks[0].needed, blocks[1].needed
    alone = [min(map(add, mine[: sets + 1], yours[sets::-1])) for sets in range(_WIDTH)]
    paired = [_with_pair(mine, yours, sets) for sets in range(_WIDTH)]
    return _costs((*alone, *paired))


def _with_pair(mine: tuple[int, ...], yours: tuple[int, ...], sets: int) -> int:
    """Return what two blocks together lack for as many *sets* and a pair, which either of them has."""
    own = map(add, mine[_WIDTH : _WIDTH + sets + 1], yours[sets::-1])
    least: int = min(*own, *map(add, mine[: sets + 1], yours[_WIDTH + sets : _WIDTH - 1 : -1]))
    return least


def _lacking(hand: tuple[Costs, Costs, int]) -> int:
    """Return what a hand of two blocks and a number of melds lacks for four sets and a pair."""
    low, high, melds = hand
    return _with_pair(low.needed, high.needed, _SETS - melds)


def _lacking_variety(variety: int) -> int:
    """Return what a closed hand lacks for seven pairs or thirteen orphans."""
    kinds, pairs = variety & _FIELD, variety >> _PAIRS & _FIELD
    orphans, double = variety >> _ORPHANS & _FIELD, variety >> _DOUBLE & _FIELD > 0
    all_pairs = _ALL_PAIRS - pairs + max(0, _ALL_PAIRS - kinds)
    return min(all_pairs, _ALL_ORPHANS + 1 - orphans - double)


@cache
def _costs(needed: tuple[int, ...]) -> Costs:
    """Return the only costs of these values."""
    return Costs(needed)


_SUIT, _EQUALS = _Known(_suit), _Known(_equals)
_JOINED, _LACKING, _LACKING_VARIETY = _Known(_joined), _Known(_lacking), _Known(_lacking_variety)
