"""List what tenhou.net/6 leaves out of a match or rewords."""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.formats import approximations
from jmjp_convert.formats.approximations import Guess
from jmjp_convert.formats.features import Held, always, any_draw, any_frame, any_win, id_tells_date, not_held
from jmjp_convert.formats.tenhou6.writer import dans, final, rates, sexes
from jmjp_convert.model import DrawKind, Limit, Match, log_ids

_UNTOLD = frozenset((None, DrawKind.NAGASHI))
"""The draws whose name and payments do not show who reveals a hand."""


def held(*, per_frame: bool = False, url: bool = False) -> Held:
    """Return the traits that tenhou6 holds; a separate frame has only names, the rules' name and the play."""
    return HELD_BY_FRAME if per_frame or url else HELD


def left_out(match: Match, **options: bool) -> Iterator[str]:
    """Yield a phrase for everything in *match* that is left out."""
    return not_held(match, held(**options))


def written_otherwise(match: Match, **_: bool) -> Iterator[str]:
    """Yield a clause for everything in *match* that is reworded or guessed."""
    return approximations.clauses(match, OTHERWISE)


def _is_titled(match: Match) -> bool:
    """Return whether there is a title, with the tournament and the date."""
    return match.rules.code is None


def _id_tells_house(match: Match) -> bool:
    """Return whether the house follows from the log ID."""
    found = log_ids.identify(match.id or "")
    return found is not None and found.house is match.rules.house


HELD_BY_FRAME: Held = {
    "red_fives": always,
    "tournament": _is_titled,
    "date": _is_titled,
    "scores": always,
    "pao": always,
    "draw_kinds": always,
    "shown": lambda match: not any_draw(lambda draw: draw.shown is not None and draw.kind in _UNTOLD)(match),
}
HELD: Held = {
    **HELD_BY_FRAME,
    "id": always,
    "house": _id_tells_house,
    "lobby": always,
    "date": lambda match: _is_titled(match) or id_tells_date(match),
    "ranks": lambda match: dans(match) is not None,
    "ratings": lambda match: rates(match) is not None,
    "sex": lambda match: sexes(match) is not None,
    "connections": always,
    "results": lambda match: final(match) is not None,
}

OTHERWISE = (
    *approximations.ALL,
    approximations.NO_SCORE,
    Guess(
        "fu of limit hands left out",
        any_win(lambda win: win.score is not None and win.score.limit is not Limit.NONE),
    ),
    approximations.NO_KIND,
    approximations.breaks_off("written with result 不明"),
    Guess("unknown number of riichi sticks written as 0", any_frame(lambda frame: frame.start.sticks is None)),
    Guess("unknown red-five rule written as aka 0", lambda match: match.rules.red_fives is None),
)
