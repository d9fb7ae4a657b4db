"""The elements of a frame that carry attributes, each as the event of the model that it is.

The units of mjlog are the model's: points in hundreds, but for ``AGARI ten``, which is in points. A player who is not
there (three players) stands in every list with zero or an empty value and is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar

from jmjp_convert.errors import ConvertError
from jmjp_convert.mjlog import melds
from jmjp_convert.mjlog.tags import DRAW_KINDS, HANDS
from jmjp_convert.mjlog.values import number, numbers, pairs, tile, tiles
from jmjp_convert.model import (
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
)
from jmjp_convert.replay import DEALT
from jmjp_convert.tiles import PHYSICAL
from jmjp_convert.yaku import YAKU

Attributes = Mapping[str, str]
_T = TypeVar("T")

_SEATS = 4
_ROUNDS = 16
_LIMITS = {limit.value: limit for limit in Limit}


def player(attributes: Attributes, name: str, players: int) -> int:
    """Return the player whom the attribute *name* names."""
    who = number(attributes[name])
    if not 0 <= who < players:
        raise ConvertError(f"{name}={who} is no player, 0 to {players - 1}")
    return who


def by_player(values: tuple[_T, ...], what: str, players: int) -> tuple[_T, ...]:
    """Return *values*, one for each of four seats or of the *players*, for the players."""
    if len(values) not in (players, _SEATS):
        raise ConvertError(f"{what} has {len(values)} values, not {_SEATS}")
    return values[:players]


_Points = tuple[int, ...]


def _payment(attributes: Attributes, players: int) -> tuple[_Points, _Points, _Points | None]:
    """Return of ``sc``, by player, the points before, their change, and in chip games the change of the chips."""
    values = numbers(attributes["sc"])
    if len(values) == 2 * _SEATS:
        chips = None
    elif len(values) == 4 * _SEATS:
        chips = values[2 * _SEATS + 1 :: 2][:players]
    else:
        raise ConvertError(f"sc has {len(values)} values, not {2 * _SEATS} or {4 * _SEATS}")
    return values[: 2 * players : 2], values[1 : 2 * players : 2], chips


def start(attributes: Attributes, players: int) -> Start:
    """Return how ``INIT`` starts its frame."""
    seed = numbers(attributes["seed"])
    if len(seed) != 6:
        raise ConvertError(f"seed has {len(seed)} values, not 6")
    round_, honba, sticks, first, second, indicator = seed
    if not (0 <= round_ < _ROUNDS and honba >= 0 and sticks >= 0 and 0 <= first < 6 and 0 <= second < 6):
        raise ConvertError(f"seed={attributes['seed']!r} is no round, honba, sticks, two dice and a dora indicator")
    if not 0 <= indicator < PHYSICAL:
        raise ConvertError(f"the dora indicator {indicator} is not a tile, 0 to {PHYSICAL - 1}")
    dealer = player(attributes, "oya", players)
    if dealer != round_ % 4:
        raise ConvertError(f"oya={dealer} is not the dealer of this round, player {round_ % 4}")
    return Start(
        round=round_,
        honba=honba,
        sticks=sticks,
        dealer=dealer,
        dice=(first + 1, second + 1),
        points=by_player(numbers(attributes["ten"]), "ten", players),
        hands=_deal(attributes, players),
        indicator=indicator,
        shuffle=attributes.get("shuffle"),
        chips=by_player(numbers(attributes["chip"]), "chip", players) if "chip" in attributes else None,
    )


def _deal(attributes: Attributes, players: int) -> tuple[tuple[int, ...], ...]:
    dealt = [tiles(attributes[name]) for name in HANDS[:players]]
    dealt += [tiles(attributes.get(name, "")) for name in HANDS[players:]]
    for seat, hand in enumerate(dealt):
        due = DEALT if seat < players else 0
        if len(hand) != due:
            raise ConvertError(f"{HANDS[seat]} holds {len(hand)} tiles, not {due}")
    return tuple(dealt[:players])


def _meld(attributes: Attributes, players: int) -> Meld:
    return _decoded(attributes["who"], attributes["m"], players)


@lru_cache(maxsize=1 << 14)
def _decoded(who: str, code: str, players: int) -> Meld:
    meld = melds.decode(player({"who": who}, "who", players), number(code))
    if getattr(meld, "source", 0) >= players:
        raise ConvertError(f"the meld takes a tile from a player who is not there, of 0 to {players - 1}")
    return meld


_DECLARED = tuple(map(RiichiDeclared, range(_SEATS)))


def _riichi(attributes: Attributes, players: int) -> RiichiDeclared | RiichiAccepted:
    who = player(attributes, "who", players)
    step = attributes["step"]
    if step == "1":
        return _DECLARED[who]
    if step != "2":
        raise ConvertError(f"step={step!r} is neither 1 nor 2")
    points = attributes.get("ten")
    return RiichiAccepted(who, by_player(numbers(points), "ten", players) if points else None)


def _dora(attributes: Attributes, _players: int) -> DoraRevealed:
    return DoraRevealed(tile(attributes["hai"]))


def _bye(attributes: Attributes, players: int) -> Disconnected:
    return Disconnected(player(attributes, "who", players))


def _sticks(attributes: Attributes) -> int:
    ba = numbers(attributes["ba"])
    if len(ba) != 2:
        raise ConvertError(f"ba has {len(ba)} values, not 2")
    return ba[1]


def _win(attributes: Attributes, players: int) -> Win:
    get = attributes.get
    before, changes, chips = _payment(attributes, players)
    return Win(
        player=player(attributes, "who", players),
        source=player(attributes, "fromWho", players),
        tile=tile(attributes["machi"]),
        score=_score(attributes["ten"], get("yaku", ""), get("yakuman", "")),
        pao=player(attributes, "paoWho", players) if "paoWho" in attributes else None,
        ura=tiles(get("doraHaiUra", "")),
        sticks=_sticks(attributes),
        before=before,
        changes=changes,
        hand=tuple(sorted(tiles(attributes["hai"]))),
        melds=_shown_melds(attributes["who"], attributes["m"], players) if "m" in attributes else (),
        indicators=tiles(attributes["doraHai"]),
        chips=chips,
        chip_yaku=pairs(attributes["chip"]) if "chip" in attributes else (),
    )


def _shown_melds(who: str, codes: str, players: int) -> tuple[Meld, ...]:
    """Return the melds of ``AGARI m``, which has the newest first, oldest first."""
    return tuple([_decoded(who, code, players) for code in reversed(codes.split(","))])


@lru_cache(maxsize=4096)
def _score(ten: str, yaku: str, yakuman: str) -> Score:
    values = numbers(ten)
    if len(values) != 3 or values[2] not in _LIMITS or values[1] < 0 or values[1] % 100:
        raise ConvertError(f"ten={ten!r} is no fu, points and limit")
    han = pairs(yaku) if yaku else ()
    limits = numbers(yakuman) if yakuman else ()
    named = [*(number for number, _ in han), *limits]
    if not named:
        raise ConvertError("a win without yaku")
    for number_ in named:
        if not 0 <= number_ < len(YAKU):
            raise ConvertError(f"{number_} is no yaku, 0 to {len(YAKU) - 1}")
    return Score(fu=values[0], points=values[1] // 100, limit=_LIMITS[values[2]], yaku=han, yakuman=limits)


def _ryuukyoku(attributes: Attributes, players: int) -> Ryuukyoku:
    kind = attributes.get("type")
    if kind not in DRAW_KINDS:
        raise ConvertError(f"type={kind!r} is no kind of draw")
    before, changes, chips = _payment(attributes, players)
    shown = [tuple(sorted(tiles(attributes[hand]))) if hand in attributes else None for hand in HANDS[:players]]
    return Ryuukyoku(
        kind=DRAW_KINDS[kind],
        shown=tuple(shown),
        sticks=_sticks(attributes),
        before=before,
        changes=changes,
        chips=chips,
    )


EVENTS: dict[str, Callable[[Attributes, int], Event]] = {
    "N": _meld,
    "REACH": _riichi,
    "DORA": _dora,
    "BYE": _bye,
    "AGARI": _win,
    "RYUUKYOKU": _ryuukyoku,
}
"""By tag: from the attributes and the number of players to the event.

:raises ConvertError: a value is wrong.
:raises KeyError: an attribute is missing.
"""
