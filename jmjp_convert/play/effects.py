"""Carries out every event at the table but plain draws and discards, and says why one is impossible.

Why a possible one is against the rules is in :mod:`jmjp_convert.play.violations`.

For the plays that count as impossible, see docs/design/mapping.md, Unfinished and damaged logs. Kuikae, points below
zero and dora turned at unusual moments are allowed: some tables play that way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from jmjp_convert.errors import PaymentError, PlayError, impossible
from jmjp_convert.messages import Message, Points, Who
from jmjp_convert.model import (
    THREE_PLAYERS,
    Ankan,
    Call,
    Chi,
    Discard,
    Disconnected,
    DoraRevealed,
    DrawKind,
    Ending,
    Kakan,
    Kita,
    Pon,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.events import ABORTIVE
from jmjp_convert.model.tiles import NORTH, UNKNOWN, kind
from jmjp_convert.play.melds import melds_apart, tiles_apart
from jmjp_convert.play.points import STICK
from jmjp_convert.play.position import NOBODY, Exposed, Position


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
    expect_drawn(position, north.player, "declares a kita")
    if position.rules.players != THREE_PLAYERS or kind(north.tile) != NORTH:
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
    if not position.is_closed(player):
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
    position.passed = position.last, position.hidden
    position.lay_stick(player)
    expect_points(position, riichi.points)


def dora_revealed(position: Position, dora: DoraRevealed) -> None:
    """Turn a dora indicator."""
    if position.ended:
        raise PlayError("a dora is turned after the frame's end")
    position.turn_over(dora.indicator)


def presence(_position: Position, _event: Disconnected | Returned) -> None:
    """Do nothing: disconnections and returns do not affect the table."""


# --- wins and draws --------------------------------------------------------------------------------------------------


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
    _expect_counts(position, won)
    if position.sticks is None and won.changes is not None and not position.winners:
        _expect_whole_sticks(position, won.changes)
    position.pay(won.changes, position.sticks)
    position.sticks = 0
    if won.ura:
        _show_ura(position, won.ura)
    position.winners.add(won.player)
    position.ended, position.turn = True, NOBODY


def _expect_whole_sticks(position: Position, changes: tuple[int, ...]) -> None:
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
    if isinstance(kan, Kakan):
        melds[melds.index(kan)] = kan.pon
        return
    melds.pop()  # the latest: by face, earlier norths equal it
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


def _other_hand(position: Position, template: str, player: int, recorded: Iterable[int]) -> PlayError:
    """Return the error for a hand *recorded* that *player* does not hold: the tiles that differ."""
    had, has = Counter(position.closed(player)), Counter(recorded)
    found, expected = tiles_apart([*(has - had).elements()], [*(had - has).elements()])
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
    for player, hand in enumerate(draw.shown or ()):
        if hand is not None and not position.may_hold(player, hand):
            raise _other_hand(position, "{player} shows {found}; {expected} expected from the play", player, hand)
    _expect_counts(position, draw)
    if draw.changes is not None or draw.kind not in ABORTIVE:  # those pay nothing (docs/design/scoring.md, Payments)
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


# --- what a play must fit --------------------------------------------------------------------------------------------


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
    """Check that the last discard is not a riichi tile with its stick already paid: nobody ronned it."""
    if position.passed == (position.last, position.hidden):
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


def _expect_counts(position: Position, ending: Ending) -> None:
    """Check that the riichi sticks, honba and points match those recorded with *ending*."""
    if None not in (ending.sticks, position.sticks) and ending.sticks != position.sticks:
        raise PlayError(f"the riichi sticks are {ending.sticks}; {position.sticks} expected from the play")
    if ending.honba not in (None, position.honba):
        raise PlayError(f"the honba count is {ending.honba}; {position.honba} expected")
    expect_points(position, ending.before)


def other_indicators(position: Position, recorded: Iterable[int], *, ura: bool = False) -> PlayError:
    """Return the error for indicators that differ from those turned."""
    turned, name = (position.ura, "ura dora") if ura else (position.indicators, "dora")
    found, expected = (" ".join(map(position.label, tiles)) or "none" for tiles in (recorded, turned))
    return PlayError(f"the {name} indicators are {found}; {expected} expected from the play")
