"""Reads acts of jmjp: their words, and what they mean."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import ClassVar, NamedTuple

from jmjp_convert.errors import JmjpError, PlayError, impossible
from jmjp_convert.formats.jmjp.dialects import (
    ANKAN,
    CHI,
    DAIMINKAN,
    KAKAN,
    KARAGIRI,
    OYA,
    PON,
    REPLACEMENT,
    RIICHI,
    RONS,
    TSUMO,
    TSUMOGIRI,
    Dialect,
)
from jmjp_convert.formats.jmjp.reading import comments, slips, turns
from jmjp_convert.formats.jmjp.reading.comments import NEVER, Remark, Remarks
from jmjp_convert.formats.jmjp.reading.hands import HAND, MOST_MELDS, plain
from jmjp_convert.formats.jmjp.reading.lexer import ANY_COPY, Script, mark, seat, some_tiles
from jmjp_convert.formats.jmjp.reading.slips import Slips
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
    Ryuukyoku,
    Start,
    Win,
    tiles,
)
from jmjp_convert.model.events import ACCEPTED, DECLARED, shared
from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.melds import check_shape
from jmjp_convert.play.points import changes_of

# --- words ------------------------------------------------------------------------------------------------------------

TILE = ""
"""The keyword of a half that is only a tile."""


def _words(*, all_tiles: bool) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return the keywords of the first and the second half of an act, each with its number of tiles."""
    pair, triple, four = (2, 3, 4) if all_tiles else (0, 0, 1)
    rons = dict.fromkeys(RONS if all_tiles else ["ro"], 0)
    return (
        {CHI: 2, PON: pair, DAIMINKAN: triple, REPLACEMENT: 1, OYA: 0, **rons},
        {TSUMOGIRI: 0, KARAGIRI: 0, TSUMO: 0, KAKAN: 1, ANKAN: four, RIICHI: 1},
    )


_WORDS = {all_tiles: _words(all_tiles=all_tiles) for all_tiles in (False, True)}

_OPENING = {
    False: "a draw, call or ron: a tile, rs[tile], oy, ch[tiles], pn, dk or ro",
    True: "a draw, call or ron: a tile, rs[tile], oy, ch[tiles], pn[tiles], dk[tiles] or ro",
}
_CLOSING = {
    False: "a discard, kan or tsumo: a tile, tg, kg, rc[tile], kk[tile], ak[tile], tm or ')'",
    True: "a discard, kan or tsumo: a tile, tg, kg, rc[tile], kk[tile], ak[tiles], tm or ')'",
}


class _Kind(NamedTuple):
    """The first or second halves of acts: their keywords, each with its number of tiles; what errors call such a half;
    the usual slips in it, and in the brackets after each keyword."""

    words: Mapping[str, int]
    what: str
    usual: Slips
    forms: Mapping[str, Slips]


_KINDS = {
    all_tiles: (
        _Kind(openings, _OPENING[all_tiles], slips.DRAWS, slips.ACT_FORMS[all_tiles]),
        _Kind(closings, _CLOSING[all_tiles], slips.DISCARDS, slips.ACT_FORMS[all_tiles]),
    )
    for all_tiles, (openings, closings) in _WORDS.items()
}
"""By whether the dialect names all tiles."""


@record
class Half:
    """One half of an act: its keyword, and its tiles."""

    word: str
    tiles: tuple[int, ...]


NO_HALF = Half("-", ())
"""The second half of an act without one."""

Act = tuple[int, Half, Half]
"""An act: its seat, first half, and second half, :data:`NO_HALF` if it has none."""


def _half(script: Script, place: int, kind: _Kind) -> tuple[int, Half]:
    word = script.text[place : place + 2]
    if word in ANY_COPY:
        return place + 2, Half(TILE, (ANY_COPY[word],))
    if word not in kind.words or _is_longer(script, place, kind):
        raise script.expected(place, kind.what, kind.usual)
    place += 2
    if not kind.words[word]:
        return place, Half(word, ())
    form = kind.forms[word]
    place, named = some_tiles(script, mark(script, place, "[", form), kind.words[word], "]", form)
    return place, Half(word, named)


