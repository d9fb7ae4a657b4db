"""Recomputes the wins and draws of one frame from its play, and compares them with the record; values the wins and the
draw that a table offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from operator import add

from jmjp_convert.checks.score import payments
from jmjp_convert.checks.score.hand_value import Calculator, NoWinError, Value
from jmjp_convert.checks.score.house_rules import rules_of
from jmjp_convert.checks.score.report import NotJudgedError, What
from jmjp_convert.checks.score.win_context import Pao, PlayedFrame, is_due
from jmjp_convert.errors import MatchError, MissingExtraError
from jmjp_convert.messages import Message, Part, Players, Points, Who, any_of
from jmjp_convert.model import (
    TO_THE_LAST,
    DrawKind,
    End,
    Ending,
    Event,
    Frame,
    Hand,
    House,
    Match,
    Rules,
    Ryuukyoku,
    Score,
    Win,
    Yaku,
    houses,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.yaku import DOUBLE_YAKUMAN, LIMITS, URA_DORA
from jmjp_convert.play.ponds import PondTable

OPEN_RIICHI = "what a ron after an open riichi is worth is unknown"

_NO_URA = Yaku(URA_DORA, 0)
_KINDS = {DrawKind.EXHAUSTIVE: "an exhaustive draw", DrawKind.NAGASHI: "nagashi mangan"}


def judges(match: Match, house: House | None = None) -> list[FrameJudge]:
    """Return the judges of the frames of *match*; the parameters are those of
    :func:`~jmjp_convert.checks.score.check_score`.

    :raises MissingExtraError: the package ``mahjong`` is not installed.
    """
    why_not = houses.own_rules(match.rules) if house is None else None
    rules = judged_by(match.rules, house)
    calculator = Calculator(rules)
    return [FrameJudge(number, frame, rules, calculator, why_not) for number, frame in enumerate(match.frames)]


def judged_by(rules: Rules, house: House | None) -> Rules:
    """Return *rules* as those of the ranked games of *house*, with the options of a table if it is of that house."""
    if house is None:
        return rules
    options = rules.custom if house is rules.house else ()
    return replace(rules, house=house, lobby=rules.lobby if options else 0, custom=options)


def names_all(score: Score) -> bool:
    """Return whether the yaku of *score* are recorded, and all of them are known."""
    return bool(score.yaku) and all(yaku.number is not None for yaku in score.yaku)


class FrameJudge:
    """The score check of one frame.

    :param why_not: why it cannot be checked, if so.
    :param ura: the ura dora indicators of its winners in riichi, or none if ura dora do not count; by default those
        recorded.
    """

    def __init__(
        self,
        number: int,
        frame: Frame,
        rules: Rules,
        calculator: Calculator,
        why_not: str | None,
        ura: Sequence[int] | None = None,
    ) -> None:
        self._number = number
        self.frame = frame
        self._rules = rules
        self._players = rules.players
        self._house = rules_of(rules.house)
        self._calculator = calculator
        self._not_judged = why_not
        if not frame.end.hands:
            self._not_judged = self._not_judged or "the play is not recorded"
        self._play = None if self._not_judged else PlayedFrame.ended(frame, rules)
        if self._play is not None and ura is not None:
            self._play.show_ura(ura)
        self._values: dict[int, Value] = {}

    def _played(self) -> PlayedFrame:
        if self._play is None:
            assert self._not_judged is not None
            raise NotJudgedError(self._not_judged)
        return self._play

    def _finding(self, event: Ending, what: What, recorded: str | Part, computed: str | Part) -> MatchError:
        """Return a finding about *event*."""
        index = next(index for index, other in enumerate(self.frame.events) if other is event)
        winner = Who(event.player) if isinstance(event, Win) else ""
        message = Message(what.value, player=winner, found=recorded, computed=computed)
        return MatchError(message, frame=self._number, name=self.frame.start.name, index=index)

    def value(self, win: Win) -> Value:
        """Return the computed value of *win*; of several possible ones, that with the recorded points, if there is one.

        :raises NoWinError: the hand cannot win.
        :raises NotJudgedError: it cannot be computed.
        """
        player = win.player
        if player not in self._values:
            context = self._played().context(win)
            if context.open_riichi and win.source is not None:
                raise NotJudgedError(OPEN_RIICHI)
            value = self._calculator.value(self.frame.end.hands[player], context)
            possible = self._calculator.as_paid(value, context)
            self._values[player] = next((value for value in possible if value.score.points == win.points), possible[0])
        return self._values[player]

    def win(self, win: Win) -> Iterator[MatchError]:
        """Yield where the recorded value of *win* differs from the computed one."""
        self._played()
        if win.score is None:
            raise NotJudgedError("no value is recorded")
        recorded = _comparable(win.score)
        try:
            computed = self.value(win).score
        except NoWinError as error:
            yield self._finding(win, What.VALUE, _fu_and_han(recorded), f"no win ({error})")
            return
        recorded, computed = _alike(recorded, computed)
        for what, text in _TEXTS.items():
            if text(recorded) != text(computed):
                why = _worth(computed) if what is What.POINTS else ""
                yield self._finding(win, what, text(recorded), text(computed) + (why and f" ({why})"))

    def win_payments(self, win: Win, wins: Sequence[Win]) -> Iterator[MatchError]:
        """Yield the problems in the payments of *win*, one of the *wins* of the frame."""
        self._played()
        if win.changes is None:
            raise NotJudgedError("no payments are recorded")
        pao, possible = self.possible_payments(win, wins)
        responsible = () if pao is None else (pao.player,)
        # Without effect if the discarder is responsible; and if it is not recorded, the payments show it.
        if responsible != win.pao and (win.pao or (responsible != (win.source,) and win.changes not in possible)):
            yield self._finding(win, What.PAO, Players(win.pao), Players(responsible))
        if win.changes not in possible:
            yield self._finding(win, What.PAYMENTS, Points(win.changes), any_of(map(Points, possible)))

    def share(self, win: Win, wins: Sequence[Win], total: tuple[int, ...]) -> Iterator[MatchError]:
        """Yield a finding if the *wins*, beginning with *win*, do not add up to the *total* payments.

        :raises NotJudgedError: they are not, and *win* is a later one: nobody knows which is paid wrongly.
        """
        possible = [
            tuple(map(sum, zip(*changes, strict=True)))
            for changes in product(*(self.possible_payments(win, wins)[1] for win in wins))
        ]
        if total not in possible:
            if win is not wins[0]:
                raise NotJudgedError("only the sum of the payments is recorded, and differs")
            yield self._finding(win, What.SUM_OF_PAYMENTS, Points(total), any_of(map(Points, possible)))

    def possible_payments(self, win: Win, wins: Sequence[Win]) -> tuple[Pao | None, list[tuple[int, ...]]]:
        """Return who is responsible for *win*, one of the *wins* of the frame, and its possible payments.

        :raises NotJudgedError: they cannot be computed.
        """
        play = self._played()
        if play.table.sticks is None:
            raise NotJudgedError("the number of riichi sticks on the table is unknown")
        try:
            value = self.value(win)
        except NoWinError as error:
            raise NotJudgedError("the hand has no value") from error
        start = self.frame.start
        stakes = payments.Stakes(self._players, start.dealer, start.honba, play.table.sticks)
        winners = [other.player for other in wins]
        if win.source is not None and win.player != payments.first_winner(winners, win.source, self._players):
            stakes = stakes._replace(honba=0, sticks=0)
        pao = play.pao_for_daiminkan(win) if houses.has_option(self._rules, houses.PAO_FOR_DAIMINKAN) else None
        pao = pao or play.pao.get(win.player)
        return pao, [
            changes
            for responsible in self._responsible(pao, value)
            for changes in self._paid(win, value, stakes, responsible)
        ]

    def _paid(
        self, win: Win, value: Value, stakes: payments.Stakes, pao: payments.Responsible | None
    ) -> list[tuple[int, ...]]:
        """Return the possible payments of *win*, if *pao* is responsible."""

        def paid(stakes: payments.Stakes) -> tuple[int, ...]:
            if win.source is None:
                return payments.tsumo(stakes, win.player, value.main, value.additional, pao)
            return payments.ron(stakes, win.player, win.source, value.main, pao)

        if not houses.has_option(self._rules, houses.WAREME):
            return [paid(stakes)]
        return payments.with_wareme(paid, stakes, win.player, self._wareme())

    def _wareme(self) -> int:
        """Return who sits where the wall is broken: they pay and get double (docs/design/scoring.md, Wareme)."""
        start = self.frame.start
        if start.dice is None:
            raise NotJudgedError("the dice, which show the seat of the wareme, are not recorded")
        total = start.dice if isinstance(start.dice, int) else sum(start.dice)
        return (start.dealer + total - 1) % self._players

    def _responsible(self, pao: Pao | None, value: Value) -> list[payments.Responsible | None]:
        """Return who is responsible (pao), if anybody is, and for how much of a win: several if that is unknown."""
        if pao is None:
            return [None]
        whole, only_its = payments.Responsible(pao.player), self._house.pao_for_its_yakuman
        if pao.yaku is None or only_its is False:
            return [whole]
        counts = {yaku.number: 1 + (yaku.number in DOUBLE_YAKUMAN) for yaku in value.score.yaku}
        part = payments.Responsible(pao.player, counts[pao.yaku], sum(counts.values()))
        return [part] if only_its or part.yakuman == part.total else [part, whole]

    def three_wins(self) -> Iterator[MatchError]:
        """Yield that the frame should be drawn."""
        self._played()
        yield self._finding(self.frame.endings[0], What.KIND, "three wins", DrawKind.TRIPLE_RON.value)

    def draw(self, draw: Ryuukyoku) -> Iterator[MatchError]:
        """Yield the problems of a draw: its payments, who is tenpai, whether it is nagashi."""
        play = self._played()
        if draw.kind is None:
            raise NotJudgedError("the kind of the draw is not recorded")
        if draw.changes is None:
            raise NotJudgedError("no payments are recorded")
        is_triple = draw.kind is DrawKind.TRIPLE_RON
        if is_triple and not any(draw.changes) and not self._house.triple_ron:
            raise NotJudgedError("whether three players could win is not checked")
        due = not self._house.triple_ron if is_triple else is_due(draw.kind, self.frame, play.table)
        if not due:
            yield self._finding(draw, What.KIND, _KINDS.get(draw.kind, draw.kind.value), "no such draw")
        computed = (0,) * self._players
        if draw.kind in TO_THE_LAST:
            tenpai, computed = self.at_the_last_tile()
            yield from self._who(draw, play, tenpai)
        if computed != draw.changes:
            yield self._finding(draw, What.DRAW_PAYMENTS, Points(draw.changes), Points(computed))

    def at_the_last_tile(self) -> tuple[list[int], tuple[int, ...]]:
        """Return who is tenpai at the last tile, and the payments.

        :raises NotJudgedError: they are unknown.
        """
        play = self._played()
        tenpai, nagashi, dealer = self._tenpai(play), play.table.nagashi(), self.frame.start.dealer
        if len(nagashi) > 1 and not self._house.several_nagashi:
            raise NotJudgedError("the payments for nagashi by two players are unknown")
        paid = [payments.nagashi(self._players, dealer, player) for player in nagashi]
        computed = tuple(map(sum, zip(*paid, strict=True))) or payments.noten(self._players, tenpai)
        if any(computed) and houses.has_option(self._rules, houses.WAREME):
            raise NotJudgedError("whether wareme doubles the payments of a draw is unknown")
        return tenpai, computed

    def _who(self, draw: Ryuukyoku, play: PlayedFrame, tenpai: list[int]) -> Iterator[MatchError]:
        """Yield the problems at the last tile: who is *tenpai*, whether it is nagashi."""
        kind = DrawKind.NAGASHI if play.table.nagashi() else DrawKind.EXHAUSTIVE
        if draw.kind is not None and kind is not draw.kind:
            yield self._finding(draw, What.KIND, _KINDS[draw.kind], _KINDS[kind])
        revealed = [player for player, hand in enumerate(draw.shown or ()) if hand is not None]
        if draw.shown is not None and revealed != tenpai:
            yield self._finding(draw, What.TENPAI, Players(tuple(revealed)), Players(tuple(tenpai)))

    def _tenpai(self, play: PlayedFrame) -> list[int]:
        """Return the players in tenpai; everyone in riichi is."""
        hands = zip(self.frame.end.hands, play.table.riichi, strict=True)
        return [player for player, (hand, riichi) in enumerate(hands) if riichi or self._calculator.is_tenpai(hand)]


def _comparable(score: Score) -> Score:
    """Return *score* with its yaku ascending by number, without the 0-han ura dora that every riichi win has; with the
    han alone, if a yaku is unknown."""
    if not names_all(score):
        return replace(score, yaku=(), han_alone=score.han)
    counted = sorted(set(score.yaku).difference(score.yakuman, [_NO_URA]))
    return replace(score, yaku=(*counted, *sorted(score.yakuman)))


def _alike(recorded: Score, computed: Score) -> tuple[Score, Score]:
    """Return both scores without what is not *recorded*; without yaku, the han of a yakuman have no
    set number."""
    if recorded.fu is None:
        computed = replace(computed, fu=None)
    if not recorded.yaku:
        han = None if recorded.han_alone is None or computed.yakuman else computed.han
        recorded = replace(recorded, han_alone=None if computed.yakuman else recorded.han_alone)
        computed = replace(computed, yaku=(), han_alone=han)
    return recorded, computed


def _fu_and_han(score: Score) -> str:
    fu = None if score.fu is None else f"{score.fu} fu"
    han = None if score.han is None else f"{score.han} han"
    return " ".join(filter(None, (fu, "yakuman" if score.yakuman else han))) or "worth unknown fu and han"


def _worth(score: Score) -> str:
    """Return why a win has its points; an empty string if the fu and han to compare are not recorded."""
    if score.yakuman:
        return "yakuman"
    return "" if score.fu is None and score.han is None else _fu_and_han(score)


def _yaku(score: Score) -> str:
    named = (yaku.romaji if yaku.han is None else f"{yaku.romaji} {yaku.han}" for yaku in score.yaku)
    return ", ".join(named) or "none"


def _limit(score: Score) -> str:
    return LIMITS[score.limit][1] if score.limit in LIMITS else "none"


_TEXTS: dict[What, Callable[[Score], str]] = {
    What.VALUE: _fu_and_han,
    What.YAKU: _yaku,
    What.LIMIT: _limit,
    What.POINTS: lambda score: str(score.points),
}
"""The compared parts of a score, as text."""


# --- the wins and the draw that a table offers ------------------------------------------------------------------------
#
# Valued from the play alone: nothing of them is recorded. Nothing is decided here that the judge does not decide in the
# same way. Where it accepts several payments, since a rule is unknown, the first counts.


def has_yaku(table: PondTable, events: Sequence[Event], win: Win) -> bool | None:
    """Return whether *win*, a complete hand at *table* after *events*, has a yaku; ``None`` if that is unknown: without
    the package ``mahjong``, or with unknown tiles."""
    if table.riichi[win.player]:
        return True
    try:
        _judge_of(table, events, [win], ()).value(win)
    except NoWinError:
        return False
    except (NotJudgedError, MissingExtraError):
        return None
    return True


def valued(table: PondTable, events: Sequence[Event], wins: Sequence[Win], ura: Sequence[int]) -> tuple[Win, ...]:
    """Return *wins*, all wins that end the frame at *table* after *events*, with values and payments, in turn order.

    :param wins: with player, source and tile; each hand is complete and has a yaku.
    :param ura: the ura dora indicators.
    :raises NotJudgedError: a value or payment is unknown.
    :raises MissingExtraError: the package ``mahjong`` is not installed.
    """
    judge, players = _judge_of(table, events, wins, ura), table.rules.players
    points, sticks, valued_wins = table.points, table.sticks, []
    for win in sorted(wins, key=lambda win: (win.player - (win.source or 0)) % players):
        pao, (changes, *_) = judge.possible_payments(win, wins)
        made = replace(
            win,
            score=judge.value(win).score,
            pao=() if pao is None else (pao.player,),
            ura=tuple(ura) if table.riichi[win.player] else (),
            sticks=sticks,
            before=points,
            changes=changes,
            hand=tuple(sorted((*table.hands[win.player], win.tile))),
            melds=tuple(table.melds[win.player]),
            indicators=tuple(table.indicators),
            honba=table.honba,
        )
        points, sticks = None if points is None else tuple(map(add, points, changes)), 0
        valued_wins.append(made)
    return tuple(valued_wins)


def exhaustive_draw(table: PondTable, events: Sequence[Event]) -> Ryuukyoku:
    """Return the draw at the last tile of *table*, after *events*, with the hands shown and the payments.

    :raises NotJudgedError: the payments are unknown.
    :raises MissingExtraError: the package ``mahjong`` is not installed.
    """
    nagashi = table.nagashi()
    tenpai, changes = _judge_of(table, events, [], ()).at_the_last_tile()
    return Ryuukyoku(
        DrawKind.NAGASHI if nagashi else DrawKind.EXHAUSTIVE,
        shown=tuple([tuple(sorted(hand)) if player in tenpai else None for player, hand in enumerate(table.hands)]),
        sticks=table.sticks,
        before=table.points,
        changes=changes,
        honba=table.honba,
    )


def _judge_of(table: PondTable, events: Sequence[Event], wins: Sequence[Win], ura: Sequence[int]) -> FrameJudge:
    """Return the judge of the frame in play at *table*, if it ends with *wins*."""
    won = {win.player: win.tile for win in wins}
    hands = [
        Hand(tuple(sorted(tiles)), won.get(player), tuple(table.melds[player]))
        for player, tiles in enumerate(table.hands)
    ]
    frame = Frame(table.start, (*events, *wins), End(tuple(hands), None), None)
    return FrameJudge(0, frame, table.rules, Calculator(table.rules), None, ura)
