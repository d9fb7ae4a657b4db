"""Parse a frame: head, hands, acts, end."""

from __future__ import annotations

from jmjp_convert.errors import EndError, PaymentError, PlayError, StartError, impossible
from jmjp_convert.formats.jmjp.dialects import SEATS, Dialect
from jmjp_convert.formats.jmjp.reading import slips
from jmjp_convert.formats.jmjp.reading.acts import Flow, ended
from jmjp_convert.formats.jmjp.reading.comments import Remarks
from jmjp_convert.formats.jmjp.reading.grammar import FOUR_POINTS, TEXT, Part, Row, optional, tiles, value, word
from jmjp_convert.formats.jmjp.reading.hands import MeldReader, complete, dealt, four_hands
from jmjp_convert.formats.jmjp.reading.lexer import Script, frame_id, from_thousands, points, points_of, tiles_of
from jmjp_convert.messages import Who
from jmjp_convert.model import DORA, End, Frame, Hand, Start, Text
from jmjp_convert.play.points import STICK

_START = -1  # as in PlayError


def _after_sticks(script: Script, place: int) -> int:
    end, value = points(script, place)
    if value < 0 or value % STICK:
        raise script.expected(place, "a whole number of riichi sticks (1.0 each)")
    return end


def _head(dice: str) -> Row:
    """Return the parts between a frame's ID and its hands; *dice* is the pattern of the dice field."""
    return Row(
        word(","),
        optional(",", Part(r"([0-9]{1,9}\.0|-0{1,9}\.0)", _after_sticks)),
        optional(",", value(dice, "two dice such as 3-4", slips.DICE), usual=slips.SECOND_DIE),
        optional(",", word("pfs[", slips.SECOND_DIE), FOUR_POINTS),
        optional(",", tiles(DORA, slips.TEN_DORA)),
    )


_TWO_DICE = "[1-6]-[1-6]"
_HEADS = {False: _head(_TWO_DICE), True: _head(rf"{_TWO_DICE}|(?:1[0-2]|[2-9])(?!-)")}
"""By whether the dialect allows a dice total."""

TAIL = Row(word(","), optional(",", word("pfe["), FOUR_POINTS), TEXT, word("]"))
"""The fields after the hands of a frame."""

_TOTALS = {str(total): total for total in range(2, 13)}
_DICE = _TOTALS | {f"{first}-{second}": (first, second) for first in range(1, 7) for second in range(1, 7)}

_Head = tuple[int | None, tuple[int, int] | int | None, tuple[int, ...] | None, tuple[int, ...] | None]
"""Riichi sticks, dice, points by seat, dora."""


class FrameReader:
    """A frame being parsed, and the places of its parts.

    :param place: where it begins.
    :param found: the comments of the script.
    :param chips: by player, if a comment above the frame gives them.
    :ivar name: the frame's name, once it has been parsed.
    :ivar after: the place after the frame.
    :ivar fault: the error of the first impossible act.
    :ivar possible: whether nothing impossible has been found in the frame.
    """

    def __init__(
        self, script: Script, dialect: Dialect, found: Remarks, place: int, chips: tuple[int, ...] | None
    ) -> None:
        self.name: str | None = None
        self.possible = True
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
        """Parse the frame."""
        script = self._script
        named = self._begins + len("frm[")
        place, (round_, honba) = frame_id(script, named)
        self.name = script.text[named:place]
        place, (sticks, dice, by_seat, dora) = self._head(place)
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
                    said = "{player} is dealt fourteen tiles, but {dealer} is the dealer"
                    self.fault = impossible(said, player, dealer=Who(round_ % 4))
                    self.fault.index = _START - 1 - player
        start = Start(round_, honba, sticks, round_ % 4, dice, before, hands, None, None, self._chips, fourteenth)
        lying: tuple[Hand, ...] = ()
        if hands:
            place, lying = self._play(place, start)
        self._ends = place
        place, by_seat, comment = self._tail(place)
        self.after = place
        end = End(lying, _by_player(by_seat, round_))
        events = ended(self._flow, start, end) if self._flow else ()
        self.fault = self.fault or (self._flow.fault if self._flow else None)
        return Frame(start, tuple(events), end, dora, comment)

    def _head(self, place: int) -> tuple[int, _Head]:
        """Parse the fields between the ID and the hands."""
        script, parts = self._script, _HEADS[self._dialect.dice_total]
        found = parts.match(script.text, place)
        if found is None:
            raise parts.error(script, place)
        sticks, dice, by_seat, dora = found.groups()
        try:
            turned = None if dora is None else tuple(tiles_of([dora])[0])
        except ValueError:
            raise parts.error(script, place) from None
        self._sticks, self._points = found.start(1), found.start(3) - len("pfs[")  # meaningless if the fields are empty
        return found.end(), (
            None if sticks is None else from_thousands(sticks) // STICK,
            None if dice is None else _DICE[dice],
            None if by_seat is None else points_of(by_seat),
            turned,
        )

    def _tail(self, place: int) -> tuple[int, tuple[int, ...] | None, Text]:
        """Parse the fields after the hands."""
        script = self._script
        found, strings = TAIL.match(script.text, place), script.strings
        if found is None:
            raise TAIL.error(script, place)
        by_seat = None if found[1] is None else points_of(found[1])
        return found.end(), by_seat, Text(strings.get(found.start(2)), strings.get(found.start(3)))

    def place_of(self, error: PlayError) -> int:
        """Return the place of *error*, which was found when the frame was judged."""
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
        """Return the place of *player*'s hand among the four at *place*."""
        text = self._script.text
        while (SEATS.index(text[place + 1]) + self._dealer) % 4 != player:
            place = text.index(")", place) + 1
        return place

    def _play(self, place: int, start: Start) -> tuple[int, tuple[Hand, ...]]:
        """Parse the acts and the hands at the end."""
        script = self._script
        self._flow = flow = Flow(script, self._dialect, start, self._remarks)
        place = flow.run(place)
        flow.remark(place)
        self._lying = place
        place, lying = four_hands(script, place, start.dealer, MeldReader(self._dialect, flow.melds))
        if not self._dialect.all_tiles and flow.fault is None:
            flow.events, lying = complete(start, flow.events, lying)
        return place, lying


def _by_player(by_seat: tuple[int, ...] | None, round_: int) -> tuple[int, ...] | None:
    """Reorder values by seat, East first, to values by player."""
    if by_seat is None:
        return None
    first = -round_ % 4
    return by_seat[first:] + by_seat[:first]
