"""Yaku by number, and limits, with their names: Tenhou's numbers (docs/design/scoring.md, Yaku ids), then those of yaku
that only other servers have."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

_TENHOU: Final = (
    "門前清自摸和 / Menzen tsumo",
    "立直 / Riichi",
    "一発 / Ippatsu",
    "槍槓 / Chankan",
    "嶺上開花 / Rinshan kaihou",
    "海底摸月 / Haitei raoyue",
    "河底撈魚 / Houtei raoyui",
    "平和 / Pinfu",
    "断幺九 / Tanyao",
    "一盃口 / Iipeikou",
    "自風 東 / Jikaze ton",
    "自風 南 / Jikaze nan",
    "自風 西 / Jikaze shaa",
    "自風 北 / Jikaze pei",
    "場風 東 / Bakaze ton",
    "場風 南 / Bakaze nan",
    "場風 西 / Bakaze shaa",
    "場風 北 / Bakaze pei",
    "役牌 白 / Yakuhai haku",
    "役牌 發 / Yakuhai hatsu",
    "役牌 中 / Yakuhai chun",
    "両立直 / Double riichi",
    "七対子 / Chiitoitsu",
    "混全帯幺九 / Chanta",
    "一気通貫 / Ittsuu",
    "三色同順 / Sanshoku doujun",
    "三色同刻 / Sanshoku doukou",
    "三槓子 / Sankantsu",
    "対々和 / Toitoihou",
    "三暗刻 / Sanankou",
    "小三元 / Shousangen",
    "混老頭 / Honroutou",
    "二盃口 / Ryanpeikou",
    "純全帯幺九 / Junchan",
    "混一色 / Honitsu",
    "清一色 / Chinitsu",
    "人和 / Renhou",
    "天和 / Tenhou",
    "地和 / Chiihou",
    "大三元 / Daisangen",
    "四暗刻 / Suuankou",
    "四暗刻単騎 / Suuankou tanki",
    "字一色 / Tsuuiisou",
    "緑一色 / Ryuuiisou",
    "清老頭 / Chinroutou",
    "九蓮宝燈 / Chuuren poutou",
    "純正九蓮宝燈 / Junsei chuuren poutou",
    "国士無双 / Kokushi musou",
    "国士無双13面 / Kokushi musou juusanmen",
    "大四喜 / Daisuushii",
    "小四喜 / Shousuushii",
    "四槓子 / Suukantsu",
    "ドラ / Dora",
    "裏ドラ / Ura dora",
    "赤ドラ / Aka dora",
)

# Sources: the tables of tensoul and InjusticeJudge for Mahjong Soul, of InjusticeJudge for Riichi City.
_OTHERS: Final = (
    "燕返し / Tsubame gaeshi",
    "槓振り / Kanburi",
    "十二落抬 / Shiiaru raotai",
    "五門斉 / Uumensai",
    "三連刻 / Sanrenkou",
    "一色三順 / Isshoku sanjun",
    "一筒摸月 / Iipin moyue",
    "九筒撈魚 / Chuupin raoyui",
    "大車輪 / Daisharin",
    "大竹林 / Daichikurin",
    "大数隣 / Daisuurin",
    "石の上にも三年 / Ishi no ue nimo sannen",
    "大七星 / Daichisei",
    "八連荘 / Paarenchan",
    "無發緑一色 / Ryuuiisou without hatsu",
    "開立直 / Open riichi",
    "開両立直 / Double open riichi",
    "開立直役満 / Open riichi yakuman",
    "役牌 北 / Yakuhai pei",
)

_NAMES: Final = [names.split(" / ") for names in (*_TENHOU, *_OTHERS)]

_ENGLISH: Final = {"Jikaze": "Seat wind {}", "Bakaze": "Round wind {}", "Yakuhai": "{}"}
_TILES: Final = {
    "ton": "East",
    "nan": "South",
    "shaa": "West",
    "pei": "North",
    "haku": "White dragon",
    "hatsu": "Green dragon",
    "chun": "Red dragon",
}

TENHOU_NUMBERS: Final = range(len(_TENHOU))
"""Tenhou's numbers, 0–54."""

