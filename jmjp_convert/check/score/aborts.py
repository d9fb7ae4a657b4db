"""Decides whether the moves of a frame allow an abortive draw (docs/design/scoring.md, Payments)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jmjp_convert.model import (
    Ankan,
    Daiminkan,
    Discard,
    Draw,
    DrawKind,
    Event,
    Frame,
    Kakan,
    Meld,
    RiichiAccepted,
)
from jmjp_convert.model.tiles import TERMINALS_AND_HONORS, WIND_KINDS, kind

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
