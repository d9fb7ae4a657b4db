"""Reads the hands of a frame of jmjp, dealt and at the end, and melds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, TypeVar

from jmjp_convert.formats.jmjp.dialects import FROM, SEATS, Dialect
from jmjp_convert.formats.jmjp.reading import slips
from jmjp_convert.formats.jmjp.reading.grammar import Part, Row, word
from jmjp_convert.formats.jmjp.reading.lexer import ANY_COPY, Script, mark, seat, some_tiles, tile, tiles_of
from jmjp_convert.formats.jmjp.reading.slips import Slips
from jmjp_convert.model import Ankan, Call, Chi, Daiminkan, Discard, Draw, Event, Hand, Kakan, Meld, Pon, Start
from jmjp_convert.model.events import shared
from jmjp_convert.model.record import record, replace
from jmjp_convert.model.tiles import RED_FIVES, faces
from jmjp_convert.patterns import regex
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


_HAND = Row(
    word("("),
    Part("([eswn])", lambda script, place: seat(script, place)[0]),
    word(f",{HAND}"),
    Part("[^,]*", _after_closed),
    word(",", slips.TOO_MANY),
    Part("[^,]*", _after_fourteenth),
    word(","),
)
"""A bracketed hand, up to its melds."""

_TILES = rf"\(([eswn]),{re.escape(HAND)}([^,]{{2,{2 * DEALT}}}),([^,]{{0,2}}),"
_DEAL = regex(len(SEATS) * rf"{_TILES}{re.escape(_END)}")
_LYING = regex(len(SEATS) * rf"{_TILES}(|[^()]*\]){re.escape(_END)}")
"""Four bracketed hands: of each, the seat, the closed tiles, the fourteenth and, at the end of a frame, the melds."""

_MELDS_OF = (4, 8, 12, 16)
"""The groups of the melds."""

_DRAWN: dict[str, int | None] = {"": None, **ANY_COPY}

_Closed = tuple[tuple[int, ...], ...]
_Drawn = tuple[int | None, ...]


def dealt(script: Script, place: int, dealer: int) -> tuple[int, _Closed, _Drawn]:
    """Parse the four starting hands, in any order of seats; return by player the closed tiles, ascending, and the
    fourteenth, if there is one."""
    found, by_player, closed, drawn = _four(_DEAL, script, place, dealer, None)
    return found.end(), by_player(closed), by_player(drawn)


def four_hands(script: Script, place: int, dealer: int, melds: MeldReader) -> tuple[int, tuple[Hand, ...]]:
    """Parse four bracketed hands, in any order of seats; return them by player.

    :param melds: parses their melds.
    """
    found, by_player, closed, drawn = _four(_LYING, script, place, dealer, melds.dialect)
    furo: list[tuple[Meld, ...]] = [(), (), (), ()]
    for index, text in enumerate(found.group(*_MELDS_OF)):
        if text:
            player = by_player(range(4)).index(index)
            after, furo[index] = melds.read(script, found.start(_MELDS_OF[index]), player)
            mark(script, after, _END)
    return found.end(), by_player([*map(Hand, closed, drawn, furo)])


_ByPlayer = Callable[[Sequence[Any]], tuple[Any, ...]]
_Four = tuple[re.Match[str], _ByPlayer, list[tuple[int, ...]], list[int | None]]


def _four(pattern: re.Pattern[str], script: Script, place: int, dealer: int, dialect: Dialect | None) -> _Four:
    """Match four bracketed hands with *pattern*; return also what puts values in the order of the hands in order of the
    players, the closed tiles of each hand, ascending, and the fourteenth.

    :param dialect: that of their melds, which are yet to be parsed; ``None`` if they have none.
    """
    found = pattern.match(script.text, place)
    if found is not None:
        groups = found.groups()
        step = len(groups) // len(SEATS)
        try:
            by_player = _by_player(groups[::step], dealer)
            return found, by_player, _ascending_each(groups[1::step]), [_DRAWN[tile] for tile in groups[2::step]]
        except (KeyError, ValueError):
            pass
    seats = ""
    for _ in SEATS:
        hand = _HAND.match(script.text, place)
        if hand is not None and hand[1] in seats:
            raise script.error(place + 1, f"duplicate seat {hand[1]}")
        seats += script.text[place + 1 : place + 2]
        place = hand_alone(script, place, dialect)
    raise AssertionError(place)


@cache
def _by_player(seats: tuple[str, ...], dealer: int) -> _ByPlayer:
    """Return what puts values in the order of *seats* in order of the players.

    :raises ValueError: a seat is missing.
    """
    return itemgetter(*[seats.index(SEATS[player - dealer]) for player in range(len(SEATS))])


def _ascending_each(hands: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the tiles of each of *hands*.

    :raises ValueError: one is not all tiles.
    """
    found: list[tuple[int, ...]] = []
    for held in tiles_of(hands):
        tiles = [*held]
        tiles.sort()
        found.append(tuple(tiles))
    return found


def hand_alone(script: Script, place: int, dialect: Dialect | None) -> int:
    """Return the place after the bracketed hand at *place*.

    :param dialect: that of its melds; ``None`` if it has none.
    """
    place = _HAND.after(script, place)
    if dialect is not None:
        place, _ = MeldReader(dialect, ([], [], [], [])).read(script, place, 0)
    return mark(script, place, _END)


