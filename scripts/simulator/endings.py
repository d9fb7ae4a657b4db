"""How a frame ends: the elements that say so, and what is left to the next frame."""

from __future__ import annotations

from typing import NamedTuple

from games import Attributes, csv

from simulator.hand_shapes import OUTERS
from simulator.hand_value import Worth
from simulator.mjlog_grammar import Kind
from simulator.mjlog_writer import seats
from simulator.payments import Stakes, by_nagashi, by_noten, by_ron, by_tsumo
from simulator.seat import Seat
from simulator.table import Table

_TYPES = {
    Kind.EXHAUSTIVE: None,
    Kind.NAGASHI: "nm",
    Kind.NINE_TERMINALS: "yao9",
    Kind.FOUR_WINDS: "kaze4",
    Kind.FOUR_RIICHI: "reach4",
    Kind.FOUR_KANS: "kan4",
    Kind.TRIPLE_RON: "ron3",
}


class Win(NamedTuple):
    """A win: who, with what tile off whom, and what it is worth."""

    seat: Seat
    tile: int
    source: int
    worth: Worth


class Ending(NamedTuple):
    """How a frame has ended.

    :ivar elements: that say so, the last one to be completed with the result if it is the game's last.
    :ivar points: by player, in hundreds; *sticks*: those left on the table.
    :ivar stays: whether the dealer stays.
    :ivar drawn: whether it was a draw: then there is one honba more in any case.
    :ivar broken_off: whether the draw came before the last tile: then the game goes on in any case.
    """

    elements: list[tuple[Kind, Attributes]]
    points: list[int]
    sticks: int
    stays: bool
    drawn: bool = False
    broken_off: bool = False


def won(table: Table, wins: list[Win]) -> Ending:
    """Return the ending by *wins*, in the order of their turns from the discarder on."""
    points, sticks, honba = list(table.points), table.sticks, table.setting.honba
    elements: list[tuple[Kind, Attributes]] = []
    for number, win in enumerate(wins):
        player, tsumo = win.seat.player, win.seat.player == win.source
        # The first in turn takes honba and sticks.
        stakes = Stakes(len(points), table.dealer, 0 if number else honba, sticks)
        pao = table.pao.get(player)
        pao = None if pao == win.source else pao  # who is ronned pays all in any case; how it is written no log tells
        change = (
            by_tsumo(stakes, player, win.worth, pao) if tsumo else by_ron(stakes, player, win.source, win.worth, pao)
        )
        attributes = {"ba": f"{honba},{sticks}", **_hand(table, win), "who": player, "fromWho": win.source}
        attributes |= {"paoWho": pao, "sc": _score(points, change)}
        elements.append((Kind.TSUMO if tsumo else Kind.RON, attributes))
        points = [before + gain for before, gain in zip(points, change, strict=True)]
        sticks = 0
    return Ending(elements, points, 0, any(win.seat.player == table.dealer for win in wins))


def _hand(table: Table, win: Win) -> Attributes:
    """Return what `AGARI` says of the hand and its value."""
    seat, worth = win.seat, win.worth
    tiles = seat.tiles if seat.player == win.source else [*seat.tiles, win.tile]
    points = worth.main
    if seat.player == win.source:
        points += worth.additional * (len(table.seats) - 2)
    return {
        "hai": csv(sorted(tiles)),
        "m": csv(meld.code for meld in reversed(seat.melds)) or None,
        "machi": win.tile,
        "ten": f"{worth.fu},{points},{worth.limit}",
        "yaku": csv(f"{number},{han}" for number, han in worth.yaku) or None,
        "yakuman": csv(worth.yakuman) or None,
        "doraHai": csv(table.turned),
        "doraHaiUra": csv(table.ura) if seat.riichi else None,
    }


def _score(before: list[int], change: list[int]) -> str:
    return csv(f"{have},{gain}" for have, gain in zip(seats(before), seats(change), strict=True))


def last_tile(table: Table) -> Ending:
    """Return the ending at the last tile: by nagashi, or with the noten paying the tenpai."""
    tenpai = [seat.player for seat in table.seats if seat.tenpai]
    nagashi = [seat.player for seat in table.seats if is_nagashi(seat)]
    change = by_nagashi(table.rules, table.dealer, nagashi) if nagashi else by_noten(table.rules, tenpai)
    kind = Kind.NAGASHI if nagashi else Kind.EXHAUSTIVE
    return _draw(table, kind, tenpai, change, stays=table.dealer in tenpai)


def is_nagashi(seat: Seat) -> bool:
    """Return whether *seat* has thrown terminals and honors alone, and nobody took one."""
    return not seat.thrown & ~OUTERS and not seat.given


def broken_off(table: Table, kind: Kind, shown: list[int]) -> Ending:
    """Return the ending by a draw of *kind* before the last tile, in which the players *shown* show their hands."""
    change = [0] * len(table.seats)
    return _draw(table, kind, shown, change, stays=True)._replace(broken_off=True)


def _draw(table: Table, kind: Kind, shown: list[int], change: list[int], *, stays: bool) -> Ending:
    hands = {f"hai{player}": csv(sorted(table.seats[player].tiles)) for player in sorted(shown)}
    attributes: Attributes = {
        "type": _TYPES[kind],
        "ba": f"{table.setting.honba},{table.sticks}",
        "sc": _score(table.points, change),
        **hands,
    }
    points = [before + gain for before, gain in zip(table.points, change, strict=True)]
    return Ending([(kind, attributes)], points, table.sticks, stays, drawn=True)
