"""Frames dealt and played by faces: hands and draws as text, for tests of what may be played."""

from __future__ import annotations

from collections.abc import Sequence

from frames_in_play import start

from jmjp_convert.model import Discard, Draw, Event, RiichiAccepted, RiichiDeclared, Rules, Start
from jmjp_convert.model.tiles import COPIES, ONE_RED_EACH, PHYSICAL, exists, faces

FOUR = 4
NAMES = faces()


class Dealer:
    """Deals tiles by their faces, each copy once; of a five the red one only for ``0``."""

    def __init__(self, players: int = FOUR) -> None:
        self._left = [tile for tile in range(PHYSICAL) if exists(tile // COPIES, players)]
        self._named: set[int] = set()

    def __call__(self, text: str) -> list[int]:
        """Return the tiles of *text*: ``"123m 7z"`` are 1m 2m 3m rd."""
        tiles = []
        for group in text.split():
            for digit in group[:-1]:
                face = (
                    ["ew", "sw", "ww", "nw", "wd", "gd", "rd"][int(digit) - 1]
                    if group[-1] == "z"
                    else digit + group[-1]
                )
                tile = next(tile for tile in reversed(self._left) if NAMES[tile] == face)
                self._left.remove(tile)
                self._named.add(tile // COPIES)
                tiles.append(tile)
        return tiles

    def rest(self, size: int) -> list[int]:
        """Return *size* tiles that are left, far from each other and of other kinds than those before, if possible."""
        self._left.sort(key=lambda tile: (tile // COPIES in self._named, tile % COPIES, tile // COPIES % 5, tile))
        tiles, self._left = self._left[:size], self._left[size:]
        return tiles


def played(
    hands: Sequence[str], *acts: str, players: int = FOUR, indicator: str = "9m"
) -> tuple[Start, Rules, list[Event]]:
    """Return the start of a frame with *hands*, from player 0, its rules, and its events.

    :param acts: ``"+1m"`` draws, ``"=1m"`` also discards the tile, ``"!1m"`` also declares riichi and pays for it. The
        player is the one whose turn it is.
    """
    deal = Dealer(players)
    turned = deal(indicator)[0]
    named = [deal(hand) for hand in hands]
    drawn = [deal(act[1:])[0] for act in acts]
    filled = [hand + deal.rest(13 - len(hand)) for hand in named]
    filled += [deal.rest(13) for _ in range(players - len(hands))]
    events: list[Event] = []
    for number, (act, tile) in enumerate(zip(acts, drawn, strict=True)):
        turn = number % players
        events.append(Draw(turn, tile))
        if act[0] == "!":
            events.append(RiichiDeclared(turn))
        if act[0] != "+":
            events.append(Discard(turn, tile))
        if act[0] == "!":
            events.append(RiichiAccepted(turn))
    rules = Rules(players=players, red_fives=ONE_RED_EACH)
    return start(tuple(map(tuple, filled)), indicator=turned), rules, events
