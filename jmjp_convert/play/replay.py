"""The replay: hands, melds, points and riichi sticks follow the events; what cannot happen is refused.

What counts as impossible is ``mapping.md``'s list (Unfinished and damaged logs). Kuikae, points below zero and dora
turned at unusual moments are not in it: some tables play so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from operator import length_hint
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
    Kakan,
    Kita,
    Pon,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.model.tiles import kind as kind_of
from jmjp_convert.play.table import CALLED, NOBODY, UNPAID, Table


class Outcome(NamedTuple):
    """How a frame comes out: its *end*, the riichi *sticks* that stay on the table (a count, if known), the
    *indicators* of dora and *ura* dora that were turned, the tiles of the *wall* that nobody has seen, and how many of
    each player's have gone *unseen*: nobody knows which."""

    end: End
    sticks: int | None
    indicators: tuple[int, ...]
    ura: tuple[int, ...]
    wall: Collection[int]
    unseen: tuple[int, ...]


def replay(start: Start, events: Sequence[Event], rules: Rules) -> Outcome:  # noqa: C901 - the hot loop is one
    """Play *events* from *start*, with tiles of which the copy is known, or with such of which only the face is.

    :returns: the hands as they lie, the points (``None`` if no event ends the frame), and what lies on the table.
    :raises PlayError: a play that cannot happen, with the index of its event.
    """
    table = Table(start, rules)
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
                except (KeyError, ValueError):
                    table.leave_unknown(drawn)
            elif kind is Discard:
                if event.player != turn or drawn is None:  # type: ignore[union-attr]
                    raise table.bad_turn(event, turn, "discards")
                tile = event.tile  # type: ignore[union-attr]
                if tile != drawn:
                    hand = hands[turn]
                    if tile not in hand or locked[turn]:
                        event = table.discard_by_face(event, drawn)  # type: ignore[arg-type]  # noqa: PLW2901
                    else:
                        hand.remove(tile)
                        if drawn != CALLED:
                            hand.append(drawn)
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
    return Outcome(table.end(), table.sticks, tuple(table.indicators), table.ura, table.wall, tuple(table.unseen))


# --- what each event does --------------------------------------------------------------------------------------------


def _claim(table: Table, meld: Chi | Pon | Daiminkan) -> None:
    """Take the last discard; the other tiles come from the hand."""
    player, last = meld.player, table.last
    if (
        table.drawn is not None
        or type(last) is not Discard
        or last.tile != meld.taken
        or last.player != meld.source
        or meld.source == player
        or table.locked[player]
        or table.turn < 0
    ):
        raise _bad_claim(table, meld)
    table.take(meld.hand, player)
    table.melds[player].append(meld)
    table.turn, table.last = player, None


def _bad_claim(table: Table, meld: Chi | Pon | Daiminkan) -> PlayError:
    """Return what is wrong with taking a tile."""
    taking, last = f"player {meld.player} takes tile {table.label(meld.taken)}", table.last
    if table.ended:
        return PlayError(f"{taking} after the frame's end")
    if table.turn == UNPAID:
        return PlayError(f"{taking} before the riichi is paid for")
    if table.drawn is not None or type(last) is not Discard or last.tile != meld.taken:
        return PlayError(f"{taking}, which was not just discarded")
    if last.player != meld.source:
        return PlayError(f"{taking} from player {meld.source}, but player {last.player} discarded it")
    if meld.source == meld.player:
        return PlayError(f"{taking}, the own discard")
    return PlayError(f"{taking} after riichi")


def _pon(table: Table, meld: Chi | Pon) -> None:
    _claim(table, meld)
    table.drawn = CALLED


def _chi(table: Table, chi: Chi) -> None:
    if (chi.source + 1) % table.rules.players != chi.player:
        raise PlayError(f"player {chi.player} takes a chi from player {chi.source}, who is not kamicha")
    _pon(table, chi)


def _ankan(table: Table, kan: Ankan) -> None:
    table.expect_drawn(kan.player, "declares an ankan")
    table.take_in()
    table.take(kan.tiles, kan.player)
    table.melds[kan.player].append(kan)
    table.last = kan


def _kakan(table: Table, kan: Kakan) -> None:
    table.expect_drawn(kan.player, "declares a kakan")
    melds = table.melds[kan.player]
    if kan.pon not in melds:
        raise PlayError(f"player {kan.player} has no pon to which tile {table.label(kan.tile)} could be added")
    table.take_in()
    table.take((kan.tile,), kan.player)
    melds[melds.index(kan.pon)] = kan
    table.last = kan


_KITA_PLAYERS = 3
_NORTH = 30


def _kita(table: Table, kita: Kita) -> None:
    table.expect_drawn(kita.player, "sets a north aside")
    if table.rules.players != _KITA_PLAYERS or kind_of(kita.tile) != _NORTH:
        raise PlayError(f"player {kita.player} sets tile {table.label(kita.tile)} aside, which is no kita")
    table.take_in()
    table.take((kita.tile,), kita.player)
    table.melds[kita.player].append(kita)
    table.last = kita


_CLOSED = frozenset((Ankan, Kita))


def _riichi_declared(table: Table, riichi: RiichiDeclared) -> None:
    player = riichi.player
    if table.locked[player] or table.declared == player:
        raise PlayError(f"player {player} declares riichi twice")
    table.expect_drawn(player, "declares riichi")
    if table.melds[player] and not _CLOSED.issuperset(map(type, table.melds[player])):
        raise PlayError(f"player {player} declares riichi with an open hand")
    table.declared = player
    table.after[player] = UNPAID


