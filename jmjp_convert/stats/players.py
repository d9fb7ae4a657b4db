"""Adds up what players did over many games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from jmjp_convert.model import Match
from jmjp_convert.stats.counts import Counts, counts_of
from jmjp_convert.stats.curve import Curve, began


class Who(NamedTuple):
    """A player of games with three or four *seats*; the *name* is empty if not recorded."""

    name: str
    seats: int


class Players:
    """The counts of players over any games.

    Its size grows with the number of players, not of games: nothing of a game is kept, not even its log ID, so a game
    that is added twice counts twice.

    :param names: whom to count; everybody if empty.
    :param over_time: whether to keep their results over time too.
    :ivar curves: the results over time of players with dated games that have a result.
    """

    def __init__(self, names: Collection[str] = (), *, over_time: bool = False) -> None:
        self.counts: dict[Who, Counts] = {}
        self.curves: dict[Who, Curve] = {}
        self._names = frozenset(names)
        self._over_time = over_time

    def add_matches(self, matches: Iterable[Match]) -> None:
        """Add *matches*."""
        for match in matches:
            when = began(match) if self._over_time else None
            for number, (player, counts) in enumerate(zip(match.players, counts_of(match), strict=True)):
                name = player.name or ""
                if self._names and name not in self._names:
                    continue
                who = Who(name, len(match.players))
                self.counts.setdefault(who, Counter()).update(counts)
                if when is not None and match.results is not None:
                    self.curves.setdefault(who, Curve()).add(when, match.results[number])

    def add(self, other: Players) -> None:
        """Add the players of *other*."""
        for who, counts in other.counts.items():
            self.counts.setdefault(who, Counter()).update(counts)
        for who, curve in other.curves.items():
            self.curves.setdefault(who, Curve()).update(curve)

    def ranked(self, min_games: int = 1) -> list[tuple[Who, Counts]]:
        """Return the players of *min_games* or more: four-player games first, then by games, then by name."""
        found = [(who, counts) for who, counts in self.counts.items() if counts["games"] >= min_games]
        return sorted(found, key=lambda one: (-one[0].seats, -one[1]["games"], one[0].name))
