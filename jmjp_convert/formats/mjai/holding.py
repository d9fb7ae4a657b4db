"""What mjai holds of a match, with details or without."""

from __future__ import annotations

from functools import cache
from operator import attrgetter

from jmjp_convert.formats.losses import Holding, heads, play, traits, values
from jmjp_convert.formats.losses.loss import Loss, alters, of_draws, of_events, of_wins
from jmjp_convert.model import RiichiAccepted


@cache
def holding(*, details: bool = False, nukidora: bool = False) -> Holding:  # noqa: ARG001 - both names are read
    """Return what mjai holds."""
    rules = heads.rules_from_tiles(at_end=details)
    infer = (*INFER, Loss(affects=alters(rules, attrgetter("rules.red_fives")), parts=("reds_by_suit",)))
    derive = (*DERIVE, *(DERIVE_DETAILED if details else DERIVE_PLAIN), Loss(match=rules))
    if details:
        return Holding((*HOLDS, *HELD_BY_DETAILS), (*infer, *DETAILED), derive)
    return Holding(HOLDS, (*infer, HIDDEN_KIND), derive)


HOLDS = ("red_fives", "reds_by_suit", "length", "indicators", "turns", "draw_kinds")
HELD_BY_DETAILS = ("scores", "pao", "shown", "final_points")

INFER = (
    *traits.PLAY,
    traits.KAN_DORA,
    traits.breaks_off("written without hora or ryukyoku"),
)
HIDDEN_KIND = of_draws(values.drop_hidden_kind, parts=("draw_kinds",))
DETAILED = (
    traits.ONE_PAO,
    traits.KNOWN_YAKU,
    traits.ZERO_HAN,
    values.limit_from_points(tsumo=True),
    of_wins(
        values.yaku_as_hand_shows,
        phrase="yaku left out of a win whose hand does not show which they are",
        affects=values.hand_hides_yaku,
    ),
    Loss("yaku of several dragons put in the order haku, hatsu, chun", values.has_dragons_in_another_order),
)

DERIVE = (
    Loss(frame=play.take_from_hand),
    Loss(frame=play.identify_draws(shown=False)),
    of_draws(values.infer_kind),
    Loss(match=heads.drop_tournament),
)
DERIVE_PLAIN = (
    Loss(match=values.points_from_payments(written=False)),
    Loss(frame=play.hands_from_play(shown=False)),
)
DERIVE_DETAILED = (
    Loss(match=values.points_from_payments(written=True)),
    of_events(values.points_at_riichi, RiichiAccepted),
    Loss(frame=play.hands_from_play(shown=True)),
    of_draws(values.shown_as_at_end),
    Loss(match=heads.drop_repeated_final_points),
)
