"""Turn elements with attributes (INIT, N, REACH, AGARI, RYUUKYOKU, …) into events.

mjlog gives points in hundreds, except ``AGARI ten``, which is in points. With three players, the empty seat is in every
list with zero or an empty value, and is left out here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.bounds import MOST_HAN
from jmjp_convert.formats.mjlog import meld_codes
from jmjp_convert.formats.mjlog.tags import DRAW_KINDS, HANDS
from jmjp_convert.formats.mjlog.values import counted, number, numbers, pairs, points, tile, tiles
from jmjp_convert.model import (
    SEATS,
    Disconnected,
    DoraRevealed,
    Event,
    Limit,
    Meld,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Score,
    Start,
    Win,
    Yaku,
)
from jmjp_convert.model.events import ACCEPTED, DECLARED
from jmjp_convert.model.tiles import PHYSICAL
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.play.position import DEALT

Attributes = Mapping[str, str]
_T = TypeVar("_T")

_ROUNDS = 16
_SEED = 6
_TEN = 3
_STAKES = 2
_LIMITS = {limit.value: limit for limit in Limit}
_PLAYERS = {players: {str(who): who for who in range(players)} for players in (3, SEATS)}


def player(attributes: Attributes, name: str, players: int) -> int:
    """Return the player given by the attribute *name*."""
    who = _PLAYERS[players].get(attributes[name])
    if who is None:
        raise ConvertError(f"{name}={attributes[name]} is not a player (0 to {players - 1})")
    return who


def by_player(values: tuple[_T, ...], what: str, players: int) -> tuple[_T, ...]:
    """Return *values*, given for four seats or for the *players*, for the players only."""
    if len(values) not in (players, SEATS):
        raise ConvertError(f"{what} has {counted(len(values), 'value')}; {SEATS} expected")
    return values[:players]


_Points = tuple[int, ...]


def _payment(attributes: Attributes, players: int) -> tuple[_Points, _Points, _Points | None]:
    """Parse ``sc``: by player, the points before, their changes, and in chip games the changes in chips."""
    values = points(attributes["sc"])
    if len(values) in (2 * players, 2 * SEATS):
        chips = None
    elif len(values) == 4 * SEATS:
        chips = numbers(attributes["sc"])[2 * SEATS + 1 :: 2][:players]
    else:
        raise ConvertError(f"sc has {counted(len(values), 'value')}; {2 * SEATS} or {4 * SEATS} expected")
    return values[: 2 * players : 2], values[1 : 2 * players : 2], chips


def start(attributes: Attributes, players: int) -> Start:
    """Return the start of the frame that ``INIT`` begins."""
    seed = numbers(attributes["seed"])
    if len(seed) != _SEED:
        raise ConvertError(f"seed has {counted(len(seed), 'value')}; {_SEED} expected")
    round_, honba, sticks, first, second, indicator = seed
    dice = _DICE.get((first, second))
    if not (0 <= round_ < _ROUNDS and honba >= 0 and sticks >= 0 and dice):
        raise ConvertError(f"seed={attributes['seed']!r}; round, honba, sticks, two dice and a dora indicator expected")
    if not 0 <= indicator < PHYSICAL:
        raise ConvertError(f"dora indicator {indicator} is not a tile (0 to {PHYSICAL - 1})")
    dealer = player(attributes, "oya", players)
    if dealer != round_ % 4:
        raise ConvertError(f"oya={dealer}; oya={round_ % 4} expected from the round")
    return Start(
        round_,
        honba,
        sticks,
        dealer,
        dice,
        by_player(points(attributes["ten"]), "ten", players),
        _deal(attributes, players),
        indicator,
        attributes.get("shuffle"),
        by_player(numbers(attributes["chip"]), "chip", players) if "chip" in attributes else None,
    )


_DICE = {(first, second): (first + 1, second + 1) for first in range(6) for second in range(6)}


def _deal(attributes: Attributes, players: int) -> tuple[tuple[int, ...], ...]:
    hands = tuple([tiles(attributes[name]) for name in _HANDS[players]])
    for name, hand in zip(HANDS, hands, strict=False):
        if len(hand) != DEALT:
            raise ConvertError(f"{name} has {counted(len(hand), 'tile')}; {DEALT} expected")
    if players < SEATS and attributes.get(HANDS[-1]):
        raise ConvertError(f"{HANDS[-1]} has tiles, but there are only {players} players")
    return hands


_HANDS = {players: HANDS[:players] for players in _PLAYERS}


def _meld(attributes: Attributes, players: int) -> Meld:
    return _decoded(player(attributes, "who", players), attributes["m"], players)


def _decoded(who: int, code: str, players: int) -> Meld:
    meld = meld_codes.decode(who, number(code))
    if players < SEATS and getattr(meld, "source", 0) >= players:
        raise ConvertError(f"the meld takes a tile from an empty seat (players are 0 to {players - 1})")
    return meld


def _riichi(attributes: Attributes, players: int) -> RiichiDeclared | RiichiAccepted:
    who = player(attributes, "who", players)
    step = attributes["step"]
    if step == "1":
        return DECLARED[who]
    if step != "2":
        raise ConvertError(f"step={step!r}; 1 or 2 expected")
    ten = attributes.get("ten")
    return RiichiAccepted(who, by_player(points(ten), "ten", players)) if ten else ACCEPTED[who]


def _dora(attributes: Attributes, _players: int) -> DoraRevealed:
    return DoraRevealed(tile(attributes["hai"]))


def _bye(attributes: Attributes, players: int) -> Disconnected:
    return Disconnected(player(attributes, "who", players))


@lru_cache(maxsize=1024)
def _stakes(ba: str) -> tuple[int, int]:
    """Return the honba and the riichi sticks."""
    values = numbers(ba)
    if len(values) != _STAKES:
        raise ConvertError(f"ba has {counted(len(values), 'value')}; {_STAKES} expected")
    return values[0], values[1]


def _win(attributes: Attributes, players: int) -> Win:
    get = attributes.get
    before, changes, chips = _payment(attributes, players)
    honba, sticks = _stakes(attributes["ba"])
    who, source = player(attributes, "who", players), player(attributes, "fromWho", players)
    return Win(
        who,
        None if source == who else source,
        tile(attributes["machi"]),
        _score(attributes["ten"], get("yaku", ""), get("yakuman", "")),
        player(attributes, "paoWho", players) if "paoWho" in attributes else None,
        tiles(get("doraHaiUra", "")),
        sticks,
        before,
        changes,
        tiles(attributes["hai"]),
        _shown_melds(who, attributes["m"], players) if "m" in attributes else (),
        tiles(attributes["doraHai"]),
        chips,
        pairs(attributes["chip"]) if "chip" in attributes else (),
        honba,
    )


def _shown_melds(who: int, codes: str, players: int) -> tuple[Meld, ...]:
    """Return the melds of ``AGARI m`` oldest first; the log has the newest first."""
    return tuple([_decoded(who, code, players) for code in reversed(codes.split(","))])


@lru_cache(maxsize=4096)
def _score(ten: str, yaku: str, yakuman: str) -> Score:
    values = numbers(ten)
    if len(values) != _TEN or min(values) < 0 or values[1] % 100 or values[2] not in _LIMITS:
        raise ConvertError(f"ten={ten!r}; fu, points and limit expected")
    fu, worth, limit = values
    found = tuple([_yaku(*one) for one in pairs(yaku)]) if yaku else ()
    found += tuple(map(_yaku, numbers(yakuman))) if yakuman else ()
    if not found:
        raise ConvertError("win without yaku")
    return Score(fu, worth, _LIMITS[limit], found)


@lru_cache(maxsize=1024)
def _yaku(number: int, han: int | None = None) -> Yaku:
    if not 0 <= number < len(NAMES):
        raise ConvertError(f"{number} is not a yaku (0 to {len(NAMES) - 1})")
    if han is not None and not 0 <= han <= MOST_HAN:
        raise ConvertError(f"yaku {number} has {han} han; 0 to {MOST_HAN} expected")
    return Yaku(number, han)


def _ryuukyoku(attributes: Attributes, players: int) -> Ryuukyoku:
    kind = attributes.get("type")
    if kind not in DRAW_KINDS:
        raise ConvertError(f"type={kind!r} is not a kind of draw")
    before, changes, chips = _payment(attributes, players)
    honba, sticks = _stakes(attributes["ba"])
    shown = [tiles(attributes[hand]) if hand in attributes else None for hand in _HANDS[players]]
    return Ryuukyoku(
        kind=DRAW_KINDS[kind],
        shown=tuple(shown),
        sticks=sticks,
        before=before,
        changes=changes,
        chips=chips,
        honba=honba,
    )


EVENTS: dict[str, Callable[[Attributes, int], Event]] = {
    "N": _meld,
    "REACH": _riichi,
    "DORA": _dora,
    "BYE": _bye,
    "AGARI": _win,
    "RYUUKYOKU": _ryuukyoku,
}
"""By tag, the function that makes an event from the attributes and the number of players.

:raises ConvertError: a value is invalid.
:raises KeyError: an attribute is missing.
"""
