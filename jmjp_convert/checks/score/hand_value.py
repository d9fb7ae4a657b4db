"""Values winning hands and detects tenpai with the package ``mahjong``.

See docs/design/scoring.md: Settings; What the replay must do; Payments; Pitfalls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cache, lru_cache
from itertools import starmap
from typing import TYPE_CHECKING, NamedTuple

from jmjp_convert.checks.score.house_rules import Missing, rules_of
from jmjp_convert.checks.score.payments import tsumo_shares
from jmjp_convert.checks.score.report import NotJudgedError
from jmjp_convert.checks.score.win_context import WinContext
from jmjp_convert.errors import MissingExtraError
from jmjp_convert.model import THREE_PLAYERS, Ankan, Chi, Daiminkan, Hand, Kakan, Kita, Limit, Pon, Rules, Score, Yaku
from jmjp_convert.model.record import replace
from jmjp_convert.model.tenhou import has_open_tanyao
from jmjp_convert.model.tiles import COPIES, EAST, KINDS, NO_REDS, NORTH, PHYSICAL, RED_FACES, dora, faces
from jmjp_convert.model.tiles import kind as kind_of
from jmjp_convert.play.melds import tiles_of

if TYPE_CHECKING:
    from mahjong.hand_calculating.hand_config import HandConfig
    from mahjong.hand_calculating.hand_response import HandResponse
    from mahjong.meld import Meld as PackageMeld

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


class Fu(Enum):
    """What gives fu."""

    BASE = "base"
    CLOSED_RON = "closed ron"
    SEVEN_PAIRS = "seven pairs"
    PENCHAN = "penchan"
    KANCHAN = "kanchan"
    PAIR_WAIT = "pair_wait"
    TSUMO = "tsumo"
    OPEN_PINFU = "hand_without_fu"
    VALUED_PAIR = "valued_pair"
    DOUBLE_VALUED_PAIR = "double_valued_pair"
    OPEN_TRIPLET = "open_pon"
    CLOSED_TRIPLET = "closed_pon"
    OPEN_TERMINAL_TRIPLET = "open_terminal_pon"
    CLOSED_TERMINAL_TRIPLET = "closed_terminal_pon"
    OPEN_KAN = "open_kan"
    CLOSED_KAN = "closed_kan"
    OPEN_TERMINAL_KAN = "open_terminal_kan"
    CLOSED_TERMINAL_KAN = "closed_terminal_kan"


_BASE, _CLOSED_RON = 20, 10
_CONFIGS, _COSTS = 1 << 6, 1 << 8
"""How many circumstances, and costs, are kept: they recur."""


class FuPart(NamedTuple):
    """How many *fu* something gives: *source*."""

    source: Fu
    fu: int


class Value(NamedTuple):
    """The value of a winning hand: its *score*, with yaku ascending by number, and how it is paid."""

    score: Score
    main: int  # paid by the discarder; for a tsumo, by the dealer, or by everybody to the dealer
    additional: int  # paid by each of the others for a tsumo
    fu: tuple[FuPart, ...] = ()  # what the fu consist of, before they are rounded up to tens; empty for a yakuman


def for_three(value: Value, missing: Missing, *, dealer: bool) -> Value:
    """Return the *value* of a tsumo of three players by what happens to the part of the missing one.

    :param value: without that part.
    :param dealer: whether the dealer wins.
    """
    main, additional = tsumo_shares(_basic(value), missing, dealer=dealer)
    score = replace(value.score, points=2 * main if dealer else main + additional)
    return value._replace(score=score, main=main, additional=additional)


def _basic(value: Value) -> int:
    """Return the basic points of a tsumo."""
    score = value.score
    if score.limit is Limit.NONE:
        return (score.fu or 0) << ((score.han or 0) + 2)
    return value.main // 2  # the share of the dealer, or to the dealer


class NoWinError(Exception):
    """A hand that cannot win."""


def expect_package() -> None:
    """Check that the package is installed.

    :raises MissingExtraError: it is not.
    """
    try:
        import mahjong  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("scoring", "score") from error


class Completed(NamedTuple):
    """A winning hand as the package wants it."""

    tiles: list[int]  # the physical tiles, without kita
    kinds: bytes  # the kinds of all of them, with kita
    closed: list[int]  # the closed ones, the winning tile first
    melds: list[PackageMeld]  # without kita
    kita: int  # the number of kita


class Calculator:
    """The package ``mahjong``, configured for *rules*, by those of their house.

    :raises MissingExtraError: the package is not installed.
    """

    def __init__(self, rules: Rules) -> None:
        expect_package()
        from mahjong.agari import Agari
        from mahjong.hand_calculating.hand import HandCalculator
        from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
        from mahjong.hand_calculating.scores import ScoresCalculator
        from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID
        from mahjong.hand_calculating.yaku_list import DaburuOpenRiichi, OpenRiichi
        from mahjong.meld import Meld as PackageMeld

        self._rules, self._house = rules, rules_of(rules.house)
        self._red_fives = rules.red_fives
        self._faces = faces(rules.red_fives)
        self._players = rules.players
        self._payers = rules.players - 2  # of the additional part
        self._config, self._estimate, self._meld = HandConfig, HandCalculator.estimate_hand_value, PackageMeld
        self._scores = ScoresCalculator.calculate_scores
        self._config_of = lru_cache(_CONFIGS)(self._new_config)
        self._cost_of = lru_cache(_COSTS)(self._new_cost)
        self._numbers = {**YAKU_ID_TO_TENHOU_ID, OpenRiichi.yaku_id: 70, DaburuOpenRiichi.yaku_id: 71}
        self._is_agari = Agari.is_agari
        self._options = OptionalRules(
            has_open_tanyao=has_open_tanyao(rules.code or 0),
            has_aka_dora=self._red_fives != NO_REDS,
            has_double_yakuman=self._house.double_yakuman,
            kazoe_limit=HandConfig.KAZOE_LIMITED,
            kiriage=False,
            fu_for_open_pinfu=True,
            fu_for_pinfu_tsumo=False,
            renhou_as_yakuman=False,
            is_three_player=rules.players == THREE_PLAYERS,
        )

    def value(self, hand: Hand, context: WinContext) -> Value:
        """Return the value of *hand*, whose fourteenth is the winning tile.

        :raises NoWinError: it cannot win.
        :raises NotJudgedError: a tile is unknown.
        """
        if hand.drawn is None:
            raise NotJudgedError("the winning tile is not recorded")
        return self.completed_value(self.completed(hand), context)

    def completed(self, hand: Hand) -> Completed:
        """Return *hand*, which has a fourteenth tile, as the package wants it.

        :raises NotJudgedError: a tile is unknown.
        """
        assert hand.drawn is not None
        melds = [meld for meld in hand.melds if not isinstance(meld, Kita)]
        groups = [[hand.drawn, *hand.tiles], *[list(tiles_of(meld)) for meld in melds]]
        if any(tile >= PHYSICAL for group in groups for tile in group):
            groups = _as_physical(groups, self._faces)
        closed, *laid = groups
        tiles, kita = [tile for group in groups for tile in group], len(hand.melds) - len(melds)
        kinds = bytes([tile // COPIES for tile in tiles]) + bytes([NORTH]) * kita
        package_melds = list(map(self._package_meld, map(type, melds), laid))
        return Completed(list(map(self._package_tile, tiles)), kinds, closed, package_melds, kita)

    def completed_value(self, hand: Completed, context: WinContext) -> Value:
        """Return the value of *hand*.

        :raises NoWinError: it cannot win.
        :raises NotJudgedError: an indicator is unknown.
        """
        if not (context.tenhou and self._house.any_tile_of_tenhou):
            return self._value_won_on(hand, hand.closed[0], context)
        return max((self._value_won_on(hand, tile, context) for tile in hand.closed), key=lambda value: value.main)

    def _value_won_on(self, hand: Completed, tile: int, context: WinContext) -> Value:
        """Return the value of *hand*, completed by *tile*."""
        indicators, ura = (list(map(_plain, tiles)) for tiles in (context.indicators, context.ura))
        config = self._config_of(context, hand.kita)
        winning = self._package_tile(tile)
        result = self._estimate(hand.tiles, winning, hand.melds, indicators, config, ura_dora_indicators=ura)
        if result.error is not None:
            raise NoWinError(result.error.replace("_", " "))
        return self._value_from(result)

    def _new_config(self, context: WinContext, kita: int) -> HandConfig:
        """Return the package's form of *context*, which it takes one by one, of a hand with so many *kita*. It also
        keeps the han of the last hand's dora there, which :meth:`_value_from` reads at once."""
        return self._config(
            is_tsumo=context.tsumo,
            is_riichi=context.riichi,
            is_daburu_riichi=context.double_riichi,
            is_open_riichi=context.open_riichi,
            is_ippatsu=context.ippatsu,
            is_rinshan=context.rinshan,
            is_chankan=context.chankan,
            is_haitei=context.haitei,
            is_houtei=context.houtei,
            is_tenhou=context.tenhou,
            is_chiihou=context.chiihou,
            player_wind=context.seat_wind,
            round_wind=context.round_wind,
            num_nuki_dora=kita,
            options=self._options,
        )

    def with_han(self, value: Value, more: Iterable[Yaku], context: WinContext) -> Value:
        """Return the value of a hand of *value* with *more* han for dora, red fives or ippatsu: they change neither its
        fu nor its other yaku, and add nothing to a yakuman."""
        score = value.score
        han = {yaku.number: yaku.han for yaku in score.yaku}
        if None in han.values():
            return value
        total = 0
        for yaku in more:
            han[yaku.number] = (han.get(yaku.number) or 0) + (yaku.han or 0)
        for part in han.values():
            total += part or 0
        main, additional, limit = self._cost_of(total, score.fu or 0, context.tsumo, context.seat_wind)
        points = main + additional * self._payers
        return Value(
            Score(score.fu, points, limit, tuple(starmap(Yaku, sorted(han.items())))), main, additional, value.fu
        )

    def as_paid(self, value: Value, context: WinContext) -> list[Value]:
        """Return the possible forms of *value*, the usual first: several for a tsumo of three players, if what happens
        to the part of the missing one is unknown."""
        if self._players != THREE_PLAYERS or not context.tsumo:
            return [value]
        dealer = context.seat_wind == EAST
        return [for_three(value, missing, dealer=dealer) for missing in self._house.missing(self._rules)]

    def dora(self, hand: Completed, indicators: Iterable[int]) -> int:
        """Return the number of dora in *hand* by *indicators*.

        :raises NotJudgedError: one of them is unknown.
        """
        return sum([hand.kinds.count(_plain(dora(indicator, self._players)) // COPIES) for indicator in indicators])

    def _new_cost(self, han: int, fu: int, tsumo: bool, seat_wind: int) -> tuple[int, int, Limit]:
        config = self._config(is_tsumo=tsumo, player_wind=seat_wind, options=self._options)
        cost = self._scores(han, fu, config)
        return cost["main"], cost["additional"], _limit(cost["yaku_level"])

    def _package_tile(self, tile: int) -> int:
        """Return a copy of *tile* that the package takes to be red if it is. It knows one red five of a suit, which is
        the first copy; a second red one is given as that copy too."""
        return tile - tile % COPIES if self._faces[tile] in RED_FACES else tile

    def _package_meld(self, kind: type, tiles: list[int]) -> PackageMeld:
        name, is_open = _MELDS[kind]
        return self._meld(name, sorted(tiles), is_open)  # the package rejects a hand with an unsorted chi

    def _value_from(self, result: HandResponse) -> Value:
        assert result.cost is not None
        main, additional = result.cost["main"], result.cost["additional"]
        named = result.yaku or ()
        is_yakuman = any(yaku.is_yakuman for yaku in named)
        yaku = [
            Yaku(
                self._numbers[yaku.yaku_id],
                None if is_yakuman else (result.is_open_hand and yaku.han_open) or yaku.han_closed,
            )
            for yaku in named
        ]
        score = Score(
            fu=result.fu or 0,
            points=main + additional * self._payers,
            limit=_limit(result.cost["yaku_level"]),
            yaku=tuple(sorted(yaku)),
        )
        details = [] if is_yakuman else [(part["reason"], part["fu"]) for part in result.fu_details or ()]
        return Value(score, main, additional, _fu_parts(*details))

    def is_tenpai(self, hand: Hand) -> bool:
        """Return whether a tile would complete *hand*. By the rules of the house, a tile may not count if the closed
        tiles hold all four copies of it.

        :raises NotJudgedError: the face of a tile is unknown, or the house's rule is needed but unknown.
        """
        counts = [0] * KINDS
        for tile in hand.tiles:
            kind = kind_of(tile)
            if kind is None:
                raise NotJudgedError("some tiles of a hand are unknown")
            counts[kind] += 1
        if any(count < COPIES and self._completes(counts, kind) for kind, count in enumerate(counts)):
            return True
        if not self._house.fifth_copy_is_noten and COPIES in counts and _waits_for_fifth_copy(counts):
            raise NotJudgedError("whether a hand is tenpai that holds all the tiles it waits for is unknown")
        return False

    def _completes(self, counts: list[int], kind: int) -> bool:
        counts[kind] += 1
        completed = self._is_agari(counts)
        counts[kind] -= 1
        return completed


def _limit(level: str) -> Limit:
    """Return the limit that the package calls *level*."""
    return _LIMITS.get(level, Limit.YAKUMAN)


@cache
def _fu_parts(*details: tuple[str, int]) -> tuple[FuPart, ...]:
    """Return what the fu consist of that the package says in *details*, the base first."""
    base_first = sorted(details, key=lambda part: part[0] != Fu.BASE.value)
    return tuple(part for reason, fu in base_first for part in _fu_part(reason, fu))


def _fu_part(reason: str, fu: int) -> list[FuPart]:
    if reason != Fu.BASE.value:
        return [FuPart(Fu(reason), fu)]
    if fu == _BASE + _CLOSED_RON:
        return [FuPart(Fu.BASE, _BASE), FuPart(Fu.CLOSED_RON, _CLOSED_RON)]
    return [FuPart(Fu.BASE if fu == _BASE else Fu.SEVEN_PAIRS, fu)]


def _waits_for_fifth_copy(counts: list[int]) -> bool:
    """Return whether a fifth copy of a tile would complete the hand with *counts* by kind."""
    return any(
        counts[pair] >= 2 - (pair == fifth) and _are_sets(_with(_with(counts, fifth, 1), pair, -2))
        for fifth, count in enumerate(counts)
        if count == COPIES
        for pair in range(KINDS)
    )


def _with(counts: list[int], kind: int, more: int) -> list[int]:
    return [*counts[:kind], counts[kind] + more, *counts[kind + 1 :]]


def _are_sets(counts: list[int]) -> bool:
    """Return whether tiles with *counts* by kind are all sets of three."""
    left = [*counts]
    for kind, count in enumerate(left):
        runs = count % 3
        if runs:
            if kind >= EAST or kind % 9 > 6 or min(left[kind + 1 : kind + 3]) < runs:  # noqa: PLR2004
                return False
            left[kind + 1] -= runs
            left[kind + 2] -= runs
    return True


def _plain(indicator: int) -> int:
    """Return a physical tile of the kind of *indicator*."""
    kind = kind_of(indicator)
    if kind is None:
        raise NotJudgedError("the dora indicator is not recorded")
    return kind * COPIES


# --- physical tiles, which the package wants --------------------------------------------------------------------------


def _as_physical(groups: list[list[int]], names: Sequence[str]) -> list[list[int]]:
    """Return the *groups* of tiles of a hand; a tile known only by its face is any copy that is not in the hand.

    :raises NotJudgedError: the face of a tile is unknown, or it has too many copies.
    """
    used = {tile for group in groups for tile in group if tile < PHYSICAL}

    def choose(tile: int) -> int:
        if tile < PHYSICAL:
            return tile
        copy = next((copy for copy in _copies(tile, names) if copy not in used), None)
        if copy is None:
            raise NotJudgedError("some tiles of a hand are unknown")
        used.add(copy)
        return copy

    return [list(map(choose, group)) for group in groups]


def _copies(tile: int, names: Sequence[str]) -> Iterable[int]:
    """Return the physical copies of a *tile* known by its face."""
    kind = kind_of(tile)
    if kind is None:
        return ()
    return [copy for copy in range(kind * COPIES, (kind + 1) * COPIES) if names[copy] == names[tile]]
