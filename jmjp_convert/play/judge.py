"""Checks the frames of a match in order, for all readers: each start, play, and recorded end (hands, points, dora)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from jmjp_convert.errors import DoraError, EndError, PlayError, WorthError
from jmjp_convert.messages import Message, Points, Who
from jmjp_convert.model import SEATS, Event, Frame, Hand, Meld, Rules, Start
from jmjp_convert.model.tiles import IDS, UNKNOWN, indicators, kind
from jmjp_convert.model.tiles import dora as dora_of
from jmjp_convert.play.melds import melds_apart, named, parts, source, tiles_apart
from jmjp_convert.play.points import STICK, can_be_shared, can_follow, discontinuity
from jmjp_convert.play.position import compared
from jmjp_convert.play.table import Table, replay


class Judge:
    """Checks the frames of a match in order.

    :param every_frame: whether the record has every frame. If some may be missing, a frame is compared with the
        previous one only if it can follow it.
    """

    def __init__(self, rules: Rules, *, every_frame: bool) -> None:
        self._rules = rules
        self._every_frame = every_frame
        self.before: Frame | None = None  # the last frame checked, if it was possible
        self._sticks: int | None = None  # left on the table by that frame

    def begin(self, start: Start) -> None:
        """Check that *start* continues from the previous frame.

        :raises StartError: it does not.
        """
        before = self.before
        if before is None:
            return
        error = discontinuity(before.end.points, self._sticks, start)
        if error is not None and (self._every_frame or can_follow(before, start)):
            raise error

    def play(self, start: Start, events: Sequence[Event]) -> Table:
        """Return the table at the end of a frame.

        :raises PlayError: a play is impossible.
        """
        return replay(start, events, self._rules)

    def end(self, frame: Frame, sticks: int | None) -> None:
        """Remember *frame* for the next, and the riichi *sticks* that it leaves on the table, if known. One that breaks
        off leaves nothing to compare: who took them is not recorded."""
        self.before, self._sticks = frame, sticks if frame.endings else None

    def pass_over(self) -> None:
        """Forget the previous frame: the next one has nothing to continue from."""
        self.before = None

    def frame(self, frame: Frame, fault: PlayError | None = None) -> Iterator[PlayError]:
        """Yield all problems with *frame*, including its recorded end; remember what it leaves.

        :param fault: an error that the reader found. Events from its index on are not played; none are if its index is
            not that of an event.
        """
        try:
            self.begin(frame.start)
        except PlayError as error:
            yield error
        self.pass_over()
        table = None
        try:
            table = self._table(frame, fault)
        except PlayError as error:
            yield error
        if table is not None:
            self.end(frame, table.sticks)
        yield from check_end(table, frame)

    def _table(self, frame: Frame, fault: PlayError | None) -> Table | None:
        """Return the table at the end of *frame*, or ``None`` if its play is not recorded."""
        if fault is None:
            return self.play(frame.start, frame.events) if frame.start.hands else None
        if fault.index >= 0:
            self.play(frame.start, frame.events[: fault.index])
        raise fault


# --- the recorded end of a frame -------------------------------------------------------------------------------------

_ALIKE: Final[dict[int | None, list[int]]] = {}
"""By kind, its tile IDs."""

for _tile in range(IDS):
    _ALIKE.setdefault(kind(_tile), []).append(_tile)


def check_end(table: Table | None, frame: Frame) -> Iterator[PlayError]:
    """Yield the problems of the recorded end of *frame*, given the *table* after its play; with ``None``, only those
    that can be found without the play.

    An unknown tile matches any tile.
    """
    if table is None:
        yield from _check_owners(frame)
        return
    wall = table.wall
    if not table.holds(frame.end.hands):
        wall = wall.copy()
        yield from _check_owners(frame)
        yield from _check_hands(table, frame, wall)
    if error := check_worth(frame) or _check_points(table, frame):
        yield error
    yield from _check_dora(table, frame, wall)


def check_worth(frame: Frame) -> WorthError | None:
    """Return the error for the first win of *frame* with a value that no tsumo can have; ``None`` without one."""
    for win in frame.wins:
        if win.source is not None or win.score is None:
            continue
        points = win.score.points
        if not can_be_shared(points, len(frame.start.hands), dealer=win.player == frame.start.dealer):
            said = "a tsumo of {player} cannot be worth {points}: the shares are whole hundreds"
            index = next(index for index, event in enumerate(frame.events) if event is win)
            return WorthError(Message(said, player=Who(win.player), points=points), index)
    return None


def _check_owners(frame: Frame) -> Iterator[EndError]:
    """Check that each meld at the end of *frame* is with its owner."""
    for player, hand in enumerate(frame.end.hands):
        for other in {meld.player for meld in hand.melds} - {player}:
            said = Message("{player} ends with a meld of {other}", player=Who(player), other=Who(other))
            yield EndError(said, player)


def _check_hands(table: Table, frame: Frame, wall: list[int]) -> Iterator[EndError]:
    """Check the hands at the end of *frame*; remove from the *wall* the tiles that they newly identify."""
    for player, (played, recorded) in enumerate(zip(table.end().hands, frame.end.hands, strict=True)):
        if played != recorded and (difference := _difference(played, recorded, table.unseen[player], wall)):
            yield EndError(
                Message("{player} ends with {difference}", player=Who(player), difference=difference), player
            )


def _check_points(table: Table, frame: Frame) -> EndError | None:
    """Check the points at the end of *frame*: they match the payments or, if those are unknown, keep the total."""
    start, points, sticks = frame.start, frame.end.points, table.sticks
    if table.ended and table.points is not None:
        if points == table.points:
            return None
        expected = Points(table.points)
        if points is None:
            return EndError(Message("no points at the end; {expected} expected from the payments", expected=expected))
        said = "the points are {found}; {expected} expected from the payments"
        return EndError(Message(said, found=Points(points), expected=expected))
    if points is not None and not table.ended:
        return EndError("points at the end of a frame that has not ended")
    if start.points is not None and start.sticks is not None and points is not None and sticks is not None:
        before, after = sum(start.points) + STICK * start.sticks, sum(points) + STICK * sticks
        if before != after:
            said = "points and riichi sticks add up to {found}; {expected} expected"
            return EndError(Message(said, found=Points(after), expected=Points(before)))
    return None


def _difference(played: Hand, recorded: Hand, unseen: int, wall: list[int]) -> Message | str:
    """Return how the hands differ, for an error message; an empty string if they may be the same.

    :param unseen: the number of unidentified tiles that have left the hand.
    :param wall: the wall, from which newly identified tiles are removed.
    """
    if len(played.melds) != len(recorded.melds) or not all(map(_alike, played.melds, recorded.melds)):
        found, expected = melds_apart(recorded.melds, played.melds)
        return Message("{found}; {expected} expected", found=found, expected=expected)
    hands = compared(played.closed, recorded.closed, unseen)
    come = [*hands.come.elements()]
    if not hands.alike:
        return "{}; {} expected".format(*tiles_apart(come, [*hands.gone.elements()]))
    for tile in come:
        if not wall[tile]:
            return f"{named([tile])}, but every {named([tile])} is elsewhere"
        wall[tile] -= 1
    if (played.drawn is None) != (recorded.drawn is None) or not _same(played.drawn, recorded.drawn):
        return "{} as the fourteenth tile; {} expected".format(*tiles_apart(_drawn(recorded), _drawn(played)))
    return ""


def _drawn(hand: Hand) -> tuple[int, ...]:
    return () if hand.drawn is None else (hand.drawn,)


def _same(tile: int | None, other: int | None) -> bool:
    return tile == other or UNKNOWN in (tile, other)


def _alike(meld: Meld, other: Meld) -> bool:
    if type(meld) is not type(other) or source(meld) != source(other):
        return False
    (fixed, rest), (other_fixed, other_rest) = parts(meld), parts(other)
    first, second = Counter(rest), Counter(other_rest)
    mine, others = first - second, second - first
    unknown = mine.pop(UNKNOWN, 0), others.pop(UNKNOWN, 0)
    return all(map(_same, fixed, other_fixed)) and mine.total() <= unknown[1] and others.total() <= unknown[0]


def _check_dora(table: Table, frame: Frame, wall: list[int]) -> Iterator[DoraError]:
    """Check that the dora of *frame* match the indicators, where these are recorded, and that the *wall* still has a
    possible indicator for each of the rest."""
    dora, players = list(frame.dora or ()), len(frame.end.hands)
    turned = (table.turned, table.ura) if frame.start.indicator is not None else ()
    for first, indicators_ in enumerate(turned):
        for index, indicator in zip(range(first, len(dora), 2), indicators_, strict=False):
            right = dora_of(indicator, players)
            if kind(dora[index]) not in (None, kind(right)):
                found, wanted, by = named([dora[index]]), named([right]), named([indicator])
                yield DoraError(f"the dora is {found}; {wanted} expected from the indicator {by}")
            dora[index] = UNKNOWN
    known = [tile for tile in dora if tile != UNKNOWN]
    if not known or players != SEATS:  # with three, the tiles in the last indicators' places may be drawn
        return
    left = wall.copy()
    for tile in known:
        possible = indicators(tile)
        alike = [other for other in _ALIKE[kind(possible[0])] if left[other]]
        if alike:
            left[alike[0]] -= 1
        else:
            yield DoraError(f"the dora {named([tile])} has no indicator: every {named(possible[:1])} is in play")
