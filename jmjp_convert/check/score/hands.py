"""Values winning hands and detects tenpai with the package ``mahjong``.

See docs/design/scoring.md: Settings; What the replay must do; Payments; Pitfalls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jmjp_convert.check.score.report import NotJudgedError
from jmjp_convert.check.score.win_context import WinContext
from jmjp_convert.errors import MissingExtraError
from jmjp_convert.model import Ankan, Chi, Daiminkan, Hand, Kakan, Kita, Limit, Meld, Pon, Rules, Score, Yaku
from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import COPIES, KINDS, PHYSICAL
from jmjp_convert.model.tiles import kind as kind_of

if TYPE_CHECKING:
    from mahjong.hand_calculating.hand_response import HandResponse
    from mahjong.meld import Meld as PackageMeld

_NO_OPEN_TANYAO = 0x04
_THREE = 3
_MELDS: dict[type, tuple[str, bool]] = {
    Chi: ("chi", True),
    Pon: ("pon", True),
    Daiminkan: ("kan", True),
    Kakan: ("shouminkan", True),
    Ankan: ("kan", False),
}
"""The package's name of a meld, and whether the meld is open."""

_LIMITS = {
    "": Limit.NONE,
    "mangan": Limit.MANGAN,
    "haneman": Limit.HANEMAN,
    "baiman": Limit.BAIMAN,
    "sanbaiman": Limit.SANBAIMAN,
}
"""By the package's names; all others are yakuman."""


@record
class Value:
    """The value of a winning hand: its *score*, with yaku ascending by number, and how it is paid.

    :ivar main: paid by the discarder; for a tsumo, by the dealer, or by everybody to the dealer.
    :ivar additional: paid by each of the others for a tsumo.
    """

    score: Score
    main: int
    additional: int


class NoWinError(Exception):
    """A hand that cannot win."""


class Calculator:
    """The package ``mahjong``, configured for *rules*.

    :raises MissingExtraError: the package is not installed.
    """

    def __init__(self, rules: Rules) -> None:
        try:
            from mahjong.agari import Agari
            from mahjong.hand_calculating.hand import HandCalculator
            from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
            from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID
            from mahjong.meld import Meld as LaidMeld
        except ImportError as error:
            raise MissingExtraError("scoring", "score") from error
        self._payers = rules.players - 2  # of the additional part
        self._config, self._estimate, self._meld = HandConfig, HandCalculator.estimate_hand_value, LaidMeld
        self._numbers = YAKU_ID_TO_TENHOU_ID
        self._is_agari = Agari.is_agari
        self._options = OptionalRules(
            has_open_tanyao=not (rules.code or 0) & _NO_OPEN_TANYAO,
            has_aka_dora=rules.red_fives is not False,
            has_double_yakuman=False,
            kazoe_limit=HandConfig.KAZOE_LIMITED,
            kiriage=False,
            fu_for_open_pinfu=True,
            fu_for_pinfu_tsumo=False,
            renhou_as_yakuman=False,
            is_three_player=rules.players == _THREE,
        )

    def value(self, hand: Hand, context: WinContext) -> Value:
        """Return the value of *hand*, whose fourteenth is the winning tile.

        :raises NoWinError: it cannot win.
        :raises NotJudgedError: not all tiles are known as exact copies.
        """
        melds = [meld for meld in hand.melds if not isinstance(meld, Kita)]
        if hand.drawn is None:
            raise NotJudgedError("the winning tile is not recorded")
        tiles = [*hand.tiles, hand.drawn, *(tile for meld in melds for tile in meld_tiles(meld))]
        if max(*tiles, *context.indicators, *context.ura) >= PHYSICAL:
            raise NotJudgedError("some tiles are known only by their faces")
        # A new config for each win, since it holds the dora's han. It takes everything in the context, one by one.
        config = self._config(
            is_tsumo=context.tsumo,
            is_riichi=context.riichi,
            is_daburu_riichi=context.double_riichi,
            is_ippatsu=context.ippatsu,
            is_rinshan=context.rinshan,
            is_chankan=context.chankan,
            is_haitei=context.haitei,
            is_houtei=context.houtei,
            is_tenhou=context.tenhou,
            is_chiihou=context.chiihou,
            player_wind=context.seat_wind,
            round_wind=context.round_wind,
            num_nuki_dora=len(hand.melds) - len(melds),
            options=self._options,
        )
        laid = list(map(self._package_meld, melds))
        result = self._estimate(tiles, hand.drawn, laid, context.indicators, config, ura_dora_indicators=context.ura)
        if result.error is not None:
            raise NoWinError(result.error.replace("_", " "))
        return self._of(result)

    def _package_meld(self, meld: Meld) -> PackageMeld:
        name, is_open = _MELDS[type(meld)]
        return self._meld(name, sorted(meld_tiles(meld)), is_open)  # the package rejects a hand with an unsorted chi

    def _of(self, result: HandResponse) -> Value:
        assert result.cost is not None
        main, additional = result.cost["main"], result.cost["additional"]
        found = result.yaku or ()
        is_yakuman = any(yaku.is_yakuman for yaku in found)
        yaku = [
            Yaku(
                self._numbers[yaku.yaku_id],
                None if is_yakuman else (result.is_open_hand and yaku.han_open) or yaku.han_closed,
            )
            for yaku in found
        ]
        score = Score(
            fu=result.fu or 0,
            points=main + additional * self._payers,
            limit=_LIMITS.get(result.cost["yaku_level"], Limit.YAKUMAN),
            yaku=tuple(sorted(yaku)),
        )
        return Value(score, main, additional)

    def is_tenpai(self, hand: Hand) -> bool:
        """Return whether a tile would complete *hand*, not counting a tile of which the closed hand already has all
        four.

        :raises NotJudgedError: the face of a tile is unknown.
        """
        counts = [0] * KINDS
        for tile in hand.tiles:
            kind = kind_of(tile)
            if kind is None:
                raise NotJudgedError("some tiles of a hand are unknown")
            counts[kind] += 1
        return any(held < COPIES and self._completes(counts, kind) for kind, held in enumerate(counts))

    def _completes(self, counts: list[int], kind: int) -> bool:
        counts[kind] += 1
        completed = self._is_agari(counts)
        counts[kind] -= 1
        return completed


def meld_tiles(meld: Meld) -> tuple[int, ...]:
    """Return all tiles of *meld*."""
    if isinstance(meld, Ankan):
        return meld.tiles
    if isinstance(meld, Kita):
        return (meld.tile,)
    return (meld.tile, *meld_tiles(meld.pon)) if isinstance(meld, Kakan) else (meld.taken, *meld.hand)
