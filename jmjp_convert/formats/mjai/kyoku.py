"""Converts the lines of a frame to events.

mjai does not say everything (source: ``docs/design/formats.md`` 2): ``reach_accepted`` may be missing, and a drawn
tile that is hidden is known once it is discarded.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import ClassVar

from jmjp_convert.errors import PlayError
from jmjp_convert.formats.assembly import Lying
from jmjp_convert.formats.mjai.endings import EndingLine, hora, ryukyoku
from jmjp_convert.formats.mjai.finish import lying, shown
from jmjp_convert.formats.mjai.lines import Line
from jmjp_convert.messages import Terms
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
    Event,
    Kakan,
    Kita,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Start,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN, any_copy, kind, label
from jmjp_convert.play.melds import Shaped, check_shape

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
        return shown(draw, self.endings[-1]) if isinstance(draw, Ryuukyoku) and self.endings else None

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
