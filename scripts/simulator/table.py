"""The table in one frame: the wall, the seats, and what all can see."""

from __future__ import annotations

from typing import NamedTuple

from jmjp_convert.model import Wall
from simulator.coverage import Tally
from simulator.eras import Form
from simulator.hand_shapes import DRAGONS, KINDS, WINDS
from simulator.hand_value import Calculator, Moment, Worth
from simulator.melds import KANS, MOST_KANS, Laid, Name
from simulator.payments import STICK
from simulator.rules import Rules
from simulator.seat import Seat


class Setting(NamedTuple):
    """What a frame takes over from the game: the round, 0 to 15 and four to a wind; the rest by count."""

    rules: Rules
    form: Form
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
    :ivar sticks: on the table.
    :ivar left: how many tiles can still be drawn, replacement tiles among them.
    :ivar turned: the dora indicators.
    :ivar owed: whether a kan's dora is still to be turned.
    :ivar untouched: whether nobody has called, declared a kan or set a north aside.
    :ivar replaced: what the tile just drawn replaces, if it is a replacement tile: a kan or a north.
    :ivar kans: who declared each kan.
    :ivar pao: by winner, who fed the set that makes a yakuman certain.
    :ivar seen: by kind, how many tiles lie open.
    :ivar tally: what is counted, see `coverage.py`.
    """

    def __init__(self, setting: Setting, wall: Wall, tally: Tally) -> None:
        self.setting = setting
        self.rules = setting.rules
        self.wall = wall
        self.tally = tally
        self.dealer = setting.dealer
        self.points = list(setting.points)
        self.sticks = setting.sticks
        self.seats = [Seat(player, hand) for player, hand in enumerate(wall.hands)]
        self._others = [[*self.seats[player + 1 :], *self.seats[:player]] for player in range(len(self.seats))]
        self.left = setting.rules.draws
        self.turned = [wall.indicators[0]]
        self.owed = False
        self.untouched = True
        self.replaced: Name | None = None
        self.kans: list[int] = []
        self.pao: dict[int, int] = {}
        self.seen = [0] * KINDS
        self.seen[self.turned[0] >> 2] += 1
        self._calculator = Calculator(setting.rules)
        self._draws = iter(wall.draws)
        self._replacements = iter(wall.replacements)

    # --- the wall ----------------------------------------------------------------------------------------------------

    def draw(self, seat: Seat, replacing: Name | None = None) -> int:
        """Give *seat* the next tile, of the wall or, *replacing* one, of the replacement tiles."""
        self.left -= 1
        self.replaced = replacing
        if replacing is not None:
            self.touch()
        tile = next(self._draws if replacing is None else self._replacements)
        seat.draw(tile)
        return tile

    def turn(self) -> int:
        """Turn the next dora indicator."""
        tile = self.wall.indicators[len(self.turned)]
        self.turned.append(tile)
        self.tally.note("five-dora", when=len(self.turned) == len(self.wall.indicators))
        self.seen[tile >> 2] += 1
        return tile

    @property
    def can_kan(self) -> bool:
        """Whether there is a tile to replace one, and the fifth kan is not reached."""
        return self.left > 0 and len(self.kans) < MOST_KANS

    # --- what is played ----------------------------------------------------------------------------------------------

    def after(self, player: int, steps: int = 1) -> Seat:
        """Return who sits *steps* seats after *player*."""
        return self.seats[(player + steps) % len(self.seats)]

    def others(self, player: int) -> list[Seat]:
        """Return the others, in the order of their turns."""
        return self._others[player]

    def touch(self) -> None:
        """End everybody's ippatsu and the first go-around."""
        self.untouched = False
        for seat in self.seats:
            seat.ippatsu = False

    def lay(self, seat: Seat, meld: Laid, source: int | None = None) -> None:
        """Lay *meld* down before *seat*; its tile is taken from *source*."""
        if source is not None:
            self.touch()
            self.seats[source].given = True
        seat.lay(meld)
        for tile in meld.held:
            self.seen[tile >> 2] += 1
        if meld.name in KANS:
            self.kans.append(seat.player)
        if source is not None and meld.name is not Name.CHI:
            self._feed(seat, meld.kind, source)

    def _feed(self, seat: Seat, kind: int, source: int) -> None:
        """Note whether *source* has fed the last of the dragons or winds (source: `scoring.md`, Pao; of the winds no
        log tells)."""
        laid = {meld.kind for meld in seat.melds if meld.name not in (Name.CHI, Name.KITA)}
        if any(kind in sets and laid.issuperset(sets) for sets in (DRAGONS, WINDS)):
            self.pao[seat.player] = source

    def pay_stick(self, player: int) -> None:
        """Lay the riichi stick of *player* on the table."""
        self.points[player] -= STICK
        self.sticks += 1

    # --- wins --------------------------------------------------------------------------------------------------------

    def tsumo(self, seat: Seat) -> Worth | None:
        """Return what the hand of *seat* is worth with the tile just drawn; `None` if it cannot win."""
        if seat.drawn is None or not seat.waits >> (seat.drawn >> 2) & 1:
            return None
        moment = self._moment(seat)._replace(
            tsumo=True,
            rinshan=self.replaced is not None,
            last=not self.left and self.replaced is None,
            first=self.untouched and not seat.river,
        )
        return self._worth(seat, seat.tiles, seat.drawn, moment)

    def ron(self, seat: Seat, tile: int, meld: Laid | None = None) -> Worth | None:
        """Return what the hand of *seat* is worth with *tile* of another; `None` if it cannot win.

        :param meld: the kan or kita that is robbed of it.
        """
        chankan = meld is not None and meld.name is Name.KAKAN
        moment = self._moment(seat)._replace(chankan=chankan, last=meld is None and not self.left)
        return self._worth(seat, [*seat.tiles, tile], tile, moment)

    def _moment(self, seat: Seat) -> Moment:
        return Moment(
            seat=(seat.player - self.dealer) % len(self.seats),
            round=self.setting.round // 4,
            tsumo=False,
            riichi=seat.riichi,
            double=seat.double,
            ippatsu=seat.ippatsu,
        )

    def _worth(self, seat: Seat, tiles: list[int], win: int, moment: Moment) -> Worth | None:
        return self._calculator.worth(tiles, win, seat.melds, moment, (self.turned, self.ura))

    @property
    def ura(self) -> list[int]:
        """The ura dora indicators under those that are turned."""
        return list(self.wall.ura[: len(self.turned)])
