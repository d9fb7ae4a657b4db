"""Records of Riichi City (麻雀一番街), as its server answers."""

from __future__ import annotations

from jmjp_convert.errors import RiichiCityError
from jmjp_convert.formats.format import About, Format, holds, later
from jmjp_convert.lazy_regex import regex

_RECORD_KEY = regex(r'"(?:handRecord|handEventRecord)"\s*:')
_ANSWER = regex(r'\{\s*(?:"(?:message|code2)"\s*:\s*(?:-?[0-9]{1,9}|"[^"\\]{0,200}")\s*,\s*)*"code"\s*:\s*-?[0-9]')
_EVENTS = regex(r'\[\s*\{\s*"hand_cards"\s*:')


def _begins(text: str) -> bool:
    """Return whether *text* begins with a record, an answer without one, or a list of events without a head."""
    if text[:1] not in ("{", "["):
        return False
    return _RECORD_KEY.search(text) is not None or any(pattern.match(text) for pattern in (_ANSWER, _EVENTS))


FORMAT = Format(
    name="riichi-city",
    noun="Riichi City",
    suffixes=(),
    shared=(".json",),
    begins=_begins,
    about=About(read_by="Riichi City (麻雀一番街)", keeps="", drops=""),
    read=later(f"{__name__}.reader", "read_riichi_city"),
    error=RiichiCityError,
    players=frozenset({3, 4}),
    holding=holds(
        *("id", "house", "red_fives", "lobby", "custom", "tournament", "date", "weekday", "time", "clock"),
        *("ranks", "accounts", "rank_points", "scripts"),
        *("dice", "walls", "thinking", "order", "open_riichi", "ura", "turns", "indicators"),
        *("scores", "pao", "draw_kinds", "shown", "results", "final_points", "chips", "yakitori"),
    ),
)
