"""A game is judged alike in every format, as far as the format holds what is judged."""

from __future__ import annotations

from collections import Counter

import pytest
from playing import LINES, matches

from jmjp_convert import dumps
from jmjp_convert.check.score import ScoreReport, Subject, check_score
from jmjp_convert.formats import FORMATS
from jmjp_convert.model import House, Match

READ_AND_WRITTEN = [name for name, made in FORMATS.items() if made.read is not None and made.write is not None]
NOT_HELD = {
    Subject.WIN: "no value is recorded",
    Subject.WIN_PAYMENTS: "no payments are recorded",
    Subject.DRAW: "the kind of the draw is not recorded",
    Subject.NAGASHI: "the kind of the draw is not recorded",
    Subject.RESULT: "no final result is recorded",
}
"""Why a subject is not judged in a format that does not hold it."""

DRAWN = {Subject.NAGASHI: Subject.DRAW}


def judged(report: ScoreReport) -> Counter[Subject]:
    """Return how many of each subject agree, or are not held; all draws are one subject."""
    counts: Counter[Subject] = Counter()
    for subject, reason in NOT_HELD.items():
        counts[DRAWN.get(subject, subject)] += report.agreed[subject] + report.not_judged[subject, reason]
    return counts


def read_back(match: Match, name: str) -> Match:
    """Return *match* as read from a file of the format *name*."""
    (back,) = FORMATS[name].read(dumps(match, to=name).encode())  # type: ignore[misc]
    return back  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", READ_AND_WRITTEN)
@pytest.mark.parametrize("line", LINES)
def test_alike(name: str, line: str) -> None:
    """What agrees in an mjlog agrees in what any format holds of it."""
    for match in matches(line):
        if match.rules.players in FORMATS[name].players:
            report = check_score(read_back(match, name), House.TENHOU)
            assert report.findings == []
            assert judged(report) == judged(check_score(match))
