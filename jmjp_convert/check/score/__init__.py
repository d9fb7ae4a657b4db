"""Recomputes the score of a match from its play: wins, payments, draws, final result.

The rules are those of Tenhou's ranked games (docs/design/scoring.md). The recorded score is only compared: hands,
riichi, the last tile and everything else are derived from the moves, except the ura dora indicators, which are taken
from the record. Hand values come from the package ``mahjong``, an extra.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from jmjp_convert.check.score import payments
from jmjp_convert.check.score.aborts import is_due
from jmjp_convert.check.score.final_result import check_result
from jmjp_convert.check.score.hands import Calculator, NoWinError, Value
from jmjp_convert.check.score.report import Finding, NotJudgedError, ScoreReport, Subject, What
from jmjp_convert.check.score.win_context import PlayedFrame
from jmjp_convert.model import DrawKind, Frame, Match, Rules, Ryuukyoku, Score, Win, Yaku
from jmjp_convert.model.tenhou import own_rules
from jmjp_convert.model.yaku import LIMITS
from jmjp_convert.play.expectations import listed

__all__ = ["Finding", "ScoreReport", "Subject", "What", "check_score"]

_NO_URA = Yaku(53, 0)
_TO_THE_LAST = (DrawKind.EXHAUSTIVE, DrawKind.NAGASHI)
_KINDS = {DrawKind.EXHAUSTIVE: "an exhaustive draw", DrawKind.NAGASHI: "nagashi mangan"}


def check_score(match: Match) -> ScoreReport:
    """Recompute the score of *match*, which was read from an mjlog and whose frames have all been replayed.

    :raises ConvertError: the package ``mahjong`` is not installed.
    """
    calculator = Calculator(match.rules)
    report = ScoreReport()
    why_not = own_rules(match.rules)
    for frame in match.frames:
        judge = _Frame(frame, match.rules, calculator, why_not)
        wins = [event for event in frame.endings if isinstance(event, Win)]
        for win in wins:
            report.take(Subject.WIN, partial(judge.win, win))
            report.take(Subject.WIN_PAYMENTS, partial(judge.win_payments, win, wins))
        for draw in frame.endings:
            if isinstance(draw, Ryuukyoku):
                subject = Subject.NAGASHI if draw.kind is DrawKind.NAGASHI else Subject.DRAW
                report.take(subject, partial(judge.draw, draw))
    report.take(Subject.RESULT, partial(_result, match, why_not))
    return report


def _result(match: Match, why_not: str | None) -> Iterator[Finding]:
    if why_not is not None:
        raise NotJudgedError(why_not)
    yield from check_result(match)


class _Frame:
    """The score check of one frame."""

    def __init__(self, frame: Frame, rules: Rules, calculator: Calculator, why_not: str | None) -> None:
        self._frame = frame
        self._name = frame.start.name
        self._players = rules.players
        self._calculator = calculator
        self._not_judged = why_not
        if not frame.end.hands:
            self._not_judged = self._not_judged or "the play is not recorded"
        self._play = None if self._not_judged else PlayedFrame(frame, rules)
        self._values: dict[int, Value] = {}

    def _played(self) -> PlayedFrame:
        if self._play is None:
            assert self._not_judged is not None
            raise NotJudgedError(self._not_judged)
        return self._play

    def _value(self, win: Win) -> Value:
        player = win.player
        if player not in self._values:
            self._values[player] = self._calculator.value(self._frame.end.hands[player], self._played().context(win))
        return self._values[player]

    def win(self, win: Win) -> Iterator[Finding]:
        """Yield where the recorded value of *win* differs from the computed one."""
        self._played()
        if win.score is None:
            raise NotJudgedError("no value is recorded")
        found = _comparable(win.score)
        try:
            computed = self._value(win).score
        except NoWinError as error:
            yield Finding(self._name, What.VALUE, _fu_and_han(found), f"no win ({error})", win.player)
            return
        for what, text in _TEXTS.items():
            if text(found) != text(computed):
                yield Finding(self._name, what, text(found), text(computed), win.player)

    def win_payments(self, win: Win, wins: Sequence[Win]) -> Iterator[Finding]:
        """Yield the problems in the payments of *win*, one of the *wins* of the frame."""
        play = self._played()
        if win.changes is None:
            raise NotJudgedError("no payments are recorded")
        if play.sticks is None:
            raise NotJudgedError("the number of riichi sticks on the table is unknown")
        try:
            value = self._value(win)
        except NoWinError as error:
            raise NotJudgedError("the hand has no value") from error
        start = self._frame.start
        stakes = payments.Stakes(self._players, start.dealer, start.honba, play.sticks)
        winners = [other.player for other in wins]
        if win.source is not None and win.player != payments.first_winner(winners, win.source, self._players):
            stakes = stakes._replace(honba=0, sticks=0)
        pao = play.pao.get(win.player)
        if pao != win.pao and not (pao == win.source and win.pao is None):  # no effect if the discarder is liable
            yield Finding(self._name, What.PAO, _players(win.pao), _players(pao), win.player)
        if win.source is None:
            computed = payments.tsumo(stakes, win.player, value.main, value.additional, pao)
        else:
            computed = payments.ron(stakes, win.player, win.source, value.main, pao)
        if computed != win.changes:
            yield Finding(self._name, What.PAYMENTS, listed(win.changes), listed(computed), win.player)

    def draw(self, draw: Ryuukyoku) -> Iterator[Finding]:
        """Yield the problems of a draw: its payments, who is tenpai, whether it is nagashi."""
        play = self._played()
        if draw.kind is None:
            raise NotJudgedError("the kind of the draw is not recorded")
        if draw.changes is None:
            raise NotJudgedError("no payments are recorded")
        if draw.kind is DrawKind.TRIPLE_RON and not any(draw.changes):
            raise NotJudgedError("whether three players could win is not checked")
        if draw.kind is not DrawKind.TRIPLE_RON and not is_due(draw.kind, self._frame):
            yield Finding(self._name, What.KIND, _KINDS.get(draw.kind, draw.kind.value), "no such draw")
        computed = (0,) * self._players
        if draw.kind in _TO_THE_LAST:
            yield from self._who(draw, play)
            computed = self._noten_payments(play)
        if computed != draw.changes:
            yield Finding(self._name, What.DRAW_PAYMENTS, listed(draw.changes), listed(computed))

    def _who(self, draw: Ryuukyoku, play: PlayedFrame) -> Iterator[Finding]:
        """Yield the problems at the last tile: who is tenpai, whether it is nagashi."""
        nagashi, tenpai = play.nagashi(), self._tenpai(play)
        if len(nagashi) > 1:
            raise NotJudgedError("the payments for nagashi by two players are unknown")
        kind = DrawKind.NAGASHI if nagashi else DrawKind.EXHAUSTIVE
        if draw.kind is not None and kind is not draw.kind:
            yield Finding(self._name, What.KIND, _KINDS[draw.kind], _KINDS[kind])
        shown = [player for player, hand in enumerate(draw.shown or ()) if hand is not None]
        if draw.shown is not None and shown != tenpai:
            yield Finding(self._name, What.TENPAI, _players(*shown), _players(*tenpai))

    def _noten_payments(self, play: PlayedFrame) -> tuple[int, ...]:
        """Return the payments at the last tile."""
        for player in play.nagashi():
            return payments.nagashi(self._players, self._frame.start.dealer, player)
        return payments.noten(self._players, self._tenpai(play))

    def _tenpai(self, play: PlayedFrame) -> list[int]:
        """Return the players in tenpai; everyone in riichi is."""
        hands = self._frame.end.hands
        return [player for player, hand in enumerate(hands) if play.riichi[player] or self._calculator.is_tenpai(hand)]


def _comparable(score: Score) -> Score:
    """Return *score* without the 0-han ura dora that every riichi win has, with the yaku ascending by number."""
    counted = sorted(set(score.yaku).difference(score.yakuman, [_NO_URA]))
    return replace(score, yaku=(*counted, *sorted(score.yakuman)))


def _fu_and_han(score: Score) -> str:
    return f"{score.fu} fu {'yakuman' if score.han is None else f'{score.han} han'}"


def _yaku(score: Score) -> str:
    named = (yaku.romaji if yaku.han is None else f"{yaku.romaji} {yaku.han}" for yaku in score.yaku)
    return ", ".join(named) or "none"


def _limit(score: Score) -> str:
    return LIMITS[score.limit][1] if score.limit in LIMITS else "none"


def _points(score: Score) -> str:
    return str(score.points)


_TEXTS: dict[What, Callable[[Score], str]] = {
    What.VALUE: _fu_and_han,
    What.YAKU: _yaku,
    What.LIMIT: _limit,
    What.POINTS: _points,
}
"""The compared parts of a score, as text."""


def _players(*players: int | None) -> str:
    """Return *players* for a message; ``None`` is nobody."""
    named = [str(player) for player in players if player is not None]
    *others, last = named or [""]
    if not last:
        return "nobody"
    return f"players {', '.join(others)} and {last}" if others else f"player {last}"
