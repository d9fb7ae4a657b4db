"""Read a frame of tenhou.net/6, the inverse of :mod:`~jmjp_convert.formats.tenhou6.frames`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from jmjp_convert.errors import PlayError
from jmjp_convert.formats.assembly import Played
from jmjp_convert.formats.tenhou6.notation import FIVES, REDS, TILES
from jmjp_convert.formats.tenhou6.order import Order
from jmjp_convert.formats.tenhou6.outcomes import Result, last_tile, result_of, showing
from jmjp_convert.formats.tenhou6.turns import Row, turns_of
from jmjp_convert.formats.tenhou6.values import Notice, WrongValue, count, each_points, expected, listed
from jmjp_convert.model import SEATS, DrawKind, Event, RiichiAccepted, Rules, Start, Win, frame_name, in_riichi
from jmjp_convert.model.tiles import COPIES
from jmjp_convert.play.replay import replay

_START, _POINTS, _DORA, _URA, _HANDS = range(5)
_ROWS = 3  # of a player: hand, incoming and outgoing tiles
_MOST_ORDERS = 50
_ROUNDS = 16
_MOST_TILES = 20
_LETTER = re.compile("[a-z]")
_RED_TEXTS = frozenset(map(str, REDS))
_COMING = range(_HANDS, _HANDS + _ROWS * SEATS, _ROWS)
_LENGTHS = {players: _HANDS + _ROWS * players for players in (3, 4)}


def rows_of(items: Sequence[Any], player: int) -> tuple[Any, Any, Any]:
    """Return the hand, incoming and outgoing tiles of *player*."""
    first = _HANDS + _ROWS * player
    hand, takes, outs = items[first : first + _ROWS]
    return hand, takes, outs


def has_fourth(items: Any) -> bool:
    """Return whether the frame *items* has a fourth player."""
    return type(items) is list and len(items) >= _LENGTHS[SEATS] and rows_of(items, 3)[0] != []


def has_red(items: Any) -> bool:
    """Return whether there is a red five among the tiles of the frame *items*."""
    return type(items) is list and any(
        type(row) is list and any(_is_red(word) for word in row) for row in items[_DORA:-1]
    )


def has_plain_fives(items: Any) -> bool:
    """Return whether four plain fives of one suit are among the tiles dealt and drawn in the frame *items*."""
    if type(items) is not list or len(items) < _LENGTHS[3]:
        return False
    drawn: list[Any] = []
    for place in _COMING:
        for row in items[place : place + 2]:
            if type(row) is list:
                drawn += row
    return COPIES in map(drawn.count, FIVES)


def _is_red(word: Any) -> bool:
    if type(word) is str:
        digits = _LETTER.sub("", word)
        return any(digits[place : place + 2] in _RED_TEXTS for place in range(0, len(digits), 2))
    return type(word) is int and word in REDS


def name_of(items: Any) -> str | None:
    """Return the name of the frame *items*, if it has one."""
    try:
        round_, honba = items[_START][:2]
        if type(round_) is int and type(honba) is int and 0 <= round_ < _ROUNDS and honba >= 0:
            return frame_name(round_, honba)
    except (TypeError, ValueError, IndexError, KeyError):
        pass
    return None


class FrameReader:
    """Reads the frames of a match.

    :param rules: the rules of the match.
    :param notice: called with each line on what is guessed or not understood.
    """

    def __init__(self, rules: Rules, notice: Notice) -> None:
        self._rules = rules
        self._notice = notice

    def read(self, items: Any, pointer: str) -> Played:
        """Return the frame *items*, at *pointer*.

        :raises WrongValue: it is malformed, or no order of the turns is possible.
        """
        players = self._rules.players
        length = _LENGTHS[players]
        if len(listed(items, pointer)) not in (length, length + 1, _LENGTHS[SEATS], _LENGTHS[SEATS] + 1):
            raise WrongValue(f"{len(items)} items; {_LENGTHS[SEATS] + 1} expected", pointer)
        start = self._start(items, pointer)
        seated = (len(items) - _HANDS) // _ROWS
        for seat in range(players, seated):
            if any(rows_of(items, seat)):
                raise WrongValue(
                    "tiles of a fourth player in a three-player game", f"{pointer}/{_HANDS + _ROWS * seat}"
                )
        first = [_HANDS + _ROWS * player + 1 for player in range(players)]
        rows = [
            turns_of((items[place], items[place + 1]), player, players, pointer, place)
            for player, place in enumerate(first)
        ]
        place = _HANDS + _ROWS * seated
        ending = items[place] if place < len(items) else []
        result = result_of(ending, start, f"{pointer}/{place}", self._notice)
        ura = self._tiles(items[_URA], f"{pointer}/{_URA}")
        played = self._played(start, rows, result, ura, pointer)
        if ura and not any(type(event) is Win and event.ura for event in played.events[-SEATS:]):
            self._notice(f"frame {start.name}: ura dora indicators ignored: nobody in riichi wins")
        return played

    # --- the start ---------------------------------------------------------------------------------------------------

    def _start(self, items: Sequence[Any], pointer: str) -> Start:
        players, where = self._rules.players, f"{pointer}/{_START}"
        head = listed(items[_START], where)
        if len(head) != 3:  # noqa: PLR2004 - round, honba, sticks
            raise WrongValue("expected the round, honba and riichi sticks", where)
        round_ = count(head[0], f"{where}/0", _ROUNDS - 1)
        if round_ % SEATS >= players:
            name = frame_name(round_, 0).partition("-")[0]
            raise WrongValue(f"the round is {name}, but a three-player game has no North dealer", f"{where}/0")
        shown = self._tiles(items[_DORA], f"{pointer}/{_DORA}")
        hands = tuple(
            [
                tuple(sorted(self._tiles(rows_of(items, player)[0], f"{pointer}/{_HANDS + _ROWS * player}")))
                for player in range(players)
            ]
        )
        return Start(
            round_,
            count(head[1], f"{where}/1"),
            None if head[2] is None else count(head[2], f"{where}/2"),
            round_ % SEATS,
            None,
            each_points(items[_POINTS], players, f"{pointer}/{_POINTS}"),
            hands,
            shown[0] if shown else None,
            kan_indicators=shown[1:],
        )

    def _tiles(self, numbers: Any, pointer: str) -> tuple[int, ...]:
        if len(listed(numbers, pointer)) > _MOST_TILES:
            raise WrongValue(f"{len(numbers):,} tiles; at most {_MOST_TILES} expected", pointer)
        try:
            found = tuple(map(TILES.__getitem__, numbers))
        except (KeyError, TypeError):
            wrong = next(place for place, one in enumerate(numbers) if type(one) is not int or one not in TILES)
            raise expected("a tile", numbers[wrong], f"{pointer}/{wrong}") from None
        return found

    # --- the play ----------------------------------------------------------------------------------------------------

    def _played(self, start: Start, rows: Sequence[Row], result: Result, ura: tuple[int, ...], pointer: str) -> Played:
        """Return the frame with the turns *rows* in the first possible order; say so if there is another."""
        order = Order(rows, start.dealer)
        try:
            found = [self._ended(start, events, result, ura) for events in islice(order.found(), _MOST_ORDERS)]
        except WrongValue as error:
            raise WrongValue(error.message, pointer + error.pointer) from None
        return found[0] if len(found) == 1 else self._possible(found)

    def _possible(self, found: Sequence[Played]) -> Played:
        """Return the first of several orders that can be played; say so if there is another."""
        possible = []
        for played in found:
            try:
                replay(played.start, played.events, self._rules)
            except PlayError:
                continue
            possible.append(played)
        if len(possible) > 1:
            name = found[0].start.name
            self._notice(f"frame {name}: which of two equal discards was called is not recorded; read as the first")
        return (*possible, found[0])[0]

    def _ended(self, start: Start, events: Sequence[Event], result: Result, ura: tuple[int, ...]) -> Played:
        """Return the frame of *events* with its *result* and the *ura* dora indicators, shown by winners in riichi."""
        last = events[-1] if events else None
        if type(last) is RiichiAccepted and not _stands(result):
            events = events[:-1]
        if result.draw is not None:
            shown = showing(result.draw, len(start.hands), result.tenpai, last)
            return Played(start, [*events, result.draw], shown=shown)
        if not result.wins:
            return Played(start, [*events])
        riichi = in_riichi(events) if ura else ()
        tile = last_tile(events)
        wins = [
            Win(
                win.player,
                win.source,
                tile,
                win.score,
                win.pao,
                ura if win.player in riichi else (),
                changes=win.changes,
            )
            for win in result.wins
        ]
        return Played(start, [*events, *wins])


def _stands(result: Result) -> bool:
    """Return whether a riichi declared with the last discard is accepted: nobody ronned it, and the frame ended."""
    if result.draw is not None:
        return result.draw.kind is not DrawKind.TRIPLE_RON
    return False