def _is_longer(script: Script, place: int, kind: _Kind) -> bool:
    """Return whether the keyword at *place* is the beginning of another word that is a usual slip, such as `chun`."""
    return script.text[place + 2 : place + 3] not in _AFTER_WORD and script.is_slip(place, kind.usual)


_AFTER_WORD = ("[", ",", ")")

_KNOWN: dict[bool, tuple[dict[str, tuple[int, Half]], dict[str, Half]]] = {
    all_tiles: ({}, {")": NO_HALF}) for all_tiles in _WORDS
}
"""By whether the dialect names all tiles, the halves of acts that have been parsed: the text before the last comma,
with its seat, and the text after it. The same halves recur in all games.

Any two of them make an act, unless the first is complete by itself.
"""

_MOST_KNOWN = 1 << 14


def act(script: Script, place: int, text: str, dialect: Dialect) -> Act:
    """Parse the act at *place*, which must be the whole *text*."""
    (openings, closings), (before, _, after) = _KNOWN[dialect.all_tiles], text.rpartition(",")
    known, closing = openings.get(before), closings.get(after)
    if known is not None and closing is not None:
        seat, opening = known
        if closing is NO_HALF or opening.word not in _COMPLETE:
            return seat, opening, closing
    end, found = _act(script, place, dialect)
    if end != place + len(text):
        raise script.expected(end, "'('")
    if len(openings) < _MOST_KNOWN and len(closings) < _MOST_KNOWN:
        openings[before], closings[after] = found[:2], found[2]
    return found


def act_alone(script: Script, place: int, dialect: Dialect) -> int:
    """Return the place after the act at *place*."""
    return _act(script, place, dialect)[0]


def _act(script: Script, place: int, dialect: Dialect) -> tuple[int, Act]:
    start = place
    place, whose = seat(script, mark(script, place, "("))
    openings, closings = _KINDS[dialect.all_tiles]
    place, opening = _half(script, mark(script, place, ","), openings)
    if not script.text.startswith(",", place):
        raise _without_comma(script, start, place)
    place += 1
    closing = NO_HALF
    if opening.word not in _COMPLETE and not script.text.startswith(")", place):
        place, closing = _half(script, place, closings)
    return mark(script, place, ")"), (whose, opening, closing)


def _without_comma(script: Script, start: int, place: int) -> JmjpError:
    """Return the error that no comma is at *place*, after the first half of the act at *start*."""
    text = script.text
    if text.startswith(")", place):
        return script.error(place, f"expected ',', found ')'; write {text[start:place]},)")
    return script.expected(place, "','", (*(slips.UNNAMED if text.startswith("[", place) else ()), *slips.at_mark(",")))


_COMPLETE = frozenset((DAIMINKAN, *RONS))
"""No discard follows these."""


# --- events -----------------------------------------------------------------------------------------------------------

_FACES = tiles.faces(red_fives=True)

_LONGEST = 1 << 16
_BEFORE_HAND = f",{HAND}"

_Handlers = dict[str, Callable[["Flow", int, Half], None]]
"""The method for each half of an act, by its keyword."""


