"""Who pays what. A payment is a list of the gain of each player, in hundreds of points.

Source: `docs/design/scoring.md`, Payments.
"""

from __future__ import annotations

from typing import NamedTuple

from simulator.hand_value import HandValue
from simulator.rules import Rules

STICK = 10
_MANGAN = HandValue(30, 1, (), (), 4000, 2000)


class Stakes(NamedTuple):
    """What the payment for a win depends on besides the value of the hand."""

    players: int
    dealer: int
    honba: int
    sticks: int


def tsumo_payment(stakes: Stakes, winner: int, value: HandValue, pao: int | None = None) -> list[int]:
    """Return the payment for a tsumo. The player *pao*, if any, pays all of it."""
    gains = [0] * stakes.players
    for player in range(stakes.players):
        if player != winner:
            part = value.main if stakes.dealer in (player, winner) else value.additional
            gains[player if pao is None else pao] -= part // 100 + stakes.honba
    gains[winner] = STICK * stakes.sticks - sum(gains)
    return gains


def ron_payment(stakes: Stakes, winner: int, source: int, value: HandValue, pao: int | None = None) -> list[int]:
    """Return the payment for a ron off *source*. The player *pao*, if any, pays half of the value and all of the honba.
    For several yakuman it is half of their sum; this is a guess, since no log shows it."""
    points, honba = value.main // 100, stakes.honba * (stakes.players - 1)
    gains = [0] * stakes.players
    if pao is None:
        gains[source] = -points - honba
    else:
        gains[source] -= points // 2
        gains[pao] -= points // 2 + honba
    gains[winner] = STICK * stakes.sticks - sum(gains)
    return gains


def noten_payment(rules: Rules, tenpai: list[int]) -> list[int]:
    """Return the payment at an exhaustive draw with the players *tenpai* in tenpai."""
    count = len(tenpai)
    if count in (0, rules.players):
        return [0] * rules.players
    gain, loss = rules.noten // count, rules.noten // (rules.players - count)
    return [gain if player in tenpai else -loss for player in range(rules.players)]


def nagashi_payment(rules: Rules, dealer: int, winners: list[int]) -> list[int]:
    """Return the payment for nagashi mangan: that of a tsumo without honba and sticks. Two winners are both paid; this
    is a guess, since no log shows it."""
    stakes = Stakes(rules.players, dealer, 0, 0)
    return [sum(gains) for gains in zip(*(tsumo_payment(stakes, winner, _MANGAN) for winner in winners), strict=True)]
