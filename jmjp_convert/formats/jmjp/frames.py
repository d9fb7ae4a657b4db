"""Parses a frame: its head, the hands dealt, the acts, the hands at the end, its end."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from typing import Final

from jmjp_convert.errors import EndError, JmjpError, PaymentError, PlayError, StartError, impossible
from jmjp_convert.formats.jmjp.acts import MOST_MELDS, ActReader
from jmjp_convert.formats.jmjp.comments import Remarks, note_text
from jmjp_convert.formats.jmjp.grammar import (
    FOUR_POINTS,
    form_of,
    four_points,
    frame_id,
    mark,
    matching,
    optional,
    points,
    seat,
    some_tiles,
    text,
    tile,
    tiles_of,
)
from jmjp_convert.formats.jmjp.lexer import Script, Slips
from jmjp_convert.formats.jmjp.notation import ANY_COPY, FROM, HAND, OYA, SEATS, Dialect, from_thousands, plain
from jmjp_convert.formats.jmjp.red_fives import bare, complete
from jmjp_convert.lazy_regex import regex
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
    Presence,
    Start,
    Text,
)
from jmjp_convert.model.record import replace
from jmjp_convert.play.points import STICK
from jmjp_convert.play.position import DEALT

# --- hands ------------------------------------------------------------------------------------------------------------

_OPENING: Final = len(f"(e,{HAND}")
_SEAT_OF: Final = {f"({letter},{HAND}": number for number, letter in enumerate(SEATS)}
"""The seats by how a bracketed hand begins, and the length of that."""

_END: Final = "])"

_Hand = tuple[tuple[int, ...], int | None, tuple[Meld, ...]]
"""The fields of a :class:`Hand`."""


def _hands(
    script: Script, position: int, dealer: int, dialect: Dialect | None = None, declared: Sequence[Sequence[Meld]] = ()
) -> tuple[int, list[_Hand]]:
    """Parse four bracketed hands, in any order of seats; return them by player.

    :param dialect: that of their melds; ``None`` if they have none.
    :param declared: by player, the melds with the tiles that a *dialect* may omit in those of a hand.
    """
    text = script.text
    hands: dict[int, _Hand] = {}
    for _ in SEATS:
        number, end = _SEAT_OF.get(text[position : position + _OPENING]), text.find(_END, position)
        if number is None or end < 0:
            raise _hand_error(script, position, dialect)
        player = (dealer + number) % len(SEATS)
        if player in hands:
            raise script.error(position + 1, f"duplicate seat {SEATS[number]}")
        try:
            named, fourteenth, furo = text[position + _OPENING : end].split(",", 2)
            closed, drawn = sorted(tiles_of(named)), ANY_COPY[fourteenth] if fourteenth else None
        except (LookupError, ValueError):
            raise _hand_error(script, position, dialect) from None
        melds_end = end - len(furo)
        melds: tuple[Meld, ...] = ()
        if furo and dialect is not None:
            melds_end, melds = _melds(script, melds_end, player, dialect, declared[player])
        if not 0 < len(closed) <= DEALT or melds_end != end:
            raise _hand_error(script, position, dialect)
        hands[player] = tuple(closed), drawn, melds
        position = end + len(_END)
    return position, [hands[player] for player in range(len(SEATS))]


def _hand_error(script: Script, position: int, dialect: Dialect | None) -> JmjpError:
    """Return the error in the bracketed hand at *position*."""
    try:
        end = hand_alone(script, position, dialect)
    except JmjpError as error:
        return error
    raise AssertionError(end)


def hand_alone(script: Script, position: int, dialect: Dialect | None) -> int:
    """Return the position after the bracketed hand at *position*.

    :param dialect: that of its melds; ``None`` if it has none.
    """
    position, _seat = seat(script, mark(script, position, "("))
    position = mark(script, position, f",{HAND}")
    for _ in range(DEALT):
        position, _tile = tile(script, position)
        if script.text.startswith(",", position):
            break
    position = mark(script, position, ",", ("too_many",))
    if not script.text.startswith(",", position):
        position, _tile = tile(script, position)
    position = mark(script, position, ",")
    if dialect is not None:
        position, _ = _melds(script, position, 0, dialect, ())
    return mark(script, position, _END)


# --- melds ------------------------------------------------------------------------------------------------------------

_MELDS: Final = ("chi[", "pon[", "dmk[", "kkn[", "ank[")
_GIVERS: Final = {letter: step for step, letter in FROM.items()}


def _melds(
    script: Script, position: int, player: int, dialect: Dialect, declared: Sequence[Meld]
) -> tuple[int, tuple[Meld, ...]]:
    """Parse the melds of *player*, newest first; return them oldest first.

    :param declared: the player's melds in the frame, with the tiles that a *dialect* may omit in hands.
    """
    all_tiles = dialect.all_tiles
    melds: list[Meld] = []
    while len(melds) < MOST_MELDS and not script.text.startswith("]", position):
        position, meld = _meld(script, position, player, all_tiles=all_tiles)
        if not all_tiles:
            meld = next((known for known in declared if _is_short_for(meld, known)), meld)
        melds.append(meld)
    melds.reverse()
    return position, tuple(melds)


def _meld(script: Script, position: int, player: int, *, all_tiles: bool) -> tuple[int, Meld]:
    """Parse a meld of *player*: the tile added, the tile taken, those from the hand and the giver, or some of these."""
    keyword = script.text[position : position + len("chi[")]
    if keyword not in _MELDS:
        raise script.expected(position, "a meld or ']'", ("melds",))
    usual = (form_of(keyword, all_tiles=all_tiles),)
    position += len(keyword)
    if keyword == "ank[":
        position, named = some_tiles(script, position, 4 if all_tiles else 1, "]", usual)
        return position, Ankan(player, tuple(sorted(named)) if all_tiles else (plain(named[0]),) * 4)
    added: tuple[int, ...] = ()
    if keyword == "kkn[" and all_tiles:
        position, added = some_tiles(script, position, 1, ",", usual)
    position, (taken,) = some_tiles(script, position, 1, ",", usual)
    if keyword == "chi[":
        position, hand = some_tiles(script, position, 2, "]", usual)
        return position, Chi(player, taken, tuple(sorted(hand)), (player + 3) % 4)
    count = 3 if keyword == "dmk[" else 2
    hand = (plain(taken),) * count
    if all_tiles:
        position, hand = some_tiles(script, position, count, ",", usual)
    step = _GIVERS.get(script.text[position : position + 1])
    if step is None:
        raise script.expected(position, "k, t or s (kamicha, toimen or shimocha)", ("givers", *usual))
    position, source = mark(script, position + 1, "]", usual), (player + step) % 4
    if keyword == "dmk[":
        return position, Daiminkan(player, taken, tuple(sorted(hand)), source)
    pon = Pon(player, taken, tuple(sorted(hand)), source)
    return position, pon if keyword == "pon[" else Kakan(player, added[0] if added else plain(taken), pon)


def _is_short_for(meld: Meld, known: Meld) -> bool:
    """Return whether *meld*, which omits some of its tiles, can be *known*."""
    if isinstance(meld, Kakan) and isinstance(known, Kakan):
        return meld.pon == bare(known.pon)
    return meld == bare(known)


# --- frames -----------------------------------------------------------------------------------------------------------

_START: Final = -1  # as in PlayError


_TWO_DICE: Final = "[1-6]-[1-6]"
_TWO_DICE_OR_TOTAL: Final = rf"{_TWO_DICE}|(?:1[0-2]|[2-9])(?!-)"


def _head(dice: str) -> re.Pattern[str]:
    """Return the pattern of the fields between a frame's ID and its hands, given that of the *dice*."""
    sticks, dora = r"[0-9]{1,9}\.0|-0{1,9}\.0", rf"\w{{{2 * DORA}}}"
    return regex(rf",({sticks})?,({dice})?,(?:pfs\[({FOUR_POINTS})\])?,({dora})?,", re.ASCII)


