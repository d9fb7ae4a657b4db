"""The play of one frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jmjp_convert.model import SEATS
from simulator.coverage_counts import (
    count_discard,
    count_last_tile,
    count_meld,
    count_riichi,
    count_rons,
    count_win,
)
from simulator.endings import Ending, Win, abortive_ending, ending_at_last_tile, ending_by_wins
from simulator.legal_actions import waits_for_kokushi
from simulator.melds import MOST_KANS, Meld, MeldType
from simulator.mjlog_grammar import ElementType
from simulator.mjlog_writer import MjlogWriter
from simulator.policy import Discard, NineTerminals, Policy, Tsumo
from simulator.seat import Seat
from simulator.table import Table
from simulator.tile_kinds import WINDS

_TRIPLE = 3


class Frame:
    """The play of one frame: asks the policies, updates the table, and writes the log.

    :param policies: by player.
    :param pause: called where a player's connection may change before a choice.
    :param blip: called where it may change and change back, since there is no choice to make.
    """

    def __init__(
        self,
        table: Table,
        policies: Sequence[Policy],
        writer: MjlogWriter,
        pause: Callable[[], None],
        blip: Callable[[], None],
    ) -> None:
        self._table = table
        self._policies = policies
        self._writer = writer
        self._pause = pause
        self._blip = blip
        self._ending: Ending | None = None

    def play(self) -> Ending:
        """Play from the dealer's first draw to the end."""
        seat = self._table.seats[self._table.dealer]
        self._draw(seat)
        while self._ending is None:
            self._pause()
            action = self._policies[seat.player].act()
            if isinstance(action, Discard):
                seat = self._discard(seat, action)
            elif isinstance(action, Meld):
                self._declare(seat, action)
            elif isinstance(action, Tsumo):
                self._ending = self._tsumo(seat, action)
            elif isinstance(action, NineTerminals):
                self._ending = abortive_ending(self._table, ElementType.NINE_TERMINALS, [seat.player])
        return self._ending

    def _draw(self, seat: Seat, replacing: MeldType | None = None) -> None:
        self._writer.draw(seat.player, self._table.draw(seat, replacing))

    def _tsumo(self, seat: Seat, action: Tsumo) -> Ending:
        assert seat.drawn is not None
        win = Win(seat, seat.drawn, seat.player, action.value)
        count_win(self._table, win)
        return ending_by_wins(self._table, [win])

    # --- kans and norths ---------------------------------------------------------------------------------------------

    def _declare(self, seat: Seat, meld: Meld) -> None:
        """Let *seat* lay *meld* down, and let others rob it."""
        table = self._table
        table.lay(seat, meld)
        self._writer.meld(seat.player, meld)
        count_meld(table, seat, meld)
        if meld.type is not MeldType.KITA:  # that a north leaves the dora owed is a guess, no log shows it
            self._turn_owed_dora()
        if self._offer_robbing(seat, meld):
            return
        if meld.type is MeldType.ANKAN:
            self._writer.dora(table.turn_dora())
        elif meld.type is MeldType.KAKAN:
            table.dora_owed = True
        self._draw(seat, meld.type)

    def _turn_owed_dora(self) -> None:
        """Turn the dora of the last kan, if it is still owed."""
        if self._table.dora_owed:
            self._table.dora_owed = False
            self._writer.dora(self._table.turn_dora())

    def _offer_robbing(self, seat: Seat, meld: Meld) -> bool:
        """Let others win on the tile of *meld*, a closed kan only with kokushi. Return whether somebody does."""
        others = self._others(seat)
        if meld.type is not MeldType.ANKAN:
            return self._offer(seat, meld.held[0], meld, others)
        if not self._table.rules.robs_ankan:
            return False
        return self._offer(seat, meld.tiles[0], meld, [other for other in others if waits_for_kokushi(other)])

    def _others(self, seat: Seat) -> list[Seat]:
        return self._table.others(seat.player)

    # --- discards ----------------------------------------------------------------------------------------------------

    def _discard(self, seat: Seat, action: Discard) -> Seat:
        """Let *seat* discard, and then each player who calls. Return the seat that draws next, if the frame goes on."""
        tile, riichi = action
        while True:
            self._lay_discard(seat, tile, riichi=riichi)
            self._pause()
            if self._offer(seat, tile, None, self._others(seat), riichi=riichi):
                return seat
            if riichi:
                self._table.pay_stick(seat.player)
                self._writer.stick(seat.player, self._table.points)
            if self._end_by_draw():
                return seat
            called = self._call(seat, tile)
            if called is None:
                seat = self._table.after(seat.player)
                self._draw(seat)
                return seat
            seat, meld = called
            self._table.tally.note("riichi-tile-called", when=riichi)
            if meld.type is MeldType.DAIMINKAN:
                self._table.dora_owed = True
                self._draw(seat, meld.type)
                return seat
            self._pause()
            tile, riichi = self._policies[seat.player].discard_after(meld), False

    def _lay_discard(self, seat: Seat, tile: int, *, riichi: bool) -> None:
        table = self._table
        if riichi:
            self._writer.riichi(seat.player)
            self._blip()
        self._turn_owed_dora()
        double_riichi = riichi and table.uninterrupted and not seat.river
        count_discard(table, seat, tile)
        seat.discard(tile)
        table.seen[tile >> 2] += 1
        self._writer.discard(seat.player, tile)
        if riichi:
            seat.riichi = seat.ippatsu = True
            seat.double_riichi = double_riichi
            count_riichi(table, seat)

    def _call(self, seat: Seat, tile: int) -> tuple[Seat, Meld] | None:
        """Let a player call *tile*, discarded by *seat*; pon and kan beat chi. Return the caller and the meld."""
        asked = [(other, self._policies[other.player].call(tile, seat.player)) for other in self._others(seat)]
        calls = [(other, meld) for other, meld in asked if meld is not None]
        if not calls:
            return None
        caller, meld = min(calls, key=lambda call: call[1].type is MeldType.CHI)
        self._table.lay(caller, meld, seat.player)
        self._writer.meld(caller.player, meld)
        count_meld(self._table, caller, meld)
        return caller, meld

    # --- ends --------------------------------------------------------------------------------------------------------

    def _offer(self, source: Seat, tile: int, meld: Meld | None, others: list[Seat], *, riichi: bool = False) -> bool:
        """Let *others* win on *tile* of *source*, which ends the frame. Return whether somebody does."""
        wins = []
        waiting = [seat for seat in others if seat.waits >> (tile >> 2) & 1]
        note = self._table.tally.note
        for seat in waiting:
            note("furiten", when=seat.furiten)
            value = None if seat.furiten else self._table.ron_value(seat, tile, meld)
            if value is not None and self._policies[seat.player].wins():
                wins.append(Win(seat, tile, source.player, value))
            else:
                note("ron-passed", when=value is not None)
                seat.missed_win = True
        if len(wins) == _TRIPLE and not self._table.rules.three_win:
            self._ending = abortive_ending(self._table, ElementType.TRIPLE_RON, [win.seat.player for win in wins])
        elif wins:
            count_rons(self._table, wins, meld, riichi=riichi)
            self._ending = ending_by_wins(self._table, wins)
        return bool(wins)

    def _end_by_draw(self) -> bool:
        """End the frame by a draw if one follows from a discard that nobody has won on. Return whether it does."""
        table = self._table
        if table.uninterrupted and self._is_four_winds():
            self._ending = abortive_ending(table, ElementType.FOUR_WINDS, [])
        elif len(table.seats) == SEATS and all(seat.riichi for seat in table.seats):
            self._ending = abortive_ending(table, ElementType.FOUR_RIICHI, [seat.player for seat in table.seats])
        elif len(table.kan_players) == MOST_KANS and len(set(table.kan_players)) > 1:  # a guess with three players
            self._ending = abortive_ending(table, ElementType.FOUR_KANS, [])
        elif not table.tiles_left:
            count_last_tile(table)
            self._ending = ending_at_last_tile(table)
        return self._ending is not None

    def _is_four_winds(self) -> bool:
        """Return whether the first discards of all four are the same wind."""
        rivers = [seat.river for seat in self._table.seats]
        if len(rivers) < SEATS or any(len(river) != 1 for river in rivers):
            return False
        kinds = {river[0] for river in rivers}
        return len(kinds) == 1 and kinds <= set(WINDS)
