"""What mjai holds of a match, with details or without."""

from __future__ import annotations

from functools import cache

from jmjp_convert.formats.losses import Holding, heads, play, traits, values
from jmjp_convert.formats.losses.loss import Loss, any_frame, of_draws, of_events, of_wins
from jmjp_convert.model import DoraRevealed, RiichiAccepted, Ryuukyoku


@cache
def holding(*, details: bool = False, kita: bool = False) -> Holding:  # noqa: ARG001 - both names are read
    """Return what mjai holds."""
    if details:
        return Holding((*HOLDS, *HELD_BY_DETAILS), (*INFER, *DETAILED), (*DERIVE, *DERIVE_DETAILED))
    return Holding(HOLDS, (*INFER, UNLESS_RONNED), (*DERIVE, *DERIVE_PLAIN))


HOLDS = ("red_fives", "indicators", "turns", "draw_kinds")
HELD_BY_DETAILS = ("scores", "pao", "shown", "final_points")

INFER = (
    *traits.PLAY,
    traits.KAN_DORA,
    traits.breaks_off("written without hora or ryukyoku"),
)
UNLESS_RONNED = of_draws(
    values.drop_kind_unless_ronned,
    found=any_frame(
        lambda frame: any(
            isinstance(event, Ryuukyoku) and event.kind is not None and not values.shows_kind(event, frame)
            for event in frame.endings
        )
    ),
    parts=("draw_kinds",),
)
DETAILED = (
    traits.ZERO_HAN,
    of_wins(values.limit_from_points(tsumo=True)),
    of_wins(
        values.yaku_as_hand_shows,
        phrase="yaku left out of a win whose hand does not show which they are",
        found=values.hand_hides_yaku,
    ),
)

DERIVE = (
    Loss(frame=play.take_from_hand),
    of_events(play.turn_before_ankan, DoraRevealed),
    Loss(frame=play.identify_draws(shown=False)),
    Loss(match=heads.drop_tournament),
)
DERIVE_PLAIN = (
    Loss(match=values.points_from_payments(written=False)),
    Loss(frame=play.hands_from_play(shown=False)),
    Loss(match=heads.rules_from_tiles(at_end=False)),
)
DERIVE_DETAILED = (
    Loss(match=values.points_from_payments(written=True)),
    of_events(values.points_at_riichi, RiichiAccepted),
    Loss(frame=play.hands_from_play(shown=True)),
    of_draws(values.shown_as_at_end),
    Loss(match=heads.drop_repeated_final_points),
    Loss(match=heads.rules_from_tiles(at_end=True)),
)
