"""The choices that a frame asks of a player, and the possible answers."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from simulator.hand_value import HandValue
from simulator.melds import Meld


class Tsumo(NamedTuple):
    """A win with the tile just drawn."""

    value: HandValue


class NineTerminals(NamedTuple):
    """An abortive draw by nine kinds of terminals and honors."""


class Discard(NamedTuple):
    """A discard, with or without riichi."""

    tile: int
    riichi: bool = False


Action = Tsumo | NineTerminals | Discard | Meld
"""What a player can do after a draw; a meld is a kan or a north."""


class Policy(Protocol):
    """Makes the choices of one player in one frame. Whatever it chooses must be legal."""

    def act(self) -> Action:
        """Choose what to do after a draw."""

    def wins(self) -> bool:
        """Choose whether to win on another player's tile."""

    def call(self, tile: int, source: int) -> Meld | None:
        """Choose a call, if any, with *tile*, just discarded by the player *source*."""

    def discard_after(self, call: Meld) -> int:
        """Choose the tile to discard after *call*."""
