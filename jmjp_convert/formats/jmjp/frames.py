"""Parses a frame: its head, the hands dealt, the acts, the hands at the end, its end."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from jmjp_convert.errors import EndError, JmjpError, PaymentError, PlayError, StartError, impossible
from jmjp_convert.formats.jmjp import slips
from jmjp_convert.formats.jmjp.acts import MOST_MELDS, ActReader
from jmjp_convert.formats.jmjp.comments import Remarks, note_text
from jmjp_convert.formats.jmjp.grammar import (
    FOUR_POINTS,
    TEXT,
    Part,
    Row,
    frame_id,
    mark,
    optional_parts,
    points,
    seat,
    some_tiles,
    tile,
    tiles,
    tiles_of,
    value,
    word,
)
from jmjp_convert.formats.jmjp.lexer import Script
from jmjp_convert.formats.jmjp.notation import ANY_COPY, FROM, HAND, OYA, SEATS, Dialect, from_thousands, plain
from jmjp_convert.formats.jmjp.red_fives import complete
from jmjp_convert.messages import Who
from jmjp_convert.model import (
    DORA,
    PLAYS,
    Ankan,
    Chi,
    Daiminkan,
    End,
    Event,
    Frame,
    Hand,
    Kakan,
    Meld,
    Note,
    Pon,
    Start,
    Text,
)
from jmjp_convert.patterns import regex
from jmjp_convert.play.points import STICK
from jmjp_convert.play.position import DEALT

# --- hands ------------------------------------------------------------------------------------------------------------


def _after_closed(script: Script, place: int) -> int:
    """Return the place after the closed tiles of a hand, at least one."""
    for _ in range(DEALT):
        place, _tile = tile(script, place)
        if script.text.startswith(",", place):
            break
    return place


def _after_fourteenth(script: Script, place: int) -> int:
    return place if script.text.startswith(",", place) else tile(script, place)[0]


_HAND: Final = Row(
    word("("),
    Part("([eswn])", lambda script, place: seat(script, place)[0]),
    word(f",{HAND}"),
    Part("[^,]*", _after_closed),
    word(",", slips.TOO_MANY),
    Part("[^,]*", _after_fourteenth),
    word(","),
)
"""A bracketed hand, up to its melds."""

_OPENING: Final = len(f"(e,{HAND}")
_SEAT_OF: Final = {f"({letter},{HAND}": number for number, letter in enumerate(SEATS)}
"""The seats by how a bracketed hand begins, and the length of that."""

_END: Final = "])"

_Hand = tuple[tuple[int, ...], int | None, tuple[Meld, ...]]
"""The fields of a :class:`Hand`."""


def _hands(
    script: Script, place: int, dealer: int, dialect: Dialect | None = None, declared: Sequence[Sequence[Meld]] = ()
) -> tuple[int, list[_Hand]]:
    """Parse four bracketed hands, in any order of seats; return them by player.

    :param dialect: that of their melds; ``None`` if they have none.
    :param declared: by player, the melds with the tiles that a *dialect* may omit in those of a hand.
    """
    text = script.text
    hands: dict[int, _Hand] = {}
    for _ in SEATS:
        number, end = _SEAT_OF.get(text[place : place + _OPENING]), text.find(_END, place)
        if number is None or end < 0:
            raise _hand_error(script, place, dialect)
        player = (dealer + number) % len(SEATS)
        if player in hands:
            raise script.error(place + 1, f"duplicate seat {SEATS[number]}")
        try:
            named, fourteenth, furo = text[place + _OPENING : end].split(",", 2)
            closed, drawn = sorted(tiles_of(named)), ANY_COPY[fourteenth] if fourteenth else None
        except (LookupError, ValueError):
            raise _hand_error(script, place, dialect) from None
        melds_end = end - len(furo)
        melds: tuple[Meld, ...] = ()
        if furo and dialect is not None:
            melds_end, melds = _melds(script, melds_end, player, dialect, declared[player])
        if not 0 < len(closed) <= DEALT or melds_end != end:
            raise _hand_error(script, place, dialect)
        hands[player] = tuple(closed), drawn, melds
        place = end + len(_END)
    return place, [hands[player] for player in range(len(SEATS))]


def _hand_error(script: Script, place: int, dialect: Dialect | None) -> JmjpError:
    """Return the error in the bracketed hand at *place*."""
    try:
        end = hand_alone(script, place, dialect)
    except JmjpError as error:
        return error
    raise AssertionError(end)


def hand_alone(script: Script, place: int, dialect: Dialect | None) -> int:
    """Return the place after the bracketed hand at *place*.

    :param dialect: that of its melds; ``None`` if it has none.
    """
    place = _HAND.after(script, place)
    if dialect is not None:
        place, _ = _melds(script, place, 0, dialect, ())
    return mark(script, place, _END)


# --- melds ------------------------------------------------------------------------------------------------------------

_MELDS: Final = ("chi[", "pon[", "dmk[", "kkn[", "ank[")
_GIVERS: Final = {letter: step for step, letter in FROM.items()}


def _melds(
    script: Script, place: int, player: int, dialect: Dialect, declared: Sequence[Meld]
) -> tuple[int, tuple[Meld, ...]]:
    """Parse the melds of *player*, newest first; return them oldest first.

    :param declared: the player's melds in the frame, with the tiles that a *dialect* may omit in hands.
    """
    all_tiles = dialect.all_tiles
    melds: list[Meld] = []
    while len(melds) < MOST_MELDS and not script.text.startswith("]", place):
        place, meld = _meld(script, place, player, all_tiles=all_tiles)
        if not all_tiles:
            meld = next((known for known in declared if _is_short_for(meld, known)), meld)
        melds.append(meld)
    melds.reverse()
    return place, tuple(melds)


def _meld(script: Script, place: int, player: int, *, all_tiles: bool) -> tuple[int, Meld]:
    """Parse a meld of *player*: the tile added, the tile taken, those from the hand and the giver, or some of these."""
    keyword = script.text[place : place + len("chi[")]
    if keyword not in _MELDS:
        raise script.expected(place, "a meld or ']'", slips.MELDS)
    usual = slips.MELD_FORMS[all_tiles][keyword]
    place += len(keyword)
    if keyword == "ank[":
        place, named = some_tiles(script, place, 4 if all_tiles else 1, "]", usual)
        return place, Ankan(player, tuple(sorted(named)) if all_tiles else (plain(named[0]),) * 4)
    added: tuple[int, ...] = ()
    if keyword == "kkn[" and all_tiles:
        place, added = some_tiles(script, place, 1, ",", usual)
    place, (taken,) = some_tiles(script, place, 1, ",", usual)
    if keyword == "chi[":
        place, hand = some_tiles(script, place, 2, "]", usual)
        return place, Chi(player, taken, tuple(sorted(hand)), (player + 3) % 4)
    count = 3 if keyword == "dmk[" else 2
    hand = (plain(taken),) * count
    if all_tiles:
        place, hand = some_tiles(script, place, count, ",", usual)
    step = _GIVERS.get(script.text[place : place + 1])
    if step is None:
        raise script.expected(place, "k, t or s (kamicha, toimen or shimocha)", (*slips.GIVERS, *usual))
    place, source = mark(script, place + 1, "]", usual), (player + step) % 4
    if keyword == "dmk[":
        return place, Daiminkan(player, taken, tuple(sorted(hand)), source)
    pon = Pon(player, taken, tuple(sorted(hand)), source)
    return place, pon if keyword == "pon[" else Kakan(player, added[0] if added else plain(taken), pon)


def _is_short_for(meld: Meld, known: Meld) -> bool:
    """Return whether *meld*, which omits some of its tiles, can be *known*."""
    if isinstance(meld, Kakan) and isinstance(known, Kakan):
        return _is_short_for(meld.pon, known.pon)
    if isinstance(meld, Ankan) and isinstance(known, Ankan):
        return plain(known.tiles[-1]) == meld.tiles[-1]
    if isinstance(meld, Pon | Daiminkan) and type(known) is type(meld):
        return (known.taken, known.source) == (meld.taken, meld.source)
    return False


# --- frames -----------------------------------------------------------------------------------------------------------

_START: Final = -1  # as in PlayError


def _after_sticks(script: Script, place: int) -> int:
    end, value = points(script, place)
    if value < 0 or value % STICK:
        raise script.expected(place, "a whole number of riichi sticks (1.0 each)")
    return end


def _head(dice: str) -> Row:
    """Return the parts between a frame's ID and its hands; *dice* is the pattern of the dice field."""
    return Row(
        word(","),
        optional_parts(Part(r"([0-9]{1,9}\.0|-0{1,9}\.0)", _after_sticks)),
        optional_parts(value(dice, "two dice such as 3-4", slips.DICE), usual=slips.SECOND_DIE),
        optional_parts(word("pfs[", slips.SECOND_DIE), FOUR_POINTS),
        optional_parts(tiles(DORA, slips.TEN_DORA)),
    )


