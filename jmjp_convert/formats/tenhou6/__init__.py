"""The JSON of Tenhou's log viewer and editor, tenhou.net/6 (source: ``docs/design/formats.md`` 1).

Where that gives no answer, Tenhou's own JSON decides, then what other readers and writers agree on: the full-width
digits in a yaku, what is empty for three players, the word for an unfinished frame. The format records who called from
whom, not when: if a player discards the same tile twice in a row, a reader has to find out which one was called.
"""

from __future__ import annotations

from jmjp_convert.errors import Tenhou6Error
from jmjp_convert.formats.format import About, Format, Option, later

FORMAT = Format(
    name="tenhou6",
    suffixes=(".tenhou6.json", ".tenhou6.jsonl", ".tenhou6.txt"),
    shared=(".json", ".jsonl"),
    begins=later(f"{__name__}.reader", "begins"),
    about=About(
        read_by="tenhou.net/6 and /5, mjai-reviewer, NAGA, many viewers",
        keeps="The content of Tenhou's JSON: the play, scores with fu, han and yaku, connections, ranks, results; "
        "three-player games too.",
        drops="Walls, dice, exact tile copies, timing of kan dora, chips, private table settings, time of day.",
    ),
    read=later(f"{__name__}.reader", "read_tenhou6"),
    error=Tenhou6Error,
    write=later(f"{__name__}.writer", "write_matches"),
    options=(
        Option("per_frame", "Write one hand per line."),
        Option("url", "Write one editor link per hand."),
        Option("raise_points", "Raise everybody's points so that none are below zero, as mjai-reviewer needs."),
    ),
    check=lambda given: "use --per-frame or --url, not both" if given["per_frame"] and given["url"] else "",
    players=frozenset({3, 4}),
    several=lambda given: given["per_frame"] or given["url"],
    suffix=lambda given: ".tenhou6.txt" if given["url"] else ".tenhou6.jsonl" if given["per_frame"] else None,
    holding=later(f"{__name__}.holding", "holding"),
    repeats=later(f"{__name__}.repeated_values", "disagreements"),
)
