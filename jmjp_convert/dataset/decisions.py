"""What players decided in a frame: the rows of discards, calls and riichi, with the hands and dora behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import zip_longest
from typing import NamedTuple

from jmjp_convert.dataset.schema import Row
from jmjp_convert.errors import PlayError
from jmjp_convert.model import WINDS, Call, Discard, DoraRevealed, Draw, Frame, Kakan, Kita, Meld, Rules, Thinking, Win
from jmjp_convert.model.tiles import IDS, KIND_FACES, UNKNOWN_FACE, RedFives, dora, faces, kind
from jmjp_convert.play.legal import counted
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.ponds import PondTable, unseen_by
from jmjp_convert.play.shanten import shanten, useful
from jmjp_convert.play.table import Table
from jmjp_convert.stats.counts import turn_of_win

FrameKey = tuple[str, int]
"""The values that the rows of a frame begin with: the key of the match and the frame's number."""


@cache
def names(red_fives: RedFives | None) -> tuple[str | None, ...]:
    """Return the face of every tile id, ``None`` for unknown ones."""
    return tuple(None if face == UNKNOWN_FACE else face for face in faces(red_fives))


def listed(tiles: Iterable[int], rules: Rules) -> str | None:
    """Return the faces of *tiles* in one text, ``None`` without any."""
    known = faces(rules.red_fives)
    return " ".join([known[tile] for tile in tiles]) or None


def seats(dealer: int, players: int) -> tuple[str, ...]:
    """Return the seats of all players."""
    return tuple([WINDS[(player - dealer) % players] for player in range(players)])


# --- the dora that a player holds -------------------------------------------------------------------------------------

_RED = "0"
_BYTES = 256


def dora_count(table: Table, player: int, values: bytes) -> int:
    """Return the number of dora that *player* holds: in the hand, just drawn and in melds. Tiles that are not known
    count as none.

    :param values: the :func:`dora_values` of this table.
    """
    count = sum(table.hands[player].translate(values))
    if table.turn == player and table.drawn is not None:
        count += values[table.drawn]
    for meld in table.melds[player]:
        count += isinstance(meld, Kita) + sum([values[tile] for tile in tiles_of(meld)])
    return count


def dora_values(table: Table) -> bytes:
    """Return by tile id how many dora a tile is: one for each indicator of it, and one if it is a red five. A kita is
    one more."""
    return _values(tuple(table.indicators), table.rules.players, table.rules.red_fives)


@lru_cache(maxsize=1024)
def _values(indicators: tuple[int, ...], players: int, red_fives: RedFives | None) -> bytes:
    """Return :func:`dora_values` of a table with these *indicators*."""
    turned = [kind(dora(indicator, players)) for indicator in indicators]
    known = faces(red_fives)
    kinds = [kind(tile) for tile in range(IDS)]
    values = [
        (0 if number is None else turned.count(number)) + known[tile].startswith(_RED)
        for tile, number in enumerate(kinds)
    ]
    return bytes(values).ljust(_BYTES, b"\0")


# --- hands ------------------------------------------------------------------------------------------------------------

_OPEN = Call | Kakan
"""The melds that open a hand."""


class _Hand:
    """The hand of *player* at *table*, at the start of its frame. It is counted along with the play: to count it
    again for each discard would take longer than the rest.

    :ivar called: the number of melds that open it.
    :ivar shanten: of the hand without the tile just drawn; ``None`` if it is not known, and after a meld.
    """

    def __init__(self, table: Table, player: int) -> None:
        self._table = table
        self._player = player
        self._players = table.rules.players
        self.shanten: int | None
        self._counts: bytearray | None
        self.count()
        if self._counts is not None:
            dealt = self._counts if table.turn != player or table.drawn is None else counted(table, player)
            self.shanten = shanten(dealt, players=self._players)

    def count(self) -> None:
        """Count the tiles and melds, as they are on the table."""
        table, player = self._table, self._player
        self.called = sum([isinstance(meld, _OPEN) for meld in table.melds[player]])
        self.shanten = None
        try:
            self._counts = counted(table, player, drawn=True)
        except PlayError:
            self._counts = None

    def draw(self, tile: int) -> None:
        """Add a *tile* that is drawn."""
        number = kind(tile)
        if number is None:
            self._counts = None
        elif self._counts is not None:
            self._counts[number] += 1

    def discard(self, tile: int, drawn: int | None) -> int | None:
        """Remove a *tile* that is about to be discarded, and return the shanten with it; ``None`` if it or the hand is
        not known.

        :param drawn: the tile just drawn, if any.
        """
        if self._counts is None:
            self.count()
        counts, number, before_draw = self._counts, kind(tile), self.shanten
        if counts is None or number is None:
            self._counts = self.shanten = None
            return None
        counts[number] -= 1
        if before_draw is None or drawn is None or kind(drawn) != number:
            self.shanten = shanten(counts, players=self._players)
            if before_draw is not None and self.shanten is not None and self.shanten < before_draw:
                return self.shanten  # a draw lowers it by one at most
        counts[number] += 1
        with_it = shanten(counts, players=self._players)
        counts[number] -= 1
        return with_it

    def waits(self) -> tuple[int, ...] | None:
        """Return the kinds that complete the hand, which has discarded; ``None`` if it is not known."""
        if self._counts is None:
            return None
        return useful(self._counts, players=self._players) if self.shanten == 0 else ()


