"""Dates written ``YYYYMMDD``, times written ``HHMM``, weekdays written ``sun`` … ``sat``."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")

DATE = r"[0-9]{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
"""The pattern of a date; it may still be a day that its month does not have."""

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
