"""Checks that moves are possible, and builds the error messages for those that are not."""

from __future__ import annotations

from collections.abc import Iterable

from jmjp_convert.errors import PlayError, impossible
from jmjp_convert.messages import Message, Points, Who
from jmjp_convert.model import Call, Discard
from jmjp_convert.play.position import NOBODY, Position


def expect_turn(position: Position, player: int, act: str) -> None:
    """Check that it is *player*'s turn."""
    if position.ended:
        raise impossible("{player} {act} after the frame's end", player, act=act)
    if position.turn == NOBODY:
        expect_paid(position)
    if player != position.turn:
        raise impossible("{player} {act}, but it is {other}'s turn", player, act=act, other=Who(position.turn))


def expect_drawn(position: Position, player: int, act: str) -> None:
    """Check that it is *player*'s turn, and that they have drawn a tile and do not owe a riichi discard."""
    if player != position.turn:
        expect_turn(position, player, act)
    if position.drawn is None:
        raise impossible("{player} {act} without having drawn", player, act=act)
    if position.declared is not None:
        raise impossible("{player} {act} instead of the riichi discard", player, act=act)


def bad_draw(position: Position, player: int) -> PlayError:
    """Return the error for a draw out of order."""
    expect_turn(position, player, "draws")
    return impossible("{player} draws without having discarded", player)


def bad_discard(position: Position, player: int) -> PlayError:
    """Return the error for a discard out of order."""
    expect_turn(position, player, "discards")
    return impossible("{player} discards without having drawn", player)


def bad_choice(position: Position, tile: int, player: int) -> PlayError:
    """Return the error for a discard of a tile other than the one drawn."""
    if tile not in position.hands[player]:
        return position.not_held(tile, player)
    label = position.label(tile)
    return impossible("{player} discards tile {tile} from the hand after riichi", player, tile=label)


def bad_claim(position: Position, meld: Call) -> PlayError:
    """Return the error for an impossible call."""
    last = position.last
    why: str | Message = " after riichi"
    if position.ended:
        why = " after the frame's end"
    elif position.turn == NOBODY:
        why = " before the riichi is paid for"
    elif position.drawn is not None or type(last) is not Discard or last.tile != meld.taken:
        why = ", which was not just discarded"
    elif last.player != meld.source:
        why = Message(" from {source}, but {other} discarded it", source=Who(meld.source), other=Who(last.player))
    elif meld.source == meld.player:
        why = ", their own discard"
    return impossible("{player} takes tile {tile}{why}", meld.player, tile=position.label(meld.taken), why=why)


def expect_paid(position: Position) -> None:
    """Check that nobody owes a riichi stick."""
    if position.declared is not None:
        raise impossible("{player} declared riichi but never paid for it", position.declared)


def expect_not_passed(position: Position) -> None:
    """Check that the last discard is not a riichi tile whose stick has been paid: nobody ronned it."""
    if position.passed == (position.last, position.hidden()):
        raise PlayError("a riichi tile is ronned after the riichi was paid for")


def expect_wall(position: Position) -> None:
    """Check that no more tiles are drawn than the wall has."""
    if position.left < 0:
        raise PlayError("more tiles drawn than the wall has")


def expect_points(position: Position, recorded: tuple[int, ...] | None) -> None:
    """Check that the points match those *recorded*."""
    if recorded is not None and position.points is not None and recorded != position.points:
        said = "the points are {found}; {expected} expected from the play"
        raise PlayError(Message(said, found=Points(recorded), expected=Points(position.points)))


def expect_honba(position: Position, recorded: int | None) -> None:
    """Check that the honba match those *recorded*."""
    if recorded not in (None, position.honba):
        raise PlayError(f"the honba count is {recorded}; {position.honba} expected")


def other_indicators(position: Position, shown: Iterable[int], *, ura: bool = False) -> PlayError:
    """Return the error for indicators that differ from those turned."""
    turned, name = (position.ura, "ura dora") if ura else (position.indicators, "dora")
    found, expected = (" ".join(map(position.label, tiles)) or "none" for tiles in (shown, turned))
    return PlayError(f"the {name} indicators are {found}; {expected} expected from the play")
