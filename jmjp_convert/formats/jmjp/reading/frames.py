"""A frame: how it starts, its acts, how it ends."""

from __future__ import annotations

import re

from jmjp_convert.errors import EndError, PaymentError, PlayError, StartError
from jmjp_convert.formats.jmjp import dialects
from jmjp_convert.formats.jmjp.dialects import ROUNDS, SEATS, Dialect
from jmjp_convert.formats.jmjp.reading.acts_to_events import Flow
from jmjp_convert.formats.jmjp.reading.comments import Remarks
from jmjp_convert.formats.jmjp.reading.endings import ended
from jmjp_convert.formats.jmjp.reading.hands import MeldReader, dealt, four_hands
from jmjp_convert.formats.jmjp.reading.lexer import Script
from jmjp_convert.formats.jmjp.reading.primitives import (
    four_points,
    frame_id,
    mark,
    optional,
    points,
    some_tiles,
    text,
    tiles_of,
    usual_points,
)
from jmjp_convert.formats.jmjp.reading.red_fives import complete
from jmjp_convert.model import DORA, End, Frame, Hand, Start, Text
from jmjp_convert.play.points import STICK

_DICE = re.compile("([1-6])-([1-6])")
_TOTAL = re.compile("1[0-2]|[2-9]")
_START = -1  # as in PlayError

_USUAL_HEAD = re.compile(
    r"frm\[([ESWN][1-4])-([0-9]{1,4}),([^,\[\]]*),([^,\[\]]*),pfs\[([^\]]*)\],([^,]*),",
)
_USUAL_STICKS = {dialects.points(STICK * count): count for count in range(10)}
_USUAL_DICE = {f"{first}-{second}": (first, second) for first in range(1, 7) for second in range(1, 7)}
_USUAL_TAIL = re.compile(r',pfe\[([^\]]*)\],snt\[(")\]srm\[(")\]\]')

_Head = tuple[int, int, int | None, tuple[int, int] | int | None, tuple[int, ...] | None, tuple[int, ...] | None]
"""Round, honba, sticks, dice, points by seat, dora."""


