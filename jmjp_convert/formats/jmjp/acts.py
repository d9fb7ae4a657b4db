"""Parses the acts of a frame: their words, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from jmjp_convert.errors import JmjpError, PlayError, impossible
from jmjp_convert.formats.frame_builder import FrameBuilder, extended_pon
from jmjp_convert.formats.jmjp import comments, slips
from jmjp_convert.formats.jmjp.comments import Remark, Remarks
from jmjp_convert.formats.jmjp.grammar import coder, mark, seat, some_tiles
from jmjp_convert.formats.jmjp.lexer import Script
from jmjp_convert.formats.jmjp.notation import (
    ANKAN,
    ANY_COPY,
    CHI,
    DAIMINKAN,
    HAND,
    KAKAN,
    KARAGIRI,
    OYA,
    PON,
    REPLACEMENT,
    RIICHI,
    RONS,
    SEATS,
    TSUMO,
    TSUMOGIRI,
    Dialect,
    plain,
)
from jmjp_convert.formats.jmjp.slips import Slips
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    DrawKind,
    End,
    Event,
    Kakan,
    Meld,
    Pon,
    Presence,
    RiichiAccepted,
    Ryuukyoku,
    Start,
    Win,
    tiles,
)
from jmjp_convert.model.events import shared
from jmjp_convert.model.record import Record, replace
from jmjp_convert.patterns import regex
from jmjp_convert.play.melds import check_shape
from jmjp_convert.play.points import changes_of

# --- words ------------------------------------------------------------------------------------------------------------

_TILE: Final = ""
"""The keyword of a half that is only a tile."""


class _Kind(NamedTuple):
    """The first or second halves of acts: their keywords, each with its number of tiles; what errors call such a half;
    the usual slips in it, and in the brackets after each keyword."""

    words: Mapping[str, int]
    what: str
    usual: Slips
    forms: Mapping[str, Slips]


def _kinds(*, all_tiles: bool) -> tuple[_Kind, _Kind]:
    """Return the kinds of the first and the second half of an act."""
    pair, triple, four = (2, 3, 4) if all_tiles else (0, 0, 1)
    rons = dict.fromkeys(RONS if all_tiles else ["ro"], 0)
    draws = {CHI: 2, PON: pair, DAIMINKAN: triple, REPLACEMENT: 1, OYA: 0, **rons}
    discards = {TSUMOGIRI: 0, KARAGIRI: 0, TSUMO: 0, KAKAN: 1, ANKAN: four, RIICHI: 1}
    calls, ankan = ("pn[tiles], dk[tiles]", "ak[tiles]") if all_tiles else ("pn, dk", "ak[tile]")
    draw = f"a draw, call or ron: a tile, rs[tile], oy, ch[tiles], {calls} or ro"
    discard = f"a discard, kan or tsumo: a tile, tg, kg, rc[tile], kk[tile], {ankan}, tm or ')'"
    forms = slips.ACT_FORMS[all_tiles]
    return _Kind(draws, draw, slips.DRAWS, forms), _Kind(discards, discard, slips.DISCARDS, forms)


_KINDS: Final = {all_tiles: _kinds(all_tiles=all_tiles) for all_tiles in (False, True)}
"""By whether the dialect names all tiles."""

_COMPLETE: Final = frozenset((DAIMINKAN, *RONS))
"""No discard follows these."""


class Half(Record):
    """One half of an act: its keyword, and its tiles."""

    __slots__ = ("word", "tiles")

    def __init__(self, word: str, tiles: tuple[int, ...]) -> None:
        self.word: Final = word
        self.tiles: Final = tiles


NO_HALF: Final = Half("-", ())
"""The second half of an act without one."""

Act = tuple[int, Half, Half]
"""An act: its seat, first half, and second half, :data:`NO_HALF` if it has none."""

_KNOWN: Final[dict[bool, tuple[dict[str, Half], dict[str, Half]]]] = {
    all_tiles: ({}, {")": NO_HALF}) for all_tiles in _KINDS
}
"""By whether the dialect names all tiles, the halves of acts that have been parsed: the text between the first and the
last comma, and the text after that. The same halves recur in all games.

