"""The findings of a score check, and counts of the subjects that agree, differ or cannot be checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from jmjp_convert.errors import MatchError


class Subject(Enum):
    """What is checked, each item separately: every win and draw of a frame, and the end of the match.

    The fu and the yaku of a win are part of the win; they are counted on their own only where they are not recorded.
    """

    WIN = "wins"
    WIN_FU = "fu of wins"
    WIN_YAKU = "yaku of wins"
    WIN_PAYMENTS = "payments of wins"
    DRAW = "draws"
    NAGASHI = "nagashi"
    RESULT = "final results"


class What(Enum):
    """The kinds of findings, as message templates."""

    VALUE = "{player}'s win is {found}; {computed} expected from the play"
    YAKU = "the yaku of {player}'s win are {found}; {computed} expected"
    LIMIT = "the limit of {player}'s win is {found}; {computed} expected"
    POINTS = "{player}'s win is worth {found}; {computed} expected"
    PAO = "pao for {player}'s win is paid by {found}; {computed} expected"
    PAYMENTS = "the payments for {player}'s win are {found}; {computed} expected"
    SUM_OF_PAYMENTS = "the payments for all wins are {found}; {computed} expected"
    KIND = "the frame ends in {found}; {computed} expected from the play"
    TENPAI = "{found} recorded as tenpai; {computed} expected from the hands"
    DRAW_PAYMENTS = "the payments for the draw are {found}; {computed} expected"
    FINAL_POINTS = "the final points are {found}; {computed} expected from the last frame"
    RESULTS = "the results are {found}; {computed} expected from the final points"


class NotJudgedError(Exception):
    """Something that cannot be checked.

    :param reason: why; worded identically for identical reasons, since they are counted.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class ScoreReport:
    """The result of checking the score of a match. Counters of several reports can be added."""

    findings: list[MatchError] = field(default_factory=list)  # the differences, in match order
    agreed: Counter[Subject] = field(default_factory=Counter)  # by subject, how many agree in everything
    wrong: Counter[Subject] = field(default_factory=Counter)  # by subject, how many do not
    # By subject and reason, how many cannot be checked: they are neither right nor wrong.
    not_judged: Counter[tuple[Subject, str]] = field(default_factory=Counter)

    def leave(self, subject: Subject, reason: str) -> None:
        """Count a *subject* that cannot be checked, for the *reason*."""
        self.not_judged[subject, reason] += 1

    def take(self, subject: Subject, judge: Callable[[], Iterable[MatchError]]) -> None:
        """Count a *subject* according to the findings of *judge*."""
        try:
            findings = list(judge())
        except NotJudgedError as error:
            self.leave(subject, error.reason)
            return
        self.findings += findings
        (self.wrong if findings else self.agreed)[subject] += 1