class Flow:
    """The acts of a frame being parsed.

    :ivar events: the events so far.
    :ivar paid: the players whose riichi was accepted.
    :ivar fault: the error of the first impossible act; later acts are parsed but not played.
    :ivar fault_at: the place of that act.
    :ivar riichi: the index in *events* after a riichi discard that may still be ronned, otherwise ``None``.
    """

    def __init__(self, script: Script, dialect: Dialect, start: Start, found: Remarks) -> None:
        self.events: list[Event] = []
        self.riichi: int | None = None
        self.paid: list[int] = []
        self.chips: comments.Chips | None = None
        self.melds: tuple[list[Meld], ...] = ([], [], [], [])
        self._script = script
        self._dialect = dialect
        self._start = start
        self._remarks = found
        # For an act: the number of events before it, its place, and the characters per pair of events after it.
        self._marks: list[tuple[int, int, int]] = []
        # The tile just drawn, and who draws a replacement tile next; plain acts change neither.
        self._drawn = start.fourteenth
        self._replacement: int | None = None
        self._coming: list[Presence] = []  # to insert between the next draw and its discard
        self.fault: PlayError | None = None
        self.fault_at = -1
        self._winners: set[int] = set()
        self._begins = -1  # the place of the first act
        self._karagiri = False  # whether the next riichi tile is another copy of the drawn one

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
        pieces = turns.OTHERS.split(text)
        try:
            plain = turns.events("".join(pieces[::2]), self._start.dealer)
        except ValueError:  # an act is malformed: it is found one by one
            for each in text.replace(")(", ") (").split(" "):
                place = self._one(place, each)
            return place
        events, first = self.events, 0
        for run, other in zip(pieces[::2], (*pieces[1::2], ""), strict=True):
            after = place + len(run)
            while place < after:
                calm = self._calm(place, after)
                if calm <= place:
                    place = self._one(place, run[place - after :][: turns.LENGTH])
                    first += 2
                    continue
                if self.riichi is not None:
                    self._marks.append((len(events), place, 0))
                    self.accept_riichi()
                self._marks.append((len(events), place, turns.LENGTH))
                last = first + (calm - place) // turns.LENGTH * 2
                events += plain[first:last]
                place, first = calm, last
            if other:
                place = self._one(place, other)
        return place

    def _calm(self, place: int, end: int) -> int:
        """Return where the plain acts from *place* stop being playable as a run: at the next comment or at *end*; at
        once after a kan or a fault."""
        if self._replacement is not None or self.fault is not None:
            return place
        due = self._remarks.due
        return end if due > end - turns.LENGTH else place - (place - due) // turns.LENGTH * turns.LENGTH

    def _one(self, place: int, text: str) -> int:
        """Parse the act *text* at *place* on its own; return the place after it."""
        self._marks.append((len(self.events), place, 0))
        if self._remarks.due <= place:
            self.remark(place)
        found = act(self._script, place, text, self._dialect)
        if self.fault is None:
            self._play(found)
        return place + len(text)

    def place_of(self, index: int) -> int:
        """Return the place of the act with the event *index*."""
        count, place, length = self._marks[bisect_right(self._marks, (index, NEVER)) - 1]
        return place + (index - count) // 2 * length

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
            self.chips = comments.chips(remark)
        elif comments.in_act(remark):
            self._coming.append(comments.presence(remark))
        else:
            self.events.append(comments.presence(remark))

    # --- playing an act ----------------------------------------------------------------------------------------------

    def _play(self, act: Act) -> None:
        """Append the events of *act*."""
        seat, opening, closing = act
        player = (self._start.dealer + seat) % 4
        try:
            if self.riichi is not None:
                self._settle_riichi(opening.word)
            if self._replacement is not None or opening.word == REPLACEMENT:
                self._expect_replacement(player, opening.word)
            self._OPENINGS[opening.word](self, player, opening)
            if self._coming:
                self.events += self._coming
                self._coming = []
            if closing is not NO_HALF:
                self._CLOSINGS[closing.word](self, player, closing)
            self._karagiri = False
        except PlayError as error:
            self.fault, self.fault_at = error, self._marks[-1][1]

    def _settle_riichi(self, word: str) -> None:
        """Accept the riichi just declared, unless an act that begins with *word* rons its tile."""
        if word not in RONS:
            self.accept_riichi()
        self.riichi = None

    def accept_riichi(self) -> None:
        """Accept the riichi just declared."""
        assert self.riichi is not None
        discard = self.events[self.riichi - 1]
        assert isinstance(discard, Discard)
        self.events.insert(self.riichi, ACCEPTED[discard.player])
        self.paid.append(discard.player)
        self.riichi = None

    def _expect_replacement(self, player: int, word: str) -> None:
        """Check that an act that begins with *word* draws a replacement tile exactly after a kan."""
        if word == REPLACEMENT and self._replacement != player:
            raise impossible("{player} draws a replacement tile without a kan", player)
        if word == TILE:
            raise impossible("{player} draws from the wall after a kan", player)

    def expect_no_kan(self) -> None:
        """Check, at the end of a frame, that the last kan was robbed or a replacement tile drawn."""
        player = self._replacement
        if player is not None and self.fault is None:
            self.fault = impossible("{player} draws no replacement tile after a kan", player)
            self.fault_at = self._marks[-1][1]

    def _draw(self, player: int, half: Half) -> None:
        self._drawn, self._replacement = half.tiles[0], None
        self.events.append(DRAWS[player][self._drawn])

    def _dealt(self, player: int, _half: Half) -> None:
        if self._start.fourteenth is None or player != self._start.dealer or self._marks[-1][1] != self._begins:
            raise impossible("{player} begins with a fourteenth tile that was not dealt", player)

    def _last(self) -> Discard | Kakan | Ankan | None:
        """Return the event whose tile can be called or ronned."""
        for event in reversed(self.events):
            if isinstance(event, _TAKEABLE):
                return event
            if isinstance(event, _NOT_TAKEABLE):
                return None
        return None

    def _call(self, player: int, half: Half) -> None:
        last = self._last()
        if not isinstance(last, Discard):
            raise impossible("{player} calls, but no tile was just discarded", player)
        self._meld(_called(half.word, player, last.tile, half.tiles, last.player))

    def _daiminkan(self, player: int, half: Half) -> None:
        self._call(player, half)
        self._drawn, self._replacement = None, player

    def _meld(self, meld: Call | Ankan) -> None:
        melds = self.melds[meld.player]
        if len(melds) == MOST_MELDS:
            raise impossible("{player} already has {most} melds", meld.player, most=MOST_MELDS)
        melds.append(meld)
        self.events.append(meld)

    def _ron(self, player: int, _half: Half) -> None:
        if player in self._winners:
            raise impossible("{player} wins twice", player)
        self._winners.add(player)
        last = self._last()
        if last is None:
            raise impossible("{player} wins by ron, but no tile was just discarded", player)
        if last.player == player:
            raise impossible("{player} wins by ron on their own tile", player)
        if isinstance(last, Kakan):  # a robbed kan stays a pon
            melds = self.melds[last.player]
            melds[:] = [last.pon if meld is last else meld for meld in melds]
        self._win(player, last.player, last.tiles[-1] if isinstance(last, Ankan) else last.tile)

    def _win(self, player: int, source: int | None, tile: int) -> None:
        chips, self.chips = self.chips, None
        if chips is None:
            self.events.append(Win(player, source, tile))
        else:
            self.events.append(Win(player, source, tile, chips=chips.changes, chip_yaku=chips.yaku))
        self._drawn = self._replacement = None

    def _tsumo(self, player: int, _half: Half) -> None:
        drawn = self._drawn
        if drawn is None:
            raise impossible("{player} wins by tsumo without having drawn", player)
        self._win(player, None, drawn)

    def _discard(self, player: int, half: Half) -> None:
        (tile,) = half.tiles
        self._throw(player, tile, tsumogiri=turns.named_tsumogiri(tile, self._drawn))

    def _tsumogiri(self, player: int, _half: Half) -> None:
        self._throw(player, self._just_drawn(player), tsumogiri=True)

    def _discard_alike(self, player: int, _half: Half) -> None:
        self._throw(player, self._just_drawn(player), tsumogiri=False)

    def _throw(self, player: int, tile: int, *, tsumogiri: bool | None) -> None:
        self._drawn = None
        self.events.append(DISCARDS[tsumogiri][player][tile])

    def _just_drawn(self, player: int) -> int:
        drawn = self._drawn
        if drawn is None:
            raise impossible("{player} discards the drawn tile without having drawn", player)
        return drawn

    def _riichi(self, player: int, half: Half) -> None:
        (tile,) = half.tiles
        # A riichi tile is always named. One with the drawn face is the drawn tile, unless a comment says karagiri.
        tsumogiri = turns.named_tsumogiri(tile, self._drawn)
        if tile == self._drawn:
            tsumogiri = not self._karagiri
        self.events.append(DECLARED[player])
        self._throw(player, tile, tsumogiri=tsumogiri)
        self.riichi = len(self.events)

    def _ankan(self, player: int, half: Half) -> None:
        kan = Ankan(player, tuple(sorted(half.tiles)) if self._dialect.all_tiles else (plain(half.tiles[0]),) * 4)
        check_shape(kan)
        self._meld(kan)
        self._drawn, self._replacement = None, player

    def _kakan(self, player: int, half: Half) -> None:
        melds, (tile,) = self.melds[player], half.tiles
        for index, pon in enumerate(melds):
            if isinstance(pon, Pon) and len({plain(known) for known in (tile, *_known(pon))} - {UNKNOWN}) <= 1:
                melds[index] = kan = Kakan(player, tile, pon)
                self.events.append(kan)
                self._drawn, self._replacement = None, player
                return
        raise impossible("{player} has no pon to add {tile} to", player, tile=_FACES[tile])

    _OPENINGS: ClassVar[_Handlers] = {
        TILE: _draw,
        REPLACEMENT: _draw,
        OYA: _dealt,
        CHI: _call,
        PON: _call,
        DAIMINKAN: _daiminkan,
        **dict.fromkeys(RONS, _ron),
    }
    _CLOSINGS: ClassVar[_Handlers] = {
        TILE: _discard,
        TSUMOGIRI: _tsumogiri,
        KARAGIRI: _discard_alike,
        RIICHI: _riichi,
        KAKAN: _kakan,
        ANKAN: _ankan,
        TSUMO: _tsumo,
    }


