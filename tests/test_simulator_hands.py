"""The waits of a hand, compared with the package `mahjong`, which uses another method, and its value."""

from __future__ import annotations

import pytest
from mahjong.agari import Agari
from simulator.hand_shapes import EMPTY_KEYS, UNIT_OF, may_reach_tenpai, waits, would_complete
from simulator.hand_value import HandValue, ValueCalculator, WinContext
from simulator.melds import Meld, ankan, chi, kita, pon
from simulator.random_source import RandomSource
from simulator.rules import rules_of
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


# --- the value of hands in the simulator, and the order of their yaku -------------------------------------------------


EAST, WHITE, GREEN, RED = 108, 124, 128, 132
RUNS = [8, 12, 16, 44, 48, 52, 84, 88]  # 345m 345p 45s
DEALER = WinContext(0, 0, tsumo=False)


def value(
    tiles: list[int], win: int, melds: list[Meld], context: WinContext = DEALER, number: int = 9
) -> HandValue | None:
    """Return the value of a hand, with 9p as the only dora indicator."""
    return ValueCalculator(rules_of(number)).value([*tiles, win], win, melds, context, ([68], [69]))


def triplet(tile: int) -> Meld:
    """Return a pon of honors."""
    return pon([tile, tile + 1], tile + 2, 1)


@pytest.mark.parametrize(
    ("tiles", "melds", "expected"),
    [
        ([0, 1, 4, 8], [triplet(RED), triplet(GREEN), triplet(EAST)], [20, 19, 14, 10]),
        ([0, 1, 4, 8], [triplet(EAST), triplet(RED), triplet(GREEN)], [14, 10, 20, 19]),
        ([0, 1, 4, 8, RED, RED + 1, RED + 2], [triplet(EAST), triplet(WHITE)], [20, 14, 10, 18]),
        ([0, 1, 4, 8, EAST, EAST + 1, EAST + 2], [triplet(WHITE), ankan(32)], [14, 10, 18, 19]),
    ],
)
def test_yakuhai(tiles: list[int], melds: list[Meld], expected: list[int]) -> None:
    """Yakuhai are in the order of their sets: closed ones, then melds from the oldest; the round wind first."""
    result = value(tiles, 12, melds)
    assert result is not None
    assert [number for number, _ in result.yaku if number in range(10, 21)] == expected


def test_riichi() -> None:
    """A riichi win lists ura dora after the red fives, even with zero han, and tanyao after sanshoku."""
    context = DEALER._replace(riichi=True, ippatsu=True, tsumo=True)
    result = value([*RUNS, 60, 61, 20, 24, 28], 80, [], context)
    assert result is not None
    assert result.yaku == ((1, 1), (2, 1), (0, 1), (7, 1), (25, 2), (8, 1), (54, 3), (53, 0))
    assert (result.fu, result.limit, result.main, result.additional) == (20, 3, 8000, 8000)


def test_no_yaku() -> None:
    """A hand without yaku has no value, whatever its dora; open tanyao counts only if the rules allow it."""
    tiles, melds = [44, 48, 52, 84, 88, 60, 61], [chi([4, 8], 12), chi([20, 24], 28)]
    assert value(tiles, 80, melds) is not None
    assert value(tiles, 80, melds, number=13) is None


def test_norths() -> None:
    """Norths set aside count as dora, not as part of the hand."""
    tiles = [36, 40, 44, 48, 53, 56, 60, 64, 72, 76, 80, 112, 113]
    result = value(tiles, 68, [kita(120), kita(121)], DEALER._replace(riichi=True), number=17)
    assert result is not None
    assert dict(result.yaku)[52] == 3  # and 1p
    assert dict(result.yaku)[24] == 2


def test_yakuman() -> None:
    """A yakuman has no other yaku, and several yakuman add up."""
    result = value([132], 133, [triplet(tile) for tile in (EAST, 112, 116, 120)])
    assert result is not None
    assert (result.yaku, result.yakuman, result.limit, result.main) == ((), (49, 42), 5, 96000)
