"""The replay: hands, melds, points and riichi sticks follow the events; what cannot happen is refused.

What counts as impossible is ``mapping.md``'s list (Unfinished and damaged logs). Kuikae, points below zero and dora
turned at unusual moments are not in it: some tables play so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import add, length_hint
from typing import Any, NamedTuple

from jmjp_convert.errors import PlayError
from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    End,
    Event,
    Hand,
    Kakan,
    Kita,
    Meld,
    Pon,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.tiles import PHYSICAL, label

STICK = 10
"""A riichi stick, in hundreds of points."""

DEALT = 13
"""The tiles that each player is dealt."""

_DEAD_WALL = 14
_MAX_DORA = 5
_CALLED = -1  # stands for the drawn tile after a call, which brings none
_NOBODY = -1

_FULL_SET = frozenset(range(PHYSICAL))
_AFTER = {4: (1, 2, 3, 0), 3: (1, 2, 0)}
_SETS = {4: _FULL_SET, 3: _FULL_SET - frozenset(range(4, 32))}  # three players: no 2m to 8m


class Outcome(NamedTuple):
    """How a frame comes out: its *end*, the riichi *sticks* (a count) that stay on the table, and the *indicators* of
    dora and *ura* dora that were turned."""

    end: End
    sticks: int
    indicators: Sequence[int]
    ura: Sequence[int]


def replay(start: Start, events: Sequence[Event], rules: Rules) -> Outcome:
    """Play *events* from *start*.

    :returns: the hands as they lie, the points (``None`` if no event ends the frame), and what lies on the table.
    :raises PlayError: a play that cannot happen, with the index of its event.
    """
    table = _Table(start, rules)
    wall, hands, locked, after = table.wall, table.hands, table.locked, table.after
    turn, drawn, last = table.turn, table.drawn, table.last
    remaining = iter(events)
    try:
        for event in remaining:
            kind = type(event)
            if kind is Draw:
                if event.player != turn or drawn is not None:  # type: ignore[union-attr]
                    raise table.bad_turn(event, turn, "draws")
                drawn = event.tile  # type: ignore[union-attr]
                try:
                    wall.remove(drawn)
                except KeyError:
                    raise table.not_in_wall(drawn) from None
                hands[turn].add(drawn)
            elif kind is Discard:
                if event.player != turn or drawn is None:  # type: ignore[union-attr]
                    raise table.bad_turn(event, turn, "discards")
                tile = event.tile  # type: ignore[union-attr]
                try:
                    hands[turn].remove(tile)
                except KeyError:
                    raise table.not_held(tile, turn) from None
                if event.tsumogiri != (tile == drawn) or (locked[turn] and tile != drawn):  # type: ignore[union-attr]
                    raise table.bad_choice(event)
                turn, drawn, last = after[turn], None, event
            else:
                table.turn, table.drawn, table.last = turn, drawn, last
                _HANDLERS[kind](table, event)
                turn, drawn, last = table.turn, table.drawn, table.last
        table.turn, table.drawn = turn, drawn
        table.expect_wall()
    except PlayError as error:
        error.index = len(events) - length_hint(remaining) - 1
        raise
    return Outcome(table.end(), table.sticks, table.indicators, table.ura)


class _Table:
    """The table in play: whose turn it is, and where each tile is."""

    __slots__ = (
        *("rules", "wall", "hands", "melds", "points", "sticks", "indicators", "ura", "locked", "after"),
        *("turn", "drawn", "last", "declared", "winners", "fourteenth", "ended"),
    )

    def __init__(self, start: Start, rules: Rules) -> None:
        self.rules = rules
        self.wall = set(_SETS[rules.players])
        self.hands = [self.leave_wall(tiles) for tiles in start.hands]
        self.melds: list[list[Meld]] = [[] for _ in start.hands]
        self.points = start.points
        self.sticks = start.sticks
        self.indicators: list[int] = []
        self.ura: tuple[int, ...] = ()
        self.locked = [False] * rules.players
        self.after = _AFTER[rules.players]
        self.turn = start.dealer
        self.drawn: int | None = None  # the tile too many in the hand whose turn it is; _CALLED after a call
        self.last: Event | None = None  # the tile that may be taken: a discard, or the tile of a kan or kita
        self.declared: int | None = None  # who has declared riichi and not yet paid
        self.winners: set[int] = set()
        self.fourteenth: dict[int, int] = {}
        self.ended = False
        if start.indicator is not None:
            self.turn_over(start.indicator)

    def label(self, tile: int) -> str:
        return label(tile, red_fives=self.rules.red_fives)

    def leave_wall(self, tiles: Sequence[int]) -> set[int]:
        """Take *tiles* out of the wall."""
        taken = set(tiles)
        if len(taken) < len(tiles) or not taken <= self.wall:
            raise self.not_in_wall(next(t for i, t in enumerate(tiles) if t not in self.wall or t in tiles[:i]))
        self.wall -= taken
        return taken

    def take(self, tiles: Iterable[int], player: int) -> None:
        """Take *tiles* out of the hand of *player*."""
        hand = self.hands[player]
        for tile in tiles:
            if tile not in hand:
                raise self.not_held(tile, player)
            hand.remove(tile)

    def turn_over(self, indicator: int) -> None:
        self.leave_wall([indicator])
        self.indicators.append(indicator)
        if len(self.indicators) > _MAX_DORA:
            raise PlayError(f"more than {_MAX_DORA} dora indicators")

    def pay(self, changes: tuple[int, ...] | None, before: tuple[int, ...] | None, sticks: int) -> None:
        """Pay *changes*, which hand out *sticks* riichi sticks."""
        self.expect_points(before)
        if changes is not None:
            if sum(changes) != sticks * STICK:
                raise PlayError(f"the payments add up to {sum(changes)}, not to {sticks * STICK} (hundreds of points)")
            self.points = tuple(map(add, self.points, changes))

    def set_drawn_apart(self) -> None:
        """Make a tile that was drawn and not discarded its owner's fourteenth."""
        if self.drawn is not None and self.drawn != _CALLED:
            self.fourteenth[self.turn] = self.drawn
            self.hands[self.turn].remove(self.drawn)

    def end(self) -> End:
        """Return the hands as they lie: the fourteenth tile is a winner's, or one drawn and not discarded."""
        if not self.ended:
            self.set_drawn_apart()
        hands = tuple(
            [
                Hand(tuple(sorted(hand)), self.fourteenth.get(player), tuple(self.melds[player]))
                for player, hand in enumerate(self.hands)
            ]
        )
        return End(hands, self.points if self.ended else None)

    # --- what is wrong -----------------------------------------------------------------------------------------------

    def expect_points(self, recorded: tuple[int, ...] | None) -> None:
        if recorded is not None and recorded != self.points:
            raise PlayError(f"the points are {_list(self.points)}, not {_list(recorded)} (hundreds)")

    def expect_paid(self) -> None:
        if self.declared is not None:
            raise PlayError(f"player {self.declared} declared riichi and never paid for it")

    def expect_wall(self) -> None:
        """Check that no more was drawn than there is to draw."""
        if len(self.wall) + len(self.indicators) + len(self.ura) < _DEAD_WALL:
            raise PlayError("more tiles are drawn than there are to draw")

    def expect_turn(self, player: int, act: str) -> None:
        if self.ended:
            raise PlayError(f"player {player} {act} after the frame's end")
        if player != self.turn:
            raise PlayError(f"player {player} {act}, but it is player {self.turn}'s turn")

    def expect_drawn(self, player: int, act: str) -> None:
        """Check that it is the turn of *player*, who has drawn a tile."""
        if player != self.turn:
            self.expect_turn(player, act)
        if self.drawn is None or self.drawn == _CALLED:
            raise PlayError(f"player {player} {act} without having drawn")

    def not_in_wall(self, tile: int) -> PlayError:
        if tile in _SETS[self.rules.players]:
            return PlayError(f"tile {self.label(tile)} is there twice")
        return PlayError(f"tile {self.label(tile)} is not in a {self.rules.players}-player set")

    def not_held(self, tile: int, player: int) -> PlayError:
        return PlayError(f"player {player} does not hold tile {self.label(tile)}")

    def bad_turn(self, event: Any, turn: int, act: str) -> PlayError:
        """Return what is wrong with a draw or discard that does not have to be made now."""
        self.turn = turn
        self.expect_turn(event.player, act)
        missing = "discarded" if type(event) is Draw else "drawn"
        return PlayError(f"player {turn} {act} without having {missing}")

    def bad_choice(self, event: Any) -> PlayError:
        """Return what is wrong with a discard of a tile that is held."""
        if self.locked[event.player]:
            return PlayError(f"player {event.player} discards tile {self.label(event.tile)} from the hand after riichi")
        which = "is said not to be" if not event.tsumogiri else "is not"
        return PlayError(f"the tile {self.label(event.tile)} that player {event.player} discards {which} the one drawn")


