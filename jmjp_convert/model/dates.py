"""Weekdays of dates written ``YYYYMMDD``."""

from __future__ import annotations

from datetime import date
from functools import lru_cache


@lru_cache  # asked several times for each match
def weekday(day: str) -> str | None:
    """Return the weekday of *day* (``YYYYMMDD``) as ``sun`` … ``sat``, or ``None`` if the date is invalid."""
    try:
        number = date(int(day[:4]), int(day[4:6]), int(day[6:])).weekday()
    except ValueError:
        return None
    return ("mon", "tue", "wed", "thu", "fri", "sat", "sun")[number]