@record
class MeldReader:
    """Parses the melds in a hand. *declared* has the frame's melds by player, with the tiles that a *dialect* may omit
    in hands."""

    dialect: Dialect
    declared: tuple[list[Meld], ...]

    def read(self, script: Script, place: int, player: int) -> tuple[int, tuple[Meld, ...]]:
        """Parse the melds of *player*, newest first; return them oldest first."""
        text, all_tiles = script.text, self.dialect.all_tiles
        melds: list[Meld] = []
        while len(melds) < MOST_MELDS and not text.startswith("]", place):
            end = text.find("]", place) + 1
            key = (player, all_tiles, text[place:end])
            meld = _KNOWN.get(key)
            if meld is None:
                end, meld = self._parsed(script, place, player)
                if len(_KNOWN) < _MOST_KNOWN:
                    _KNOWN[key] = meld
            if not all_tiles:
                meld = next((known for known in self.declared[player] if _is_short_for(meld, known)), meld)
            melds.append(meld)
            place = end
        melds.reverse()
        return place, tuple(melds)

    def _parsed(self, script: Script, place: int, player: int) -> tuple[int, Meld]:
        word = script.text[place : place + len("chi[")]
        if word not in _MELDS:
            raise script.expected(place, "a meld or ']'", slips.MELDS)
        all_tiles = self.dialect.all_tiles
        within = _Bracket(player, all_tiles, slips.MELD_FORMS[all_tiles][word])
        end, meld = _MELDS[word](script, place + len(word), within)
        return end, shared(meld)


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


# --- red fives that are left out --------------------------------------------------------------------------------------

_RED = {plain(ANY_COPY[face]): ANY_COPY[face] for face in RED_FIVES.values()}
"""The red five of each plain five."""

_Unnamed = Pon | Daiminkan | Ankan
_Any = TypeVar("_Any", bound=Event)


def complete(start: Start, events: list[Event], hands: tuple[Hand, ...]) -> tuple[list[Event], tuple[Hand, ...]]:
    """Insert the red fives into the melds of *events* and of the *hands* at the end that must hold them.

    A meld of fives with unnamed tiles holds the red five if its caller had it and it has not gone elsewhere.
    """
    for event in [event for event in events if isinstance(event, _Unnamed)]:
        if (red := _RED.get(_kind(event))) is not None:
            owner = event.player
            if red in _had(owner, start, events) and red not in _gone(owner, events, hands[owner]):
                meld = _with_red(event, red)
                events = [_exchanged(other, event, meld) for other in events]
                hands = tuple(
                    replace(hand, melds=tuple(_exchanged(lying, event, meld) for lying in hand.melds)) for hand in hands
                )
    return events, hands


def can_be_inferred(start: Start, events: Sequence[Event], hands: tuple[Hand, ...]) -> bool:
    """Return whether the tiles of all melds can be inferred if they are not named.

    They cannot where an unknown tile may be a red five, where a tile is known only from a meld, or where a kakan at the
    end differs from the declared one.
    """
    kakans = {meld for hand in hands for meld in hand.melds if isinstance(meld, Kakan)}
    alike = {(kan.player, kan.pon.taken, kan.pon.source) for kan in kakans}
    if len(alike) < len(kakans) or not kakans.issubset(events):
        return False
    bare = tuple(replace(hand, melds=tuple(map(_bare, hand.melds))) for hand in hands)
    return complete(start, list(map(_bare, events)), bare) == ([*events], hands)


def _bare(event: _Any) -> _Any:
    """Return *event*, with plain tiles for those that dialect 0 does not name in a meld."""
    if isinstance(event, Pon | Daiminkan):
        return replace(event, hand=(plain(event.taken),) * len(event.hand))
    if isinstance(event, Ankan):
        return replace(event, tiles=(plain(event.tiles[-1]),) * len(event.tiles))
    return replace(event, pon=_bare(event.pon)) if isinstance(event, Kakan) else event


def _kind(meld: _Unnamed) -> int:
    return plain(meld.tiles[-1] if isinstance(meld, Ankan) else meld.taken)


def _had(owner: int, start: Start, events: list[Event]) -> set[int]:
    """Return the tiles that *owner* was dealt or drew."""
    drawn = {event.tile for event in events if isinstance(event, Draw) and event.player == owner}
    dealt = {start.fourteenth} if owner == start.dealer and start.fourteenth is not None else set()
    return drawn.union(start.hands[owner], dealt)


def _gone(owner: int, events: list[Event], lying: Hand) -> set[int]:
    """Return the tiles that *owner* discarded, put into melds or holds at the end."""
    gone = set(lying.tiles) | ({lying.drawn} if lying.drawn is not None else set())
    for event in events:
        if isinstance(event, Discard | Kakan) and event.player == owner:
            gone.add(event.tile)
        elif isinstance(event, Call) and event.player == owner:
            gone.update(event.hand)
        elif isinstance(event, Ankan) and event.player == owner:
            gone.update(event.tiles)
    return gone


def _with_red(meld: _Unnamed, red: int) -> _Unnamed:
    if isinstance(meld, Ankan):
        return replace(meld, tiles=(red, *meld.tiles[1:]))
    return replace(meld, hand=(red, *meld.hand[1:]))


def _exchanged(event: _Any, old: _Unnamed, new: _Unnamed) -> _Any:
    """Return *event* with *old* replaced by *new*."""
    if event == old:
        return new  # type: ignore[return-value]
    if isinstance(event, Kakan) and event.pon == old and isinstance(new, Pon):
        return replace(event, pon=new)
    return event
