"""The hands of a frame, counted along with the play: counting one again for each discard takes longer than all else."""

from __future__ import annotations

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Call, Kakan
from jmjp_convert.model.tiles import kind
from jmjp_convert.play.legal import counted, melds_of
from jmjp_convert.play.shanten import shanten
from jmjp_convert.play.table import Table

OPEN = Call | Kakan
"""The melds that open a hand."""


class HandInPlay:
    """The hand of *player* at *table*.

    :ivar called: the number of melds that open it.
    """

    def __init__(self, table: Table, player: int) -> None:
        self._table = table
        self._player = player
        self.count()

    def count(self) -> None:
        """Count the tiles and melds, as they are on the table."""
        table, player = self._table, self._player
        self._melds = melds_of(table, player)
        self.called = sum([isinstance(meld, OPEN) for meld in table.melds[player]])
        self._before_draw: int | None = None
        try:
            self._counts: bytearray | None = counted(table, player, drawn=True)
        except PlayError:
            self._counts = None

    def draw(self, tile: int) -> None:
        """Add a *tile* that is drawn."""
        number = kind(tile)
        if number is None:
            self._counts = None
        elif self._counts is not None:
            self._counts[number] += 1

    def discard(self, tile: int, drawn: int | None) -> tuple[int | None, int | None]:
        """Remove a *tile* that is about to be discarded, and return the shanten before and after; both are ``None`` if
        the hand is not known.

        :param drawn: the tile just drawn, if any.
        """
        if self._counts is None:
            self.count()
        counts, number, known = self._counts, kind(tile), self._before_draw
        if counts is None or number is None:
            self._counts = self._before_draw = None
            return None, None
        players = self._table.rules.players
        before = shanten(counts, self._melds, players=players)
        counts[number] -= 1
        if known is None or drawn is None or kind(drawn) != number:
            known = shanten(counts, self._melds, players=players)
        self._before_draw = known
        return before, known
