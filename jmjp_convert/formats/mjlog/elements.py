"""Reads the elements of mjlog that have attributes, and the wins of logs that other programs write."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.bounds import MOST_HAN
from jmjp_convert.formats.mjlog.meld_codes import meld_of
from jmjp_convert.formats.mjlog.notation import (
    DRAW_KINDS,
    HANDS,
    NAMES,
    counted,
    hundreds,
    name,
    number,
    numbers,
    pairs,
    points,
    thousands,
    tile,
    tiles,
)
from jmjp_convert.model import (
    SEATS,
    Ankan,
    DoraRevealed,
    Event,
    Frame,
    Kakan,
    Limit,
    Meld,
    Player,
    PointRule,
    Presence,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Score,
    Start,
    Win,
    Yaku,
    handle,
)
from jmjp_convert.model.events import ACCEPTED, DECLARED
from jmjp_convert.model.record import Record, replace
from jmjp_convert.model.tenhou import DECIMAL, rating
from jmjp_convert.model.tiles import PHYSICAL
from jmjp_convert.model.yaku import TENHOU_NUMBERS
from jmjp_convert.play.points import STICK, ranking, rounded
from jmjp_convert.play.position import DEALT

# --- players ----------------------------------------------------------------------------------------------------------

_COLUMNS: Final = ("dan", "rate", "sx", "gold", "rc")

_T = TypeVar("_T")


def seated(attributes: Mapping[str, str], seats: int, ignore: Callable[[str], None]) -> list[Player]:
    """Return the players of the first ``UN``.

    :param ignore: called with each value that should be a number but is not, and is left out.
    """
    columns = [attributes.get(key, "").split(",") for key in _COLUMNS]
    players = []
    for seat in range(seats):
        decoded, raw = name(attributes.get(NAMES[seat], ""))
        dan, rate, sex, gold, rc = [(column[seat] if seat < len(column) else "") or None for column in columns]
        players.append(
            Player(
                handle(decoded),
                raw,
                number(dan) if dan else None,
                _known("rate", rate, rating, ignore),
                sex,
                _known("gold", gold, number, ignore),
                rc,
            )
        )
    return players


def _known(column: str, text: str | None, parsed: Callable[[str], _T], ignore: Callable[[str], None]) -> _T | None:
    """Return *text* as *parsed*, if there is any; report it if it cannot be parsed."""
    if text is None:
        return None
    try:
        return parsed(text)
    except ValueError:
        ignore(f"unknown value {column}={text[:40]!r} of <UN>")
        return None


def rejoined(
    attributes: Mapping[str, str], players: list[Player], away: Container[int], ignore: Callable[[str], None]
) -> list[Presence]:
    """Return who comes back with a later ``UN``: the only player it names, or those of several who are *away*.

    A player keeps the first name that is not empty (source: ``docs/design/mapping.md``, The match).

    :param ignore: called with each other name of a player who does not come back.
    """
    returned: list[Presence] = []
    alone = sum(name in attributes for name in NAMES) == 1  # otherwise all players are announced again
    for seat, player in enumerate(players):
        if NAMES[seat] not in attributes:
            continue
        decoded, raw = name(attributes[NAMES[seat]])
        if player.full_name is None:
            players[seat] = Player(handle(decoded), raw, player.dan, player.rate, player.sex, player.gold, player.rc)
        other = decoded if decoded not in ("", players[seat].name) else None
        if alone or seat in away:
            returned.append(Returned(seat, other))
        elif other is not None:
            ignore(f"another name of player {seat} in a later <UN>")
    return returned


# --- the end of the match ---------------------------------------------------------------------------------------------

_HONBA: Final = 300
_HUNDRED, _HALF, _THOUSAND = 100, 500, 1000
_TENPAI: Final = 3000


class Result(Record):
    """``owari`` by player: points and results; in chip games also the chips and their worth, as recorded."""

    __slots__ = ("points", "results", "chips")

    def __init__(
        self, points: tuple[int, ...], results: tuple[int, ...], chips: tuple[tuple[int, str], ...] | None
    ) -> None:
        self.points: Final = points
        self.results: Final = results
        self.chips: Final = chips


def result(text: str, players: int) -> Result:
    """Parse *text*, an ``owari`` attribute.

    :raises ConvertError: it is not a result.
    """
    values = text.split(",")
    if len(values) not in (8, 16, 2 * players):
        raise ConvertError(f"owari has {counted(len(values), 'value')}; 8 or 16 expected")
    points = tuple(map(hundreds, values[:8:2]))
    results = tuple(map(thousands, values[1:8:2]))
    chips = tuple(zip(map(number, values[8::2]), map(_worth, values[9::2]), strict=True))
    return Result(by_player(points, "owari", players), by_player(results, "owari", players), chips[:players] or None)


def _worth(text: str) -> str:
    if not DECIMAL.fullmatch(text):
        raise ConvertError(f"{text!r} is not a number")
    return text


def point_rule(frames: Sequence[Frame], final: Result) -> PointRule | None:
    """Return the rule that turned the points of *frames* into the *final* result; ``None`` if it cannot be inferred."""
    start = frames[0].start.points or ()
    if len(start) != SEATS or len(set(start)) > 1:
        return None
    first = start[0]
    order = ranking(final.points)
    results = [final.results[player] for player in order]
    whole = all(value % _THOUSAND == 0 for value in results)
    _, second, third, fourth = (
        value - (rounded(final.points[player]) if whole else final.points[player])
        for player, value in zip(order, results, strict=True)
    )
    if (second + third) % _THOUSAND or (second - third) % _THOUSAND:
        return None
    target = -(second + third) // 2
    uma23 = (second - third) // 2
    uma14 = -fourth - target
    valid = results[0] == -sum(results[1:]) and uma14 % _HALF == 0 and target >= first and uma14 >= uma23 >= 0
    return PointRule(first, target, (uma14, uma23, -uma23, -uma14), _honba(frames), _TENPAI) if valid else None


def _honba(frames: Sequence[Frame]) -> int:
    """Return what one honba adds to a win, from the first win in a frame with honba."""
    for frame in frames:
        for event in frame.endings if frame.start.honba else ():
            if isinstance(event, Win) and event.score and event.changes:
                extra = event.changes[event.player] - event.score.points - (event.sticks or 0) * STICK
                value, rest = divmod(extra, _HUNDRED * frame.start.honba)
                return _HUNDRED * value if value >= 0 and not rest else _HONBA
    return _HONBA


# --- elements ---------------------------------------------------------------------------------------------------------

# mjlog gives points in hundreds, except ``AGARI ten``, which is in points. With three players, the empty seat is in
# every list with zero or an empty value, and is left out here.

Attributes = Mapping[str, str]

_ROUNDS: Final = 16
_SEED: Final = 6
_TEN: Final = 3
_STAKES: Final = 2
_LIMITS: Final = {limit.value: limit for limit in Limit}
_PLAYERS: Final = {players: {str(who): who for who in range(players)} for players in (3, SEATS)}


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
    text = attributes["seed"]
    has_dice = ",,," not in text  # mjx writes no dice
    seed = numbers(text if has_dice else text.replace(",,,", ",0,0,", 1))
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
        dice if has_dice else None,
        by_player(points(attributes["ten"]), "ten", players),
        _deal(attributes, players),
        indicator,
        attributes.get("shuffle"),
        by_player(numbers(attributes["chip"]), "chip", players) if "chip" in attributes else None,
    )


_DICE: Final = {(first, second): (first + 1, second + 1) for first in range(6) for second in range(6)}


def _deal(attributes: Attributes, players: int) -> tuple[tuple[int, ...], ...]:
    hands = tuple([tiles(attributes[name]) for name in _HANDS[players]])
    for key, hand in zip(HANDS, hands, strict=False):
        if len(hand) != DEALT:
            raise ConvertError(f"{key} has {counted(len(hand), 'tile')}; {DEALT} expected")
    if players < SEATS and attributes.get(HANDS[-1]):
        raise ConvertError(f"{HANDS[-1]} has tiles, but there are only {players} players")
    return hands


_HANDS: Final = {players: HANDS[:players] for players in _PLAYERS}


def _meld(attributes: Attributes, players: int) -> Meld:
    return _decoded(player(attributes, "who", players), attributes["m"], players)


def _decoded(who: int, code: str, players: int) -> Meld:
    meld = meld_of(who, number(code))
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
        (player(attributes, "paoWho", players),) if "paoWho" in attributes else (),
        tiles(get("doraHaiUra", "")),
        sticks,
        before,
        changes,
        tiles(attributes["hai"]),
        _shown_melds(who, attributes["m"], players) if get("m") else (),
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
    scored = tuple([_yaku(which, han) for which, han in pairs(yaku)]) if yaku else ()
    scored += tuple(map(_yaku, numbers(yakuman))) if yakuman else ()
    if not scored:
        raise ConvertError("win without yaku")
    return Score(fu, worth, _LIMITS[limit], scored)


@lru_cache(maxsize=1024)
def _yaku(number: int, han: int | None = None) -> Yaku:
    if number not in TENHOU_NUMBERS:
        raise ConvertError(f"{number} is not a yaku (0 to {TENHOU_NUMBERS[-1]})")
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


EVENTS: Final[dict[str, Callable[[Attributes, int], Event]]] = {
    "N": _meld,
    "REACH": _riichi,
    "DORA": _dora,
    "AGARI": _win,
    "RYUUKYOKU": _ryuukyoku,
}
"""By tag, the function that makes an event from the attributes and the number of players.

