"""What a winning hand is worth, by the package `mahjong`, and the order in which Tenhou names its yaku.

Source: `scoring.md`, Settings and Pitfalls. The order of the yaku is that of the real logs, in which it never varies:
the yakuhai stand in the order of their sets, closed ones first and then the melds from the oldest on, of one set the
round's wind before the player's own.
"""

from __future__ import annotations

from typing import NamedTuple

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.hand_response import HandResponse
from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID
from mahjong.meld import Meld

from jmjp_convert.model import SEATS
from simulator.hand_shapes import EAST, HAKU
from simulator.melds import Laid, Name
from simulator.rules import Rules

URA = 53
_YAKUHAI = range(10, 21)
_SEAT, _ROUND, _DRAGON = 10, 14, 18  # of the first wind, and of haku
_NAMES = {Name.CHI: "chi", Name.PON: "pon", Name.DAIMINKAN: "kan", Name.KAKAN: "shouminkan", Name.ANKAN: "kan"}
_LIMITS = {"": 0, "mangan": 1, "haneman": 2, "baiman": 3, "sanbaiman": 4}
_YAKUMAN = 5

_ORDER = {
    number: place
    for place, number in enumerate(
        (
            *(1, 21, 2, 3, 4, 5, 6, 0, 7, 22, 32, 9, 29, 27, 28, 24, 25, 26, 8),
            *(*_YAKUHAI, 30, 31, 23, 33, 34, 35),
            *(37, 38, 39, 49, 40, 41, 45, 46, 47, 48, 50, 51, 42, 43, 44),
            *(52, 54, URA),
        )
    )
}
"""By yaku number, its place. Of 26, 27, 30 and 31, and of several yakuman other than 39, 49 and 42, no log tells."""


class Moment(NamedTuple):
    """How a win comes about, beside its tiles.

    :ivar seat: the player's wind, 0 east to 3 north; *round* the round's.
    """

    seat: int
    round: int
    tsumo: bool
    riichi: bool = False
    double: bool = False
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    last: bool = False
    first: bool = False


class Worth(NamedTuple):
    """What a winning hand is worth.

    :ivar limit: 0 none, 1 mangan … 5 yakuman.
    :ivar yaku: (number, han), as the log has them; empty for a yakuman.
    :ivar yakuman: its numbers.
    :ivar main: what the discarder pays, or for a tsumo the dealer, or to the dealer everybody; in points.
    :ivar additional: what another pays for a tsumo.
    """

    fu: int
    limit: int
    yaku: tuple[tuple[int, int], ...]
    yakuman: tuple[int, ...]
    main: int
    additional: int


class Calculator:
    """The package, set to *rules*."""

    def __init__(self, rules: Rules) -> None:
        self._options = OptionalRules(
            has_open_tanyao=rules.open_tanyao,
            has_aka_dora=rules.red_fives,
            has_double_yakuman=False,
            is_three_player=rules.players < SEATS,
        )

    def worth(
        self, tiles: list[int], win: int, melds: list[Laid], moment: Moment, indicators: tuple[list[int], list[int]]
    ) -> Worth | None:
        """Return what a complete hand is worth; `None` if it has no yaku.

        :param tiles: the closed ones, the winning tile among them.
        :param indicators: of dora, and of ura dora.
        """
        dora, ura = indicators
        sets = [meld for meld in melds if meld.name is not Name.KITA]
        result = HandCalculator.estimate_hand_value(
            [*tiles, *(tile for meld in sets for tile in meld.tiles)],
            win,
            [Meld(_NAMES[meld.name], meld.tiles, opened=meld.name is not Name.ANKAN) for meld in sets],
            dora,
            self._config(moment, len(melds) - len(sets)),
            ura_dora_indicators=ura if moment.riichi else [],
        )
        if result.cost is None:
            if result.error != HandCalculator.ERR_NO_YAKU:
                raise ValueError(result.error)
            return None
        return _worth(result, tiles, sets, moment)

    def _config(self, moment: Moment, norths: int) -> HandConfig:
        dealer = moment.seat == 0
        return HandConfig(
            is_tsumo=moment.tsumo,
            is_riichi=moment.riichi,
            is_daburu_riichi=moment.double,
            is_ippatsu=moment.ippatsu,
            is_rinshan=moment.rinshan,
            is_chankan=moment.chankan,
            is_haitei=moment.last and moment.tsumo,
            is_houtei=moment.last and not moment.tsumo,
            is_tenhou=moment.first and dealer,
            is_chiihou=moment.first and not dealer,
            player_wind=EAST + moment.seat,
            round_wind=EAST + moment.round,
            num_nuki_dora=norths,
            options=self._options,
        )


def _worth(result: HandResponse, tiles: list[int], sets: list[Laid], moment: Moment) -> Worth:
    assert result.cost is not None
    found = result.yaku or []
    numbers = {
        YAKU_ID_TO_TENHOU_ID[yaku.yaku_id]: (result.is_open_hand and yaku.han_open) or yaku.han_closed for yaku in found
    }
    is_yakuman = any(yaku.is_yakuman for yaku in found)
    if moment.riichi and not is_yakuman:
        numbers.setdefault(URA, 0)
    places = _ORDER | {
        number: _ORDER[_SEAT] + place / 100 for place, number in enumerate(_yakuhai(tiles, sets, moment))
    }
    order = sorted(numbers, key=lambda number: places[number])
    return Worth(
        fu=result.fu or 0,
        limit=_LIMITS.get(result.cost["yaku_level"], _YAKUMAN),
        yaku=() if is_yakuman else tuple((number, numbers[number]) for number in order),
        yakuman=tuple(order) if is_yakuman else (),
        main=result.cost["main"],
        additional=result.cost["additional"],
    )


def _yakuhai(tiles: list[int], sets: list[Laid], moment: Moment) -> list[int]:
    """Return the numbers of the yakuhai that the honors of a hand may be, in the order of their sets."""
    found: list[int] = []
    for kind in [*sorted({tile >> 2 for tile in tiles}), *(meld.kind for meld in sets)]:
        if kind >= HAKU:
            found.append(_DRAGON + kind - HAKU)
        elif kind >= EAST:
            found += [_ROUND + moment.round] * (kind - EAST == moment.round)
            found += [_SEAT + moment.seat] * (kind - EAST == moment.seat)
    return found