Any two of them make an act, unless the first is complete by itself.
"""

_MOST_KNOWN: Final = 1 << 14

_ACTORS: Final = {f"({seat}": number for number, seat in enumerate(SEATS)}
"""The seats by the text before the first comma."""


def _known_act(script: Script, place: int, text: str, dialect: Dialect) -> Act:
    """Parse the act at *place*, which must be the whole *text*."""
    (openings, closings), (before, _, after) = _KNOWN[dialect.all_tiles], text.rpartition(",")
    opener, _, opened = before.partition(",")
    actor, opening, closing = _ACTORS.get(opener), openings.get(opened), closings.get(after)
    if actor is not None and opening is not None and closing is not None:  # noqa: SIM102 - one thought at a time
        if closing is NO_HALF or opening.word not in _COMPLETE:
            return actor, opening, closing
    end, act = _act(script, place, dialect)
    if end != place + len(text):
        raise script.expected(end, "'('")
    if len(openings) < _MOST_KNOWN and len(closings) < _MOST_KNOWN:
        openings[opened], closings[after] = act[1:]
    return act


def act_alone(script: Script, place: int, dialect: Dialect) -> int:
    """Return the place after the act at *place*."""
    return _act(script, place, dialect)[0]


def _act(script: Script, place: int, dialect: Dialect) -> tuple[int, Act]:
    begins = place
    place, actor = seat(script, mark(script, place, "("))
    draws, discards = _KINDS[dialect.all_tiles]
    place, opening = _half(script, mark(script, place, ","), draws)
    if not script.text.startswith(",", place):
        raise _without_comma(script, begins, place)
    place += 1
    closing = NO_HALF
    if opening.word not in _COMPLETE and not script.text.startswith(")", place):
        place, closing = _half(script, place, discards)
    return mark(script, place, ")"), (actor, opening, closing)


def _half(script: Script, place: int, kind: _Kind) -> tuple[int, Half]:
    text, word = script.text, script.text[place : place + 2]
    if word in ANY_COPY:
        return place + 2, Half(_TILE, (ANY_COPY[word],))
    # The keyword may be the beginning of another word that is a usual slip, such as `chun`.
    is_longer = text[place + 2 : place + 3] not in ("[", ",", ")") and script.is_slip(place, kind.usual)
    if word not in kind.words or is_longer:
        raise script.expected(place, kind.what, kind.usual)
    place += 2
    if not kind.words[word]:
        return place, Half(word, ())
    form = kind.forms[word]
    place, named = some_tiles(script, mark(script, place, "[", form), kind.words[word], "]", form)
    return place, Half(word, named)


def _without_comma(script: Script, begins: int, place: int) -> JmjpError:
    """Return the error that no comma is at *place*, after the first half of the act that *begins* there."""
    text = script.text
    if text.startswith(")", place):
        return script.error(place, f"expected ',', found ')'; write {text[begins:place]},)")
    return script.expected(place, "','", (*(slips.UNNAMED if text.startswith("[", place) else ()), *slips.at_mark(",")))


# --- plain acts -------------------------------------------------------------------------------------------------------

# A draw and a discard: nine of ten acts. All those of a frame are looked up together: their words become one byte each,
# and their events are in tables that fit into the caches of a processor. A table of whole turns would not.

_LENGTH: Final = len("(e,3m,9p)")
"""The length of a plain act, brackets included."""

_OTHERS: Final = regex(
    r"""(\((?!...[mpswdk],(?!tm)..\))  # an act unlike (e,3m,9p) or (e,3m,tg), such as (e,3m,tm) or (s,pn,9p),
        (?<![^)]\()                    # that begins after the end of another
        [^()]*\))(?![^(])              # and ends before the beginning of another""",
    re.VERBOSE,
)
"""Matches the acts that are not plain. Those that it does not match are plain or malformed."""

_SHAPES: Final = bytes.maketrans(b"0123456789abcdefghijklmnopqrstuvwxyz", b"x" * 36)
_SHAPE: Final = b"(x,xx,xx)"
_WORDS: Final = (*ANY_COPY, TSUMOGIRI, KARAGIRI, *(f"({seat}" for seat in SEATS))
_coded = coder({word: code for code, word in enumerate(_WORDS, 1)})

_Turns = tuple[tuple[Event, ...], ...]
"""The turns of a player, by the code of the tile drawn: the draw, then the discards by their code."""