IPPATSU: Final = 2
DORA: Final = 52  # norths set aside too
URA_DORA: Final = 53
RED_FIVES: Final = 54
SEAT_WINDS: Final = range(10, 14)
ROUND_WINDS: Final = range(14, 18)
DRAGONS: Final = range(18, 21)
DAISANGEN: Final = 39
DAISUUSHII: Final = 49
"""The numbers of some yaku; the winds begin with East, the dragons with haku."""

PAO_YAKUMAN: Final = (DAISANGEN, DAISUUSHII)
"""The yakuman with pao (``docs/design/scoring.md``, Payments)."""

DOUBLE_YAKUMAN: Final = frozenset((41, 46, 48, DAISUUSHII, 67))
"""The yakuman that may count as two: suuankou tanki, junsei chuuren poutou, kokushi musou juusanmen, daisuushii,
daichisei."""


WORD: Final = r'(?!\s)[^\x00-\x1f\x7f-\x9f\ud800-\udfff\ufeff"\\「」]{1,64}(?<!\s)'
"""The pattern of a word for a yaku: what every format can hold."""


class Yaku(NamedTuple):
    """A yaku (or dora) of a win: its *number* and its *han*, ``None`` for a yakuman.

    A yaku without a number, which only its record names, has a *word* instead, which matches :data:`WORD`.
    """

    number: int | None
    han: int | None = None
    word: str = ""

    def __repr__(self) -> str:
        """Return the fields, with the yaku's name: ``Yaku(number=1 (Riichi), han=1)``."""
        which = f"word={self.word!r}" if self.number is None else f"number={self.number} ({self.romaji})"
        return f"Yaku({which}, han={self.han})"

    def __str__(self) -> str:
        """Return the yaku's name in Roman letters."""
        return self.romaji

    @property
    def japanese(self) -> str:
        """The yaku's name in Japanese."""
        return self.word if self.number is None else _NAMES[self.number][0]

    @property
    def romaji(self) -> str:
        """The yaku's name in Roman letters."""
        return self.word if self.number is None else _NAMES[self.number][1]

    @property
    def english(self) -> str:
        """The yaku's name as English players say it: that in Roman letters, but for winds and dragons."""
        *first, last = self.romaji.split(" ")
        if self.number is None or not first or last not in _TILES:
            return self.romaji
        return _ENGLISH.get(" ".join(first), "{}").format(_TILES[last])


NAMES: Final = tuple(map(Yaku, range(len(_NAMES))))
"""The yaku by number, for their names."""


class Limit(Enum):
    """The limit of a hand's value."""

    NONE = 0
    MANGAN = 1
    HANEMAN = 2
    BAIMAN = 3
    SANBAIMAN = 4
    YAKUMAN = 5


LIMITS: Final = {
    Limit.MANGAN: ("満貫", "mangan"),
    Limit.HANEMAN: ("跳満", "haneman"),
    Limit.BAIMAN: ("倍満", "baiman"),
    Limit.SANBAIMAN: ("三倍満", "sanbaiman"),
    Limit.YAKUMAN: ("役満", "yakuman"),
}
"""The names of the limits, Japanese and romaji."""


# --- limits by points ------------------------------------------------------------------------------------------------

BASIC: Final = {
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


def worth_of_yakuman(*, dealer: bool) -> int:
    """Return the points of a single yakuman of four players; *dealer*: whether the dealer wins."""
    return BASIC[Limit.YAKUMAN] * parts(dealer=dealer, payers=3, tsumo=False)


def parts(*, dealer: bool, payers: int, tsumo: bool) -> int:
    """Return by what the basic points are multiplied; the parameters are those of :func:`limit_of`."""
    if not tsumo:
        return 6 if dealer else 4
    return 2 * payers if dealer else payers + 1
