"""Computes who pays what for a win or draw (source: ``scoring.md``, Payments)."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from jmjp_convert.play.points import STICK

_TENPAI = {4: 3000, 3: 2000}
"""By players, what the noten pay together."""

_MANGAN = (4000, 2000)
"""A mangan by tsumo: the dealer's part, and that of another; to the dealer everybody pays the dealer's part."""


_HONBA = 100
"""What each of the others pays for a honba by tsumo."""


class Stakes(NamedTuple):
    """What a win is about beside its points: the *dealer*, the *honba* and the riichi *sticks*, counts both."""

    players: int
    dealer: int
    honba: int = 0
    sticks: int = 0


def tsumo(stakes: Stakes, winner: int, main: int, additional: int, pao: int | None = None) -> tuple[int, ...]:
    """Return the payments of a tsumo: the dealer's part is *main*, another's *additional*, a honba's 100 from each.

    With three players the missing one's part is not paid. Who carries *pao* pays all.
    """
    changes = [
        -(main if stakes.dealer in (player, winner) else additional) - _HONBA * stakes.honba
        for player in range(stakes.players)
    ]
    changes[winner] = 0
    if pao is not None:
        changes = [sum(changes) * (player == pao) for player in range(stakes.players)]
    return _won(changes, winner, stakes)


def ron(stakes: Stakes, winner: int, source: int, points: int, pao: int | None = None) -> tuple[int, ...]:
    """Return the payments of a ron: a honba's part is what it would be of a tsumo. Who carries *pao* pays half, and
    the honba."""
    honba = _HONBA * stakes.honba * (stakes.players - 1)
    changes = [0] * stakes.players
    if pao is None:
        pao = source
    changes[pao] -= points // 2 + honba
    changes[source] -= points - points // 2
    return _won(changes, winner, stakes)


def _won(changes: list[int], winner: int, stakes: Stakes) -> tuple[int, ...]:
    changes[winner] -= sum(changes) - STICK * stakes.sticks
    return tuple(changes)


def noten(players: int, tenpai: Collection[int]) -> tuple[int, ...]:
    """Return the payments from who is noten to who is *tenpai*."""
    count = len(tenpai)
    if count in (0, players):
        return (0,) * players
    total = _TENPAI[players]
    return tuple(total // count if player in tenpai else -total // (players - count) for player in range(players))


def nagashi(players: int, dealer: int, winner: int) -> tuple[int, ...]:
    """Return the payments of a nagashi mangan: those of a tsumo, without honba and sticks."""
    return tsumo(Stakes(players, dealer), winner, *_MANGAN)


def first_winner(winners: Collection[int], source: int, players: int) -> int:
    """Return who of several *winners* comes first in turn after *source*: he takes the honba and the sticks."""
    return min(winners, key=lambda player: (player - source) % players)