# --- decisions --------------------------------------------------------------------------------------------------------


class Winner(NamedTuple):
    """What a winner had done: the *turn* of the win, the number of *discards* in the frame, whether they were in
    *riichi*, and whether they had *called* a tile; each is ``None`` if the play is not recorded."""

    turn: int | None = None
    discards: int | None = None
    riichi: bool | None = None
    called: bool | None = None


class Decisions:
    """A frame whose play is recorded, followed to its end.

    :param frame_key: the values that each row begins with.
    :ivar table: the table at the end.
    :ivar dealt: by player, the shanten of the tiles dealt, if known.
    :raises PlayError: the play is impossible.
    """

    def __init__(self, frame: Frame, rules: Rules, frame_key: FrameKey) -> None:
        self.table = PondTable(frame.start, rules)
        self.winners: dict[int, Winner] = {}
        self.discards: list[Row] = []
        self.calls: list[Row] = []
        self._key = frame_key
        self._seats = seats(frame.start.dealer, len(frame.start.hands))
        self._faces = names(rules.red_fives)
        self._left = self.table.left
        self._dora = dora_values(self.table)
        self._dora_known = frame.start.indicator is not None and not frame.start.kan_indicators
        self._hands = [_Hand(self.table, player) for player in range(rules.players)]
        self.dealt = [hand.shanten for hand in self._hands]
        self._declared: list[Row] = []
        self._ronned = 0
        self._play(frame)

    def _play(self, frame: Frame) -> None:
        table, hands = self.table, self._hands
        for event, thinking in zip_longest(frame.events, frame.thinking):
            if type(event) is Draw:
                table.play(event)
                self._left -= 1
                hands[event.player].draw(event.tile)
            elif type(event) is Discard:
                self._discard(event, thinking)
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
                    self._dora = dora_values(table)

    def riichi(self, outcomes: Sequence[str | None]) -> list[Row]:
        """Return the rows of riichi.

        :param outcomes: by player, how the frame ended.
        """
        return [
            (
                *self._key,
                player,
                self._seats[player],
                turn,
                discard,
                number,
                self.table.riichi[player],
                *after_discard,
                outcomes[player],
            )
            for number, (player, turn, discard, *after_discard) in enumerate(self._declared, 1)
        ]

    def _discard(self, event: Discard, thinking: Thinking | None) -> None:
        """Play a discard, and add its row, as if nobody called it or won on it."""
        table, player, faces = self.table, event.player, self._faces
        hand, drawn, points = self._hands[player], table.drawn, table.points
        shanten = hand.discard(event.tile, drawn)
        dora = dora_count(table, player, self._dora) if shanten is not None and self._dora_known else None
        riichi = table.riichi[player]
        table.play(event)
        thrown = table.ponds[player][-1]
        self.discards.append(
            (
                *self._key,
                len(self.discards) + 1,
                player,
                self._seats[player],
                len(table.ponds[player]),
                faces[thrown.tile],
                None if drawn is None else faces[drawn],
                thrown.tsumogiri,
                shanten,
                hand.shanten,
                dora,
                len(table.indicators) if self._dora_known else None,
                points[player] if points else None,
                self._left,
                hand.called,
                thrown.riichi,
                riichi,
                sum(table.riichi) - riichi,
                None if thinking is None else thinking.time,
                None if thinking is None else thinking.autoplay,
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
                *self._key,
                len(self.calls) + 1,
                player,
                self._seats[player],
                len(table.ponds[player]) + 1,
                len(self.discards),
                type(meld).__name__.lower(),
                None if tile is None else self._faces[tile],
                listed(sorted(tiles), table.rules),
                source,
                isinstance(meld, _OPEN),
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

    def _riichi(self, player: int) -> Row:
        """Return what is known of a riichi whose tile has just been discarded: the player, the turn, the number of the
        discard, whether it is double, the waits, their number, how many tiles of them are unseen, and furiten."""
        table, turn = self.table, len(self.table.ponds[player])
        declared = (player, turn, len(self.discards), turn == 1 and not any(table.melds))
        waits = self._hands[player].waits()
        if waits is None:
            return (*declared, None, None, None, None)
        unseen = None
        if self._dora_known:
            copies = unseen_by(table, player)
            unseen = sum([copies[kind] for kind in waits])
        names = " ".join([KIND_FACES[kind] for kind in waits]) or None
        return (*declared, names, len(waits), unseen, table.furiten_with(player, waits))
