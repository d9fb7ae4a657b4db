"""List what a match loses in mjai."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from jmjp_convert.formats import approximations
from jmjp_convert.formats.approximations import Guess
from jmjp_convert.formats.features import Held, always, any_frame, not_held
from jmjp_convert.formats.mjai.details import score, told, winner
from jmjp_convert.formats.mjai.projection import is_ronned
from jmjp_convert.model import DrawKind, Frame, Match, Ryuukyoku, Score, Win


def held(*, details: bool = False, **_: Any) -> Held:
    """Return the traits that mjai holds, with details or without."""
    return {**HELD, **DETAILED} if details else HELD


def left_out(match: Match, **options: Any) -> Iterator[str]:
    """Yield a phrase for everything in *match* that mjai cannot hold."""
    return not_held(match, held(**options))


def written_otherwise(match: Match, *, details: bool = False, **_: Any) -> Iterator[str]:
    """Yield a clause for everything in *match* that is reworded or guessed."""
    return approximations.clauses(match, (*OTHERWISE, YAKU) if details else OTHERWISE)


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


def _undecided(frame: Frame) -> bool:
    """Return whether a win has yaku that its hand does not show."""
    return any(_reads_otherwise(win, win.score, frame) for win in frame.endings if isinstance(win, Win) and win.score)


def _reads_otherwise(win: Win, value: Score, frame: Frame) -> bool:
    said = told(value)
    kept = () if said is None else score(said, winner(win, frame)).yaku
    return Counter(kept) != Counter(one for one in value.yaku if one.han != 0)


YAKU = Guess("yaku left out of a win whose hand does not show which they are", any_frame(_undecided))

HELD: Held = {"red_fives": always, "turns": always, "draw_kinds": _shows_kinds}
DETAILED: Held = dict.fromkeys(("scores", "pao", "draw_kinds", "shown"), always)
"""With details."""

OTHERWISE = (
    *approximations.ALL,
    approximations.KAN_DORA,
    approximations.breaks_off("written without hora or ryukyoku"),
)
