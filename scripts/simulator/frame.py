"""The play of one frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from jmjp_convert.model import SEATS
from simulator.coverage_counts import count_discard, count_last_tile, count_meld, count_riichi, count_rons, count_win
from simulator.endings import Ending, Win, broken_off, last_tile, won
from simulator.hand_shapes import WINDS
from simulator.legal_actions import waits_for_orphans
from simulator.melds import MOST_KANS, Laid, Name
from simulator.mjlog_grammar import Kind
from simulator.mjlog_writer import Scribe
from simulator.policy import Act, Nine, Throw, Tsumo
from simulator.seat import Seat
from simulator.table import Table

_TRIPLE = 3


class Chooser(Protocol):
    """Who chooses for a player of all that is allowed."""

    def act(self) -> Act:
        """Choose what to do with the tile just drawn."""

    def wins(self) -> bool:
        """Choose whether to win on another's tile."""

    def call(self, tile: int, source: int) -> Laid | None:
        """Choose whether to call *tile*, which *source* has discarded, and for what."""

    def after_call(self, call: Laid) -> int:
        """Choose the discard after *call*."""


class Frame:
    """The play of one frame: it asks those who choose, tells the table, and has the scribe write.

    :param pause: called where somebody may go or come back; *blink* where it would make no difference.
    """

    def __init__(
        self,
        table: Table,
        choosers: Sequence[Chooser],
        scribe: Scribe,
        pause: Callable[[], None],
        blink: Callable[[], None],
    ) -> None:
        self._table = table
        self._choosers = choosers
        self._scribe = scribe
        self._pause = pause
        self._blink = blink
        self._end: Ending | None = None

    def play(self) -> Ending:
        """Play from the dealer's first draw to the end."""
        seat = self._table.seats[self._table.dealer]
        self._draw(seat)
        while self._end is None:
            self._pause()
            act = self._choosers[seat.player].act()
            if isinstance(act, Throw):
                seat = self._throw(seat, act)
            elif isinstance(act, Laid):
                self._declare(seat, act)
            elif isinstance(act, Tsumo):
                assert seat.drawn is not None
                win = Win(seat, seat.drawn, seat.player, act.worth)
                count_win(self._table, win)
                self._end = won(self._table, [win])
            elif isinstance(act, Nine):
                self._end = broken_off(self._table, Kind.NINE_TERMINALS, [seat.player])
        return self._end

    def _draw(self, seat: Seat, replacing: Name | None = None) -> None:
        self._scribe.draw(seat.player, self._table.draw(seat, replacing))

    # --- kans and norths ---------------------------------------------------------------------------------------------

    def _declare(self, seat: Seat, meld: Laid) -> None:
        """Let *seat* lay *meld* down, and the others rob it."""
        table = self._table
        table.lay(seat, meld)
        self._scribe.meld(seat.player, meld)
        count_meld(table, seat, meld)
        if meld.name is not Name.KITA:  # across which a dora stays owed: a guess, no log tells
            self._turn_owed()
        if self._robbed(seat, meld):
            return
        if meld.name is Name.ANKAN:
            self._scribe.dora(table.turn())
        elif meld.name is Name.KAKAN:
            table.owed = True
        self._draw(seat, meld.name)

    def _turn_owed(self) -> None:
        """Turn the dora of a kan that is still owed."""
        if self._table.owed:
            self._table.owed = False
            self._scribe.dora(self._table.turn())

    def _robbed(self, seat: Seat, meld: Laid) -> bool:
        """Let others win on the tile of *meld*: of a closed kan only thirteen orphans may."""
        if meld.name is Name.ANKAN:
            if not self._table.rules.robs_ankan:
                return False
            return self._won(
                seat, meld.tiles[0], meld, [other for other in self._others(seat) if waits_for_orphans(other)]
            )
        return self._won(seat, meld.held[0], meld, self._others(seat))

    def _others(self, seat: Seat) -> list[Seat]:
        return self._table.others(seat.player)

    # --- discards ----------------------------------------------------------------------------------------------------

    def _throw(self, seat: Seat, act: Throw) -> Seat:
        """Let *seat* discard, and whoever calls it discard in turn. Return who has drawn next, if the frame goes on."""
        tile, riichi = act
        while True:
            self._discard(seat, tile, riichi=riichi)
            self._pause()
            if self._won(seat, tile, None, self._others(seat), riichi=riichi):
                return seat
            if riichi:
                self._table.pay_stick(seat.player)
                self._scribe.stick(seat.player, self._table.points)
            if self._ended():
                return seat
            called = self._called(seat, tile)
            if called is None:
                seat = self._table.after(seat.player)
                self._draw(seat)
                return seat
            seat, meld = called
            self._table.tally.note("riichi-tile-called", when=riichi)
            if meld.name is Name.DAIMINKAN:
                self._table.owed = True
                self._draw(seat, meld.name)
                return seat
            self._pause()
            tile, riichi = self._choosers[seat.player].after_call(meld), False

    def _discard(self, seat: Seat, tile: int, *, riichi: bool) -> None:
        table = self._table
        if riichi:
            self._scribe.riichi(seat.player)
            self._blink()
        self._turn_owed()
        double = riichi and table.untouched and not seat.river
        count_discard(table, seat, tile)
        seat.discard(tile)
        table.seen[tile >> 2] += 1
        self._scribe.discard(seat.player, tile)
        if riichi:
            seat.riichi = seat.ippatsu = True
            seat.double = double
            count_riichi(table, seat)

    def _called(self, seat: Seat, tile: int) -> tuple[Seat, Laid] | None:
        """Return who calls *tile* of *seat* and for what, once it lies there: pon and kan before chi."""
        asked = [(other, self._choosers[other.player].call(tile, seat.player)) for other in self._others(seat)]
        found = [(other, meld) for other, meld in asked if meld is not None]
        if not found:
            return None
        caller, meld = min(found, key=lambda one: one[1].name is Name.CHI)
        self._table.lay(caller, meld, seat.player)
        self._scribe.meld(caller.player, meld)
        count_meld(self._table, caller, meld)
        return caller, meld

    # --- ends --------------------------------------------------------------------------------------------------------

    def _won(self, source: Seat, tile: int, meld: Laid | None, others: list[Seat], *, riichi: bool = False) -> bool:
        """Let *others* win on *tile* of *source*, and end the frame if somebody does."""
        wins = []
        waiting = [seat for seat in others if seat.waits >> (tile >> 2) & 1]
        note = self._table.tally.note
        for seat in waiting:
            note("furiten", when=seat.furiten)
            worth = None if seat.furiten else self._table.ron(seat, tile, meld)
            if worth is not None and self._choosers[seat.player].wins():
                wins.append(Win(seat, tile, source.player, worth))
            else:
                note("ron-passed", when=worth is not None)
                seat.passed = True
        if len(wins) == _TRIPLE:
            self._end = broken_off(self._table, Kind.TRIPLE_RON, [win.seat.player for win in wins])
        elif wins:
            count_rons(self._table, wins, meld, riichi=riichi)
            for win in wins:
                count_win(self._table, win)
            self._end = won(self._table, wins)
        return bool(wins)

    def _ended(self) -> bool:
        """End the frame if the discard that has just passed does so."""
        table = self._table
        if table.untouched and self._four_winds():
            self._end = broken_off(table, Kind.FOUR_WINDS, [])
        elif len(table.seats) == SEATS and all(seat.riichi for seat in table.seats):
            self._end = broken_off(table, Kind.FOUR_RIICHI, [seat.player for seat in table.seats])
        elif len(table.kans) == MOST_KANS and len(set(table.kans)) > 1:  # of several players; of three no log tells
            self._end = broken_off(table, Kind.FOUR_KANS, [])
        elif not table.left:
            count_last_tile(table)
            self._end = last_tile(table)
        return self._end is not None

    def _four_winds(self) -> bool:
        """Return whether the first discards of all four are one wind."""
        rivers = [seat.river for seat in self._table.seats]
        if len(rivers) < SEATS or any(len(river) != 1 for river in rivers):
            return False
        kinds = {river[0] for river in rivers}
        return len(kinds) == 1 and kinds <= set(WINDS)