_HEADS: Final = {False: _head(_TWO_DICE), True: _head(_TWO_DICE_OR_TOTAL)}
"""By whether the dialect allows a dice total."""

_TAIL: Final = regex(rf',(?:pfe\[({FOUR_POINTS})\])?,(?:snt\[(")\])?(?:srm\[(")\])?\]')
"""The fields after the hands of a frame. A quote marks a string."""


def _head_alone(script: Script, position: int, dialect: Dialect) -> int:
    """Return the position after the fields between a frame's ID and its hands.

    :raises JmjpError: they are malformed; says where and how.
    """
    position, _ = optional(script, mark(script, position, ","), ",", _sticks)
    dice = regex(_TWO_DICE_OR_TOTAL if dialect.dice_total else _TWO_DICE)
    two_dice = partial(matching, pattern=dice, what="two dice such as 3-4", usual=("dice",))
    position, _ = optional(script, position, ",", two_dice, ("second_die",))
    position, _ = optional(script, position, ",", partial(_points, word="pfs[", usual=("second_die",)))
    return optional(script, position, ",", partial(some_tiles, count=DORA, end="", usual=("ten_dora",)))[0]


def tail_alone(script: Script, position: int) -> int:
    """Return the position after the fields that follow the hands of a frame, and its closing bracket.

    :raises JmjpError: they are malformed; says where and how.
    """
    position, _ = optional(script, mark(script, position, ","), ",", partial(_points, word="pfe["))
    return mark(script, text(script, position)[0], "]")


