"""The words of results that every reader knows."""

from __future__ import annotations

import pytest
from tables import table

from jmjp_convert.formats.json_text import quoted
from jmjp_convert.formats.mjai.notation import YAKU
from jmjp_convert.formats.spellings import DRAW_KINDS, LIMIT_WORDS, SEVERAL_YAKU, add_yaku, keep_yaku, plain
from jmjp_convert.model import DrawKind, Limit, Yaku
from jmjp_convert.model.yaku import LIMITS, NAMES, limit_of, worth_of_yakuman
from jmjp_convert.play.outcome_text import DRAWS

SOUTH, WEST = 1, 2


def named(*words: str) -> list[Yaku] | None:
    """Return the yaku of *words*, each of one han, of the player in the South in a West round."""
    yaku: list[Yaku] = []
    return yaku if all(add_yaku(yaku, word, 1, seat=SOUTH, wind=WEST) for word in words) else None


def test_own_names() -> None:
    """Every yaku, draw and limit is known by the names that are written."""
    for number, name in enumerate(NAMES):
        assert named(name.japanese) == named(name.romaji) == [Yaku(number, 1)]
    assert [DRAW_KINDS[plain(DRAWS[kind][0])] for kind in DrawKind] == [*DrawKind]
    assert [LIMIT_WORDS[plain(japanese)] for japanese, _ in LIMITS.values()] == [*LIMITS]


@pytest.mark.parametrize(("words", "numbers"), table("formats_spellings", "spellings"))
def test_spellings(words: list[str], numbers: list[int]) -> None:
    """Spaces, colons, wide digits and capitals make no difference; a wind that is not named follows from the seat or
    round."""
    assert named(*words) == [Yaku(number, 1) for number in numbers]


def test_unknown() -> None:
    """A local yaku is unknown."""
    assert named("人生") is None


@pytest.mark.parametrize(("word", "is_kept"), table("formats_spellings", "kept"))
def test_kept(word: str, *, is_kept: bool) -> None:
    """An unknown yaku is kept by its name, without the spaces around it, if all formats can hold it; it is reported."""
    yaku: list[Yaku] = []
    notices: list[str] = []
    assert keep_yaku(yaku, word, 1, notices.append) is is_kept
    assert yaku == ([Yaku(None, 1, word.strip())] if is_kept else [])
    outcome = " kept by its name" if is_kept else "; the win is read without its yaku"
    assert notices == [f"unknown yaku {quoted(word)}{outcome}"]


def test_words_of_the_original_mjai() -> None:
    """Every word that mjai has for a yaku is known, and only those for several yaku have no number."""
    for word in set(YAKU):
        numbers = tuple(number for number, other in enumerate(YAKU) if other == word)
        if word in SEVERAL_YAKU:
            assert named(word) is None
            assert SEVERAL_YAKU[word] == numbers
        else:
            known = named(word)
            assert known is not None
            assert [yaku.number in numbers for yaku in known] == [True]
    assert set(YAKU) > SEVERAL_YAKU.keys()


def test_norths() -> None:
    """Norths set aside count as dora, as in Tenhou's logs."""
    assert named("立直", "ドラ", "抜きドラ") == [Yaku(1, 1), Yaku(52, 2)]
    assert named("抜きドラ") == [Yaku(52, 1)]


@pytest.mark.parametrize(
    ("points", "limit"),
    [(7900, Limit.NONE), (8000, Limit.MANGAN), (12000, Limit.HANEMAN), (32000, Limit.YAKUMAN), (64000, Limit.YAKUMAN)],
)
def test_limit_of(points: int, limit: Limit) -> None:
    """The limit follows from the points, tsumo or ron; three players pay less for tsumo, and the dealer gets more."""
    for tsumo in (False, True):
        assert limit_of(points, dealer=False, payers=3, tsumo=tsumo) is limit
        assert limit_of(points * 3 // 2, dealer=True, payers=3, tsumo=tsumo) is limit
    assert limit_of(points * 3 // 4, dealer=False, payers=2, tsumo=True) is limit
    assert limit_of(points, dealer=True, payers=2, tsumo=True) is limit
    assert worth_of_yakuman(dealer=True) == 48000
