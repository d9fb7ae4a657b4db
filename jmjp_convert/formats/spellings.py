"""The words of results in all spellings that are read: draws, yaku, limits.

What Tenhou, Mahjong Soul, 電脳麻将 and converters write in Japanese, Chinese, English and Roman letters (source:
``docs/design/formats.md`` 1). A format's own words that mean something else in others are in its own table.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from jmjp_convert.formats.session import Notice
from jmjp_convert.lazy_regex import regex
from jmjp_convert.model import SEATS, DrawKind, Limit, Score, Start, Yaku
from jmjp_convert.model.record import replace
from jmjp_convert.model.yaku import LIMITS, NAMES, WORD
from jmjp_convert.play.outcome_text import DRAWS

_SEPARATORS = re.compile(r"[\s:：・_-]+")


@lru_cache(maxsize=4096)
def plain(word: str) -> str:
    """Return *word* without what programs write differently: spaces, colons, wide digits, capitals."""
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", word)).lower()


# --- draws -----------------------------------------------------------------------------------------------------------

_OTHER_DRAWS = {
    DrawKind.EXHAUSTIVE: "荒牌流局 荒牌平局 流し ryuukyoku ryukyoku exhaustive-draw",
    DrawKind.NAGASHI: "流局满贯 流局滿貫 nagashi-mangan mangan-at-draw",
    DrawKind.NINE_TERMINALS: "九种九牌 九種公九牌 kyuushu-kyuuhai nine-terminal-abortion nine-terminals",
    DrawKind.FOUR_WINDS: "四风连打 四風子連打 suufon-renda four-wind-abortion four-winds",
    DrawKind.FOUR_RIICHI: "四人立直 四家リーチ suucha-riichi four-riichi-abortion four-riichi",
    DrawKind.FOUR_KANS: "四開槓 四杠散了 四开杠 四槓流れ suukaikan four-kan-abortion four-kans",
    DrawKind.TRIPLE_RON: "三家和 三家和流局 sanchahou three-ron-abortion triple-ron",
}

DRAW_KINDS: dict[str, DrawKind] = {
    plain(word): kind for kind, words in _OTHER_DRAWS.items() for word in (DRAWS[kind][0], *words.split())
}
"""The kinds of draws by their plain words."""

# --- yaku ------------------------------------------------------------------------------------------------------------

_SEAT_WIND, _ROUND_WIND, _NORTH_DORA = -1, -2, -3
"""Stand for the yaku of a wind that the word does not name, and for norths set aside."""

_EAST_SEAT, _EAST_ROUND = 10, 14
"""The yaku of East; the other winds follow."""

_OTHER_YAKU = {
    0: "门前清自摸和 門前清自模和 門前清自摸 門前自摸 自摸 ツモ 面前清自摸和 tsumo menzen-tsumo fully-concealed-hand "
    "self-draw menzenchin-tsumoho",
    1: "リーチ riichi reach",
    2: "一发 一發 即 ippatsu one-shot",
    3: "搶槓 抢杠 枪杠 chankan robbing-a-kan robbing-the-kan",
    4: "岭上开花 嶺上 rinshan rinshan-kaihou rinshankaiho after-a-kan",
    5: "海底 海底自摸 海底捞月 haitei haitei-raoyue under-the-sea",
    6: "河底 河底捞鱼 河底撈魚 houtei houtei-raoyui hoteiraoyui under-the-river",
    7: "pinfu",
    8: "断么九 斷么九 断幺 断ヤオ タンヤオ tanyao tanyaochu all-simples",
    9: "一杯口 一盃口 iipeiko iipeikou ipeko pure-double-sequence",
    18: "白 役牌白 翻牌白 haku yakuhai-haku white-dragon",
    19: "發 発 发 翻牌發 役牌发 役牌発 hatsu yakuhai-hatsu green-dragon",
    20: "中 翻牌中 chun yakuhai-chun red-dragon",
    21: "ダブル立直 ダブルリーチ 两立直 兩立直 w立直 double-riichi daburu-riichi double-reach",
    22: "七对子 七對子 chiitoitsu chiitoi chitoitsu seven-pairs",
    23: "混全带幺九 混全帶么九 混全帯么九 全帯 チャンタ chanta honchantaiyao half-outside-hand",
    24: "一气通贯 一氣通貫 一通 ittsuu ittsu ikkitsukan pure-straight",
    25: "三色同顺 三色 sanshoku sanshoku-doujun sanshokudojun mixed-triple-sequence",
    26: "sanshoku-doukou sanshokudoko triple-triplets",
    27: "三杠子 sankantsu three-quads three-kans",
    28: "对对和 對對和 対対和 対々 toitoi toitoihou toitoiho all-triplets",
    29: "sanankou sananko three-concealed-triplets",
    30: "小三元 shousangen shosangen little-three-dragons",
    31: "混老头 honroutou honroto all-terminals-and-honors",
    32: "二杯口 両盃口 ryanpeikou ryanpeko twice-pure-double-sequence",
    33: "纯全带幺九 純全帶么九 純全帯么九 純全 ジュンチャン junchan junchantaiyao fully-outside-hand",
    34: "ホンイツ honitsu honiso half-flush",
    35: "チンイツ chinitsu chiniso full-flush",
    36: "renhou renho hand-of-man",
    37: "tenhou tenho blessing-of-heaven",
    38: "chiihou chiho blessing-of-earth",
    39: "daisangen big-three-dragons",
    40: "suuankou four-concealed-triplets",
    41: "四暗刻单骑 四暗刻單騎 四暗刻単騎待ち suuankou-tanki single-wait-four-concealed-triplets",
    42: "tsuuiisou tsuiso all-honors",
    43: "绿一色 綠一色 ryuuiisou ryuiso all-green",
    44: "清老头 chinroutou chinroto all-terminals",
    45: "九莲宝灯 九蓮寶燈 九連宝燈 九蓮宝灯 chuuren-poutou nine-gates",
    46: "纯正九莲宝灯 純正九蓮寶燈 純正九連宝燈 純正九蓮宝灯 junsei-chuuren-poutou true-nine-gates",
    47: "国士无双 國士無雙 国士 kokushi-musou kokushi thirteen-orphans",
    48: "国士無双十三面 国士無双十三面待ち 国士無双13面待ち 国士无双十三面 國士無雙十三面 kokushi-musou-juusanmen "
    "thirteen-wait-thirteen-orphans",
    49: "daisuushii daisushi four-big-winds",
    50: "shousuushii shosushi four-little-winds",
    51: "四杠子 suukantsu sukantsu four-quads four-kans",
    52: "宝牌 寶牌 表ドラ dora",
    53: "里宝牌 裡寶牌 裏宝牌 うらドラ ura-dora uradora",
    54: "红宝牌 紅寶牌 赤宝牌 aka-dora akadora red-five red-dora",
    _SEAT_WIND: "役牌自風牌 役牌自風 自風牌 自風 役牌门风牌 役牌門風牌 门风牌 seat-wind jikaze yakuhai-jikaze",
    _NORTH_DORA: "抜きドラ 北ドラ 拔北宝牌 拔北寶牌 北 kita north nuki-dora nukidora",
    _ROUND_WIND: "役牌場風牌 役牌場風 場風牌 場風 役牌场风牌 场风牌 prevalent-wind round-wind bakaze yakuhai-bakaze",
}
_WIND_WORDS = (("東", "东", "east"), ("南", "south"), ("西", "west"), ("北", "north"))

SEVERAL_YAKU = {"sangenpai": (18, 19, 20), "suanko": (40, 41), "churenpoton": (45, 46), "kokushimuso": (47, 48)}
"""The words of the original mjai that mean several yaku; the winner's hand shows which."""

