"""The format-neutral model of a match: readers return it and writers accept it.

Units and names throughout the model:

- *points* are points: 25000, or -3200 for 3,200 below zero. Results are points too: 47000 is +47.0. Readers return
  multiples of 100; jmjp and JSON cannot represent anything finer.
- *sticks* (riichi sticks) and *honba* are counts; in a point rule, *honba* is the points that each honba adds.
- *tiles* are ids as in :mod:`jmjp_convert.model.tiles`.
- *players* are 0–3 (0–2 with three players); player 0 is the first dealer. Tuples of points are indexed by player.
- *names* of people are strings, built from the parts in *full_name*.
- *texts* contain no lone surrogates (U+D800 to U+DFFF), which UTF-8 cannot encode.
- ``None`` means "not recorded", never a guess. Only the *source* of a tsumo and the *han* of a yakuman are ``None``
  because they do not exist.

All objects are frozen and compare by value: :class:`Record`.
"""

from __future__ import annotations

from jmjp_convert.model.events import (
    DISCARDS,
    DRAWS,
    TO_THE_LAST,
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    Ending,
    Event,
    Kakan,
    Kan,
    Kita,
    Meld,
    Pon,
    Presence,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Score,
    Win,
    in_riichi,
)
from jmjp_convert.model.match import (
    DORA,
    PLAYS,
    SEATS,
    WINDS,
    End,
    Frame,
    Hand,
    House,
    Match,
    Name,
    Note,
    Player,
    PointRule,
    RecordedWall,
    Recorder,
    Rules,
    Shuffle,
    ShuffleForm,
    Start,
    Text,
    Thinking,
    Tournament,
    TourPoints,
    Wall,
    frame_name,
    handle,
)
from jmjp_convert.model.record import Record, fields, replace
from jmjp_convert.model.tiles import THREE_PLAYERS
from jmjp_convert.model.yaku import Limit, Yaku

__all__ = [
    "DISCARDS",
    "DORA",
    "DRAWS",
    "PLAYS",
    "SEATS",
    "THREE_PLAYERS",
    "TO_THE_LAST",
    "WINDS",
    "Ankan",
    "Call",
    "Chi",
    "Daiminkan",
    "Discard",
    "Disconnected",
    "DoraRevealed",
    "Draw",
    "DrawKind",
    "End",
    "Ending",
    "Event",
    "Frame",
    "Hand",
    "House",
    "Kakan",
    "Kan",
    "Kita",
    "Limit",
    "Match",
    "Meld",
    "Name",
    "Note",
    "Player",
    "PointRule",
    "Pon",
    "Presence",
    "Record",
    "RecordedWall",
    "Recorder",
    "Returned",
    "RiichiAccepted",
    "RiichiDeclared",
    "Rules",
    "Ryuukyoku",
    "Score",
    "Shuffle",
    "ShuffleForm",
    "Start",
    "Text",
    "Thinking",
    "TourPoints",
    "Tournament",
    "Wall",
    "Win",
    "Yaku",
    "fields",
    "frame_name",
    "handle",
    "in_riichi",
    "replace",
]