_TAKEABLE = (Discard, Kakan, Ankan)
_NOT_TAKEABLE = (Draw, Chi, Pon, Daiminkan)
_CALLS: dict[str, tuple[Callable[[int, int, tuple[int, ...], int], Call], int]] = {
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


def _known(pon: Pon) -> tuple[int, ...]:
    return (pon.taken, *pon.hand)


# --- endings ----------------------------------------------------------------------------------------------------------

_TRIPLE = 3


def ended(flow: Flow, start: Start, end: End) -> list[Event]:
    """Return the events of *flow* with the one that ends the frame.

    A frame without a win and without points at its end is unfinished. With points but no win it is a draw, whose kind
    only the frame's text may tell (:mod:`~jmjp_convert.play.outcome_text`). Three rons that change no points are a
    draw, too. The payments are the changes in points; where several win, only their sum is known.
    """
    events = flow.events
    if end.points is not None:
        flow.expect_no_kan()
    changes = changes_of(start, end, flow.paid)
    wins = _wins(events)
    if len(wins) == _TRIPLE and changes == (0, 0, 0, 0):
        chips = events[wins[0]].chips  # type: ignore[union-attr]
        draw = Ryuukyoku(DrawKind.TRIPLE_RON, changes=changes, chips=chips)
        return [*(event for event in events if type(event) is not Win), draw]
    if len(wins) == 1:
        win = events[wins[0]]
        assert type(win) is Win
        events[wins[0]] = Win(
            win.player, win.source, win.tile, changes=changes, chips=win.chips, chip_yaku=win.chip_yaku
        )
    if not wins and end.points is not None:
        if flow.riichi is not None:
            flow.accept_riichi()
            changes = changes_of(start, end, flow.paid)
        chips = None if flow.chips is None else flow.chips.changes
        events.append(Ryuukyoku(None, changes=changes, chips=chips))
    return events


def _wins(events: list[Event]) -> list[int]:
    """Return the indices of the wins, which can only come after the last draw or discard."""
    found: list[int] = []
    for index in range(len(events) - 1, -1, -1):
        kind = type(events[index])
        if kind is Draw or kind is Discard:
            break
        if kind is Win:
            found.insert(0, index)
    return found
