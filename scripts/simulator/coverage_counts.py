"""Counts what occurs in a frame and in a game, apart from the elements of the log, which `mjlog_writer` counts."""

from __future__ import annotations

from collections import Counter

from simulator.coverage import LIMITS, YAKU_ROWS, Tally
from simulator.coverage_conditions import CONDITIONS
from simulator.endings import Ending, Win, is_nagashi
from simulator.eras import Era
from simulator.hand_shapes import would_complete
from simulator.melds import KANS, MOST_KANS, Meld, MeldType
from simulator.payments import STICK
from simulator.rules import Rules
from simulator.seat import Seat
from simulator.table import FrameSetup, Table
from simulator.tile_kinds import COPIES, RED_FIVES

_FIVES = frozenset(tile >> 2 for tile in RED_FIVES)
_HONBA = 5
_FRAMES = 10
_YAKUMAN = 5
_THREE = 3


def count_meld(table: Table, seat: Seat, meld: Meld) -> None:
    """Count a meld that has just been laid down."""
    note = table.tally.note
    for row in _red_five_rows(meld) if table.rules.red_fives else ():
        note(row)
    note("kan-with-dora-owed", when=table.dora_owed and meld.type in KANS)
    note("kita-with-dora-owed", when=table.dora_owed and meld.type is MeldType.KITA)
    note("ankan-after-riichi", when=seat.riichi and meld.type is MeldType.ANKAN)
    note("kita-after-riichi", when=seat.riichi and meld.type is MeldType.KITA)
    laid = Counter(other.type for other in seat.melds)
    note("four-norths", when=meld.type is MeldType.KITA and laid[MeldType.KITA] == COPIES)
    note("four-kans-of-one", when=meld.type in KANS and sum(laid[type_] for type_ in KANS) == MOST_KANS)


_PLACES = ("low", "middle", "high")


def _red_five_rows(meld: Meld) -> list[str]:
    """Return the rows for *meld* by the origin of its red five. A pon or kan of fives always has a row."""
    if meld.type is MeldType.CHI:
        return [
            f"chi-{place}-red-{'taken' if tile == meld.taken else 'held'}"
            for place, tile in zip(_PLACES, meld.tiles, strict=True)
            if tile in RED_FIVES
        ]
    if meld.kind not in _FIVES or meld.type is MeldType.KITA:
        return []
    if meld.type is MeldType.ANKAN:
        return ["ankan-red"]
    in_hand, elsewhere = ("added", "held") if meld.type is MeldType.KAKAN else ("held", "left-out")
    where = "taken" if meld.taken in RED_FIVES else in_hand if RED_FIVES.intersection(meld.held) else elsewhere
    return [f"{meld.type.name.lower()}-red-{where}"]


def count_discard(table: Table, seat: Seat, tile: int) -> None:
    """Count the discard of *tile*, before it leaves the hand."""
    drawn = seat.drawn
    if tile == drawn:
        table.tally["tsumogiri"] += 1
    elif drawn is not None and tile >> 2 == drawn >> 2 and not (table.rules.red_fives and {tile, drawn} & RED_FIVES):
        table.tally["karagiri"] += 1


def count_riichi(table: Table, seat: Seat) -> None:
    """Count a riichi whose tile has just been discarded."""
    note = table.tally.note
    note("riichi-furiten", when=bool(seat.waits & seat.discarded))
    note("riichi-after-ankan", when=seat.meld_sets > 0)
    note("riichi-last-chance", when=table.tiles_left == len(table.seats))
    note("riichi-with-last-points", when=table.points[seat.player] == STICK)


_ROBBED = {MeldType.KAKAN: "robbed-kakan", MeldType.KITA: "robbed-kita", MeldType.ANKAN: "robbed-ankan"}


