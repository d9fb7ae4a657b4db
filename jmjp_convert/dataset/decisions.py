"""What players decided in a frame: the rows of discards, calls and riichi."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jmjp_convert.dataset import dora
from jmjp_convert.dataset.hands import OPEN, HandInPlay
from jmjp_convert.dataset.values import Place, Row, listed, listed_kinds, names, seats
from jmjp_convert.model import Call, Discard, DoraRevealed, Draw, Frame, Kakan, Meld, Rules, Win
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.ponds import PondTable, unseen_by
from jmjp_convert.stats.definitions import turn_of_win


class Winner(NamedTuple):
    """What a winner had done: the *turn* of the win, the number of *discards* in the frame, whether they were in
    *riichi*, and whether they had *called* a tile; each is ``None`` if the play is not recorded."""

    turn: int | None = None
    discards: int | None = None
    riichi: bool | None = None
    called: bool | None = None


class _Declared(NamedTuple):
    """What is known of a riichi after its discard."""

    player: int
    turn: int
    discard: int
    double: bool
    waits: tuple[int, ...] | None = None
    unseen: int | None = None
    furiten: bool | None = None


class Decisions:
    """A frame whose play is recorded, followed to its end.

    :param place: the values that each row begins with.
    :ivar table: the table at the end.
    :ivar dealt: by player, the shanten of the tiles dealt, if known.
    :ivar winners: by player.
    :ivar discards: the rows of discards.
    :ivar calls: the rows of calls.
    :raises PlayError: the play is impossible.
    """

    def __init__(self, frame: Frame, rules: Rules, place: Place) -> None:
        self.table = PondTable(frame.start, rules)
        self.winners: dict[int, Winner] = {}
        self.discards: list[Row] = []
        self.calls: list[Row] = []
        self._place = place
        self._seats = seats(frame.start.dealer, len(frame.start.hands))
        self._faces = names(rules.red_fives)
        self._left = self.table.left
        self._dora = dora.values_at(self.table)
        self._dora_known = frame.start.indicator is not None and not frame.start.kan_indicators
        self._hands = [HandInPlay(self.table, player) for player in range(rules.players)]
        self.dealt = [hand.shanten for hand in self._hands]
        self._declared: list[_Declared] = []
        self._ronned = 0
        self._play(frame)

    def _play(self, frame: Frame) -> None:
        table, hands = self.table, self._hands
        for event in frame.events:
            if type(event) is Draw:
                table.play(event)
                self._left -= 1
                hands[event.player].draw(event.tile)
            elif type(event) is Discard:
                self._discard(event)
                if table.declared == event.player:
                    self._declared.append(self._riichi(event.player))
            elif isinstance(event, Meld):
                self._call(event)
                table.play(event)
                hands[event.player].count()
            else:
                if isinstance(event, Win):
                    self._win(event)
                table.play(event)
                if isinstance(event, DoraRevealed):
                    self._dora = dora.values_at(table)

    def riichi(self, outcomes: Sequence[str | None]) -> list[Row]:
        """Return the rows of riichi.

        :param outcomes: by player, how the frame ended.
        """
        return [
            (
                *self._place,
                one.player,
                self._seats[one.player],
                one.turn,
                one.discard,
                number,
                self.table.riichi[one.player],
                one.double,
                None if one.waits is None else listed_kinds(one.waits),
                None if one.waits is None else len(one.waits),
                one.unseen,
                one.furiten,
                outcomes[one.player],
            )
            for number, one in enumerate(self._declared, 1)
        ]

    def _discard(self, event: Discard) -> None:
        """Play a discard, and add its row, as if nobody called it or won on it."""
        table, player, faces = self.table, event.player, self._faces
        hand, drawn, points = self._hands[player], table.drawn, table.points
        shanten = hand.discard(event.tile, drawn)
        held = dora.held(table, player, self._dora) if shanten is not None and self._dora_known else None
        riichi = table.riichi[player]
        table.play(event)
        thrown = table.ponds[player][-1]
        self.discards.append(
            (
                *self._place,
                len(self.discards) + 1,
                player,
                self._seats[player],
                len(table.ponds[player]),
                faces[thrown.tile],
                None if drawn is None else faces[drawn],
                thrown.tsumogiri,
                shanten,
                hand.shanten,
                held,
                len(table.indicators) if self._dora_known else None,
                points[player] if points else None,
                self._left,
                hand.called,
                thrown.riichi,
                riichi,
                sum(table.riichi) - riichi,
                None,
                0,
            )
        )

    def _change_last(self, called_by: int | None, wins: int) -> None:
        """Change the row of the last discard, which somebody called or won on."""
        self.discards[-1] = (*self.discards[-1][:-2], called_by, wins)

    def _call(self, meld: Meld) -> None:
        """Add the row of a meld that is about to be played."""
        table, player, tiles = self.table, meld.player, tiles_of(meld)
        tile = source = None
        if isinstance(meld, Call):
            tile, source = meld.taken, meld.source
            self._change_last(player, 0)
        elif isinstance(meld, Kakan):
            tile = meld.tile
        self.calls.append(
            (
                *self._place,
                len(self.calls) + 1,
                player,
                self._seats[player],
                len(table.ponds[player]) + 1,
                len(self.discards),
                type(meld).__name__.lower(),
                None if tile is None else self._faces[tile],
                listed(sorted(tiles), table.rules),
                source,
                isinstance(meld, OPEN),
            )
        )

    def _win(self, win: Win) -> None:
        """Note what the winner had done before a win that is about to be played."""
        table, player = self.table, win.player
        turn = turn_of_win(win, len(table.ponds[player]))
        called = self._hands[player].called > 0
        self.winners[player] = Winner(turn, len(self.discards), table.riichi[player], called)
        if win.source is not None and isinstance(table.last, Discard):
            self._ronned += 1
            self._change_last(None, self._ronned)

    def _riichi(self, player: int) -> _Declared:
        """Return what is known of a riichi whose tile has just been discarded."""
        table, turn = self.table, len(self.table.ponds[player])
        double = turn == 1 and not any(table.melds)
        waits = self._hands[player].waits()
        if waits is None:
            return _Declared(player, turn, len(self.discards), double)
        unseen = None
        if self._dora_known:
            copies = unseen_by(table, player)
            unseen = sum([copies[kind] for kind in waits])
        return _Declared(player, turn, len(self.discards), double, waits, unseen, table.furiten_with(player, waits))
