"""Carries out wins and drawn frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from jmjp_convert.errors import PaymentError, PlayError, impossible
from jmjp_convert.messages import Message, Points, Who
from jmjp_convert.model import Ankan, Discard, DrawKind, Kakan, Kita, Ryuukyoku, Win
from jmjp_convert.play.expectations import expect_honba, expect_not_passed, expect_paid, expect_points, other_indicators
from jmjp_convert.play.hand_text import melds_apart, tiles_apart
from jmjp_convert.play.points import STICK
from jmjp_convert.play.position import NOBODY, Exposed, Position


def win(position: Position, won: Win) -> None:
    """End the frame with a win, the first or a further one."""
    if position.ended and not position.winners:
        raise impossible("{player} wins after the frame's end", won.player)
    if won.source is None:
        _tsumo(position, won)
    else:
        _ron(position, won, won.source)
    position.fourteenth[won.player] = won.tile
    _expect_shown(position, won)
    if None not in (won.sticks, position.sticks) and won.sticks != position.sticks:
        raise PlayError(f"the riichi sticks are {won.sticks}; {position.sticks} expected from the play")
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
        said = "the payments add up to {found}; at least {least} expected, in whole riichi sticks"
        raise PaymentError(Message(said, found=Points(total), least=Points(least)))


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
        tile = position.label(won.tile)
        raise impossible("{player} wins by tsumo on tile {tile}, which was not just drawn", won.player, tile=tile)
    expect_paid(position)
    position.drawn = position.last = None


def _ron(position: Position, won: Win, source: int) -> None:
    last = position.last
    if won.player == source:
        raise impossible("{player} wins by ron on their own tile", won.player)
    if position.drawn is not None or last is None or won.tile not in _tiles(last):
        tile = position.label(won.tile)
        raise impossible("{player} wins by ron on tile {tile}, which was not just discarded", won.player, tile=tile)
    if last.player != source:
        said = "{player} wins off {source}, but the tile is {other}'s"
        raise impossible(said, won.player, source=Who(source), other=Who(last.player))
    if won.player in position.winners:
        raise impossible("{player} wins twice", won.player)
    if position.declared != source:
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
        raise _other_hand(position, "{player} wins with {found}; {expected} expected from the play", player, won.hand)
    if won.melds is not None and won.melds != tuple(position.melds[player]):
        found, expected = melds_apart(won.melds, position.melds[player])
        said = "{player} wins with {found}; {expected} expected from the play"
        raise impossible(said, player, found=found, expected=expected)
    if won.indicators is not None and list(won.indicators) != position.indicators:
        raise other_indicators(position, won.indicators)


def _other_hand(position: Position, template: str, player: int, shown: Iterable[int]) -> PlayError:
    """Return the error for a hand *shown* that *player* does not hold: the tiles that differ."""
    held, come = Counter(position.closed(player)), Counter(shown)
    found, expected = tiles_apart([*(come - held).elements()], [*(held - come).elements()])
    return impossible(template, player, found=found, expected=expected)


def ryuukyoku(position: Position, draw: Ryuukyoku) -> None:
    """End the frame with a draw."""
    if position.ended:
        raise PlayError("a draw after the frame's end")
    if draw.kind is DrawKind.TRIPLE_RON:
        _triple_ron(position)
    else:
        expect_paid(position)
        if position.replacement is not None:  # even four kans only after a discard (docs/design/scoring.md, Payments)
            raise impossible("a draw before {player} draws a replacement tile", position.turn)
        if (position.drawn is not None or position.called) and _follows_discard(draw):
            raise impossible("a draw before {player} discards", position.turn)
    position.set_drawn_apart()
    for player, shown in enumerate(draw.shown or ()):
        if shown is not None and not position.may_hold(player, shown):
            raise _other_hand(position, "{player} shows {found}; {expected} expected from the play", player, shown)
    if None not in (draw.sticks, position.sticks) and draw.sticks != position.sticks:
        raise PlayError(f"the riichi sticks are {draw.sticks}; {position.sticks} expected from the play")
    expect_honba(position, draw.honba)
    expect_points(position, draw.before)
    position.pay(draw.changes, 0)
    position.ended, position.turn = True, NOBODY


def _follows_discard(draw: Ryuukyoku) -> bool:
    """Return whether *draw* can only come after a discard. Without payments, one that is called exhaustive may be any:
    some formats have no other name."""
    if draw.kind is DrawKind.EXHAUSTIVE:
        return any(draw.changes or ())
    return draw.kind not in (DrawKind.NINE_TERMINALS, None)


def _triple_ron(position: Position) -> None:
    """Check that there is a tile to ron; a robbed kan does not count, though the frame is drawn."""
    if position.drawn is not None or position.last is None:
        raise PlayError("triple ron without a tile just discarded")
    expect_not_passed(position)
    if not isinstance(position.last, Discard):
        _rob(position, position.last, _tiles(position.last)[0])
