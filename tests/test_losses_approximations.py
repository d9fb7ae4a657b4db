"""What formats reword or guess."""

from __future__ import annotations

import pytest
from test_losses_traits import BARE, DRAW, NOTHING, PLAYED, POINTS, RON, SCORE, START, frame, holding, turned
from test_losses_traits import each as persons

from jmjp_convert.formats.mjai import traits as mjai
from jmjp_convert.model import (
    Ankan,
    Discard,
    DoraRevealed,
    Draw,
    DrawKind,
    Frame,
    Limit,
    Match,
    PointRule,
    RiichiAccepted,
    Rules,
    Score,
    Win,
    Yaku,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import NO_REDS, any_copy

TENHOU6 = {
    "either": "possible tsumogiri written as tsumogiri",
    "fourteenth": "fourteenth tile of the deal written as a draw",
    "six": "indicator that may be a red five written as a plain five",
    "split": "payments for each of several wins inferred from their sum",
    "score": "fu, han and yaku left out of a win where unknown",
    "fu": "fu of limit hands left out",
    "kind": "unknown kind of draw written as 流局",
    "pao": "all but the first of several players responsible (pao) left out",
    "break": "unfinished frame written with result 不明",
    "sticks": "unknown number of riichi sticks inferred from payments, or written as 0",
    "red": "unknown red-five rule written as aka 0",
}
MJAI = {
    **{key: TENHOU6[key] for key in ("either", "fourteenth", "six", "split")},
    "kan": "kan dora placed where Tenhou would turn it",
    "break": "unfinished frame written without hora or ryukyoku",
}
MAJIANG = {
    **{key: TENHOU6[key] for key in ("either", "fourteenth", "six", "split")},
    "kan": MJAI["kan"],
    "rating": "ratings rounded down to whole numbers",
    "score": TENHOU6["score"],
    "kind": TENHOU6["kind"],
    "pao": TENHOU6["pao"],
    "hands": "unknown hands at a draw written as not shown",
    "break": "unfinished frame written without hule or pingju",
    "result": "missing result replaced by the last known points",
}
SAID = {"tenhou6": TENHOU6, "mjai": MJAI, "majiang": MAJIANG}


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


GUESSED: dict[str, list[Match]] = {
    "either": [with_frame(frame(Draw(0, any_copy("3m")), Discard(0, any_copy("3m")), KNOWN))],
    "fourteenth": [with_start(frame(*PLAYED, KNOWN), fourteenth=110)],
    "six": [
        with_start(frame(*PLAYED, KNOWN, dora=turned("6m")), indicator=None),
        with_start(frame(*PLAYED, RiichiAccepted(1), WON, dora=turned("2m", "6m")), indicator=None),
    ],
    "split": [wins(*BOTH)],
    "score": [with_frame(frame(*PLAYED, RON))],
    "fu": [with_frame(frame(*PLAYED, replace(RON, score=replace(SCORE, limit=Limit.MANGAN))))],
    "kind": [with_frame(frame(*PLAYED, replace(KNOWN, kind=None)))],
    "pao": [with_frame(frame(*PLAYED, replace(WON, score=DAISANGEN, pao=(2, 3))))],
    "break": [with_frame(frame(*PLAYED)), with_frame(frame())],
    "sticks": [with_start(frame(*PLAYED, KNOWN), sticks=None)],
    "red": [replace(PLAIN, rules=Rules(red_fives=None))],
    "kan": [with_start(frame(KAN, *PLAYED, KNOWN, dora=turned("2m", "uk", "3m")), indicator=None)],
    "rating": [replace(PLAIN, players=persons(rate=1834.27).players)],
    "hands": [with_frame(frame(*PLAYED, replace(KNOWN, shown=None)))],
    "result": [replace(PLAIN, results=None)],
}

NOT_GUESSED: list[Match] = [
    PLAIN,
    with_frame(frame(Draw(0, any_copy("3m")), Discard(0, any_copy("3m"), tsumogiri=False), KNOWN)),
    with_frame(frame(*PLAYED, KNOWN, dora=turned("6m"))),  # its indicator is recorded
    with_start(frame(*PLAYED, KNOWN, dora=turned("5m")), indicator=None),
    with_start(frame(*PLAYED, KNOWN, dora=turned("2m", "6m")), indicator=None),  # nobody saw the ura dora
    with_frame(frame(KAN, DoraRevealed(1), *PLAYED, KNOWN, dora=turned("2m", "uk", "3m"))),
    with_frame(frame(*PLAYED, WON)),
    with_frame(frame(*PLAYED, replace(WON, score=DAISANGEN, pao=(2,)))),
    wins(*(replace(win, changes=NOTHING) for win in BOTH)),
    replace(PLAIN, players=persons(rate=1500.00).players),
    replace(PLAIN, point_rule=PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300)),
    replace(with_start(frame(*PLAYED, KNOWN, dora=turned("6m")), indicator=None), rules=Rules(red_fives=NO_REDS)),
]


def test_all() -> None:
    """There is a match for each clause, and some format reports it."""
    assert GUESSED.keys() == {key for said in SAID.values() for key in said}


@pytest.mark.parametrize("name", SAID)
def test_guessed(name: str, subtests: pytest.Subtests) -> None:
    """Formats report what they reword or guess."""
    for key, match in ((key, match) for key, matches in GUESSED.items() for match in matches):
        with subtests.test(key):
            assert said(name, match) == ([SAID[name][key]] if key in SAID[name] else [])


@pytest.mark.parametrize("name", SAID)
def test_not_guessed(name: str, subtests: pytest.Subtests) -> None:
    """Nothing is reported for what is written unchanged."""
    for number, match in enumerate(NOT_GUESSED):
        with subtests.test(str(number)):
            assert said(name, match) == []


@pytest.mark.parametrize(("numbers", "is_said"), [((20, 19), True), ((19, 20), False), ((20,), False)])
def test_order_of_dragons(numbers: tuple[int, ...], *, is_said: bool) -> None:
    """Mjai has one word for the yaku of all dragons, so that their order is lost, and that is said."""
    score = replace(SCORE, yaku=tuple(Yaku(number, 1) for number in numbers))
    lost = mjai.holding(details=True).lost(with_frame(frame(*PLAYED, replace(RON, score=score))))
    assert ("yaku of several dragons put in the order haku, hatsu, chun" in lost.otherwise) is is_said
