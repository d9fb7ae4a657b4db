"""The names of yaku and limits."""

from __future__ import annotations

import pytest
from tables import table

from jmjp_convert.model import Limit, Score, Win, Yaku
from jmjp_convert.model.yaku import NAMES, TENHOU_NUMBERS


@pytest.mark.parametrize(("number", "japanese", "romaji"), table("model_yaku", "yaku"))
def test_yaku(number: int, japanese: str, romaji: str) -> None:
    """A number gives the name of its yaku in both scripts."""
    yaku = Yaku(number, 2)
    assert (yaku.number, yaku.han, yaku.japanese, yaku.romaji) == (number, 2, japanese, romaji)


@pytest.mark.parametrize(("yaku", "shown"), table("model_yaku", "short", globals()))
def test_short(yaku: Yaku, shown: str) -> None:
    """The repr of a yaku has its name."""
    assert repr(yaku) == shown


def test_yaku_are_complete() -> None:
    """There are 55 yaku of Tenhou and 19 of others, each with two unique names, the romaji one in plain ASCII."""
    assert (list(TENHOU_NUMBERS), len(NAMES)) == ([*range(55)], 74)
    assert len({name.japanese for name in NAMES}) == len({name.romaji for name in NAMES}) == 74
    assert all(name.romaji.isascii() and not name.japanese.isascii() for name in NAMES)
    assert all(word == word.strip() for name in NAMES for word in (name.japanese, name.romaji))


RIICHI_DORA = Score(30, 3900, Limit.NONE, (Yaku(1, 1), Yaku(52, 2), Yaku(53, 0)))
COUNTED = Score(40, 32000, Limit.YAKUMAN, (Yaku(35, 6), Yaku(52, 7)))
TWO_YAKUMAN = Score(60, 64000, Limit.YAKUMAN, (Yaku(39), Yaku(42)))


@pytest.mark.parametrize(
    ("score", "han", "yakuman"), [(RIICHI_DORA, 3, ()), (COUNTED, 13, ()), (TWO_YAKUMAN, None, (Yaku(39), Yaku(42)))]
)
def test_han(score: Score, han: int | None, yakuman: tuple[Yaku, ...]) -> None:
    """The han of a hand is the sum over its yaku; yakuman have none, and a counted yakuman is not listed as one."""
    assert (score.han, score.yakuman) == (han, yakuman)


def test_value_of_a_win() -> None:
    """A win has the values of its score, if recorded."""
    win = Win(1, 0, 5, RIICHI_DORA)
    assert (win.han, win.fu, win.points, win.limit) == (3, 30, 3900, Limit.NONE)
    assert " ".join(map(str, win.yaku)) == "Riichi Dora Ura dora"
    assert [(yaku.romaji, yaku.han) for yaku in win.yaku] == [("Riichi", 1), ("Dora", 2), ("Ura dora", 0)]
    bare = Win(1, 0, 5)
    assert (bare.han, bare.fu, bare.points, bare.limit, bare.yaku) == (None, None, None, None, ())
