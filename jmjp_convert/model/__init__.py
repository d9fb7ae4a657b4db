"""The neutral model of a match: what readers give and writers take. No syntax of any format reaches it.

Units and names, everywhere in the model:

- *points* are points: 25000, or -3200 for 3,200 below zero. Results are too: 47000 is +47.0. Readers give whole
  hundreds, and jmjp and JSON hold no others.
- *sticks* (riichi sticks) and *honba* are counts; in a point rule, *honba* is the points that one adds.
- *tiles* are ids as in :mod:`jmjp_convert.model.tiles`.
- *players* are 0–3 (0–2 with three players); player 0 is the first dealer. Tuples of points run by player.
- *names* of people are strings, made of the parts in *full_name*.
- *texts* hold whole characters: any but halves of one (U+D800 to U+DFFF), which UTF-8 cannot hold.
- ``None`` is "not recorded", never a guess. Only the *source* of a win by tsumo and the *han* of a yakuman are ``None``
  because there is none.

Everything is frozen; equal is what is equal in every field.
"""

from __future__ import annotations

from jmjp_convert.model.events import (
    DISCARDS,
    DRAWS,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    Event,
    Kakan,
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
)
from jmjp_convert.model.match import (
    DORA,
    SEATS,
    WINDS,
    End,
    Frame,
    Hand,
    Match,
    Player,
    PointRule,
    Recorder,
    Rules,
    Shuffle,
    ShuffleForm,
    Start,
    Tournament,
    TourPoints,
    frame_name,
)
from jmjp_convert.model.names import Name, Text, handle
from jmjp_convert.model.wall import Wall
from jmjp_convert.model.yaku import Limit, Yaku

__all__ = [
    "DISCARDS",
    "DORA",
    "DRAWS",
    "SEATS",
    "WINDS",
    "Ankan",
    "Chi",
    "Daiminkan",
    "Discard",
    "Disconnected",
    "DoraRevealed",
    "Draw",
    "DrawKind",
    "End",
    "Event",
    "Frame",
    "Hand",
    "Kakan",
    "Kita",
    "Limit",
    "Match",
    "Meld",
    "Name",
    "Player",
    "PointRule",
    "Pon",
    "Presence",
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
    "TourPoints",
    "Tournament",
    "Wall",
    "Win",
    "Yaku",
    "frame_name",
    "handle",
]
