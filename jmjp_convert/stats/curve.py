"""Results over time in at most :data:`MOST` points, however many games there are.

A point is a stretch of time, with the sum of the results in it. Stretches are hours at first. Whenever there are too
many, all become longer, each a whole number of the ones before. The result does not depend on the order in
which games are added, nor on how they are divided: the length is always the shortest with which all games fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from jmjp_convert.model import Match
from jmjp_convert.model.dates import weekday
from jmjp_convert.model.log_ids import hour

MOST = 200
"""Maximum number of points of a curve."""

_DAY = 24


class Point(NamedTuple):
    """What a player did in a stretch of time."""

    start: int  # when it began, in hours since the first of January of the year 1, local to the place
    result: int  # the sum of the results, in points
    games: int


class Curve:
    """The results of a player over time."""

    __slots__ = ("_sums", "length")

    def __init__(self) -> None:
        self.length = 1  # of the stretches, in hours: 1, 3, 6, 12, 24, and so on
        self._sums: dict[int, tuple[int, int]] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Curve) and (self.length, self._sums) == (other.length, other._sums)

    __hash__ = None  # type: ignore[assignment]

    def add(self, when: int, result: int) -> None:
        """Add a game that began at *when*, in hours as in :class:`Point`."""
        self._add(when // self.length, result, 1)
        self.reduce(MOST)

    def update(self, other: Curve) -> None:
        """Add the games of *other*."""
        while self.length < other.length:
            self._lengthen()
        for point in other.points():
            self._add(point.start // self.length, point.result, point.games)
        self.reduce(MOST)

    def reduce(self, most: int) -> None:
        """Lengthen the stretches until there are *most* or fewer."""
        while len(self._sums) > most:
            self._lengthen()

    def points(self) -> Iterator[Point]:
        """Yield the points, in order of time."""
        for stretch, (result, games) in sorted(self._sums.items()):
            yield Point(stretch * self.length, result, games)

    def _lengthen(self) -> None:
        before = list(self.points())
        self.length = 3 if self.length == 1 else 2 * self.length
        self._sums = {}
        for point in before:
            self._add(point.start // self.length, point.result, point.games)

    def _add(self, stretch: int, result: int, games: int) -> None:
        had, played = self._sums.get(stretch, (0, 0))
        self._sums[stretch] = had + result, played + games


def began(match: Match) -> int | None:
    """Return when *match* began, in hours as in :class:`Point`, or ``None`` if not even the day is known.

    The hour is that of the start time or of the log ID; without either, it is the first of the day.
    """
    day = match.date
    if day is None or weekday(day) is None:
        return None
    days = date(int(day[:4]), int(day[4:6]), int(day[6:])).toordinal() - 1
    return days * _DAY + (int(match.time[:2]) if match.time else hour(match.id or "") or 0)
