"""Parses the acts of a frame: their words, and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from jmjp_convert.errors import JmjpError, PlayError, impossible
from jmjp_convert.formats.frame_builder import FrameBuilder, extended_pon
from jmjp_convert.formats.jmjp import comments
from jmjp_convert.formats.jmjp.comments import Remark, Remarks
from jmjp_convert.formats.jmjp.grammar import form_of, mark, seat, some_tiles, tiles_of
from jmjp_convert.formats.jmjp.lexer import Script, Slips
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
from jmjp_convert.model.events import ACCEPTED, DECLARED
from jmjp_convert.model.record import Record, replace
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.melds import check_shape
from jmjp_convert.play.points import changes_of

# --- words ------------------------------------------------------------------------------------------------------------

_TILE: Final = ""
"""The keyword of a half that is only a tile."""


class _Kind(Record):
    """The first or second halves of acts: their keywords, each with its number of tiles; what errors call such a half;
    the usual slips in it; whether the dialect names all tiles."""

    __slots__ = ("words", "what", "usual", "all_tiles")

    def __init__(self, words: Mapping[str, int], what: str, usual: Slips, all_tiles: bool) -> None:
        self.words: Final = words
        self.what: Final = what
        self.usual: Final = usual
        self.all_tiles: Final = all_tiles


def _kinds(*, all_tiles: bool) -> tuple[_Kind, _Kind]:
    """Return the kinds of the first and the second half of an act."""
    pair, triple, four = (2, 3, 4) if all_tiles else (0, 0, 1)
    rons = dict.fromkeys(RONS if all_tiles else ["ro"], 0)
    draws = {CHI: 2, PON: pair, DAIMINKAN: triple, REPLACEMENT: 1, OYA: 0, **rons}
    discards = {TSUMOGIRI: 0, KARAGIRI: 0, TSUMO: 0, KAKAN: 1, ANKAN: four, RIICHI: 1}
    calls, ankan = ("pn[tiles], dk[tiles]", "ak[tiles]") if all_tiles else ("pn, dk", "ak[tile]")
    draw = f"a draw, call or ron: a tile, rs[tile], oy, ch[tiles], {calls} or ro"
    discard = f"a discard, kan or tsumo: a tile, tg, kg, rc[tile], kk[tile], {ankan}, tm or ')'"
    return _Kind(draws, draw, ("first_half",), all_tiles), _Kind(discards, discard, ("second_half",), all_tiles)


_KINDS: Final = {all_tiles: _kinds(all_tiles=all_tiles) for all_tiles in (False, True)}
"""By whether the dialect names all tiles."""

_COMPLETE: Final = frozenset((DAIMINKAN, *RONS))
"""No discard follows these."""

_PLAYERS: Final = [
    {seat: (dealer + number) % len(SEATS) for number, seat in enumerate(SEATS)} for dealer in range(len(SEATS))
]
"""By dealer, the players by their seats."""


def _half(text: str, kind: _Kind) -> tuple[str, tuple[int, ...]]:
    """Return the keyword and the tiles of the half of that *kind* that *text* is.

    :raises LookupError: it is malformed; :func:`act_alone` says how.
    :raises ValueError: the same.
    """
    if text in ANY_COPY:
        return _TILE, (ANY_COPY[text],)
    word, named = text[:2], text[3:-1]
    count = kind.words[word]
    if len(named) != 2 * count or text != (f"{word}[{named}]" if count else word):
        raise KeyError(text)
    return word, tuple(tiles_of(named)) if count else ()


def act_alone(script: Script, position: int, dialect: Dialect) -> int:
    """Return the position after the act at *position*.

    :raises JmjpError: it is malformed; says where and how.
    """
    begins = position
    position, _seat = seat(script, mark(script, position, "("))
    draws, discards = _KINDS[dialect.all_tiles]
    word, position = _after_half(script, mark(script, position, ","), draws)
    if not script.text.startswith(",", position):
        raise _without_comma(script, begins, position)
    position += 1
    if word not in _COMPLETE and not script.text.startswith(")", position):
        _, position = _after_half(script, position, discards)
    return mark(script, position, ")")


def _after_half(script: Script, position: int, kind: _Kind) -> tuple[str, int]:
    """Return the keyword of the half at *position*, and the position after it."""
    text, word = script.text, script.text[position : position + 2]
    if word in ANY_COPY:
        return _TILE, position + 2
    # The keyword may be the beginning of another word that is a usual slip, such as `chun`.
    is_longer = text[position + 2 : position + 3] not in ("[", ",", ")") and script.is_slip(position, kind.usual)
    if word not in kind.words or is_longer:
        raise script.expected(position, kind.what, kind.usual)
    position += 2
    if kind.words[word]:
        form = (form_of(word, all_tiles=kind.all_tiles),)
        position, _ = some_tiles(script, mark(script, position, "[", form), kind.words[word], "]", form)
    return word, position


def _without_comma(script: Script, begins: int, position: int) -> JmjpError:
    """Return the error that no comma is at *position*, after the first half of the act that *begins* there."""
    text = script.text
    if text.startswith(")", position):
        return script.error(position, f"expected ',', found ')'; write {text[begins:position]},)")
    return script.expected(position, "','", ("unnamed", ",") if text.startswith("[", position) else (",",))


# --- plain acts -------------------------------------------------------------------------------------------------------

_PLAIN: Final = len("(e,3m,9p)")
"""The length of an act that is a draw and a discard, brackets included: nine of ten are."""


_SAID: Final = {TSUMOGIRI: True, KARAGIRI: False}
"""Whether a discard is tsumogiri, by the word in place of its tile."""


_TURNS: Final[dict[str, tuple[tuple[Event, ...], ...]]] = {}
"""The events of plain acts read before, by their text after the first comma, then by player.

