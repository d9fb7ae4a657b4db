"""List what a match loses in jmjp, beyond what every match loses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jmjp_convert.formats.features import Held, Unless, always, any_draw
from jmjp_convert.formats.jmjp import comments
from jmjp_convert.formats.jmjp.dialects import DIALECTS
from jmjp_convert.formats.jmjp.strings import held
from jmjp_convert.model import TO_THE_LAST, Frame, Match, Name, Text
from jmjp_convert.play.outcome_text import describe

_NOT_WRITTEN = "comments: log ID and rules, ranks and ratings, connections, chips and original names are left out"


def _tells_outcomes(match: Match) -> bool:
    """Return whether our own text is at the end of each frame, which tells how it ended."""
    return not any(map(_hides_outcome, match.frames))


def _hides_outcome(frame: Frame) -> bool:
    """Return whether *frame* has a recorder's text in place of the one that tells its outcome."""
    return frame.comment is not None and bool(frame.endings) and describe(frame) not in (None, frame.comment)


def _tells_hands(match: Match) -> bool:
    """Return whether the texts tell whose hands were shown at each draw: only at those after the last tile."""
    others = any_draw(lambda draw: draw.shown is not None and draw.kind not in TO_THE_LAST)
    return _tells_outcomes(match) and not others(match)


HELD: Held = {
    **dict.fromkeys(
        (
            *("id", "source", "code", "house", "lobby", "point_rule", "tournament", "year", "stage", "number"),
            *("date", "weekday", "time", "place", "recorders", "ranks", "ratings", "sex", "gold", "teams", "scripts"),
            *("raw_name", "connections", "other_name", "hidden_dora", "results", "tour_points", "chips", "comments"),
        ),
        always,
    ),
    "custom": lambda match: comments.custom(match.rules) == match.rules.custom,
    "red_fives": comments.has_head,
    **dict.fromkeys(("scores", "pao", "draw_kinds"), Unless("comments", _tells_outcomes)),
    "shown": _tells_hands,
    "seed": lambda match: match.shuffle is not None and match.shuffle.seed is None,
    "dice": lambda match: not any(isinstance(frame.start.dice, int) for frame in match.frames),
}
"""With comments."""


def traits(**_: Any) -> Held:
    """Return the traits that jmjp holds in the dialects that have comments."""
    return HELD


def losses(match: Match, *, spec: str, compact: bool) -> Iterator[str]:
    """Yield what the dialect *spec* leaves out or changes in *match*, one line each.

    Where there are comments, they keep the players' handles.
    """
    dialect = DIALECTS[spec]
    handles_kept = dialect.comments and not compact
    strings = (string for text in _texts(match, handles=not handles_kept) for string in (text.native, text.roman))
    if any(string is not None and held(string, dialect) != string for string in strings):
        yield f"dialect {spec} cannot hold every text exactly; quotes, backslashes or control characters are replaced"
    if not handles_kept and comments.has_head(match):
        without = "--compact writes no" if dialect.comments else f"dialect {spec} has no"
        yield f"{without} {_NOT_WRITTEN}"
    if handles_kept and comments.custom(match.rules) != match.rules.custom:
        yield "private table settings other than Tenhou's are left out"
    if not _tells_outcomes(match):
        yield "fu, han, yaku, pao and kinds of draws are left out of frames with a recorder's own text"
    if not dialect.dice_total and any(isinstance(frame.start.dice, int) for frame in match.frames):
        yield f"dialect {spec} cannot hold a dice total; it is left out"


def _texts(match: Match, *, handles: bool) -> Iterator[Text]:
    found = [match.place, *(frame.comment for frame in match.frames)]
    if match.tournament is not None:
        found += [match.tournament.name, match.tournament.stage]
    for recorder in match.recorders:
        found += _parts(recorder.full_name)
    for player in match.players:
        found += [player.team, player.affiliation]
        if handles or not _is_handle(player.full_name):
            found += _parts(player.full_name)
    return (text for text in found if text is not None)


def _parts(name: Name | None) -> list[Text | None]:
    return [] if name is None else [name.family, name.given]


def _is_handle(name: Name | None) -> bool:
    return name is not None and name.given is None and (name.family is None or name.family.roman is None)
