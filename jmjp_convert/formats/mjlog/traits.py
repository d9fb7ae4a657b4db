"""The traits of a match that mjlog records."""

from __future__ import annotations

from jmjp_convert.formats.features import Held, always

HELD: Held = dict.fromkeys(
    (
        *("id", "source", "code", "house", "lobby", "custom", "point_rule", "date", "place", "recorders"),
        *("ranks", "ratings", "sex", "gold", "raw_name", "connections", "other_name"),
        *("seed", "dice", "copies", "order", "turns"),
        *("scores", "pao", "draw_kinds", "shown", "results", "chips"),
    ),
    always,
)


def held() -> Held:
    """Return the traits that mjlog records."""
    return HELD
