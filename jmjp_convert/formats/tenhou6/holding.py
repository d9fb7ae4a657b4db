"""What tenhou6 holds of a match: whole, or as separate frames, which have only names, the rules' name and the play."""

from __future__ import annotations

from functools import cache
from operator import attrgetter

from jmjp_convert.formats.losses import Holding, heads, play, traits, values
from jmjp_convert.formats.losses.loss import Loss, alters, any_of, of_draws, of_events, of_wins, put
from jmjp_convert.model import DrawKind, Limit, Ryuukyoku, Win
from jmjp_convert.model.events import PRESENCES
from jmjp_convert.play.points import raised, with_sticks

HOLDS_BY_FRAME = (
    *("red_fives", "reds_by_suit", "code", "house", "custom", "tournament", "stage", "date", "ura"),
    *("indicators", "scores", "pao", "draw_kinds", "shown"),
)
HOLDS = (
    *HOLDS_BY_FRAME,
    *("id", "lobby", "ranks", "ratings", "sex", "connections", "results", "final_points"),
)


@cache
def holding(*, per_frame: bool = False, url: bool = False, raise_points: bool = False) -> Holding:
    """Return what tenhou6 holds."""
    first = (RAISED,) if raise_points else ()
    if per_frame or url:
        return Holding(HOLDS_BY_FRAME, (*first, *INFER, *_head(whole=False)), DERIVE)
    return Holding(HOLDS, (*first, *_WHOLE, *INFER, *_head(whole=True)), (*DERIVE, *_DERIVE_WHOLE))


def _head(*, whole: bool) -> tuple[Loss, ...]:
    """Return what the title, the name of the rules and, of a *whole* match, the log ID do not have."""
    change = heads.head_as_displayed(whole=whole)
    return (
        Loss(affects=alters(change, attrgetter("rules.code")), parts=("code",)),
        Loss(affects=alters(change, attrgetter("rules.house")), parts=("house",)),
        Loss(affects=alters(change, attrgetter("rules.custom")), parts=("custom",)),
        Loss(affects=alters(change, heads.tournament_name), parts=("tournament",)),
        Loss(affects=alters(change, heads.stage_name), parts=("stage",)),
        Loss(affects=alters(change, attrgetter("date")), parts=("date",)),
        Loss(match=change),
    )


INFER = (
    Loss(
        "unknown number of riichi sticks inferred from payments, or written as 0",
        match=lambda match: put(match, frames=tuple(with_sticks(match.frames))),
    ),
    Loss("unknown red-five rule written as aka 0", lambda match: match.rules.red_fives is None),
    *traits.PLAY,
    traits.NO_SCORE,
    traits.KNOWN_YAKU,
    of_wins(
        values.drop_limited_fu,
        phrase="fu of limit hands left out",
        affects=any_of(Win, lambda win: win.fu is not None and win.limit is not Limit.NONE and win.yaku),
        parts=("scores",),
    ),
    traits.ONE_PAO,
    of_wins(values.drop_own_pao),
    of_wins(values.first_ura),
    of_draws(lambda draw, *_: put(draw, shown=None) if draw.kind is None else draw),  # nothing tells who shows a hand
    traits.NO_KIND,
    of_draws(values.without_payments),
    Loss(
        affects=any_of(Ryuukyoku, lambda draw: draw.shown is not None and draw.kind in (None, DrawKind.NAGASHI)),
        parts=("shown",),
    ),
    traits.breaks_off("written with result 不明"),
)

RAISED = Loss("points of all players raised, so that nobody begins a hand below zero", match=raised)

_WHOLE = (
    Loss(match=heads.all_or_none("dan", "rank", is_known=heads.has_named_rank), parts=("ranks",)),
    Loss(match=heads.dans_by_name),
    Loss(match=heads.all_or_none("rate", is_known=lambda player: player.rate is not None), parts=("ratings",)),
    Loss(match=heads.all_or_none("sex", is_known=lambda player: player.sex is not None), parts=("sex",)),
    Loss(affects=alters(heads.final_points_with_results, attrgetter("results")), parts=("results",)),
    Loss(affects=alters(heads.final_points_with_results, attrgetter("final_points")), parts=("final_points",)),
    Loss(match=heads.final_points_with_results),
)
_DERIVE_WHOLE = (
    Loss(match=lambda match: put(match, before=tuple(map(play.drop_other_name, match.before)))),
    of_events(play.presences_after_steps, *PRESENCES),
)

DERIVE = (
    Loss(frame=play.take_from_hand),
    Loss(frame=play.drop_last_riichi),
    Loss(match=values.points_from_payments(written=False)),
    Loss(frame=play.hands_from_play(shown=False)),
    of_draws(values.shown_as_kind_tells),
)