def _sticks(script: Script, position: int) -> tuple[int, int]:
    end, value = points(script, position)
    if value < 0 or value % STICK:
        raise script.expected(position, "a whole number of riichi sticks (1.0 each)")
    return end, value


def _points(script: Script, position: int, word: str, usual: Slips = ()) -> tuple[int, tuple[int, ...]]:
    return four_points(script, mark(script, position, word, usual))


_TOTALS: Final = {str(total): total for total in range(2, 13)}
_DICE: Final = _TOTALS | {f"{first}-{second}": (first, second) for first in range(1, 7) for second in range(1, 7)}


_ACT: Final = regex(r"\(\w,([^,()]+),([^,()]*)\)")
_LAST: Final = chr(sys.maxunicode)
"""After every comment."""


class FrameReader:
    """A frame being parsed, and the positions of its parts.

    :param remarks: the comments of the script.
    :param position: where the frame begins.
    :param chips: by player, if a comment above the frame gives them.
    :ivar after_gap: whether the frame before it has a syntax error.
    :ivar name: the frame's name, once it has been parsed.
    :ivar frame: the frame, once all of it has been.
    :ivar after: the position after the frame.
    :ivar presences: the disconnections and returns after it.
    :ivar fault: the error of the first impossible act.
    """

    frame: Frame

    def __init__(
        self,
        script: Script,
        dialect: Dialect,
        remarks: Remarks,
        position: int,
        chips: tuple[int, ...] | None,
        *,
        after_gap: bool,
    ) -> None:
        self.after_gap = after_gap
        self.name: str | None = None
        self.after = position
        self.presences: list[Presence] = []
        self.fault: PlayError | None = None
        self._begins = self._sticks = self._points = self._hands_dealt = self._hands_left = self._ends = position
        self._dealer = 0
        self._script = script
        self._dialect = dialect
        self._remarks = remarks
        self._chips = chips
        self._acts: ActReader | None = None

    def read(self) -> None:
        """Parse the frame."""
        script, name_at = self._script, self._begins + len("frm[")
        position, (round_, honba) = frame_id(script, name_at)
        self.name = script.text[name_at:position]
        self._dealer = dealer = round_ % 4
        head = _HEADS[self._dialect.dice_total].match(script.text, position)
        if head is None:
            raise AssertionError(_head_alone(script, position, self._dialect))
        sticks, dice, by_seat, dora = head.groups()
        self._sticks, self._points = head.start(1), head.start(3) - len("pfs[")  # meaningless if the fields are empty
        try:
            indicators = None if dora is None else tuple(tiles_of(dora))
        except ValueError:
            raise AssertionError(_head_alone(script, position, self._dialect)) from None
        position, hands, fourteenth = self._deal(head.end())
        start = Start(
            round_,
            honba,
            None if sticks is None else from_thousands(sticks)[0] // STICK,
            dealer,
            None if dice is None else _DICE[dice],
            self._by_player(by_seat),
            hands,
            None,
            None,
            self._chips,
            fourteenth,
        )
        left: tuple[Hand, ...] = ()
        if hands:
            position, left = self._play(position, start)
        self._ends = position
        tail, strings = _TAIL.match(script.text, position), script.strings
        if tail is None:
            raise AssertionError(tail_alone(script, position))
        self.after = tail.end()
        end = End(left, self._by_player(tail[1]))
        comment = Text(strings.get(tail.start(2)), strings.get(tail.start(3)))
        acts = self._acts
        events = acts.ended(end) if acts else ()
        self.fault = self.fault or (acts.fault if acts else None)
        notes = self._notes(events) if acts else ()
        self.frame = Frame(start, tuple(events), end, indicators, comment, notes=notes)

    def with_presences(self) -> Frame:
        """Return the frame with the events after it."""
        return replace(self.frame, events=(*self.frame.events, *self.presences)) if self.presences else self.frame

    def _notes(self, events: Sequence[Event]) -> tuple[Note, ...]:
        """Return the comments among the acts, from the first hand to the last, with their positions in the play."""
        every, first, last = self._script.notes, self._hands_dealt, self._ends
        if not every:
            return ()
        from bisect import bisect_left, bisect_right

        begin = bisect_left(every, (first,))
        if begin == len(every) or every[begin][0] > last:
            return ()
        acts = list(_ACT.finditer(self._script.text, first, self._hands_left))
        ends = [act.end() for act in acts]
        plays = list(accumulate(((act[1] != OYA) + (act[2] != "") for act in acts), initial=0))
        most = sum(type(event) in PLAYS for event in events)
        notes = []
        for position, line in every[begin : bisect_right(every, (last, _LAST))]:
            index = bisect_right(ends, position)
            inside = index < len(acts) and position > acts[index].start()
            text = note_text(line)
            if text:
                notes.append(Note(min(plays[index] + (inside and acts[index][1] != OYA), most), text))
        return tuple(notes)

    def _by_player(self, by_seat: str | None) -> tuple[int, ...] | None:
        """Return points by player from a text that has them by seat, East first."""
        if by_seat is None:
            return None
        points, first = from_thousands(by_seat), -self._dealer % len(SEATS)
        return points[first:] + points[:first]

    def _deal(self, position: int) -> tuple[int, tuple[tuple[int, ...], ...], int | None]:
        """Parse the starting hands, if there are any; return them by player, and the dealer's fourteenth tile."""
        if self._script.text.startswith(",", position):
            return position, (), None
        self._hands_dealt, dealer = position, self._dealer
        position, hands = _hands(self._script, position, dealer)
        for player, (_, fourteenth, _) in enumerate(hands):
            if fourteenth is not None and player != dealer:
                reason = "{player} is dealt fourteen tiles, but {dealer} is the dealer"
                self.fault = impossible(reason, player, dealer=Who(dealer))
                self.fault.index = _START - 1 - player
        return position, tuple([closed for closed, _, _ in hands]), hands[dealer][1]

    def _play(self, position: int, start: Start) -> tuple[int, tuple[Hand, ...]]:
        """Parse the acts and the hands at the end."""
        script = self._script
        self._acts = acts = ActReader(script, self._dialect, start, self._remarks)
        self._hands_left = position = acts.run(position)
        acts.remark(position)
        position, hands = _hands(script, position, start.dealer, self._dialect, acts.builder.melds)
        left = tuple([Hand(closed, drawn, melds) for closed, drawn, melds in hands])
        if not self._dialect.all_tiles and acts.fault is None:
            acts.builder.events, left = complete(start, acts.builder.events, left)
        return position, left

    def position_of(self, error: PlayError) -> int:
        """Return the position of *error*, which was found when the frame was judged."""
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

    def _hand_of(self, player: int, position: int) -> int:
        """Return the position of *player*'s hand among the four at *position*."""
        text = self._script.text
        while (SEATS.index(text[position + 1]) + self._dealer) % 4 != player:
            position = text.index(")", position) + 1
        return position
