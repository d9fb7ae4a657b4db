"""majiang, the game record of 電脳麻将."""

from __future__ import annotations

from jmjp_convert.errors import MajiangError
from jmjp_convert.formats.format import About, Format, later
from jmjp_convert.lazy_regex import regex

_RECORD_KEY = regex(r'"(?:qijia|qipai)"\s*:')

FORMAT = Format(
    name="majiang",
    suffixes=(".majiang.json",),
    shared=(".json",),
    begins=lambda text: text[:1] in ("{", "[") and _RECORD_KEY.search(text) is not None,
    about=About(
        read_by="電脳麻将 (kobalab's viewer)",
        keeps="The play; fu, han and yaku; ranks and ratings; results.",
        drops="Dice, walls, exact tile copies, connections, time and place; three-player games.",
    ),
    read=later(f"{__name__}.reader", "read_majiang"),
    error=MajiangError,
    write=later(f"{__name__}.writer", "write_records"),
    several=lambda _: True,
    holding=later(f"{__name__}.holding", "holding"),
    repeats=later(f"{__name__}.repeated_values", "disagreements"),
)