class FrameReader:
    """A frame being read, and where its parts stand.

    :param place: where it begins.
    :param found: the comments of the script.
    :param chips: by player, if a comment above the frame tells.
    :ivar name: as soon as it is known.
    :ivar after: what stands after it.
    :ivar fault: the first act that cannot be.
    """

    def __init__(
        self, script: Script, dialect: Dialect, found: Remarks, place: int, chips: tuple[int, ...] | None
    ) -> None:
        self.name: str | None = None
        self.after = place
        self._begins = self._sticks = self._points = self._dealt = self._lying = self._ends = place
        self._dealer = 0
        self._script = script
        self._dialect = dialect
        self._remarks = found
        self._chips = chips
        self._flow: Flow | None = None
        self.fault: PlayError | None = None

    def read(self) -> Frame:
        """Take the frame."""
        script = self._script
        place, usual = self._usual_head() or self._head()
        round_, honba, sticks, dice, by_seat, dora = usual
        before = _by_player(by_seat, round_)
        self._dealer = round_ % 4
        hands: tuple[tuple[int, ...], ...] = ()
        fourteenth: int | None = None
        if not script.text.startswith(",", place):
            self._dealt = place
            place, hands, drawn = dealt(script, place, round_ % 4)
            fourteenth = drawn[round_ % 4]
            for player, tile in enumerate(drawn):
                if tile is not None and player != round_ % 4:
                    reason = f"player {player} is dealt fourteen tiles, but player {round_ % 4} is the dealer"
                    self.fault = PlayError(reason, _START - 1 - player)
        start = Start(round_, honba, sticks, round_ % 4, dice, before, hands, None, None, self._chips, fourteenth)
        lying: tuple[Hand, ...] = ()
        if hands:
            place, lying = self._play(place, start)
        self._ends = place
        place, by_seat, comment = self._usual_tail(place) or self._tail(place)
        self.after = place
        end = End(lying, _by_player(by_seat, round_))
        events = ended(self._flow, start, end) if self._flow else ()
        self.fault = self.fault or (self._flow.fault if self._flow else None)
        return Frame(start, tuple(events), end, dora, comment)

    def _head(self) -> tuple[int, _Head]:
        """Take what stands before the hands."""
        script = self._script
        named = mark(script, self._begins, "frm[")
        place, (round_, honba) = frame_id(script, named)
        self.name = script.text[named:place]
        self._sticks = mark(script, place, ",")
        place, sticks = optional(script, self._sticks, ",", _sticks)
        place, dice = optional(script, place, ",", _total_or_dice if self._dialect.dice_total else _dice)
        self._points = place
        place, by_seat = optional(script, place, ",", _points_at_start)
        place, dora = optional(script, place, ",", _dora)
        return place, (round_, honba, sticks, dice, by_seat, dora)

    def _usual_head(self) -> tuple[int, _Head] | None:
        """Take what stands before the hands if it is as it is in nearly all frames."""
        found = _USUAL_HEAD.match(self._script.text, self._begins)
        if found is None:
            return None
        round_, honba, sticks, dice, pfs, dora = found.groups()
        try:
            head = (
                ROUNDS[round_],
                int(honba),
                _USUAL_STICKS[sticks],
                _USUAL_DICE[dice],
                usual_points(pfs),
                tuple(tiles_of(dora)),
            )
        except (KeyError, ValueError, TypeError):
            return None
        self.name = f"{round_}-{honba}"
        self._sticks, self._points = found.start(3), found.start(5) - len("pfs[")
        return (found.end(), head) if len(dora) == 2 * DORA else None

    def _tail(self, place: int) -> tuple[int, tuple[int, ...] | None, Text]:
        """Take what stands after the hands."""
        script = self._script
        place, by_seat = optional(script, mark(script, place, ","), ",", _points_at_end)
        place, comment = text(script, place)
        return mark(script, place, "]"), by_seat, comment

    def _usual_tail(self, place: int) -> tuple[int, tuple[int, ...], Text] | None:
        """Take what stands after the hands if it is as it is in nearly all frames."""
        found = _USUAL_TAIL.match(self._script.text, place)
        if found is None:
            return None
        try:
            by_seat = usual_points(found[1])
        except (KeyError, ValueError):
            return None
        strings = self._script.strings
        return found.end(), by_seat, Text(strings[found.start(2)], strings[found.start(3)])

    def place_of(self, error: PlayError) -> int:
        """Return where *error*, which was found when the frame was judged, stands."""
        flow = self._flow
        if flow is not None and error is flow.fault:
            return flow.fault_at
        if isinstance(error, StartError):
            return self._sticks if error.sticks else self._points
        if isinstance(error, EndError) and error.player is not None:
            return self._hand_of(error.player, self._lying)
        if isinstance(error, EndError | PaymentError):
            return self._ends + len(",")
        if error.index < _START:
            return self._hand_of(_START - error.index - 1, self._dealt)
        return self._begins if flow is None or error.index == _START else flow.place_of(error.index)

    def _hand_of(self, player: int, place: int) -> int:
        """Return where the hand of *player* stands, of the four at *place*."""
        text = self._script.text
        while (SEATS.index(text[place + 1]) + self._dealer) % 4 != player:
            place = text.index(")", place) + 1
        return place

    def _play(self, place: int, start: Start) -> tuple[int, tuple[Hand, ...]]:
        """Take the acts, and the hands as they lie at the end."""
        script = self._script
        self._flow = flow = Flow(script, self._dialect, start, self._remarks)
        place = flow.run(place)
        flow.remark(place)
        self._lying = place
        place, lying = four_hands(script, place, start.dealer, MeldReader(self._dialect, flow.melds))
        if not self._dialect.all_tiles and flow.fault is None:
            flow.events, lying = complete(start, flow.events, lying)
        return place, lying


def _sticks(script: Script, place: int) -> tuple[int, int]:
    end, value = points(script, place)
    if value < 0 or value % STICK:
        raise script.expected(place, "whole riichi sticks, 1.0 each")
    return end, value // STICK


def _dice(script: Script, place: int) -> tuple[int, tuple[int, int]]:
    found = _DICE.match(script.text, place)
    if found is None:
        raise script.expected(place, "two dice such as 3-4")
    return found.end(), (int(found[1]), int(found[2]))


def _total_or_dice(script: Script, place: int) -> tuple[int, tuple[int, int] | int]:
    total = _TOTAL.match(script.text, place)
    if total is None or script.text.startswith("-", total.end()):
        return _dice(script, place)
    return total.end(), int(total[0])


def _points_at_start(script: Script, place: int) -> tuple[int, tuple[int, ...]]:
    return four_points(script, mark(script, place, "pfs["))


def _points_at_end(script: Script, place: int) -> tuple[int, tuple[int, ...]]:
    return four_points(script, mark(script, place, "pfe["))


def _dora(script: Script, place: int) -> tuple[int, tuple[int, ...]]:
    return some_tiles(script, place, DORA, "")


def _by_player(by_seat: tuple[int, ...] | None, round_: int) -> tuple[int, ...] | None:
    """Return values by seat, East first, by player."""
    if by_seat is None:
        return None
    first = -round_ % 4
    return by_seat[first:] + by_seat[:first]
