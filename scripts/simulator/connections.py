"""Disconnections and reconnections of players."""

from __future__ import annotations

from simulator.random_source import RandomSource


class Connections:
    """The players' connections during a game.

    :param random: decides the disconnections that change the play, along with the play itself.
    :param apart: decides those that do not, so that the play is the same without them.
    :param often: whether connections are often bad.
    :ivar lost: by player, whether the connection is lost.
    """

    def __init__(self, players: int, random: RandomSource, apart: RandomSource, *, often: bool) -> None:
        self.lost = [False] * players
        self._random = random
        self._apart = apart
        self._bad = random.chance(60 if often else 15)  # in most games none are

    def change(self) -> tuple[int, bool] | None:
        """Let at most one connection break or come back. Return the player, and whether it is now lost; usually
        `None`."""
        lost = sum(self.lost)
        if not self._bad or not self._random.chance(3 if lost else 0.3):
            return None
        player = self._random.below(len(self.lost))
        if not self.lost[player] and lost > 1:
            return None
        self.lost[player] = not self.lost[player]
        return player, self.lost[player]

    def blip(self, percent: float) -> list[tuple[int, bool]]:
        """Return, in *percent* of cases, changes in which one or two connections switch and switch back before anything
        is played; each as `change` returns it."""
        if not self._bad or not self._apart.chance(percent):
            return []
        first, steps = self._apart.below(len(self.lost)), self._apart.below(2)
        players = [(first + step) % len(self.lost) for step in range(1 + steps)]
        away = [(player, not self.lost[player]) for player in players]
        return away + [(player, self.lost[player]) for player in players]
