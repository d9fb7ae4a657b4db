"""What a player may do, by Tenhou's rules (docs/design/scoring.md, Positions).

Why a certain act is against the rules, such as a riichi too late: :mod:`jmjp_convert.play.violations`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

from jmjp_convert.errors import UnknownHandError
from jmjp_convert.model import Ankan, Call, Chi, Daiminkan, Discard, DrawKind, Kakan, Kan, Kita, Pon
from jmjp_convert.model.tiles import (
    COPIES,
    EAST,
    KINDS,
    NORTH,
    SUIT,
    TERMINALS_AND_HONORS,
    UNKNOWN,
    WIND_KINDS,
    faces,
    kind,
)
from jmjp_convert.play.abortive import has_nine_terminals
from jmjp_convert.play.points import STICK
from jmjp_convert.play.position import DEALT, NOBODY
from jmjp_convert.play.shanten import shanten, useful

if TYPE_CHECKING:
    from jmjp_convert.play.ponds import PondTable
    from jmjp_convert.play.table import Table

ALL_KANS = 4
"""The most kans that all players can declare."""

_FOUR = 4
_PARTNERS = ((-2, -1), (-1, 1), (1, 2))
_NUMBERS = bytes(KINDS if tile > UNKNOWN or (number := kind(tile)) is None else number for tile in range(1 << 8))
"""The kinds of tiles, and KINDS for an unknown one, as a table for ``translate``."""


class Legal(NamedTuple):
    """What a player may do now; everything is empty while they can only wait or draw. Calls and wins are
    optional.

    :ivar discards: the tiles that may be discarded, ascending, every copy; after declaring riichi, those that leave
        tenpai.
    :ivar riichi: the tiles with which riichi may be declared, ascending, every copy.
    :ivar calls: the melds that may be called with the last discard, one for each choice of faces: the same call with
        other copies of these faces is legal too. A riichi tile can be called once its stick is paid.
    :ivar kans: the ankan and kakan that may be declared; for three players, kita too, one for all norths in the hand.
    :ivar win: whether the tile just drawn or offered completes the hand, by its shape; yaku are not examined.
        A player in furiten may not win by ron.
    :ivar yaku: whether that win has a yaku; ``None`` if that is not known, or there is no win.
    :ivar nine_terminals: whether the frame may be drawn for nine kinds of terminals and honors.
    """

    discards: tuple[int, ...] = ()
    riichi: tuple[int, ...] = ()
    calls: tuple[Call, ...] = ()
    kans: tuple[Ankan | Kakan | Kita, ...] = ()
    win: bool = False
    nine_terminals: bool = False
    yaku: bool | None = None


def counted(table: Table, player: int, *, drawn: bool = False) -> bytearray:
    """Return the closed tiles of *player* by kind, with the tile just *drawn* if asked for.

    :raises UnknownHandError: some of them are not known.
    """
    counts = bytearray(KINDS + 1)
    for number in table.hands[player].translate(_NUMBERS):
        counts[number] += 1
    if drawn and table.turn == player and table.drawn is not None:
        counts[_NUMBERS[table.drawn]] += 1
    if counts.pop() or table.unseen[player]:
        raise UnknownHandError(player)
    return counts


def waits(table: Table, player: int) -> tuple[int, ...]:
    """Return the kinds that complete the hand of *player* without the tile just drawn; empty if it is not tenpai.

    :raises UnknownHandError: the hand is not known.
    """
    counts, players = counted(table, player), table.rules.players
    melds = sum(not isinstance(meld, Kita) for meld in table.melds[player])
    if sum(counts) + 3 * melds != DEALT or shanten(counts, players=players):
        return ()
    return useful(counts, players=players)


def legal(table: PondTable, player: int) -> Legal:
    """Return what *player* may do now.

    :raises UnknownHandError: the hand is not known.
    """
    if table.turn == player and not table.ended:
        if table.drawn is not None:
            return _after_draw(table, player)
        if table.called:
            return Legal(_discards_after_call(table, player))
    last = table.last
    if last is None or last.player == player or table.drawn is not None or (table.ended and not table.winners):
        return Legal()
    # Of a riichi tile, only a win comes before the stick is paid, and only a call after it.
    may_call = isinstance(last, Discard) and table.turn != NOBODY and not table.riichi[player] and table.left > 0
    calls = tuple(_calls(table, player, last)) if may_call and isinstance(last, Discard) else ()
    return Legal(calls=calls, win=_may_ron(table, player))


# --- one's own turn --------------------------------------------------------------------------------------------------


def _after_draw(table: PondTable, player: int) -> Legal:
    assert table.drawn is not None
    counts, players = counted(table, player, drawn=True), table.rules.players
    hand = tuple(sorted([*table.hands[player], table.drawn]))
    in_riichi = table.riichi[player]
    may_be_riichi = not in_riichi and table.is_closed(player) and shanten(counts, players=players) <= 0
    tenpai = tuple(tile for tile in hand if leaves_tenpai(counts, kind(tile), players)) if may_be_riichi else ()
    if table.declared == player:
        return Legal(tenpai)
    points = table.points
    may_pay = (points is None or points[player] >= STICK) and table.left >= players
    return Legal(
        discards=(table.drawn,) if in_riichi else hand,
        riichi=tenpai if may_pay else (),
        kans=tuple(_kans(table, player, counts, hand)),
        win=shanten(counts, players=players) < 0,
        nine_terminals=table.is_first_turn(player) and has_nine_terminals(hand),
    )


def leaves_tenpai(counts: bytearray, number: int | None, players: int) -> bool:
    """Return whether a hand with *counts* by kind is tenpai after the discard of one of the kind *number*."""
    assert number is not None
    counts[number] -= 1
    left = shanten(counts, players=players)
    counts[number] += 1
    return left == 0


def _kans(table: PondTable, player: int, counts: bytearray, hand: tuple[int, ...]) -> Iterator[Ankan | Kakan | Kita]:
    """Yield the ankan, kakan and kita that may be declared. After riichi, an ankan needs the tile just drawn and must
    not change the waits; a kita must be the tile just drawn."""
    if not table.left:
        return
    in_riichi, drawn = table.riichi[player], table.drawn
    if kans_of(table) < ALL_KANS:
        for number in range(KINDS):
            if counts[number] == COPIES and (not in_riichi or keeps_waits(table, player, number)):
                yield Ankan(player, tuple(tile for tile in hand if kind(tile) == number))
        for meld in table.melds[player]:
            if isinstance(meld, Pon):
                for tile in hand:
                    if kind(tile) == kind(meld.taken):
                        yield Kakan(player, tile, meld)
    if table.rules.players != _FOUR:
        norths = [tile for tile in hand if kind(tile) == NORTH and (not in_riichi or tile == drawn)]
        yield from (Kita(player, tile) for tile in norths[-1:])


def keeps_waits(table: PondTable, player: int, number: int | None) -> bool:
    """Return whether an ankan of the tile just drawn, of kind *number*, leaves the waits as they are."""
    assert table.drawn is not None
    if number is None or kind(table.drawn) != number:
        return False
    counts, players = counted(table, player), table.rules.players
    before = useful(counts, players=players)
    counts[number] = 0
    return shanten(counts, players=players) == 0 and useful(counts, players=players) == before


def kans_of(table: Table) -> int:
    """Return the number of kans declared by all players."""
    return sum(isinstance(meld, Kan) for melds in table.melds for meld in melds)


def _discards_after_call(table: PondTable, player: int) -> tuple[int, ...]:
    """Return the tiles that may be discarded after a chi or pon: neither the tile called nor, after a chi, the tile
    that would complete the same run on its other side (kuikae)."""
    meld = table.melds[player][-1]
    assert isinstance(meld, Chi | Pon)
    forbidden = kuikae(meld)
    return tuple(sorted(tile for tile in table.hands[player] if kind(tile) not in forbidden))


def kuikae(meld: Chi | Pon) -> set[int | None]:
    """Return the kinds that may not be discarded right after *meld*."""
    taken = kind(meld.taken)
    forbidden = {taken}
    if isinstance(meld, Chi) and taken is not None:
        low, high = sorted(number for number in map(kind, meld.hand) if number is not None)
        if high - low == 1:
            other = low - 1 if taken > high else high + 1
            if 0 <= other < EAST and other // SUIT == taken // SUIT:
                forbidden.add(other)
    return forbidden


# --- the tiles of others ---------------------------------------------------------------------------------------------


def _calls(table: PondTable, player: int, last: Discard) -> Iterator[Call]:
    """Yield the melds that may be called with *last*. A call must leave a tile that may be discarded."""
    number = kind(last.tile)
    counts = counted(table, player)
    if number is None or due_draws(table):
        return
    hand = sorted(table.hands[player])
    same = [tile for tile in hand if kind(tile) == number]
    melds: list[Chi | Pon] = [Pon(player, last.tile, pair, last.player) for pair in _different(table, same)]
    if table.rules.players == _FOUR and (last.player + 1) % _FOUR == player and number < EAST:
        for low, high in _PARTNERS:
            if (number + low) // SUIT == number // SUIT == (number + high) // SUIT:
                sides = [[tile for tile in hand if kind(tile) == number + step] for step in (low, high)]
                melds += [
                    Chi(player, last.tile, (lower, upper), last.player)
                    for lower, upper in product(*(_by_face(table, side) for side in sides))
                ]
    yield from (meld for meld in melds if leaves_discard(counts, meld))
    if len(same) == COPIES - 1 and kans_of(table) < ALL_KANS:
        yield Daiminkan(player, last.tile, tuple(same), last.player)


def leaves_discard(counts: bytearray, meld: Chi | Pon) -> bool:
    """Return whether a hand with *counts* by kind has a tile that may be discarded after *meld*: not only kuikae."""
    forbidden = kuikae(meld)
    kinds_left = counts[:]
    for tile in meld.hand:
        kinds_left[kind(tile) or 0] -= 1
    return any(count and left not in forbidden for left, count in enumerate(kinds_left))


def due_draws(table: PondTable) -> set[DrawKind]:
    """Return how the frame is drawn after the last discard unless somebody wins: by four kans of several players, or,
    with four players, by four riichi, or four equal winds in the first turn without a call."""
    due: set[DrawKind] = set()
    kans = [sum(isinstance(meld, Kan) for meld in melds) for melds in table.melds]
    if sum(kans) == ALL_KANS and max(kans) < ALL_KANS:
        due.add(DrawKind.FOUR_KANS)
    if table.rules.players != _FOUR:
        return due
    if all(table.riichi):
        due.add(DrawKind.FOUR_RIICHI)
    first = [kind(pond[0].tile) if len(pond) == 1 else None for pond in table.ponds]
    if first[0] in WIND_KINDS and len(set(first)) == 1 and not any(table.melds):
        due.add(DrawKind.FOUR_WINDS)
    return due


def _by_face(table: PondTable, tiles: list[int]) -> list[int]:
    """Return one of *tiles* for each face."""
    names = faces(table.rules.red_fives)
    return list({names[tile]: tile for tile in reversed(tiles)}.values())


def _different(table: PondTable, tiles: list[int]) -> list[tuple[int, int]]:
    """Return the pairs of *tiles* that differ in their faces."""
    names = faces(table.rules.red_fives)
    return list({(names[first], names[second]): (first, second) for first, second in combinations(tiles, 2)}.values())


def _may_ron(table: PondTable, player: int) -> bool:
    """Return whether the tile just offered completes the hand of *player*, who is not in furiten. Only thirteen
    orphans win on the tile of an ankan."""
    last = table.last
    assert last is not None
    if player in table.winners or table.passed == (last, table.hidden):
        return False
    tile = last.tiles[0] if isinstance(last, Ankan) else last.tile
    number, waited = kind(tile), waits(table, player)
    if number not in waited or table.furiten(player):
        return False
    return not isinstance(last, Ankan) or is_thirteen_orphans(table, player)


def is_thirteen_orphans(table: PondTable, player: int) -> bool:
    """Return whether the hand of *player* is thirteen orphans, or lacks one tile for it.

    :raises UnknownHandError: the hand is not known.
    """
    counts = counted(table, player)
    return len([number for number in TERMINALS_AND_HONORS if not counts[number]]) <= 1
