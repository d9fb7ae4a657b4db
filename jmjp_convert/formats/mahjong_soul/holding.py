"""What the records of Mahjong Soul, which are only read, have of a match."""

from __future__ import annotations

from functools import cache

from jmjp_convert.formats.losses import Holding

HOLDS = (
    *("id", "house", "red_fives", "lobby", "custom", "point_rule", "tournament", "date", "time", "clock"),
    *("ranks", "sex", "accounts", "rank_points", "connections"),
    *("walls", "thinking", "order", "indicators", "ura", "turns"),
    *("scores", "pao", "draw_kinds", "shown", "results", "final_points"),
)


@cache
def holding() -> Holding:
    """Return what records of Mahjong Soul have."""
    return Holding(HOLDS)
