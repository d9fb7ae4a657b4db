"""What players decided in a frame: the rows of discards, calls and riichi."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Ankan, Discard, Draw, Frame, Kakan, Kita, Meld, Rules, Win
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.ponds import PondTable
from jmjp_convert.stats.definitions import CALLS, turn_of_win
from jmjp_convert.tables import dora
from jmjp_convert.tables.hands import OPEN, HandInPlay
from jmjp_convert.tables.values import Place, Row, listed, listed_kinds, names, seats

_MELDS = (*OPEN, Ankan, Kita)


class Winner(NamedTuple):
    """What a winner had done: the *turn* of the win, the number of *discards* in the frame, whether they were in
    *riichi*, and whether they had *called* a tile; each is ``None`` if the play is not recorded."""

    turn: int | None = None
    discards: int | None = None
    riichi: bool | None = None
    called: bool | None = None


class _Declared(NamedTuple):
    """A riichi, as far as it is known after its discard."""

    player: int
    turn: int
    discard: int
    double: bool
    waits: tuple[int, ...] | None
    unseen: int | None
    furiten: bool | None


class Decisions:
    """A frame whose play is recorded, followed to its end.

    :param place: what each row begins with.
    :ivar table: the table at the end.
    :ivar winners: by player.
    :ivar calls: the rows of calls.
    :raises PlayError: the play is impossible.
    """

    def __init__(self, frame: Frame, rules: Rules, place: Place) -> None:
        self.table = PondTable(frame.start, rules)
        self.winners: dict[int, Winner] = {}
        self.calls: list[Row] = []
        self._place = place
        self._seats = seats(frame.start.dealer, len(frame.start.hands))
        self._dora_known = frame.start.indicator is not None and not frame.start.kan_indicators
        self._hands = [HandInPlay(self.table, player) for player in range(rules.players)]
        self._made: list[Row] = []
        self._declared: list[_Declared] = []
        self._ronned = 0
        self._play(frame)

    def _play(self, frame: Frame) -> None:
        table, made, hands = self.table, self._made, self._hands
        for event in frame.events:
            if isinstance(event, Draw):
                table.play(event)
                hands[event.player].draw(event.tile)
            elif isinstance(event, Discard):
                made.append(self._discard(event))
                table.play(event)
                if table.declared == event.player:
                    self._declared.append(self._riichi(event.player))
            elif isinstance(event, _MELDS):
                self.calls.append(self._call(event))
                table.play(event)
                hands[event.player].count()
            else:
                if isinstance(event, Win):
                    self._win(event)
                table.play(event)

    def discards(self) -> list[Row]:
        """Return the rows of discards."""
        faces, ponds = names(self.table.rules.red_fives), self.table.ponds
        found = []
        for number, (player, turn, *known, riichi, others) in enumerate(self._made, 1):
            thrown = ponds[player][turn - 1]
            found.append(
                (
                    *self._place,
                    number,
                    player,
                    self._seats[player],
                    turn,
                    faces[thrown.tile],
                    None if thrown.drawn is None else faces[thrown.drawn],
                    thrown.tsumogiri,
                    *known,
                    thrown.riichi,
                    riichi,
                    others,
                    thrown.taken,
                    self._ronned if number == len(self._made) else 0,
                )
            )
        return found

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

    # --- before each event -------------------------------------------------------------------------------------------

    def _discard(self, event: Discard) -> Row:
        """Return what is known of a discard when it is made: the player and turn, and the values of its row from the
        shanten to the number of others in riichi, without whether riichi is declared."""
        table, player = self.table, event.player
        hand = self._hands[player]
        before, after = hand.discard(event.tile, table.drawn)
        held = dora.held(table, player) if before is not None and self._dora_known else None
        riichi = table.riichi[player]
        return (
            player,
            len(table.ponds[player]) + 1,
            before,
            after,
            held,
            len(table.indicators) if self._dora_known else None,
            table.points[player] if table.points else None,
            table.left,
            hand.called,
            riichi,
            sum(table.riichi) - riichi,
        )

    def _call(self, meld: Meld) -> Row:
        table, player = self.table, meld.player
        rules = table.rules
        tile = None if isinstance(meld, Ankan | Kita) else meld.tile if isinstance(meld, Kakan) else meld.taken
        tiles = (meld.tile,) if isinstance(meld, Kita) else tiles_of(meld)
        return (
            *self._place,
            len(self.calls) + 1,
            player,
            self._seats[player],
            len(table.ponds[player]) + 1,
            len(self._made),
            type(meld).__name__.lower(),
            None if tile is None else names(rules.red_fives)[tile],
            listed(sorted(tiles), rules),
            meld.source if isinstance(meld, CALLS) else None,
            isinstance(meld, OPEN),
        )

    def _win(self, win: Win) -> None:
        table, player = self.table, win.player
        turn = turn_of_win(win, len(table.ponds[player]))
        called = self._hands[player].called > 0
        self.winners[player] = Winner(turn, len(self._made), table.riichi[player], called)
        if win.source is not None and isinstance(table.last, Discard):
            self._ronned += 1

    # --- after a riichi tile -----------------------------------------------------------------------------------------

    def _riichi(self, player: int) -> _Declared:
        table = self.table
        turn = len(table.ponds[player])
        waits = unseen = furiten = None
        try:
            waits = table.waits(player)
        except PlayError:
            pass
        else:
            furiten = table.furiten_with(player, waits)
            copies = table.seen_by(player).unseen
            unseen = sum([copies[kind] for kind in waits])
        double = turn == 1 and not any(table.melds)
        return _Declared(player, turn, len(self._made), double, waits, unseen, furiten)
