"""A position: where every tile is, whose turn it is, and the elementary changes to it. Compares hands, too.

A hand excludes the tile just drawn, which is kept apart until its player discards. It is stored as bytes, one tile id
each, so that it can also contain tiles known only by face, several of which share one id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from operator import add
from typing import Final, NamedTuple

from jmjp_convert.errors import PaymentError, PlayError, impossible
from jmjp_convert.messages import Message, Points
from jmjp_convert.model import Ankan, Discard, Kakan, Kita, Meld, Rules, Start
from jmjp_convert.model.tiles import COPIES, IDS, NO_REDS, PHYSICAL, UNKNOWN, RedFives, any_copy, exists, faces, label
from jmjp_convert.play.points import STICK


class Comparison(NamedTuple):
    """How a hand as played compares with the same hand as recorded."""

    gone: Counter[int]  # the known tiles that are only in the first
    come: Counter[int]  # those that are only in the second: unknown in the first, if the hands may be the same
    alike: bool  # whether they may be the same hand


def compared(played: Iterable[int], recorded: Iterable[int], unseen: int) -> Comparison:
    """Compare the tiles of a hand as *played* with those *recorded*; an unknown tile may be any.

    :param unseen: the number of unidentified tiles that have left the hand: it still has them in *played*.
    """
    had, has = Counter(played), Counter(recorded)
    surplus = had.total() - has.total()
    unknown_had, unknown_has = had.pop(UNKNOWN, 0), has.pop(UNKNOWN, 0)
    gone, new = had - has, has - had
    alike = surplus == unseen and gone.total() <= unknown_has + unseen and new.total() <= unknown_had
    return Comparison(gone, new, alike or not (gone or new or surplus))


DEALT: Final = 13
"""The number of tiles dealt to each player."""

DEAD_WALL: Final = 14
"""The number of tiles in the dead wall."""

Exposed = Discard | Kakan | Ankan | Kita
"""The events whose tile can be ronned; a discard can also be called."""

NOBODY: Final = -1
"""The turn when the frame has ended, and from a riichi tile until its stick is paid."""

_MAX_DORA: Final = 5
_NUMBERS: Final = {2: "two", 3: "three", 4: "four", 5: "five"}

SETS: Final = {
    players: bytes([tile for tile in range(PHYSICAL) if exists(tile // COPIES, players)]) for players in (4, 3)
}
"""By number of players, the tiles of a set, ascending."""

MOST_DRAWS: Final = {players: len(tiles) - players * DEALT - DEAD_WALL for players, tiles in SETS.items()}
"""By number of players, the draws after which the wall is empty."""


def _counts(tiles: Iterable[int]) -> list[int]:
    """Return by tile ID how many of *tiles* have it."""
    counts = [0] * IDS
    for tile in tiles:
        counts[tile] += 1
    return counts


_SET_COUNTS: Final = {players: _counts(tiles) for players, tiles in SETS.items()}
"""By number of players, how many tiles of a set have each ID."""


@cache
def _face_counts(players: int, red_fives: RedFives | None) -> list[int]:
    """Return by tile ID how many tiles of a set are known by that face. If the number of *red_fives* is not recorded,
    none has been seen."""
    names = faces(red_fives or NO_REDS)
    return _counts(any_copy(names[tile]) for tile in SETS[players])


STATE: Final = (
    "rules",
    "hands",
    "melds",
    "points",
    "sticks",
    "honba",
    "indicators",
    "ura",
    "undated",
    "turn",
    "drawn",
    "called",
    "last",
    "declared",
    "riichi",
    "loose",
    "winners",
    "ended",
    "unseen",
    "fourteenth",
    "after",
    "passed",
    "wall",
    "hidden",
)
"""The attributes of a position."""


class Position:
    """The state of a frame.

    :raises PlayError: the play is not recorded, or the deal is impossible.
    """

    __slots__ = STATE

    def __init__(self, start: Start, rules: Rules) -> None:
        if not start.hands:
            raise PlayError("the play is not recorded")
        players = rules.players
        self.rules = rules
        # By player, the closed tiles, unordered, without the tile just drawn.
        self.hands = list(map(bytearray, start.hands))
        # By player, oldest first; a kakan is in the place of its pon.
        self.melds: list[list[Meld]] = [[] for _ in start.hands]
        self.points = start.points  # by player, if known
        self.sticks = start.sticks  # the number of riichi sticks on the table, if known
        self.honba = start.honba
        self.indicators: list[int] = []  # the dora indicators turned
        self.ura: tuple[int, ...] = ()  # the ura dora indicators shown by a winner
        self.undated = start.kan_indicators  # the dora indicators whose timing is not recorded
        self.turn = start.dealer  # the player to act, or NOBODY
        self.drawn: int | None = None  # the tile that this player has drawn and not yet discarded
        self.called = False  # whether this player has called chi or pon, and so discards without having drawn
        # The event whose tile can be called or ronned: the last discard, or the kan or kita that came after it.
        self.last: Exposed | None = None
        self.declared: int | None = None  # the player who has declared riichi but not yet paid for it
        self.riichi = [False] * players  # by player, whether riichi has been declared and paid for
        # By player, the tiles that may be discarded in place of the one drawn: the hand, or none in riichi.
        self.loose = self.hands.copy()
        self.winners: set[int] = set()  # the players who have won
        self.ended = False  # whether the frame has ended
        self.unseen = [0] * players  # by player, the number of unidentified tiles that have left the hand
        # By player, the winning tile, or a tile drawn and not discarded when the frame ended.
        self.fourteenth: list[int | None] = [None] * players
        self.after = [*range(1, players), 0]  # by player, whose turn it is after their discard
        # The last riichi tile that nobody ronned, and the number of unseen tiles at that point.
        self.passed: tuple[Exposed | None, int] | None = None
        self.hidden = len(SETS[players])  # the number of tiles that have not been drawn or turned over yet
        # By tile ID, how many have not been seen yet, including those behind unknown tiles in play.
        wall = self.wall = _SET_COUNTS[players].copy()
        dealt = b"".join(self.hands)
        if len(SETS[players].translate(None, dealt)) + len(dealt) == self.hidden:
            for tile in dealt:
                wall[tile] = 0
            self.hidden -= len(dealt)
        else:
            self._deal(start)
        if start.indicator is not None:
            self.turn_over(start.indicator)
        if start.kan_indicators:
            self.leave_wall(start.kan_indicators)
            self._expect_few_dora()
        if start.fourteenth is not None:
            self.leave_wall((start.fourteenth,))
            self.drawn = start.fourteenth

    def _deal(self, start: Start) -> None:
        """Deal hands that are not all made of distinct tiles of the set.

        :raises PlayError: there are too many copies of a tile.
        """
        players, red_fives = self.rules.players, self.rules.red_fives
        known = all(tile < PHYSICAL for hand in start.hands for tile in hand)
        if not known:
            self.wall = _face_counts(players, red_fives).copy()
        for player, hand in enumerate(start.hands):
            if len(hand) != DEALT:
                error = impossible(
                    "{player} is dealt {count} tiles; {dealt} expected", player, count=len(hand), dealt=DEALT
                )
                error.index = -2 - player
                raise error
            try:
                self.leave_wall(hand)
            except PlayError as error:
                error.index = -2 - player
                raise

    # --- queries -----------------------------------------------------------------------------------------------------

    @property
    def replacement(self) -> int | None:
        """The player about to draw a replacement tile for a kan or kita; it is then that player's turn.

        After a daiminkan *last* is ``None``, as at the start of a frame, but the player has a meld.
        """
        last = self.last
        if type(last) is Discard or self.drawn is not None or self.called or self.turn == NOBODY:
            return None
        return self.turn if last is not None or self.melds[self.turn] else None

    @property
    def left(self) -> int:
        """The number of tiles left to draw."""
        return self.hidden + len(self.indicators) + len(self.undated) + len(self.ura) - DEAD_WALL

    @property
    def turned(self) -> tuple[int, ...]:
        """The dora indicators turned, the undated ones last."""
        return (*self.indicators, *self.undated)

    def is_closed(self, player: int) -> bool:
        """Return whether *player* has no melds but closed kans and kita."""
        return all(isinstance(meld, Ankan | Kita) for meld in self.melds[player])

    def left_in_wall(self) -> list[int]:
        """Return the tiles of the wall, ascending."""
        return [tile for tile, count in enumerate(self.wall) for _ in range(count)]

    def closed(self, player: int) -> list[int]:
        """Return the closed tiles of *player*, including the fourteenth, ascending."""
        fourteenth = self.fourteenth[player]
        return sorted(self.hands[player] if fourteenth is None else [*self.hands[player], fourteenth])

    def may_hold(self, player: int, recorded: Sequence[int]) -> bool:
        """Return whether *recorded* may be the closed tiles of *player*; an unknown tile may be any."""
        closed = self.closed(player)
        return sorted(recorded) == closed or (
            (UNKNOWN in closed or UNKNOWN in recorded or bool(self.unseen[player]))
            and compared(closed, recorded, self.unseen[player]).alike
        )

    def label(self, tile: int) -> str:
        """Return *tile* for an error message."""
        return label(tile, red_fives=self.rules.red_fives)

    # --- tiles -------------------------------------------------------------------------------------------------------

    def leave_wall(self, tiles: tuple[int, ...]) -> None:
        """Remove *tiles* from the wall."""
        wall = self.wall
        self.hidden -= len(tiles)
        for tile in tiles:
            left = wall[tile]
            if left:
                wall[tile] = left - 1
            else:
                self.leave_unknown(tile)

    def leave_unknown(self, tile: int) -> None:
        """Check that a *tile* that leaves the wall, but is not in it, is unknown, and so stands for any that is.

        :raises PlayError: the tile is known.
        """
        if tile != UNKNOWN:
            raise self._not_in_wall(tile)

    def take(self, tiles: Iterable[int], player: int) -> None:
        """Remove *tiles* from the hand of *player*."""
        hand = self.hands[player]
        for tile in tiles:
            if tile in hand:
                hand.remove(tile)
            elif not self.take_unknown(tile, player):
                raise self.not_held(tile, player)

    def take_unknown(self, tile: int, player: int) -> bool:
        """Remove *tile*, not known to be there, from the hand of *player*; return whether it may be there."""
        hand = self.hands[player]
        if UNKNOWN in hand:
            hand.remove(UNKNOWN)
            self.identify(tile)
        elif tile == UNKNOWN and hand:
            self.unseen[player] += 1
        else:
            return False
        return True

    def identify(self, tile: int) -> None:
        """Identify an unknown tile in play as *tile*."""
        if tile != UNKNOWN:
            self.hidden += 1  # it has left the wall before
            self.leave_wall((tile,))

    def take_in(self) -> None:
        """Add the tile just drawn to the hand."""
        if self.drawn is not None:
            self.hands[self.turn].append(self.drawn)
        self.drawn = None

    def set_drawn_apart(self) -> None:
        """Make the tile drawn and not discarded its player's fourteenth."""
        if self.drawn is not None:
            self.fourteenth[self.turn] = self.drawn
        self.drawn = None

    def turn_over(self, indicator: int) -> None:
        """Turn a dora indicator."""
        self.leave_wall((indicator,))
        self.indicators.append(indicator)
        self._expect_few_dora()

    def _expect_few_dora(self) -> None:
        """Check the number of dora indicators."""
        if len(self.indicators) + len(self.undated) > _MAX_DORA:
            raise PlayError(f"more than {_MAX_DORA} dora indicators")

    def _not_in_wall(self, tile: int) -> PlayError:
        """Return the error for a tile that cannot come from the wall."""
        players = self.rules.players
        count = (_face_counts(players, self.rules.red_fives) if tile >= PHYSICAL else _SET_COUNTS[players])[tile]
        if not count:
            return PlayError(f"tile {self.label(tile)} is not in a {_NUMBERS[players]}-player set")
        if tile < PHYSICAL:
            return PlayError(f"tile {self.label(tile)} appears twice")
        return PlayError(f"{_NUMBERS[count + 1]} copies of {self.label(tile)}")

    def not_held(self, tile: int, player: int) -> PlayError:
        """Return the error for a tile that is not in the hand."""
        return impossible("{player} does not hold tile {tile}", player, tile=self.label(tile))

    # --- points ------------------------------------------------------------------------------------------------------

    def pay(self, changes: tuple[int, ...] | None, sticks: int | None) -> None:
        """Pay *changes*, which include *sticks* riichi sticks."""
        if changes is None or self.points is None:
            self.points = None
            return
        if sticks is not None and sum(changes) != sticks * STICK:
            found, expected = Points(sum(changes)), Points(sticks * STICK)
            raise PaymentError(
                Message("the payments add up to {found}; {expected} expected", found=found, expected=expected)
            )
        self.points = tuple(map(add, self.points, changes))

    def lay_stick(self, player: int) -> None:
        """Pay for a riichi."""
        if self.points is not None:
            points = list(self.points)
            points[player] -= STICK
            self.points = tuple(points)
        if self.sticks is not None:
            self.sticks += 1