_DORA = 52
"""The yaku that Tenhou also counts norths as."""

_YAKU_NUMBERS: dict[str, int] = {
    **{plain(word): number for number, words in _OTHER_YAKU.items() for word in words.split()},
    **{
        plain(f"{kind}{wind}"): first + place
        for kinds, first in (
            (("自風", "门风", "門風", "seatwind"), _EAST_SEAT),
            (("場風", "场风", "prevalentwind"), _EAST_ROUND),
        )
        for kind in kinds
        for place, winds in enumerate(_WIND_WORDS)
        for wind in winds
    },
    **{plain(name.romaji): number for number, name in enumerate(NAMES)},
    **{plain(name.japanese): number for number, name in enumerate(NAMES)},
}
"""The yaku by their plain words: a number, or what stands for several."""


ALWAYS_YAKUMAN = range(37, 52)
"""The yaku that are yakuman whatever the rules, from tenhou to suukantsu."""


def always_yakuman(word: str) -> bool:
    """Return whether the yaku called *word* is always a yakuman."""
    return _YAKU_NUMBERS.get(plain(word)) in ALWAYS_YAKUMAN


def add_yaku(collected: list[Yaku], word: str, han: int | None, *, seat: int, wind: int) -> bool:
    """Add the yaku called *word* to *collected*, norths set aside as dora; return whether the word is known.

    :param han: ``None`` for a yakuman.
    :param seat: the wind of the winner's seat, 0 for East.
    :param wind: the wind of the round, 0 for East.
    """
    number = _YAKU_NUMBERS.get(plain(word))
    if number is None:
        return False
    if number == _NORTH_DORA:
        add_dora(collected, han)
        return True
    if number == _SEAT_WIND:
        number = _EAST_SEAT + seat
    elif number == _ROUND_WIND:
        number = _EAST_ROUND + wind
    collected.append(Yaku(number, han))
    return True


