"""The value of hands in the simulator, and the order of their yaku."""

from __future__ import annotations

import pytest
from simulator.hand_value import HandValue, ValueCalculator, WinContext
from simulator.melds import Meld, ankan, chi, kita, pon
from simulator.rules import rules_of

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