:raises ConvertError: a value is invalid.
:raises KeyError: an attribute is missing.
"""


# --- wins of other programs -------------------------------------------------------------------------------------------

# Tenhou's differ in their melds, the ronned tile, honba and a double ron (``docs/design/mjlog-traps.md`` 23).


def with_tenhou_wins(events: Sequence[Event]) -> list[Event]:
    """Return the *events* of a frame with their wins as Tenhou writes them."""
    first = next((index for index, event in enumerate(events) if isinstance(event, Win)), len(events))
    wins = [event for event in events[first:] if isinstance(event, Win)]
    shown = iter(_without_honba(_apart([_shown(win, events[:first]) for win in wins])))
    return [*events[:first], *[next(shown) if isinstance(event, Win) else event for event in events[first:]]]


def _shown(win: Win, played: Sequence[Event]) -> Win:
    """Return *win* with the ronned tile in the hand, and with the winner's melds as they were *played*, if it has no
    others and all but ankans."""
    hand, listed = win.hand or (), win.melds or ()
    if win.source is not None and win.tile not in hand:
        hand = tuple(sorted((*hand, win.tile)))
    melds: list[Meld] = []
    for event in played:
        if not isinstance(event, Meld) or event.player != win.player:
            continue
        if isinstance(event, Kakan) and event.pon in melds:
            melds[melds.index(event.pon)] = event
        else:
            melds.append(event)
    known = [*melds, *[meld.pon for meld in melds if isinstance(meld, Kakan)]]
    if all(meld in known for meld in listed) and all(meld in listed or isinstance(meld, Ankan) for meld in melds):
        listed = tuple(melds)
    return replace(win, hand=hand, melds=listed)


def _apart(wins: list[Win]) -> list[Win]:
    """Return *wins* with the payments of each, if each has those of all."""
    if len(wins) < 2 or any((win.before, win.changes) != (wins[0].before, wins[0].changes) for win in wins):  # noqa: PLR2004
        return wins
    before, total = wins[0].before, wins[0].changes
    assert before is not None
    assert total is not None
    separate = []
    for win in wins:
        assert win.score is not None
        sticks, rest = divmod(total[win.player] - win.score.points, STICK)
        if win.source is None or rest or sticks not in (0, win.sticks):
            return wins
        changes = [0] * len(total)
        changes[win.player], changes[win.source] = total[win.player], -win.score.points
        separate.append(replace(win, before=before, changes=tuple(changes), sticks=sticks))
        before = tuple([points + change for points, change in zip(before, changes, strict=True)])
    paid = tuple([sum(each) for each in zip(*[win.changes or () for win in separate], strict=True)])
    return separate if paid == total else wins


def _without_honba(wins: list[Win]) -> list[Win]:
    """Return *wins* with values without honba, if those of all count it."""
    valued = []
    for win in wins:
        assert win.score is not None
        assert win.changes is not None
        if not win.honba or win.changes[win.player] - (win.sticks or 0) * STICK != win.score.points:
            return wins
        honba = _HUNDRED * (len(win.changes) - 1) * win.honba
        if win.score.points <= honba:
            return wins
        valued.append(replace(win, score=replace(win.score, points=win.score.points - honba)))
    return valued
