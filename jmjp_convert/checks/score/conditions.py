"""Says what each player needs in the last hand for a better placement, by tsumo and by ron off each of the others.

A condition is the cheapest hand with which the player, if the game ended with that win, would reach the placement or a
better one. It takes in honba, riichi sticks on the table, who deals, and the tie-break. Sources:

- Payments: docs/design/scoring.md, Payments; three players by what the house does with the part of the missing one.
- Ties: the player nearer to the first dealer is before the others, as on Tenhou (docs/design/scoring.md, Final result:
  159 ties agree) and Mahjong Soul (there too); of Riichi City no tie is known, and it is taken to do the same.
- Riichi sticks on the table go to the winner, so that none are left for the player in first place.
- Hands: the usual table of fu and han, without raising to mangan, which no house has in ranked games (there, Settings).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from jmjp_convert.checks.score import payments
from jmjp_convert.checks.score.house_rules import Missing, rules_of
from jmjp_convert.model import SEATS, THREE_PLAYERS, Ending, Frame, Limit, Match, RiichiAccepted, Rules, houses
from jmjp_convert.model.yaku import BASIC, parts
from jmjp_convert.play.dora_indicators import with_indicators
from jmjp_convert.play.points import STICK, points_at_end, ranking

_SOUTH = 4
_MANGAN_HAN = 5
_PAIRS = 25
_FU = (*range(30, 120, 10), _PAIRS)
_LEAST_HAN = {(20, True): 2, (25, True): 3, (25, False): 2}
"""By fu and whether by tsumo, the least han where it is not one: pinfu with tsumo, and seven pairs."""


class Price(NamedTuple):
    """What a hand of some worth is paid."""

    main: int  # by the discarder; for a tsumo, by the dealer, or by everybody to the dealer
    additional: int  # by each of the others for a tsumo
    limit: Limit  # the limit it reaches
    fu: int = 0  # without a limit, the fewest fu of such a hand; those of seven pairs only if there is no other
    han: int = 0  # the han that go with them


ANY = Price(0, 0, Limit.NONE)
"""Any win is enough."""


class Condition(NamedTuple):
    """What a player needs for a *placement*, 1 to 4, or a better one."""

    placement: int
    tsumo: Price | None  # the cheapest hand by tsumo; ANY; None: not even a yakuman is enough
    ron: tuple[Price | None, ...]  # the same by ron off each player; None for the player too


class Stage(NamedTuple):
    """The conditions from a moment on."""

    step: int  # after how many events of the frame, as with_indicators has it: a riichi changes points and sticks
    conditions: tuple[tuple[Condition, ...], ...]  # by player, for each better placement, the next one first


def is_last(match: Match, number: int) -> bool:
    """Return whether the frame *number* of *match* is of the last round, or of the extension after it; if the length of
    the match is not recorded, whether it is the last frame of a match that has ended."""
    east_only = houses.is_east_only(match.rules)
    if east_only is None:
        return number == len(match.frames) - 1 and points_at_end(match) is not None
    return match.frames[number].start.round >= (0 if east_only else _SOUTH) + match.rules.players - 1


def conditions(match: Match) -> dict[int, list[Stage]]:
    """Return the stages of each last hand of *match*, by the number of its frame. A hand with unknown points or
    sticks has none, nor does any with wareme, which doubles payments."""
    if houses.has_option(match.rules, houses.WAREME):
        return {}
    frames = {number: frame for number, frame in enumerate(match.frames) if is_last(match, number)}
    return {number: stages for number, frame in frames.items() if (stages := list(_stages(frame, match.rules)))}


def _stages(frame: Frame, rules: Rules) -> Iterator[Stage]:
    start = frame.start
    if start.points is None or start.sticks is None:
        return
    points, sticks = [*start.points], start.sticks
    yield _stage(0, frame, rules, points, sticks)
    for step, event in enumerate(with_indicators(frame, rules).events, 1):
        if isinstance(event, Ending):
            return
        if isinstance(event, RiichiAccepted):
            points[event.player] -= STICK
            sticks += 1
            yield _stage(step, frame, rules, points, sticks)


def _stage(step: int, frame: Frame, rules: Rules, points: Sequence[int], sticks: int) -> Stage:
    stakes = payments.Stakes(rules.players, frame.start.dealer, frame.start.honba, sticks)
    missing = rules_of(rules.house).missing(rules)[0] if rules.players == THREE_PLAYERS else None
    needs = _Needs(tuple(points), stakes, missing)
    order = ranking(tuple(points))
    return Stage(
        step,
        tuple(
            tuple(needs.condition(player, placement) for placement in range(order.index(player), 0, -1))
            for player in range(rules.players)
        ),
    )


class _Needs(NamedTuple):
    """The points and what is at stake in a last hand."""

    points: tuple[int, ...]
    stakes: payments.Stakes
    missing: Missing | None

    def condition(self, player: int, placement: int) -> Condition:
        """Return what *player* needs for *placement*."""
        others = range(self.stakes.players)
        ron = (None if source == player else self._cheapest(player, source, placement) for source in others)
        return Condition(placement, self._cheapest(player, None, placement), tuple(ron))

    def _cheapest(self, player: int, source: int | None, placement: int) -> Price | None:
        prices_ = prices(dealer=player == self.stakes.dealer, tsumo=source is None, missing=self.missing)
        # More pay never makes the placement worse.
        enough = bisect_left(prices_, -placement, key=lambda price: -self._placement(player, source, price))
        return None if enough == len(prices_) else prices_[enough] if enough else ANY

    def _placement(self, player: int, source: int | None, price: Price) -> int:
        """Return the placement of *player* after a win."""
        if source is None:
            changes = payments.tsumo(self.stakes, player, price.main, price.additional)
        else:
            changes = payments.ron(self.stakes, player, source, price.main)
        after = tuple(map(sum, zip(self.points, changes, strict=True)))
        return ranking(after).index(player) + 1


@cache
def prices(*, dealer: bool, tsumo: bool, missing: Missing | None) -> tuple[Price, ...]:
    """Return what hands are paid, up to one yakuman, the cheapest first.

    :param missing: with three players, what happens to the part of the missing one in a tsumo.
    """
    worths = {BASIC[limit]: (limit, 0, 0) for limit in BASIC}
    for fu in (*((20,) if tsumo else ()), *_FU):
        for han in range(_LEAST_HAN.get((fu, tsumo), 1), _MANGAN_HAN):
            worths.setdefault(min(fu << (han + 2), BASIC[Limit.MANGAN]), (Limit.NONE, fu, han))
    cheapest: dict[tuple[int, int], Price] = {}
    for basic in sorted(worths):  # hands of other worth may be paid alike, rounded
        amounts = _paid(basic, dealer=dealer, tsumo=tsumo, missing=missing)
        limit, fu, han = worths[basic]
        price = Price(*amounts, limit, fu, han)
        if amounts not in cheapest or (fu == _PAIRS, fu) < (cheapest[amounts].fu == _PAIRS, cheapest[amounts].fu):
            cheapest[amounts] = price
    return tuple(cheapest.values())


def _paid(basic: int, *, dealer: bool, tsumo: bool, missing: Missing | None) -> tuple[int, int]:
    """Return what is paid for a hand of *basic* points, as a :class:`Price` has it."""
    if not tsumo:
        return payments.hundreds(basic * parts(dealer=dealer, payers=SEATS - 1, tsumo=False)), 0
    main, additional = payments.tsumo_shares(basic, missing, dealer=dealer)
    return main, 0 if dealer else additional
