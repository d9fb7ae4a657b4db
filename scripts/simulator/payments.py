"""Who pays what, in hundreds of points by player (source: `scoring.md`, Payments)."""

from __future__ import annotations

from typing import NamedTuple

from simulator.hand_value import Worth
from simulator.rules import Rules

STICK = 10
_MANGAN = Worth(30, 1, (), (), 4000, 2000)


class Stakes(NamedTuple):
    """What a win is about beside its points."""

    players: int
    dealer: int
    honba: int
    sticks: int


def by_tsumo(stakes: Stakes, winner: int, worth: Worth, pao: int | None = None) -> list[int]:
    """Return what everybody gains by a tsumo. Who carries pao pays all of it."""
    change = [0] * stakes.players
    for player in range(stakes.players):
        if player != winner:
            part = worth.main if stakes.dealer in (player, winner) else worth.additional
            change[player if pao is None else pao] -= part // 100 + stakes.honba
    change[winner] = STICK * stakes.sticks - sum(change)
    return change


def by_ron(stakes: Stakes, winner: int, source: int, worth: Worth, pao: int | None = None) -> list[int]:
    """Return what everybody gains by a ron. Who carries pao pays half of it, and all of the honba; that it is half of
    several yakuman together no log tells."""
    points, honba = worth.main // 100, stakes.honba * (stakes.players - 1)
    change = [0] * stakes.players
    if pao is None:
        change[source] = -points - honba
    else:
        change[source] -= points // 2
        change[pao] -= points // 2 + honba
    change[winner] = STICK * stakes.sticks - sum(change)
    return change


def by_noten(rules: Rules, tenpai: list[int]) -> list[int]:
    """Return what everybody gains by a draw at the last tile."""
    count = len(tenpai)
    if count in (0, rules.players):
        return [0] * rules.players
    gain, loss = rules.noten // count, rules.noten // (rules.players - count)
    return [gain if player in tenpai else -loss for player in range(rules.players)]


def by_nagashi(rules: Rules, dealer: int, winners: list[int]) -> list[int]:
    """Return what everybody gains by nagashi mangan: a tsumo without honba and sticks. Of two at once both are paid,
    which no log shows."""
    stakes = Stakes(rules.players, dealer, 0, 0)
    return [sum(gains) for gains in zip(*(by_tsumo(stakes, winner, _MANGAN) for winner in winners), strict=True)]
