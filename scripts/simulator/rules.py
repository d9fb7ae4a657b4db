"""The rules of a table, by their number (`GO type`)."""

from __future__ import annotations

from typing import NamedTuple

_NO_RED = 0x02
_NO_OPEN_TANYAO = 0x04
_EAST_SOUTH = 0x08
_THREE = 0x10
_EXPERT = 0x20
_FAST = 0x40
_ADVANCED = 0x80

LEAST, MOST = 0x01, 0xFF
KNOWN = range(LEAST, MOST + 1, 2)
"""The known numbers. Bit 0x01 is always set."""

COMMON = {
    4: (1, 9, 33, 41, 65, 97, 129, 137, 161, 169, 193, 225, 233, 11, 43, 139, 171, 15, 143, 7, 73),
    3: (17, 25, 49, 57, 145, 153, 177, 185, 81, 89, 241, 249, 19, 27, 155, 187, 31),
}
"""By number of players: the rules to choose from by default. They cover every room, East-only and
East-South, fast and slow; a few have no red fives or no open tanyao."""


class Room(NamedTuple):
    """The room of a table: its *name*, and the lowest *dan* and *rate* of its players."""

    name: str
    dan: int
    rate: int


_ROOMS = {
    0: Room("general", 0, 1300),
    _ADVANCED: Room("advanced", 4, 1400),
    _EXPERT: Room("expert", 13, 1800),
    _ADVANCED | _EXPERT: Room("phoenix", 16, 2000),
}


class Rules(NamedTuple):
    """The rules of a table. Points are in hundreds.

    :ivar number: as in the log.
    :ivar last_round: 0 to 15, four per wind; after it the game ends if somebody has *goal* points.
    :ivar start: the points of each player at the start.
    :ivar draws: how many tiles of a frame can be drawn, replacement tiles included.
    :ivar noten: what the noten players pay in total.
    :ivar robs_ankan: whether kokushi may win on a closed kan. mjlog can express it, but no real log shows it, and no
        source says that Tenhou allows it; `riichienv` (`default_tenhou`) says that it does not.
    :ivar three_win: whether three players may win on one tile, as on Mahjong Soul; on Tenhou that is a draw.
    """

    number: int
    players: int
    red_fives: bool
    open_tanyao: bool
    last_round: int
    goal: int
    start: int
    draws: int
    noten: int
    fast: bool
    room: Room
    robs_ankan: bool = False
    three_win: bool = False


def rules_of(number: int, *, robs_ankan: bool = False, three_win: bool = False) -> Rules:
    """Return the rules with *number*."""
    players = 3 if number & _THREE else 4
    return Rules(
        number=number,
        players=players,
        red_fives=not number & _NO_RED,
        open_tanyao=not number & _NO_OPEN_TANYAO,
        last_round=players - 1 + (4 if number & _EAST_SOUTH else 0),
        goal={4: 300, 3: 400}[players],
        start={4: 250, 3: 350}[players],
        draws={4: 70, 3: 55}[players],
        noten={4: 30, 3: 20}[players],
        fast=bool(number & _FAST),
        room=_ROOMS[number & (_ADVANCED | _EXPERT)],
        robs_ankan=robs_ankan,
        three_win=three_win,
    )
