"""A player at the table: the hand, what lies before it, and what the player may and may not do."""

from __future__ import annotations

from simulator.hand_shapes import EMPTY, KINDS, SUIT, UNIT, waits
from simulator.melds import RED, Laid, Name


class Seat:
    """A player at the table, in one frame.

    :ivar tiles: the closed tiles, the one just drawn too.
    :ivar counts: by kind, how many of them there are.
    :ivar keys: the same by suit, see `shapes.py`.
    :ivar drawn: the tile just drawn; `None` after a call, and while it is another's turn.
    :ivar melds: the oldest first; a kakan in the place of its pon.
    :ivar sets: how many of them stand for three tiles of the hand: all but norths.
    :ivar open: whether a tile was taken from another.
    :ivar river: the kinds discarded, in their order.
    :ivar thrown: the same as bits.
    :ivar given: whether another took one of them.
    :ivar waits: the kinds, as bits, that complete the hand as it lies before a draw.
    :ivar passed: whether it was let pass that one of them was thrown: no ron until the next discard, or ever after
        riichi.
    :ivar riichi: whether riichi counts; *double*: on the first discard.
    :ivar ippatsu: whether a win would be one.
    :ivar names_third: whether the player's closed kans are named by their third tile.
    :ivar gone: whether the player has lost the connection: what is drawn is discarded.
    """

    __slots__ = (
        *("player", "tiles", "counts", "keys", "drawn", "melds", "sets", "open", "river", "thrown", "given", "waits"),
        *("passed", "riichi", "double", "ippatsu", "names_third", "gone"),
    )

    def __init__(self, player: int, dealt: tuple[int, ...]) -> None:
        self.player = player
        self.tiles: list[int] = []
        self.counts = [0] * KINDS
        self.keys = list(EMPTY)
        self.drawn: int | None = None
        self.melds: list[Laid] = []
        self.sets = 0
        self.open = False
        self.river: list[int] = []
        self.thrown = 0
        self.given = False
        self.passed = False
        self.riichi = False
        self.double = False
        self.ippatsu = False
        self.names_third = False
        self.gone = False
        for tile in dealt:
            self._add(tile)
        self.settle()

    def _add(self, tile: int) -> None:
        kind = tile >> 2
        self.tiles.append(tile)
        self.counts[kind] += 1
        self.keys[SUIT[kind]] += UNIT[kind]

    def _remove(self, tile: int) -> None:
        kind = tile >> 2
        self.tiles.remove(tile)
        self.counts[kind] -= 1
        self.keys[SUIT[kind]] -= UNIT[kind]

    def draw(self, tile: int) -> None:
        """Take *tile* from the wall."""
        self._add(tile)
        self.drawn = tile

    def discard(self, tile: int) -> None:
        """Throw *tile* away."""
        self._remove(tile)
        kind = tile >> 2
        self.river.append(kind)
        self.thrown |= 1 << kind
        if tile != self.drawn:
            self.settle()
        self.drawn = None
        self.ippatsu = False
        if not self.riichi:
            self.passed = False

    def lay(self, meld: Laid) -> None:
        """Lay *meld* down."""
        for tile in meld.held:
            self._remove(tile)
        if meld.name is Name.KAKAN:
            place = next(place for place, other in enumerate(self.melds) if other.tiles == _before(meld))
            self.melds[place] = meld
        else:
            self.melds.append(meld)
            self.sets += meld.name is not Name.KITA
        self.open |= meld.giver > 0
        self.drawn = None
        if meld.name is not Name.CHI and meld.name is not Name.PON:  # after these a tile too many is still in the hand
            self.settle()

    def settle(self) -> None:
        """Find out what the hand waits for."""
        self.waits = waits(self.keys, closed=not self.sets)

    @property
    def furiten(self) -> bool:
        """Whether the hand may not win by ron."""
        return self.passed or bool(self.waits & self.thrown)

    @property
    def tenpai(self) -> bool:
        """Whether the hand is tenpai at the last tile."""
        return self.riichi or self.waits != 0

    def tiles_of(self, kind: int) -> list[int]:
        """Return the closed tiles of *kind*, ascending, red ones last."""
        return sorted((tile for tile in self.tiles if tile >> 2 == kind), key=lambda tile: (tile in RED, tile))


def _before(kakan: Laid) -> tuple[int, ...]:
    """Return the tiles of the pon that *kakan* was."""
    return tuple(tile for tile in kakan.tiles if tile != kakan.held[0])
