"""Counts what occurs in matches: the ends of frames, the melds and their orders, and what is rare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from jmjp_convert.model import (
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    DrawKind,
    Frame,
    Kakan,
    Kita,
    Match,
    Meld,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Win,
    Yaku,
)
from jmjp_convert.model.yaku import Limit

_CHANKAN = Yaku(3, 1)
_ON_TURN = (Ankan, Kakan, Kita)
"""The melds of a player's own turn, each followed by a replacement tile."""

KAN_ORDERS = tuple(f"{first.__name__}, then {then.__name__}" for first in (Daiminkan, *_ON_TURN) for then in _ON_TURN)
"""Every order of two melds with replacement tiles in one turn, between which no tile is discarded."""

WON_BY_THREE = "--seed 1 --want won-by-three --first 1517 --tries 1"
"""A game in which three players win on one tile, as only on Mahjong Soul."""

EVERYTHING = (
    *DrawKind,
    *(Chi, Pon, Daiminkan, Ankan, Kakan, Kita),
    *KAN_ORDERS,
    *("1 wins", "2 wins", "pao", "pao of two", "chankan", "robbed kita", "yakuman"),
    *("riichi tile called", "riichi tile won on", "sticks left"),
)
"""What every format must have been tested with, on any server."""


def occurred(matches: Iterable[Match]) -> Counter[object]:
    """Return how often each of :data:`EVERYTHING` occurs in *matches*."""
    counts: Counter[object] = Counter()
    for match in matches:
        counts["sticks left"] += match.final_points != match.frames[-1].end.points
        for frame in match.frames:
            _count(counts, frame)
    return counts


def _count(counts: Counter[object], frame: Frame) -> None:
    for event, then in pairwise((*frame.events, None)):
        counts[event.kind if isinstance(event, Ryuukyoku) else type(event)] += 1
        counts["riichi tile called"] += isinstance(event, RiichiAccepted) and isinstance(then, Call)
    for first, second in pairwise(event for event in frame.events if isinstance(event, Meld | Discard)):
        counts[f"{type(first).__name__}, then {type(second).__name__}"] += 1
    wins = [event for event in frame.endings if isinstance(event, Win)]
    counts[f"{len(wins)} wins"] += 1
    if not wins:
        return
    played = frame.events[: -len(wins)]  # nothing, if the dealer wins with the tiles dealt
    counts["robbed kita"] += bool(played) and isinstance(played[-1], Kita)
    counts["riichi tile won on"] += sum(isinstance(event, RiichiDeclared) for event in frame.events) > len(frame.riichi)
    counts["chankan"] += any(_CHANKAN in win.yaku for win in wins)
    counts["yakuman"] += any(win.limit is Limit.YAKUMAN for win in wins)
    counts["pao"] += any(win.pao for win in wins)
    counts["pao of two"] += len(wins) > 1 and any(win.pao for win in wins)
