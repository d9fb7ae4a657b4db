"""The rules of each house as far as scores depend on them, one record per house (docs/design/scoring.md).

What all share is not listed: fu and han, honba and sticks to the first of several winners, noten payments,
sticks left over to the first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple, TypeVar

from jmjp_convert.model import House, Match, Rules
from jmjp_convert.model.houses import NO_TSUMO_LOSS, is_ranked
from jmjp_convert.model.tenhou import is_east_only

T = TypeVar("T")

Uma = tuple[int, ...]
"""The uma of second place, third place and so on; first place gets the remainder."""

_MAHJONG_SOUL_UMA = {4: (5000, -5000, -15000), 3: (0, -15000)}
_TENHOU_UMA = {4: (10000, -10000, -20000), 3: (0, -20000)}
_RIICHI_CITY_UMA = {4: (10000, -10000, -30000), 3: (0, -20000)}
_TENHOU_UMA_EAST_2009 = (5000, -5000, -10000)
_LAST_UMA_EAST_2009, _FIRST_UMA = "20090731", "20090802"
"""The last day on which a four-player East-only game was seen with its own uma, and the first with the usual one."""

_LAST_WHOLE, _FIRST_TENTHS = "20220113", "20220601"
"""The last day on which a result was seen in whole thousands, and the first day with tenths."""


class Missing(Enum):
    """What happens to the part of a tsumo that the missing fourth player would pay."""

    LOST = "lost"
    SPLIT = "split between the others"
    HALVED = "none: both pay half the value of a ron"


class HouseRules(NamedTuple):
    """What sets a house's ranked games apart.

    :ivar double_yakuman: whether each of :data:`~jmjp_convert.model.yaku.DOUBLE_YAKUMAN` counts as two.
    :ivar any_tile_of_tenhou: whether the hand of a tenhou counts as completed by the tile that makes it worth most.
    :ivar triple_ron: whether three wins stand; otherwise the frame is drawn.
    :ivar pao_for_its_yakuman: whether the player responsible (pao) pays only for the yakuman in question; otherwise for
        the whole hand. ``None``: unknown, and both are taken as right.
    :ivar several_nagashi: whether nagashi mangan by several players are all paid; otherwise that is unknown.
    :ivar fifth_copy_is_noten: whether a hand is noten if its closed tiles have all four of each tile that it waits for;
        otherwise that is unknown.
    :ivar missing: returns what may happen to the part of a missing fourth player, the usual first.
    :ivar target: by number of players, the points that count as zero in the results.
    :ivar umas: returns the possible uma of a match, several if its date decides and is unknown.
    :ivar wholes: returns whether the results of a match are rounded to whole thousands; both if its date decides and
        is unknown.
    """

    double_yakuman: bool
    any_tile_of_tenhou: bool
    triple_ron: bool
    pao_for_its_yakuman: bool | None
    several_nagashi: bool
    fifth_copy_is_noten: bool
    missing: Callable[[Rules], tuple[Missing, ...]]
    target: Mapping[int, int]
    umas: Callable[[Match], tuple[Uma, ...]]
    wholes: Callable[[Match], tuple[bool, ...]]


def _tenhou_umas(match: Match) -> tuple[Uma, ...]:
    rules = match.rules
    usual: tuple[Uma, ...] = (_TENHOU_UMA[rules.players],)
    if rules.players == min(_TENHOU_UMA) or not is_east_only(rules.code or 0):
        return usual
    return _by_day(match.date, (_TENHOU_UMA_EAST_2009,), _LAST_UMA_EAST_2009, _FIRST_UMA, usual)


def _tenhou_wholes(match: Match) -> tuple[bool, ...]:
    return _by_day(match.date, (True,), _LAST_WHOLE, _FIRST_TENTHS, (False,))


def _by_day(day: str | None, old: tuple[T, ...], last: str, first: str, new: tuple[T, ...]) -> tuple[T, ...]:
    """Return the *old* rule for a *day* up to *last*, the *new* one from *first* on, and both for a day in between or
    unknown."""
    if day is not None and day <= last:
        return old
    if day is not None and day >= first:
        return new
    return old + new


HOUSE_RULES: Mapping[House, HouseRules] = {
    House.TENHOU: HouseRules(
        double_yakuman=False,
        any_tile_of_tenhou=False,
        triple_ron=False,
        pao_for_its_yakuman=False,
        several_nagashi=False,
        fifth_copy_is_noten=True,
        missing=lambda _: (Missing.LOST,),
        target={4: 30000, 3: 40000},
        umas=_tenhou_umas,
        wholes=_tenhou_wholes,
    ),
    House.MAHJONG_SOUL: HouseRules(
        double_yakuman=True,
        any_tile_of_tenhou=True,
        triple_ron=True,
        pao_for_its_yakuman=True,
        several_nagashi=True,
        fifth_copy_is_noten=False,
        missing=lambda rules: (Missing.SPLIT if NO_TSUMO_LOSS in rules.custom else Missing.LOST,),
        target={4: 25000, 3: 35000},
        umas=lambda match: (_MAHJONG_SOUL_UMA[match.rules.players],),
        wholes=lambda _: (False,),
    ),
    House.RIICHI_CITY: HouseRules(
        double_yakuman=True,
        any_tile_of_tenhou=False,
        triple_ron=False,
        pao_for_its_yakuman=None,
        several_nagashi=False,
        fifth_copy_is_noten=False,
        missing=lambda rules: (
            (Missing.LOST,) if is_ranked(rules) else tuple(Missing)
        ),  # a room's choice is not recorded
        target={4: 30000, 3: 40000},
        umas=lambda match: (_RIICHI_CITY_UMA[match.rules.players],),
        wholes=lambda _: (False,),
    ),
}


def rules_of(house: House | None) -> HouseRules:
    """Return the rules of *house*; Tenhou's if it is not recorded."""
    return HOUSE_RULES[house or House.TENHOU]
