"""The table as one player sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jmjp_convert.model import Meld
from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import COPIES, KINDS, exists, kind
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.position import NOBODY

if TYPE_CHECKING:
    from jmjp_convert.play.ponds import PondTable


_COPIES = {players: tuple(COPIES if exists(number, players) else 0 for number in range(KINDS)) for players in (3, 4)}
"""By number of players, the copies of each kind."""


@record
class SeenDiscard:
    """A discard, as everybody sees it.

    :ivar tsumogiri: whether it is the tile just drawn; ``None`` if that is not recorded.
    :ivar riichi: whether it is a riichi tile.
    :ivar taken: the player who called it.
    """

    tile: int
    tsumogiri: bool | None
    riichi: bool
    taken: int | None


@record
class Seen:
    """What a player knows of the table. Tuples by player are in the order of the match.

    :ivar player: who sees it.
    :ivar hand: their closed tiles, ascending, without the one just drawn.
    :ivar drawn: the tile that they have just drawn.
    :ivar melds: by player, oldest first.
    :ivar ponds: by player, the discards in order; called tiles stay in place.
    :ivar indicators: the dora indicators turned.
    :ivar turn: the player to act; ``None`` if nobody.
    :ivar declared: the player who has declared riichi but not yet paid for it.
    :ivar riichi: by player, whether riichi has been declared and paid for.
    :ivar points: by player, if known.
    :ivar sticks: the number of riichi sticks on the table, if known.
    :ivar honba: the honba count, if known.
    :ivar left: the number of tiles left to draw.
    :ivar unseen: by kind (0 to 33), the number of copies that this player has not seen.
    """

    player: int
    hand: tuple[int, ...]
    drawn: int | None
    melds: tuple[tuple[Meld, ...], ...]
    ponds: tuple[tuple[SeenDiscard, ...], ...]
    indicators: tuple[int, ...]
    turn: int | None
    declared: int | None
    riichi: tuple[bool, ...]
    points: tuple[int, ...] | None
    sticks: int | None
    honba: int | None
    left: int
    unseen: tuple[int, ...]


def seen(table: PondTable, player: int) -> Seen:
    """Return *table* as *player* sees it."""
    ponds = tuple(
        tuple(SeenDiscard(thrown.tile, thrown.tsumogiri, thrown.riichi, thrown.taken) for thrown in pond)
        for pond in table.ponds
    )
    return Seen(
        player=player,
        hand=tuple(sorted(table.hands[player])),
        drawn=_drawn(table, player),
        melds=tuple(map(tuple, table.melds)),
        ponds=ponds,
        indicators=tuple(table.indicators),
        turn=None if table.turn == NOBODY else table.turn,
        declared=table.declared,
        riichi=tuple(table.riichi),
        points=table.points,
        sticks=table.sticks,
        honba=table.honba,
        left=table.left,
        unseen=unseen_by(table, player),
    )


def _drawn(table: PondTable, player: int) -> int | None:
    """Return the tile that *player* holds besides the hand."""
    return table.drawn if table.turn == player else table.fourteenth[player]


def unseen_by(table: PondTable, player: int) -> tuple[int, ...]:
    """Return, by kind (0 to 33), the number of copies that *player* has not seen."""
    drawn = _drawn(table, player)
    shown = [*table.hands[player], *table.indicators, *table.ura]
    shown += [drawn] if drawn is not None else []
    shown += [thrown.tile for pond in table.ponds for thrown in pond if thrown.taken is None]
    shown += [tile for melds in table.melds for meld in melds for tile in tiles_of(meld)]
    counts = list(_COPIES[table.rules.players])
    for tile in shown:
        number = kind(tile)
        if number is not None:
            counts[number] -= 1
    return tuple(counts)
