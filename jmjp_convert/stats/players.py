"""Adds up what players did over many games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from jmjp_convert.model import Match
from jmjp_convert.stats.counts import Counts, counts_of


class Who(NamedTuple):
    """A player of games with three or four *seats*; the *name* is empty if not recorded."""

    name: str
    seats: int


class Players:
    """The counts of players over any games.

    Its size grows with the number of players, not of games: nothing of a game is kept, not even its log ID, so a game
    that is added twice counts twice.

    :param names: whom to count; everybody if empty.
    """

    def __init__(self, names: Collection[str] = ()) -> None:
        self.counts: dict[Who, Counts] = {}
        self._names = frozenset(names)

    def add_matches(self, matches: Iterable[Match]) -> None:
        """Add *matches*."""
        for match in matches:
            for player, counts in zip(match.players, counts_of(match), strict=True):
                name = player.name or ""
                if not self._names or name in self._names:
                    self.counts.setdefault(Who(name, len(match.players)), Counter()).update(counts)

    def add(self, others: dict[Who, Counts]) -> None:
        """Add the counts of *others*."""
        for who, counts in others.items():
            self.counts.setdefault(who, Counter()).update(counts)

    def ranked(self, min_games: int = 1) -> list[tuple[Who, Counts]]:
        """Return the players of *min_games* or more: four-player games first, then by games, then by name."""
        found = [(who, counts) for who, counts in self.counts.items() if counts["games"] >= min_games]
        return sorted(found, key=lambda one: (-one[0].seats, -one[1]["games"], one[0].name))
