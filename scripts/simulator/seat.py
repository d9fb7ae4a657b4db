"""A seat at the table: the player's hand, melds and discards, and their consequences."""

from __future__ import annotations

from simulator.hand_shapes import EMPTY_KEYS, UNIT_OF, waits
from simulator.melds import Meld, MeldType
from simulator.tile_kinds import KINDS, RED_FIVES, SUIT_OF


class Seat:
    """A seat at the table, in one frame.

    :ivar player: the player, 0 to 3; 0 is the dealer of the first frame.
    :ivar tiles: the closed tiles, including the one just drawn.
    :ivar counts: the number of closed tiles by kind.
    :ivar keys: the closed tiles by suit, see `hand_shapes`.
    :ivar drawn: the tile just drawn; `None` after a call, and in other players' turns.
    :ivar melds: oldest first; a kakan replaces its pon in place.
    :ivar meld_sets: how many melds are sets of the hand, which norths are not.
    :ivar open: whether a tile was taken from another player.
    :ivar river: the kinds discarded, in order.
    :ivar discarded: the same as bits.
    :ivar discard_called: whether another player has called one of them.
    :ivar waits: the kinds, as bits, that complete the hand before a draw.
    :ivar missed_win: whether the player has let one of them pass: no ron until the next discard, or ever in riichi.
    :ivar riichi: whether the player is in riichi; *double_riichi*: since the first discard.
    :ivar ippatsu: whether a win now would be ippatsu.
    :ivar ankan_by_third: whether the player's program encodes closed kans by their third tile.
    :ivar disconnected: whether the player has lost the connection, and discards every drawn tile.
    """

    __slots__ = (
        *("player", "tiles", "counts", "keys", "drawn", "melds", "meld_sets", "open", "river", "discarded"),
        *("discard_called", "waits", "missed_win", "riichi", "double_riichi", "ippatsu"),
        *("ankan_by_third", "disconnected"),
    )

    def __init__(self, player: int, dealt: tuple[int, ...]) -> None:
        self.player = player
        self.tiles: list[int] = []
        self.counts = [0] * KINDS
        self.keys = list(EMPTY_KEYS)
        self.drawn: int | None = None
        self.melds: list[Meld] = []
        self.meld_sets = 0
        self.open = False
        self.river: list[int] = []
        self.discarded = 0
        self.discard_called = False
        self.missed_win = False
        self.riichi = False
        self.double_riichi = False
        self.ippatsu = False
        self.ankan_by_third = False
        self.disconnected = False
        for tile in dealt:
            self._add(tile)
        self._update_waits()

    def _add(self, tile: int) -> None:
        kind = tile >> 2
        self.tiles.append(tile)
        self.counts[kind] += 1
        self.keys[SUIT_OF[kind]] += UNIT_OF[kind]

    def _remove(self, tile: int) -> None:
        kind = tile >> 2
        self.tiles.remove(tile)
        self.counts[kind] -= 1
        self.keys[SUIT_OF[kind]] -= UNIT_OF[kind]

    def draw(self, tile: int) -> None:
        """Take *tile* from the wall."""
        self._add(tile)
        self.drawn = tile

    def discard(self, tile: int) -> None:
        """Discard *tile*."""
        self._remove(tile)
        kind = tile >> 2
        self.river.append(kind)
        self.discarded |= 1 << kind
        if tile != self.drawn:
            self._update_waits()
        self.drawn = None
        self.ippatsu = False
        if not self.riichi:
            self.missed_win = False

    def lay(self, meld: Meld) -> None:
        """Lay *meld* down."""
        for tile in meld.held:
            self._remove(tile)
        if meld.type is MeldType.KAKAN:
            place = next(place for place, other in enumerate(self.melds) if other.tiles == _pon_tiles(meld))
            self.melds[place] = meld
        else:
            self.melds.append(meld)
            self.meld_sets += meld.type is not MeldType.KITA
        self.open |= meld.giver > 0
        self.drawn = None
        if meld.type is not MeldType.CHI and meld.type is not MeldType.PON:  # these are still followed by a discard
            self._update_waits()

    def _update_waits(self) -> None:
        self.waits = waits(self.keys, closed=not self.meld_sets)

    @property
    def furiten(self) -> bool:
        """Whether the hand may not win by ron."""
        return self.missed_win or bool(self.waits & self.discarded)

    @property
    def tenpai(self) -> bool:
        """Whether the hand is tenpai at an exhaustive draw."""
        return self.riichi or self.waits != 0

    def tiles_of(self, kind: int) -> list[int]:
        """Return the closed tiles of *kind*, ascending, with a red five last."""
        return sorted((tile for tile in self.tiles if tile >> 2 == kind), key=lambda tile: (tile in RED_FIVES, tile))


def _pon_tiles(kakan: Meld) -> tuple[int, ...]:
    """Return the tiles of the pon that became *kakan*."""
    return tuple(tile for tile in kakan.tiles if tile != kakan.held[0])
