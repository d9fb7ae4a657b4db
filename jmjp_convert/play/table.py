"""The table in play: whose turn it is, where each tile is, and what is wrong with a play.

The hands are without the tile just drawn, which lies apart until the player discards. They are bytes, each a tile id:
so they hold tiles of which only the face is known as well, of which several have one id.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import add
from typing import Any

from jmjp_convert.errors import PaymentError, PlayError
from jmjp_convert.model import DISCARDS, Discard, Draw, End, Event, Hand, Meld, Rules, Start
from jmjp_convert.model.tiles import COPIES, PHYSICAL, UNKNOWN, any_copy, any_copy_of, either_copy_of, faces, label

STICK = 1000
"""The points that a riichi stick stands for."""

DEALT = 13
"""The tiles that each player is dealt."""

CALLED = -1
"""Stands for the drawn tile after a call, which brings none."""

NOBODY = -1
"""Whose turn it is when the frame has ended."""

UNPAID = -2
"""Whose turn it is after a riichi tile, until the stick is paid: nobody may go on before."""

_DEAD_WALL = 14
_TIMES = {2: "twice", 4: "four times", 5: "five times"}
_MAX_DORA = 5
_AFTER = {4: (1, 2, 3, 0), 3: (1, 2, 0)}

# The tiles by players: with three there are no 2m to 8m.
_SETS = {4: set(range(PHYSICAL)), 3: {tile for tile in range(PHYSICAL) if tile // COPIES not in range(1, 8)}}


def _face_sets(players: int) -> dict[bool | None, bytes]:
    """Return the tiles of which only the faces are known, by whether there are red fives: if that is not recorded, no
    red five has been seen."""
    return {
        red: bytes(any_copy(faces(red_fives=bool(red))[tile]) for tile in sorted(_SETS[players]))
        for red in (True, False, None)
    }


_FACE_SETS = {players: _face_sets(players) for players in _SETS}


class Table:
    """The table in play: whose turn it is, and where each tile is."""

    __slots__ = (
        *("rules", "wall", "unknown", "unseen", "hands", "melds", "points", "sticks", "honba", "indicators", "ura"),
        *("locked", "after", "turn", "drawn", "last", "declared", "passed", "winners", "fourteenth", "ended"),
    )

    def __init__(self, start: Start, rules: Rules) -> None:
        self.rules = rules
        self.hands = list(map(bytearray, start.hands))  # without the tile just drawn
        self.unknown = 0  # tiles in play of which not even the face is known
        self.unseen = [0] * rules.players  # tiles that have left a hand, and nobody knows which
        self.melds: list[list[Meld]] = [[] for _ in start.hands]
        self.points = start.points
        self.sticks = start.sticks
        self.honba = start.honba
        self.indicators: list[int] = []
        self.ura: tuple[int, ...] = ()
        self.locked = [False] * rules.players
        self.after = list(_AFTER[rules.players])  # by player, whose turn it is after a discard
        self.turn = start.dealer
        self.drawn: int | None = None  # the tile too many in the hand whose turn it is; CALLED after a call
        self.last: Event | None = None  # the tile that may be taken: a discard, or the tile of a kan or kita
        self.declared: int | None = None  # who has declared riichi and not yet paid
        self.passed: tuple[Event | None, int] | None = None  # the last riichi tile, and what was left when it passed
        self.winners: set[int] = set()
        self.fourteenth: dict[int, int] = {}
        self.ended = False
        # The tiles that nobody has seen.
        self.wall: set[int] | bytearray = _SETS[rules.players].difference(*start.hands)
        if len(self.wall) + sum(map(len, start.hands)) != len(_SETS[rules.players]):
            self.wall = self._deal(start)
        if start.indicator is not None:
            self.turn_over(start.indicator)
        if start.fourteenth is not None:
            self.leave_wall((start.fourteenth,))
            self.drawn = start.fourteenth

    def label(self, tile: int) -> str:
        """Return *tile* for an error message."""
        return label(tile, red_fives=self.rules.red_fives)

    def _deal(self, start: Start) -> bytearray:
        """Return the wall after a deal of which not every tile is one of its own.

        :raises PlayError: a tile is there too often.
        """
        known = all(tile < PHYSICAL for hand in start.hands for tile in hand)
        self.wall = bytearray(
            sorted(_SETS[self.rules.players]) if known else _FACE_SETS[self.rules.players][self.rules.red_fives]
        )
        for player, hand in enumerate(start.hands):
            if len(hand) != DEALT:
                raise PlayError(f"player {player} is dealt {len(hand)} tiles, not {DEALT}", -2 - player)
            try:
                self.leave_wall(hand)
            except PlayError as error:
                error.index = -2 - player
                raise
        return self.wall

    def leave_wall(self, tiles: Iterable[int]) -> None:
        """Take *tiles* out of the wall."""
        remove = self.wall.remove
        for tile in tiles:
            try:
                remove(tile)
            except (KeyError, ValueError):
                self.leave_unknown(tile)

    def leave_unknown(self, tile: int) -> None:
        """Take a tile out of the wall that is not in it: if it is not known, it is any of those that are.

        :raises PlayError: it is known.
        """
        if tile != UNKNOWN:
            raise self.not_in_wall(tile)
        self.unknown += 1

    def take(self, tiles: Iterable[int], player: int) -> None:
        """Take *tiles* out of the hand of *player*."""
        hand = self.hands[player]
        for tile in tiles:
            if tile in hand:
                hand.remove(tile)
            elif not self.take_unknown(tile, player):
                raise self.not_held(tile, player)

    def take_unknown(self, tile: int, player: int) -> bool:
        """Take *tile* out of the hand of *player*, in which it is not known to be; return whether it may be there."""
        hand = self.hands[player]
        if UNKNOWN in hand:
            hand.remove(UNKNOWN)
            self._identify(tile)
        elif tile == UNKNOWN and hand:
            self.unseen[player] += 1
        else:
            return False
        return True

    def _identify(self, tile: int) -> None:
        """Let a tile that was not known be *tile*."""
        if tile != UNKNOWN:
            self.unknown -= 1
            self.leave_wall((tile,))

    def discard_by_face(self, discard: Discard, drawn: int) -> Discard:
        """Let a tile go in place of *drawn* that is not in the hand by its id, since less is known of it, or more.

        :returns: the discard as others see it, of any copy of its face.
        :raises PlayError: it is not there, or must not go.
        """
        player, tile = discard.player, discard.tile
        meant = any_copy_of(tile)
        hand = self.hands[player]
        if tile == either_copy_of(drawn) or (tile == UNKNOWN and self.locked[player]):
            return DISCARDS[player][meant]
        if drawn == UNKNOWN and (self.locked[player] or meant not in hand):
            self._identify(meant)
            return DISCARDS[player][meant]
        if self.locked[player]:
            raise self.bad_choice(tile, player)
        if meant in hand:
            hand.remove(meant)
        elif not self.take_unknown(meant, player):
            raise self.bad_choice(tile, player)
        if drawn != CALLED:
            hand.append(drawn)
        return DISCARDS[player][meant]

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
            raise PaymentError(f"the payments add up to {sum(changes)}, not to {sticks * STICK}")
        self.points = tuple(map(add, self.points, changes))

    def lay_stick(self, player: int) -> None:
        """Pay for a riichi."""
        if self.points is not None:
            self.points = tuple(have - STICK * (who == player) for who, have in enumerate(self.points))
        if self.sticks is not None:
            self.sticks += 1

    def expect_honba(self, recorded: int | None) -> None:
        """Check that the honba are those *recorded*."""
        if recorded not in (None, self.honba):
            raise PlayError(f"the honba are {self.honba}, not {recorded}")

    def take_in(self) -> None:
        """Put the tile just drawn to the others of the hand."""
        if self.drawn is not None and self.drawn != CALLED:
            self.hands[self.turn].append(self.drawn)
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
            raise PlayError(f"the points are {listed(self.points)}, not {listed(recorded)}")

    def other_indicators(self, shown: Iterable[int], *, ura: bool = False) -> PlayError:
        """Return what is wrong with indicators that are not those turned."""
        turned, name = (self.ura, "ura dora") if ura else (self.indicators, "dora")
        return PlayError(f"the {name} indicators are {listed(turned)}, not {listed(shown)}")

    def expect_paid(self) -> None:
        """Check that nobody owes a riichi stick."""
        if self.declared is not None:
            raise PlayError(f"player {self.declared} declared riichi and never paid for it")

    def left(self) -> int:
        """Return how many tiles nobody has seen."""
        return len(self.wall) - self.unknown

    def expect_not_passed(self) -> None:
        """Check that the tile that may be taken is no riichi tile that nobody has ronned: then it is paid for."""
        if self.passed == (self.last, self.left()):
            raise PlayError("a riichi tile is ronned after the riichi was paid for")

    def expect_wall(self) -> None:
        """Check that no more was drawn than there is to draw."""
        if self.left() + len(self.indicators) + len(self.ura) < _DEAD_WALL:
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

    def not_in_wall(self, tile: int) -> PlayError:
        """Return what is wrong with a tile that cannot come from the wall."""
        players = self.rules.players
        count = _FACE_SETS[players][self.rules.red_fives].count(tile) if tile >= PHYSICAL else tile in _SETS[players]
        if not count:
            return PlayError(f"tile {self.label(tile)} is not in a {players}-player set")
        return PlayError(f"tile {self.label(tile)} is there {_TIMES[count + 1]}")

    def not_held(self, tile: int, player: int) -> PlayError:
        """Return what is wrong with a tile that is not in the hand."""
        return PlayError(f"player {player} does not hold tile {self.label(tile)}")

    def bad_choice(self, tile: int, player: int) -> PlayError:
        """Return what is wrong with the discard of another tile than the one drawn."""
        if any_copy_of(tile) not in self.hands[player]:
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
