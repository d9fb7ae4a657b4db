"""What each dialect of jmjp holds of a match, with comments or without."""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import Final

from jmjp_convert.formats.jmjp.notation import DEFAULT_DIALECT, DIALECTS, Dialect
from jmjp_convert.formats.losses import Holding, heads, play, traits, values
from jmjp_convert.formats.losses.loss import Loss, alters, any_of, of_draws, of_events, of_wins, put
from jmjp_convert.model import TO_THE_LAST, Frame, RiichiDeclared, Ryuukyoku, Shuffle, Start, Win
from jmjp_convert.model.events import PRESENCES

HOLDS: Final = (
    *("point_rule", "tournament", "year", "stage", "number", "date", "weekday", "time", "place", "recorders"),
    *("teams", "scripts", "dice", "hidden_dora", "scores", "pao", "draw_kinds", "shown"),
    *("results", "tour_points", "comments"),
    "reds_by_suit",
    "ura",  # there is none without its indicators
)
HELD_BY_COMMENTS: Final = (
    *("id", "source", "code", "house", "red_fives", "lobby", "custom", "ranks", "ratings", "sex", "gold"),
    *("raw_name", "connections", "other_name", "seed", "chips"),
)
USUAL: Final = ("copies", "order", "turns", "shown")
"""The traits of nearly every mjlog that are lost."""

QUIET: Final = ("final_points", "length")
"""The traits that an approximation reports when they are lost."""


NO_TENPAI: Final = Loss(
    match=lambda match: put(match, point_rule=match.point_rule and put(match.point_rule, tenpai=None))
)
OTHER_UMA: Final = Loss(
    "target and uma left out unless fourth place pays first, and third pays second", match=heads.drop_other_uma
)


@cache
def holding(*, spec: str = DEFAULT_DIALECT, compact: bool = False) -> Holding:
    """Return what the dialect *spec* holds."""
    dialect = DIALECTS[spec]
    comments = dialect.comments and not compact
    return Holding(
        (*HOLDS, *((*HELD_BY_COMMENTS, "notes") if comments else ())),
        (
            *_texts(spec, dialect, comments=comments),
            *(COMMENTED if comments else (UNSEEN_REDS,)),
            *_infer(spec, dialect),
        ),
        (
            of_events(play.declare_with_discard(karagiri=comments), RiichiDeclared),
            *DERIVE,
            Loss(match=heads.head_or_seen if comments else heads.red_fives_if_seen),
        ),
        usual=USUAL,
        quiet=(*QUIET, *(() if comments else HELD_BY_COMMENTS)),
    )


def _texts(spec: str, dialect: Dialect, *, comments: bool) -> tuple[Loss, ...]:
    change = heads.escaped(quotes=dialect.escapes)
    without = "--compact writes no" if dialect.comments else f"dialect {spec} has no"
    return (
        Loss(
            f"dialect {spec} cannot hold every text exactly; quotes, backslashes or control characters are replaced",
            heads.changes_texts(change, handles=comments),
            match=heads.changed_texts(change, handles=comments),
        ),
        *(() if comments else (Loss(f"{without} {_NOT_WRITTEN}", heads.has_head),)),
        *(() if dialect.tenpai else (NO_TENPAI,)),
        OTHER_UMA,
    )


_NOT_WRITTEN: Final = (
    "comments: log ID and rules, ranks and ratings, connections, chips and original names are left out"
)


def _infer(spec: str, dialect: Dialect) -> tuple[Loss, ...]:
    outcome = values.outcome_in_text(heads.changed_text(heads.escaped(quotes=dialect.escapes)))
    return (
        Loss(frame=outcome),
        Loss(
            "fu, han, yaku, pao and kinds of draws are left out of hands with a recorder's text",
            any_of(Frame, values.hides_outcome),
            parts=("scores", "pao", "draw_kinds", "shown"),
        ),
        Loss(
            "fu, han, yaku and pao are left out of hands in which the value of a win is unknown",
            any_of(Frame, values.has_value_beside_unknown),
        ),
        Loss(
            "fu of yakuman are left out",
            any_of(Win, lambda win: win.score and win.score.han is None and win.score.fu is not None),
        ),
        Loss("hands shown at some draws are left out", values.hides_shown(outcome)),
        Loss(
            affects=any_of(Ryuukyoku, lambda draw: draw.shown is not None and draw.kind not in TO_THE_LAST),
            parts=("shown",),
        ),
        Loss("red fives among the dora indicators are left out", traits.has_red_indicator),
        Loss("final points that do not follow from the rest are left out", heads.has_own_final_points),
        Loss("whether the game is East-only is left out", lambda match: match.rules.east_only is not None),
        of_draws(
            lambda draw, frame, _: None if frame.end.points is None else draw,  # the points alone would tell it
            phrase="draws after which no points are known are left out",
        ),
        traits.breaks_off("written without an ending"),
        *(
            ()
            if dialect.dice_total
            else (
                Loss(
                    f"dialect {spec} cannot hold a dice total; it is left out",
                    frame=lambda frame, _: (
                        put(frame, start=put(frame.start, dice=None)) if isinstance(frame.start.dice, int) else frame
                    ),
                    parts=("dice",),
                ),
            )
        ),
    )


UNSEEN_REDS: Final = Loss(
    affects=alters(heads.red_fives_if_seen, attrgetter("rules.red_fives")), parts=("reds_by_suit",)
)

COMMENTED: Final = (
    Loss(
        "private table settings other than Tenhou's are left out",
        alters(heads.tenhou_settings, attrgetter("rules.custom")),
        parts=("custom",),
    ),
    Loss(affects=lambda match: not heads.has_head(match), parts=("red_fives",)),
    Loss(
        affects=lambda match: match.shuffle is not None,
        match=lambda match: put(match, shuffle=match.shuffle and Shuffle(match.shuffle.form)),
        parts=("seed",),
    ),
    Loss(clears=((Start, {"shuffle": None}),)),
    of_draws(lambda draw, _frame, _match: draw if any(draw.chips or ()) else put(draw, chips=None)),
    of_wins(lambda win, _frame, _match: win if win.chips else put(win, chip_yaku=())),
)

DERIVE: Final = (
    Loss(frame=play.drop_unconfirmed_riichi),
    of_events(play.presences_at_end, *PRESENCES),
)
