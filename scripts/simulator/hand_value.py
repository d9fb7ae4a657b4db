"""The value of a winning hand, computed by the package `mahjong`, with its yaku in Tenhou's order.

Sources: `docs/design/scoring.md`, Settings and Pitfalls; for the order of the yaku the real logs, where it never
varies. Yakuhai follow the order of their sets: closed sets first, then melds from the oldest; if a wind counts twice,
the round wind precedes the seat wind.
"""

from __future__ import annotations

from typing import NamedTuple

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.hand_response import HandResponse
from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID
from mahjong.meld import Meld as PackageMeld

from jmjp_convert.model import SEATS
from simulator.melds import Meld, MeldType
from simulator.rules import Rules
from simulator.tile_kinds import EAST, HAKU

URA_DORA = 53
_YAKUHAI = range(10, 21)
_SEAT_EAST, _ROUND_EAST, _HAKU = 10, 14, 18
_PACKAGE_TYPES = {
    MeldType.CHI: "chi",
    MeldType.PON: "pon",
    MeldType.DAIMINKAN: "kan",
    MeldType.KAKAN: "shouminkan",
    MeldType.ANKAN: "kan",
}
_LIMITS = {"": 0, "mangan": 1, "haneman": 2, "baiman": 3, "sanbaiman": 4}
_YAKUMAN = 5

_PLACES = {
    number: place
    for place, number in enumerate(
        (
            *(1, 21, 2, 3, 4, 5, 6, 0, 7, 22, 32, 9, 29, 27, 28, 24, 25, 26, 8),
            *(*_YAKUHAI, 30, 31, 23, 33, 34, 35),
            *(37, 38, 39, 49, 40, 41, 45, 46, 47, 48, 50, 51, 42, 43, 44),
            *(52, 54, URA_DORA),
        )
    )
}
"""By yaku number: its place in the order. No log shows the places of 26, 27, 30 and 31, nor those of yakuman relative
to each other, except 39, 49 and 42."""


class WinContext(NamedTuple):
    """The circumstances of a win, apart from its tiles.

    :ivar seat_wind: 0 east to 3 north, like *round_wind*.
    :ivar last_tile: whether the win is on the last tile; *first_turn*: in an uninterrupted first turn.
    """

    seat_wind: int
    round_wind: int
    tsumo: bool
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    last_tile: bool = False
    first_turn: bool = False


class HandValue(NamedTuple):
    """The value of a winning hand. Payments are in points.

    :ivar limit: 0 none, 1 mangan … 5 yakuman.
    :ivar yaku: (number, han), as in the log; empty for a yakuman.
    :ivar yakuman: the numbers of the yakuman.
    :ivar main: what the discarder pays; for a tsumo, what the dealer pays, or what everybody pays the dealer.
    :ivar additional: what each of the others pays for a tsumo.
    """

    fu: int
    limit: int
    yaku: tuple[tuple[int, int], ...]
    yakuman: tuple[int, ...]
    main: int
    additional: int


class ValueCalculator:
    """Computes the value of hands by *rules*."""

    def __init__(self, rules: Rules) -> None:
        self._options = OptionalRules(
            has_open_tanyao=rules.open_tanyao,
            has_aka_dora=rules.red_fives,
            has_double_yakuman=False,
            is_three_player=rules.players < SEATS,
        )

    def value(
        self,
        tiles: list[int],
        win: int,
        melds: list[Meld],
        context: WinContext,
        indicators: tuple[list[int], list[int]],
    ) -> HandValue | None:
        """Return the value of a complete hand, or `None` if it has no yaku.

        :param tiles: the closed tiles, including *win*, the winning tile.
        :param indicators: the dora indicators, and the ura dora indicators.
        """
        dora, ura = indicators
        sets = [meld for meld in melds if meld.type is not MeldType.KITA]
        result = HandCalculator.estimate_hand_value(
            [*tiles, *(tile for meld in sets for tile in meld.tiles)],
            win,
            [
                PackageMeld(_PACKAGE_TYPES[meld.type], meld.tiles, opened=meld.type is not MeldType.ANKAN)
                for meld in sets
            ],
            dora,
            self._config(context, len(melds) - len(sets)),
            ura_dora_indicators=ura if context.riichi else [],
        )
        if result.cost is None:
            if result.error != HandCalculator.ERR_NO_YAKU:
                raise ValueError(result.error)
            return None
        return _hand_value(result, tiles, sets, context)

    def _config(self, context: WinContext, norths: int) -> HandConfig:
        dealer = context.seat_wind == 0
        return HandConfig(
            is_tsumo=context.tsumo,
            is_riichi=context.riichi,
            is_daburu_riichi=context.double_riichi,
            is_ippatsu=context.ippatsu,
            is_rinshan=context.rinshan,
            is_chankan=context.chankan,
            is_haitei=context.last_tile and context.tsumo,
            is_houtei=context.last_tile and not context.tsumo,
            is_tenhou=context.first_turn and dealer,
            is_chiihou=context.first_turn and not dealer,
            player_wind=EAST + context.seat_wind,
            round_wind=EAST + context.round_wind,
            num_nuki_dora=norths,
            options=self._options,
        )


def _hand_value(result: HandResponse, tiles: list[int], sets: list[Meld], context: WinContext) -> HandValue:
    assert result.cost is not None
    found = result.yaku or []
    han = {
        YAKU_ID_TO_TENHOU_ID[yaku.yaku_id]: (result.is_open_hand and yaku.han_open) or yaku.han_closed for yaku in found
    }
    is_yakuman = any(yaku.is_yakuman for yaku in found)
    if context.riichi and not is_yakuman:
        han.setdefault(URA_DORA, 0)
    places = _PLACES | {
        number: _PLACES[_SEAT_EAST] + place / 100 for place, number in enumerate(_yakuhai(tiles, sets, context))
    }
    order = sorted(han, key=lambda number: places[number])
    return HandValue(
        fu=result.fu or 0,
        limit=_LIMITS.get(result.cost["yaku_level"], _YAKUMAN),
        yaku=() if is_yakuman else tuple((number, han[number]) for number in order),
        yakuman=tuple(order) if is_yakuman else (),
        main=result.cost["main"],
        additional=result.cost["additional"],
    )


def _yakuhai(tiles: list[int], sets: list[Meld], context: WinContext) -> list[int]:
    """Return the numbers of all yakuhai that the honors of a hand could form, in the order of their sets."""
    found: list[int] = []
    for kind in [*sorted({tile >> 2 for tile in tiles}), *(meld.kind for meld in sets)]:
        if kind >= HAKU:
            found.append(_HAKU + kind - HAKU)
        elif kind >= EAST:
            found += [_ROUND_EAST + context.round_wind] * (kind - EAST == context.round_wind)
            found += [_SEAT_EAST + context.seat_wind] * (kind - EAST == context.seat_wind)
    return found
