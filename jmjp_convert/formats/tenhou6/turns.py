"""Read what one player does in a frame, turn by turn: an incoming tile or call, and what goes out for it.

The two rows of a player run in parallel: a 0 goes out for a daiminkan, and nothing for the last turn if it ends the
frame. So what happens in each turn is known before the order of the players' turns is.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, NamedTuple

from jmjp_convert.formats.safe_json import shown
from jmjp_convert.formats.tenhou6.notation import NO_DISCARD, TILES, TSUMOGIRI, meld_of
from jmjp_convert.formats.tenhou6.values import WrongValue, expected, listed
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    SEATS,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Draw,
    Event,
    Kakan,
    Kita,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
)
from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import any_copy, faces, kind, other_copy

MOST_TURNS = 200
"""The maximum length of a row: a wall has fewer tiles."""

_FACES = faces(red_fives=True)
_RIICHI = "r"
_OTHER = {tile: other_copy(_FACES[tile]) for tile in TILES.values()}
_DECLARED = tuple(map(RiichiDeclared, range(SEATS)))
_ACCEPTED = tuple(map(RiichiAccepted, range(SEATS)))
_CALLS = (Chi, Pon, Daiminkan)
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
    call: Chi | Pon | Daiminkan | None = None
    thrown: int | None = None
    again: bool = False


Plain = tuple[Draw, Discard]

_PLAIN: tuple[dict[tuple[int | str, int | str], Plain], ...] = tuple(
    {
        (number, out): (DRAWS[player][tile], DISCARDS[player][tile if out == TSUMOGIRI else other])
        for number, tile in TILES.items()
        for out, other in (
            *((out, thrown if out != number else _OTHER[tile]) for out, thrown in TILES.items()),
            (TSUMOGIRI, tile),
        )
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
    _types(outs, going)
    if str in words and any("m" in take for take in takes if type(take) is str):
        outs = _aligned(takes, outs)
    special = _Special(player, players, coming, going)
    found = [
        _PLAIN[player].get(pair) or special.turn(index, *pair) for index, pair in enumerate(zip_longest(takes, outs))
    ]
    return Row(found, {index: turn for index, turn in enumerate(found) if type(turn) is Turn and turn.call})


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


class _Special:
    """The turns of a player that are not just a draw and a discard."""

    def __init__(self, player: int, players: int, coming: str, going: str) -> None:
        self._player, self._players = player, players
        self._coming, self._going = coming, going
        self._pons: dict[int | None, Pon] = {}

    def turn(self, index: int, take: int | str | None, out: int | str | None) -> Turn:
        """Return the turn of *take* and *out*, either of which is ``None`` if it is missing."""
        if take is None:
            raise WrongValue(f"player {self._player} discards without having drawn", f"{self._going}/{index}")
        call = self._call(take, index) if type(take) is str else None
        drawn = None if call else self._tile(take, f"{self._coming}/{index}")
        events: tuple[Event, ...] = (call or DRAWS[self._player][drawn],)  # type: ignore[index]
        if (out == NO_DISCARD) != isinstance(call, Daiminkan) and out is not None:
            what = "a discard" if out == NO_DISCARD else "0, since a daiminkan has no discard,"
            raise WrongValue(f"expected {what}, found {shown(out)}", f"{self._going}/{index}")
        if out in (None, NO_DISCARD):
            return Turn(events, call, again=out == NO_DISCARD)
        word = out if type(out) is str else ""
        if word and not word.startswith(_RIICHI):
            return Turn((*events, self._declaration(word, index)), call, again=True)
        thrown = self._thrown(word.removeprefix(_RIICHI) if word else out, drawn, f"{self._going}/{index}")
        discard = DISCARDS[self._player][thrown]
        if word:
            discarded = (_DECLARED[self._player], discard, _ACCEPTED[self._player])
            return Turn((*events, *discarded), call, thrown=any_copy(_FACES[thrown]))
        return Turn((*events, discard), call, thrown=any_copy(_FACES[thrown]))

    def _tile(self, number: Any, pointer: str) -> int:
        try:
            return TILES[number]
        except KeyError:
            raise expected("a tile", number, pointer) from None

    def _thrown(self, number: Any, drawn: int | None, pointer: str) -> int:
        """Return the tile discarded after *drawn*: that tile, another copy of its face, or another face."""
        if type(number) is str:
            if not (number.isascii() and number.isdecimal()):
                raise expected("a tile after the r", number, pointer)
            number = int(number[:3])
        if number == TSUMOGIRI:
            if drawn is None:
                raise WrongValue(f"player {self._player} discards the drawn tile without having drawn", pointer)
            return drawn
        tile = self._tile(number, pointer)
        return tile if tile != drawn else _OTHER[tile]

    def _call(self, word: str, index: int) -> Chi | Pon | Daiminkan:
        pointer = f"{self._coming}/{index}"
        call = self._meld(word, pointer)
        if not isinstance(call, _CALLS):
            raise expected("a tile, chi, pon or daiminkan", word, pointer)
        if isinstance(call, Pon):
            self._pons[kind(call.taken)] = call
        return call

    def _declaration(self, word: str, index: int) -> Kakan | Ankan | Kita:
        pointer = f"{self._going}/{index}"
        meld = self._meld(word, pointer)
        if not isinstance(meld, _DECLARATIONS):
            raise expected("a discard, kakan, ankan or kita", word, pointer)
        return self._with_own_pon(meld) if isinstance(meld, Kakan) else meld

    def _meld(self, word: str, pointer: str) -> Any:
        try:
            return meld_of(word, self._player, self._players)
        except ValueError:
            raise expected("a meld", word, pointer) from None

    def _with_own_pon(self, kan: Kakan) -> Kakan:
        """Return *kan* with the pon that the player has called, and the tile that is not in that pon."""
        pon = self._pons.get(kind(kan.tile))
        if pon is None:
            return kan
        left = [kan.tile, kan.pon.taken, *kan.pon.hand]
        for tile in (pon.taken, *pon.hand):
            if tile in left:
                left.remove(tile)
        return Kakan(kan.player, left[0] if len(left) == 1 else kan.tile, pon)
