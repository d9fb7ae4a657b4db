"""Finds, parses and unscrambles Tenhou's log ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from jmjp_convert.model.dates import weekday

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
    return next(find_ids(text), None)


def find_ids(text: str) -> Iterator[LogId]:
    """Yield the log ids in *text*."""
    for match in _ID.finditer(text):
        day = match[1]
        yield LogId(match[0].lower(), day if weekday(day) else None, int(match[4]), int(match[3], 16))


def parse_id(text: str) -> LogId | None:
    """Return the log id that *text* is, and nothing else; a scrambled one as it is called on the server."""
    return find_id(unscrambled(text.lower())) if _ID.fullmatch(text) else None


# Source: archives.md, 2: the table and the rule by which Tenhou's own client scrambles the last part of an id.
_SCRAMBLED = re.compile(r"(?P<day>[0-9]{8}(?:[0-9]{2})?gm)-(?P<middle>.*)-x([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})")


_KEYS = (
    *(22136, 52719, 55146, 42104, 59591, 46934, 9248, 28891, 49597, 52974, 62844, 4015),
    *(18311, 50730, 43056, 17939, 64838, 38145, 27008, 39128, 35652, 63407, 65535, 23473),
    *(35164, 55230, 27536, 4386, 64920, 29075, 42617, 17294, 18868, 2081),
)


_KEYS_CHANGE = "2010041111gm"
"""The first day and hour, as in an id, from which on the key depends on them."""


def unscrambled(log_id: str) -> str:
    """Return the id that the server knows for *log_id*, in lower case, of which the last part may be scrambled.

    One that is not scrambled, or of which no rule is known, is returned as it is.
    """
    found = _SCRAMBLED.fullmatch(log_id)
    if found is None:
        return log_id
    day, key = found["day"], 0
    if day >= _KEYS_CHANGE:
        if len(day) < len(_KEYS_CHANGE):
            return log_id
        key = int(f"3{day[4:10]}") % (33 - int(day[9]))
    first, second, third = (int(word, 16) for word in found.group(3, 4, 5))
    upper, lower = first ^ second ^ _KEYS[key], second ^ third ^ _KEYS[key] ^ _KEYS[key + 1]
    return f"{day}-{found['middle']}-{upper:04x}{lower:04x}"
