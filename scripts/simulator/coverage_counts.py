"""What of a frame and a game counts for which rows of `coverage.py`, beside the elements themselves."""

from __future__ import annotations

from collections import Counter

from simulator.coverage import LIMITS, YAKU_ROWS, Tally
from simulator.coverage_conditions import CONDITIONS
from simulator.endings import Ending, Win, is_nagashi
from simulator.eras import Form
from simulator.hand_shapes import COPIES, is_complete
from simulator.melds import KANS, MOST_KANS, RED, Laid, Name, red_rows
from simulator.payments import STICK
from simulator.rules import Rules
from simulator.seat import Seat
from simulator.table import Setting, Table

_HONBA = 5
_FRAMES = 10
_YAKUMAN = 5


def count_meld(table: Table, seat: Seat, meld: Laid) -> None:
    """Count a meld that has just been laid down."""
    note = table.tally.note
    for row in red_rows(meld) if table.rules.red_fives else ():
        note(row)
    note("kan-with-dora-owed", when=table.owed and meld.name in KANS)
    note("kita-with-dora-owed", when=table.owed and meld.name is Name.KITA)
    note("ankan-after-riichi", when=seat.riichi and meld.name is Name.ANKAN)
    note("kita-after-riichi", when=seat.riichi and meld.name is Name.KITA)
    laid = Counter(other.name for other in seat.melds)
    note("four-norths", when=meld.name is Name.KITA and laid[Name.KITA] == COPIES)
    note("four-kans-of-one", when=meld.name in KANS and sum(laid[name] for name in KANS) == MOST_KANS)


def count_discard(table: Table, seat: Seat, tile: int) -> None:
    """Count the discard of *tile*, before it has left the hand."""
    drawn = seat.drawn
    if tile == drawn:
        table.tally["tsumogiri"] += 1
    elif drawn is not None and tile >> 2 == drawn >> 2 and not (table.rules.red_fives and {tile, drawn} & RED):
        table.tally["karagiri"] += 1


def count_riichi(table: Table, seat: Seat) -> None:
    """Count a riichi whose tile has just been discarded."""
    note = table.tally.note
    note("riichi-furiten", when=bool(seat.waits & seat.thrown))
    note("riichi-after-ankan", when=seat.sets > 0)
    note("riichi-last-chance", when=table.left == len(table.seats))
    note("riichi-with-last-points", when=table.points[seat.player] == STICK)


_ROBBED = {Name.KAKAN: "robbed-kakan", Name.KITA: "robbed-kita", Name.ANKAN: "robbed-ankan"}


def count_rons(table: Table, wins: list[Win], meld: Laid | None, *, riichi: bool) -> None:
    """Count *wins* by ron: on a discard, of riichi or not, or on a *meld* that is robbed."""
    note = table.tally.note
    if meld is not None:
        note(_ROBBED[meld.name])
        note("robbed-kan-of-two", when=len(wins) > 1)
        note("robbed-ippatsu", when=any(win.seat.ippatsu for win in wins))
    note("riichi-tile-ronned", when=riichi)
    note("first-turn-ron", when=table.untouched and any(not win.seat.river for win in wins))
    note("double-ron", when=len(wins) > 1)
    note("double-ron-with-honba", when=len(wins) > 1 and table.setting.honba > 0)
    note("double-ron-with-sticks", when=len(wins) > 1 and table.sticks > 0)
    note("pao-in-double-ron", when=len(wins) > 1 and any(win.seat.player in table.pao for win in wins))


def count_win(table: Table, win: Win) -> None:
    """Count a win, by what it is worth and who pays."""
    note, worth, player = table.tally.note, win.worth, win.seat.player
    for number in (*worth.yakuman, *(number for number, han in worth.yaku if han)):
        note(YAKU_ROWS[number])
    note(LIMITS[worth.limit + (worth.limit == _YAKUMAN and bool(worth.yakuman))])
    note("several-yakuman", when=len(worth.yakuman) > 1)
    pao, tsumo = table.pao.get(player), win.source == player
    if pao is not None:
        note("pao-tsumo" if tsumo else "pao-himself" if pao == win.source else "pao-ron")
    if tsumo and table.replaced is not None:
        note(f"rinshan-after-{table.replaced.name.lower()}")
        note("rinshan-last-tile", when=not table.left)


def count_last_tile(table: Table) -> None:
    """Count a draw at the last tile."""
    note = table.tally.note
    note(f"tenpai-{sum(seat.tenpai for seat in table.seats)}")
    nagashi = [seat.player for seat in table.seats if is_nagashi(seat)]
    note("nagashi-of-dealer", when=table.dealer in nagashi)
    note("nagashi-of-two", when=len(nagashi) > 1)
    for seat in table.seats:
        note("tenpai-on-own-fourth", when=seat.waits != 0 and not seat.waits & ~_all_own(seat))
        note("noten-on-own-four", when=not seat.waits and _waits_for_fifth(seat))


def _all_own(seat: Seat) -> int:
    """Return the kinds, as bits, of which a player has all four, melds among them."""
    own = Counter(tile >> 2 for tile in (*seat.tiles, *(tile for meld in seat.melds for tile in meld.tiles)))
    return sum(1 << kind for kind, count in own.items() if count == COPIES)


def _waits_for_fifth(seat: Seat) -> bool:
    """Return whether a fifth tile of a kind of which the hand itself holds four would complete it."""
    return any(is_complete(seat.keys, kind) for kind, count in enumerate(seat.counts) if count == COPIES)


def count_rules(tally: Tally, rules: Rules, form: Form) -> None:
    """Count the rules of a game, and the form of its log."""
    for row, holds in CONDITIONS.items():
        tally.note(row, when=holds(rules, form))


def count_game(tally: Tally, setting: Setting, ending: Ending, why: str | None, frames: int) -> None:
    """Count what a frame, the *frames*-th, and its end mean for the game, which is over if there is a *why*."""
    note, points = tally.note, ending.points
    note("honba-5", when=setting.honba == _HONBA)
    note("ten-frames", when=frames == _FRAMES)
    note("twenty-frames", when=frames == 2 * _FRAMES)
    note("points-0", when=0 in points)
    if why is None:
        note("dealer-stays-after-last", when=setting.round >= setting.rules.last and ending.stays)
        note("extended", when=setting.round == setting.rules.last and not ending.stays)
        return
    note(why)
    note("bust-of-two", when=sum(have < 0 for have in points) > 1)
    note("left-sticks", when=ending.sticks > 0)
    note("tie-for-first", when=points.count(max(points)) > 1)
