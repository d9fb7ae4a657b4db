"""What mjlog, which is only read, records of a match."""

from __future__ import annotations

from functools import cache

from jmjp_convert.formats.losses import Holding

HOLDS = (
    *("id", "source", "code", "house", "lobby", "custom", "point_rule", "date", "place", "recorders"),
    *("ranks", "ratings", "sex", "gold", "raw_name", "connections", "other_name"),
    *("seed", "dice", "copies", "order", "turns"),
    *("scores", "pao", "draw_kinds", "shown", "results", "chips"),
)


@cache
def holding() -> Holding:
    """Return what mjlog records."""
    return Holding(HOLDS)
