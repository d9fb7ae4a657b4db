"""mjai, one JSON object per line."""

from __future__ import annotations

from jmjp_convert.errors import MjaiError
from jmjp_convert.formats.format import About, Format, Option, each, later
from jmjp_convert.lazy_regex import regex

_EVENT = regex(r'[\[\s]*\{\s*"type"\s*:\s*"start_(?:game|kyoku)"')
_is_event = later(f"{__name__}.lines", "begins")
_is_report = later(f"{__name__}.lines", "is_report")


def _begins(text: str) -> bool:
    """Return whether *text* begins with an event, with a list of events, or with a report of mjai-reviewer."""
    if text[:1] not in ("{", "["):
        return False
    if ('"start_game"' in text or '"start_kyoku"' in text) and (_EVENT.match(text) or _is_event(text)):
        return True
    return ('"mjai_log"' in text or '"kyokus"' in text) and bool(_is_report(text.encode()))


FORMAT = Format(
    name="mjai",
    suffixes=(".mjson",),
    shared=(".json", ".jsonl"),
    begins=_begins,
    about=About(
        read_by="mjai-reviewer, Mortal, akochan, mjai.app, RiichiEnv",
        keeps="The play as events; points, dora, ura dora; with `--details` fu, han and yaku, reasons for draws, hands "
        "shown; three-player games too.",
        drops="Ranks, results, dice, walls, connections.",
    ),
    read=later(f"{__name__}.reader", "read_mjai"),
    error=MjaiError,
    write=each(later(f"{__name__}.writer", "write_mjai")),
    options=(
        Option("details", "Write fu, han, yaku, points, reasons for draws and the hands shown too."),
        Option("nukidora", "Write a north set aside as nukidora, as Mortal's three-player forks read it, not as kita."),
    ),
    players=frozenset({3, 4}),
    holding=later(f"{__name__}.holding", "holding"),
    repeats=later(f"{__name__}.repeated_values", "disagreements"),
)
