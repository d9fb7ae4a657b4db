"""What a player may do, by Tenhou's rules (sources: `scoring.md`; the real logs; its manual as others quote it)."""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.model import SEATS
from simulator.hand_shapes import COPIES, NORTH, OUTER, SUIT, UNIT, is_near, waits
from simulator.melds import Laid, Name, ankan, chi, daiminkan, kakan, kita, picked, pon, runs, swapped
from simulator.payments import STICK
from simulator.random_source import Chance
from simulator.seat import Seat
from simulator.table import Table

_KINDS_OF_NINE = 9
_NEARLY_ORPHANS = 12


def ready(seat: Seat) -> dict[int, int]:
    """Return the kinds of which a discard leaves *seat* tenpai, and what the hand then waits for, as bits."""
    if not is_near(seat.keys, seat.sets):
        return {}
    found = {}
    keys, closed = seat.keys, not seat.sets
    for kind in {tile >> 2 for tile in seat.tiles}:
        suit, unit = SUIT[kind], UNIT[kind]
        keys[suit] -= unit
        waiting = waits(keys, closed=closed)
        keys[suit] += unit
        if waiting:
            found[kind] = waiting
    return found


def may_riichi(table: Table, seat: Seat) -> bool:
    """Return whether *seat* may declare riichi, if the hand is then tenpai: closed, a stick to pay, and a turn to
    come."""
    return not seat.open and not seat.riichi and table.points[seat.player] >= STICK and table.left >= len(table.seats)


def nine_terminals(table: Table, seat: Seat) -> bool:
    """Return whether *seat* may break off: nine kinds of terminals and honors in the first draw, nothing called."""
    if seat.river or not table.untouched:
        return False
    return len([kind for kind in OUTER if seat.counts[kind]]) >= _KINDS_OF_NINE


def own_melds(table: Table, seat: Seat) -> list[Laid]:
    """Return what *seat* may declare after a draw: closed and added kans, and norths."""
    found = list(_norths(table, seat))
    if table.can_kan:
        found += [
            ankan(kind, third=seat.names_third)
            for kind in {tile >> 2 for tile in seat.tiles if seat.counts[tile >> 2] == COPIES}
            if not seat.riichi or _keeps_waits(seat, kind)
        ]
        if not seat.riichi:
            found += [
                kakan(meld, tile)
                for meld in seat.melds
                if meld.name is Name.PON
                for tile in seat.tiles
                if tile >> 2 == meld.kind
            ]
    return found


def _norths(table: Table, seat: Seat) -> Iterator[Laid]:
    if len(table.seats) < SEATS and table.left and seat.counts[NORTH]:
        norths = [seat.drawn] if seat.riichi else seat.tiles_of(NORTH)
        yield from (kita(tile) for tile in norths[:1] if tile is not None and tile >> 2 == NORTH)


def _keeps_waits(seat: Seat, kind: int) -> bool:
    """Return whether after riichi a closed kan of *kind* changes nothing of what the hand waits for: only the tile
    just drawn may be set aside, with three that are a set however the hand is parted."""
    assert seat.drawn is not None
    if seat.drawn >> 2 != kind:
        return False
    keys = list(seat.keys)
    keys[SUIT[kind]] -= COPIES * UNIT[kind]
    return waits(keys, closed=False) == seat.waits


def calls(table: Table, seat: Seat, tile: int, source: int, chance: Chance) -> list[Laid]:
    """Return what *seat* may call *tile* for, which *source* has discarded; of several copies
    of a kind one by *chance*."""
    kind = tile >> 2
    count = seat.counts[kind]
    giver = (source - seat.player) % 4
    found: list[Laid] = []
    if count > 1:
        held = picked(seat.tiles, (kind, kind), chance)
        found.append(pon(held, tile, giver))
        if count == COPIES - 1 and table.can_kan:
            found.append(daiminkan(sorted(seat.tiles_of(kind)), tile, giver))
    if len(table.seats) == SEATS and table.after(source) is seat:
        found += [chi(picked(seat.tiles, pair, chance), tile) for pair in runs(kind, seat.counts)]
    return [meld for meld in found if meld.name is Name.DAIMINKAN or _leaves_discard(seat, meld)]


def _leaves_discard(seat: Seat, call: Laid) -> bool:
    """Return whether after *call* there is a tile that may be discarded."""
    forbidden = swapped(call)
    return any(tile >> 2 not in forbidden for tile in seat.tiles if tile not in call.held)


def waits_for_orphans(seat: Seat) -> bool:
    """Return whether *seat* waits for thirteen orphans, the one hand that may win on a closed kan."""
    return bool(seat.waits) and not seat.sets and len([kind for kind in OUTER if seat.counts[kind]]) >= _NEARLY_ORPHANS
