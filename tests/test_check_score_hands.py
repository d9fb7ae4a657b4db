"""The value of wins is recomputed: the cases in ``fixtures/score/hands.txt``."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from casefiles import blocks
from score_stories import Story, Told, lines, match, retold

from jmjp_convert.check.score import Subject, check_score
from jmjp_convert.model import Limit
from jmjp_convert.model.tenhou import rules as rules_of

NO_KUITAN = rules_of(13, 0)


class Case(NamedTuple):
    """A win: its right value, its value for anyone who falls into the trap, and the findings for the latter."""

    story: Story
    right: Told
    wrong: Told
    found: list[str]


def case(said: list[str]) -> Case:
    """Return the case that the lines of a block describe; the wrong value has the right payments."""
    pairs = [line.partition(": ") for line in said]
    values = {key: value for key, _, value in pairs}
    rules = rules_of(int(values.get("rules", 9)), 0)
    story = Story(
        values["acts"],
        *(values.get(f"hand {player}", "") for player in range(rules.players)),
        rules=rules,
        shows=values.get("shows", "9s"),
        keep=values.get("keep", ""),
        dealer=int(values.get("dealer", 0)),
        round_=int(values.get("round_", 0)),
    )
    paid = tuple(map(int, values["paid"].split(",")))
    pao = int(values["pao"]) if "pao" in values else None
    right = Told(values["right"], paid, Limit[values.get("limit", "NONE")], pao, values.get("ura", ""))
    value, _, limit = values["wrong"].partition("; ")
    wrong = Told(value, paid, Limit[limit or "NONE"], pao)
    return Case(story, right, wrong, [value for key, _, value in pairs if key == "finding"])


PATH = Path(__file__).parent.parent / "fixtures" / "score" / "hands.txt"
CASES = {block.name: case(block.lines) for block in blocks(PATH, "case")}
FRAMES = {name: told.story.frame(told.right) for name, told in CASES.items()}

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
    story, _, wrong, found = CASES[name]
    place = f"frame {story.start.name}: "
    assert lines(retold(FRAMES[name], wrong), story.rules) == [place + line for line in found]


def test_no_win() -> None:
    """A hand that cannot win is reported, and its payments are not checked."""
    frame = Story("0 5s tg 1 chi[3s4s] 9p 2 8p tg ron1", "", "234m678m34s22s67p9p", rules=NO_KUITAN)
    report = check_score(match(frame.frame(Told("30 fu 1000: Tanyao 1", (0, 1000, -1000, 0))), rules=NO_KUITAN))
    assert list(map(str, report.findings)) == [
        "frame E1-0: player 1's win is 30 fu 1 han; no win (no yaku) expected from the play"
    ]
    assert report.wrong == {Subject.WIN: 1}
    assert report.not_judged[Subject.WIN_PAYMENTS, "the hand has no value"] == 1
