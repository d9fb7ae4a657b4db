"""Dates written ``YYYYMMDD``, times written ``HHMM``, weekdays written ``sun`` … ``sat``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta, timezone
from functools import lru_cache

from jmjp_convert.lazy_regex import regex

WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")

DATE = r"[0-9]{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
"""The pattern of a date; the month may not have that day."""

TIME = r"(?:[01][0-9]|2[0-3])[0-5][0-9]"
"""The pattern of a time."""


@lru_cache  # asked several times for each match
def weekday(day: str) -> str | None:
    """Return the weekday of *day* (``YYYYMMDD``) as ``sun`` … ``sat``, or ``None`` if the date is invalid."""
    try:
        number = date(int(day[:4]), int(day[4:6]), int(day[6:])).isoweekday()
    except ValueError:
        return None
    return WEEKDAYS[number % 7]


JAPAN = timezone(timedelta(hours=9))


def day_of(seconds: int) -> str | None:
    """Return the date in Japan at a Unix time, ``None`` if that is not in the years 1970 to 9999."""
    try:
        return datetime.fromtimestamp(seconds, JAPAN).strftime("%Y%m%d") if seconds >= 0 else None
    except (ValueError, OverflowError, OSError):
        return None


# --- dates as other programs write them ------------------------------------------------------------------------------

_DIGITS = regex(r"\d{8}")
_MOMENT = regex(
    r"(?P<year>\d{4})[-/.年](?P<month>\d{1,2})[-/.月](?P<day>\d{1,2})日?"
    r"(?:[ T,]+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d(?:\.\d+)?)?(?P<half>)Z?)?",
    re.ASCII,
)
_AMERICAN = regex(
    r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4}),? +"
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d)?[ \u202f](?P<half>[AP])M",
    re.ASCII,
)
_HALF_DAY = 12
_MINUTES = 60


def moment_of(text: str) -> tuple[str, str | None] | None:
    """Return the date (``YYYYMMDD``) and time (``HHMM``, if there is one) in a text, ``None`` if it is not a date.

    Dates are as this package, browsers and mail write them: ``20231014``, ``2023/10/14 14:54``,
    ``10/14/2023, 2:54:59 PM``, ``Sat, 14 Oct 2023 14:54:59 GMT``.
    """
    text = text.strip()
    if _DIGITS.fullmatch(text):
        return (text, None) if text.isascii() and weekday(text) else None
    if match := _MOMENT.fullmatch(text) or _AMERICAN.fullmatch(text):
        hour = None if match["hour"] is None else int(match["hour"])
        if hour is not None and match["half"]:
            hour = hour % _HALF_DAY + (_HALF_DAY if match["half"] == "P" else 0)
        minute = None if match["minute"] is None else int(match["minute"])
        return _moment(int(match["year"]), int(match["month"]), int(match["day"]), hour, minute)
    mailed = _mailed(text) if text[:1].isalpha() and text.isascii() else None
    return None if mailed is None else _moment(*mailed[:5])


def _mailed(text: str) -> Sequence[int] | None:
    from email.utils import parsedate  # seldom needed, and slow to import

    try:
        return parsedate(text)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _moment(year: int, month: int, day: int, hour: int | None, minute: int | None) -> tuple[str, str | None] | None:
    date_ = f"{year:04}{month:02}{day:02}"
    if not _DIGITS.fullmatch(date_) or weekday(date_) is None:
        return None
    if hour is None or minute is None or not (0 <= hour < 2 * _HALF_DAY and 0 <= minute < _MINUTES):
        return date_, None
    return date_, f"{hour:02}{minute:02}"
