"""Says of every win of a match what it consists of: the fu in parts, the points with honba and sticks, and what the
record has otherwise.

Nothing is decided here that :func:`~jmjp_convert.checks.score.check_score` does not decide in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jmjp_convert.checks.score import payments
from jmjp_convert.checks.score.frame import FrameJudge, judges, names_all
from jmjp_convert.checks.score.hand_value import NoWinError, Value
from jmjp_convert.checks.score.report import NotJudgedError
from jmjp_convert.model import Frame, House, Match, Win
from jmjp_convert.play.points import STICK


class Total(NamedTuple):
    """What a winner gets, in points: *hand* for the hand, *honba* for the honba, *sticks* for the riichi sticks."""

    hand: int
    honba: int
    sticks: int


class Account(NamedTuple):
    """What a win consists of."""

    value: Value | None  # as computed from the play; None if the hand cannot win
    differs: bool  # whether the record has another value, or cannot be right
    lacks: bool  # whether the record leaves out fu, yaku or points
    paid: tuple[int, ...] | None  # the computed payments, if the recorded ones are others


def totals(frame: Frame, players: int) -> list[Total | None]:
    """Return what each winner of *frame* gets, in the order of the wins, with the points of the hands as recorded;
    ``None`` where it is not recorded, or other payments are.

    Only the first winner in turn order gets honba and sticks (docs/design/scoring.md, Payments).
    """
    wins = frame.wins
    sticks = None if frame.start.sticks is None else frame.start.sticks + len(frame.riichi)
    return [None if sticks is None else _total(win, wins, frame.start.honba, sticks, players) for win in wins]


def _total(win: Win, wins: Sequence[Win], honba: int, sticks: int, players: int) -> Total | None:
    if win.score is None:
        return None
    winners = [other.player for other in wins]
    first = win.source is None or win.player == payments.first_winner(winners, win.source, players)
    extra = Total(win.score.points, honba * payments.HONBA * (players - 1), STICK * sticks) if first else None
    total = extra or Total(win.score.points, 0, 0)
    fits = win.changes is None or win.changes[win.player] == total.hand + total.honba + total.sticks
    return total if fits else None


def accounts(match: Match, house: House | None = None) -> list[list[Account | str]]:
    """Return for each frame of *match*, whose frames have all been replayed, the accounts of its wins in order; a text
    instead says why there is none.

    :param house: as for :func:`~jmjp_convert.checks.score.check_score`.
    :raises MissingExtraError: the package ``mahjong`` is not installed.
    """
    return [list(_accounts(judge)) for judge in judges(match, house)]


def _accounts(judge: FrameJudge) -> Iterator[Account | str]:
    wins = judge.frame.wins
    for win in wins:
        try:
            yield _account(judge, win, wins)
        except NotJudgedError as error:
            yield error.reason


def _account(judge: FrameJudge, win: Win, wins: Sequence[Win]) -> Account:
    """Return the account of *win*.

    :raises NotJudgedError: its value cannot be computed.
    """
    score = win.score
    differs = score is not None and any(judge.win(win))
    lacks = score is None or (score.fu is None and not score.yakuman) or not names_all(score)
    try:
        value = judge.value(win)
    except NoWinError:
        return Account(None, differs=True, lacks=lacks, paid=None)
    try:
        _, possible = judge.possible_payments(win, wins)
    except NotJudgedError:
        possible = []
    paid = possible[0] if possible and win.changes is not None and win.changes not in possible else None
    return Account(value, differs, lacks, paid)
