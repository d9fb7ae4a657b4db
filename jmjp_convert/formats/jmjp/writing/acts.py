"""Write the events of a frame as acts, one per turn (source: ``docs/design/mapping.md``, Acts)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp import comments
from jmjp_convert.formats.jmjp.dialects import ANKAN, CHI, DAIMINKAN, KAKAN, OYA, PON, REPLACEMENT, RIICHI, TSUMO
from jmjp_convert.formats.jmjp.writing.hands import ankan_tiles, join, pair
from jmjp_convert.formats.jmjp.writing.notation import CALLED, Notation
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
    Start,
    Win,
)


def write_acts(start: Start, events: Sequence[Event], parts: list[str], words: Notation) -> list[Presence]:
    """Append the acts of *events* to *parts*, each in one part or in its two halves, with the comments between them.

    An act that is still open at the end is closed without a discard.

    :returns: the disconnections and returns after the end of the frame.
    """
    acts = _Acts(start, events, parts, words)
    if start.fourteenth is not None:
        acts.open(start.dealer, OYA, start.fourteenth)
    draws, discards = words.draws[start.dealer], words.discards
    rest = iter(events)
    for draw, discard in zip_longest(rest, rest):
        # Most events are whole turns, two at a time; what comes between them ends where a turn can begin.
        if type(draw) is Draw and type(discard) is Discard:
            parts.append(draws[draw.player][draw.tile])
            parts.append(discards[discard.tsumogiri][draw.tile][discard.tile])
        else:
            _HANDLERS[type(draw)](acts, draw)
            _HANDLERS[type(discard)](acts, discard)
            while acts.opening or not acts.plain:
                event = next(rest, None)
                _HANDLERS[type(event)](acts, event)
    acts.close()
    return acts.after


class _Acts:
    """Acts being written.

    :ivar opening: the first half of the open act, empty if there is none.
    :ivar drawn: the drawn tile, if that act began with a draw.
    :ivar plain: whether the next draw is no replacement after a kan, and the next discard no riichi tile; false from a
        riichi until its stick is paid.
    :ivar ended: whether the frame has ended.
    :ivar after: the disconnections and returns since then.
    """

    __slots__ = ("after", "drawn", "ended", "events", "opening", "parts", "plain", "seats", "words")

    def __init__(self, start: Start, events: Sequence[Event], parts: list[str], words: Notation) -> None:
        self.events = events
        self.parts = parts
        self.words = words
        self.seats = words.acts[start.dealer]
        self.opening = ""
        self.drawn = CALLED
        self.plain = True
        self.ended = False
        self.after: list[Presence] = []

    def open(self, player: int, draw: str, drawn: int = CALLED) -> None:
        """Begin an act."""
        self.opening = self.seats[player] + draw
        self.drawn = drawn

    def close(self, discard: str = ",)") -> None:
        """Complete the open act, if there is one, with the second half *discard*."""
        if self.opening:
            self.parts.append(self.opening + discard)
            self.opening = ""

    def comment(self, line: str) -> None:
        """Append a comment, if the notation has them."""
        if self.words.comments:
            self.parts.append(self.words.line + line)


def _draw(acts: _Acts, draw: Draw) -> None:
    face = acts.words.faces[draw.tile]
    acts.open(draw.player, face if acts.plain else f"{REPLACEMENT}[{face}]", draw.tile)
    acts.plain = True


def _discard(acts: _Acts, discard: Discard) -> None:
    words = acts.words
    said = words.discards[discard.tsumogiri][acts.drawn][discard.tile]
    if not acts.plain:
        if said == words.karagiri:
            acts.comment(comments.RIICHI_KARAGIRI)
        said = f",{RIICHI}[{words.faces[discard.tile]}])"
    acts.close(said)


def _declared(acts: _Acts, _riichi: RiichiDeclared) -> None:
    acts.plain = False


def _accepted(acts: _Acts, _riichi: RiichiAccepted) -> None:
    acts.plain = True


def _chi(acts: _Acts, chi: Chi) -> None:
    acts.open(chi.player, f"{CHI}[{pair(chi.hand, acts.words)}]")


def _pon(acts: _Acts, pon: Pon) -> None:
    acts.open(pon.player, f"{PON}[{pair(pon.hand, acts.words)}]" if acts.words.dialect.all_tiles else PON)


def _daiminkan(acts: _Acts, kan: Daiminkan) -> None:
    acts.open(kan.player, f"{DAIMINKAN}[{join(kan.hand, acts.words)}]" if acts.words.dialect.all_tiles else DAIMINKAN)
    acts.close()
    acts.plain = False


def _ankan(acts: _Acts, kan: Ankan) -> None:
    acts.close(f",{ANKAN}[{ankan_tiles(kan, acts.words)}])")
    acts.plain = False


def _kakan(acts: _Acts, kan: Kakan) -> None:
    acts.close(f",{KAKAN}[{acts.words.faces[kan.tile]}])")
    acts.plain = False


def _kita(_acts: _Acts, _kita: Kita) -> None:
    raise FormatError("jmjp cannot hold a kita")


def _skip(_acts: _Acts, _dora: DoraRevealed) -> None:
    """Skip what jmjp does not say: when a dora is turned."""


def _win(acts: _Acts, win: Win) -> None:
    if win.chips is not None:
        acts.comment(comments.chips(win.chips, win.chip_yaku))
    if win.source is None:
        acts.close(f",{TSUMO})")
    else:
        _ron(acts, win.player)
    acts.ended = True


def _ron(acts: _Acts, player: int) -> None:
    acts.open(player, acts.words.dialect.ron)
    acts.close()


def _ryuukyoku(acts: _Acts, draw: Ryuukyoku) -> None:
    acts.close()
    if draw.chips is not None and any(draw.chips):
        acts.comment(comments.chips(draw.chips, ()))
    if draw.kind is DrawKind.TRIPLE_RON:
        if draw.changes is not None and any(draw.changes):
            raise FormatError("jmjp cannot hold a triple ron draw with payments; it would read back as three wins")
        source = next(event.player for event in reversed(acts.events) if isinstance(event, Discard | Kakan | Ankan))
        for step in range(1, 4):
            _ron(acts, (source + step) % 4)
    acts.ended = True


def _no_more(acts: _Acts, _nothing: None) -> None:
    acts.close()
    acts.plain = True


def _presence(acts: _Acts, event: Presence) -> None:
    if acts.ended:
        acts.after.append(event)
    else:
        acts.comment(comments.presence(event, in_act=bool(acts.opening)))


_HANDLERS: dict[type, Callable[[_Acts, Any], None]] = {
    Draw: _draw,
    Discard: _discard,
    Chi: _chi,
    Pon: _pon,
    Daiminkan: _daiminkan,
    Ankan: _ankan,
    Kakan: _kakan,
    Kita: _kita,
    RiichiDeclared: _declared,
    RiichiAccepted: _accepted,
    DoraRevealed: _skip,
    Win: _win,
    Ryuukyoku: _ryuukyoku,
    Disconnected: _presence,
    Returned: _presence,
    type(None): _no_more,
}
