"""The checks of the command ``check`` for Python: :func:`check`."""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.checks.match import check_match
from jmjp_convert.errors import MatchError, WallError, expect_type
from jmjp_convert.formats.session import Notice, ignore
from jmjp_convert.model import House, Match
from jmjp_convert.play.judge import Judge


def check(
    match: Match, *, wall: bool = False, score: bool = False, house: House | None = None, notice: Notice | None = None
) -> list[MatchError]:
    """Return the problems of *match*, in the order of its frames.

    Every frame is replayed and compared with the one before it and its recorded end, and the match as a whole is
    checked. The wall and the score are checked only if nothing else was found. Each problem has its ``frame``, the
    index in the match, the ``name`` of the frame, the ``index`` of the event, and the ``reason``.

    :param wall: compare the tiles with the wall, rebuilt from the seed or recorded.
    :param score: recompute wins, payments and the result, which needs the extra ``score``.
    :param house: the server whose rules the score is checked by; by default, that of the match.
    :param notice: called with each line on what could not be checked, and why.
    :raises MissingExtraError: the extra ``score`` is not installed.
    :raises TypeError: *match* is no match.
    """
    expect_type(match, Match, "a Match")
    problems = [*_replayed(match), *check_match(match)]
    say = notice or ignore
    for subject, is_wanted, findings in (
        ("wall", wall, _wall(match, say)),
        ("score", score, _score(match, house, say)),
    ):
        if is_wanted and problems:
            say(f"{subject} not checked: other problems found")
        elif is_wanted:
            problems += findings
    unique = {str(error): error for error in problems}  # the result is judged by more than one
    return sorted(unique.values(), key=lambda error: (error.frame is None, error.frame or 0, error.index))


def _replayed(match: Match) -> Iterator[MatchError]:
    """Yield the problems of each frame, and of its start after the frame before."""
    judge = Judge(match.rules, every_frame=False)
    for number, frame in enumerate(match.frames):
        for error in judge.frame(frame):
            problem = MatchError(error.message, frame=number, name=frame.start.name, index=error.index)
            problem.__cause__ = error
            yield problem


def _wall(match: Match, say: Notice) -> Iterator[MatchError]:
    from jmjp_convert.checks.wall import Agreement, check_wall

    try:
        report = check_wall(match)
    except WallError as error:
        say(f"wall not checked: {error}")
        return
    if report.problem is not None:
        yield report.problem.error
    elif report.agreement is Agreement.NO_WALL:
        say("wall not checked: no seed or wall is recorded")


def _score(match: Match, house: House | None, say: Notice) -> Iterator[MatchError]:
    from jmjp_convert.checks.score import check_score

    report = check_score(match, house)
    for (subject, why), number in report.not_judged.items():
        say(f"{subject.value} not checked ({number}): {why}")
    for finding in report.findings:
        yield finding.error
