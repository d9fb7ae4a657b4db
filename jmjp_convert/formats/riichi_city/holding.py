"""What the records of Riichi City, which are only read, hold of a match."""

from __future__ import annotations

from functools import cache

from jmjp_convert.formats.losses import Holding

HOLDS = (
    *("id", "house", "red_fives", "lobby", "custom", "tournament", "date", "weekday", "time", "clock"),
    *("ranks", "accounts", "rank_points", "scripts"),
    *("dice", "walls", "thinking", "order", "open_riichi", "ura", "turns", "indicators"),
    *("scores", "pao", "draw_kinds", "shown", "results", "final_points", "chips", "yakitori"),
)


@cache
def holding() -> Holding:
    """Return what Riichi City records."""
    return Holding(HOLDS)