_TWO_DICE: Final = "[1-6]-[1-6]"
_HEADS: Final = {False: _head(_TWO_DICE), True: _head(rf"{_TWO_DICE}|(?:1[0-2]|[2-9])(?!-)")}
"""By whether the dialect allows a dice total."""

TAIL: Final = Row(word(","), optional_parts(word("pfe["), FOUR_POINTS), TEXT, word("]"))
"""The fields after the hands of a frame."""

_TOTALS: Final = {str(total): total for total in range(2, 13)}
_DICE: Final = _TOTALS | {f"{first}-{second}": (first, second) for first in range(1, 7) for second in range(1, 7)}


_ACT: Final = regex(r"\(\w,([^,()]+),([^,()]*)\)")
_LAST: Final = chr(sys.maxunicode)
"""After every comment."""


class FrameReader:
    """A frame being parsed, and the places of its parts.

    :param remarks: the comments of the script.
    :param place: where the frame begins.
    :param chips: by player, if a comment above the frame gives them.
    :ivar name: the frame's name, once it has been parsed.
    :ivar after: the place after the frame.
    :ivar fault: the error of the first impossible act.
    :ivar whole: the frame completed from its text, once the play has been checked.
    """

    def __init__(
        self, script: Script, dialect: Dialect, remarks: Remarks, place: int, chips: tuple[int, ...] | None
    ) -> None:
        self.name: str | None = None
        self.whole: Frame | None = None
        self.after = place
        self.fault: PlayError | None = None
        self._begins = self._sticks = self._points = self._hands_dealt = self._hands_left = self._ends = place
        self._dealer = 0
        self._script = script
        self._dialect = dialect
        self._remarks = remarks
        self._chips = chips
        self._acts: ActReader | None = None

    def read(self) -> Frame:
        """Parse the frame."""
        script, name_at = self._script, self._begins + len("frm[")
        place, (round_, honba) = frame_id(script, name_at)
        self.name = script.text[name_at:place]
        self._dealer = dealer = round_ % 4
        row = _HEADS[self._dialect.dice_total]
        head = row.match(script.text, place)
        if head is None:
            raise row.error(script, place)
        sticks, dice, by_seat, dora = head.groups()
        try:
            indicators = None if dora is None else tuple(tiles_of(dora))
        except ValueError:
            raise row.error(script, place) from None
        self._sticks, self._points = head.start(1), head.start(3) - len("pfs[")  # meaningless if the fields are empty
        place, hands, fourteenth = self._deal(head.end())
        start = Start(
            round_,
            honba,
            None if sticks is None else from_thousands(sticks) // STICK,
            dealer,
            None if dice is None else _DICE[dice],
            self._points_by_player(by_seat),
            hands,
            None,
            None,
            self._chips,
            fourteenth,
        )
        left: tuple[Hand, ...] = ()
        if hands:
            place, left = self._play(place, start)
        self._ends = place
        tail, strings = TAIL.match(script.text, place), script.strings
        if tail is None:
            raise TAIL.error(script, place)
        self.after = tail.end()
        end = End(left, self._points_by_player(tail[1]))
        acts = self._acts
        events = acts.ended(end) if acts else ()
        self.fault = self.fault or (acts.fault if acts else None)
        comment = Text(strings.get(tail.start(2)), strings.get(tail.start(3)))
        return Frame(start, tuple(events), end, indicators, comment, notes=self._notes(events) if acts else ())

    def _notes(self, events: Sequence[Event]) -> tuple[Note, ...]:
        """Return the comments among the acts, from the first hand to the last, with their places in the play."""
        every, first, last = self._script.notes, self._hands_dealt, self._ends
        begin = bisect_left(every, (first,))
        if begin == len(every) or every[begin][0] > last:
            return ()
        acts = list(_ACT.finditer(self._script.text, first, self._hands_left))
        ends = [act.end() for act in acts]
        plays = list(accumulate(((act[1] != OYA) + (act[2] != "") for act in acts), initial=0))
        most = sum(type(event) in PLAYS for event in events)
        notes = []
        for place, line in every[begin : bisect_right(every, (last, _LAST))]:
            index = bisect_right(ends, place)
            inside = index < len(acts) and place > acts[index].start()
            text = note_text(line)
            if text:
                notes.append(Note(min(plays[index] + (inside and acts[index][1] != OYA), most), text))
        return tuple(notes)

    def _points_by_player(self, by_seat: str | None) -> tuple[int, ...] | None:
        """Return points by player from a text that has them by seat, East first."""
        if by_seat is None:
            return None
        points = tuple([from_thousands(each) for each in by_seat.split(",")])
        first = -self._dealer % 4
        return points[first:] + points[:first]

    def _deal(self, place: int) -> tuple[int, tuple[tuple[int, ...], ...], int | None]:
        """Parse the starting hands, if there are any; return them by player, and the dealer's fourteenth tile."""
        if self._script.text.startswith(",", place):
            return place, (), None
        self._hands_dealt, dealer = place, self._dealer
        place, hands = _hands(self._script, place, dealer)
        for player, (_, fourteenth, _) in enumerate(hands):
            if fourteenth is not None and player != dealer:
                reason = "{player} is dealt fourteen tiles, but {dealer} is the dealer"
                self.fault = impossible(reason, player, dealer=Who(dealer))
                self.fault.index = _START - 1 - player
        return place, tuple([closed for closed, _, _ in hands]), hands[dealer][1]

    def _play(self, place: int, start: Start) -> tuple[int, tuple[Hand, ...]]:
        """Parse the acts and the hands at the end."""
        script = self._script
        self._acts = acts = ActReader(script, self._dialect, start, self._remarks)
        self._hands_left = place = acts.run(place)
        acts.remark(place)
        place, hands = _hands(script, place, start.dealer, self._dialect, acts.builder.melds)
        left = tuple([Hand(*hand) for hand in hands])
        if not self._dialect.all_tiles and acts.fault is None:
            acts.builder.events, left = complete(start, acts.builder.events, left)
        return place, left

    def place_of(self, error: PlayError) -> int:
        """Return the place of *error*, which was found when the frame was judged."""
        acts = self._acts
        if acts is not None and error is acts.fault:
            return acts.fault_at
        if isinstance(error, StartError):
            return self._sticks if error.sticks else self._points
        if isinstance(error, EndError) and error.player is not None:
            return self._hand_of(error.player, self._hands_left)
        if isinstance(error, EndError | PaymentError):
            return self._ends + len(",")
        if error.index < _START:
            return self._hand_of(_START - error.index - 1, self._hands_dealt)
        return self._begins if acts is None or error.index == _START else acts.builder.position_of(error.index)

    def _hand_of(self, player: int, place: int) -> int:
        """Return the place of *player*'s hand among the four at *place*."""
        text = self._script.text
        while (SEATS.index(text[place + 1]) + self._dealer) % 4 != player:
            place = text.index(")", place) + 1
        return place
