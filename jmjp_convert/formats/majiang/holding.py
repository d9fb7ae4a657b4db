"""What majiang holds of a match."""

from __future__ import annotations

from functools import cache
from math import floor
from operator import attrgetter

from jmjp_convert.formats.losses import Holding, heads, play, traits, values
from jmjp_convert.formats.losses.loss import (
    Loss,
    alters,
    any_of,
    of_draws,
    of_events,
    of_players,
    of_wins,
    put,
)
from jmjp_convert.model import DoraRevealed, Player, Win, handle

HOLDS = (
    *("indicators", "reds_by_suit"),
    *("code", "lobby", "id", "tournament", "stage", "date", "ranks", "ratings"),
    *("turns", "scores", "pao", "draw_kinds", "shown", "results", "final_points"),
)


@cache
def holding() -> Holding:
    """Return what majiang holds."""
    return Holding(HOLDS, INFER, DERIVE)


INFER = (
    *traits.PLAY,
    traits.KAN_DORA,
    traits.ONE_PAO,
    Loss(
        "ratings rounded down to whole numbers",
        any_of(Player, lambda player: player.rate is not None and player.rate % 1 != 0),
        match=of_players(lambda player: put(player, rate=None if player.rate is None else floor(player.rate))),
    ),
    traits.NO_SCORE,
    of_wins(values.value_from_payments),
    traits.KNOWN_YAKU,
    traits.ZERO_HAN,
    values.limit_from_points(tsumo=False),
    of_wins(
        values.yakuman_alone,
        phrase="fu of yakuman left out",
        affects=any_of(Win, lambda win: win.fu is not None and win.score and win.score.yakuman),
        parts=("scores",),
    ),
    of_wins(lambda win, _frame, _match: win if win.score and win.score.yakuman else put(win, pao=()), parts=("pao",)),
    traits.NO_KIND,
    of_draws(
        lambda draw, frame, _: draw if draw.shown else put(draw, shown=(None,) * len(frame.start.hands)),
        phrase="unknown hands at a draw written as not shown",
    ),
    traits.breaks_off("written without hule or pingju"),
    Loss(
        "missing result replaced by the last known points",
        lambda match: match.results is None and match.final_points is None,
        match=heads.final_points,
    ),
    Loss(
        "final points without results read as those of an unfinished game",
        lambda match: match.results is None and match.final_points is not None,
    ),
    Loss(match=heads.results_in_tenths),
    Loss(match=heads.ranks_below_names, parts=("ranks",)),
    Loss(match=heads.date_from_id, parts=("date",)),
    Loss(affects=alters(heads.rules_from_title, attrgetter("rules.code")), parts=("code",)),
    Loss(affects=alters(heads.rules_from_title, attrgetter("rules.lobby")), parts=("lobby",)),
    Loss(affects=alters(heads.rules_from_title, attrgetter("rules.red_fives")), parts=("reds_by_suit",)),
    Loss(match=of_players(lambda player: put(player, full_name=handle(heads.in_one_line(player.name or ""))))),
    Loss(match=heads.titles_in_lines),
)

DERIVE = (
    Loss(frame=play.take_from_hand),
    Loss(frame=play.drop_unconfirmed_riichi),
    of_events(play.turn_after_steps, DoraRevealed),
    Loss(frame=play.identify_draws(shown=True)),
    Loss(frame=play.hands_from_play(shown=True)),
    Loss(match=heads.rules_from_title),
    Loss(match=heads.drop_tournament),
    Loss(match=heads.weekday_from_date),
)
