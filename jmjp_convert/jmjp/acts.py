"""The events of a frame as jmjp's acts, one for each turn: the draw or call, and what the player then does.

Source: ``mapping.md``, Acts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jmjp_convert.errors import FormatError
from jmjp_convert.jmjp import comments, hands
from jmjp_convert.jmjp.grammar import (
    KAKAN,
    KARAGIRI,
    REPLACEMENT,
    RIICHI,
    SEATS,
    TSUMO,
    TSUMOGIRI,
    Dialect,
)
from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    Event,
    Kakan,
    Kita,
    Pon,
    Presence,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Win,
)


class Acts:
    """The acts of one frame.

    :ivar lines: the acts, and the comments between them.
    :ivar after: comings and goings after the end of the frame.
    """

    __slots__ = (
        *("lines", "after", "indent", "faces", "dialect", "with_comments", "seats"),
        *("opening", "drawn", "last", "replacement", "riichi", "ended"),
    )

    def __init__(
        self, faces: Sequence[str], dialect: Dialect, dealer: int, *, indent: str = "", with_comments: bool = False
    ) -> None:
        self.lines: list[str] = []
        self.after: list[Presence] = []
        self.indent = indent
        self.faces = faces
        self.dialect = dialect
        self.with_comments = with_comments
        self.seats = [f"{indent}({SEATS[(player - dealer) % 4]}," for player in range(4)]
        self.opening: str | None = None  # the first half of an act that is not complete
        self.drawn: str | None = None  # the face drawn, if that act began with a draw
        self.last = dealer  # who gave the last tile that may be ronned
        self.replacement = False  # whether the next tile is drawn from the dead wall
        self.riichi = False  # whether the next discard is a riichi tile
        self.ended = False

    def write(self, events: Sequence[Event]) -> None:
        """Write *events*; an act that they leave open is closed without a discard."""
        faces, seats, append = self.faces, self.seats, self.lines.append
        opening, drawn = self.opening, self.drawn
        for event in events:
            kind = type(event)
            if kind is Draw and not self.replacement:
                drawn = faces[event.tile]  # type: ignore[union-attr]
                opening = seats[event.player] + drawn  # type: ignore[union-attr]
            elif kind is Discard and not self.riichi:
                face = TSUMOGIRI if event.tsumogiri else faces[event.tile]  # type: ignore[union-attr]
                append(f"{opening},{KARAGIRI if face == drawn else face})")
                opening = None
                self.last = event.player  # type: ignore[union-attr]
            else:
                self.opening, self.drawn = opening, drawn
                _HANDLERS[kind](self, event)
                opening, drawn = self.opening, self.drawn
        self.opening = opening
        self.close("")

    def open(self, player: int, draw: str, drawn: str | None) -> None:
        self.opening = self.seats[player] + draw
        self.drawn = drawn

    def close(self, discard: str) -> None:
        """Complete the open act, if there is one."""
        if self.opening is not None:
            self.lines.append(f"{self.opening},{discard})")
            self.opening = None

    def comment(self, lines: Sequence[str]) -> None:
        if self.with_comments:
            self.lines.extend(self.indent + line for line in lines)


def _replacement(acts: Acts, draw: Draw) -> None:
    face = acts.faces[draw.tile]
    acts.open(draw.player, f"{REPLACEMENT}[{face}]", face)
    acts.replacement = False


def _riichi_discard(acts: Acts, discard: Discard) -> None:
    face = acts.faces[discard.tile]
    if face == acts.drawn and not discard.tsumogiri:
        acts.comment([comments.RIICHI_KARAGIRI])
    acts.close(f"{RIICHI}[{face}]")
    acts.last = discard.player
    acts.riichi = False


def _call(acts: Acts, meld: Chi | Pon) -> None:
    acts.open(meld.player, hands.declared(meld, acts.faces, acts.dialect), None)


def _daiminkan(acts: Acts, kan: Daiminkan) -> None:
    acts.open(kan.player, hands.declared(kan, acts.faces, acts.dialect), None)
    acts.close("")
    acts.replacement = True


def _ankan(acts: Acts, kan: Ankan) -> None:
    acts.close(hands.declared(kan, acts.faces, acts.dialect))
    acts.last = kan.player
    acts.replacement = True


def _kakan(acts: Acts, kan: Kakan) -> None:
    acts.close(f"{KAKAN}[{acts.faces[kan.tile]}]")
    acts.last = kan.player
    acts.replacement = True


def _kita(_acts: Acts, _kita: Kita) -> None:
    raise FormatError("a kita: jmjp has no word for it")


def _riichi(acts: Acts, _riichi: RiichiDeclared) -> None:
    acts.riichi = True


def _unsaid(_acts: Acts, _event: RiichiAccepted | DoraRevealed) -> None:
    """jmjp does not say when a riichi stick is paid or a dora turned."""


def _win(acts: Acts, win: Win) -> None:
    acts.comment(comments.chips(win))
    if win.player == win.source:
        acts.close(TSUMO)
    else:
        _ron(acts, win.player)
    acts.ended = True


def _ron(acts: Acts, player: int) -> None:
    acts.open(player, acts.dialect.ron, None)
    acts.close("")


def _ryuukyoku(acts: Acts, draw: Ryuukyoku) -> None:
    acts.close("")
    if draw.kind is DrawKind.TRIPLE_RON and draw.shown is not None:
        for player in ((acts.last + step) % 4 for step in range(1, 4)):
            if draw.shown[player] is not None:
                _ron(acts, player)
    acts.ended = True


def _presence(acts: Acts, event: Presence) -> None:
    if acts.ended:
        acts.after.append(event)
    else:
        acts.comment([comments.presence(event, in_act=acts.opening is not None)])


_HANDLERS: dict[type, Callable[[Acts, Any], None]] = {
    Draw: _replacement,
    Discard: _riichi_discard,
    Chi: _call,
    Pon: _call,
    Daiminkan: _daiminkan,
    Ankan: _ankan,
    Kakan: _kakan,
    Kita: _kita,
    RiichiDeclared: _riichi,
    RiichiAccepted: _unsaid,
    DoraRevealed: _unsaid,
    Win: _win,
    Ryuukyoku: _ryuukyoku,
    Disconnected: _presence,
    Returned: _presence,
}
