"""Read what one player does in a frame, turn by turn: an incoming tile or call, and what goes out for it.

The two rows of a player run in parallel: a 0 goes out for a daiminkan, and nothing for the last turn if it ends the
frame. So what happens in each turn is known before the order of the players' turns is.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

from jmjp_convert.formats.json_text import shown
from jmjp_convert.formats.tenhou6.notation import NO_DISCARD, TILES, TSUMOGIRI, meld_of
from jmjp_convert.formats.tenhou6.values import WrongValue, expected, listed
from jmjp_convert.messages import Message, Who
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    SEATS,
    Ankan,
    Call,
    Daiminkan,
    Discard,
    Draw,
    Event,
    Kakan,
    Kita,
    Pon,
)
from jmjp_convert.model.events import ACCEPTED, DECLARED
from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import kind

MOST_TURNS = 200
"""The maximum length of a row: a wall has fewer tiles."""

_RIICHI = "r"
_DECLARATIONS = (Kakan, Ankan, Kita)
_WORDS = frozenset((int, str))


@record
class Turn:
    """A turn that is not just a draw and a discard.

    :ivar events: what happens in it. A riichi is accepted right after its discard.
    :ivar call: the call that it begins with; ``None`` if it begins with a draw.
    :ivar thrown: the tile discarded, if any.
    :ivar again: whether the next turn is the same player's, with a replacement tile.
    """

    events: tuple[Event, ...]
    call: Call | None = None
    thrown: int | None = None
    again: bool = False


Plain = tuple[Draw, Discard]

_PLAIN: tuple[dict[tuple[int | str, int | str], Plain], ...] = tuple(
    {
        (number, out): (DRAWS[player][tile], DISCARDS[out == TSUMOGIRI][player][thrown])
        for number, tile in TILES.items()
        for out, thrown in (*TILES.items(), (TSUMOGIRI, tile))
    }
    for player in range(SEATS)
)
"""By player and the two numbers of a turn, the draw and discard: almost all turns are in this table."""

_NO_CALLS: dict[int, Turn] = {}


class Row(NamedTuple):
    """The turns of a player, and by index those that begin with a call."""

    turns: list[Plain | Turn]
    calls: dict[int, Turn]


def turns_of(rows: tuple[Any, Any], player: int, players: int, pointer: str, first: int) -> Row:
    """Return the turns of *player*.

    :param rows: what comes in, and what goes out.
    :param pointer: the JSON pointer to the frame.
    :param first: the index of the first row in it; the other is the next item.
    :raises WrongValue: a row is malformed.
    """
    takes, outs = rows
    coming, going = f"{pointer}/{first}", f"{pointer}/{first + 1}"
    try:
        found: list[Any] = list(map(_PLAIN[player].get, zip(takes, outs, strict=True)))
        if None not in found and len(found) <= MOST_TURNS:
            return Row(found, _NO_CALLS)
    except (TypeError, ValueError):  # not lists of numbers and texts, or not of the same length
        pass
    words = _types(takes, coming)
    words_out = _types(outs, going)
    if str in words and any("m" in take for take in takes if type(take) is str):
        outs = _aligned(takes, outs)
    plain = _PLAIN[player]
    found = [plain.get(pair) or _turn(player, players, *pair) for pair in zip_longest(takes, outs)]
    for index, turn in enumerate(found):
        if type(turn) is _Wrong:
            raise WrongValue(turn.reason, f"{(coming, going)[turn.row]}/{index}")
    calls = {index: turn for index, turn in enumerate(found) if type(turn) is Turn and turn.call}
    if str in words_out:
        _join_pons(found, calls)
    return Row(found, calls)


def _types(row: Any, pointer: str) -> set[type]:
    """Return the types of the words in *row*, a list of numbers and strings."""
    if len(listed(row, pointer)) > MOST_TURNS:
        raise WrongValue(f"{len(row):,} turns; at most {MOST_TURNS} expected", pointer)
    types = set(map(type, row))
    if not types <= _WORDS:
        wrong = next(index for index, word in enumerate(row) if type(word) not in _WORDS)
        raise expected("a tile or a meld", row[wrong], f"{pointer}/{wrong}")
    return types


def _aligned(takes: list[Any], outs: list[Any]) -> list[Any]:
    """Return *outs* with the 0 for each daiminkan, which Tenhou leaves out if nothing goes out after it."""
    outs = [*outs]
    for index, take in enumerate(takes):
        if type(take) is str and "m" in take and outs[index : index + 1] != [NO_DISCARD]:
            outs.insert(index, NO_DISCARD)
    return outs


class _Wrong(NamedTuple):
    """A malformed turn: the problem, and whether it is in what comes in (0) or goes out (1)."""

    reason: str | Message
    row: int


_IN, _OUT = range(2)


@lru_cache(maxsize=1 << 14)
def _turn(player: int, players: int, take: int | str | None, out: int | str | None) -> Turn | _Wrong:
    """Return the turn of *take* and *out*; a missing one is ``None``."""
    try:
        return _Special(player, players).turn(take, out)
    except _WrongTurn as wrong:
        return wrong.args[0]  # type: ignore[no-any-return]


def _join_pons(found: list[Any], calls: dict[int, Turn]) -> None:
    """Give each kakan among the turns *found* the pon that the player has called, and the tile that is not in it."""
    for index, turn in enumerate(found):
        if type(turn) is Turn and isinstance(turn.events[-1], Kakan):
            kan = turn.events[-1]
            pons = [calls[place].call for place in calls if place <= index]
            pon = next((pon for pon in pons if isinstance(pon, Pon) and kind(pon.taken) == kind(kan.tile)), None)
            if pon is not None:
                events = (*turn.events[:-1], Kakan(kan.player, _added(kan, pon), pon))
                found[index] = Turn(events, turn.call, again=True)


def _added(kan: Kakan, pon: Pon) -> int:
    """Return the tile of *kan* that is not in *pon*."""
    left = [kan.tile, kan.pon.taken, *kan.pon.hand]
    for tile in (pon.taken, *pon.hand):
        if tile in left:
            left.remove(tile)
    return left[0] if len(left) == 1 else kan.tile


class _WrongTurn(Exception):  # noqa: N818 - the place, unknown here, makes the error
    """A malformed turn."""


def _wrong(reason: str | Message, row: int) -> _WrongTurn:
    return _WrongTurn(_Wrong(reason, row))


def _expected(what: str, value: Any, row: int) -> _WrongTurn:
    return _wrong(f"expected {what}, found {shown(value)}", row)


class _Special:
    """The turns of a player that are not just a draw and a discard."""

    def __init__(self, player: int, players: int) -> None:
        self._player, self._players = player, players

    def turn(self, take: int | str | None, out: int | str | None) -> Turn:
        """Return the turn of *take* and *out*."""
        if take is None:
            raise self._without("{player} discards without having drawn")
        call = self._call(take) if type(take) is str else None
        drawn = None if call else self._tile(take, _IN)
        events: tuple[Event, ...] = (call or DRAWS[self._player][drawn],)  # type: ignore[index]
        if (out == NO_DISCARD) != isinstance(call, Daiminkan) and out is not None:
            raise _expected("a discard" if out == NO_DISCARD else "0, since a daiminkan has no discard,", out, _OUT)
        if out in (None, NO_DISCARD):
            return Turn(events, call, again=out == NO_DISCARD)
        word = out if type(out) is str else ""
        if word and not word.startswith(_RIICHI):
            return Turn((*events, self._declaration(word)), call, again=True)
        discard = self._discard(word.removeprefix(_RIICHI) if word else out, drawn)
        if word:
            discarded = (DECLARED[self._player], discard, ACCEPTED[self._player])
            return Turn((*events, *discarded), call, thrown=discard.tile)
        return Turn((*events, discard), call, thrown=discard.tile)

    def _without(self, template: str) -> _WrongTurn:
        """Return the error for a discard of the player without a draw."""
        return _wrong(Message(template, player=Who(self._player)), _OUT)

    def _tile(self, number: Any, row: int) -> int:
        try:
            return TILES[number]
        except KeyError:
            raise _expected("a tile", number, row) from None

    def _discard(self, number: Any, drawn: int | None) -> Discard:
        """Return the discard of *number* after the tile *drawn*."""
        if type(number) is str:
            if not (number.isascii() and number.isdecimal()):
                raise _expected("a tile after the r", number, _OUT)
            number = int(number[:3])
        if number == TSUMOGIRI:
            if drawn is None:
                raise self._without("{player} discards the drawn tile without having drawn")
            return DISCARDS[True][self._player][drawn]
        return DISCARDS[False][self._player][self._tile(number, _OUT)]

    def _call(self, word: str) -> Call:
        call = self._meld(word, _IN)
        if not isinstance(call, Call):
            raise _expected("a tile, chi, pon or daiminkan", word, _IN)
        return call

    def _declaration(self, word: str) -> Kakan | Ankan | Kita:
        meld = self._meld(word, _OUT)
        if not isinstance(meld, _DECLARATIONS):
            raise _expected("a discard, kakan, ankan or kita", word, _OUT)
        return meld

    def _meld(self, word: str, row: int) -> Any:
        try:
            return meld_of(word, self._player, self._players)
        except ValueError:
            raise _expected("a meld", word, row) from None