To find both halves of each act, and their events, takes three times as long (docs/design/measured.md).
"""


def _plain_turn(text: str) -> tuple[tuple[Event, ...], ...] | None:
    """Return the events, by player, of the act with *text* after the first comma, if it is a plain one; keep them."""
    if len(text) != _PLAIN - len("(e,)"):
        return None
    opening, _, closing = text.partition(",")
    drawn = ANY_COPY.get(opening)
    tile = drawn if closing in _SAID else ANY_COPY.get(closing)
    if drawn is None or tile is None:
        return None
    # A named tile may be the one drawn if it has the same face, or if that is unknown.
    tsumogiri = _SAID.get(closing, None if drawn in (tile, UNKNOWN) else False)
    turn = tuple([(DRAWS[player][drawn], DISCARDS[tsumogiri][player][tile]) for player in range(len(SEATS))])
    _TURNS[text] = turn
    return turn


# --- events -----------------------------------------------------------------------------------------------------------

MOST_MELDS: Final = 4

_FACES: Final = tiles.faces()
_LONGEST: Final = 1 << 16
_BEFORE_HAND: Final = f",{HAND}"
_TRIPLE: Final = 3


class ActReader:
    """The acts of a frame being parsed."""

    def __init__(self, script: Script, dialect: Dialect, start: Start, remarks: Remarks) -> None:
        self.builder = FrameBuilder(start)  # the events so far
        # The error of the first impossible act; later acts are parsed but not played.
        self.fault: PlayError | None = None
        self.fault_at = -1  # the position of that act
        self._script = script
        self._dialect = dialect
        self._start = start
        self._players = _PLAYERS[start.dealer]
        self._remarks = remarks
        self._begins = self._act_at = -1  # the positions of the first act, and of the last that is no plain one
        self._kan_of: int | None = None  # the player who draws a replacement tile next
        self._karagiri = False  # whether the next riichi tile is another copy of the drawn one
        self._coming: list[Presence] = []  # to insert between the next draw and its discard
        self._chips = comments.Fields()  # of the next win or draw
        self._riichi_at: list[tuple[int, int]] = []  # the index of each accepted riichi, and the player

    def run(self, position: int) -> int:
        """Parse the acts at *position*; return the position after them."""
        text = self._script.text
        if not text.startswith("(", position):
            return position
        end = text.find("),", position)
        if end < 0:
            end = min(len(text), position + _LONGEST)
        hands = text.find(_BEFORE_HAND, position, end)
        if hands >= 0:
            hands = text.rfind("(", position, hands)
            if hands == position:
                return position
            end = hands - 1
        if end - position > _LONGEST:
            raise self._script.error(position, f"the acts of a frame exceed {_LONGEST:,} characters")
        return self._acts(position, end)

    def _acts(self, position: int, end: int) -> int:
        """Parse the acts from *position* to the closing bracket at *end*; return the position after them.

        Plain ones are added here, unless a comment is due, a replacement tile is to be drawn, or the play has a fault.
        """
        self._begins = position
        builder, events, plain_up_to = self.builder, self.builder.events, self._remarks.due
        players = self._players
        builder.mark(position, _PLAIN, 2)
        *acts, last = self._script.text[position + 1 : end + 1].split(")(")
        acts.append(last[:-1] if last.endswith(")") else f"{last}(")  # malformed if it is not closed
        for act in acts:
            seat, _, text = act.partition(",")
            by_player = _TURNS.get(text) or _plain_turn(text)
            if by_player is not None and seat in players and position < plain_up_to:
                events += by_player[players[seat]]
                position += _PLAIN
            else:
                self._one(position, act)
                plain_up_to = self._remarks.due if self.fault is None and self._kan_of is None else 0
                position += len(act) + len("()")
                builder.mark(position, _PLAIN, 2)
        return position

    def _malformed(self, position: int) -> JmjpError:
        """Return the error in the act at *position*."""
        return self._script.expected(act_alone(self._script, position, self._dialect), "'('")

    def _one(self, position: int, act: str) -> None:
        """Parse the *act* at *position*, of any kind, and append its events."""
        self.builder.mark(position)
        self._act_at = position
        if self._remarks.due <= position:
            self.remark(position)
        draws, discards = _KINDS[self._dialect.all_tiles]
        try:
            seat, opening, closing = act.split(",")
            player = self._players[seat]
            word, named = _half(opening, draws)
            second = _half(closing, discards) if closing else None
        except (LookupError, ValueError):
            raise self._malformed(position) from None
        if second is not None and word in _COMPLETE:
            raise self._malformed(position)
        if self.fault is not None:
            return
        try:
            drawn = self._open(player, word, named)
            if self._coming:
                self.builder.events += self._coming
                self._coming = []
            if second is not None:
                self._close(player, drawn, second[0], second[1])
            self._karagiri = False
        except PlayError as error:
            self.fault, self.fault_at = error, position

    def remark(self, position: int) -> None:
        """Apply the comments up to *position*."""
        self._remarks.apply(position, self._take_remark)

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

    def _open(self, player: int, word: str, named: tuple[int, ...]) -> int | None:
        """Append the events of the first half of an act; return the tile drawn, ``None`` after a call."""
        builder = self.builder
        if word in (_TILE, REPLACEMENT):
            kan_of, self._kan_of = self._kan_of, None
            if word == REPLACEMENT and kan_of != player:
                raise impossible("{player} draws a replacement tile without a kan", player)
            if word == _TILE and kan_of is not None:
                raise impossible("{player} draws from the wall after a kan", player)
            builder.events.append(DRAWS[player][named[0]])
            return named[0]
        if word in _CALLS:
            last = builder.exposed
            if not isinstance(last, Discard):
                raise impossible("{player} calls, but no tile was just discarded", player)
            self._meld(_called(word, player, last.tile, named, last.player))
        elif word in RONS:
            self._ron(player)
        elif self._start.fourteenth is None or player != self._start.dealer or self._act_at != self._begins:
            raise impossible("{player} begins with a fourteenth tile that was not dealt", player)
        else:
            return self._start.fourteenth
        return None

    def _close(self, player: int, drawn: int | None, word: str, named: tuple[int, ...]) -> None:
        """Append the events of the second half of an act; *drawn* is the tile drawn in the first."""
        events = self.builder.events
        if word == _TILE:
            (tile,) = named
            events.append(DISCARDS[None if drawn in (tile, UNKNOWN) else False][player][tile])
        elif word == RIICHI:
            # A riichi tile is always named. One with the drawn face is the drawn tile, unless a comment says karagiri.
            (tile,) = named
            tsumogiri = not self._karagiri if tile == drawn else None if drawn == UNKNOWN else False
            self._riichi_at.append((len(events) + 2, player))
            events += DECLARED[player], DISCARDS[tsumogiri][player][tile], ACCEPTED[player]
        elif word == ANKAN:
            kan = Ankan(player, tuple(sorted(named)) if self._dialect.all_tiles else (plain(named[0]),) * 4)
            check_shape(kan)
            self._meld(kan)
        elif word == KAKAN:
            pon = extended_pon(self.builder.melds[player], named)
            if pon is None:
                raise impossible("{player} has no pon to add {tile} to", player, tile=_FACES[named[0]])
            self.builder.meld(Kakan(player, named[0], pon))
            self._kan_of = player
        elif drawn is None:
            if word == TSUMO:
                raise impossible("{player} wins by tsumo without having drawn", player)
            raise impossible("{player} discards the drawn tile without having drawn", player)
        elif word == TSUMO:
            self._win(Win(player, None, drawn))
        else:
            events.append(DISCARDS[_SAID[word]][player][drawn])

    def _meld(self, meld: Meld) -> None:
        if len(self.builder.melds[meld.player]) == MOST_MELDS:
            raise impossible("{player} already has {most} melds", meld.player, most=MOST_MELDS)
        self.builder.meld(meld)
        if isinstance(meld, Ankan | Daiminkan):
            self._kan_of = meld.player

    def _ron(self, player: int) -> None:
        last = self.builder.exposed
        if last is None:
            raise impossible("{player} wins by ron, but no tile was just discarded", player)
        if any(win.player == player for _, win in _wins(self.builder.events)):
            raise impossible("{player} wins twice", player)
        if last.player == player:
            raise impossible("{player} wins by ron on their own tile", player)
        self._kan_of = None
        self._win(Win(player, last.player, self.builder.winning_tile))

    def _win(self, win: Win) -> None:
        chips, self._chips = self._chips, {}
        self.builder.win(replace(win, **chips) if chips else win)

    # --- the end -----------------------------------------------------------------------------------------------------

    def ended(self, end: End) -> list[Event]:
        """Return the events, with the one that ends the frame.

        A frame without a win and without points at its *end* is unfinished. With points but no win it is a draw, whose
        kind only the frame's text may tell (:mod:`~jmjp_convert.play.outcome_text`). Three rons that change no points
        are a draw, too. The payments are the changes in points; where several win, only their sum is known.
        """
        builder, events = self.builder, self.builder.events
        kan_of = self._kan_of
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
            builder.draw_game(Ryuukyoku(None, changes=changes, chips=self._chips.get("chips")))
        elif not wins and self.fault is None:
            builder.break_off()
        return events


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


def _called(word: str, player: int, taken: int, named: tuple[int, ...], source: int) -> Call:
    """Return the meld of a call, with the *named* tiles from the hand, or plain ones if none are named."""
    kind, count = _CALLS[word]
    meld = kind(player, taken, tuple(sorted(named)) or (plain(taken),) * count, source)
    check_shape(meld)
    return meld
