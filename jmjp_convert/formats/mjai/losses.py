"""List what a match loses in mjai."""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.formats import approximations
from jmjp_convert.formats.features import Held, always, any_frame, not_held
from jmjp_convert.formats.mjai.projection import is_ronned
from jmjp_convert.model import DrawKind, Match, Ryuukyoku


def held() -> Held:
    """Return the traits that mjai holds."""
    return HELD


def left_out(match: Match) -> Iterator[str]:
    """Yield a phrase for everything in *match* that mjai cannot hold."""
    return not_held(match, HELD)


def written_otherwise(match: Match) -> Iterator[str]:
    """Yield a clause for everything in *match* that is reworded or guessed."""
    return approximations.clauses(match, OTHERWISE)


def _shows_kinds(match: Match) -> bool:
    """Return whether every kind of draw that is recorded shows in the play, as only a triple ron can."""
    return not any_frame(
        lambda frame: any(
            isinstance(event, Ryuukyoku)
            and event.kind is not None
            and not (event.kind is DrawKind.TRIPLE_RON and is_ronned(frame))
            for event in frame.endings
        )
    )(match)


HELD: Held = {"red_fives": always, "turns": always, "draw_kinds": _shows_kinds}
OTHERWISE = (
    *approximations.ALL,
    approximations.KAN_DORA,
    approximations.breaks_off("written without hora or ryukyoku"),
)
