"""Recomputes the score of a match from its play: wins, payments, draws, final result.

The rules are those of the ranked games of a house (docs/design/scoring.md). The recorded score is only compared, as
far as there is one: hands, riichi, the last tile and everything else are derived from the moves, except the ura dora
indicators, which are taken from the record. Hand values come from the package ``mahjong``, an extra.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from jmjp_convert.checks.score.frame import judges, names_all
from jmjp_convert.checks.score.house_rules import HouseRules, rules_of
from jmjp_convert.checks.score.report import NotJudgedError, ScoreReport, Subject, What
from jmjp_convert.errors import MatchError
from jmjp_convert.messages import Message, Part, Points, Results, any_of
from jmjp_convert.model import SEATS, THREE_PLAYERS, DrawKind, House, Match, Ryuukyoku, Score, houses
from jmjp_convert.play.points import STICK, final_points, frame_changes, is_partial, shares

__all__ = ["ScoreReport", "Subject", "What", "check_score"]

_ON_THE_TABLE = {SEATS: 100_000, THREE_PLAYERS: 105_000}
"""By number of players, the total of points and sticks."""


def check_score(match: Match, house: House | None = None) -> ScoreReport:
    """Recompute the score of *match*, whose frames have all been replayed.

    :param house: whose rules it was played by, whatever the match says; by default those that it says, if they are
        those of ranked games.
    :raises ConvertError: the package ``mahjong`` is not installed.
    """
    why_not = houses.own_rules(match.rules) if house is None else None
    rules = rules_of(house or match.rules.house)
    report = ScoreReport()
    for judge in judges(match, house):
        frame = judge.frame
        wins = frame.wins
        total = frame_changes(frame) if len(wins) > 1 and all(win.changes is None for win in wins) else None
        for win in wins:
            report.take(Subject.WIN, partial(judge.win, win))
            paid = partial(judge.win_payments, win, wins) if total is None else partial(judge.share, win, wins, total)
            report.take(Subject.WIN_PAYMENTS, paid)
            if win.score is not None and why_not is None:
                for subject, reason in _unrecorded(win.score):
                    report.leave(subject, reason)
        if len(wins) == SEATS - 1 and not rules.triple_ron:
            report.take(Subject.DRAW, judge.three_wins)
        for draw in frame.endings:
            if isinstance(draw, Ryuukyoku):
                subject = Subject.NAGASHI if draw.kind is DrawKind.NAGASHI else Subject.DRAW
                report.take(subject, partial(judge.draw, draw))
    uma = houses.own_uma(match.rules) if house is None else None
    report.take(Subject.RESULT, partial(_result, match, rules, uma))
    return report


def _result(match: Match, house: HouseRules, why_not: str | None) -> Iterator[MatchError]:
    """Yield the problems in the points and results at the end of *match*, played by the rules of *house*
    (docs/design/scoring.md, Final result).

    :param why_not: why they cannot be checked, if so.
    :raises NotJudgedError: they cannot be, are not recorded, or are not those of a ranked game.
    """
    if why_not is not None:
        raise NotJudgedError(why_not)
    if match.results is None and match.final_points is None:
        raise NotJudgedError("no final result is recorded")
    if not match.frames or is_partial(match):
        raise NotJudgedError("not all frames are recorded")
    points = final_points(match.frames[-1])
    if points is None:
        raise NotJudgedError("the points at the end of the last frame are unknown")
    if not _is_usual(match):
        raise NotJudgedError("the points on the table are not those of a ranked match")
    if match.final_points not in (None, points):
        yield _finding(What.FINAL_POINTS, Points(match.final_points), Points(points))
    if match.results is not None:
        target = house.target[match.rules.players]
        possible = [
            shares(points, target, uma, whole=whole) for uma in house.umas(match) for whole in house.wholes(match)
        ]
        if match.results not in possible:
            yield _finding(What.RESULTS, Results(match.results), any_of(map(Results, possible)))


def _finding(what: What, recorded: Part, computed: Part) -> MatchError:
    """Return a finding about the end of the match."""
    return MatchError(Message(what.value, found=recorded, computed=computed), at_end=True)


def _is_usual(match: Match) -> bool:
    start, players = match.frames[0].start, match.rules.players
    return start.points is not None and sum(start.points) + STICK * (start.sticks or 0) == _ON_THE_TABLE[players]


def _unrecorded(score: Score) -> Iterator[tuple[Subject, str]]:
    """Yield what is not recorded of *score*, with the reason not to check it."""
    if score.fu is None:
        yield Subject.WIN_FU, "no fu are recorded"
    if not score.yaku:
        yield Subject.WIN_YAKU, "no yaku are recorded"
    elif not names_all(score):
        yield Subject.WIN_YAKU, "a yaku is known by its name only"
