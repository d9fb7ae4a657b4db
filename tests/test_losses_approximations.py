"""What formats reword or guess."""

from __future__ import annotations

import pytest
from casefiles import FIXTURES, blocks
from test_losses_traits import BARE, DRAW, NAMES, PLAYED, POINTS, RON, SCORE, START, frame, holding

from jmjp_convert.formats.mjai import holding as mjai
from jmjp_convert.model import Ankan, DrawKind, Frame, Limit, Match, Rules, Score, Win, Yaku
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import any_copy


def said(name: str, match: Match) -> list[str]:
    """Return what a format says that it writes differently from how it is in *match*."""
    return [*holding(name).lost(match).otherwise]


KNOWN = replace(DRAW, kind=DrawKind.EXHAUSTIVE, shown=(None,) * 4)
PLAIN = replace(BARE, rules=Rules(), results=POINTS, frames=(frame(*PLAYED, KNOWN),))
"""A match that is written without rewording."""


def with_frame(found: Frame) -> Match:
    """Return the plain match with another frame."""
    return replace(PLAIN, frames=(found,))


def with_start(found: Frame, **values: object) -> Match:
    """Return the plain match with a frame that starts differently."""
    return with_frame(replace(found, start=replace(START, **values)))


WON = replace(RON, score=SCORE)
DAISANGEN = Score(None, 32000, Limit.YAKUMAN, (Yaku(39),))
KAN = Ankan(0, tuple(map(any_copy, ("9p",) * 4)))
BOTH = (replace(WON, changes=None), replace(WON, player=2, changes=None))
PAID = (-10000, 5000, 5000, 0)


def wins(*found: Win) -> Match:
    """Return the plain match with *found* in its frame, for which player 0 pays 5,000 points each to two players."""
    lost = frame(*PLAYED, *found)
    points = tuple(map(sum, zip(POINTS, PAID, strict=True)))
    return with_frame(replace(lost, end=replace(lost.end, points=points)))


CASES = blocks(FIXTURES / "losses" / "approximations.txt", "case")


def test_cases(subtests: pytest.Subtests) -> None:
    """Formats report what they reword or guess, and nothing of what is written unchanged."""
    assert CASES
    for block in CASES:
        with subtests.test(block.name):
            lines = [line.partition(": ") for line in block.lines]
            phrases = {name: phrase for names, _, phrase in lines if names != "match" for name in names.split(", ")}
            expressions = [expression for word, _, expression in lines if word == "match"]
            assert expressions
            for made in expressions:
                match = eval(made, NAMES | globals())  # noqa: S307 - our own
                found = {name: said(name, match) for name in ("tenhou6", "mjai", "majiang")}
                assert found == {name: [phrases[name]] if name in phrases else [] for name in found}, made


@pytest.mark.parametrize(("numbers", "is_said"), [((20, 19), True), ((19, 20), False), ((20,), False)])
def test_order_of_dragons(numbers: tuple[int, ...], *, is_said: bool) -> None:
    """Mjai has one word for the yaku of all dragons, so that their order is lost, and that is said."""
    score = replace(SCORE, yaku=tuple(Yaku(number, 1) for number in numbers))
    lost = mjai.holding(details=True).lost(with_frame(frame(*PLAYED, replace(RON, score=score))))
    assert ("yaku of several dragons put in the order haku, hatsu, chun" in lost.otherwise) is is_said
