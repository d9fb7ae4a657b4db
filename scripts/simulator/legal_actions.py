"""What a player may do by Tenhou's rules.

Sources: `docs/design/scoring.md`, the real logs, and Tenhou's manual as quoted by others.
"""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.model import SEATS
from simulator.hand_shapes import UNIT_OF, may_reach_tenpai, waits
from simulator.melds import (
    Meld,
    MeldType,
    ankan,
    chi,
    daiminkan,
    forbidden_discards,
    kakan,
    kita,
    pick_tiles,
    pon,
    run_partners,
)
from simulator.payments import STICK
from simulator.random_source import RandomSource
from simulator.seat import Seat
from simulator.table import Table
from simulator.tile_kinds import COPIES, NORTH, SUIT_OF, YAOCHUU

_KINDS_TO_BREAK_OFF = 9
_KINDS_NEAR_KOKUSHI = 12


def tenpai_discards(seat: Seat) -> dict[int, int]:
    """Return the kinds whose discard leaves *seat* tenpai, and for each the waits of the hand, as bits."""
    if not may_reach_tenpai(seat.keys, seat.meld_sets):
        return {}
    found = {}
    keys, closed = seat.keys, not seat.meld_sets
    for kind in {tile >> 2 for tile in seat.tiles}:
        suit, unit = SUIT_OF[kind], UNIT_OF[kind]
        keys[suit] -= unit
        waiting = waits(keys, closed=closed)
        keys[suit] += unit
        if waiting:
            found[kind] = waiting
    return found


def may_declare_riichi(table: Table, seat: Seat) -> bool:
    """Return whether *seat* may declare riichi with a discard that leaves it tenpai: this takes a closed hand, a stick
    to pay, and another turn to come."""
    return (
        not seat.open
        and not seat.riichi
        and table.points[seat.player] >= STICK
        and table.tiles_left >= len(table.seats)
    )


def may_declare_nine_terminals(table: Table, seat: Seat) -> bool:
    """Return whether *seat* may break the frame off: with nine kinds of terminals and honors after an uninterrupted
    first draw."""
    if seat.river or not table.uninterrupted:
        return False
    return len([kind for kind in YAOCHUU if seat.counts[kind]]) >= _KINDS_TO_BREAK_OFF


def declarable_melds(table: Table, seat: Seat) -> list[Meld]:
    """Return what *seat* may declare after a draw: norths, closed kans and added kans."""
    found = list(_norths(table, seat))
    if table.can_kan:
        found += [
            ankan(kind, by_third=seat.ankan_by_third)
            for kind in {tile >> 2 for tile in seat.tiles if seat.counts[tile >> 2] == COPIES}
            if not seat.riichi or _keeps_waits(seat, kind)
        ]
        if not seat.riichi:
            found += [
                kakan(meld, tile)
                for meld in seat.melds
                if meld.type is MeldType.PON
                for tile in seat.tiles
                if tile >> 2 == meld.kind
            ]
    return found


def _norths(table: Table, seat: Seat) -> Iterator[Meld]:
    if len(table.seats) < SEATS and table.tiles_left and seat.counts[NORTH]:
        norths = [seat.drawn] if seat.riichi else seat.tiles_of(NORTH)
        yield from (kita(tile) for tile in norths[:1] if tile is not None and tile >> 2 == NORTH)


def _keeps_waits(seat: Seat, kind: int) -> bool:
    """Return whether a closed kan of *kind* after riichi leaves the waits unchanged. It must include the tile just
    drawn, and the other three must form a set in every division of the hand."""
    assert seat.drawn is not None
    if seat.drawn >> 2 != kind:
        return False
    keys = list(seat.keys)
    keys[SUIT_OF[kind]] -= COPIES * UNIT_OF[kind]
    return waits(keys, closed=False) == seat.waits


def possible_calls(table: Table, seat: Seat, tile: int, source: int, random: RandomSource) -> list[Meld]:
    """Return the calls that *seat* may make with *tile*, discarded by the player *source*. If the hand has several
    copies of a tile, the choice is random."""
    kind = tile >> 2
    count = seat.counts[kind]
    giver = (source - seat.player) % 4
    found: list[Meld] = []
    if count > 1:
        held = pick_tiles(seat.tiles, (kind, kind), random)
        found.append(pon(held, tile, giver))
        if count == COPIES - 1 and table.can_kan:
            found.append(daiminkan(sorted(seat.tiles_of(kind)), tile, giver))
    if len(table.seats) == SEATS and table.after(source) is seat:
        found += [chi(pick_tiles(seat.tiles, pair, random), tile) for pair in run_partners(kind, seat.counts)]
    return [meld for meld in found if meld.type is MeldType.DAIMINKAN or _leaves_discard(seat, meld)]


def _leaves_discard(seat: Seat, call: Meld) -> bool:
    """Return whether *call* leaves a tile that may be discarded."""
    forbidden = forbidden_discards(call)
    return any(tile >> 2 not in forbidden for tile in seat.tiles if tile not in call.held)


def waits_for_kokushi(seat: Seat) -> bool:
    """Return whether *seat* waits for thirteen orphans, the one hand that may win on a closed kan."""
    orphans = [kind for kind in YAOCHUU if seat.counts[kind]]
    return bool(seat.waits) and not seat.meld_sets and len(orphans) >= _KINDS_NEAR_KOKUSHI
