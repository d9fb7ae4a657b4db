"""Parse hands and their melds."""

from __future__ import annotations

import re
from collections.abc import Callable

from jmjp_convert.formats.jmjp.dialects import FROM, SEATS, Dialect
from jmjp_convert.formats.jmjp.reading import slips
from jmjp_convert.formats.jmjp.reading.grammar import Part, Row, word
from jmjp_convert.formats.jmjp.reading.lexer import Script
from jmjp_convert.formats.jmjp.reading.primitives import ANY_COPY, mark, seat, some_tiles, tile, tiles_of
from jmjp_convert.formats.jmjp.reading.slips import Slips
from jmjp_convert.model import Ankan, Chi, Daiminkan, Hand, Kakan, Meld, Pon
from jmjp_convert.model.record import record
from jmjp_convert.model.tiles import faces
from jmjp_convert.play.position import DEALT

HAND = "hnd["
MOST_MELDS = 4
_GIVERS = {letter: step for step, letter in FROM.items()}
_END = "])"
_PON, _DAIMINKAN, _ANKAN = 2, 3, 4  # tiles from the hand


def _after_closed(script: Script, place: int) -> int:
    """Return the place after the closed tiles of a hand, at least one."""
    for _ in range(DEALT):
        place, _tile = tile(script, place)
        if script.text.startswith(",", place):
            break
    return place


def _after_fourteenth(script: Script, place: int) -> int:
    return place if script.text.startswith(",", place) else tile(script, place)[0]


_HAND = (
    word("("),
    Part("([eswn])", lambda script, place: seat(script, place)[0]),
    word(f",{HAND}"),
    Part("([^,]*)", _after_closed),
    word(",", slips.TOO_MANY),
    Part("([^,]*)", _after_fourteenth),
    word(","),
)
"""A bracketed hand, up to its melds."""

_LYING = Row(*_HAND, Part(rf"({re.escape(_END)})?", lambda _script, place: place))
_DEAL = Row(*len(SEATS) * (*_HAND, word(_END)))

_Tiles = tuple[tuple[int, ...], int | None]
"""The closed tiles of a hand, ascending, and the fourteenth, if there is one."""


def dealt(script: Script, place: int, dealer: int) -> tuple[int, list[_Tiles]]:
    """Parse the four starting hands; return their tiles by player."""
    found = _DEAL.match(script.text, place)
    if found is not None and (hands := _by_player(found.groups(), dealer)) is not None:
        return found.end(), hands
    four_hands(script, place, dealer)  # raises the error
    raise AssertionError(place)


def _by_player(groups: tuple[str, ...], dealer: int) -> list[_Tiles] | None:
    """Return the tiles of a deal by player, ``None`` if a tile is invalid or a seat appears twice."""
    seats, closed, drawn = groups[::3], groups[1::3], groups[2::3]
    try:
        order = [seats.index(SEATS[player - dealer]) for player in range(len(SEATS))]
        return [_tiles(closed[place], drawn[place]) for place in order]
    except (KeyError, ValueError):
        return None


def _tiles(closed: str, drawn: str) -> _Tiles:
    """Return the tiles of a hand.

    :raises ValueError: *closed* has an invalid tile, no tiles or too many.
    :raises KeyError: *drawn* is not a tile.
    """
    held = sorted(tiles_of(closed))
    if not 1 <= len(held) <= DEALT:
        raise ValueError(closed)
    return tuple(held), ANY_COPY[drawn] if drawn else None


def four_hands(
    script: Script, place: int, dealer: int, melds: MeldReader | None = None
) -> tuple[int, tuple[Hand, ...]]:
    """Parse four bracketed hands, in any order of seats; return them by player.

    :param melds: parses their melds; ``None`` for starting hands, which have none.
    """
    hands: dict[int, Hand] = {}
    for _ in SEATS:
        found = _LYING.match(script.text, place)
        if found is None:
            raise _LYING.error(script, place)
        seat, closed, drawn, end = found.groups()
        player = (dealer + SEATS.index(seat)) % 4
        if player in hands:
            raise script.error(place + 1, f"duplicate seat {seat}")
        try:
            held, fourteenth = _tiles(closed, drawn)
        except (KeyError, ValueError):
            raise _LYING.error(script, place) from None
        place = found.end()
        furo: tuple[Meld, ...] = ()
        if end is None:
            if melds is not None:
                place, furo = melds.read(script, place, player)
            place = mark(script, place, _END)
        hands[player] = Hand(held, fourteenth, furo)
    return place, (hands[0], hands[1], hands[2], hands[3])


def hand_alone(script: Script, place: int, dialect: Dialect) -> int:
    """Return the place after the bracketed hand at *place*, which may have melds."""
    found = _LYING.match(script.text, place)
    if found is None:
        raise _LYING.error(script, place)
    _, closed, drawn, end = found.groups()
    try:
        _tiles(closed, drawn)
    except (KeyError, ValueError):
        raise _LYING.error(script, place) from None
    if end is not None:
        return found.end()
    place, _ = MeldReader(dialect, ([], [], [], [])).read(script, found.end(), 0)
    return mark(script, place, _END)


