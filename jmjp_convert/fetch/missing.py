"""When to ask again for a log that the server did not have.

Tenhou has answered 404 for the logs of whole years and served them again later, so a missing log is not given up for
good. Most stay missing, so the pauses grow.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import NamedTuple

_PAUSES = ((1, 1), (8, 7))
_LONGEST_PAUSE = 30
"""Days: for a log missing for less than the first number, the pause is the second. By the day, so that a daily run at
about the same time counts as a day later."""


class Missing(NamedTuple):
    """A log that the server does not have.

    :ivar since: the day of the first request, in local time.
    :ivar asked: the day of the last one.
    :ivar reason: the server's answer to that.
    """

    since: date
    asked: date
    reason: str

    @property
    def next_try(self) -> date:
        """The day from which it is asked for again."""
        age = (self.asked - self.since).days
        return self.asked + timedelta(next((pause for days, pause in _PAUSES if age < days), _LONGEST_PAUSE))

    @property
    def is_due(self) -> bool:
        """Whether it is asked for again today."""
        # A last request in the future, because the clock was set back, does not count.
        return not self.asked <= today() < self.next_try


def today() -> date:
    """Return the current day in local time."""
    return datetime.now().astimezone().date()
