"""The waits of a hand, compared with the package `mahjong`, which uses another method, and its value."""

from __future__ import annotations

import pytest
from mahjong.agari import Agari
from simulator.hand_shapes import EMPTY_KEYS, UNIT_OF, may_reach_tenpai, waits
from simulator.hand_value import ValueCalculator, WinContext
from simulator.melds import Meld, ankan, pon
from simulator.random_source import RandomSource
from simulator.rules import rules_of
from simulator.tile_kinds import COPIES, KINDS, SUIT_OF, YAOCHUU, bits_of, kinds_of
from tables import table

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


@pytest.mark.parametrize(("hand", "expected"), table("simulator_hands", "special", globals()))
def test_special(hand: tuple[int, ...], expected: set[int]) -> None:
    """Seven pairs, orphans and nine gates have the right waits, and no hand waits for a fifth tile of a kind."""
    assert set(kinds_of(waits(keys_of(list(hand)), closed=True))) == expected


# --- the value of hands in the simulator, and the order of their yaku -------------------------------------------------


EAST, WHITE, GREEN, RED = 108, 124, 128, 132
DEALER = WinContext(0, 0, tsumo=False)


def triplet(tile: int) -> Meld:
    """Return a pon of honors."""
    return pon([tile, tile + 1], tile + 2, 1)


@pytest.mark.parametrize(
    ("tiles", "melds", "expected"), table("simulator_hands", "yakuhai", globals() | {"ankan": ankan})
)
def test_yakuhai(tiles: list[int], melds: list[Meld], expected: list[int]) -> None:
    """Yakuhai are in the order of their sets: closed ones, then melds from the oldest; the round wind first."""
    result = ValueCalculator(rules_of(9)).value([*tiles, 12], 12, melds, DEALER, ([68], [69]))
    assert result is not None
    assert [number for number, _ in result.yaku if number in range(10, 21)] == expected
