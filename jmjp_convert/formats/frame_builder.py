"""Builds the events of a frame from tiles by face, for formats that leave out what follows from the rest.

What is pending follows from the last few events, so that a reader may append draws and discards to
:attr:`FrameBuilder.events` itself, where that is faster.

- A riichi is accepted with its tile. That is taken back if the tile is ronned, also by three players, and if the frame
  breaks off there.
- A tile drawn face down is known once it is discarded as the tile drawn, or won on.
- Programs differ in the order of a kakan's tiles. Its pon is the one that was called.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from sys import maxsize
from typing import TYPE_CHECKING, Final, TypeVar

from jmjp_convert.errors import PlayError
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    SEATS,
    Ankan,
    Discard,
    DoraRevealed,
    Draw,
    DrawKind,
    Event,
    Kakan,
    Meld,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Start,
    Win,
    in_riichi,
)
from jmjp_convert.model.events import ACCEPTED, DECLARED, PRESENCES, REPLACED
from jmjp_convert.model.tiles import UNKNOWN, kind, label
from jmjp_convert.play.melds import Shaped, check_shape, tiles_of
from jmjp_convert.play.position import Exposed

if TYPE_CHECKING:
    from jmjp_convert.formats.json_values import At  # most conversions need no JSON

S = TypeVar("S", bound=Shaped)

_SILENT: Final = PRESENCES | {DoraRevealed}
_BEFORE_DISCARD: Final = _SILENT | {RiichiDeclared, RiichiAccepted}
_BEFORE_WIN: Final = _SILENT | {RiichiAccepted, Win}


class NotDrawnError(Exception):
    """A discard is said to be the tile drawn, but is not.

    :ivar drawn: the tile drawn; ``None`` if there is none.
    :ivar shown: that tile, for a message.
    """

    def __init__(self, drawn: int | None) -> None:
        super().__init__(drawn)
        self.drawn = drawn
        self.shown = "no tile" if drawn is None else label(drawn)


class FrameBuilder:
    """A frame being built.

    :param start: its start.
    """

    __slots__ = ("_confirmed", "_marks", "come", "events", "melds", "revealed", "shown", "start")

    def __init__(self, start: Start) -> None:
        self.start = start
        self.events: list[Event] = []  # its events so far
        # By player, their melds, oldest first: a kakan in the place of its pon, unless it is robbed.
        self.melds: tuple[list[Meld], ...] = tuple([[] for _ in range(SEATS)])
        self.revealed: dict[int, tuple[int, ...]] = {}  # by player, the hand revealed at its end, with the fourteenth
        # By player, whether the hand is shown at the draw that ends the frame, if that is recorded but the hands follow
        # from the play.
        self.shown: Sequence[bool] | None = None
        self.come: Iterable[int] | None = None  # the tiles drawn and turned in the events, if the reader has noted them
        self._confirmed = -1  # the index of the riichi that nothing takes back
        self._marks: list[tuple[int, int, int, int]] = []  # the number of events before, and the arguments of mark()

    # --- what is pending ---------------------------------------------------------------------------------------------

    @property
    def drawn(self) -> int | None:
        """The tile just drawn and not yet discarded; ``None`` if there is none."""
        last = _last(self.events, _BEFORE_DISCARD)
        if last is None:
            return self.start.fourteenth
        return last.tile if isinstance(last, Draw) else None

    @property
    def exposed(self) -> Exposed | None:
        """The event with a tile that can be ronned; a discard can be called too."""
        last = _last(self.events, _BEFORE_WIN)
        return last if isinstance(last, Exposed) else None

    @property
    def winning_tile(self) -> int:
        """The tile that a win is on: drawn or exposed; unknown if there is none."""
        drawn, exposed = self.drawn, self.exposed
        if drawn is not None:
            return drawn
        if exposed is None:
            return UNKNOWN
        return exposed.tiles[-1] if isinstance(exposed, Ankan) else exposed.tile

    @property
    def replacement(self) -> int | None:
        """The player who draws a replacement tile next; ``None`` if nobody does."""
        last = _last(self.events, _SILENT)
        return last.player if type(last) in REPLACED else None  # type: ignore[union-attr]

    @property
    def riichi(self) -> list[int]:
        """The players in riichi, in the order in which they paid for it."""
        return in_riichi(self.events)

    @property
    def pending_riichi(self) -> int | None:
        """The player with a riichi that the next step may take back; ``None`` if there is none."""
        index = unconfirmed_riichi(self.events)
        return None if index in (None, self._confirmed) else self.events[index].player  # type: ignore[union-attr]

    def must_be_drawn(self, player: int, tile: int) -> bool:
        """Return whether *tile* can only be the tile just drawn if *player* discards it: in riichi, one of its face."""
        return tile == self.drawn and player in self.riichi

    # --- draws and discards ------------------------------------------------------------------------------------------

    def draw(self, player: int, tile: int) -> None:
        """Have *player* draw *tile*."""
        self.events.append(DRAWS[player][tile])

    def declare_riichi(self, player: int, *, is_open: bool = False) -> None:
        """Have *player* declare riichi, possibly an open one; the next discard is the riichi tile."""
        self.events.append(RiichiDeclared(player, open=True) if is_open else DECLARED[player])

    def discard(self, player: int, tile: int, tsumogiri: bool | None = None) -> None:
        """Have *player* discard *tile*.

        :param tile: an unknown one that is tsumogiri is the tile drawn.
        :param tsumogiri: whether it is the tile just drawn; ``None`` if that is not recorded.
        :raises NotDrawnError: it is said to be that tile, but cannot be.
        """
        last = _last(self.events, _SILENT)
        drawn = last.tile if type(last) is Draw else self.drawn
        if tsumogiri:
            if drawn == UNKNOWN:
                self.identify(tile)
            elif tile == UNKNOWN and drawn is not None:
                tile = drawn
            elif tile != drawn:
                raise NotDrawnError(drawn)
        elif tsumogiri is None and drawn not in (tile, UNKNOWN):
            tsumogiri = False
        self.events.append(DISCARDS[tsumogiri][player][tile])
        if type(last) is RiichiDeclared:
            self.events.append(ACCEPTED[last.player])

    def identify(self, tile: int) -> None:
        """Identify the tile last drawn, which is unknown, as *tile*."""
        events = self.events
        for index in range(len(events) - 1, -1, -1):
            event = events[index]
            if type(event) is Draw:
                events[index] = DRAWS[event.player][tile]
                return

    def accept_riichi(self, player: int, points: tuple[int, ...] | None = None) -> bool:
        """Take the riichi of *player*, just declared, as accepted whatever follows: the record says so.

        :param points: the points by player after it, if recorded.
        :returns: False if no such riichi was just declared; then nothing changes.
        """
        index = unconfirmed_riichi(self.events)
        if index is None or self.events[index].player != player:  # type: ignore[union-attr]
            return False
        self._confirmed = index
        if points is not None:
            self.events[index] = RiichiAccepted(player, points)
        return True

    def take_back_riichi(self) -> None:
        """Take back a riichi just after its tile was discarded."""
        index = unconfirmed_riichi(self.events)
        if index is not None and index != self._confirmed:
            del self.events[index]
            self._marks = [(count - (count > index), *position) for count, *position in self._marks]  # type: ignore[misc]

    # --- dora and melds ----------------------------------------------------------------------------------------------

    def dora(self, indicator: int, *, before_step: bool = False) -> None:
        """Turn a dora *indicator*.

        :param before_step: it was turned before the last draw or discard; its position is the one marked last.
        """
        index = len(self.events)
        if before_step:
            index = next(
                earlier for earlier in range(index - 1, -1, -1) if type(self.events[earlier]) in (Draw, Discard)
            )
            # The step keeps its position, which may follow from the stride of a mark before it.
            here, step = self._marks[-1][1], self.position_of(index)
            before = [mark for mark in self._marks if mark[0] <= index]
            self._marks = [*before, (index, here, 0, 1), (index + 1, step, 0, 1)]
        self.events.insert(index, DoraRevealed(indicator))

    def meld(self, meld: Meld) -> None:
        """Add a call, a kan or a kita, unchecked. The pon of a kakan is one of the :attr:`melds`, or the play is
        impossible."""
        melds = self.melds[meld.player]
        if isinstance(meld, Kakan) and meld.pon in melds:
            melds[melds.index(meld.pon)] = meld
        else:
            melds.append(meld)
        self.events.append(meld)

    # --- endings -----------------------------------------------------------------------------------------------------

    def win(self, win: Win) -> None:
        """Add a win. A tsumo shows the tile drawn; a ron takes back the riichi of its tile, and makes a robbed kakan a
        pon again."""
        if win.source is None:
            if self.drawn == UNKNOWN:
                self.identify(win.tile)
        else:
            self.take_back_riichi()
            robbed = self.exposed
            if isinstance(robbed, Kakan):
                melds = self.melds[robbed.player]
                melds[:] = [robbed.pon if meld is robbed else meld for meld in melds]
        self.events.append(win)

    def draw_game(self, draw: Ryuukyoku) -> None:
        """End the frame without a winner; a triple ron takes back the riichi of its tile."""
        if draw.kind is DrawKind.TRIPLE_RON:
            self.take_back_riichi()
        self.events.append(draw)

    def break_off(self) -> None:
        """End the frame. If it has no ending, nothing shows that the riichi of the last tile was accepted."""
        self.take_back_riichi()

    # --- positions ---------------------------------------------------------------------------------------------------

    def mark(self, position: int, stride: int = 0, group: int = 1) -> None:
        """Say that the next events are at *position* of the text.

        :param stride: how much further each *group* of them is than the one before, until the next mark.
        """
        self._marks.append((len(self.events), position, stride, group))

    def position_of(self, index: int) -> int:
        """Return the position of the event *index*, as :meth:`mark` said."""
        count, position, stride, group = self._marks[max(bisect_right(self._marks, (index, maxsize)) - 1, 0)]
        return position + (index - count) // group * stride


def _last(events: Sequence[Event], passed: frozenset[type]) -> Event | None:
    """Return the last of *events* of a type that is not in *passed*, or ``None``."""
    for event in reversed(events):
        if type(event) not in passed:
            return event
    return None


def unconfirmed_riichi(events: Sequence[Event]) -> int | None:
    """Return the index of an accepted riichi at the end of *events* that no later step confirms; ``None`` if there is
    none."""
    for index in range(len(events) - 1, -1, -1):
        if type(events[index]) not in _SILENT:
            return index if type(events[index]) is RiichiAccepted else None
    return None


def shaped(meld: S, word: At) -> S:
    """Return *meld*, which was read from *word*.

    :raises WrongValue: its tiles do not make such a meld.
    """
    try:
        check_shape(meld)
    except PlayError as error:
        raise word.wrong(error.reason) from None
    return meld


def extended_pon(melds: Iterable[Meld], tiles: Iterable[int]) -> Pon | None:
    """Return the pon among *melds* that a kakan extends, ``None`` if there is none.

    :param tiles: tiles of the kakan, one or more; an unknown one may be any.
    """
    kinds = _kinds(tiles)
    fitting = [meld for meld in melds if isinstance(meld, Pon) and len(_kinds(tiles_of(meld)) | kinds) <= 1]
    return max(fitting, key=lambda pon: bool(_kinds(tiles_of(pon))), default=None)


def as_called(kan: Kakan, melds: Iterable[Meld]) -> Kakan:
    """Return *kan* with the pon that was called, and the tile that is not in it; as it is if *melds* have no such pon.

    :param kan: its tiles may be in any order.
    """
    pon = extended_pon(melds, tiles_of(kan))
    if pon is None:
        return kan
    added = list(tiles_of(kan))
    for tile in tiles_of(pon):
        if tile in added:
            added.remove(tile)
    return Kakan(kan.player, added[0] if len(added) == 1 else kan.tile, pon)


def _kinds(tiles: Iterable[int]) -> set[int]:
    return {number for number in map(kind, tiles) if number is not None}
