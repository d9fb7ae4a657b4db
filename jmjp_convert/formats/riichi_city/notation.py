"""The numbers and words of Riichi City's records: cards, rooms, options, yaku, ends.

Sources: seven real records, from which values were recomputed; the names of numbers that are in none of them are those
of the constants of the game's client, as other converters have them.
"""

from __future__ import annotations

from collections.abc import Mapping

from jmjp_convert.model import DrawKind
from jmjp_convert.model.tiles import HONOR_FACES, any_copy

# --- tiles ------------------------------------------------------------------------------------------------------------

_SUITS = "psm"  # in the order of the cards
_NEXT = 16  # from one suit or honor to the next
_HONORS = 49
_RED = 0x100
_RANKS = range(1, 10)
_FIVE = 5

CARDS: Mapping[int, int] = {
    **{_NEXT * index + rank: any_copy(f"{rank}{suit}") for index, suit in enumerate(_SUITS) for rank in _RANKS},
    **{_HONORS + _NEXT * index: any_copy(face) for index, face in enumerate(HONOR_FACES)},
    **{_RED + _NEXT * index + _FIVE: any_copy(f"0{suit}") for index, suit in enumerate(_SUITS)},
}
"""The tiles by the numbers of their cards."""

WINDS: Mapping[int, int] = {_HONORS + _NEXT * wind: wind for wind in range(4)}
"""The winds by the numbers of their cards."""

# --- the head ---------------------------------------------------------------------------------------------------------

GAMES: Mapping[int, str] = {
    1001: "ranked",
    1002: "tournament",
    1003: "friends",
    1004: "one round",
    1005: "one round",
}
"""The kinds of games, by ``gamePlay``."""

RANKED = "ranked"

LEAST_HAN: Mapping[int, str] = {2: "2", 3: "4", 4: "mangan", 5: "closed hands only"}
"""The least han of a win, by ``fangFu``, if it is not the usual 1: 0 in ranked rooms and 1 in others."""

RANKS = (
    *("", "Novice", "D3", "D2", "D1", "C2", "C1", "B2", "B1", "A2", "A1"),
    *("初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段", "Legend"),
)
"""The ranks by ``StageLevel``; 0 outside ranked games."""

# --- yaku -------------------------------------------------------------------------------------------------------------

ROUND_WIND, SEAT_WIND = 10, 11
"""The numbers of the yaku that depend on the round and the seat."""

YAKU: Mapping[int, int] = {
    number: yaku
    for first, numbers in {
        0: (1, 0, 2, 4, 5, 6, 3, 20, 19, 18),
        12: (9, 7, 8, 21, 28, 22, 29, 27, 31, 23, 24, 25, 30, 26, 33, 34, 32, 35),
        31: (37, 38, 36, 47, 48, 45, 46, 40, 41, 51, 44, 42, 49, 50, 39, 43, 69, 68),
        49: (54, 52, 53, 70, 71, 72, 52, 73),
    }.items()
    for number, yaku in enumerate(numbers, first)
}
"""The model's numbers of yaku by Riichi City's; norths set aside (55) are dora."""

YAKUMAN = frozenset((*range(31, 49), 54))
"""Riichi City's numbers of the yakuman. A hand with one is worth nothing else."""

NAGASHI = 30
"""The number of nagashi mangan, which is a draw."""

# --- events -----------------------------------------------------------------------------------------------------------

OPEN_RIICHI = frozenset((3, 4))
"""The types of riichi (``li_zhi_type``) that are open."""

RON, TSUMO = 0, 1
"""The ends (``end_type``) by wins."""

DRAWS: Mapping[int, DrawKind | None] = {
    2: DrawKind.FOUR_WINDS,
    3: DrawKind.FOUR_KANS,
    4: DrawKind.FOUR_RIICHI,
    5: DrawKind.TRIPLE_RON,
    6: DrawKind.NINE_TERMINALS,
    7: DrawKind.EXHAUSTIVE,
    10: None,
}
"""The kinds of draws by their end."""

UNUSUAL_ENDS: Mapping[int, str] = {
    8: "a frame was ended by vote; it has no result",
    9: "a frame was ended because of cheating; it has no result",
    10: "a frame was drawn after a false riichi; it is read as a draw of unknown kind",
    11: "a frame was ended by the server; it has no result",
}
"""What is said of ends that are read as something else."""
