"""What is known of Tenhou itself, whatever the format: log ids, the bits of its rule numbers, its names for them."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from jmjp_convert.model import Rules, Text

NAME = Text("天鳳", "Tenhou")

# Source: seeds 002 and 004, the tables of GO type; mjlog-traps.md 18.
_NO_RED_FIVES = 0x02
_NO_OPEN_TANYAO = 0x04
_EAST_SOUTH = 0x08
_THREE_PLAYERS = 0x10
_EXPERT = 0x20
_FAST = 0x40
_ADVANCED = 0x80

CUSTOM_RULES = ("title", "rule", "ranking", "csrule")
"""The attributes of ``GO`` with further settings of a private table or event."""

OTHER_TABLES = 0x100
"""From here on, the number of the rules is that of a table with rules of its own."""


_ROOMS = {
    0: Text("般", "General"),
    _ADVANCED: Text("上", "Advanced"),
    _EXPERT: Text("特", "Expert"),
    _ADVANCED | _EXPERT: Text("鳳", "Phoenix"),
}

_ID = re.compile(
    r"(?<![0-9])([0-9]{8})([0-9]{2})?gm-([0-9a-f]{4,})-([0-9]{4,5})-(?:[0-9a-f]{8}|x[0-9a-f]{12})(?![0-9a-z])",
    re.IGNORECASE,
)


class LogId(NamedTuple):
    """A log id, taken apart: *date* is ``YYYYMMDD``, or ``None`` where its digits are no date; *rules* is the number of
    the rules."""

    text: str
    date: str | None
    lobby: int
    rules: int


def find_id(text: str) -> LogId | None:
    """Return the log id in *text* (a file name, a URL, an id), or ``None`` (source: ``archives.md``, 2)."""
    match = _ID.search(text)
    if match is None:
        return None
    day = match[1]
    return LogId(match[0].lower(), day if weekday(day) else None, int(match[4]), int(match[3], 16))


def is_three_player(code: int) -> bool:
    """Return whether the rules *code* are for three players."""
    return bool(code & _THREE_PLAYERS)


def weekday(day: str) -> str | None:
    """Return the weekday of *day* (``YYYYMMDD``) as ``sun`` … ``sat``, or ``None`` if there is no such day."""
    try:
        number = date(int(day[:4]), int(day[4:6]), int(day[6:])).weekday()
    except ValueError:
        return None
    return ("mon", "tue", "wed", "thu", "fri", "sat", "sun")[number]


def rules(code: int, lobby: int | None, custom: tuple[tuple[str, str], ...] = ()) -> Rules:
    """Return the rules of which *code* (``GO type``) is the number; no bit is refused."""
    return Rules(
        players=3 if is_three_player(code) else 4,
        red_fives=not code & _NO_RED_FIVES,
        code=code,
        lobby=lobby,
        custom=custom,
    )


@lru_cache(maxsize=1024)
def title(code: int, lobby: int | None) -> Text:
    """Return the name of the rules *code* as Tenhou's players know it, in both scripts (source: ``mapping.md``)."""
    room = Text("", "") if code >= OTHER_TABLES else _ROOMS[code & (_ADVANCED | _EXPERT)]
    native = [
        "三" if code & _THREE_PLAYERS else "四",
        room.native,
        "南" if code & _EAST_SOUTH else "東",
        "" if code & _NO_OPEN_TANYAO else "喰",
        "" if code & _NO_RED_FIVES else "赤",
        "速" if code & _FAST else "",
        f" L{lobby}" if lobby else "",
    ]
    table = [
        "3-player" if code & _THREE_PLAYERS else "4-player",
        room.roman,
        "East-South" if code & _EAST_SOUTH else "East-only",
    ]
    roman = [
        " ".join(filter(None, table)),
        "no open tanyao" if code & _NO_OPEN_TANYAO else "open tanyao",
        "no red fives" if code & _NO_RED_FIVES else "red fives",
        "fast" if code & _FAST else "",
        f"lobby {lobby}" if lobby else "",
    ]
    return Text(f"{NAME.native} {''.join(filter(None, native))}", f"{NAME.roman} {', '.join(filter(None, roman))}")
