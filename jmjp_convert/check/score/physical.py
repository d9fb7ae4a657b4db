"""What the tiles show: how a draw may end, and what can be held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from jmjp_convert.check.score.report import NotJudgedError
from jmjp_convert.model import (
    Ankan,
    Daiminkan,
    Discard,
    Draw,
    DrawKind,
    Event,
    Frame,
    Hand,
    Kakan,
    Kita,
    Meld,
    RiichiAccepted,
)
from jmjp_convert.model.tiles import COPIES, PHYSICAL, RED_FIVES, TERMINALS_AND_HONORS, WIND_KINDS, faces, kind
from jmjp_convert.model.tiles import kind as kind_of
from jmjp_convert.play.melds import tiles_of

# --- tiles ------------------------------------------------------------------------------------------------------------

_FACES = faces(red_fives=True)


class PhysicalMeld(NamedTuple):
    """A meld of physical *tiles*; *kind* is the type of the event."""

    kind: type
    tiles: list[int]


class PhysicalHand(NamedTuple):
    """A hand of physical tiles.

    :ivar drawn: the fourteenth.
    :ivar melds: without kita.
    :ivar kita: the number of kita.
    """

    tiles: list[int]
    drawn: int
    melds: list[PhysicalMeld]
    kita: int


def as_physical(hand: Hand, *, red_fives: bool) -> PhysicalHand:
    """Return *hand*, which has a fourteenth tile; a tile known only by its face is any copy that is not in the hand.

    :param red_fives: whether one five of each suit is red.
    :raises NotJudgedError: the face of a tile is unknown, or it has too many copies.
    """
    assert hand.drawn is not None
    melds = [meld for meld in hand.melds if not isinstance(meld, Kita)]
    groups = [[*hand.tiles, hand.drawn], *[list(tiles_of(meld)) for meld in melds]]
    if any(tile >= PHYSICAL for group in groups for tile in group):
        groups = _chosen(groups, red_fives=red_fives)
    closed, *laid = groups
    of_melds = [PhysicalMeld(type(meld), tiles) for meld, tiles in zip(melds, laid, strict=True)]
    return PhysicalHand(closed[:-1], closed[-1], of_melds, len(hand.melds) - len(melds))


def _chosen(groups: list[list[int]], *, red_fives: bool) -> list[list[int]]:
    """Return *groups* of tiles with physical ones for those known only by face."""
    used = {tile for group in groups for tile in group if tile < PHYSICAL}

    def choose(tile: int) -> int:
        if tile < PHYSICAL:
            return tile
        found = next((copy for copy in _copies(tile, red_fives=red_fives) if copy not in used), None)
        if found is None:
            raise NotJudgedError("some tiles of a hand are unknown")
        used.add(found)
        return found

    return [list(map(choose, group)) for group in groups]


def _copies(tile: int, *, red_fives: bool) -> Iterable[int]:
    """Return the physical copies of a *tile* known by its face."""
    kind = kind_of(tile)
    if kind is None:
        return ()
    copies = range(kind * COPIES, (kind + 1) * COPIES)
    red = _FACES[tile] in RED_FIVES.values()
    return [copy for copy in copies if ((copy in RED_FIVES) is red if red_fives else True)]


# --- draws ------------------------------------------------------------------------------------------------------------

_KINDS_OF_NINE = 9
_FOUR = 4


def is_due(drawn: DrawKind, frame: Frame) -> bool:
    """Return whether the moves of *frame* allow it to be *drawn*; for a draw at the last tile, whether the last move
    is a discard."""
    return _DUE[drawn](frame)


def _moves(frame: Frame) -> list[Event]:
    return [event for event in frame.events if isinstance(event, Draw | Discard | Meld | RiichiAccepted)]


def _last_discarded(frame: Frame) -> bool:
    return isinstance(_moves(frame)[-1], Discard)


def _nine_terminals(frame: Frame) -> bool:
    """Return whether the player has just drawn their first tile, nobody has called, and the hand has nine kinds of
    terminals and honors."""
    moves = _moves(frame)
    last = moves[-1]
    if not isinstance(last, Draw) or any(isinstance(event, Meld) for event in moves):
        return False
    if any(isinstance(event, Discard) and event.player == last.player for event in moves):
        return False
    hand = frame.end.hands[last.player]
    return len(TERMINALS_AND_HONORS.intersection(map(kind, (*hand.tiles, last.tile)))) >= _KINDS_OF_NINE


def _four_winds(frame: Frame) -> bool:
    """Return whether all four first discards are the same wind and nobody has called."""
    moves = _moves(frame)
    thrown = [kind(event.tile) for event in moves if isinstance(event, Discard)]
    called = any(isinstance(event, Meld) for event in moves)
    return not called and len(thrown) == _FOUR and len(set(thrown)) == 1 and thrown[0] in WIND_KINDS


def _four_riichi(frame: Frame) -> bool:
    return len(frame.riichi) == _FOUR


def _four_kans(frame: Frame) -> bool:
    """Return whether four kans have been declared by more than one player."""
    kans: Sequence[Event] = [event for event in frame.events if isinstance(event, Daiminkan | Kakan | Ankan)]
    return len(kans) == _FOUR and len({kan.player for kan in kans}) > 1  # type: ignore[union-attr]


_DUE: dict[DrawKind, Callable[[Frame], bool]] = {
    DrawKind.EXHAUSTIVE: _last_discarded,
    DrawKind.NAGASHI: _last_discarded,
    DrawKind.NINE_TERMINALS: _nine_terminals,
    DrawKind.FOUR_WINDS: _four_winds,
    DrawKind.FOUR_RIICHI: _four_riichi,
    DrawKind.FOUR_KANS: _four_kans,
}
