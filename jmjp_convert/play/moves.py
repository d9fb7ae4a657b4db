"""Carries out calls, kans, riichi and dora at the table.

For the plays that count as impossible, see docs/design/mapping.md, Unfinished and damaged logs. Kuikae, points below
zero and dora turned at unusual moments are allowed: some tables play that way.
"""

from __future__ import annotations

from jmjp_convert.errors import PlayError, impossible
from jmjp_convert.messages import Who
from jmjp_convert.model import (
    Ankan,
    Call,
    Chi,
    Discard,
    Disconnected,
    DoraRevealed,
    Kakan,
    Kita,
    Pon,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
)
from jmjp_convert.model.tiles import NORTH, UNKNOWN, kind
from jmjp_convert.play.expectations import bad_choice, bad_claim, expect_drawn, expect_points
from jmjp_convert.play.position import NOBODY, Position

_CLOSED = (Ankan, Kita)
_KITA_PLAYERS = 3


def discard_not_in_hand(position: Position, discarded: Discard, drawn: int | None) -> None:
    """Discard a tile that is not recorded as tsumogiri, and that the hand does not have as it is named: it may be the
    tile *drawn*, or one that is unknown. A player in riichi discards no other tile than the one drawn.

    :raises PlayError: the tile is not held, or must not be discarded.
    """
    player, tile = discarded.player, discarded.tile
    riichi = position.riichi[player]
    if discarded.tsumogiri is None and (tile == drawn or (riichi and tile == UNKNOWN)):
        return
    if drawn == UNKNOWN and (riichi or discarded.tsumogiri is None):
        position.identify(tile)
        return
    if riichi or not position.take_unknown(tile, player):
        raise bad_choice(position, tile, player)
    if drawn is not None:
        position.hands[player].append(drawn)


def discard_unlike_draw(position: Position, discarded: Discard, drawn: int | None) -> None:
    """Discard a tile that is recorded as tsumogiri, but not named like the tile *drawn*: one of them is unknown.

    :raises PlayError: another tile was drawn, or none.
    """
    tile = discarded.tile
    if drawn is None:
        raise impossible("{player} discards the drawn tile without having drawn", discarded.player)
    if drawn == UNKNOWN:
        position.identify(tile)
    elif tile != UNKNOWN:
        label = position.label
        raise PlayError(f"tsumogiri of {label(tile)}; {label(drawn)} expected from the draw")


def claim(position: Position, meld: Call) -> None:
    """Call the last discard; the other tiles come from the hand."""
    player, last = meld.player, position.last
    if (
        position.drawn is not None
        or type(last) is not Discard
        or last.tile != meld.taken
        or last.player != meld.source
        or meld.source == player
        or position.riichi[player]
        or position.turn == NOBODY
    ):
        raise bad_claim(position, meld)
    position.take(meld.hand, player)
    position.melds[player].append(meld)
    position.turn, position.last = player, None


def pon(position: Position, meld: Chi | Pon) -> None:
    """Call the last discard; a discard must follow."""
    claim(position, meld)
    position.called = True


def chi(position: Position, meld: Chi) -> None:
    """Call the last discard, which must be kamicha's."""
    if (meld.source + 1) % position.rules.players != meld.player:
        raise impossible("{player} calls chi from {source}, who is not kamicha", meld.player, source=Who(meld.source))
    pon(position, meld)


def ankan(position: Position, kan: Ankan) -> None:
    """Declare a closed kan."""
    expect_drawn(position, kan.player, "declares an ankan")
    position.take_in()
    position.take(kan.tiles, kan.player)
    position.melds[kan.player].append(kan)
    position.last = kan


def kakan(position: Position, kan: Kakan) -> None:
    """Add a tile to a pon."""
    expect_drawn(position, kan.player, "declares a kakan")
    melds = position.melds[kan.player]
    if kan.pon not in melds:
        raise impossible("{player} has no pon to add tile {tile} to", kan.player, tile=position.label(kan.tile))
    position.take_in()
    position.take((kan.tile,), kan.player)
    melds[melds.index(kan.pon)] = kan
    position.last = kan


def kita(position: Position, north: Kita) -> None:
    """Set aside a north."""
    expect_drawn(position, north.player, "sets aside a north")
    if position.rules.players != _KITA_PLAYERS or kind(north.tile) != NORTH:
        tile = position.label(north.tile)
        raise impossible("{player} sets aside tile {tile}, which is not a kita", north.player, tile=tile)
    position.take_in()
    position.take((north.tile,), north.player)
    position.melds[north.player].append(north)
    position.last = north


def riichi_declared(position: Position, riichi: RiichiDeclared) -> None:
    """Declare riichi: after the discard, nobody may act until it is paid for."""
    player = riichi.player
    if position.riichi[player] or position.declared == player:
        raise impossible("{player} declares riichi twice", player)
    expect_drawn(position, player, "declares riichi")
    melds = position.melds[player]
    if melds and not all(isinstance(meld, _CLOSED) for meld in melds):
        raise impossible("{player} declares riichi with an open hand", player)
    position.declared = player
    position.after[player] = NOBODY


def riichi_accepted(position: Position, riichi: RiichiAccepted) -> None:
    """Pay for the riichi just declared."""
    player = riichi.player
    if position.declared != player or position.turn != NOBODY or position.ended:
        raise impossible("{player} pays for a riichi that was not just declared", player)
    position.declared = None
    position.turn = position.after[player] = (player + 1) % position.rules.players
    position.riichi[player], position.loose[player] = True, bytearray()
    position.passed = position.last, position.hidden()
    position.lay_stick(player)
    expect_points(position, riichi.points)


def dora_revealed(position: Position, dora: DoraRevealed) -> None:
    """Turn a dora indicator."""
    if position.ended:
        raise PlayError("a dora is turned after the frame's end")
    position.turn_over(dora.indicator)


def presence(_position: Position, _event: Disconnected | Returned) -> None:
    """Do nothing: disconnections and returns do not affect the table."""
