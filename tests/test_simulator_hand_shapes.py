"""The waits of a hand, compared with the package `mahjong`, which uses another method."""

from __future__ import annotations

import pytest
from mahjong.agari import Agari
from simulator.hand_shapes import EMPTY_KEYS, UNIT_OF, may_reach_tenpai, waits, would_complete
from simulator.random_source import RandomSource
from simulator.tile_kinds import COPIES, KINDS, SUIT_OF, YAOCHUU, bits_of, kinds_of

POOLS = {
    "all": range(KINDS),
    "one suit": range(9),
    "two suits": range(18),
    "honors and a suit": range(18, KINDS),
    "terminals and honors": tuple(YAOCHUU),
}
CASES = 150


def keys_of(kinds: list[int]) -> list[int]:
    """Return the simulator's keys of a hand."""
    keys = list(EMPTY_KEYS)
    for kind in kinds:
        keys[SUIT_OF[kind]] += UNIT_OF[kind]
    return keys


def completing(counts: list[int]) -> int:
    """Return the kinds, as bits, that complete a hand according to the package."""
    kinds = [kind for kind in range(KINDS) if counts[kind] < COPIES and completes(counts, kind)]
    return bits_of(kinds)


def completes(counts: list[int], kind: int) -> bool:
    """Return whether a tile of *kind* completes a hand according to the package."""
    return Agari.is_agari([*counts[:kind], counts[kind] + 1, *counts[kind + 1 :]])


def dealt(pool: str, size: int, number: int) -> list[int]:
    """Return a hand of *size* tiles from *pool*."""
    random = RandomSource(pool, size, number)
    tiles = [kind for kind in POOLS[pool] for _ in range(COPIES)]
    return [tiles.pop(random.below(len(tiles))) for _ in range(size)]


@pytest.mark.parametrize("size", [13, 10, 7, 4, 1])
@pytest.mark.parametrize("pool", POOLS)
def test_waits(pool: str, size: int) -> None:
    """A hand waits for the kinds that complete it according to the package; with any extra tile, a discard may reach
    tenpai."""
    tenpai = 0
    for number in range(CASES):
        hand = dealt(pool, size, number)
        counts = [hand.count(kind) for kind in range(KINDS)]
        expected = completing(counts)
        assert waits(keys_of(hand), closed=size == 13) == expected
        tenpai += bool(expected)
        for kind in range(KINDS) if expected else ():
            assert counts[kind] == COPIES or may_reach_tenpai(keys_of([*hand, kind]), (13 - size) // 3)
    assert tenpai or pool != "one suit"


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ((0, 0, 1, 1, 2, 2, 10, 10, 11, 11, 12, 12, 33), {33}),
        (tuple(sorted(YAOCHUU)), set(YAOCHUU)),
        ((*sorted(YAOCHUU - {5, 33}), 0), {33}),
        ((0, 0, 0, 3, 3, 6, 6, 9, 9, 12, 12, 15, 15), set()),
        ((0, 0, 0, 0, 9, 10, 11, 12, 13, 14, 15, 16, 17), set()),
        ((0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8), set(range(9))),
    ],
    ids=["two ways", "thirteen sides", "orphans", "three of a pair", "a fifth", "nine gates"],
)
def test_special(hand: tuple[int, ...], expected: set[int]) -> None:
    """Seven pairs, orphans and nine gates have the right waits, and no hand waits for a fifth tile of a kind."""
    assert set(kinds_of(waits(keys_of(list(hand)), closed=True))) == expected


def test_fifth() -> None:
    """A hand that a fifth tile of a kind would complete is recognized."""
    assert would_complete(keys_of([0, 0, 0, 0, 9, 10, 11, 12, 13, 14, 15, 16, 17]), 0)
    assert not would_complete(keys_of([0, 0, 0, 0, 9, 10, 11, 12, 13, 14, 15, 16, 16]), 0)
