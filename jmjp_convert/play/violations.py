"""Why an event is against the rules of play, by Tenhou's rules (docs/design/scoring.md, Positions).

An event that is against the rules may still be possible: records have a false riichi, or the rules of another table.

:mod:`jmjp_convert.play.legal` lists by the same rules what a player may do. Neither can replace the other: a list has
no reasons, and it needs the whole hand, while much of this is known of a hand with unknown tiles. And a list made by
asking here of every tile and meld would find the shanten of the same hand again for each. The rules that both need are
functions there, such as ``kuikae`` and ``due_draws``; ``tests/test_play_legal.py`` compares the two act by act.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from jmjp_convert.errors import PlayError, UnknownHandError, impossible
from jmjp_convert.model import (
    SEATS,
    THREE_PLAYERS,
    TO_THE_LAST,
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    DrawKind,
    Event,
    Kakan,
    Kita,
    Pon,
    RiichiDeclared,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.tiles import KINDS, UNKNOWN, kind
from jmjp_convert.play.legal import (
    ALL_KANS,
    counted,
    due_draws,
    is_thirteen_orphans,
    kans_of,
    keeps_waits,
    kuikae,
    leaves_discard,
    leaves_tenpai,
    legal,
    waits,
)
from jmjp_convert.play.melds import Shaped, check_shape
from jmjp_convert.play.points import STICK
from jmjp_convert.play.ponds import PondTable
from jmjp_convert.play.shanten import shanten


def expect_legal(table: PondTable, event: Event) -> None:
    """Check that *event* is not against the rules, as far as the hand of its player is known. Yaku are not examined.

    An event that is impossible may pass: playing it shows that.

    :raises PlayError: it is against the rules.
    """
    if isinstance(event, Shaped):
        check_shape(event)
    check = _CHECKS.get(type(event))
    if check is not None:
        with suppress(UnknownHandError):
            check(table, event)


def _draw(table: PondTable, draw: Draw) -> None:
    if table.left <= 0:
        raise impossible("{player} draws, but no tile is left to draw", draw.player)


def _discard(table: PondTable, discard: Discard) -> None:
    """Check that the discard is not kuikae, and that a riichi tile leaves tenpai."""
    player, number = discard.player, kind(discard.tile)
    if table.turn != player or number is None:
        return
    if table.called:
        meld = table.melds[player][-1]
        if isinstance(meld, Chi | Pon) and number in kuikae(meld):
            said = "{player} discards tile {tile} after this call: kuikae"
            raise impossible(said, player, tile=table.label(discard.tile))
    elif table.declared == player and table.drawn is not None:
        counts = counted(table, player, drawn=True)
        if counts[number] and not leaves_tenpai(counts, number, table.rules.players):
            said = "{player} is not tenpai after the riichi discard of tile {tile}"
            raise impossible(said, player, tile=table.label(discard.tile))


def _riichi(table: PondTable, riichi: RiichiDeclared) -> None:
    player, players = riichi.player, table.rules.players
    if table.turn != player or table.drawn is None or not table.is_closed(player):
        return
    if table.points is not None and table.points[player] < STICK:
        raise impossible("{player} declares riichi without {stick} points", player, stick=STICK)
    if table.left < players:
        raise impossible("{player} declares riichi with {left} tiles left to draw", player, left=table.left)
    counts = counted(table, player, drawn=True)
    if not any(counts[number] and leaves_tenpai(counts, number, players) for number in range(KINDS)):
        raise impossible("{player} declares riichi without tenpai", player)


def _call(table: PondTable, meld: Call) -> None:
    player, last, tile = meld.player, table.last, table.label(meld.taken)
    if not isinstance(last, Discard) or table.drawn is not None or table.ended:
        return
    if table.left <= 0:
        raise impossible("{player} takes tile {tile}, the last discard", player, tile=tile)
    if due := due_draws(table):
        draw = min(draw.value for draw in due)
        raise impossible("{player} takes tile {tile}, but the frame is drawn: {draw}", player, tile=tile, draw=draw)
    if isinstance(meld, Daiminkan):
        _expect_no_fifth(table, player)
        return
    if isinstance(meld, Chi) and table.rules.players == THREE_PLAYERS:
        raise impossible("{player} calls chi in a three-player game", player)
    counts, kinds = counted(table, player), [*map(kind, meld.hand)]
    held = all(number is not None and counts[number] >= kinds.count(number) for number in kinds)
    if held and not leaves_discard(counts, meld):
        raise impossible("{player} takes tile {tile}, and then every discard is kuikae", player, tile=tile)


def _expect_no_fifth(table: PondTable, player: int) -> None:
    if kans_of(table) >= ALL_KANS:
        raise impossible("{player} declares a fifth kan", player)


def _kan(table: PondTable, meld: Ankan | Kakan | Kita) -> None:
    player, drawn = meld.player, table.drawn
    if table.turn != player or drawn is None:
        return
    act = "declares a kita" if isinstance(meld, Kita) else "declares a kan"
    if table.left <= 0:
        raise impossible("{player} {act}, but no tile is left to draw", player, act=act)
    if not isinstance(meld, Kita):
        _expect_no_fifth(table, player)
    if not table.riichi[player] or isinstance(meld, Kakan):
        return
    tile = meld.tile if isinstance(meld, Kita) else meld.tiles[0]
    if kind(drawn) != kind(tile):
        raise impossible("{player} {act} without the tile drawn, after riichi", player, act=act)
    if isinstance(meld, Ankan) and not keeps_waits(table, player, kind(tile)):
        raise impossible("{player} {act} that changes the waits, after riichi", player, act=act)


def _win(table: PondTable, win: Win) -> None:
    if win.source is not None:
        _ron(table, win)
    elif table.turn == win.player and table.drawn == win.tile:
        counts = counted(table, win.player, drawn=True)
        _expect_complete(table, win, complete=shanten(counts, players=table.rules.players) < 0)


def _ron(table: PondTable, win: Win) -> None:
    player, last = win.player, table.last
    if last is None or last.player != win.source or table.drawn is not None or player in table.winners:
        return
    waited = waits(table, player)
    _expect_complete(table, win, complete=kind(win.tile) in waited)
    if table.furiten_with(player, waited):
        raise impossible("{player} wins by ron on tile {tile} in furiten", player, tile=table.label(win.tile))
    if isinstance(last, Ankan) and not is_thirteen_orphans(table, player):
        raise impossible("{player} wins on the tile of a closed kan, without thirteen orphans", player)


def _expect_complete(table: PondTable, win: Win, *, complete: bool) -> None:
    if not complete and win.tile != UNKNOWN:
        said = "{player} wins on tile {tile}, which does not complete the hand"
        raise impossible(said, win.player, tile=table.label(win.tile))


def _ryuukyoku(table: PondTable, draw: Ryuukyoku) -> None:
    """Check that the frame is drawn in this way."""
    if table.ended or draw.kind is None:
        return
    name = draw.kind.value
    if draw.kind in TO_THE_LAST and table.left > 0:
        raise PlayError(f"a draw ({name}) with {table.left} tiles left to draw")
    if not _is_due(table, draw.kind):
        raise PlayError(f"a draw ({name}) that the play does not have")


def _is_due(table: PondTable, draw: DrawKind) -> bool:
    """Return whether the play has the *draw*; for one at the last tile, whether it is the right one of the two.

    :raises UnknownHandError: a hand on which that depends is not known.
    """
    if draw is DrawKind.EXHAUSTIVE:
        return True
    if draw is DrawKind.NAGASHI:
        return bool(table.nagashi())
    if draw is DrawKind.NINE_TERMINALS:
        return table.turn in range(table.rules.players) and legal(table, table.turn).nine_terminals
    if draw is DrawKind.TRIPLE_RON:
        others = [player for player in range(table.rules.players) if table.last and player != table.last.player]
        return len(others) == SEATS - 1 and all(legal(table, player).win for player in others)
    return isinstance(table.last, Discard) and draw in due_draws(table)


_CHECKS: dict[type, Callable[[PondTable, Any], None]] = {
    Draw: _draw,
    Discard: _discard,
    RiichiDeclared: _riichi,
    Chi: _call,
    Pon: _call,
    Daiminkan: _call,
    Ankan: _kan,
    Kakan: _kan,
    Kita: _kan,
    Win: _win,
    Ryuukyoku: _ryuukyoku,
}
"""The checks by the type of the event; all other events are never against the rules."""
