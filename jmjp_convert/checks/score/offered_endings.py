"""Values the wins that a table offers, and its exhaustive draw, from the play alone: nothing of them is recorded.

Nothing is decided here that :func:`~jmjp_convert.checks.score.check_score` does not decide in the same way. Where it
accepts several payments, since a rule is unknown, the first counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

from jmjp_convert.checks.score.frame import FrameJudge
from jmjp_convert.checks.score.hand_value import Calculator, NoWinError
from jmjp_convert.checks.score.house_rules import rules_of
from jmjp_convert.checks.score.report import NotJudgedError
from jmjp_convert.errors import MissingExtraError
from jmjp_convert.model import DrawKind, End, Event, Frame, Hand, Ryuukyoku, Win
from jmjp_convert.model.record import replace
from jmjp_convert.play.ponds import PondTable


def has_yaku(table: PondTable, events: Sequence[Event], win: Win) -> bool | None:
    """Return whether *win*, a complete hand at *table* after *events*, has a yaku; ``None`` if that is unknown: without
    the package ``mahjong``, or with unknown tiles."""
    if table.riichi[win.player]:
        return True
    try:
        _judge(table, events, [win], ()).value(win)
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
    judge, players = _judge(table, events, wins, ura), table.rules.players
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
    tenpai, changes = _judge(table, events, [], ()).at_the_last_tile()
    return Ryuukyoku(
        DrawKind.NAGASHI if nagashi else DrawKind.EXHAUSTIVE,
        shown=tuple([tuple(sorted(hand)) if player in tenpai else None for player, hand in enumerate(table.hands)]),
        sticks=table.sticks,
        before=table.points,
        changes=changes,
        honba=table.honba,
    )


def _judge(table: PondTable, events: Sequence[Event], wins: Sequence[Win], ura: Sequence[int]) -> FrameJudge:
    """Return the judge of the frame in play at *table*, if it ends with *wins*."""
    house, won = rules_of(table.rules.house), {win.player: win.tile for win in wins}
    hands = [
        Hand(tuple(sorted(tiles)), won.get(player), tuple(table.melds[player]))
        for player, tiles in enumerate(table.hands)
    ]
    frame = Frame(table.start, (*events, *wins), End(tuple(hands), None), None)
    return FrameJudge(0, frame, table.rules, house, Calculator(table.rules, house), None, ura)
