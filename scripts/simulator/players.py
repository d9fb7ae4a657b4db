"""The players of a game: their policies and connections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from simulator.connections import Connections
from simulator.mjlog_writer import MjlogWriter
from simulator.plan_policy import PlanPolicy
from simulator.planners import Planner
from simulator.policy import Policy
from simulator.profiles import Profile
from simulator.random_source import RandomSource
from simulator.table import Table

_SELDOM, _SOMETIMES = 0.05, 3.0  # percent


class Players(Protocol):
    """The players of a game."""

    def sit_down(self, table: Table) -> Sequence[Policy]:
        """Return the policy of each player for the frame at *table*."""

    def pause(self, table: Table | None, writer: MjlogWriter) -> None:
        """Let connections change, during the frame at *table* or, if that is `None`, between two frames."""

    def blip(self, writer: MjlogWriter) -> None:
        """Let connections change and change back, with no choice in between."""


class RandomPlayers:
    """Players with plans by *planner*, and *connections* that sometimes fail."""

    def __init__(
        self,
        profiles: list[Profile],
        connections: Connections,
        planner: Planner,
        random: RandomSource,
        *,
        wild: bool,
    ) -> None:
        self._profiles = profiles
        self._connections = connections
        self._planner = planner
        self._random = random
        self._wild = wild

    def sit_down(self, table: Table) -> list[PlanPolicy]:
        """Return the policy of each player for the frame at *table*."""
        for seat, lost in zip(table.seats, self._connections.lost, strict=True):
            seat.disconnected = lost
        plans = self._planner(table, self._random)
        return [
            PlanPolicy(table, seat, plan, self._random, wild=self._wild)
            for seat, plan in zip(table.seats, plans, strict=True)
        ]

    def pause(self, table: Table | None, writer: MjlogWriter) -> None:
        """Let a player lose the connection or come back; usually nobody does."""
        changed = self._connections.change()
        if changed is not None:
            player, lost = changed
            if table is not None:
                table.seats[player].disconnected = lost
            self._write(writer, player, lost=lost)
        self._blip(writer, _SELDOM)

    def blip(self, writer: MjlogWriter) -> None:
        """Let players lose the connection and come back at once; usually nobody does."""
        self._blip(writer, _SOMETIMES)

    def _blip(self, writer: MjlogWriter, percent: float) -> None:
        for player, lost in self._connections.blip(percent):
            self._write(writer, player, lost=lost)

    def _write(self, writer: MjlogWriter, player: int, *, lost: bool) -> None:
        if lost:
            writer.disconnected(player)
        else:
            writer.reconnected(player, self._profiles[player].name)
