"""Computes the payments for a win or draw (docs/design/scoring.md, Payments)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import add, sub
from typing import NamedTuple

from jmjp_convert.checks.score.house_rules import Missing
from jmjp_convert.model.yaku import parts
from jmjp_convert.play.points import STICK

_TENPAI = {4: 3000, 3: 2000}
"""By number of players, the total that the noten players pay."""

_MANGAN = (4000, 2000)
"""A mangan tsumo: the dealer's part and each other player's; if the dealer wins, everybody pays the dealer's part."""

_HUNDRED = 100

HONBA = 100
"""Paid per honba by each other player for a tsumo."""


Changes = tuple[int, ...]
"""What each player gains and loses."""


class Stakes(NamedTuple):
    """What determines payments besides a win's points; *honba* and riichi *sticks* are counts."""

    players: int
    dealer: int
    honba: int = 0
    sticks: int = 0


def tsumo_shares(basic: int, missing: Missing | None, *, dealer: bool) -> tuple[int, int]:
    """Return what the dealer pays for a tsumo of *basic* points, and each of the others: the same if the *dealer* wins.

    :param missing: what happens to the part of a missing fourth player; ``None``: there are four.
    """
    if missing is Missing.HALVED:
        main = hundreds(hundreds(basic * parts(dealer=dealer, payers=2, tsumo=False)), 2)
        return main, main
    main = hundreds(2 * basic)
    additional = main if dealer else hundreds(basic)
    half = hundreds(additional, 2) if missing is Missing.SPLIT else 0
    return main + half, additional + half


def hundreds(points: int, shares: int = 1) -> int:
    """Return the share of *points*, rounded up to hundreds."""
    return -(-points // (shares * _HUNDRED)) * _HUNDRED


class Responsible(NamedTuple):
    """The *player* responsible (pao), and for how many of the yakuman of a hand, *yakuman* of *total*; a double yakuman
    counts as two."""

    player: int
    yakuman: int = 1
    total: int = 1


def tsumo(stakes: Stakes, winner: int, main: int, additional: int, pao: Responsible | None = None) -> tuple[int, ...]:
    """Return the payments for a tsumo: *main* by the dealer, *additional* by the others, 100 per honba by each.

    With three players the missing player's part is not paid. The player responsible by *pao* pays that part for
    everybody, and all honba.
    """
    changes = [-(main if stakes.dealer in (player, winner) else additional) for player in range(stakes.players)]
    changes[winner] = 0
    honba = HONBA * stakes.honba
    if pao is None:
        changes = [change - honba * (player != winner) for player, change in enumerate(changes)]
    else:
        shifted = [change * pao.yakuman // pao.total for change in changes]
        changes = [change - shift for change, shift in zip(changes, shifted, strict=True)]
        changes[pao.player] += sum(shifted) - honba * (stakes.players - 1)
    return _won(changes, winner, stakes)


def ron(stakes: Stakes, winner: int, source: int, points: int, pao: Responsible | None = None) -> tuple[int, ...]:
    """Return the payments for a ron, with the same total per honba as for a tsumo. The player responsible by *pao* pays
    half of that part, and the honba."""
    honba = HONBA * stakes.honba * (stakes.players - 1)
    changes = [0] * stakes.players
    shared = 0 if pao is None else points * pao.yakuman // pao.total // 2
    changes[source if pao is None else pao.player] -= shared + honba
    changes[source] -= points - shared
    return _won(changes, winner, stakes)


def _won(changes: list[int], winner: int, stakes: Stakes) -> tuple[int, ...]:
    changes[winner] -= sum(changes) - STICK * stakes.sticks
    return tuple(changes)


def with_wareme(paid: Callable[[Stakes], Changes], stakes: Stakes, winner: int, seat: int) -> list[Changes]:
    """Return the possible payments for a win if the player in the *seat* of the wareme pays and gets double: whether
    that is so of the honba too is unknown.

    :param paid: returns the usual payments.
    """
    value = paid(stakes._replace(honba=0, sticks=0))
    without_sticks = paid(stakes._replace(sticks=0))
    whole = paid(stakes)
    possible = [
        tuple(map(add, _doubled(doubled, winner, seat), map(sub, whole, doubled)))
        for doubled in (value, without_sticks)
    ]
    return possible if stakes.honba else possible[:1]


def _doubled(changes: Changes, winner: int, seat: int) -> Changes:
    """Return *changes* with what the player in *seat* pays or gets from each of the others doubled."""
    doubled = [change * (1 + (seat in (player, winner))) for player, change in enumerate(changes)]
    doubled[winner] = 0
    doubled[winner] = -sum(doubled)
    return tuple(doubled)


def noten(players: int, tenpai: Collection[int]) -> tuple[int, ...]:
    """Return the payments from the noten players to the *tenpai* ones."""
    count = len(tenpai)
    if count in (0, players):
        return (0,) * players
    total = _TENPAI[players]
    return tuple(total // count if player in tenpai else -total // (players - count) for player in range(players))


def nagashi(players: int, dealer: int, winner: int) -> tuple[int, ...]:
    """Return the payments for a nagashi mangan: those of a tsumo, without honba and sticks."""
    return tsumo(Stakes(players, dealer), winner, *_MANGAN)


def first_winner(winners: Collection[int], source: int, players: int) -> int:
    """Return the first of *winners* in turn order after *source*, who takes the honba and the sticks."""
    return min(winners, key=lambda player: (player - source) % players)