def _riichi_accepted(table: Table, riichi: RiichiAccepted) -> None:
    player = riichi.player
    if table.declared != player or table.turn != UNPAID:
        raise PlayError(f"player {player} pays for a riichi that was not just declared")
    table.declared = None
    table.turn = table.after[player] = (player + 1) % table.rules.players
    table.locked[player] = True
    table.passed = table.last, table.left()
    table.lay_stick(player)
    table.expect_points(riichi.points)


def _dora(table: Table, dora: DoraRevealed) -> None:
    if table.ended:
        raise PlayError("a dora is turned after the frame's end")
    table.turn_over(dora.indicator)


def _presence(_table: Table, _event: Disconnected | Returned) -> None:
    """Comings and goings change nothing at the table."""


def _win(table: Table, win: Win) -> None:
    if table.ended and not table.winners:
        raise PlayError(f"player {win.player} wins after the frame's end")
    if win.player == win.source:
        _tsumo(table, win)
    else:
        _ron(table, win)
    table.fourteenth[win.player] = win.tile
    _expect_shown(table, win)
    if None not in (win.sticks, table.sticks) and win.sticks != table.sticks:
        raise PlayError(f"{win.sticks} riichi sticks are taken, but {table.sticks} are on the table")
    table.expect_honba(win.honba)
    table.pay(win.changes, win.before, table.sticks)
    table.sticks = 0
    if table.ura and win.ura and win.ura != table.ura:
        raise table.other_indicators(win.ura, ura=True)
    if win.ura and not table.ura:
        if len(win.ura) > len(table.indicators):
            raise PlayError(f"{len(win.ura)} ura dora indicators under {len(table.indicators)} dora indicators")
        table.ura = win.ura
        table.leave_wall(win.ura)
    table.winners.add(win.player)
    table.ended, table.turn = True, NOBODY


def _tsumo(table: Table, win: Win) -> None:
    if table.turn != win.player or table.drawn != win.tile:
        raise PlayError(f"player {win.player} wins by tsumo on tile {table.label(win.tile)}, which was not just drawn")
    table.expect_paid()
    table.drawn = table.last = None


def _ron(table: Table, win: Win) -> None:
    last = table.last
    if table.drawn is not None or last is None or win.tile not in _tiles(last):
        raise PlayError(
            f"player {win.player} wins by ron on tile {table.label(win.tile)}, which was not just discarded"
        )
    if last.player != win.source:  # type: ignore[union-attr]
        raise PlayError(f"player {win.player} wins off player {win.source}, but it is player {last.player}'s tile")  # type: ignore[union-attr]
    if win.player in table.winners:
        raise PlayError(f"player {win.player} wins twice")
    if table.declared != win.source:
        table.expect_paid()
    table.expect_not_passed()
    if not table.winners and type(last) is not Discard:
        _rob(table, last, win.tile)


def _tiles(event: Event) -> tuple[int, ...]:
    """Return the tiles on which *event* may be ronned."""
    return event.tiles if type(event) is Ankan else (event.tile,)  # type: ignore[union-attr]


def _rob(table: Table, kan: Event, tile: int) -> None:
    """Undo *kan* (or kita): a robbed one does not stand (source: ``mapping.md``, Acts)."""
    melds = table.melds[kan.player]  # type: ignore[union-attr]
    place = melds.index(kan)  # type: ignore[arg-type]
    if type(kan) is Kakan:
        melds[place] = kan.pon
        return
    del melds[place]
    left = list(_tiles(kan))
    left.remove(tile)
    table.hands[kan.player].extend(left)  # type: ignore[union-attr]


def _expect_shown(table: Table, win: Win) -> None:
    """Check what the record shows of a winner against the table."""
    player = win.player
    if win.hand is not None and sorted(win.hand) != table.closed(player):
        raise PlayError(f"the winning hand is not player {player}'s")
    if win.melds is not None and win.melds != tuple(table.melds[player]):
        raise PlayError(f"the melds of the winning hand are not player {player}'s")
    if win.indicators is not None and list(win.indicators) != table.indicators:
        raise table.other_indicators(win.indicators)


def _ryuukyoku(table: Table, draw: Ryuukyoku) -> None:
    if table.ended:
        raise PlayError("the frame is drawn after its end")
    if draw.kind is DrawKind.TRIPLE_RON:
        _triple_ron(table)
    else:
        table.expect_paid()
        _expect_no_replacement(table)
    table.set_drawn_apart()
    for player, shown in enumerate(draw.shown or ()):
        if shown is not None and sorted(shown) != table.closed(player):
            raise PlayError(f"the hand shown is not player {player}'s")
    if None not in (draw.sticks, table.sticks) and draw.sticks != table.sticks:
        raise PlayError(f"{draw.sticks} riichi sticks are said to lie on the table, not {table.sticks}")
    table.expect_honba(draw.honba)
    table.pay(draw.changes, draw.before, 0)
    table.ended, table.turn = True, NOBODY


_REPLACED = (Kakan, Ankan, Kita)  # after a daiminkan, there is nothing that could be taken


def _expect_no_replacement(table: Table) -> None:
    """Check that nobody is about to draw a replacement tile: four kans too end a frame after a discard only (source:
    ``scoring.md``)."""
    last = table.last
    if table.drawn is None and (isinstance(last, _REPLACED) or (last is None and table.melds[table.turn])):
        raise PlayError(f"the frame is drawn before player {table.turn} draws a replacement tile")


def _triple_ron(table: Table) -> None:
    """Check that there is a tile to ron; a robbed kan does not stand, though the frame is drawn."""
    if table.drawn is not None or table.last is None:
        raise PlayError("a triple ron without a tile just discarded")
    table.expect_not_passed()
    if type(table.last) is not Discard:
        _rob(table, table.last, _tiles(table.last)[0])


_HANDLERS: dict[type, Callable[[Table, Any], None]] = {
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
