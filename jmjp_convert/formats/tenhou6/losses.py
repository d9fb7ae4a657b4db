"""List what tenhou.net/6 leaves out of a match or rewords."""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.formats import approximations
from jmjp_convert.formats.approximations import Guess
from jmjp_convert.formats.features import Found, Held, always, any_draw, any_frame, any_win, id_tells_date, not_held
from jmjp_convert.formats.tenhou6.projection import held_rules
from jmjp_convert.formats.tenhou6.titles import display, text_of, title
from jmjp_convert.formats.tenhou6.writer import dans, final, rates, sexes
from jmjp_convert.model import DrawKind, Limit, Match, Win

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


def _names_tournament(match: Match) -> bool:
    """Return whether the title or the name of the rules is the tournament's."""
    return match.tournament is not None and text_of(match.tournament.name) in (title(match)[0], display(match))


def _names_stage(match: Match) -> bool:
    return match.tournament is not None and text_of(match.tournament.stage) == title(match)[1]


def _is_dated(match: Match) -> bool:
    """Return whether the title has the date."""
    return match.date is not None and title(match)[1] == match.date


def _tells(key: str, *, whole: bool) -> Found:
    """Return a test for whether the value *key* of the rules follows from their name and the log ID."""
    return lambda match: getattr(held_rules(match, whole=whole), key) == getattr(match.rules, key)


def _rules(*, whole: bool) -> Held:
    return {key: _tells(key, whole=whole) for key in ("code", "house", "custom")}


def _has_limited_fu(win: Win) -> bool:
    return win.fu is not None and win.limit is not Limit.NONE and bool(win.yaku)


HELD_BY_FRAME: Held = {
    "red_fives": always,
    **_rules(whole=False),
    "tournament": _names_tournament,
    "stage": _names_stage,
    "date": _is_dated,
    "scores": always,
    "pao": always,
    "draw_kinds": always,
    "shown": lambda match: not any_draw(lambda draw: draw.shown is not None and draw.kind in _UNTOLD)(match),
}
HELD: Held = {
    **HELD_BY_FRAME,
    "id": always,
    **_rules(whole=True),
    "lobby": always,
    "date": lambda match: _is_dated(match) or id_tells_date(match),
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
        any_win(_has_limited_fu),
    ),
    approximations.NO_KIND,
    approximations.breaks_off("written with result 不明"),
    Guess(
        "unknown number of riichi sticks inferred from payments, or written as 0",
        any_frame(lambda frame: frame.start.sticks is None),
    ),
    Guess("unknown red-five rule written as aka 0", lambda match: match.rules.red_fives is None),
)
