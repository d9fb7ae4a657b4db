"""A game is judged alike in every format, as far as the format holds what is judged."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import effort
import pytest
from playing import LINES, matches

from jmjp_convert import read
from jmjp_convert.api import dumps
from jmjp_convert.checks.score import ScoreReport, Subject, check_score
from jmjp_convert.formats import FORMATS
from jmjp_convert.model import House, Match
from jmjp_convert.model.record import replace

READ_AND_WRITTEN = [name for name, made in FORMATS.items() if made.read is not None and made.write is not None]
NOT_HELD = {
    Subject.WIN: ["no value is recorded"],
    Subject.WIN_PAYMENTS: ["no payments are recorded"],
    Subject.DRAW: ["the kind of the draw is not recorded", "whether three players could win is not checked"],
    Subject.NAGASHI: [],
    Subject.RESULT: ["no final result is recorded"],
}
"""Why a subject is not judged in a format that does not hold it; three wins are judged in none."""

DRAWN = {Subject.NAGASHI: Subject.DRAW}


def judged(report: ScoreReport) -> Counter[Subject]:
    """Return how many of each subject agree, or are not held; all draws are one subject."""
    counts: Counter[Subject] = Counter()
    for subject, reasons in NOT_HELD.items():
        left = sum(report.not_judged[subject, reason] for reason in reasons)
        counts[DRAWN.get(subject, subject)] += report.agreed[subject] + left
    return counts


DETAILS = "details"
"""The option of formats that tell scores only if asked."""


def read_back(match: Match, name: str) -> Match:
    """Return *match* as read from a file of the format *name*, with all that it can tell."""
    options: dict[str, Any] = {DETAILS: True} if DETAILS in [option.name for option in FORMATS[name].options] else {}
    (back,) = FORMATS[name].read(dumps(match, to=name, **options).encode())  # type: ignore[misc]
    return back  # type: ignore[no-any-return]


@cache
def in_mjlog(line: str) -> list[tuple[Match, Counter[Subject]]]:
    """Return the matches played by `play.py` with the arguments *line*, and what is judged of them."""
    return [(match, judged(check_score(match))) for match in matches(line)]


@pytest.mark.parametrize("name", READ_AND_WRITTEN)
@pytest.mark.parametrize("line", LINES)
def test_alike(name: str, line: str) -> None:
    """What agrees in an mjlog agrees in what any format holds of it, given the rules."""
    # That every format holds each of these games as it is, `test_across.py` tests.
    for match, here in effort.shared_out(in_mjlog(line), READ_AND_WRITTEN.index(name), parts=2):
        if match.rules.players in FORMATS[name].players:
            report = check_score(replace(read_back(match, name), rules=match.rules))
            assert report.findings == []
            assert judged(report) == here


# --- games by other programs ------------------------------------------------------------------------------------------

SHARED = Path(__file__).parents[2] / "shared"
ANONYMIZED = {"confusing_nakis_1.json", "confusing_nakis_2.json"}
"""Frames whose riichi stick was left out of the payments when somebody made them anonymous."""


UNJUDGED = {"ron-3.json"}
"""A frame drawn by triple ron."""


def games_of_others() -> list[Path]:
    """Return files of the formats that are read, as other programs wrote them."""
    folders = {"tenhou6": "tenhou6*/**/*.json", "mjai": "mjai/*.mjson", "majiang": "majiang/*.json"}
    paths = (path for name in READ_AND_WRITTEN for path in SHARED.glob(folders.get(name, name)))
    return sorted(path for path in paths if path.name not in ANONYMIZED)


@pytest.mark.skipif(not SHARED.is_dir(), reason="there are no real games in ../shared")
def test_games_of_others(subtests: pytest.Subtests) -> None:
    """Real games agree in everything by the rules of their house, and those that name none by Tenhou's."""
    for path in games_of_others():
        with subtests.test(path.relative_to(SHARED).as_posix()):
            for match in read(path):
                report = check_score(match, match.rules.house or House.TENHOU)
                assert report.findings == []
                assert report.agreed.total() > 0 or path.name in UNJUDGED


@pytest.mark.skipif(not SHARED.is_dir(), reason="there are no real games in ../shared")
def test_game_of_mahjong_soul() -> None:
    """The game of Mahjong Soul is judged by its rules without being told."""
    for path in SHARED.glob("tenhou6-in/mahjong-soul/*.json"):
        (match,) = read(path)
        report = check_score(match)
        assert {subject.value: count for subject, count in report.agreed.items()} == {
            "wins": 7,
            "payments of wins": 7,
            "draws": 1,
            "final results": 1,
        }
