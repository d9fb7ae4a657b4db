"""The shape of a hand: whether its tiles form sets, what it waits for, and its progress.

A hand is four keys, one for each suit and one for the honors. A key packs the tiles of a suit into a number, with three
bits per rank for the number of its tiles. The shape of a key is computed once and then looked up.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from simulator.tile_kinds import COPIES, KINDS, SUIT_OF, YAOCHUU_BITS

_IS_HONORS = 1 << 27
EMPTY_KEYS = (0, 0, 0, _IS_HONORS)
"""A hand without tiles."""

UNIT_OF = tuple(1 << 3 * (kind % 9) for kind in range(KINDS))
"""By kind: what one tile adds to the key of its suit."""

# The progress of the parts of a hand. A hand of 14 that is one discard from tenpai has three sets, a pair and at least
# the poorest partial run: NEAR_TENPAI or more.
SET = 100
_PAIR = 30
_TWO_SIDED = 40
_GAP = 25
_EDGE = 20
NEAR_TENPAI = 3 * SET + _PAIR + _EDGE
_ALONE = (1, 3, 5, 6, 7, 6, 5, 3, 1)
_LONE_HONOR = 2
_LAST = 8  # the highest rank

_HAND = 13
_PAIRS = 7
_ORPHANS = 13


class SuitShape(NamedTuple):
    """The shape of the tiles of one suit.

    :ivar remainder: how many there are, modulo three.
    :ivar is_sets: whether they form only sets.
    :ivar is_sets_and_pair: whether they form sets and one pair.
    :ivar to_sets: the ranks, as bits, of which one more tile makes them only sets.
    :ivar to_sets_and_pair: the ranks, as bits, of which one more tile makes them sets and one pair.
    :ivar ranks: how many different ranks there are.
    :ivar pairs: how many ranks have two tiles or more.
    :ivar singles: the ranks, as bits, that have one tile.
    :ivar yaochuu: the ranks, as bits, that are terminals or honors.
    :ivar yaochuu_tiles: how many tiles of these ranks there are.
    :ivar progress: how close the suit is to sets.
    :ivar loss: by rank, how much of the progress is lost with one tile.
    """

    remainder: int
    is_sets: bool
    is_sets_and_pair: bool
    to_sets: int
    to_sets_and_pair: int
    ranks: int
    pairs: int
    singles: int
    yaochuu: int
    yaochuu_tiles: int
    progress: int
    loss: tuple[int, ...]


def _ranks(key: int) -> range:
    return range(7 if key & _IS_HONORS else 9)


def _count(key: int, rank: int) -> int:
    return key >> 3 * rank & 7


@cache
def _is_sets(key: int) -> bool:
    for rank in _ranks(key):
        count = _count(key, rank)
        if count:
            unit = 1 << 3 * rank
            if count > 2 and _is_sets(key - 3 * unit):  # noqa: PLR2004 - a triplet
                return True
            return _begins_run(key, rank) and _is_sets(key - 73 * unit)  # 1, 8 and 64: one of each rank
    return True


def _begins_run(key: int, rank: int) -> bool:
    return not key & _IS_HONORS and rank <= _LAST - 2 and _count(key, rank + 1) > 0 and _count(key, rank + 2) > 0


@cache
def _is_sets_and_pair(key: int) -> bool:
    return any(_count(key, rank) > 1 and _is_sets(key - (2 << 3 * rank)) for rank in _ranks(key))


@cache
def _progress(key: int) -> int:
    """Return the progress of the tiles in their best division into parts. The lowest tile is placed first."""
    for rank in _ranks(key):
        count = _count(key, rank)
        if count:
            unit = 1 << 3 * rank
            parts = _parts(key, rank, count)
            return max(progress + _progress(key - taken * unit) for taken, progress in parts)
    return 0


def _parts(key: int, rank: int, count: int) -> list[tuple[int, int]]:
    """Return the parts that the lowest tile can belong to: what each takes from the key, in units, and its progress."""
    if key & _IS_HONORS:
        parts = [(1, _LONE_HONOR)]
    else:
        parts = [(1, _ALONE[rank])]
        after = _count(key, rank + 1) if rank < _LAST else 0
        next_but_one = _count(key, rank + 2) if rank < _LAST - 1 else 0
        if after and next_but_one:
            parts.append((73, SET))
        if after:
            parts.append((9, _TWO_SIDED if 0 < rank < _LAST - 1 else _EDGE))
        if next_but_one:
            parts.append((65, _GAP))
    parts += [(2, _PAIR)] if count > 1 else []
    parts += [(3, SET)] if count > 2 else []  # noqa: PLR2004 - a triplet
    return parts


class _SuitShapes(dict[int, SuitShape]):
    """By key: the shape of the suit, computed on first use."""

    def __missing__(self, key: int) -> SuitShape:
        counts = [_count(key, rank) for rank in _ranks(key)]
        remainder = sum(counts) % 3
        more = [rank for rank, count in enumerate(counts) if count < COPIES]
        yaochuu = [rank for rank, count in enumerate(counts) if count and (key & _IS_HONORS or rank in (0, _LAST))]
        shape = self[key] = SuitShape(
            remainder=remainder,
            is_sets=_is_sets(key),
            is_sets_and_pair=_is_sets_and_pair(key),
            to_sets=sum(1 << rank for rank in more if remainder == 2 and _is_sets(key + (1 << 3 * rank))),  # noqa: PLR2004
            to_sets_and_pair=sum(
                1 << rank for rank in more if remainder == 1 and _is_sets_and_pair(key + (1 << 3 * rank))
            ),
            ranks=sum(count > 0 for count in counts),
            pairs=sum(count > 1 for count in counts),
            singles=sum(1 << rank for rank, count in enumerate(counts) if count == 1),
            yaochuu=sum(1 << rank for rank in yaochuu),
            yaochuu_tiles=sum(counts[rank] for rank in yaochuu),
            progress=_progress(key),
            loss=tuple(_progress(key) - _progress(key - (1 << 3 * rank)) if n else 0 for rank, n in enumerate(counts)),
        )
        return shape


SUIT_SHAPES = _SuitShapes()

_SHIFTS = (0, 9, 18, 27)

# By the remainders of the four suits: the one suit that lacks a tile of its pair, or the two suits of which one has the
# pair and the other waits.
_ONE = {1 << 2 * suit: suit for suit in range(4)}
_TWO = {2 << 2 * suit | 2 << 2 * other: (suit, other) for other in range(4) for suit in range(other)}


def waits(keys: list[int], *, closed: bool) -> int:
    """Return the kinds, as bits, that complete a hand of thirteen tiles, or three fewer per meld.

    Kinds of which the hand itself has all four tiles are left out.

    :param closed: whether there are no melds, so that seven pairs and thirteen orphans count too.
    """
    man, pin, sou, honors = shapes = (
        SUIT_SHAPES[keys[0]],
        SUIT_SHAPES[keys[1]],
        SUIT_SHAPES[keys[2]],
        SUIT_SHAPES[keys[3]],
    )
    remainders = man.remainder | pin.remainder << 2 | sou.remainder << 4 | honors.remainder << 6
    found = 0
    if remainders in _ONE:
        one = _ONE[remainders]
        if shapes[one].to_sets_and_pair and all(shape.is_sets for shape in shapes if shape.remainder == 0):
            found = shapes[one].to_sets_and_pair << _SHIFTS[one]
    elif remainders in _TWO:
        first, second = _TWO[remainders]
        if all(shape.is_sets for shape in shapes if shape.remainder == 0):
            if shapes[first].is_sets_and_pair:
                found = shapes[second].to_sets << _SHIFTS[second]
            if shapes[second].is_sets_and_pair:
                found |= shapes[first].to_sets << _SHIFTS[first]
    return found | _special_waits(shapes) if closed else found


def would_complete(keys: list[int], kind: int) -> bool:
    """Return whether one more tile of *kind*, even a fifth, completes four sets and a pair."""
    shapes = [SUIT_SHAPES[key + UNIT_OF[kind] if suit == SUIT_OF[kind] else key] for suit, key in enumerate(keys)]
    with_pair, without = sum(shape.is_sets_and_pair for shape in shapes), sum(shape.is_sets for shape in shapes)
    return with_pair == 1 and without == len(shapes) - 1


def _special_waits(shapes: tuple[SuitShape, ...]) -> int:
    """Return the kinds, as bits, that complete seven pairs or thirteen orphans."""
    man, pin, sou, honors = shapes
    pairs = man.pairs + pin.pairs + sou.pairs + honors.pairs
    if pairs == _PAIRS - 1 and man.ranks + pin.ranks + sou.ranks + honors.ranks == _PAIRS:
        return man.singles | pin.singles << 9 | sou.singles << 18 | honors.singles << 27
    if man.yaochuu_tiles + pin.yaochuu_tiles + sou.yaochuu_tiles + honors.yaochuu_tiles == _HAND:
        held = man.yaochuu | pin.yaochuu << 9 | sou.yaochuu << 18 | honors.yaochuu << 27
        if held == YAOCHUU_BITS:
            return YAOCHUU_BITS
        if held.bit_count() == _ORPHANS - 1:
            return YAOCHUU_BITS & ~held
    return 0


def may_reach_tenpai(keys: list[int], meld_sets: int) -> bool:
    """Return whether a discard may leave a hand of fourteen tiles, or three fewer per meld, tenpai. This quick test has
    false positives but no false negatives."""
    man, pin, sou, honors = SUIT_SHAPES[keys[0]], SUIT_SHAPES[keys[1]], SUIT_SHAPES[keys[2]], SUIT_SHAPES[keys[3]]
    if man.progress + pin.progress + sou.progress + honors.progress + SET * meld_sets >= NEAR_TENPAI:
        return True
    if meld_sets:
        return False
    yaochuu = man.yaochuu.bit_count() + pin.yaochuu.bit_count() + sou.yaochuu.bit_count() + honors.yaochuu.bit_count()
    return man.pairs + pin.pairs + sou.pairs + honors.pairs >= _PAIRS - 1 or yaochuu >= _ORPHANS - 1
