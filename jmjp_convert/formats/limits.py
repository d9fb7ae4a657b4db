"""The limit of a hand by its points, for formats that record only the points."""

from __future__ import annotations

from jmjp_convert.model import Limit

BASIC = {
    Limit.YAKUMAN: 8000,
    Limit.SANBAIMAN: 6000,
    Limit.BAIMAN: 4000,
    Limit.HANEMAN: 3000,
    Limit.MANGAN: 2000,
}
"""The basic points from which each limit counts (``docs/design/scoring.md``, Payments)."""


def limit_of(points: int, *, dealer: bool, payers: int, tsumo: bool) -> Limit:
    """Return the limit that a hand worth *points* reaches.

    :param points: the total, without honba and riichi sticks.
    :param dealer: whether the dealer wins.
    :param payers: the number of players besides the winner.
    """
    shares = parts(dealer=dealer, payers=payers, tsumo=tsumo)
    return next((limit for limit, least in BASIC.items() if points >= least * shares), Limit.NONE)


def worth_of_yakuman(*, dealer: bool, payers: int = 3, tsumo: bool = False) -> int:
    """Return the points of a single yakuman; the parameters are those of :func:`limit_of`."""
    return BASIC[Limit.YAKUMAN] * parts(dealer=dealer, payers=payers, tsumo=tsumo)


def parts(*, dealer: bool, payers: int, tsumo: bool) -> int:
    """Return how many times the basic points a hand is worth; the parameters are those of :func:`limit_of`."""
    if not tsumo:
        return 6 if dealer else 4
    return 2 * payers if dealer else payers + 1