def count_rons(table: Table, wins: list[Win], meld: Meld | None, *, riichi: bool) -> None:
    """Count *wins* by ron off one tile.

    :param meld: the kan or kita that is robbed; `None` for a discard.
    :param riichi: whether that discard declared riichi.
    """
    note, several = table.tally.note, len(wins) > 1
    if meld is not None:
        note(_ROBBED[meld.type])
        note("robbed-kan-of-two", when=several)
        note("robbed-ippatsu", when=any(win.seat.ippatsu for win in wins))
    note("riichi-tile-ronned", when=riichi)
    note("first-turn-ron", when=table.uninterrupted and any(not win.seat.river for win in wins))
    note("double-ron", when=several)
    note("won-by-three", when=len(wins) == _THREE)
    note("double-ron-with-honba", when=several and table.setup.honba > 0)
    note("double-ron-with-sticks", when=several and table.sticks > 0)
    note("pao-in-double-ron", when=several and any(win.seat.player in table.pao for win in wins))
    for win in wins:
        count_win(table, win)


def count_win(table: Table, win: Win) -> None:
    """Count a win by its value and by who pays."""
    note, value, player = table.tally.note, win.value, win.seat.player
    for number in (*value.yakuman, *(number for number, han in value.yaku if han)):
        note(YAKU_ROWS[number])
    note(LIMITS[value.limit + (value.limit == _YAKUMAN and bool(value.yakuman))])
    note("several-yakuman", when=len(value.yakuman) > 1)
    pao, tsumo = table.pao.get(player), win.source == player
    if pao is not None:
        note("pao-tsumo" if tsumo else "pao-himself" if pao == win.source else "pao-ron")
    if tsumo and table.replaced is not None:
        note(f"rinshan-after-{table.replaced.name.lower()}")
        note("rinshan-last-tile", when=not table.tiles_left)


def count_last_tile(table: Table) -> None:
    """Count an exhaustive draw."""
    note = table.tally.note
    note(f"tenpai-{sum(seat.tenpai for seat in table.seats)}")
    nagashi = [seat.player for seat in table.seats if is_nagashi(seat)]
    note("nagashi-of-dealer", when=table.dealer in nagashi)
    note("nagashi-of-two", when=len(nagashi) > 1)
    for seat in table.seats:
        note("tenpai-on-own-fourth", when=seat.waits != 0 and not seat.waits & ~_all_four(seat))
        note("noten-on-own-four", when=not seat.waits and _waits_for_fifth(seat))


def _all_four(seat: Seat) -> int:
    """Return the kinds, as bits, of which a player has all four tiles in hand and melds."""
    own = Counter(tile >> 2 for tile in (*seat.tiles, *(tile for meld in seat.melds for tile in meld.tiles)))
    return sum(1 << kind for kind, count in own.items() if count == COPIES)


def _waits_for_fifth(seat: Seat) -> bool:
    """Return whether only a fifth tile of a kind would complete the hand, which itself has all four."""
    return any(would_complete(seat.keys, kind) for kind, count in enumerate(seat.counts) if count == COPIES)


def count_conditions(tally: Tally, rules: Rules, era: Era) -> None:
    """Count the rows that depend only on the rules and the era of a game."""
    for row, holds in CONDITIONS.items():
        tally.note(row, when=holds(rules, era))


def count_frame(tally: Tally, setup: FrameSetup, ending: Ending, reason: str | None, number: int) -> None:
    """Count the effects of a frame on the game.

    :param reason: why the game ends with it; `None` if the game goes on.
    :param number: how many frames the game has had, this one included.
    """
    note, points = tally.note, ending.points
    note("honba-5", when=setup.honba == _HONBA)
    note("ten-frames", when=number == _FRAMES)
    note("twenty-frames", when=number == 2 * _FRAMES)
    note("points-0", when=0 in points)
    if reason is None:
        note("dealer-stays-after-last", when=setup.round >= setup.rules.last_round and ending.dealer_stays)
        note("extended", when=setup.round == setup.rules.last_round and not ending.dealer_stays)
        return
    note(reason)
    note("bust-of-two", when=sum(have < 0 for have in points) > 1)
    note("left-sticks", when=ending.sticks > 0)
    note("tie-for-first", when=points.count(max(points)) > 1)
