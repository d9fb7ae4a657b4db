"""mjai, one JSON object per line."""

from __future__ import annotations

from jmjp_convert.formats.format import About, Format, each, later, starts

FORMAT = Format(
    name="mjai",
    suffixes=(".mjson",),
    shared=(".json", ".jsonl"),
    begins=starts('{"type":"start_game"'),
    about=About(
        read_by="mjai-reviewer, Mortal, akochan, mjai.app, RiichiEnv",
        keeps="The play as events; points, dora, ura dora.",
        drops="Fu, han and yaku; reasons for draws; ranks, results, dice, walls, connections; three-player games.",
    ),
    write=each(later(f"{__name__}.writer", "write_mjai")),
    held=later(f"{__name__}.writer", "held"),
    left_out=later(f"{__name__}.writer", "left_out"),
    otherwise=later(f"{__name__}.writer", "written_otherwise"),
)
