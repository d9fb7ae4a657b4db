"""Carries out wins and drawn frames."""

from __future__ import annotations

from jmjp_convert.errors import PaymentError, PlayError
from jmjp_convert.model import Ankan, Discard, DrawKind, Kakan, Kita, Ryuukyoku, Win
from jmjp_convert.play.expectations import expect_honba, expect_not_passed, expect_paid, expect_points, other_indicators
from jmjp_convert.play.points import STICK
from jmjp_convert.play.position import NOBODY, Exposed, Position


def win(position: Position, won: Win) -> None:
    """End the frame with a win, the first or a further one."""
    if position.ended and not position.winners:
        raise PlayError(f"player {won.player} wins after the frame's end")
    if won.source is None:
        _tsumo(position, won)
    else:
        _ron(position, won)
    position.fourteenth[won.player] = won.tile
    _expect_shown(position, won)
    if None not in (won.sticks, position.sticks) and won.sticks != position.sticks:
        raise PlayError(f"the riichi stick count is {won.sticks}; {position.sticks} expected from the play")
    expect_honba(position, won.honba)
    expect_points(position, won.before)
    if position.sticks is None and won.changes is not None and not position.winners:
        _expect_sticks(position, won.changes)
    position.pay(won.changes, position.sticks)
    position.sticks = 0
    if won.ura:
        _show_ura(position, won.ura)
    position.winners.add(won.player)
    position.ended, position.turn = True, NOBODY


def _expect_sticks(position: Position, changes: tuple[int, ...]) -> None:
    """Check that the first winner's *changes* include whole sticks, among them all that were paid in the frame."""
    total, least = sum(changes), STICK * sum(position.riichi)
    if total < least or total % STICK:
        raise PaymentError(f"the payments add up to {total}; at least {least} expected, in whole riichi sticks")


def _show_ura(position: Position, ura: tuple[int, ...]) -> None:
    """Show the *ura* dora indicators, possibly again."""
    if position.ura and ura != position.ura:
        raise other_indicators(position, ura, ura=True)
    if not position.ura:
        turned = len(position.indicators) + len(position.undated)
        if len(ura) > turned:
            raise PlayError(f"more ura dora indicators ({len(ura)}) than dora indicators ({turned})")
        position.ura = ura
        position.leave_wall(ura)


def _tsumo(position: Position, won: Win) -> None:
    if position.turn != won.player or position.drawn != won.tile:
        raise PlayError(
            f"player {won.player} wins by tsumo on tile {position.label(won.tile)}, which was not just drawn"
        )
    expect_paid(position)
    position.drawn = position.last = None


def _ron(position: Position, won: Win) -> None:
    last = position.last
    if won.player == won.source:
        raise PlayError(f"player {won.player} wins by ron on their own tile")
    if position.drawn is not None or last is None or won.tile not in _tiles(last):
        raise PlayError(
            f"player {won.player} wins by ron on tile {position.label(won.tile)}, which was not just discarded"
        )
    if last.player != won.source:
        raise PlayError(f"player {won.player} wins off player {won.source}, but the tile is player {last.player}'s")
    if won.player in position.winners:
        raise PlayError(f"player {won.player} wins twice")
    if position.declared != won.source:
        expect_paid(position)
    expect_not_passed(position)
    if not position.winners and not isinstance(last, Discard):
        _rob(position, last, won.tile)


def _tiles(event: Exposed) -> tuple[int, ...]:
    """Return the tiles of *event* that can be ronned."""
    return event.tiles if isinstance(event, Ankan) else (event.tile,)


def _rob(position: Position, kan: Kakan | Ankan | Kita, tile: int) -> None:
    """Undo *kan* (or kita): a robbed one does not count (docs/design/mapping.md, Acts)."""
    melds = position.melds[kan.player]
    place = melds.index(kan)
    if isinstance(kan, Kakan):
        melds[place] = kan.pon
        return
    del melds[place]
    left = list(_tiles(kan))
    left.remove(tile)
    position.hands[kan.player].extend(left)


def _expect_shown(position: Position, won: Win) -> None:
    """Check the recorded hand, melds and indicators of a winner against the table."""
    player = won.player
    if won.hand is not None and not position.may_hold(player, won.hand):
        raise PlayError(f"the winning hand is not player {player}'s")
    if won.melds is not None and won.melds != tuple(position.melds[player]):
        raise PlayError(f"the melds of the winning hand are not player {player}'s")
    if won.indicators is not None and list(won.indicators) != position.indicators:
        raise other_indicators(position, won.indicators)


def ryuukyoku(position: Position, draw: Ryuukyoku) -> None:
    """End the frame with a draw."""
    if position.ended:
        raise PlayError("a draw after the frame's end")
    if draw.kind is DrawKind.TRIPLE_RON:
        _triple_ron(position)
    else:
        expect_paid(position)
        if position.replacement is not None:  # even four kans only after a discard (docs/design/scoring.md, Payments)
            raise PlayError(f"a draw before player {position.turn} draws a replacement tile")
    position.set_drawn_apart()
    for player, shown in enumerate(draw.shown or ()):
        if shown is not None and not position.may_hold(player, shown):
            raise PlayError(f"the hand shown is not player {player}'s")
    if None not in (draw.sticks, position.sticks) and draw.sticks != position.sticks:
        raise PlayError(f"the riichi stick count is {draw.sticks}; {position.sticks} expected from the play")
    expect_honba(position, draw.honba)
    expect_points(position, draw.before)
    position.pay(draw.changes, 0)
    position.ended, position.turn = True, NOBODY


def _triple_ron(position: Position) -> None:
    """Check that there is a tile to ron; a robbed kan does not count, though the frame is drawn."""
    if position.drawn is not None or position.last is None:
        raise PlayError("triple ron without a tile just discarded")
    expect_not_passed(position)
    if not isinstance(position.last, Discard):
        _rob(position, position.last, _tiles(position.last)[0])
