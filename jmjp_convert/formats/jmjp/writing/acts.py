"""Write the events of a frame as acts, one per turn (source: ``docs/design/mapping.md``, Acts)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp import comments
from jmjp_convert.formats.jmjp.dialects import KAKAN, OYA, REPLACEMENT, RIICHI, TSUMO
from jmjp_convert.formats.jmjp.writing import hands
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
from jmjp_convert.play.course import Course

_BY_PLAYER = tuple(itemgetter(*((player - dealer) % 4 for player in range(4))) for dealer in range(4))
"""By dealer, reorders values by seat to values by player."""


def write_acts(start: Start, events: Sequence[Event], lines: list[str], words: Notation) -> list[Presence]:
    """Append the acts of *events* to *lines*, with the comments between them.

    An act that is still open at the end is closed without a discard.

    :returns: the disconnections and returns after the end of the frame.
    """
    dealer = start.dealer
    acts = _Acts(start, events, lines, words)
    if start.fourteenth is not None:
        acts.open(dealer, OYA, start.fourteenth)
    draws, discards = _BY_PLAYER[dealer](words.draws), words.discards
    course, opening, drawn, plain = acts.course, acts.opening, acts.drawn, True
    for event in events:
        # Plain draws and discards need not be followed; `course.along` would make the whole function 12 % slower.
        if plain and type(event) is Draw:
            drawn = event.tile
            opening = draws[event.player][drawn]
        elif plain and type(event) is Discard:
            lines.append(opening + discards[drawn][event.tile])
            opening = ""
        else:
            acts.opening, acts.drawn = opening, drawn
            _HANDLERS[type(event)](acts, event)
            course.follow(event)
            opening, drawn = acts.opening, acts.drawn
            plain = course.replacement is None and course.declared is None
    acts.opening = opening
    acts.close("")
    return acts.after


class _Acts:
    """Acts being written.

    :ivar course: the state of the frame so far.
    :ivar opening: the first half of the open act, empty if there is none.
    :ivar drawn: the drawn tile, if that act began with a draw.
    """

    __slots__ = ("after", "course", "drawn", "ended", "events", "lines", "opening", "seats", "words")

    def __init__(self, start: Start, events: Sequence[Event], lines: list[str], words: Notation) -> None:
        self.course = Course(start)
        self.events = events
        self.lines = lines
        self.words = words
        self.seats = _BY_PLAYER[start.dealer](words.seats)
        self.after: list[Presence] = []
        self.opening = ""
        self.drawn = CALLED
        self.ended = False

    def open(self, player: int, draw: str, drawn: int = CALLED) -> None:
        """Begin an act."""
        self.opening = self.seats[player] + draw
        self.drawn = drawn

    def close(self, discard: str) -> None:
        """Complete the open act, if there is one."""
        if self.opening:
            self.lines.append(f"{self.opening},{discard})")
            self.opening = ""

    def comment(self, lines: Sequence[str]) -> None:
        """Append comments, if the notation has them."""
        if self.words.comments:
            self.lines.extend(self.words.indent + line for line in lines)


def _replacement(acts: _Acts, draw: Draw) -> None:
    acts.open(draw.player, f"{REPLACEMENT}[{acts.words.faces[draw.tile]}]", draw.tile)


def _riichi_discard(acts: _Acts, discard: Discard) -> None:
    if acts.words.discards[acts.drawn][discard.tile] == acts.words.karagiri:
        acts.comment([comments.RIICHI_KARAGIRI])
    acts.close(f"{RIICHI}[{acts.words.faces[discard.tile]}]")


def _call(acts: _Acts, meld: Chi | Pon) -> None:
    acts.open(meld.player, hands.declared(meld, acts.words))


def _daiminkan(acts: _Acts, kan: Daiminkan) -> None:
    acts.open(kan.player, hands.declared(kan, acts.words))
    acts.close("")


def _ankan(acts: _Acts, kan: Ankan) -> None:
    acts.close(hands.declared(kan, acts.words))


def _kakan(acts: _Acts, kan: Kakan) -> None:
    acts.close(f"{KAKAN}[{acts.words.faces[kan.tile]}]")


def _kita(_acts: _Acts, _kita: Kita) -> None:
    raise FormatError("jmjp cannot hold a kita")


def _skip(_acts: _Acts, _event: RiichiDeclared | RiichiAccepted | DoraRevealed) -> None:
    """Skip what jmjp says with the discard (riichi) or not at all (when a stick is paid or a dora turned)."""


def _win(acts: _Acts, win: Win) -> None:
    acts.comment(comments.chips(win.chips, win.chip_yaku))
    if win.source is None:
        acts.close(TSUMO)
    else:
        _ron(acts, win.player)
    acts.ended = True


def _ron(acts: _Acts, player: int) -> None:
    acts.open(player, acts.words.dialect.ron)
    acts.close("")


def _ryuukyoku(acts: _Acts, draw: Ryuukyoku) -> None:
    acts.close("")
    if draw.chips is not None and any(draw.chips):
        acts.comment(comments.chips(draw.chips, ()))
    if draw.kind is DrawKind.TRIPLE_RON:
        if draw.changes is not None and any(draw.changes):
            raise FormatError("jmjp cannot hold a triple ron draw with payments; it would read back as three wins")
        source = next(event.player for event in reversed(acts.events) if isinstance(event, Discard | Kakan | Ankan))
        for step in range(1, 4):
            _ron(acts, (source + step) % 4)
    acts.ended = True


def _presence(acts: _Acts, event: Presence) -> None:
    if acts.ended:
        acts.after.append(event)
    else:
        acts.comment([comments.presence(event, in_act=bool(acts.opening))])


_HANDLERS: dict[type, Callable[[_Acts, Any], None]] = {
    Draw: _replacement,
    Discard: _riichi_discard,
    Chi: _call,
    Pon: _call,
    Daiminkan: _daiminkan,
    Ankan: _ankan,
    Kakan: _kakan,
    Kita: _kita,
    RiichiDeclared: _skip,
    RiichiAccepted: _skip,
    DoraRevealed: _skip,
    Win: _win,
    Ryuukyoku: _ryuukyoku,
    Disconnected: _presence,
    Returned: _presence,
}
