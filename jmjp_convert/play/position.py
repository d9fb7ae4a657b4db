"""A position: where every tile is, whose turn it is, and the elementary ways to change that.

A hand is without the tile just drawn, which lies apart until its player discards. It is bytes, each a tile id: so it
holds tiles of which only the face is known as well, of which several have one id.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import add

from jmjp_convert.errors import PaymentError, PlayError
from jmjp_convert.model import Ankan, Discard, Kakan, Kita, Meld, Rules, Start
from jmjp_convert.model.tiles import COPIES, PHYSICAL, UNKNOWN, any_copy, faces, label
from jmjp_convert.play.points import STICK

DEALT = 13
"""The tiles that each player is dealt."""

Exposed = Discard | Kakan | Ankan | Kita
"""What may be ronned, and of a discard, taken."""

NOBODY = -1
"""Whose turn it is when the frame has ended, and from a riichi tile until its stick is paid."""

_DEAD_WALL = 14
_MAX_DORA = 5
_NUMBERS = {2: "two", 4: "four", 5: "five"}
_AFTER = {4: (1, 2, 3, 0), 3: (1, 2, 0)}

# The tiles by players: with three there are no 2m to 8m.
_SETS = {4: bytes(range(PHYSICAL)), 3: bytes(tile for tile in range(PHYSICAL) if tile // COPIES not in range(1, 8))}


def _face_sets(players: int) -> dict[bool | None, bytes]:
    """Return the tiles of which only the faces are known, by whether there are red fives: if that is not recorded, no
    red five has been seen."""
    return {
        red: bytes(any_copy(faces(red_fives=bool(red))[tile]) for tile in _SETS[players]) for red in (True, False, None)
    }


_FACE_SETS = {players: _face_sets(players) for players in _SETS}


class Position:
    """How a frame stands.

    :ivar rules: those of the match.
    :ivar hands: by player the closed tiles, in no order, without the tile just drawn.
    :ivar melds: by player, oldest first; a kakan is in the place of its pon.
    :ivar points: by player, if known.
    :ivar sticks: the riichi sticks on the table, if known.
    :ivar honba: a count.
    :ivar indicators: those of dora that are turned.
    :ivar ura: those of the ura dora that a winner has shown.
    :ivar turn: whose turn it is, or :data:`NOBODY`'s.
    :ivar drawn: the tile that the player whose turn it is has drawn and not yet discarded.
    :ivar called: whether that player has taken a chi or pon, and so discards without having drawn.
    :ivar last: what may be taken or ronned: the last discard, or the tile of the kan or kita that came after it.
    :ivar declared: who has declared riichi and not yet paid for it.
    :ivar riichi: by player, whether a riichi is declared and paid.
    :ivar winners: who has won.
    :ivar ended: whether the frame has.
    :ivar wall: the tiles that nobody has seen; some of them are in play, if tiles are that are not known.
    :ivar unknown: how many tiles in play are not known, not even by their face.
    :ivar unseen: by player, how many tiles have left the hand of which nobody knows which.
    :ivar fourteenth: by player, the winning tile, or one that was drawn and not discarded when the frame ended.
    :ivar after: by player, whose turn it is after a discard.
    :ivar passed: the last riichi tile that nobody has ronned, and how many tiles nobody had seen then.
    :raises PlayError: the play is not recorded, or the deal cannot be.
    """

    def __init__(self, start: Start, rules: Rules) -> None:
        if not start.hands:
            raise PlayError("the play is not recorded")
        players = rules.players
        self.rules = rules
        self.hands = list(map(bytearray, start.hands))
        self.melds: list[list[Meld]] = [[] for _ in start.hands]
        self.points = start.points
        self.sticks = start.sticks
        self.honba = start.honba
        self.indicators: list[int] = []
        self.ura: tuple[int, ...] = ()
        self.turn = start.dealer
        self.drawn: int | None = None
        self.called = False
        self.last: Exposed | None = None
        self.declared: int | None = None
        self.riichi = [False] * players
        self.winners: set[int] = set()
        self.ended = False
        self.unknown = 0
        self.unseen = [0] * players
        self.fourteenth: list[int | None] = [None] * players
        self.after = list(_AFTER[players])
        self.passed: tuple[Exposed | None, int] | None = None
        tiles = _SETS[players]
        self.wall = bytearray(tiles.translate(None, b"".join(self.hands)))
        if len(self.wall) + sum(map(len, start.hands)) != len(tiles):
            self._deal(start)
        if start.indicator is not None:
            self.turn_over(start.indicator)
        if start.fourteenth is not None:
            self.leave_wall((start.fourteenth,))
            self.drawn = start.fourteenth

    def _deal(self, start: Start) -> None:
        """Deal from a wall of which not every tile is one of its own.

        :raises PlayError: a tile is there too often.
        """
        known = all(tile < PHYSICAL for hand in start.hands for tile in hand)
        players, red_fives = self.rules.players, self.rules.red_fives
        self.wall = bytearray(_SETS[players] if known else _FACE_SETS[players][red_fives])
        for player, hand in enumerate(start.hands):
            if len(hand) != DEALT:
                raise PlayError(f"player {player} is dealt {len(hand)} tiles; {DEALT} expected", -2 - player)
            try:
                self.leave_wall(hand)
            except PlayError as error:
                error.index = -2 - player
                raise

    # --- what is asked -----------------------------------------------------------------------------------------------

    @property
    def replacement(self) -> int | None:
        """Who draws a replacement tile next, for a kan or kita: then it is that player's turn.

        After a daiminkan there is nothing to be taken, as at the start of a frame, but then there is a meld.
        """
        last = self.last
        if type(last) is Discard or self.drawn is not None or self.called or self.turn == NOBODY:
            return None
        return self.turn if last is not None or self.melds[self.turn] else None

    @property
    def left(self) -> int:
        """How many tiles are left to draw."""
        return self.hidden() + len(self.indicators) + len(self.ura) - _DEAD_WALL

    def hidden(self) -> int:
        """Return how many tiles nobody has seen."""
        return len(self.wall) - self.unknown

    def closed(self, player: int) -> list[int]:
        """Return the closed tiles of *player*, the fourteenth among them, ascending."""
        fourteenth = self.fourteenth[player]
        return sorted(self.hands[player] if fourteenth is None else [*self.hands[player], fourteenth])

    def label(self, tile: int) -> str:
        """Return *tile* for an error message."""
        return label(tile, red_fives=self.rules.red_fives)

    # --- tiles -------------------------------------------------------------------------------------------------------

    def leave_wall(self, tiles: Iterable[int]) -> None:
        """Take *tiles* out of the wall."""
        remove = self.wall.remove
        for tile in tiles:
            try:
                remove(tile)
            except ValueError:
                self.leave_unknown(tile)

    def leave_unknown(self, tile: int) -> None:
        """Take a tile out of the wall that is not in it: if it is not known, it is any of those that are.

        :raises PlayError: it is known.
        """
        if tile != UNKNOWN:
            raise self._not_in_wall(tile)
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
            self.identify(tile)
        elif tile == UNKNOWN and hand:
            self.unseen[player] += 1
        else:
            return False
        return True

    def identify(self, tile: int) -> None:
        """Let a tile that was not known be *tile*."""
        if tile != UNKNOWN:
            self.unknown -= 1
            self.leave_wall((tile,))

    def take_in(self) -> None:
        """Put the tile just drawn to the others of the hand."""
        if self.drawn is not None:
            self.hands[self.turn].append(self.drawn)
        self.drawn = None

    def set_drawn_apart(self) -> None:
        """Make a tile that was drawn and is not discarded its owner's fourteenth."""
        if self.drawn is not None:
            self.fourteenth[self.turn] = self.drawn
        self.drawn = None

    def turn_over(self, indicator: int) -> None:
        """Turn a dora indicator."""
        self.leave_wall((indicator,))
        self.indicators.append(indicator)
        if len(self.indicators) > _MAX_DORA:
            raise PlayError(f"more than {_MAX_DORA} dora indicators")

    def _not_in_wall(self, tile: int) -> PlayError:
        """Return what is wrong with a tile that cannot come from the wall."""
        players = self.rules.players
        count = _FACE_SETS[players][self.rules.red_fives].count(tile) if tile >= PHYSICAL else tile in _SETS[players]
        if not count:
            return PlayError(f"tile {self.label(tile)} is not in a {players}-player set")
        if tile < PHYSICAL:
            return PlayError(f"tile {self.label(tile)} appears twice")
        return PlayError(f"{_NUMBERS[count + 1]} copies of {self.label(tile)}")

    def not_held(self, tile: int, player: int) -> PlayError:
        """Return what is wrong with a tile that is not in the hand."""
        return PlayError(f"player {player} does not hold tile {self.label(tile)}")

    # --- points ------------------------------------------------------------------------------------------------------

    def pay(self, changes: tuple[int, ...] | None, sticks: int | None) -> None:
        """Pay *changes*, which hand out *sticks* riichi sticks."""
        if changes is None or self.points is None:
            self.points = None
            return
        if sticks is not None and sum(changes) != sticks * STICK:
            raise PaymentError(f"the payments add up to {sum(changes)}; {sticks * STICK} expected")
        self.points = tuple(map(add, self.points, changes))

    def lay_stick(self, player: int) -> None:
        """Pay for a riichi."""
        if self.points is not None:
            points = list(self.points)
            points[player] -= STICK
            self.points = tuple(points)
        if self.sticks is not None:
            self.sticks += 1
