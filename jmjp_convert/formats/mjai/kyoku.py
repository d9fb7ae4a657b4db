"""Reads a frame of mjai, from its start to its endings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from operator import add, sub
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from jmjp_convert.errors import PlayError
from jmjp_convert.formats.assembly import Lying
from jmjp_convert.formats.bounds import MOST_HAN
from jmjp_convert.formats.json_text import shown
from jmjp_convert.formats.mjai.lines import Line
from jmjp_convert.formats.mjai.notation import Told, draw_kind, score, unknown, winner
from jmjp_convert.messages import Points, Terms
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    SEATS,
    Ankan,
    Call,
    Chi,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    DrawKind,
    Ending,
    Event,
    Frame,
    Kakan,
    Kita,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN, any_copy, kind, label
from jmjp_convert.play.melds import Shaped, check_shape
from jmjp_convert.play.points import STICK, final_points
from jmjp_convert.play.position import DEALT

if TYPE_CHECKING:
    from jmjp_convert.formats.mjai.lines import Line


# --- endings ----------------------------------------------------------------------------------------------------------

Hands = tuple[tuple[int, ...] | None, ...]
_CLOSED = range(15)
_HUNDRED = 100
_NAME_AND_HAN = 2


class EndingLine(NamedTuple):
    """What a line says of an ending that can only be judged after the replay.

    :ivar told: the value of the win.
    :ivar tiles: the winner's closed tiles, with or without the winning tile.
    :ivar tenpai: by player, whether the hand is tenpai.
    :ivar hands: by player, the closed tiles; ``None`` for a hand not shown.
    """

    told: Told | None = None
    tiles: tuple[int, ...] | None = None
    tenpai: tuple[bool, ...] | None = None
    hands: Hands | None = None


def hora(kyoku: Kyoku, line: Line) -> None:
    """Read a win."""
    player = line.player(kyoku.players)
    source = _source(kyoku, line, player)
    tile = _drawn(kyoku, line) if source is None else _taken(kyoku, line)
    ura = line.key("ura_markers", "uradora_markers")
    below = tuple(line.tiles(ura, range(6))) if ura is not None else ()
    pao = line.player(kyoku.players, "pao") if line.key("pao") else None
    changes = _changes(kyoku, line)
    tiles = tuple(line.tiles("hora_tehais", _CLOSED)) if line.key("hora_tehais") else None
    kyoku.endings.append(EndingLine(_told(kyoku, line, player, changes), tiles))
    kyoku.events.append(Win(player, source, tile, pao=pao, ura=below if kyoku.riichi[player] else (), changes=changes))
    kyoku.drawn = None


def _source(kyoku: Kyoku, line: Line, player: int) -> int | None:
    """Return the player who is ronned; ``None`` for a tsumo."""
    if line.key("target") is not None:
        source = line.player(kyoku.players, "target")
        return None if source == player else source
    last = kyoku.last()
    return None if last is None else last.player


def _drawn(kyoku: Kyoku, line: Line) -> int:
    """Return the winning tile of a tsumo."""
    told = line.tile() if line.key("pai") else UNKNOWN
    if kyoku.drawn == UNKNOWN and told != UNKNOWN:
        kyoku.identify(told)
    if kyoku.drawn is not None and told not in (UNKNOWN, kyoku.drawn):
        raise line.error(f"the tile is {label(told)}; {label(kyoku.drawn)} expected from the draw", "pai")
    return told if kyoku.drawn is None else kyoku.drawn


def _taken(kyoku: Kyoku, line: Line) -> int:
    """Return the winning tile of a ron."""
    told, last = line.tile() if line.key("pai") else UNKNOWN, kyoku.last()
    if last is None:
        return told
    tile = last.tiles[-1] if isinstance(last, Ankan) else last.tile
    if told not in (UNKNOWN, tile) and tile != UNKNOWN:
        raise line.error(f"the tile is {label(told)}; {label(tile)} expected from the discard", "pai")
    return tile


def _changes(kyoku: Kyoku, line: Line) -> tuple[int, ...] | None:
    """Return the payments: as recorded, otherwise from the points after them."""
    changes = line.points(kyoku.players, "deltas", "delta")
    after = line.points(kyoku.players, "scores")
    kyoku.after = after
    if after is not None:
        before = _points(kyoku)
        if changes is None and before is not None:
            changes = tuple(map(sub, after, before))
        elif changes is not None and before is not None and (expected := tuple(map(add, before, changes))) != after:
            said = f"the points are {Points(after)}; {Points(expected)} expected from the payments"
            raise line.error(said, "scores")
    return changes


def _points(kyoku: Kyoku) -> tuple[int, ...] | None:
    """Return the points before an ending, if known."""
    points = kyoku.start.points
    for event in kyoku.events:
        if points is not None and isinstance(event, RiichiAccepted):
            points = tuple([have - STICK * (player == event.player) for player, have in enumerate(points)])
        elif points is not None and isinstance(event, Win):
            points = None if event.changes is None else tuple(map(add, points, event.changes))
    return points


def _told(kyoku: Kyoku, line: Line, player: int, changes: tuple[int, ...] | None) -> Told | None:
    """Return the value of a win, as far as it is recorded."""
    fu, fan = line.key("fu"), line.key("fan", "han")
    yaku = _yaku(line)
    points = line.key("hora_points")
    if points is None and fan is None and not yaku:
        return None
    first = not any(isinstance(event, Win) for event in kyoku.events)
    honba = kyoku.start.honba if first else 0
    paid = None if changes is None else changes[player] - sum(changes)  # without the sticks
    if points is not None:
        worth: int | None = line.count(points)
        if line.value[points] % _HUNDRED:
            raise line.expected("points, a multiple of 100 such as 25000", line.value[points], points)
        if honba and worth == paid:  # RiichiEnv's converters count them in
            worth -= _HUNDRED * (kyoku.players - 1) * honba  # type: ignore[operator]
            kyoku.remarks.append("honba in hora_points taken off")
    else:
        worth = None if honba else paid
    if worth is None or worth <= 0:
        if worth is None:
            kyoku.remarks.append("fu, han and yaku without hora_points ignored")
        return None
    said = Told(worth, fu and line.count(fu), fan and line.count(fan), yaku)  # type: ignore[arg-type]
    kyoku.remarks += [f"unknown yaku {shown(word)} ignored" for word in unknown(said)]
    return said


def _yaku(line: Line) -> tuple[tuple[str, int], ...]:
    """Return the words for the yaku, each with its han: pairs, or objects with a name and han."""
    name = line.key("yakus", "yaku")
    found = []
    for place, one in enumerate(line.each("yaku", name) if name else ()):
        pair = _pair(one)
        if pair is None:
            raise line.expected('a yaku and its han such as ["reach",1]', one, name, place)  # type: ignore[arg-type]
        found.append(pair)
    return tuple(found)


def _pair(value: Any) -> tuple[str, int] | None:
    if type(value) is dict:
        value = [value.get("name"), value.get("han", value.get("fan"))]
    if type(value) is not list or len(value) != _NAME_AND_HAN or [type(part) for part in value] != [str, int]:
        return None
    return (value[0], value[1]) if 0 <= value[1] <= MOST_HAN else None


def ryukyoku(kyoku: Kyoku, line: Line) -> None:
    """Read a draw."""
    draw = _kind(kyoku, line)
    if draw not in (None, DrawKind.TRIPLE_RON) or (draw is None and _is_paid(kyoku, line)):
        kyoku.settle()
    changes = _changes(kyoku, line)
    kyoku.endings.append(_shown(kyoku, line))
    kyoku.events.append(Ryuukyoku(draw, changes=changes))
    kyoku.drawn = None


def _is_paid(kyoku: Kyoku, line: Line) -> bool:
    """Return whether the points after a draw show that the riichi on the last tile was paid for: a stick is gone."""
    before, after = _points(kyoku), line.points(kyoku.players, "scores")
    return None not in (before, after) and sum(after) == sum(before) - STICK  # type: ignore[arg-type]


def _kind(kyoku: Kyoku, line: Line) -> DrawKind | None:
    """Return the kind of a draw, if recorded."""
    word = line.text("reason") if line.key("reason") else ""
    kind = draw_kind(word) if word else None
    if word and kind is None:
        kyoku.remarks.append(f"unknown reason for a draw {shown(word)} ignored")
    return kind


def _tenpai(kyoku: Kyoku, line: Line) -> tuple[bool, ...] | None:
    if not line.key("tenpais"):
        return None
    flags = line.each("flags", "tenpais")
    if len(flags) < kyoku.players or any(type(flag) is not bool for flag in flags):
        raise line.error(f"expected true or false for each of {kyoku.players} players", "tenpais")
    return tuple(flags[: kyoku.players])


def _shown(kyoku: Kyoku, line: Line) -> EndingLine:
    """Return the hands shown and who is tenpai. A hand with hidden tiles is not shown.

    jansou writes no tiles: an empty list for a tenpai hand, ``null`` for another.
    """
    tenpai = _tenpai(kyoku, line)
    hands = line.each("hands", "tehais") if line.key("tehais") else []
    if not hands:
        return EndingLine(tenpai=tenpai)
    if len(hands) < kyoku.players:
        raise line.error(f"{len(hands)} hands; {kyoku.players} expected", "tehais")
    hands = hands[: kyoku.players]
    if not any(hands):
        said = tuple([hand is not None for hand in hands])
        return EndingLine(tenpai=tenpai or (said if len({*said}) > 1 else None))
    read = [None if hand is None else line.tiles_at(_CLOSED, "tehais", place) for place, hand in enumerate(hands)]
    return EndingLine(
        tenpai=tenpai, hands=tuple([tuple(sorted(hand)) if hand and UNKNOWN not in hand else None for hand in read])
    )


# --- what only the play can confirm -----------------------------------------------------------------------------------

Tiles = tuple[int, ...]

_MELDS = (Chi, Pon, Daiminkan, Ankan)
_MELD = 3
"""The number of tiles of a hand that a meld stands for."""


def lying(events: Sequence[Event], endings: Sequence[EndingLine]) -> Lying:
    """Return the closed tiles shown at the end of a frame, with the fourteenth, by player.

    :param events: its events.
    :param endings: its endings as recorded, in order.
    """
    found: dict[int, Tiles] = {}
    if all(said.tiles is None and said.hands is None for said in endings):
        return found
    ended = [event for event in events if isinstance(event, Ending)]
    for event, said in zip(ended, endings, strict=True):
        if isinstance(event, Win) and said.tiles is not None:
            melds = sum(isinstance(other, _MELDS) and other.player == event.player for other in events)
            closed = DEALT - _MELD * melds
            if len(said.tiles) == closed:
                found[event.player] = (*said.tiles, event.tile)
            elif len(said.tiles) == closed + 1:  # some show the winning tile too
                found[event.player] = said.tiles
        elif said.hands is not None:
            found |= {player: hand for player, hand in enumerate(said.hands) if hand is not None}
    return found


def flagged(draw: Ryuukyoku, said: EndingLine) -> tuple[bool, ...] | None:
    """Return by player whether the hand is shown at *draw*: those in tenpai, and that with nine terminals; ``None`` if
    not recorded."""
    if said.hands is None:
        return said.tenpai
    seen = tuple([hand is not None for hand in said.hands])
    if said.tenpai is None:
        return seen
    nine = draw.kind is DrawKind.NINE_TERMINALS
    return tuple([tenpai or (nine and hand) for tenpai, hand in zip(said.tenpai, seen, strict=True)])


def finished(frame: Frame, endings: Sequence[EndingLine]) -> Frame:
    """Return *frame*, which has been replayed, with the values of its wins.

    :param endings: its endings as recorded, in order.
    """
    if all(said.told is None for said in endings):
        return frame
    events = list(frame.events)
    places = [place for place, event in enumerate(events) if isinstance(event, Ending)]
    for place, said in zip(places, endings, strict=True):
        event = events[place]
        if isinstance(event, Win):
            events[place] = _win(event, said, frame)
    return replace(frame, events=tuple(events))


def _win(win: Win, said: EndingLine, frame: Frame) -> Win:
    if said.told is None:
        return win
    return replace(win, score=score(said.told, winner(win, frame)))


def final(scores: tuple[int, ...] | None, frames: Sequence[Frame]) -> tuple[int, ...] | None:
    """Return the points at the end of a game, given the *scores* that are said; ``None`` if those only repeat the
    points after the last frame, without the riichi sticks left on the table."""
    if scores is None or not frames or scores == final_points(frames[-1]):
        return scores
    return None if scores == frames[-1].end.points else scores


# --- the frame --------------------------------------------------------------------------------------------------------

# mjai does not say everything (source: ``docs/design/formats.md`` 2): ``reach_accepted`` may be missing, and a drawn
# tile that is hidden is known once it is discarded.

_NORTH = any_copy("nw")
_TAKEABLE = (Discard, Kakan, Ankan, Kita)


class Kyoku:
    """A frame being read.

    :ivar start: its start.
    :ivar events: its events so far.
    :ivar drawn: the tile just drawn and not yet discarded.
    :ivar pending: the player whose riichi is declared but not yet accepted.
    :ivar replacement: whether a replacement tile is to be drawn.
    :ivar riichi: by player, whether the riichi has been accepted.
    :ivar endings: what is known of the endings besides their events, in order.
    :ivar after: the points by player after it, if its endings say.
    :ivar remarks: what is ignored of it, one line each.
    :ivar line: the number of the line of its start.
    :ivar names: the names of the players, if known.
    """

    __slots__ = (
        "after",
        "drawn",
        "endings",
        "events",
        "line",
        "marks",
        "names",
        "pending",
        "players",
        "pons",
        "remarks",
        "replacement",
        "riichi",
        "settled",
        "start",
    )

    def __init__(self, start: Start, line: int, names: Sequence[str]) -> None:
        self.start = start
        self.events: list[Event] = []
        self.players = len(start.hands)
        self.drawn: int | None = None
        self.pending: int | None = None
        self.replacement = False
        self.riichi = [False] * SEATS
        self.endings: list[EndingLine] = []
        self.after: tuple[int, ...] | None = None
        self.remarks: list[str] = []
        self.line = line
        self.names = names
        self.marks: list[tuple[int, int]] = []  # the number of events before a line, and the line
        self.settled: set[int] = set()  # the players whose riichi was accepted although no line says so
        self.pons: tuple[list[Pon], ...] = ([], [], [], [])

    def terms(self) -> Terms:
        """Return the names of the players, for messages; points are points."""
        return Terms(self.names, self.players, self.start.dealer)

    def line_of(self, index: int) -> int:
        """Return the number of the line of the event *index*."""
        place = bisect_right(self.marks, (index, 1 << 62)) - 1
        if place < 0:
            return self.line + 1 + max(index, -1)
        before, line = self.marks[place]
        return line + index - before

    def mark(self, line: int) -> None:
        """Say that the next event is on *line*; between two such marks, each event is on its own line."""
        self.marks.append((len(self.events), line))

    def play(self, line: Line) -> bool:
        """Add the event on *line*; return whether it is one of a frame.

        :raises MjaiError: a value is invalid.
        """
        handler = self.HANDLERS.get(line.type)
        if handler is None:
            return False
        self.mark(line.number)
        handler(self, line)
        self.mark(line.number + 1)
        return True

    def close(self, then: Start | None) -> None:
        """Decide, at the end of the frame, what only its draw shows: an unpaid riichi, or a kan without a replacement
        tile, means that three players ronned the tile.

        :param then: the start of the next frame, whose sticks show whether a riichi before a draw was paid.
        """
        self._correct_first_discard()
        draw = self.events[-1] if self.events else None
        if not isinstance(draw, Ryuukyoku) or draw.kind is not None:
            return
        if self.pending is not None and self._is_paid(self.pending, then):
            self.settle()
        elif self.pending is not None or self.replacement:
            self.events[-1] = replace(draw, kind=DrawKind.TRIPLE_RON)

    def lying(self) -> Lying:
        """Return the hands shown at the end; they may be others than the play's."""
        return lying(self.events, self.endings)

    def shown(self) -> tuple[bool, ...] | None:
        """Return by player whether the hand is shown at the draw, if that is recorded."""
        draw = self.events[-1] if self.events else None
        return flagged(draw, self.endings[-1]) if isinstance(draw, Ryuukyoku) and self.endings else None

    def _correct_first_discard(self) -> None:
        """Take the dealer's first discard as the tile just drawn if it cannot be another copy.

        Mahjong Soul deals the dealer fourteen tiles, and its games say of that discard that it was not drawn.
        """
        drawn: list[int] = []
        for place, event in enumerate(self.events):
            if isinstance(event, Discard):
                others = (*self.start.hands[self.start.dealer], *drawn[:-1])
                is_drawn = event.tsumogiri is False and drawn[-1:] == [event.tile] and event.tile not in others
                if is_drawn and event.player == self.start.dealer:
                    self.events[place] = DISCARDS[True][event.player][event.tile]
                return
            if isinstance(event, Draw):
                drawn.append(event.tile)

    def _is_paid(self, player: int, then: Start | None) -> bool:
        """Return whether the riichi of *player*, on whose tile the frame is drawn, is paid: the fourth one is."""
        if then is not None and then.sticks is not None and self.start.sticks is not None:
            return then.sticks > self.start.sticks + sum(self.riichi)
        return all(self.riichi[other] for other in range(self.players) if other != player)

    # --- draws and discards ------------------------------------------------------------------------------------------

    def draw(self, event: Draw) -> None:
        """Add a draw."""
        if self.pending is not None:
            self.settle()
        self.events.append(event)
        self.drawn, self.replacement = event.tile, False

    def discard(self, player: int, tile: int, tsumogiri: bool | None, line: Line) -> None:  # noqa: FBT001
        """Add a discard.

        :param tsumogiri: whether it is the tile just drawn, if recorded.
        """
        drawn = self.drawn
        if tsumogiri:
            if drawn is None:
                raise line.error(f"{self.terms().player(player)} has not drawn a tile", "tsumogiri")
            if drawn == UNKNOWN:
                self.identify(tile)
            elif tile not in (drawn, UNKNOWN):
                said = f"tsumogiri of {label(tile)}; {label(drawn)} expected from the draw"
                raise line.error(said, "tsumogiri")
            else:
                tile = drawn
        elif tsumogiri is None and (drawn is None or drawn not in (tile, UNKNOWN)):
            tsumogiri = False
        elif tsumogiri is None and self.riichi[player] and tile == drawn:
            tsumogiri = True
        self.events.append(DISCARDS[tsumogiri][player][tile])
        self.drawn = None

    def identify(self, tile: int) -> None:
        """Make *tile* the one last drawn, which was hidden."""
        for place in range(len(self.events) - 1, -1, -1):
            event = self.events[place]
            if isinstance(event, Draw):
                self.events[place] = DRAWS[event.player][tile]
                self.drawn = tile
                return

    def _tsumo(self, line: Line) -> None:
        self.draw(DRAWS[line.player(self.players)][line.tile()])

    def _dahai(self, line: Line) -> None:
        self.discard(line.player(self.players), line.tile(), line.flag("tsumogiri"), line)

    # --- riichi and dora ---------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Accept the riichi just declared, if its tile has been discarded: nobody ronned it."""
        player = self.pending
        place = self._after_discard()
        if player is not None and place is not None:
            self.settled.add(player)
            self._accept(RiichiAccepted(player), place)

    def _accept(self, accepted: RiichiAccepted, place: int) -> None:
        self.events.insert(place, accepted)
        self.riichi[accepted.player] = True
        self.pending = None

    def _after_discard(self) -> int | None:
        """Return the place after the riichi tile; ``None`` if it has not been discarded."""
        for place in range(len(self.events) - 1, -1, -1):
            kind_ = type(self.events[place])
            if kind_ is Discard:
                return place + 1
            if kind_ is RiichiDeclared:
                return None
        return None

    def _reach(self, line: Line) -> None:
        player = line.player(self.players)
        self.settle()
        self.events.append(RiichiDeclared(player))
        self.pending = player

    def _reach_accepted(self, line: Line) -> None:
        player = line.player(self.players)
        accepted = RiichiAccepted(player, line.points(self.players, "scores"))
        place = self._after_discard()
        if self.pending == player and place is not None:
            self._accept(accepted, place)
        elif player in self.settled:  # some write it later
            self.settled.discard(player)
        else:
            self.events.append(accepted)  # impossible, as the replay says

    def _dora(self, line: Line) -> None:
        self.events.append(DoraRevealed(line.tile("dora_marker")))

    # --- calls and kans ----------------------------------------------------------------------------------------------

    def last(self) -> Discard | Kakan | Ankan | Kita | None:
        """Return the event whose tile can be called or ronned."""
        if self.drawn is not None:
            return None
        found = (event for event in reversed(self.events) if isinstance(event, _TAKEABLE))
        return next(found, None)

    def _add_meld(self, meld: Shaped | Kita, line: Line) -> None:
        if not isinstance(meld, Kita):
            try:
                check_shape(meld)
            except PlayError as error:
                raise line.error(error.reason, "consumed") from None
        self.events.append(meld)
        self.drawn = None

    def _called(self, line: Line, make: type[Call], count: int) -> None:
        player = line.player(self.players)
        self.settle()
        taken = line.tile()
        source = self._target(line, player)
        meld = make(player, taken, tuple(sorted(line.tiles("consumed", (count,)))), source)
        self._add_meld(meld, line)
        if isinstance(meld, Pon):
            self.pons[player].append(meld)
        self.replacement = make is Daiminkan

    def _target(self, line: Line, player: int) -> int:
        """Return the player whose tile *player* calls."""
        last = self.last()
        if last is not None and line.key("target") is None:
            return last.player
        target = line.player(self.players, "target")
        if self.players < SEATS and last is not None and target not in (player, last.player):
            # jansou counts around four seats
            self.remarks.append(f"target of a {line.type} ignored: another of the three players discarded the tile")
            return last.player
        return target

    def _chi(self, line: Line) -> None:
        self._called(line, Chi, 2)

    def _pon(self, line: Line) -> None:
        self._called(line, Pon, 2)

    def _daiminkan(self, line: Line) -> None:
        self._called(line, Daiminkan, 3)

    def _ankan(self, line: Line) -> None:
        self._add_meld(Ankan(line.player(self.players), tuple(sorted(line.tiles("consumed", (4,))))), line)
        self.replacement = True

    def _kakan(self, line: Line) -> None:
        player, tile = line.player(self.players), line.tile()
        consumed = line.tiles("consumed", (3,)) if line.key("consumed") else [tile]
        self._add_meld(Kakan(player, tile, self._pon_of(player, tile, consumed, line)), line)
        self.replacement = True

    def _pon_of(self, player: int, tile: int, consumed: list[int], line: Line) -> Pon:
        """Return the pon to which *player* adds *tile*: of the tiles *consumed*, otherwise of their kind."""
        pons = self.pons[player]
        exact = [pon for pon in pons if sorted((pon.taken, *pon.hand)) == sorted(consumed)]
        alike = [pon for pon in pons if {kind(other) for other in consumed} == {kind(pon.taken)}]
        alike += [pon for pon in pons if None in (kind(pon.taken), kind(tile))]
        if not exact + alike:
            raise line.error(f"{self.terms().player(player)} has no pon to add the tile to", "pai")
        found = (exact + alike)[0]
        pons.remove(found)
        return found

    def _kita(self, line: Line) -> None:
        tile = line.tile() if line.key("pai") else _NORTH
        self._add_meld(Kita(line.player(self.players), tile), line)
        self.replacement = True

    HANDLERS: ClassVar[dict[str, Callable[[Kyoku, Line], None]]] = {
        "tsumo": _tsumo,
        "dahai": _dahai,
        "chi": _chi,
        "pon": _pon,
        "daiminkan": _daiminkan,
        "kan": _daiminkan,
        "kakan": _kakan,
        "ankan": _ankan,
        "nukidora": _kita,
        "kita": _kita,
        "reach": _reach,
        "reach_accepted": _reach_accepted,
        "dora": _dora,
        "hora": hora,
        "ryukyoku": ryukyoku,
    }
    """The reader of each event of a frame, by type."""
