"""What the tiles of a hand are to each other: sets, waits, and how much they are worth on the way there.

A hand is four numbers, one for each suit and one for the honors, with three bits for how many there are of each rank.
What is to be known of such a number is found out once; after that it is a look-up.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

KINDS = 34
COPIES = 4
HONORS = 3
"""The suit of the honors: 0 man, 1 pin, 2 sou."""

_IS_HONORS = 1 << 27
EMPTY = (0, 0, 0, _IS_HONORS)
"""A hand without tiles."""

SUIT = tuple(kind // 9 for kind in range(KINDS))
UNIT = tuple(1 << 3 * (kind % 9) for kind in range(KINDS))
"""By kind: its suit, and what one tile adds to the number of that suit."""

EAST, NORTH, HAKU = 27, 30, 31
WINDS = range(EAST, HAKU)
DRAGONS = range(HAKU, KINDS)
"""The kinds of the honors."""

OUTER = frozenset((0, 8, 9, 17, 18, *range(26, KINDS)))
"""The terminals and honors."""


def mask(kinds: frozenset[int] | set[int] | range | tuple[int, ...]) -> int:
    """Return *kinds* as a number with a bit for each."""
    return sum(1 << kind for kind in kinds)


def kinds_of(bits: int) -> list[int]:
    """Return the kinds whose bits are set."""
    return [kind for kind in range(KINDS) if bits >> kind & 1]


ALL = mask(range(KINDS))
OUTERS = mask(OUTER)

# What a part of a hand is worth. A hand of 14 from which one discard leads to tenpai is worth NEAR at least: three
# sets, a pair and the poorest pair of neighbours, or more.
SET = 100
_PAIR = 30
_TWO_SIDED = 40
_GAP = 25
_EDGE = 20
NEAR = 3 * SET + _PAIR + _EDGE
_ALONE = (1, 3, 5, 6, 7, 6, 5, 3, 1)
_LONE_HONOR = 2
_LAST = 8  # the highest rank

_HAND = 13
_PAIRS = 7
_ORPHANS = 13


class Suit(NamedTuple):
    """What is known of the tiles of one suit.

    :ivar rest: how many there are, modulo three.
    :ivar sets: whether they are sets and nothing else.
    :ivar head: whether they are sets and a pair.
    :ivar to_sets: the ranks, as bits, one more tile of which makes them sets.
    :ivar to_head: likewise, sets and a pair.
    :ivar kinds: how many ranks there are.
    :ivar pairs: of how many ranks there are two or more.
    :ivar single: the ranks, as bits, of which there is one.
    :ivar outer: the terminals or honors among the ranks, as bits.
    :ivar outers: how many tiles these are.
    :ivar worth: how much the suit is worth.
    :ivar loss: by rank, how much of that goes with one tile.
    """

    rest: int
    sets: bool
    head: bool
    to_sets: int
    to_head: int
    kinds: int
    pairs: int
    single: int
    outer: int
    outers: int
    worth: int
    loss: tuple[int, ...]


def _ranks(key: int) -> range:
    return range(7 if key & _IS_HONORS else 9)


def _count(key: int, rank: int) -> int:
    return key >> 3 * rank & 7


@cache
def _sets(key: int) -> bool:
    for rank in _ranks(key):
        count = _count(key, rank)
        if count:
            unit = 1 << 3 * rank
            if count > 2 and _sets(key - 3 * unit):  # noqa: PLR2004 - a triplet
                return True
            return _begins_run(key, rank) and _sets(key - 73 * unit)  # 1, 8 and 64: one of each rank
    return True


def _begins_run(key: int, rank: int) -> bool:
    return not key & _IS_HONORS and rank <= _LAST - 2 and _count(key, rank + 1) > 0 and _count(key, rank + 2) > 0


@cache
def _head(key: int) -> bool:
    return any(_count(key, rank) > 1 and _sets(key - (2 << 3 * rank)) for rank in _ranks(key))


@cache
def _worth(key: int) -> int:
    """Return what the best way is worth to part the tiles, looking at the lowest first."""
    for rank in _ranks(key):
        count = _count(key, rank)
        if count:
            unit = 1 << 3 * rank
            parts = _parts(key, rank, count)
            return max(value + _worth(key - taken * unit) for taken, value in parts)
    return 0


def _parts(key: int, rank: int, count: int) -> list[tuple[int, int]]:
    """Return the parts that the lowest tile can be in: what they take from the number, in units, and their worth."""
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


class _Suits(dict[int, Suit]):
    """What is known of each suit, found out when it is first asked for."""

    def __missing__(self, key: int) -> Suit:
        counts = [_count(key, rank) for rank in _ranks(key)]
        rest = sum(counts) % 3
        more = [rank for rank, count in enumerate(counts) if count < COPIES]
        outer = [rank for rank, count in enumerate(counts) if count and (key & _IS_HONORS or rank in (0, _LAST))]
        suit = self[key] = Suit(
            rest=rest,
            sets=_sets(key),
            head=_head(key),
            to_sets=sum(1 << rank for rank in more if rest == 2 and _sets(key + (1 << 3 * rank))),  # noqa: PLR2004
            to_head=sum(1 << rank for rank in more if rest == 1 and _head(key + (1 << 3 * rank))),
            kinds=sum(count > 0 for count in counts),
            pairs=sum(count > 1 for count in counts),
            single=sum(1 << rank for rank, count in enumerate(counts) if count == 1),
            outer=sum(1 << rank for rank in outer),
            outers=sum(counts[rank] for rank in outer),
            worth=_worth(key),
            loss=tuple(_worth(key) - _worth(key - (1 << 3 * rank)) if n else 0 for rank, n in enumerate(counts)),
        )
        return suit


SUITS = _Suits()

_SHIFTS = (0, 9, 18, 27)

# By the rests of the four suits: which one alone waits for its pair, or which two wait for each other's.
_ONE = {1 << 2 * suit: suit for suit in range(4)}
_TWO = {2 << 2 * suit | 2 << 2 * other: (suit, other) for other in range(4) for suit in range(other)}


def waits(keys: list[int], *, closed: bool) -> int:
    """Return the kinds, as bits, that complete a hand of thirteen tiles, or of three fewer for each meld.

    A kind of which the hand itself holds all four is none of them.

    :param closed: whether there is no meld: seven pairs and thirteen orphans count as well.
    """
    man, pin, sou, honors = suits = SUITS[keys[0]], SUITS[keys[1]], SUITS[keys[2]], SUITS[keys[3]]
    rests = man.rest | pin.rest << 2 | sou.rest << 4 | honors.rest << 6
    found = 0
    if rests in _ONE:
        one = _ONE[rests]
        if suits[one].to_head and all(suit.sets for suit in suits if suit.rest == 0):
            found = suits[one].to_head << _SHIFTS[one]
    elif rests in _TWO:
        first, second = _TWO[rests]
        if all(suit.sets for suit in suits if suit.rest == 0):
            if suits[first].head:
                found = suits[second].to_sets << _SHIFTS[second]
            if suits[second].head:
                found |= suits[first].to_sets << _SHIFTS[first]
    return found | _special(suits) if closed else found


def is_complete(keys: list[int], kind: int) -> bool:
    """Return whether one more tile of *kind*, be there one or not, makes a hand four sets and a pair."""
    suits = [SUITS[key + UNIT[kind] if suit == SUIT[kind] else key] for suit, key in enumerate(keys)]
    return sum(suit.head for suit in suits) == 1 and sum(suit.sets for suit in suits) == len(suits) - 1


def _special(suits: tuple[Suit, ...]) -> int:
    """Return what completes seven pairs or thirteen orphans."""
    man, pin, sou, honors = suits
    pairs = man.pairs + pin.pairs + sou.pairs + honors.pairs
    if pairs == _PAIRS - 1 and man.kinds + pin.kinds + sou.kinds + honors.kinds == _PAIRS:
        return man.single | pin.single << 9 | sou.single << 18 | honors.single << 27
    if man.outers + pin.outers + sou.outers + honors.outers == _HAND:
        held = man.outer | pin.outer << 9 | sou.outer << 18 | honors.outer << 27
        if held == OUTERS:
            return OUTERS
        if held.bit_count() == _ORPHANS - 1:
            return OUTERS & ~held
    return 0


def is_near(keys: list[int], melds: int) -> bool:
    """Return whether a discard from a hand of fourteen tiles, or of three fewer for each meld, may leave it tenpai."""
    man, pin, sou, honors = SUITS[keys[0]], SUITS[keys[1]], SUITS[keys[2]], SUITS[keys[3]]
    if man.worth + pin.worth + sou.worth + honors.worth + SET * melds >= NEAR:
        return True
    if melds:
        return False
    outer = man.outer.bit_count() + pin.outer.bit_count() + sou.outer.bit_count() + honors.outer.bit_count()
    return man.pairs + pin.pairs + sou.pairs + honors.pairs >= _PAIRS - 1 or outer >= _ORPHANS - 1
