"""Checks that moves are possible, and builds the error messages for those that are not."""

from __future__ import annotations

from collections.abc import Iterable

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Chi, Daiminkan, Discard, Pon
from jmjp_convert.model.tiles import any_copy_of
from jmjp_convert.play.position import NOBODY, Position


def listed(numbers: Iterable[int] | None) -> str:
    """Return *numbers* for an error message, separated by commas."""
    return ",".join(map(str, numbers or ()))


def expect_turn(position: Position, player: int, act: str) -> None:
    """Check that it is *player*'s turn."""
    if position.ended:
        raise PlayError(f"player {player} {act} after the frame's end")
    if position.turn == NOBODY:
        expect_paid(position)
    if player != position.turn:
        raise PlayError(f"player {player} {act}, but it is player {position.turn}'s turn")


def expect_drawn(position: Position, player: int, act: str) -> None:
    """Check that it is *player*'s turn, and that they have drawn a tile and do not owe a riichi discard."""
    if player != position.turn:
        expect_turn(position, player, act)
    if position.drawn is None:
        raise PlayError(f"player {player} {act} without having drawn")
    if position.declared is not None:
        raise PlayError(f"player {player} {act} instead of the riichi discard")


def bad_draw(position: Position, player: int) -> PlayError:
    """Return the error for a draw out of order."""
    expect_turn(position, player, "draws")
    return PlayError(f"player {player} draws without having discarded")


def bad_discard(position: Position, player: int) -> PlayError:
    """Return the error for a discard out of order."""
    expect_turn(position, player, "discards")
    return PlayError(f"player {player} discards without having drawn")


def bad_choice(position: Position, tile: int, player: int) -> PlayError:
    """Return the error for a discard of a tile other than the one drawn."""
    if any_copy_of(tile) not in position.hands[player]:
        return position.not_held(tile, player)
    return PlayError(f"player {player} discards tile {position.label(tile)} from the hand after riichi")


def bad_claim(position: Position, meld: Chi | Pon | Daiminkan) -> PlayError:
    """Return the error for an impossible call."""
    taking, last = f"player {meld.player} takes tile {position.label(meld.taken)}", position.last
    if position.ended:
        return PlayError(f"{taking} after the frame's end")
    if position.turn == NOBODY:
        return PlayError(f"{taking} before the riichi is paid for")
    if position.drawn is not None or type(last) is not Discard or last.tile != meld.taken:
        return PlayError(f"{taking}, which was not just discarded")
    if last.player != meld.source:
        return PlayError(f"{taking} from player {meld.source}, but player {last.player} discarded it")
    if meld.source == meld.player:
        return PlayError(f"{taking}, their own discard")
    return PlayError(f"{taking} after riichi")


def expect_paid(position: Position) -> None:
    """Check that nobody owes a riichi stick."""
    if position.declared is not None:
        raise PlayError(f"player {position.declared} declared riichi but never paid for it")


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
        raise PlayError(f"the points are {listed(recorded)}; {listed(position.points)} expected from the play")


def expect_honba(position: Position, recorded: int | None) -> None:
    """Check that the honba match those *recorded*."""
    if recorded not in (None, position.honba):
        raise PlayError(f"the honba count is {recorded}; {position.honba} expected")


def other_indicators(position: Position, shown: Iterable[int], *, ura: bool = False) -> PlayError:
    """Return the error for indicators that differ from those turned."""
    turned, name = (position.ura, "ura dora") if ura else (position.indicators, "dora")
    return PlayError(f"the {name} indicators are {listed(shown)}; {listed(turned)} expected from the play")
