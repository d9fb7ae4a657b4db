"""A table that also tracks the ponds, and can say what a player sees and may do."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from jmjp_convert.model import SEATS, THREE_PLAYERS, Call, Discard, Draw, Event, Kakan, Kita, Meld, Rules, Start
from jmjp_convert.model.tiles import COPIES, EAST, KINDS, TERMINALS_AND_HONORS, exists, kind
from jmjp_convert.play.legal import Legal, legal, waits
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.position import NOBODY, STATE
from jmjp_convert.play.table import Table, play_all

_COPIES: Final = {
    players: tuple(COPIES if exists(number, players) else 0 for number in range(KINDS))
    for players in (THREE_PLAYERS, SEATS)
}
"""By number of players, the copies of each kind."""


class Thrown(NamedTuple):
    """A tile in a pond.

    :ivar tile: the tile discarded.
    :ivar drawn: the tile drawn before it; ``None`` after a call.
    :ivar tsumogiri: whether it is that tile; ``None`` if that is not recorded.
    :ivar riichi: whether it is a riichi tile.
    :ivar taken: the player who called it.
    """

    tile: int
    drawn: int | None
    tsumogiri: bool | None
    riichi: bool
    taken: int | None = None


class SeenDiscard(NamedTuple):
    """A discard, as everybody sees it.

    :ivar tile: the tile discarded.
    :ivar tsumogiri: whether it is the tile just drawn; ``None`` if that is not recorded.
    :ivar riichi: whether it is a riichi tile.
    :ivar taken: the player who called it.
    """

    tile: int
    tsumogiri: bool | None
    riichi: bool
    taken: int | None


class Seen(NamedTuple):
    """What a player knows of the table. Tuples by player are in the order of the match.

    :ivar player: who sees it.
    :ivar round: 0–15, four to a wind: 0 is E1, 5 is S2.
    :ivar dealer: the dealer.
    :ivar round_wind: the tile type of the round wind, 27 for East to 30 for North.
    :ivar seat_wind: the tile type of this player's seat wind.
    :ivar hand: their closed tiles, ascending, without the one just drawn.
    :ivar drawn: the tile that they have just drawn.
    :ivar melds: by player, oldest first.
    :ivar ponds: by player, the discards in order; called tiles stay in place.
    :ivar indicators: the dora indicators turned.
    :ivar turn: the player to act; ``None`` if nobody.
    :ivar declared: the player who has declared riichi but not yet paid for it.
    :ivar riichi: by player, whether riichi has been declared and paid for.
    :ivar points: by player, in points, if known.
    :ivar sticks: the number of riichi sticks on the table, if known.
    :ivar honba: the honba count.
    :ivar left: the number of tiles left to draw.
    :ivar unseen: by kind (0 to 33), the number of copies that this player has not seen.
    """

    player: int
    round: int
    dealer: int
    round_wind: int
    seat_wind: int
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
    honba: int
    left: int
    unseen: tuple[int, ...]


_PONDS: Final = ("start", "ponds", "offered", "_passed_from")
"""The attributes of a table, besides those of a position."""


class PondTable(Table):
    """A table that tracks the ponds."""

    __slots__ = _PONDS

    def __init__(self, start: Start, rules: Rules) -> None:
        super().__init__(start, rules)
        self.start = start  # the start of the frame
        # By player, the discards in order; called tiles stay in place.
        self.ponds: list[list[Thrown]] = [[] for _ in start.hands]
        # The tiles that others could win on, in order, with the player who offered each: discards, and the tiles of
        # kakan and kita.
        self.offered: list[tuple[int, int]] = []
        self._passed_from = [0] * len(start.hands)

    def copy(self) -> PondTable:
        """Return a table in the same state; only what never changes is shared."""
        copied = PondTable(self.start, self.rules)
        for name in (*STATE, *_PONDS):
            value = getattr(self, name)
            setattr(copied, name, value.copy() if isinstance(value, list | set) else value)
        copied.hands = [hand.copy() for hand in self.hands]
        copied.loose = [bytearray() if riichi else hand for hand, riichi in zip(copied.hands, self.riichi, strict=True)]
        copied.melds = [melds.copy() for melds in self.melds]
        copied.ponds = [pond.copy() for pond in self.ponds]
        return copied

    def play(self, event: Event) -> None:
        """Play *event*.

        :raises PlayError: it is impossible.
        """
        drawn = self.drawn
        play_all(self, (event,))
        if type(event) is Draw:
            self._begin_turn(event.player)
        elif type(event) is Discard:
            player = event.player
            self._begin_turn(player)
            self.offered.append((player, event.tile))
            self.ponds[player].append(Thrown(event.tile, drawn, event.tsumogiri, self.declared == player))
        elif isinstance(event, Call):
            pond = self.ponds[event.source]
            pond[-1] = pond[-1]._replace(taken=event.player)
        elif isinstance(event, Kakan | Kita):
            self.offered.append((event.player, event.tile))

    def _begin_turn(self, player: int) -> None:
        """Forget the tiles that *player* has let pass, unless in riichi."""
        if not self.riichi[player]:
            self._passed_from[player] = len(self.offered)

    def waits(self, player: int) -> tuple[int, ...]:
        """Return the kinds (0 to 33) that complete the hand of *player* without the tile just drawn, by shape alone;
        empty if it is not tenpai.

        :raises PlayError: the hand is not known.
        """
        return waits(self, player)

    def furiten(self, player: int) -> bool:
        """Return whether *player* is tenpai and may not win by ron: a wait is among their discards, or they let one
        pass since their last turn, or since their riichi (docs/design/scoring.md, Positions).

        :raises PlayError: the hand is not known.
        """
        return self.furiten_with(player, waits(self, player))

    def furiten_with(self, player: int, waited: Collection[int]) -> bool:
        """Return what :meth:`furiten` does, for the waits of *player*, which take longer to find."""
        if not waited:
            return False
        passed = self.offered[self._passed_from[player] :]
        if self.last is not None and self.drawn is None:
            passed = passed[:-1]  # the last one may still be won on
        return any(kind(thrown.tile) in waited for thrown in self.ponds[player]) or any(
            source != player and kind(tile) in waited for source, tile in passed
        )

    def seat_wind(self, player: int) -> int:
        """Return the kind of the seat wind of *player*."""
        return EAST + (player - self.start.dealer) % len(self.hands)

    def is_first_turn(self, player: int) -> bool:
        """Return whether it is still the first turn of *player*: no discard of theirs yet, and no meld on the table."""
        return not self.ponds[player] and not any(self.melds)

    def nagashi(self) -> list[int]:
        """Return the players who discarded only terminals and honors that nobody called."""
        return [
            player
            for player, pond in enumerate(self.ponds)
            if pond and all(thrown.taken is None and kind(thrown.tile) in TERMINALS_AND_HONORS for thrown in pond)
        ]

    def legal(self, player: int) -> Legal:
        """Return what *player* may do now (docs/design/scoring.md, Positions).

        :raises PlayError: the hand is not known.
        """
        return legal(self, player)

    def seen_by(self, player: int) -> Seen:
        """Return the table as *player* sees it now; it does not change with the table."""
        ponds = tuple(
            tuple(SeenDiscard(thrown.tile, thrown.tsumogiri, thrown.riichi, thrown.taken) for thrown in pond)
            for pond in self.ponds
        )
        return Seen(
            player=player,
            round=self.start.round,
            dealer=self.start.dealer,
            round_wind=self.start.round_wind,
            seat_wind=self.seat_wind(player),
            hand=tuple(sorted(self.hands[player])),
            drawn=_drawn(self, player),
            melds=tuple(map(tuple, self.melds)),
            ponds=ponds,
            indicators=tuple(self.indicators),
            turn=None if self.turn == NOBODY else self.turn,
            declared=self.declared,
            riichi=tuple(self.riichi),
            points=self.points,
            sticks=self.sticks,
            honba=self.honba,
            left=self.left,
            unseen=unseen_by(self, player),
        )


def _drawn(table: PondTable, player: int) -> int | None:
    """Return the tile that *player* holds besides the hand."""
    return table.drawn if table.turn == player else table.fourteenth[player]


def unseen_by(table: PondTable, player: int) -> tuple[int, ...]:
    """Return, by kind (0 to 33), the number of copies that *player* has not seen."""
    drawn = _drawn(table, player)
    visible = [*table.hands[player], *table.indicators, *table.ura]
    visible += [drawn] if drawn is not None else []
    visible += [thrown.tile for pond in table.ponds for thrown in pond if thrown.taken is None]
    visible += [tile for melds in table.melds for meld in melds for tile in tiles_of(meld)]
    counts = list(_COPIES[table.rules.players])
    for tile in visible:
        number = kind(tile)
        if number is not None:
            counts[number] -= 1
    return tuple(counts)
