"""majiang, the game record of 電脳麻将."""

from __future__ import annotations

from jmjp_convert.formats.format import About, Format, each, later, starts

FORMAT = Format(
    name="majiang",
    suffixes=(".majiang.json",),
    shared=(".json",),
    begins=starts('{"title":"'),
    about=About(
        read_by="電脳麻将 (kobalab's viewer)",
        keeps="The play; fu, han and yaku; ranks and ratings; results.",
        drops="Dice, walls, copies of tiles, connections, time and place; three-player games.",
    ),
    write=each(later(f"{__name__}.writer", "write_majiang")),
    held=later(f"{__name__}.writer", "held"),
    left_out=later(f"{__name__}.writer", "left_out"),
    otherwise=later(f"{__name__}.writer", "written_otherwise"),
)
