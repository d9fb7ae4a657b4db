"""The hands of a frame, counted along with the play: to count a hand again for each discard would take longer than
the rest."""

from __future__ import annotations

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Call, Kakan
from jmjp_convert.model.tiles import kind
from jmjp_convert.play.legal import counted, melds_of
from jmjp_convert.play.shanten import shanten, useful
from jmjp_convert.play.table import Table

OPEN = Call | Kakan
"""The melds that open a hand."""


class HandInPlay:
    """The hand of *player* at *table*, whose frame is about to begin.

    :ivar called: the number of melds that open it.
    :ivar shanten: of the hand without the tile just drawn; ``None`` if it is not known, and after a meld.
    """

    def __init__(self, table: Table, player: int) -> None:
        self._table = table
        self._player = player
        self._players = table.rules.players
        self.shanten: int | None
        self._counts: bytearray | None
        self.count()
        if self._counts is not None:
            dealt = self._counts if table.turn != player or table.drawn is None else counted(table, player)
            self.shanten = shanten(dealt, players=self._players)

    def count(self) -> None:
        """Count the tiles and melds, as they are on the table."""
        table, player = self._table, self._player
        self._melds = melds_of(table, player)
        self.called = sum([isinstance(meld, OPEN) for meld in table.melds[player]])
        self.shanten = None
        try:
            self._counts = counted(table, player, drawn=True)
        except PlayError:
            self._counts = None

    def draw(self, tile: int) -> None:
        """Add a *tile* that is drawn."""
        number = kind(tile)
        if number is None:
            self._counts = None
        elif self._counts is not None:
            self._counts[number] += 1

    def discard(self, tile: int, drawn: int | None) -> int | None:
        """Remove a *tile* that is about to be discarded, and return the shanten with it; ``None`` if it or the hand is
        not known.

        :param drawn: the tile just drawn, if any.
        """
        if self._counts is None:
            self.count()
        counts, number, before_draw = self._counts, kind(tile), self.shanten
        if counts is None or number is None:
            self._counts = self.shanten = None
            return None
        counts[number] -= 1
        if before_draw is None or drawn is None or kind(drawn) != number:
            self.shanten = shanten(counts, self._melds, players=self._players)
            if before_draw is not None and self.shanten is not None and self.shanten < before_draw:
                return self.shanten  # a draw lowers it by one at most
        counts[number] += 1
        with_it = shanten(counts, self._melds, players=self._players)
        counts[number] -= 1
        return with_it

    def waits(self) -> tuple[int, ...] | None:
        """Return the kinds that complete the hand, which has discarded; ``None`` if it is not known."""
        if self._counts is None:
            return None
        return useful(self._counts, self._melds, players=self._players) if self.shanten == 0 else ()
