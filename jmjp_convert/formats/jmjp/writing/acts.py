"""Write the acts, deals and hands of jmjp."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import zip_longest
from operator import itemgetter
from typing import Any

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp import comments
from jmjp_convert.formats.jmjp.dialects import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DIALECTS,
    FROM,
    KAKAN,
    KARAGIRI,
    OYA,
    PON,
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
    Hand,
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
    tiles,
)

# --- words ------------------------------------------------------------------------------------------------------------

CALLED = tiles.UNKNOWN + 1
"""The drawn tile of an act that begins with a call."""

_BY_PLAYER = tuple(itemgetter(*((player - dealer) % 4 for player in range(4))) for dealer in range(4))
"""By dealer, reorders values by seat to values by player."""

_LINE = "\n  "


class Notation:
    """The strings of one way to write.

    :ivar faces: the face of every tile ID.
    :ivar comments: whether comments are written.
    :ivar line: the line break and indentation before a hand or an act.
    :ivar seats: by seat, the start of a hand.
    :ivar acts: by dealer and player, the start of an act.
    :ivar karagiri: the second half of an act with karagiri.
    :ivar draws: by dealer, player and tile ID, the first half of an act that begins with a plain draw.
    :ivar discards: by whether it is tsumogiri, drawn tile and discarded tile, the second half of an act that ends with
        a discard. After a call, the drawn tile is :data:`CALLED`.
    """

    karagiri = f",{KARAGIRI})"

    __slots__ = ("acts", "comments", "dialect", "discards", "draws", "faces", "line", "seats")

    def __init__(self, dialect: Dialect, *, compact: bool, red_fives: bool | None) -> None:
        self.dialect = dialect
        self.comments = dialect.comments and not compact
        self.line = "" if compact else _LINE
        self.faces = tiles.faces(red_fives=red_fives)
        self.seats = tuple(f"{self.line}({seat}," for seat in SEATS)
        # A face has one string for all its tiles, so that the tables stay in the caches of the processor.
        draws = tuple(_each(seat + "{}", self.faces) for seat in self.seats)
        self.acts = tuple(by_player(self.seats) for by_player in _BY_PLAYER)
        self.draws = tuple(by_player(draws) for by_player in _BY_PLAYER)
        named = _each(",{})", self.faces)
        alike: dict[str, list[int]] = {}
        for tile, face in enumerate(self.faces):
            alike.setdefault(face, []).append(tile)
        rows = {face: self._row(named, copies) for face, copies in alike.items()}
        self.discards = {
            True: ((f",{TSUMOGIRI})",) * tiles.IDS,) * (CALLED + 1),
            False: (*map(rows.__getitem__, self.faces), named),
            None: (named,) * (CALLED + 1),
        }

    def _row(self, named: tuple[str, ...], alike: Sequence[int]) -> tuple[str, ...]:
        """Return the second halves after a tile of which there are copies *alike*: karagiri for each of these."""
        row = [*named]
        for tile in alike:
            row[tile] = self.karagiri
        return tuple(row)


def _each(form: str, faces: Sequence[str]) -> tuple[str, ...]:
    """Return *form* with each of *faces*; the same ones have the same string."""
    made = {face: form.format(face) for face in faces}
    return tuple([made[face] for face in faces])


@lru_cache
def notation(spec: str, *, compact: bool, red_fives: bool | None) -> Notation:
    """Return the notation of the dialect *spec*, pretty or *compact*, with or without red fives."""
    return Notation(DIALECTS[spec], compact=compact, red_fives=red_fives)


# --- hands and melds --------------------------------------------------------------------------------------------------


def deal(opening: str, tiles: Sequence[int], fourteenth: int | None, words: Notation) -> str:
    """Return the line of a starting hand, which begins with *opening*: its *tiles*, and the *fourteenth* tile of a
    dealer who does not draw first."""
    drawn = "" if fourteenth is None else words.faces[fourteenth]
    return f"{opening}hnd[{join(sorted(tiles), words)},{drawn},])"


def hand(opening: str, lying: Hand, words: Notation) -> str:
    """Return the line of an ending hand, which begins with *opening*: the closed tiles, the fourteenth tile, the melds
    with the newest first."""
    drawn = "" if lying.drawn is None else words.faces[lying.drawn]
    melds = "".join([_MELDS[type(meld)](meld, words) for meld in reversed(lying.melds)]) if lying.melds else ""
    return f"{opening}hnd[{join(lying.tiles, words)},{drawn},{melds}])"


def ankan_tiles(kan: Ankan, words: Notation) -> str:
    """Return the tiles of a closed kan that the dialect names."""
    # A red five has the lowest ID of its kind, so the highest ID has the plain face.
    return join(kan.tiles if words.dialect.all_tiles else kan.tiles[-1:], words)


def join(tiles: Sequence[int], words: Notation) -> str:
    """Return the faces of *tiles*, which may be none."""
    return "".join(itemgetter(*tiles)(words.faces)) if tiles else ""


def pair(tiles: Sequence[int], words: Notation) -> str:
    """Return the faces of the two *tiles* with which a chi or pon is called."""
    first, second = tiles
    return words.faces[first] + words.faces[second]


def _from(meld: Pon | Daiminkan) -> str:
    return FROM[(meld.source - meld.player) % 4]


def _chi(chi: Chi, words: Notation) -> str:
    return f"chi[{words.faces[chi.taken]},{pair(chi.hand, words)}]"


def _taken(meld: Pon | Daiminkan, words: Notation) -> str:
    """Return the called tile, the tiles from the hand if the dialect names them, and the giver."""
    others = f"{join(meld.hand, words)}," if words.dialect.all_tiles else ""
    return f"{words.faces[meld.taken]},{others}{_from(meld)}"


def _pon(pon: Pon, words: Notation) -> str:
    return f"pon[{_taken(pon, words)}]"


def _daiminkan(kan: Daiminkan, words: Notation) -> str:
    return f"dmk[{_taken(kan, words)}]"


def _kakan(kan: Kakan, words: Notation) -> str:
    added = f"{words.faces[kan.tile]}," if words.dialect.all_tiles else ""
    return f"kkn[{added}{_taken(kan.pon, words)}]"


def _ankan(kan: Ankan, words: Notation) -> str:
    return f"ank[{ankan_tiles(kan, words)}]"


_MELDS: dict[type, Callable[[Any, Notation], str]] = {
    Chi: _chi,
    Pon: _pon,
    Daiminkan: _daiminkan,
    Kakan: _kakan,
    Ankan: _ankan,
}
"""The writer of each kind of meld; every format has such a table."""


# --- acts -------------------------------------------------------------------------------------------------------------


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


def _chi_act(acts: _Acts, chi: Chi) -> None:
    acts.open(chi.player, f"{CHI}[{pair(chi.hand, acts.words)}]")


def _pon_act(acts: _Acts, pon: Pon) -> None:
    acts.open(pon.player, f"{PON}[{pair(pon.hand, acts.words)}]" if acts.words.dialect.all_tiles else PON)


def _daiminkan_act(acts: _Acts, kan: Daiminkan) -> None:
    acts.open(kan.player, f"{DAIMINKAN}[{join(kan.hand, acts.words)}]" if acts.words.dialect.all_tiles else DAIMINKAN)
    acts.close()
    acts.plain = False


def _ankan_act(acts: _Acts, kan: Ankan) -> None:
    acts.close(f",{ANKAN}[{ankan_tiles(kan, acts.words)}])")
    acts.plain = False


def _kakan_act(acts: _Acts, kan: Kakan) -> None:
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
    Chi: _chi_act,
    Pon: _pon_act,
    Daiminkan: _daiminkan_act,
    Ankan: _ankan_act,
    Kakan: _kakan_act,
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
