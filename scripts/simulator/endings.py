"""How a frame ends: the elements of its end, and what it leaves to the next frame."""

from __future__ import annotations

from typing import NamedTuple

from games import Attributes, csv

from simulator.hand_value import HandValue
from simulator.mjlog_grammar import ElementType
from simulator.mjlog_writer import padded
from simulator.payments import Stakes, nagashi_payment, noten_payment, ron_payment, tsumo_payment
from simulator.seat import Seat
from simulator.table import Table
from simulator.tile_kinds import YAOCHUU_BITS

_TYPE_ATTRIBUTES = {
    ElementType.EXHAUSTIVE: None,
    ElementType.NAGASHI: "nm",
    ElementType.NINE_TERMINALS: "yao9",
    ElementType.FOUR_WINDS: "kaze4",
    ElementType.FOUR_RIICHI: "reach4",
    ElementType.FOUR_KANS: "kan4",
    ElementType.TRIPLE_RON: "ron3",
}


class Win(NamedTuple):
    """A win: the winner's seat, the winning tile, the player it came from (for a tsumo the winner), and the value."""

    seat: Seat
    tile: int
    source: int
    value: HandValue


class Ending(NamedTuple):
    """How a frame has ended.

    :ivar elements: the elements of its end; the last one gets the result in the last frame of the game.
    :ivar points: by player, in hundreds.
    :ivar sticks: how many riichi sticks stay on the table.
    :ivar dealer_stays: whether the dealer deals again.
    :ivar is_draw: whether nobody won, which always adds a honba.
    :ivar is_abortive: whether the draw came before the last tile, so that the game goes on in any case.
    """

    elements: list[tuple[ElementType, Attributes]]
    points: list[int]
    sticks: int
    dealer_stays: bool
    is_draw: bool = False
    is_abortive: bool = False


def ending_by_wins(table: Table, wins: list[Win]) -> Ending:
    """Return the ending by *wins*, which are in turn order from the discarder on."""
    points, sticks, honba = list(table.points), table.sticks, table.setup.honba
    elements: list[tuple[ElementType, Attributes]] = []
    for number, win in enumerate(wins):
        player, tsumo = win.seat.player, win.seat.player == win.source
        # The first in turn order takes honba and sticks.
        stakes = Stakes(len(points), table.dealer, 0 if number else honba, sticks)
        pao = table.pao.get(player)
        pao = None if pao == win.source else pao  # a discarder pays all anyway; omitting paoWho is a guess
        gains = (
            tsumo_payment(stakes, player, win.value, pao)
            if tsumo
            else ron_payment(stakes, player, win.source, win.value, pao)
        )
        attributes = {"ba": f"{honba},{sticks}", **_hand_attributes(table, win), "who": player, "fromWho": win.source}
        attributes |= {"paoWho": pao, "sc": _points_and_gains(points, gains)}
        elements.append((ElementType.TSUMO if tsumo else ElementType.RON, attributes))
        points = [before + gain for before, gain in zip(points, gains, strict=True)]
        sticks = 0
    return Ending(elements, points, 0, any(win.seat.player == table.dealer for win in wins))


def _hand_attributes(table: Table, win: Win) -> Attributes:
    """Return the attributes of `AGARI` for the hand and its value."""
    seat, value = win.seat, win.value
    tiles = seat.tiles if seat.player == win.source else [*seat.tiles, win.tile]
    points = value.main
    if seat.player == win.source:
        points += value.additional * (len(table.seats) - 2)
    return {
        "hai": csv(sorted(tiles)),
        "m": csv(meld.code for meld in reversed(seat.melds)) or None,
        "machi": win.tile,
        "ten": f"{value.fu},{points},{value.limit}",
        "yaku": csv(f"{number},{han}" for number, han in value.yaku) or None,
        "yakuman": csv(value.yakuman) or None,
        "doraHai": csv(table.indicators),
        "doraHaiUra": csv(table.ura_indicators) if seat.riichi else None,
    }


def _points_and_gains(points: list[int], gains: list[int]) -> str:
    return csv(f"{before},{gain}" for before, gain in zip(padded(points), padded(gains), strict=True))


def ending_at_last_tile(table: Table) -> Ending:
    """Return the ending by an exhaustive draw: either nagashi mangan, or the noten players pay the tenpai ones."""
    tenpai = [seat.player for seat in table.seats if seat.tenpai]
    nagashi = [seat.player for seat in table.seats if is_nagashi(seat)]
    gains = nagashi_payment(table.rules, table.dealer, nagashi) if nagashi else noten_payment(table.rules, tenpai)
    type_ = ElementType.NAGASHI if nagashi else ElementType.EXHAUSTIVE
    return _draw(table, type_, tenpai, gains, dealer_stays=table.dealer in tenpai)


def is_nagashi(seat: Seat) -> bool:
    """Return whether *seat* has discarded nothing but terminals and honors, none of which was called."""
    return not seat.discarded & ~YAOCHUU_BITS and not seat.discard_called


def abortive_ending(table: Table, type_: ElementType, showing: list[int]) -> Ending:
    """Return the ending by an abortive draw, at which the players *showing* show their hands."""
    gains = [0] * len(table.seats)
    return _draw(table, type_, showing, gains, dealer_stays=True)._replace(is_abortive=True)


def _draw(table: Table, type_: ElementType, showing: list[int], gains: list[int], *, dealer_stays: bool) -> Ending:
    hands = {f"hai{player}": csv(sorted(table.seats[player].tiles)) for player in sorted(showing)}
    attributes: Attributes = {
        "type": _TYPE_ATTRIBUTES[type_],
        "ba": f"{table.setup.honba},{table.sticks}",
        "sc": _points_and_gains(table.points, gains),
        **hands,
    }
    points = [before + gain for before, gain in zip(table.points, gains, strict=True)]
    return Ending([(type_, attributes)], points, table.sticks, dealer_stays, is_draw=True)
