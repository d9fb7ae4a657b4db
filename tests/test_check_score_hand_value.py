"""The value of wins is recomputed: the cases in ``fixtures/score/hands.txt``."""

from __future__ import annotations

import pytest
from score_stories import Recorded, Story, cases, lines, match, with_recorded

from jmjp_convert.checks.score import Subject, check_score
from jmjp_convert.model import Limit
from jmjp_convert.model.record import replace
from jmjp_convert.model.tenhou import rules as rules_of
from jmjp_convert.model.tiles import RedFives

NO_KUITAN = rules_of(13, 0)


CASES = cases("hands")
FRAMES = {name: case.story.frame(case.right) for name, case in CASES.items()}

each_case = pytest.mark.parametrize("name", CASES)


@each_case
def test_right(name: str) -> None:
    """A correctly recorded win agrees, and so do its payments."""
    report = check_score(match(FRAMES[name], rules=CASES[name].story.rules))
    assert report.findings == []
    assert report.agreed == {Subject.WIN: 1, Subject.WIN_PAYMENTS: 1}


@each_case
def test_trap(name: str) -> None:
    """A win recorded by falling into the trap is reported, part by part."""
    story, right, values, findings = CASES[name]
    value, _, limit = values["wrong"].partition("; ")
    wrong = right._replace(value=value, limit=Limit[limit or "NONE"])
    prefix = f"frame {story.start.name}: "
    assert lines(with_recorded(FRAMES[name], wrong), story.rules) == [prefix + line for line in findings]


@pytest.mark.parametrize(
    ("discard", "hand"), [("8p", "234m678m345s00p67p"), ("0p", "234m678m22s067p46p")], ids=["in the hand", "won on"]
)
def test_two_red_fives_of_a_suit(discard: str, hand: str) -> None:
    """Where two 5p are red, each is a dora, and a hand with one may win on the other."""
    four_reds = replace(rules_of(9, 0), red_fives=RedFives(1, 2, 1))
    frame = Story(f"0 {discard} tg ron1", "", hand, rules=four_reds)
    right = Recorded("30 fu 7700: Pinfu 1, Tanyao 1, Aka dora 2", (-7700, 7700, 0, 0))
    report = check_score(match(frame.frame(right), rules=four_reds))
    assert (report.findings, report.agreed) == ([], {Subject.WIN: 1, Subject.WIN_PAYMENTS: 1})


def test_no_win() -> None:
    """A hand that cannot win is reported, and its payments are not checked."""
    frame = Story("0 5s tg 1 chi[3s4s] 9p 2 8p tg ron1", "", "234m678m34s22s67p9p", rules=NO_KUITAN)
    report = check_score(match(frame.frame(Recorded("30 fu 1000: Tanyao 1", (0, 1000, -1000, 0))), rules=NO_KUITAN))
    assert list(map(str, report.findings)) == [
        "frame E1-0: player 1's win is 30 fu 1 han; no win (no yaku) expected from the play"
    ]
    assert report.wrong == {Subject.WIN: 1}
    assert report.not_judged[Subject.WIN_PAYMENTS, "the hand has no value"] == 1
