"""Frames in play: deals, turns and calls for tests."""

from __future__ import annotations

from jmjp_convert.model import (
    Discard,
    Draw,
    DrawKind,
    Event,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.play.table import Table, replay

EXHAUSTIVE = Ryuukyoku(DrawKind.EXHAUSTIVE)


INDICATOR = 60
"""Like 40 to 65, in none of the deals below."""


def deal(*first: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return hands that begin with the *first* tiles, one tuple per player; the rest is filled from the honors
    downward."""
    rest = (tile for tile in range(135, 0, -1) if tile not in {tile for tiles in first for tile in tiles})
    return tuple((*tiles, *(next(rest) for _ in range(13 - len(tiles)))) for tiles in first)


HANDS = deal((0, 4, 15, 19), (1, 2, 5, 9), (12, 13, 14), (17, 18))
"""Player 0 may discard 0 (1m) for a pon or chi of player 1, 15 (4m) for a pon or kan of 2, 19 (5m) for a pon of 3."""


def start(
    hands: tuple[tuple[int, ...], ...] = HANDS, *, dealer: int = 0, sticks: int = 0, indicator: int | None = INDICATOR
) -> Start:
    """Return the start of a frame."""
    return Start(dealer, 0, sticks, dealer, (1, 1), (25000,) * len(hands), hands, indicator)


def play(*events: Event, hands: tuple[tuple[int, ...], ...] = HANDS, rules: Rules | None = None) -> Table:
    """Replay *events* of player 0's frame."""
    return replay(start(hands), events, rules or Rules(players=len(hands)))


def turn(player: int, drawn: int, discarded: int | None = None) -> list[Event]:
    """Return a draw and a discard, by default of the tile drawn."""
    return [Draw(player, drawn), Discard(player, drawn if discarded is None else discarded, discarded is None)]


def riichi(player: int, drawn: int) -> list[Event]:
    """Return a turn with a riichi that is paid for."""
    return [Draw(player, drawn), RiichiDeclared(player), Discard(player, drawn, tsumogiri=True), RiichiAccepted(player)]


def ron(player: int, source: int, tile: int) -> Win:
    """Return a win with nothing else recorded."""
    return Win(player, source, tile)