def plain_events(text: str, dealer: int) -> list[Event]:
    """Return the events of the plain acts *text* in a frame of *dealer*, two of each act.

    :raises ValueError: not all of it is plain acts.
    """
    raw = text.encode()
    if raw.translate(_SHAPES) != _SHAPE * (len(raw) // _LENGTH):
        raise ValueError(text)
    codes = iter(_coded(raw.translate(None, b",)")))
    by_seat = _turns_by_seat(dealer)
    events: list[Event] = []
    for seat_, drawn, discarded in zip(codes, codes, codes, strict=True):
        turn = by_seat[seat_][drawn]
        events.append(turn[0])
        events.append(turn[discarded])
    return events


@cache
def _turns_by_seat(dealer: int) -> tuple[_Turns, ...]:
    """Return the turns by the code of a seat."""
    turns = tuple(map(_turns, range(len(SEATS))))
    return ((),) * (len(_WORDS) - len(SEATS) + 1) + turns[dealer:] + turns[:dealer]


@cache
def _turns(player: int) -> _Turns:
    turns: list[tuple[Event, ...]] = [()]
    for drawn in ANY_COPY.values():
        # A discard that is named may be tsumogiri if the faces are the same, or if the tile drawn is unknown.
        maybe = [None if drawn in (tile, tiles.UNKNOWN) else False for tile in ANY_COPY.values()]
        named = [DISCARDS[tsumogiri][player][tile] for tsumogiri, tile in zip(maybe, ANY_COPY.values(), strict=True)]
        alike = [DISCARDS[tsumogiri][player][drawn] for tsumogiri in (True, False)]
        turns.append((DRAWS[player][drawn], *named, *alike))
    return tuple(turns)


# --- events -----------------------------------------------------------------------------------------------------------

MOST_MELDS: Final = 4

_FACES: Final = tiles.faces()
_LONGEST: Final = 1 << 16
_BEFORE_HAND: Final = f",{HAND}"
_TRIPLE: Final = 3


class ActReader:
    """The acts of a frame being parsed.

    :ivar builder: the events so far.
    :ivar fault: the error of the first impossible act; later acts are parsed but not played.
    :ivar fault_at: the place of that act.
    """

    def __init__(self, script: Script, dialect: Dialect, start: Start, remarks: Remarks) -> None:
        self.builder = FrameBuilder(start)
        self.fault: PlayError | None = None
        self.fault_at = -1
        self._script = script
        self._dialect = dialect
        self._start = start
        self._remarks = remarks
        self._begins = self._act_at = -1  # the places of the first act, and of the last one that was read alone
        self._karagiri = False  # whether the next riichi tile is another copy of the drawn one
        self._coming: list[Presence] = []  # to insert between the next draw and its discard
        self._chips: comments.Chips | None = None
        self._winners: set[int] = set()
        self._riichi_at: list[tuple[int, int]] = []  # the index of each accepted riichi, and the player

    def run(self, place: int) -> int:
        """Parse the acts at *place*; return the place after them."""
        text = self._script.text
        if not text.startswith("(", place):
            return place
        end = text.find("),", place)
        if end < 0:
            end = min(len(text), place + _LONGEST)
        hands = text.find(_BEFORE_HAND, place, end)
        if hands >= 0:
            hands = text.rfind("(", place, hands)
            if hands == place:
                return place
            end = hands - 1 if text[hands - 1] == ")" else hands + 1  # an act that is not closed is not a known one
        if end - place > _LONGEST:
            raise self._script.error(place, f"the acts of a frame exceed {_LONGEST:,} characters")
        return self._acts(place, end)

    def _acts(self, place: int, end: int) -> int:
        """Parse the acts from *place* to the closing bracket at *end*; return the place after them.

        Runs of plain acts are played here, the rest one by one.
        """
        self._begins, text = place, self._script.text[place : end + 1]
        pieces = _OTHERS.split(text)
        try:
            turns = plain_events("".join(pieces[::2]), self._start.dealer)
        except ValueError:  # an act is malformed: it is found one by one
            for each in text.replace(")(", ") (").split(" "):
                place = self._one(place, each)
            return place
        builder, events, first = self.builder, self.builder.events, 0
        for run, other in zip(pieces[::2], (*pieces[1::2], ""), strict=True):
            after = place + len(run)
            while place < after:
                calm = self._calm(place, after)
                if calm <= place:
                    place = self._one(place, run[place - after :][:_LENGTH])
                    first += 2
                    continue
                builder.mark(place, _LENGTH, 2)
                last = first + (calm - place) // _LENGTH * 2
                events += turns[first:last]
                place, first = calm, last
            if other:
                place = self._one(place, other)
        return place

    def _calm(self, place: int, end: int) -> int:
        """Return where the plain acts from *place* stop being playable as a run: at the next comment or at *end*; at
        once after a kan or a fault."""
        if self.fault is not None or self.builder.replacement is not None:
            return place
        due = self._remarks.due
        return end if due > end - _LENGTH else place - (place - due) // _LENGTH * _LENGTH

    def _one(self, place: int, text: str) -> int:
        """Parse the act *text* at *place* on its own; return the place after it."""
        self.builder.mark(place)
        self._act_at = place
        if self._remarks.due <= place:
            self.remark(place)
        act = _known_act(self._script, place, text, self._dialect)
        if self.fault is None:
            self._play(act)
        return place + len(text)

    def remark(self, place: int) -> None:
        """Apply the comments up to *place*."""
        for remark in self._remarks.up_to(place):
            try:
                self._take_remark(remark)
            except ValueError:
                self._remarks.ignore(remark)

    def _take_remark(self, remark: Remark) -> None:
        if comments.is_karagiri(remark):
            self._karagiri = True
        elif not remark.word and "chips" in remark.values:
            self._chips = comments.chips_of(remark)
        elif comments.is_in_act(remark):
            self._coming.append(comments.presence_of(remark))
        else:
            self.builder.events.append(comments.presence_of(remark))

    # --- playing an act ----------------------------------------------------------------------------------------------

    def _play(self, act: Act) -> None:
        """Append the events of *act*."""
        seat, opening, closing = act
        player, builder = (self._start.dealer + seat) % 4, self.builder
        try:
            _OPENINGS[opening.word](self, player, opening)
            if self._coming:
                builder.events += self._coming
                self._coming = []
            if closing is not NO_HALF:
                _CLOSINGS[closing.word](self, player, closing)
            self._karagiri = False
        except PlayError as error:
            self.fault, self.fault_at = error, self._act_at

    def draw(self, player: int, half: Half) -> None:
        """Draw a tile, from the wall or in place of a kan."""
        kan_of = self.builder.replacement
        if half.word == REPLACEMENT and kan_of != player:
            raise impossible("{player} draws a replacement tile without a kan", player)
        if half.word == _TILE and kan_of is not None:
            raise impossible("{player} draws from the wall after a kan", player)
        self.builder.draw(player, half.tiles[0])

    def dealt(self, player: int, _half: Half) -> None:
        """Begin with a tile that was dealt."""
        if self._start.fourteenth is None or player != self._start.dealer or self._act_at != self._begins:
            raise impossible("{player} begins with a fourteenth tile that was not dealt", player)

    def call(self, player: int, half: Half) -> None:
        """Call the last discard."""
        last = self.builder.exposed
        if not isinstance(last, Discard):
            raise impossible("{player} calls, but no tile was just discarded", player)
        self._meld(_called(half.word, player, last.tile, half.tiles, last.player))

    def _meld(self, meld: Meld) -> None:
        if len(self.builder.melds[meld.player]) == MOST_MELDS:
            raise impossible("{player} already has {most} melds", meld.player, most=MOST_MELDS)
        self.builder.meld(meld)

    def ron(self, player: int, _half: Half) -> None:
        """Win by ron."""
        if player in self._winners:
            raise impossible("{player} wins twice", player)
        self._winners.add(player)
        last = self.builder.exposed
        if last is None:
            raise impossible("{player} wins by ron, but no tile was just discarded", player)
        if last.player == player:
            raise impossible("{player} wins by ron on their own tile", player)
        self._win(Win(player, last.player, self.builder.winning_tile))

    def tsumo(self, player: int, _half: Half) -> None:
        """Win by tsumo."""
        drawn = self.builder.drawn
        if drawn is None:
            raise impossible("{player} wins by tsumo without having drawn", player)
        self._win(Win(player, None, drawn))

    def _win(self, win: Win) -> None:
        chips, self._chips = self._chips, None
        self.builder.win(win if chips is None else replace(win, chips=chips.changes, chip_yaku=chips.yaku))

    def discard(self, player: int, half: Half) -> None:
        """Discard a tile."""
        self.builder.discard(player, half.tiles[0])

    def tsumogiri(self, player: int, half: Half) -> None:
        """Discard the tile just drawn."""
        drawn = self.builder.drawn
        if drawn is None:
            raise impossible("{player} discards the drawn tile without having drawn", player)
        self.builder.discard(player, drawn, half.word == TSUMOGIRI)

    def riichi(self, player: int, half: Half) -> None:
        """Declare riichi, and discard."""
        (tile,) = half.tiles
        # A riichi tile is always named. One with the drawn face is the drawn tile, unless a comment says karagiri.
        tsumogiri = not self._karagiri if tile == self.builder.drawn else None
        self.builder.declare_riichi(player)
        self.builder.discard(player, tile, tsumogiri)
        self._riichi_at.append((len(self.builder.events) - 1, player))

    def ankan(self, player: int, half: Half) -> None:
        """Declare a closed kan."""
        kan = Ankan(player, tuple(sorted(half.tiles)) if self._dialect.all_tiles else (plain(half.tiles[0]),) * 4)
        check_shape(kan)
        self._meld(kan)

    def kakan(self, player: int, half: Half) -> None:
        """Add a tile to a pon."""
        (tile,) = half.tiles
        pon = extended_pon(self.builder.melds[player], half.tiles)
        if pon is None:
            raise impossible("{player} has no pon to add {tile} to", player, tile=_FACES[tile])
        self.builder.meld(Kakan(player, tile, pon))

    # --- the end -----------------------------------------------------------------------------------------------------

    def ended(self, end: End) -> list[Event]:
        """Return the events, with the one that ends the frame.

        A frame without a win and without points at its *end* is unfinished. With points but no win it is a draw, whose
        kind only the frame's text may tell (:mod:`~jmjp_convert.play.outcome_text`). Three rons that change no points
        are a draw, too. The payments are the changes in points; where several win, only their sum is known.
        """
        builder, events = self.builder, self.builder.events
        kan_of = builder.replacement
        if kan_of is not None and self.fault is None and end.points is not None:
            self.fault = impossible("{player} draws no replacement tile after a kan", kan_of)
            self.fault_at = self._act_at
        paid = [player for index, player in self._riichi_at if type(events[index]) is RiichiAccepted]
        changes = changes_of(self._start, end, paid)
        wins = _wins(events)
        if len(wins) == 1:
            ((index, win),) = wins
            events[index] = replace(win, changes=changes)
        elif len(wins) == _TRIPLE and changes == (0, 0, 0, 0):
            for index, _ in wins:
                del events[index]
            builder.draw_game(Ryuukyoku(DrawKind.TRIPLE_RON, changes=changes, chips=wins[-1][1].chips))
        elif not wins and end.points is not None:
            chips = None if self._chips is None else self._chips.changes
            builder.draw_game(Ryuukyoku(None, changes=changes, chips=chips))
        elif not wins and self.fault is None:
            builder.break_off()
        return events


_Handlers = dict[str, Callable[[ActReader, int, Half], None]]
"""The method for each half of an act, by its keyword."""

_OPENINGS: Final[_Handlers] = {
    _TILE: ActReader.draw,
    REPLACEMENT: ActReader.draw,
    OYA: ActReader.dealt,
    CHI: ActReader.call,
    PON: ActReader.call,
    DAIMINKAN: ActReader.call,
    **dict.fromkeys(RONS, ActReader.ron),
}
_CLOSINGS: Final[_Handlers] = {
    _TILE: ActReader.discard,
    TSUMOGIRI: ActReader.tsumogiri,
    KARAGIRI: ActReader.tsumogiri,
    RIICHI: ActReader.riichi,
    KAKAN: ActReader.kakan,
    ANKAN: ActReader.ankan,
    TSUMO: ActReader.tsumo,
}


def _wins(events: list[Event]) -> list[tuple[int, Win]]:
    """Return the wins with their indices, the last one first. They can only come after the last draw or discard."""
    wins: list[tuple[int, Win]] = []
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if type(event) is Win:
            wins.append((index, event))
        elif type(event) in (Draw, Discard):
            break
    return wins


_CALLS: Final[dict[str, tuple[Callable[[int, int, tuple[int, ...], int], Call], int]]] = {
    CHI: (Chi, 2),
    PON: (Pon, 2),
    DAIMINKAN: (Daiminkan, 3),
}


@lru_cache(maxsize=1 << 14)
def _called(word: str, player: int, taken: int, named: tuple[int, ...], source: int) -> Call:
    """Return the meld of a call, with the *named* tiles from the hand, or plain ones if none are named."""
    kind, count = _CALLS[word]
    meld = kind(player, taken, tuple(sorted(named)) or (plain(taken),) * count, source)
    check_shape(meld)
    return shared(meld)