@record
class MeldReader:
    """Parses the melds in a hand. *declared* has the frame's melds by player, with the tiles that a *dialect* may omit
    in hands."""

    dialect: Dialect
    declared: tuple[list[Meld], ...]

    def read(self, script: Script, place: int, player: int) -> tuple[int, tuple[Meld, ...]]:
        """Parse the melds of *player*, newest first; return them oldest first."""
        melds: list[Meld] = []
        while len(melds) < MOST_MELDS and not script.text.startswith("]", place):
            place, meld = self._meld(script, place, player)
            melds.append(meld)
        return place, tuple(reversed(melds))

    def _meld(self, script: Script, place: int, player: int) -> tuple[int, Meld]:
        end = script.text.find("]", place) + 1
        key = (player, self.dialect.all_tiles, script.text[place:end])
        meld = _KNOWN.get(key)
        if meld is None:
            word = script.text[place : place + len("chi[")]
            if word not in _MELDS:
                raise script.expected(place, "a meld or ']'", slips.MELDS)
            all_tiles = self.dialect.all_tiles
            within = _Bracket(player, all_tiles, slips.MELD_FORMS[all_tiles][word])
            end, meld = _MELDS[word](script, place + len(word), within)
            if len(_KNOWN) < _MOST_KNOWN:
                _KNOWN[key] = meld
        if not self.dialect.all_tiles:
            meld = next((known for known in self.declared[player] if _is_short_for(meld, known)), meld)
        return end, meld


_KNOWN: dict[tuple[int, bool, str], Meld] = {}
"""Parsed melds, by player, whether the dialect names all tiles, and text; the same melds recur in all games."""

_MOST_KNOWN = 1 << 14


@record
class _Bracket:
    """The bracket of a meld: whose it is, whether its *dialect* names all tiles, and the usual slips in it."""

    player: int
    all_tiles: bool
    usual: Slips


def _giver(script: Script, place: int, within: _Bracket) -> tuple[int, int]:
    step = _GIVERS.get(script.text[place : place + 1])
    if step is None:
        raise script.expected(place, "k, t or s (kamicha, toimen or shimocha)", (*slips.GIVERS, *within.usual))
    return mark(script, place + 1, "]", within.usual), (within.player + step) % 4


def _chi(script: Script, place: int, within: _Bracket) -> tuple[int, Chi]:
    place, taken = some_tiles(script, place, 1, ",", within.usual)
    place, hand = some_tiles(script, place, _PON, "]", within.usual)
    return place, Chi(within.player, taken[0], _ascending(hand), (within.player + 3) % 4)


def _claimed(script: Script, place: int, count: int, within: _Bracket) -> tuple[int, int, tuple[int, ...]]:
    """Parse the called tile and the *count* tiles from the hand."""
    place, taken = some_tiles(script, place, 1, ",", within.usual)
    if not within.all_tiles:
        return place, taken[0], (plain(taken[0]),) * count
    place, hand = some_tiles(script, place, count, ",", within.usual)
    return place, taken[0], _ascending(hand)


def _pon(script: Script, place: int, within: _Bracket) -> tuple[int, Pon]:
    place, taken, hand = _claimed(script, place, _PON, within)
    place, source = _giver(script, place, within)
    return place, Pon(within.player, taken, hand, source)


def _daiminkan(script: Script, place: int, within: _Bracket) -> tuple[int, Daiminkan]:
    place, taken, hand = _claimed(script, place, _DAIMINKAN, within)
    place, source = _giver(script, place, within)
    return place, Daiminkan(within.player, taken, hand, source)


def _kakan(script: Script, place: int, within: _Bracket) -> tuple[int, Kakan]:
    if within.all_tiles:
        place, (added,) = some_tiles(script, place, 1, ",", within.usual)
        place, pon = _pon(script, place, within)
        return place, Kakan(within.player, added, pon)
    place, pon = _pon(script, place, within)
    return place, Kakan(within.player, plain(pon.taken), pon)


def _ankan(script: Script, place: int, within: _Bracket) -> tuple[int, Ankan]:
    place, shown = some_tiles(script, place, _ANKAN if within.all_tiles else 1, "]", within.usual)
    return place, Ankan(within.player, _ascending(shown) if within.all_tiles else (plain(shown[0]),) * _ANKAN)


_MELDS: dict[str, Callable[[Script, int, _Bracket], tuple[int, Meld]]] = {
    "chi[": _chi,
    "pon[": _pon,
    "dmk[": _daiminkan,
    "kkn[": _kakan,
    "ank[": _ankan,
}


def _ascending(hand: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(hand))


def plain(face_only: int) -> int:
    """Return the plain tile of a tile that may be a red five."""
    face = faces(red_fives=True)[face_only]
    return ANY_COPY[f"5{face[1]}" if face[0] == "0" else face]


def _is_short_for(meld: Meld, known: Meld) -> bool:
    """Return whether *meld*, which omits some of its tiles, can be *known*."""
    if isinstance(meld, Kakan) and isinstance(known, Kakan):
        return _is_short_for(meld.pon, known.pon)
    if isinstance(meld, Ankan) and isinstance(known, Ankan):
        return plain(known.tiles[-1]) == meld.tiles[-1]
    if isinstance(meld, Pon | Daiminkan) and type(known) is type(meld):
        return (known.taken, known.source) == (meld.taken, meld.source)
    return False
