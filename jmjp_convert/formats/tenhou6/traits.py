"""What tenhou6 holds of a match: whole, or as separate frames, which have only names, the rules' name and the play."""

from __future__ import annotations

from functools import cache
from operator import attrgetter

from jmjp_convert.formats.losses import Holding, heads, play, traits, values
from jmjp_convert.formats.losses.loss import (
    Loss,
    Test,
    any_draw,
    any_frame,
    any_win,
    of_draws,
    of_events,
    of_wins,
    put,
)
from jmjp_convert.model import DrawKind, Limit, Match
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

    def undisplayed(key: str) -> Test:
        of = attrgetter(key)
        return lambda match: of(heads.rules_as_displayed(match, whole=whole)) != of(match.rules)

    def undated(match: Match) -> bool:
        return not (heads.titles_date(match) or (whole and heads.id_tells_date(match)))

    return (
        *[Loss(affects=undisplayed(key), parts=(key,)) for key in ("code", "house", "custom")],
        Loss(affects=lambda match: not heads.titles_tournament(match), parts=("tournament",)),
        Loss(affects=lambda match: not heads.titles_stage(match), parts=("stage",)),
        Loss(affects=undated, parts=("date",)),
        Loss(match=heads.head_as_displayed(whole=whole)),
    )


INFER = (
    Loss(
        "unknown number of riichi sticks inferred from payments, or written as 0",
        any_frame(lambda frame: frame.start.sticks is None),
        match=lambda match: put(match, frames=tuple(with_sticks(match.frames))),
    ),
    Loss("unknown red-five rule written as aka 0", lambda match: match.rules.red_fives is None),
    *traits.PLAY,
    traits.NO_SCORE,
    traits.KNOWN_YAKU,
    of_wins(
        values.drop_limited_fu,
        phrase="fu of limit hands left out",
        affects=any_win(lambda win: win.fu is not None and win.limit is not Limit.NONE and win.yaku),
    ),
    traits.ONE_PAO,
    of_wins(values.drop_own_pao),
    of_wins(values.first_ura),
    of_draws(values.drop_shown_without_kind),
    traits.NO_KIND,
    of_draws(values.without_payments),
    Loss(
        affects=any_draw(lambda draw: draw.shown is not None and draw.kind in (None, DrawKind.NAGASHI)),
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
    Loss(affects=heads.has_results_alone, match=heads.final_points_with_results, parts=("results",)),
    Loss(affects=lambda match: match.final_points is not None and match.results is None, parts=("final_points",)),
)
_DERIVE_WHOLE = (
    Loss(match=heads.drop_other_names),
    of_events(play.presences_after_steps, *PRESENCES),
)

DERIVE = (
    Loss(frame=play.take_from_hand),
    Loss(frame=play.drop_last_riichi),
    Loss(match=values.points_from_payments(written=False)),
    Loss(frame=play.hands_from_play(shown=False)),
    of_draws(values.shown_as_kind_tells),
)
