"""The names of yaku and limits."""

from __future__ import annotations

import pytest

from jmjp_convert.model import Limit
from jmjp_convert.model.yaku import LIMITS, YAKU


@pytest.mark.parametrize(
    ("number", "japanese", "romaji"),
    [
        (0, "門前清自摸和", "Menzen tsumo"),
        (1, "立直", "Riichi"),
        (9, "一盃口", "Iipeikou"),
        (10, "自風 東", "Jikaze ton"),
        (17, "場風 北", "Bakaze pei"),
        (18, "役牌 白", "Yakuhai haku"),
        (20, "役牌 中", "Yakuhai chun"),
        (21, "両立直", "Double riichi"),
        (31, "混老頭", "Honroutou"),
        (32, "二盃口", "Ryanpeikou"),
        (35, "清一色", "Chinitsu"),
        (36, "人和", "Renhou"),
        (37, "天和", "Tenhou"),
        (47, "国士無双", "Kokushi musou"),
        (48, "国士無双13面", "Kokushi musou juusanmen"),
        (51, "四槓子", "Suukantsu"),
        (52, "ドラ", "Dora"),
        (53, "裏ドラ", "Ura dora"),
        (54, "赤ドラ", "Aka dora"),
    ],
)
def test_yaku(number: int, japanese: str, romaji: str) -> None:
    """A number names its yaku in both scripts."""
    assert YAKU[number] == (japanese, romaji)


def test_yaku_are_complete() -> None:
    """There are 55 yaku, each with two names of its own, the Roman one in plain letters."""
    assert len(YAKU) == 55
    assert len({yaku.japanese for yaku in YAKU}) == len({yaku.romaji for yaku in YAKU}) == 55
    assert all(yaku.romaji.isascii() and not yaku.japanese.isascii() for yaku in YAKU)
    assert all(name == name.strip() for yaku in YAKU for name in yaku)


def test_limits() -> None:
    """Every limit has its names, and no limit none."""
    assert LIMITS == {
        Limit.MANGAN: ("満貫", "mangan"),
        Limit.HANEMAN: ("跳満", "haneman"),
        Limit.BAIMAN: ("倍満", "baiman"),
        Limit.SANBAIMAN: ("三倍満", "sanbaiman"),
        Limit.YAKUMAN: ("役満", "yakuman"),
    }
