"""Find the order of the players' turns, which tenhou.net/6 does not hold (source: ``docs/design/formats.md`` 1).

Turns go around from the dealer, and a call diverts them: it takes a discard of the player that its word names, of the
tile that it names. Which of two equal discards it took is not recorded. A player with a call to make cannot draw: a
search that arrives there has passed on the right discard, or called too early, and goes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from jmjp_convert.formats.json_values import WrongValue
from jmjp_convert.formats.tenhou6.notation import DRAWS_ROW, row
from jmjp_convert.messages import Message, Who
from jmjp_convert.model import Call, Chi, Discard, Draw, Event
from jmjp_convert.model.record import Record

MOST_STEPS = 1000
"""The maximum number of decisions that are tried in a frame. The hardest known frames take about ten."""


class Turn(Record):
    """A turn that is not just a draw and a discard."""

    __slots__ = ("events", "call", "thrown", "again")

    def __init__(
        self, events: tuple[Event, ...], call: Call | None = None, thrown: int | None = None, again: bool = False
    ) -> None:
        self.events: Final = events  # what happens in it; a riichi is accepted right after its discard
        self.call: Final = call  # the call that it begins with; None if it begins with a draw
        self.thrown: Final = thrown  # the tile discarded, if any
        self.again: Final = again  # whether the next turn is the same player's, with a replacement tile


Plain = tuple[Draw | Discard, ...]
"""A turn that is just a draw and a discard."""

_Row = list[Plain | Turn]


class PlayerTurns(NamedTuple):
    """The turns of a player."""

    turns: _Row
    calls: Sequence[Call] = ()  # the calls that some of them begin with, in order


_Places = tuple[int, ...]


class _Decision(NamedTuple):
    """A decision after a discard."""

    places: _Places  # by player, the number of turns so far
    player: int  # who discarded
    caller: int | None  # who calls the discard; None: nobody


class Order:
    """The search for the order of turns in a frame.

    :param turns: by player, their turns.
    :param dealer: who begins.
    """

    def __init__(self, turns: Sequence[PlayerTurns], dealer: int) -> None:
        self._rows = [each.turns for each in turns]
        self._wanted: list[dict[int, list[int]]] = [{} for _ in turns]  # by player, who calls which of their discards
        for caller, each in enumerate(turns):
            for call in each.calls:
                self._wanted[call.source].setdefault(call.taken, []).append(caller)
        self._after = [*range(1, len(turns)), 0]  # by player, whose turn is next
        self._dealer = dealer
        self._events: list[Event] = []
        self._other: list[tuple[_Decision, int]] = []  # the decisions still to try, and the number of events before
        self._tried: dict[_Decision, int] = {}  # by decision, how many orders had been found before
        self._found = 0
        self._furthest = -1
        self._fault = WrongValue("")
        self._steps = 0

    def found(self) -> Iterator[list[Event]]:
        """Yield the events in each order that uses every turn, the one with the earliest calls first.

        Every list is the same object.

        :raises WrongValue: none is found, with the place where the search got furthest; or there are too many to try.
        """
        decision: _Decision | None = _Decision((0,) * len(self._rows), self._dealer - 1, None)
        while decision is not None:
            if self._walk(decision):
                self._found += 1
                yield self._events
            decision = self._next()
        if not self._found:
            raise self._fault

    def _next(self) -> _Decision | None:
        """Return the last decision still to try, unless it is known to lead nowhere."""
        if self._steps > MOST_STEPS:
            self._fault = WrongValue("too many possible orders of turns")
            return None
        while self._other:
            decision, events = self._other.pop()
            if not self._leads_nowhere(decision):
                del self._events[events:]
                return decision
        return None

    def _leads_nowhere(self, decision: _Decision) -> bool:
        """Return whether no order was found after the same *decision*; remember to have tried it."""
        if self._tried.get(decision) == self._found:
            return True
        self._tried.setdefault(decision, self._found)
        return False

    def _walk(self, decision: _Decision) -> bool:
        """Add the events after *decision* until the end or a contradiction; return whether every turn is used."""
        events, wanted, after, caller = self._events, self._wanted, self._after, decision.caller
        rest = [row[number:][::-1] for row, number in zip(self._rows, decision.places, strict=True)]
        player = after[decision.player] if caller is None else caller
        while turns := rest[player]:
            turn = turns.pop()
            if type(turn) is tuple:
                events += turn
                tile = turn[1].tile
            else:
                assert isinstance(turn, Turn)
                if turn.call is not None and caller is None:
                    place = self._places(rest)[player] - 1
                    return self._fails("{player} makes a call that no discard fits", player, place)
                caller = None
                events += turn.events
                if turn.again:
                    continue
                if turn.thrown is None:
                    break
                tile = turn.thrown
            if tile in wanted[player]:
                caller = self._caller(rest, player, tile)
                if caller == _DEAD_END:
                    return False
            player = after[player] if caller is None else caller
        return self._ends(rest, player)

    def _caller(self, rest: Sequence[_Row], player: int, tile: int) -> int | None:
        """Return who calls the *tile* that *player* discards, ``None`` if nobody does; :data:`_DEAD_END` if a call is
        known to lead nowhere.

        :param rest: by player, the turns that are left, the next one last.
        """
        pon = chi = None
        for other in self._wanted[player][tile]:
            call = _next_call(rest[other])
            if call is not None and call.source == player and call.taken == tile:
                if isinstance(call, Chi):
                    chi = other
                else:
                    pon = other
        if pon is None or tile not in map(_thrown, rest[player]):
            return chi if pon is None else pon
        return self._decide(rest, _Decision(self._places(rest), player, pon), chi)

    def _decide(self, rest: Sequence[_Row], pon: _Decision, chi: int | None) -> int | None:
        """Return who calls first a discard that its player repeats later, and note the other possibility.

        :param pon: the decision that it is called by pon or kan.
        :param chi: who waits to call it by chi.
        """
        self._steps += 1
        after = self._after[pon.player]
        can_pass = after != pon.caller and bool(rest[after]) and _next_call(rest[after]) is None
        if chi is not None or can_pass:
            self._other.append((pon._replace(caller=chi), len(self._events)))
        return _DEAD_END if self._leads_nowhere(pon) else pon.caller

    def _places(self, rest: Sequence[_Row]) -> _Places:
        """Return by player the number of turns so far."""
        return tuple([len(row) - len(left) for row, left in zip(self._rows, rest, strict=True)])

    def _ends(self, rest: Sequence[_Row], last: int) -> bool:
        """Return whether every turn is used when the play ends with player *last*."""
        for player, turns in enumerate(rest):
            if turns:
                said = "{player} has another turn, but the play ends with {last}"
                return self._fails(said, player, self._places(rest)[player], last=Who(last))
        return True

    def _fails(self, template: str, player: int, place: int, **parts: Who) -> bool:
        """Note the contradiction at the turn *place* of *player* if it is the furthest; return False."""
        if len(self._events) > self._furthest:
            self._furthest = len(self._events)
            said = Message(template, player=Who(player), **parts)
            self._fault = WrongValue(said, f"{row(DRAWS_ROW, player)}/{place}")
        return False


_DEAD_END = -1
"""Says that a decision leads nowhere."""


def _thrown(turn: Plain | Turn) -> int | None:
    """Return the tile that is discarded in *turn*, any copy."""
    return turn[1].tile if isinstance(turn, tuple) else turn.thrown


def _next_call(turns: _Row) -> Call | None:
    """Return the call that the last of *turns* begins with; ``None`` if it begins with none, or there are no turns."""
    turn = turns[-1] if turns else None
    return turn.call if isinstance(turn, Turn) else None