def _list(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


# --- what each event does --------------------------------------------------------------------------------------------


def _claim(table: _Table, meld: Chi | Pon | Daiminkan) -> None:
    """Take the last discard; the other tiles come from the hand."""
    player, last = meld.player, table.last
    if (
        table.drawn is not None
        or type(last) is not Discard
        or last.tile != meld.taken
        or last.player != meld.source
        or meld.source == player
        or table.locked[player]
        or table.ended
    ):
        raise _bad_claim(table, meld)
    table.take(meld.hand, player)
    table.melds[player].append(meld)
    table.turn, table.last = player, None


def _bad_claim(table: _Table, meld: Chi | Pon | Daiminkan) -> PlayError:
    """Return what is wrong with taking a tile."""
    taking, last = f"player {meld.player} takes tile {table.label(meld.taken)}", table.last
    if table.ended:
        return PlayError(f"{taking} after the frame's end")
    if table.drawn is not None or type(last) is not Discard or last.tile != meld.taken:
        return PlayError(f"{taking}, which was not just discarded")
    if last.player != meld.source:
        return PlayError(f"{taking} from player {meld.source}, but player {last.player} discarded it")
    if meld.source == meld.player:
        return PlayError(f"{taking}, the own discard")
    return PlayError(f"{taking} after riichi")


def _pon(table: _Table, meld: Chi | Pon) -> None:
    _claim(table, meld)
    table.drawn = _CALLED


def _chi(table: _Table, chi: Chi) -> None:
    if table.after[chi.source] != chi.player:
        raise PlayError(f"player {chi.player} takes a chi from player {chi.source}, who is not kamicha")
    _pon(table, chi)


def _ankan(table: _Table, kan: Ankan) -> None:
    table.expect_drawn(kan.player, "declares an ankan")
    table.take(kan.tiles, kan.player)
    table.melds[kan.player].append(kan)
    table.drawn, table.last = None, kan


def _kakan(table: _Table, kan: Kakan) -> None:
    table.expect_drawn(kan.player, "declares a kakan")
    melds = table.melds[kan.player]
    if kan.pon not in melds:
        raise PlayError(f"player {kan.player} has no pon to which tile {table.label(kan.tile)} could be added")
    table.take([kan.tile], kan.player)
    melds[melds.index(kan.pon)] = kan
    table.drawn, table.last = None, kan


def _kita(table: _Table, kita: Kita) -> None:
    table.expect_drawn(kita.player, "sets a north aside")
    table.take([kita.tile], kita.player)
    table.melds[kita.player].append(kita)
    table.drawn, table.last = None, kita


_CLOSED = frozenset((Ankan, Kita))


def _riichi_declared(table: _Table, riichi: RiichiDeclared) -> None:
    player = riichi.player
    table.expect_drawn(player, "declares riichi")
    if table.melds[player] and not _CLOSED.issuperset(map(type, table.melds[player])):
        raise PlayError(f"player {player} declares riichi with an open hand")
    if table.locked[player] or table.declared == player:
        raise PlayError(f"player {player} declares riichi twice")
    table.expect_paid()
    table.declared = player


def _riichi_accepted(table: _Table, riichi: RiichiAccepted) -> None:
    player, last = riichi.player, table.last
    if table.declared != player or type(last) is not Discard or last.player != player or table.drawn is not None:
        raise PlayError(f"player {player} pays for a riichi that was not just declared")
    table.declared = None
    table.locked[player] = True
    points = list(table.points)
    points[player] -= STICK
    table.points = tuple(points)
    table.sticks += 1
    table.expect_points(riichi.points)


def _dora(table: _Table, dora: DoraRevealed) -> None:
    table.turn_over(dora.indicator)


def _presence(_table: _Table, _event: Disconnected | Returned) -> None:
    """Comings and goings change nothing at the table."""


def _win(table: _Table, win: Win) -> None:
    if table.ended and not table.winners:
        raise PlayError(f"player {win.player} wins after the frame's end")
    if win.player == win.source:
        _tsumo(table, win)
    else:
        _ron(table, win)
    _expect_shown(table, win)
    table.fourteenth[win.player] = win.tile
    if win.sticks is not None and win.sticks != table.sticks:
        raise PlayError(f"{win.sticks} riichi sticks are taken, but {table.sticks} are on the table")
    table.pay(win.changes, win.before, table.sticks)
    table.sticks = 0
    if win.ura and not table.ura:
        if len(win.ura) > len(table.indicators):
            raise PlayError(f"{len(win.ura)} ura dora indicators under {len(table.indicators)} dora indicators")
        table.ura = win.ura
        table.leave_wall(win.ura)
    table.winners.add(win.player)
    table.ended, table.turn = True, _NOBODY


def _tsumo(table: _Table, win: Win) -> None:
    if table.turn != win.player or table.drawn != win.tile:
        raise PlayError(f"player {win.player} wins by tsumo on tile {table.label(win.tile)}, which was not just drawn")
    table.expect_paid()
    table.hands[win.player].remove(win.tile)
    table.drawn = None


def _ron(table: _Table, win: Win) -> None:
    last = table.last
    if table.drawn is not None or last is None or win.tile not in _tiles(last):
        raise PlayError(f"player {win.player} wins by ron on tile {table.label(win.tile)}, which was not just discarded")
    if last.player != win.source:  # type: ignore[union-attr]
        raise PlayError(f"player {win.player} wins off player {win.source}, but it is player {last.player}'s tile")  # type: ignore[union-attr]
    if win.player in table.winners:
        raise PlayError(f"player {win.player} wins twice")
    if table.declared != win.source:
        table.expect_paid()
    if not table.winners and type(last) is not Discard:
        _rob(table, last, win.tile)


def _tiles(event: Event) -> tuple[int, ...]:
    """Return the tiles on which *event* may be ronned."""
    return event.tiles if type(event) is Ankan else (event.tile,)  # type: ignore[union-attr]


def _rob(table: _Table, kan: Event, tile: int) -> None:
    """Undo *kan* (or kita): a robbed one does not stand (source: ``mapping.md``, Acts)."""
    melds = table.melds[kan.player]  # type: ignore[union-attr]
    place = melds.index(kan)  # type: ignore[arg-type]
    if type(kan) is Kakan:
        melds[place] = kan.pon
        return
    del melds[place]
    table.hands[kan.player].update(other for other in _tiles(kan) if other != tile)  # type: ignore[union-attr]


def _expect_shown(table: _Table, win: Win) -> None:
    """Check what the record shows of a winner against the table."""
    player = win.player
    if win.hand is not None and list(win.hand) != sorted((*table.hands[player], win.tile)):
        raise PlayError(f"the winning hand is not player {player}'s")
    if win.melds is not None and win.melds != tuple(table.melds[player]):
        raise PlayError(f"the melds of the winning hand are not player {player}'s")
    if win.indicators is not None and list(win.indicators) != table.indicators:
        raise PlayError(f"the dora indicators are {_list(table.indicators)}, not {_list(win.indicators)}")


def _ryuukyoku(table: _Table, draw: Ryuukyoku) -> None:
    if table.ended:
        raise PlayError("the frame is drawn after its end")
    if draw.kind is not DrawKind.TRIPLE_RON:
        table.expect_paid()
    for player, shown in enumerate(draw.shown or ()):
        if shown is not None and list(shown) != sorted(table.hands[player]):
            raise PlayError(f"the hand shown is not player {player}'s")
    if draw.sticks is not None and draw.sticks != table.sticks:
        raise PlayError(f"{draw.sticks} riichi sticks are said to lie on the table, not {table.sticks}")
    table.pay(draw.changes, draw.before, 0)
    table.set_drawn_apart()
    table.ended, table.turn = True, _NOBODY


_HANDLERS: dict[type, Callable[[_Table, Any], None]] = {
    Chi: _chi,
    Pon: _pon,
    Daiminkan: _claim,
    Kakan: _kakan,
    Ankan: _ankan,
    Kita: _kita,
    RiichiDeclared: _riichi_declared,
    RiichiAccepted: _riichi_accepted,
    DoraRevealed: _dora,
    Win: _win,
    Ryuukyoku: _ryuukyoku,
    Disconnected: _presence,
    Returned: _presence,
}
