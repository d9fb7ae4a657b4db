"""Find the order of the players' turns, which tenhou.net/6 does not hold (source: ``docs/design/formats.md`` 1).

Turns go around from the dealer, and a call diverts them: it takes a discard of the player that its word names, of the
tile that it names. Which of two equal discards it took is not recorded. A player with a call to make cannot draw: a
search that arrives there has passed on the right discard, or called too early, and goes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from jmjp_convert.formats.json_values import WrongValue
from jmjp_convert.messages import Message, Who
from jmjp_convert.model import Call, Chi, Discard, Draw, Event
from jmjp_convert.model.record import Record

MOST_STEPS = 1000
"""The maximum number of decisions that are tried in a frame. The hardest known frames take some ten."""


class Turn(Record):
    """A turn that is not just a draw and a discard.

    :ivar events: what happens in it. A riichi is accepted right after its discard.
    :ivar call: the call that it begins with; ``None`` if it begins with a draw.
    :ivar thrown: the tile discarded, if any.
    :ivar again: whether the next turn is the same player's, with a replacement tile.
    """

    __slots__ = ("events", "call", "thrown", "again")

    def __init__(
        self, events: tuple[Event, ...], call: Call | None = None, thrown: int | None = None, again: bool = False
    ) -> None:
        self.events: Final = events
        self.call: Final = call
        self.thrown: Final = thrown
        self.again: Final = again


Plain = tuple[Draw, Discard]
"""A turn that is just a draw and a discard."""


class PlayerTurns(NamedTuple):
    """The turns of a player, and by index those that begin with a call."""

    turns: list[Plain | Turn]
    calls: dict[int, Turn]


_Places = tuple[int, ...]
_Key = tuple[int, int]
"""The player who discards a tile, and the tile."""


class _Decision(NamedTuple):
    """A decision after a discard.

    :ivar places: by player, the number of turns so far.
    :ivar player: who discarded.
    :ivar caller: who calls the discard; ``None``: nobody.
    """

    places: _Places
    player: int
    caller: int | None


class Order:
    """The search for the order of turns in a frame.

    :param turns: by player, their turns.
    :param dealer: who begins.
    """

    def __init__(self, turns: Sequence[PlayerTurns], dealer: int) -> None:
        self._rows = [each.turns for each in turns]
        self._calls = [each.calls for each in turns]
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

    def _walk(self, decision: _Decision) -> bool:  # noqa: C901, PLR0912 - one loop, since it is as hot as `play_all`
        """Add the events after *decision* until the end or a contradiction; return whether every turn is used."""
        rows, calls, events, count = self._rows, self._calls, self._events, len(self._rows)
        places, player, caller = list(decision.places), decision.player, decision.caller
        pons: dict[_Key, int] = {}
        chis: dict[_Key, int] = {}
        for other in range(count):
            if places[other] in calls[other]:
                self._wait(other, places[other], pons, chis)
        player = (player + 1) % count if caller is None else caller
        while True:
            place = places[player]
            if place == len(rows[player]):
                return self._ends(places, player)
            turn = rows[player][place]
            places[player] = place + 1
            if type(turn) is tuple:
                events += turn
                tile = turn[1].tile
            else:
                assert isinstance(turn, Turn)
                if turn.call is not None:
                    if caller is None:
                        return self._fails("{player} makes a call that no discard fits", player, place)
                    del (chis if isinstance(turn.call, Chi) else pons)[turn.call.source, turn.call.taken]
                    caller = None
                events += turn.events
                if turn.again:
                    continue
                if turn.thrown is None:
                    return self._ends(places, player)
                tile = turn.thrown
            if place + 1 in calls[player]:
                self._wait(player, place + 1, pons, chis)
            if pons or chis:
                key = player, tile
                caller = pons.get(key)
                if caller is None:
                    caller = chis.get(key)
                elif self._recurs(key, places[player]):
                    caller = self._decide(_Decision(tuple(places), player, caller), chis.get(key))
                    if caller == _NOBODY:
                        return False
                if caller is not None:
                    player = caller
                    continue
            player += 1
            if player == count:
                player = 0

    def _wait(self, player: int, place: int, pons: dict[_Key, int], chis: dict[_Key, int]) -> None:
        """Note the call that *player* makes next: *place* is the index of their next turn."""
        call = self._calls[player][place].call
        assert call is not None
        (chis if isinstance(call, Chi) else pons)[call.source, call.taken] = player

    def _recurs(self, key: _Key, place: int) -> bool:
        """Return whether the player discards the same tile again, in the turn *place* or later."""
        player, tile = key
        return any(_thrown(turn) == tile for turn in self._rows[player][place:])

    def _decide(self, pon: _Decision, chi: int | None) -> int | None:
        """Return who calls the discard first, and note the other possibility.

        :param pon: the decision that it is called by pon or kan.
        :param chi: who waits to call it by chi.
        """
        self._steps += 1
        after = (pon.player + 1) % len(self._rows)
        other = pon._replace(caller=chi)
        can_pass = after != pon.caller and self._can_draw(after, pon.places[after])
        if chi is not None or can_pass:
            self._other.append((other, len(self._events)))
        return _NOBODY if self._leads_nowhere(pon) else pon.caller

    def _can_draw(self, player: int, place: int) -> bool:
        return place < len(self._rows[player]) and place not in self._calls[player]

    def _ends(self, places: Sequence[int], last: int) -> bool:
        """Return whether every turn is used when the play ends with player *last*."""
        for player, (place, row) in enumerate(zip(places, self._rows, strict=True)):
            if place < len(row):
                said = "{player} has another turn, but the play ends with {last}"
                return self._fails(said, player, place, last=Who(last))
        return True

    def _fails(self, template: str, player: int, place: int, **parts: Who) -> bool:
        """Note the contradiction at a turn of *player* if it is the furthest; return False."""
        if len(self._events) > self._furthest:
            self._furthest = len(self._events)
            said = Message(template, player=Who(player), **parts)
            self._fault = WrongValue(said, f"/{5 + 3 * player}/{place}")
        return False


_NOBODY = -1
"""Says that a decision leads nowhere."""


def _thrown(turn: Plain | Turn) -> int | None:
    """Return the tile that is discarded in *turn*, any copy."""
    return turn[1].tile if isinstance(turn, tuple) else turn.thrown
