"""The findings of a score check, and how many subjects agree or cannot be judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from jmjp_convert.model.record import record


class Subject(Enum):
    """What is judged, each one by itself: every win and draw of a frame, and the end of the match."""

    WIN = "wins"
    WIN_PAYMENTS = "payments of wins"
    DRAW = "draws"
    NAGASHI = "nagashi"
    RESULT = "final results"


class What(Enum):
    """What is wrong, as the line that says it."""

    VALUE = "player {player}'s win is {found}; {computed} expected from the play"
    YAKU = "the yaku of player {player}'s win are {found}; {computed} expected"
    LIMIT = "the limit of player {player}'s win is {found}; {computed} expected"
    POINTS = "player {player}'s win is worth {found}; {computed} expected"
    PAO = "pao for player {player}'s win is paid by {found}; {computed} expected"
    PAYMENTS = "the payments for player {player}'s win are {found}; {computed} expected"
    KIND = "the frame ends in {found}; {computed} expected from the play"
    TENPAI = "{found} recorded as tenpai; {computed} expected from the hands"
    DRAW_PAYMENTS = "the payments for the draw are {found}; {computed} expected"
    FINAL_POINTS = "the final points are {found}; {computed} expected from the last frame"
    RESULTS = "the results are {found}; {computed} expected from the final points"


@record
class Finding:
    """Something that is recorded otherwise than it is computed. As a string, a line fit for a person.

    :ivar frame: the frame's name; ``None``: the end of the match.
    :ivar found: what is recorded.
    :ivar computed: what it should be.
    :ivar player: the winner, of a win.
    """

    frame: str | None
    what: What
    found: str
    computed: str
    player: int | None = None

    def __str__(self) -> str:
        line = self.what.value.format(player=self.player, found=self.found, computed=self.computed)
        return line if self.frame is None else f"frame {self.frame}: {line}"


class NotJudgedError(Exception):
    """Something that cannot be judged.

    :param reason: why; the same words for the same reason, since they are counted.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class ScoreReport:
    """What came of checking the score of a match. Counters of several reports can be added.

    :ivar findings: what is wrong, in the order of the match.
    :ivar agreed: how many agree in everything.
    :ivar wrong: how many do not.
    :ivar not_judged: how many cannot be judged, by the reason: they are neither right nor wrong.
    """

    findings: list[Finding] = field(default_factory=list)
    agreed: Counter[Subject] = field(default_factory=Counter)
    wrong: Counter[Subject] = field(default_factory=Counter)
    not_judged: Counter[tuple[Subject, str]] = field(default_factory=Counter)

    def take(self, subject: Subject, judge: Callable[[], Iterable[Finding]]) -> None:
        """Count a *subject* by what *judge* finds."""
        try:
            findings = list(judge())
        except NotJudgedError as error:
            self.not_judged[subject, error.reason] += 1
            return
        self.findings += findings
        (self.wrong if findings else self.agreed)[subject] += 1
