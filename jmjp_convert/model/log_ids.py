"""Finds, parses and unscrambles Tenhou log IDs, and identifies those of any server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from jmjp_convert.lazy_regex import regex
from jmjp_convert.model.dates import weekday
from jmjp_convert.model.match import House
from jmjp_convert.model.record import Record

# In any case, but without re.IGNORECASE, which takes twice as long to compile.
_HEX = "[0-9A-Fa-f]"
_ID = regex(
    rf"(?<![0-9])([0-9]{{8}})([0-9]{{2}})?[Gg][Mm]-({_HEX}{{4,}})-([0-9]{{4,5}})"
    rf"-(?:{_HEX}{{8}}|[Xx]{_HEX}{{12}})(?![0-9A-Za-z])"
)

_MAHJONG_SOUL_ID = regex(
    r"(?P<day>[0-9]{6})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:_a[0-9]{1,10}(?:_[0-9])?)?", re.ASCII
)
"""An ID of Mahjong Soul, as its links have it: the day, a UUID, and the seat to watch from."""

_RIICHI_CITY_ID = regex("[0-9a-v]{20}", re.ASCII)
"""An ID of Riichi City, as its records have it."""

_COMMENT = regex(r"(?:^|\s)#.*")
_HOURS = 24


class LogId(Record):
    """A parsed log ID: *date* is ``YYYYMMDD``, or ``None`` if its digits are not a date; *rules* is the rules
    number."""

    __slots__ = ("text", "date", "lobby", "rules")

    def __init__(self, text: str, date: str | None, lobby: int, rules: int) -> None:
        self.text: Final = text
        self.date: Final = date
        self.lobby: Final = lobby
        self.rules: Final = rules


def find_id(text: str) -> LogId | None:
    """Return the first log ID in *text* (a file name, URL or ID), or ``None`` (docs/design/archives.md, Log IDs)."""
    return next(find_ids(text), None)


def find_ids(text: str) -> Iterator[LogId]:
    """Yield the log IDs in *text*."""
    if "gm-" not in text.lower():  # as in most texts: the pattern takes long to compile
        return
    for match in _ID.finditer(text):
        day = match[1]
        yield LogId(match[0].lower(), day if weekday(day) else None, int(match[4]), int(match[3], 16))


def without_comment(line: str) -> str:
    """Return a *line* of a list without its comment, from a ``#`` that is not part of a link, and without spaces around
    it."""
    return _COMMENT.sub("", line).strip()


def parse_id(text: str) -> LogId | None:
    """Return *text* as a log ID, unscrambled, or ``None`` if it is anything else."""
    return find_id(unscrambled(text.lower())) if _ID.fullmatch(text) else None


def hour(text: str) -> int | None:
    """Return the hour of the match with the log ID *text*, 0 to 23, or ``None`` if it does not contain one."""
    match = _ID.fullmatch(text)
    return int(match[2]) if match and match[2] and int(match[2]) < _HOURS else None


class Identity(Record):
    """The server of a log ID; *date* is ``YYYYMMDD``, or ``None`` if its digits are not a date."""

    __slots__ = ("house", "date")

    def __init__(self, house: House, date: str | None) -> None:
        self.house: Final = house
        self.date: Final = date


def identify(text: str) -> Identity | None:
    """Return the server and date of the log ID *text*, in its usual spelling; ``None`` if it is not a log ID.

    Only Tenhou's IDs contain more, can be fetched, and are found inside other texts: see :func:`find_id`.
    """
    log_id = find_id(text)
    if log_id is not None and log_id.text == text:
        return Identity(House.TENHOU, log_id.date)
    if match := _MAHJONG_SOUL_ID.fullmatch(text):
        day = f"20{match['day']}"
        return Identity(House.MAHJONG_SOUL, day if weekday(day) else None)
    return Identity(House.RIICHI_CITY, None) if _RIICHI_CITY_ID.fullmatch(text) else None


# The table and rule with which Tenhou's own client scrambles the last part of an ID (docs/design/archives.md, Log IDs).
_SCRAMBLED = regex(r"(?P<day>[0-9]{8}(?:[0-9]{2})?gm)-(?P<middle>.*)-x([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})")

_KEYS = (
    *(22136, 52719, 55146, 42104, 59591, 46934, 9248, 28891, 49597, 52974, 62844, 4015),
    *(18311, 50730, 43056, 17939, 64838, 38145, 27008, 39128, 35652, 63407, 65535, 23473),
    *(35164, 55230, 27536, 4386, 64920, 29075, 42617, 17294, 18868, 2081),
)

_KEYS_CHANGE = "2010041111gm"
"""The day and hour, as in an ID, from which the key depends on them."""


def unscrambled(log_id: str) -> str:
    """Return the server's ID for *log_id* (lower case), whose last part may be scrambled.

    An ID that is not scrambled, or whose rule is unknown, is returned unchanged.
    """
    match = _SCRAMBLED.fullmatch(log_id)
    if match is None:
        return log_id
    day, key = match["day"], 0
    if day >= _KEYS_CHANGE:
        if len(day) < len(_KEYS_CHANGE):
            return log_id
        key = int(f"3{day[4:10]}") % (33 - int(day[9]))
    first, second, third = (int(word, 16) for word in match.group(3, 4, 5))
    upper, lower = first ^ second ^ _KEYS[key], second ^ third ^ _KEYS[key] ^ _KEYS[key + 1]
    return f"{day}-{match['middle']}-{upper:04x}{lower:04x}"
