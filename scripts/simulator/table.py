"""The table in one frame: the wall, the seats, and what is visible to all."""

from __future__ import annotations

from typing import NamedTuple

from jmjp_convert.model import Wall
from simulator.coverage import Tally
from simulator.eras import Era
from simulator.hand_value import HandValue, ValueCalculator, WinContext
from simulator.melds import KANS, MOST_KANS, Meld, MeldType
from simulator.payments import STICK
from simulator.rules import Rules
from simulator.seat import Seat
from simulator.tile_kinds import DRAGONS, KINDS, WINDS


class FrameSetup(NamedTuple):
    """The start of a frame.

    :ivar round: 0 to 15, four per wind.
    :ivar points: by player, in hundreds.
    """

    rules: Rules
    era: Era
    round: int
    honba: int
    sticks: int
    points: tuple[int, ...]

    @property
    def dealer(self) -> int:
        """The player who deals."""
        return self.round % 4


class Table:
    """The table in one frame.

    :ivar points: by player, in hundreds.
    :ivar sticks: how many riichi sticks are on the table.
    :ivar tiles_left: how many tiles can still be drawn, replacement tiles included.
    :ivar indicators: the dora indicators turned so far.
    :ivar dora_owed: whether the dora of a kan is still to be turned.
    :ivar uninterrupted: whether nobody has called, declared a kan or set a north aside.
    :ivar replaced: the type of meld that the tile just drawn replaces; `None` for a tile from the wall.
    :ivar kan_players: who declared each kan.
    :ivar pao: by player, who fed the last set of big dragons or winds.
    :ivar seen: by kind, how many tiles are visible.
    :ivar tally: counts what occurs, see `coverage`.
    """

    def __init__(self, setup: FrameSetup, wall: Wall, tally: Tally) -> None:
        self.setup = setup
        self.rules = setup.rules
        self.wall = wall
        self.tally = tally
        self.dealer = setup.dealer
        self.points = list(setup.points)
        self.sticks = setup.sticks
        self.seats = [Seat(player, hand) for player, hand in enumerate(wall.hands)]
        self._others = [[*self.seats[player + 1 :], *self.seats[:player]] for player in range(len(self.seats))]
        self.tiles_left = setup.rules.draws
        self.indicators = [wall.indicators[0]]
        self.dora_owed = False
        self.uninterrupted = True
        self.replaced: MeldType | None = None
        self.kan_players: list[int] = []
        self.pao: dict[int, int] = {}
        self.seen = [0] * KINDS
        self.seen[self.indicators[0] >> 2] += 1
        self._calculator = ValueCalculator(setup.rules)
        self._draws = iter(wall.draws)
        self._replacements = iter(wall.replacements)

    # --- the wall ----------------------------------------------------------------------------------------------------

    def draw(self, seat: Seat, replacing: MeldType | None = None) -> int:
        """Give *seat* the next tile of the wall, or the next replacement tile after a meld of the type *replacing*."""
        self.tiles_left -= 1
        self.replaced = replacing
        if replacing is not None:
            self._interrupt()
        tile = next(self._draws if replacing is None else self._replacements)
        seat.draw(tile)
        return tile

    def turn_dora(self) -> int:
        """Turn the next dora indicator, and return it."""
        tile = self.wall.indicators[len(self.indicators)]
        self.indicators.append(tile)
        self.tally.note("five-dora", when=len(self.indicators) == len(self.wall.indicators))
        self.seen[tile >> 2] += 1
        return tile

    @property
    def ura_indicators(self) -> list[int]:
        """The ura dora indicators under the dora indicators turned so far."""
        return list(self.wall.ura[: len(self.indicators)])

    @property
    def can_kan(self) -> bool:
        """Whether a replacement tile is left and fewer than four kans have been declared."""
        return self.tiles_left > 0 and len(self.kan_players) < MOST_KANS

    # --- plays -------------------------------------------------------------------------------------------------------

    def after(self, player: int, steps: int = 1) -> Seat:
        """Return the seat *steps* turns after *player*."""
        return self.seats[(player + steps) % len(self.seats)]

    def others(self, player: int) -> list[Seat]:
        """Return the seats of all but *player*, in turn order."""
        return self._others[player]

    def _interrupt(self) -> None:
        """End the first go-around, and everybody's ippatsu."""
        self.uninterrupted = False
        for seat in self.seats:
            seat.ippatsu = False

    def lay(self, seat: Seat, meld: Meld, source: int | None = None) -> None:
        """Lay *meld* down at *seat*, called from the player *source* if there is one."""
        if source is not None:
            self._interrupt()
            self.seats[source].discard_called = True
        seat.lay(meld)
        for tile in meld.held:
            self.seen[tile >> 2] += 1
        if meld.type in KANS:
            self.kan_players.append(seat.player)
        if source is not None and meld.type is not MeldType.CHI:
            self._update_pao(seat, meld.kind, source)

    def _update_pao(self, seat: Seat, kind: int, source: int) -> None:
        """Make *source* liable if the tile completed the last set of the dragons or winds (source:
        `docs/design/scoring.md`, Payments; for the winds a guess, since no log shows it)."""
        laid = {meld.kind for meld in seat.melds if meld.type not in (MeldType.CHI, MeldType.KITA)}
        if any(kind in sets and laid.issuperset(sets) for sets in (DRAGONS, WINDS)):
            self.pao[seat.player] = source

    def pay_stick(self, player: int) -> None:
        """Move the riichi stick of *player* to the table."""
        self.points[player] -= STICK
        self.sticks += 1

    # --- wins --------------------------------------------------------------------------------------------------------

    def tsumo_value(self, seat: Seat) -> HandValue | None:
        """Return the value of the hand at *seat* with the tile just drawn, or `None` if it cannot win."""
        if seat.drawn is None or not seat.waits >> (seat.drawn >> 2) & 1:
            return None
        context = self._context(seat)._replace(
            tsumo=True,
            rinshan=self.replaced is not None,
            last_tile=not self.tiles_left and self.replaced is None,
            first_turn=self.uninterrupted and not seat.river,
        )
        return self._value(seat, seat.tiles, seat.drawn, context)

    def ron_value(self, seat: Seat, tile: int, meld: Meld | None = None) -> HandValue | None:
        """Return the value of the hand at *seat* with another player's *tile*, or `None` if it has no yaku.

        :param meld: the kan or kita that is robbed.
        """
        chankan = meld is not None and meld.type is MeldType.KAKAN
        context = self._context(seat)._replace(chankan=chankan, last_tile=meld is None and not self.tiles_left)
        return self._value(seat, [*seat.tiles, tile], tile, context)

    def _context(self, seat: Seat) -> WinContext:
        return WinContext(
            seat_wind=(seat.player - self.dealer) % len(self.seats),
            round_wind=self.setup.round // 4,
            tsumo=False,
            riichi=seat.riichi,
            double_riichi=seat.double_riichi,
            ippatsu=seat.ippatsu,
        )

    def _value(self, seat: Seat, tiles: list[int], win: int, context: WinContext) -> HandValue | None:
        return self._calculator.value(tiles, win, seat.melds, context, (self.indicators, self.ura_indicators))
