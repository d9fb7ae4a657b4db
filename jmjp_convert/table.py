"""The table in play: whose turn it is, where each tile is, and what is wrong with a play.

The hands are without the tile just drawn, which lies apart until the player discards.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import add
from typing import Any

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Draw, End, Event, Hand, Meld, Rules, Start
from jmjp_convert.tiles import COPIES, PHYSICAL, faces, label

STICK = 10
"""A riichi stick, in hundreds of points."""

DEALT = 13
"""The tiles that each player is dealt."""

CALLED = -1
"""Stands for the drawn tile after a call, which brings none."""

NOBODY = -1
"""Whose turn it is when the frame has ended."""

UNPAID = -2
"""Whose turn it is after a riichi tile, until the stick is paid: nobody may go on before."""

_DEAD_WALL = 14
_MAX_DORA = 5
_AFTER = {4: (1, 2, 3, 0), 3: (1, 2, 0)}

# The tiles by players: with three there are no 2m to 8m.
_SETS = {4: set(range(PHYSICAL)), 3: {tile for tile in range(PHYSICAL) if tile // COPIES not in range(1, 8)}}


class Table:
    """The table in play: whose turn it is, and where each tile is.

    :param copies: whether the record says which copy of a tile is meant; if not, error messages name faces alone.
    """

    __slots__ = (
        *("rules", "copies", "wall", "hands", "melds", "points", "sticks", "indicators", "ura", "locked", "after"),
        *("turn", "drawn", "last", "declared", "winners", "fourteenth", "ended"),
    )

    def __init__(self, start: Start, rules: Rules, *, copies: bool = True) -> None:
        self.rules = rules
        self.copies = copies
        self.wall = _SETS[rules.players].difference(*start.hands)  # the tiles that nobody has seen
        self.hands = list(map(set, start.hands))  # without the tile just drawn
        self.melds: list[list[Meld]] = [[] for _ in start.hands]
        self.points = start.points
        self.sticks = start.sticks
        self.indicators: list[int] = []
        self.ura: tuple[int, ...] = ()
        self.locked = [False] * rules.players
        self.after = list(_AFTER[rules.players])  # by player, whose turn it is after a discard
        self.turn = start.dealer
        self.drawn: int | None = None  # the tile too many in the hand whose turn it is; CALLED after a call
        self.last: Event | None = None  # the tile that may be taken: a discard, or the tile of a kan or kita
        self.declared: int | None = None  # who has declared riichi and not yet paid
        self.winners: set[int] = set()
        self.fourteenth: dict[int, int] = {}
        self.ended = False
        if len(self.wall) + sum(map(len, start.hands)) != len(_SETS[rules.players]):
            raise self.bad_deal(start)
        if start.indicator is not None:
            self.turn_over(start.indicator)
        if start.fourteenth is not None:
            self.leave_wall((start.fourteenth,))
            self.drawn = start.fourteenth

    def label(self, tile: int) -> str:
        """Return *tile* for an error message."""
        if not self.copies:
            return faces(red_fives=self.rules.red_fives)[tile]
        return label(tile, red_fives=self.rules.red_fives)

    def leave_wall(self, tiles: Iterable[int]) -> None:
        """Take *tiles* out of the wall."""
        wall = self.wall
        for tile in tiles:
            if tile not in wall:
                raise self.not_in_wall(tile)
            wall.remove(tile)

    def take(self, tiles: Iterable[int], player: int) -> None:
        """Take *tiles* out of the hand of *player*."""
        hand = self.hands[player]
        for tile in tiles:
            if tile not in hand:
                raise self.not_held(tile, player)
            hand.remove(tile)

    def turn_over(self, indicator: int) -> None:
        """Turn a dora indicator."""
        self.leave_wall((indicator,))
        self.indicators.append(indicator)
        if len(self.indicators) > _MAX_DORA:
            raise PlayError(f"more than {_MAX_DORA} dora indicators")

    def pay(self, changes: tuple[int, ...] | None, before: tuple[int, ...] | None, sticks: int | None) -> None:
        """Pay *changes*, which hand out *sticks* riichi sticks."""
        self.expect_points(before)
        if changes is None or self.points is None:
            self.points = None
            return
        if sticks is not None and sum(changes) != sticks * STICK:
            raise PlayError(f"the payments add up to {sum(changes)}, not to {sticks * STICK} (hundreds of points)")
        self.points = tuple(map(add, self.points, changes))

    def lay_stick(self, player: int) -> None:
        """Pay for a riichi."""
        if self.points is not None:
            self.points = tuple(have - STICK * (who == player) for who, have in enumerate(self.points))
        if self.sticks is not None:
            self.sticks += 1

    def take_in(self) -> None:
        """Put the tile just drawn to the others of the hand."""
        if self.drawn is not None and self.drawn != CALLED:
            self.hands[self.turn].add(self.drawn)
        self.drawn = None

    def set_drawn_apart(self) -> None:
        """Make a tile that was drawn and not discarded its owner's fourteenth."""
        if self.drawn is not None and self.drawn != CALLED:
            self.fourteenth[self.turn] = self.drawn

    def closed(self, player: int) -> list[int]:
        """Return the closed tiles of *player*, the fourteenth among them, ascending."""
        fourteenth = self.fourteenth.get(player)
        return sorted(self.hands[player] if fourteenth is None else [*self.hands[player], fourteenth])

    def end(self) -> End:
        """Return the hands as they lie: the fourteenth tile is a winner's, or one drawn and not discarded."""
        if not self.ended:
            self.set_drawn_apart()
        fourteenth = [self.fourteenth.get(player) for player in range(self.rules.players)]
        hands = map(Hand, map(tuple, map(sorted, self.hands)), fourteenth, map(tuple, self.melds))
        return End(tuple(hands), self.points if self.ended else None)

    # --- what is wrong -----------------------------------------------------------------------------------------------

    def expect_points(self, recorded: tuple[int, ...] | None) -> None:
        """Check that the points are those *recorded*."""
        if recorded is not None and self.points is not None and recorded != self.points:
            raise PlayError(f"the points are {listed(self.points)}, not {listed(recorded)} (hundreds)")

    def other_indicators(self, shown: Iterable[int], *, ura: bool = False) -> PlayError:
        """Return what is wrong with indicators that are not those turned."""
        turned, name = (self.ura, "ura dora") if ura else (self.indicators, "dora")
        return PlayError(f"the {name} indicators are {listed(turned)}, not {listed(shown)}")

    def expect_paid(self) -> None:
        """Check that nobody owes a riichi stick."""
        if self.declared is not None:
            raise PlayError(f"player {self.declared} declared riichi and never paid for it")

    def expect_wall(self) -> None:
        """Check that no more was drawn than there is to draw."""
        if len(self.wall) + len(self.indicators) + len(self.ura) < _DEAD_WALL:
            raise PlayError("more tiles are drawn than there are to draw")

    def expect_turn(self, player: int, act: str) -> None:
        """Check that it is the turn of *player*."""
        if self.turn == UNPAID:
            self.expect_paid()
        if self.ended:
            raise PlayError(f"player {player} {act} after the frame's end")
        if player != self.turn:
            raise PlayError(f"player {player} {act}, but it is player {self.turn}'s turn")

    def expect_drawn(self, player: int, act: str) -> None:
        """Check that it is the turn of *player*, who has drawn a tile."""
        if player != self.turn:
            self.expect_turn(player, act)
        if self.drawn is None or self.drawn == CALLED:
            raise PlayError(f"player {player} {act} without having drawn")
        if self.declared is not None:
            raise PlayError(f"player {player} {act} in place of the riichi discard")

    def bad_deal(self, start: Start) -> PlayError:
        """Return what is wrong with a deal that does not leave the wall it should."""
        self.wall = _SETS[self.rules.players].copy()
        try:
            for hand in start.hands:
                self.leave_wall(hand)
        except PlayError as error:
            return error
        raise AssertionError(start)

    def not_in_wall(self, tile: int) -> PlayError:
        """Return what is wrong with a tile that cannot come from the wall."""
        if tile in _SETS[self.rules.players]:
            return PlayError(f"tile {self.label(tile)} is there twice")
        return PlayError(f"tile {self.label(tile)} is not in a {self.rules.players}-player set")

    def not_held(self, tile: int, player: int) -> PlayError:
        """Return what is wrong with a tile that is not in the hand."""
        return PlayError(f"player {player} does not hold tile {self.label(tile)}")

    def bad_choice(self, tile: int, player: int) -> PlayError:
        """Return what is wrong with the discard of another tile than the one drawn."""
        if tile not in self.hands[player]:
            return self.not_held(tile, player)
        return PlayError(f"player {player} discards tile {self.label(tile)} from the hand after riichi")

    def bad_turn(self, event: Any, turn: int, act: str) -> PlayError:
        """Return what is wrong with a draw or discard that does not have to be made now."""
        self.turn = turn
        self.expect_turn(event.player, act)
        missing = "discarded" if type(event) is Draw else "drawn"
        return PlayError(f"player {turn} {act} without having {missing}")


def listed(numbers: Iterable[int] | None) -> str:
    """Return *numbers* for an error message, comma between."""
    return ",".join(map(str, numbers or ()))