def add_dora(collected: list[Yaku], han: int | None) -> None:
    """Add dora worth *han* to *collected*, which may have some: norths set aside are one yaku with the others."""
    before = next((yaku for yaku in collected if yaku.number == _DORA), None)
    if before is not None:
        collected.remove(before)
        han = (before.han or 0) + (han or 0)
    collected.append(Yaku(_DORA, han))


_WORD = regex(WORD)


def keep_yaku(collected: list[Yaku], word: str, han: int | None, notice: Notice, shown: str = "") -> bool:
    """Add an unknown yaku to *collected*, by its *word*, and report it; return whether every format can hold that.

    :param notice: called with a line on what becomes of it.
    :param shown: what the line calls it, if not by its *word*.
    """
    from jmjp_convert.formats.json_text import quoted  # no conversion of mjlog to jmjp needs JSON

    is_kept = _WORD.fullmatch(word.strip()) is not None
    outcome = " kept by its name" if is_kept else "; the win is read without its yaku"
    notice(f"unknown yaku {quoted(shown or word)}{outcome}")
    if is_kept:
        collected.append(Yaku(None, han, word.strip()))
    return is_kept


def with_known_yaku(score: Score, player: int, start: Start) -> Score:
    """Return *score* with the number of each yaku that it has by a word that readers know.

    :param player: the winner.
    :param start: the start of the frame.
    """
    if all(yaku.number is not None for yaku in score.yaku):
        return score
    seat, wind = (player - start.dealer) % len(start.hands), start.round // SEATS
    collected: list[Yaku] = []
    for yaku in score.yaku:
        if yaku.number is not None or not add_yaku(collected, yaku.word, yaku.han, seat=seat, wind=wind):
            collected.append(yaku)
    return replace(score, yaku=tuple(collected))


# --- limits ----------------------------------------------------------------------------------------------------------

_OTHER_LIMITS = {
    Limit.MANGAN: "满贯 滿貫 切り上げ満貫 切上満貫 mangan kiriage-mangan rounded-mangan",
    Limit.HANEMAN: "跳满 跳滿 haneman",
    Limit.BAIMAN: "倍满 倍滿 baiman",
    Limit.SANBAIMAN: "三倍满 三倍滿 sanbaiman",
    Limit.YAKUMAN: "役满 役滿 数え役満 累计役满 yakuman kazoe-yakuman counted-yakuman",
}
_MULTIPLES = "二倍 両 ダブル 2倍 double 三倍 トリプル 3倍 triple 四倍 4倍 五倍 5倍 六倍 6倍"

LIMIT_WORDS: dict[str, Limit] = {
    plain(word): limit for limit, words in _OTHER_LIMITS.items() for word in (LIMITS[limit][0], *words.split())
} | {plain(f"{many}{word}"): Limit.YAKUMAN for many in _MULTIPLES.split() for word in ("役満", "yakuman")}
"""The limits by their plain words, several times a yakuman included."""
