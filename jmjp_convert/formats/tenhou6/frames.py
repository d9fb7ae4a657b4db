"""Reads a frame of tenhou.net/6: its turns, in the order that the tiles show, and its result."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice, zip_longest
from typing import Any, Final, NamedTuple

from jmjp_convert.errors import PlayError
from jmjp_convert.formats.bounds import MOST_POINTS
from jmjp_convert.formats.frame_builder import FrameBuilder, as_called
from jmjp_convert.formats.json_text import quoted
from jmjp_convert.formats.json_values import POINTS, At, WrongValue, looked_up
from jmjp_convert.formats.session import Notice
from jmjp_convert.formats.spellings import LIMIT_WORDS, add_yaku, always_yakuman, keep_yaku, plain
from jmjp_convert.formats.tenhou6.notation import (
    DRAW_KINDS,
    FIVES,
    NO_DISCARD,
    OPEN,
    REDS,
    TENPAI,
    TILES,
    TSUMOGIRI,
    WINS,
    meld_of,
)
from jmjp_convert.formats.tenhou6.order import Order, Plain, PlayerTurns, Turn
from jmjp_convert.formats.tenhou6.writer import points_text
from jmjp_convert.messages import Message, Who
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    SEATS,
    Ankan,
    Call,
    Daiminkan,
    Discard,
    DrawKind,
    Event,
    Kakan,
    Kita,
    Limit,
    Rules,
    Ryuukyoku,
    Score,
    Start,
    Win,
    Yaku,
    frame_name,
)
from jmjp_convert.model.events import ABORTIVE, ACCEPTED, DECLARED
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN, RedFives
from jmjp_convert.model.yaku import BASIC
from jmjp_convert.play.position import DEALT
from jmjp_convert.play.red_fives import Fives
from jmjp_convert.play.table import replay

# --- the items of a frame ---------------------------------------------------------------------------------------------

_START, _POINTS, _DORA, _URA, _HANDS = range(5)
_ROWS = 3  # of a player: hand, incoming and outgoing tiles
_ROUNDS = 16
_MOST_TILES = 20
_HIDDEN = (UNKNOWN,) * DEALT
"""A hand that is left empty, as in problems made with the editor, which show one hand."""

_LENGTHS = {players: _HANDS + _ROWS * players for players in (3, 4)}


def has_fourth(items: Any) -> bool:
    """Return whether the frame *items* has a fourth player: one with tiles or points."""
    if type(items) is not list or len(items) < _LENGTHS[SEATS]:
        return False
    points = items[_POINTS]
    return items[_LENGTHS[3]] != [] or (type(points) is list and points[3:4] not in ([], [0]))


_FIVES = frozenset((*REDS, *FIVES))


def fives_of_items(frames: Iterable[Any]) -> Fives:
    """Return what *frames*, each its items, show of their fives: the tiles dealt, drawn and turned."""
    counts = [map(_fives_in(items).count, (*REDS, *FIVES)) for items in frames]
    most = [*map(max, zip(*counts, strict=True))]
    return Fives(RedFives(*most[: len(REDS)]), RedFives(*most[len(REDS) :]))


def _fives_in(items: Any) -> list[int]:
    """Return the numbers of the fives that the frame *items* shows."""
    if type(items) is not list or len(items) < _LENGTHS[3]:
        return []
    rows = items[_DORA : _LENGTHS[SEATS]]
    del rows[_HANDS - _DORA + 2 :: _ROWS]  # what goes out
    try:
        return [*filter(_FIVES.__contains__, chain.from_iterable(rows))]
    except TypeError:  # something else in place of a tile or a row
        return [word for row in rows if type(row) is list for word in row if type(word) is int]


def _tiles(frame: At, index: int) -> tuple[int, ...]:
    """Return the tiles in the item *index* of *frame*."""
    tiles = looked_up(frame.value[index], TILES)
    if tiles is None or len(tiles) > _MOST_TILES:
        return frame.item(index).tiles(TILES, most=_MOST_TILES)
    return tiles


def name_of(items: Any) -> str | None:
    """Return the name of the frame *items*, if it has one."""
    try:
        round_, honba = items[_START][:2]
        if type(round_) is int and type(honba) is int and 0 <= round_ < _ROUNDS and honba >= 0:
            return frame_name(round_, honba)
    except (TypeError, ValueError, IndexError, KeyError):
        pass
    return None


# --- turns ------------------------------------------------------------------------------------------------------------

# The two rows of a player, what comes in and what goes out for it, run in parallel: a 0 goes out for a daiminkan, and
# nothing for the last turn if it ends the frame. So what happens in each turn is known before the order of the players'
# turns is.

MOST_TURNS = 200
"""The maximum length of a row: a wall has fewer tiles."""

_RIICHI = "r"
_DECLARATIONS = (Kakan, Ankan, Kita)
_WORDS = frozenset((int, str))

_PLAIN: tuple[dict[tuple[int | str, int | str], Plain], ...] = tuple(
    {
        (number, out): (DRAWS[player][tile], DISCARDS[out == TSUMOGIRI][player][thrown])
        for number, tile in TILES.items()
        for out, thrown in (*TILES.items(), (TSUMOGIRI, tile))
    }
    for player in range(SEATS)
)
"""By player and the two numbers of a turn, the draw and discard: almost all turns are in this table."""

_NOTHING: Final = object()
"""In place of a tile that does not come in, or does not go out."""


def turns_of(frame: At, player: int, players: int) -> PlayerTurns:
    """Return the turns of *player* in *frame*.

    :raises WrongValue: a row is malformed.
    """
    first = _HANDS + _ROWS * player + 1
    try:
        return _turns(player, players, _row(frame, first), _row(frame, first + 1))
    except (_WrongTurn, TypeError) as error:  # a list or an object in a row is a TypeError
        rows = frame.item(first), frame.item(first + 1)
        for word in chain(*(row.items() for row in rows)):
            if type(word.value) not in _WORDS:
                raise word.expected("a tile or a meld") from None
        if isinstance(error, TypeError):
            raise
        raise WrongValue(error.reason, f"{rows[error.is_out].pointer}/{error.index}") from None


def _row(frame: At, index: int) -> list[Any]:
    """Return the item *index* of *frame*, a list that is not too long."""
    row = frame.value[index]
    return row if type(row) is list and len(row) <= MOST_TURNS else frame.item(index).list(most=MOST_TURNS)


def _turns(player: int, players: int, takes: list[Any], outs: list[Any]) -> PlayerTurns:
    """Return the turns of *player* in which *takes* come in and *outs* go out."""
    table: dict[Any, Plain] = _PLAIN[player]
    turns: list[Plain | Turn] = []
    calls: list[Call] = []
    for index, pair in enumerate(zip_longest(takes, outs, fillvalue=_NOTHING)):
        plain = table.get(pair)
        if plain is not None:
            turns.append(plain)
            continue
        take, out = pair
        try:
            turn = _turn(player, players, take, out, calls)
        except _WrongTurn as wrong:
            wrong.index = index
            raise
        if type(turn.call) is Daiminkan and out != NO_DISCARD:  # which Tenhou leaves out if nothing goes out after it
            return _turns(player, players, takes, [*outs[:index], NO_DISCARD, *outs[index:]])
        if turn.call is not None:
            calls.append(turn.call)
        turns.append(turn)
    return PlayerTurns(turns, calls)


class _WrongTurn(Exception):  # noqa: N818 - the place, unknown here, makes the error
    """A malformed turn: the problem, and whether it is in what goes out rather than in what comes in."""

    def __init__(self, reason: str | Message, *, is_out: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_out = is_out
        self.index = 0  # the index of the turn


def _expected(what: str, word: Any, *, is_out: bool = True) -> _WrongTurn:
    return _WrongTurn(f"expected {what}, found {quoted(word)}", is_out=is_out)


def _turn(player: int, players: int, take: Any, out: Any, calls: Sequence[Call]) -> Turn:
    """Return the turn in which *take* comes in and *out* goes out, which are not just a draw and a discard.

    :param calls: the calls of *player* before.
    """
    if take is _NOTHING:
        raise _WrongTurn(Message("{player} discards without having drawn", player=Who(player)))
    call: Call | None = None
    drawn: int | None = None
    if type(take) is str:
        first = call = _meld(take, player, players, Call, "a tile, chi, pon or daiminkan", is_out=False)
        if type(call) is Daiminkan:
            return Turn((call,), call, None, True)  # noqa: FBT003 - named, it takes three times as long
    else:
        drawn = _tile(take, is_out=False)
        first = DRAWS[player][drawn]
    if out is _NOTHING:
        return Turn((first,), call)
    if out == NO_DISCARD:
        raise _expected("a discard", out)
    if type(out) is not str:
        discard = _discard(player, out, drawn)
        return Turn((first, discard), call, discard.tile)
    if not out.startswith(_RIICHI):
        declared = _meld(out, player, players, _DECLARATIONS, "a discard, kakan, ankan or kita")
        if type(declared) is Kakan:
            declared = as_called(declared, calls if call is None else [*calls, call])
        return Turn((first, declared), call, None, True)  # noqa: FBT003 - as above
    digits = out.removeprefix(_RIICHI)
    if not (digits.isascii() and digits.isdecimal()):
        raise _expected("a tile after the r", digits)
    discard = _discard(player, int(digits[:3]), drawn)
    return Turn((first, DECLARED[player], discard, ACCEPTED[player]), call, discard.tile)


def _discard(player: int, number: Any, drawn: int | None) -> Discard:
    """Return the discard of the tile *number* after the tile *drawn*."""
    if number != TSUMOGIRI:
        return DISCARDS[False][player][_tile(number)]
    if drawn is None:
        raise _WrongTurn(Message("{player} discards the drawn tile without having drawn", player=Who(player)))
    return DISCARDS[True][player][drawn]


def _tile(number: Any, *, is_out: bool = True) -> int:
    if type(number) is not int or number not in TILES:
        raise _expected("a tile", number, is_out=is_out)
    return TILES[number]


def _meld(word: str, player: int, players: int, kinds: Any, what: str, *, is_out: bool = True) -> Any:
    """Return the meld *word* of one of *kinds*, which are *what*."""
    try:
        meld = meld_of(word, player, players)
    except ValueError:
        raise _expected("a meld", word, is_out=is_out) from None
    if not isinstance(meld, kinds):
        raise _expected(what, word, is_out=is_out)
    return meld


# --- the result -------------------------------------------------------------------------------------------------------

_Changes = tuple[int, ...]

_RESPONSIBLE = 2
_SCORED = 3
_YAKU = re.compile(r"(.*)[(（](?:(\d{1,3})\s*(?:飜|翻|番|han)|(.*))[)）]", re.DOTALL | re.IGNORECASE)
_VALUE = re.compile(
    r"(?:(?P<fu>\d{1,9})\s*(?:符|fu))?\s*(?:(?P<han>\d{1,9})\s*(?:飜|翻|番|han))?\s*(?P<limit>.*?)\s*"
    r"(?:(?P<share>\d{1,13})(?:\s*[-~–]\s*(?P<dealer>\d{1,13}))?\s*(?:点|點|points|pts)?\s*(?P<each>∀|all|オール)?)?\s*",
    re.DOTALL | re.IGNORECASE,
)
_TIMES = re.compile(r"\s*[x×*]\s*[1-9]$")
_HUNDRED = 100
_LONGEST = 100  # characters: much longer than any word, and short enough for patterns that take quadratic time


class Result(NamedTuple):
    """The result of a frame."""

    wins: tuple[Win, ...] = ()  # in order
    draw: Ryuukyoku | None = None  # the draw, if it is one, without the hands shown
    tenpai: bool | None = None  # whether all players are tenpai, or none is, if the word says it


def result_of(ending: At, start: Start, notice: Notice) -> Result:
    """Return the result in *ending*, the last item of a frame. The tiles of wins are unknown.

    :param notice: called with each line on what is not understood.
    :raises WrongValue: it is malformed.
    """
    items = ending.list()
    word = ending.item(0).text() if items else ""
    said = plain(word)
    if said in WINS or (len(items) > 2 and type(items[2]) is list):  # noqa: PLR2004 - payments and a win
        return Result(wins=tuple(_wins(ending, start, notice)))
    if said in OPEN:
        return Result()
    changes = _changes(ending.item(1), len(start.hands)) if len(items) > 1 else None
    if len(items) > 2:  # noqa: PLR2004
        notice(f"values after the payments of a draw ignored: {quoted(items[2])}")
    kind, tenpai = DRAW_KINDS.get(said), TENPAI.get(said)
    if kind is None:
        notice(f"result {quoted(word)} read as a draw of unknown kind")
    if changes is None and (kind in ABORTIVE or tenpai is not None):
        changes = (0,) * len(start.hands)
    return Result(draw=Ryuukyoku(kind, changes=changes), tenpai=tenpai)


def _changes(value: At, players: int) -> _Changes | None:
    """Return the payments in *value*, ``None`` if there are none."""
    return value.points_by_player(players) if value.list() else None


def _wins(ending: At, start: Start, notice: Notice) -> Iterator[Win]:
    """Yield the wins: pairs of payments and value after the word."""
    count = len(ending.value)
    if count < _RESPONSIBLE + 1 or not count % 2:
        raise ending.wrong("expected payments and a win, alternately")
    for index in range(1, count, 2):
        changes = _changes(ending.item(index), len(start.hands))
        honba = start.honba if index == 1 else 0  # the first winner gets them
        yield _win(ending.item(index + 1), start, changes, honba, notice)


def _win(value: At, start: Start, changes: _Changes | None, honba: int, notice: Notice) -> Win:
    """Return the win in *value*.

    :param changes: its payments, if known.
    :param honba: how many of them are paid for with it.
    """
    count = len(value.list())
    if count < _RESPONSIBLE:
        raise value.wrong("expected the winner and the source")
    players = len(start.hands)
    who = [value.item(index).count(players - 1) for index in range(min(count, _SCORED))]
    winner, source, responsible = (*who, who[0])[:_SCORED]
    score = None
    if count > _SCORED:
        paid = None if changes is None else changes[winner] - sum(changes) - _HUNDRED * (players - 1) * honba
        score = _score(value, winner, start, paid, notice, ron=source != winner)
    # A converter of Riichi City's records, which writes no values, has the discarder in the place of pao.
    nobody = (winner,) if count > _SCORED else (winner, source)
    ronned, pao = None if source == winner else source, () if responsible in nobody else (responsible,)
    return Win(winner, ronned, UNKNOWN, score, pao=pao, changes=changes)


def _score(value: At, winner: int, start: Start, paid: int | None, notice: Notice, *, ron: bool) -> Score | None:
    """Return the value of a win: fu and han, or the limit, with the points; then the yaku.

    :param value: the win, with these after the players.
    :param paid: the points that the winner gets besides honba and sticks, if the payments are known.
    """
    said = value.texts(_SCORED)
    worth = _worth(said[0])
    if worth.unknown:
        notice(f"unknown limit {quoted(worth.unknown)} ignored")
    yaku, han = _yaku(said[1:], winner, start, notice)
    dealer, payers = winner == start.dealer, len(start.hands) - 1
    points = worth.points(payers, ron=ron)
    if points is None:
        points = paid
    if points is None:
        return None
    if points % _HUNDRED or not 0 <= points <= MOST_POINTS:
        raise value.item(_SCORED).expected(POINTS)
    limit = worth.limit
    if limit is None:
        if worth.share is None and worth.fu is None and worth.han is None:
            worth = _worth(points_text(points, 0 if ron else payers, dealer=dealer))
        limit = worth.limit_of_points(dealer=dealer, ron=ron)
    return Score(worth.fu, points, limit, yaku, None if yaku else han if worth.han is None else worth.han)


def _yaku(words: Sequence[str], winner: int, start: Start, notice: Notice) -> tuple[tuple[Yaku, ...], int | None]:
    """Return the yaku in *words*; if one has no name or value, none, and the han of all as far as they have any."""
    seat = (winner - start.dealer) % len(start.hands)
    yaku: list[Yaku] = []
    total, unknown = 0, False
    for word in words:
        name, han = _one_yaku(word)
        total += han or 0
        if name and add_yaku(yaku, name, han, seat=seat, wind=start.round // SEATS):
            continue
        unknown = not keep_yaku(yaku, name or "", han, notice, word) or unknown
    return ((), total or None) if unknown else (tuple(yaku), None)


@lru_cache(maxsize=4096)
def _one_yaku(word: str) -> tuple[str | None, int | None]:
    """Return the name of a yaku, ``None`` if it has no value, and its han, ``None`` for a yakuman. What is always a
    yakuman needs no value."""
    match = _YAKU.fullmatch(word) if len(word) <= _LONGEST else None
    if match is None:
        return (word if len(word) <= _LONGEST and always_yakuman(word) else None), None
    name, han, value = match.groups()
    if han is not None:
        return name, int(han)
    is_yakuman = LIMIT_WORDS.get(plain(_TIMES.sub("", value))) is Limit.YAKUMAN and "数え" not in value
    return (name if is_yakuman else None), None


class _Worth(NamedTuple):
    """What the text of a win's value says."""

    fu: int | None
    han: int | None
    limit: Limit | None
    share: int | None  # the points of a ron, or what each pays, or each but the dealer
    dealers: int | None  # what the dealer pays, if that is more
    unknown: str  # a word in the place of the limit that is not known

    def points(self, payers: int, *, ron: bool) -> int | None:
        """Return the total.

        :param payers: the number of players besides the winner.
        """
        if self.share is None:
            return None
        if ron:
            return self.share
        if self.dealers is None:
            return self.share * payers
        return self.share * (payers - 1) + self.dealers

    def limit_of_points(self, *, dealer: bool, ron: bool) -> Limit:
        """Return the limit that the points are those of, if neither fu nor han are recorded."""
        if self.share is None or self.fu is not None or self.han is not None:
            return Limit.NONE
        parts = (6 if dealer else 4) if ron else 2 if dealer else 1
        base = self.share / parts
        return next(
            (limit for limit, least in BASIC.items() if base == least or base >= BASIC[Limit.YAKUMAN]), Limit.NONE
        )


@lru_cache(maxsize=4096)
def _worth(said: str) -> _Worth:
    """Return what *said*, the text of a win's value, says."""
    if len(said) > _LONGEST:
        return _Worth(None, None, None, None, None, said)
    match = _VALUE.fullmatch(unicodedata.normalize("NFKC", said.strip()))
    assert match is not None
    fu, han, share, dealers = (
        None if part is None else int(part) for part in match.group("fu", "han", "share", "dealer")
    )
    word = plain(_TIMES.sub("", match["limit"]))
    limit = LIMIT_WORDS.get(word)
    return _Worth(fu, han, limit, share, dealers, match["limit"] if word and limit is None else "")


def _shown(draw: Ryuukyoku, seated: int, tenpai: bool | None, last: Event | None) -> tuple[bool, ...] | None:
    """Return by player whether a hand is shown at a *draw*, as far as its kind and payments say so.

    :param seated: the number of players.
    :param tenpai: whether all players are tenpai, or none is, if recorded.
    :param last: the last event before the draw.
    """
    players, changes = range(seated), draw.changes or ()
    if draw.kind in (DrawKind.FOUR_WINDS, DrawKind.FOUR_KANS):
        return tuple(False for _ in players)
    if draw.kind is DrawKind.FOUR_RIICHI:
        return tuple(True for _ in players)
    if draw.kind in (DrawKind.NINE_TERMINALS, DrawKind.TRIPLE_RON):
        player = getattr(last, "player", None)
        return tuple((player == who) is (draw.kind is DrawKind.NINE_TERMINALS) for who in players)
    if draw.kind is DrawKind.EXHAUSTIVE and any(changes):
        return tuple(change > 0 for change in changes)
    return tuple(tenpai for _ in players) if tenpai is not None else None


# --- the play ---------------------------------------------------------------------------------------------------------

_MOST_ORDERS = 50


def read_frame(frame: At, rules: Rules, notice: Notice) -> FrameBuilder:
    """Return *frame*, a list of its items.

    :param rules: the rules of the match.
    :param notice: called with each line on what is guessed or not understood.
    :raises WrongValue: it is malformed, or no order of the turns is possible.
    """
    players = rules.players
    length = _LENGTHS[players]
    items = frame.list()
    if len(items) not in (length, length + 1, _LENGTHS[SEATS], _LENGTHS[SEATS] + 1):
        raise frame.wrong(f"expected {_LENGTHS[SEATS] + 1} items, found {len(items)}")
    start = _start(frame, players)
    end = len(items) - (len(items) - _HANDS) % _ROWS
    if any(items[length:end]):
        raise frame.item(length).wrong("tiles of a fourth player in a three-player game")
    turns = [turns_of(frame, player, players) for player in range(players)]
    result = result_of(frame.item(end) if end < len(items) else At([]), start, notice)
    ura = _tiles(frame, _URA)
    try:
        orders = islice(Order(turns, start.dealer).found(), _MOST_ORDERS)
        built = [_ended(start, events, result, ura) for events in orders]
    except WrongValue as wrong:
        raise WrongValue(wrong.message, frame.pointer + wrong.pointer) from None
    first = built[0] if len(built) == 1 else first_playable(built, rules, notice)
    if ura and not any(type(event) is Win and event.ura for event in first.events[-SEATS:]):
        notice(f"frame {start.name}: ura dora indicators ignored: nobody in riichi wins")
    return first


def _start(frame: At, players: int) -> Start:
    head = frame.item(_START)
    if len(head.list()) != 3:  # noqa: PLR2004 - round, honba, sticks
        raise head.wrong("expected the round, honba and riichi sticks")
    number, honba, sticks = head.items()
    round_ = number.count(_ROUNDS - 1)
    if round_ % SEATS >= players:
        name = frame_name(round_, 0).partition("-")[0]
        raise number.wrong(f"the round is {name}, but a three-player game has no North dealer")
    indicators = _tiles(frame, _DORA)
    hands = [_tiles(frame, _HANDS + _ROWS * player) or _HIDDEN for player in range(players)]
    return Start(
        round_,
        honba.count(),
        None if sticks.value is None else sticks.count(),
        round_ % SEATS,
        None,
        frame.item(_POINTS).points_by_player(players),
        tuple([tuple(sorted(hand)) for hand in hands]),
        indicators[0] if indicators else None,
        kan_indicators=indicators[1:],
    )


def first_playable(orders: Sequence[FrameBuilder], rules: Rules, notice: Notice) -> FrameBuilder:
    """Return the first of several *orders* of a frame that can be played; say so if there is another."""
    playable = []
    for built in orders:
        try:
            replay(built.start, built.events, rules)
        except PlayError:
            continue
        playable.append(built)
    if len(playable) > 1:
        name = orders[0].start.name
        notice(f"frame {name}: which of two equal discards was called is not recorded; read as the first")
    return (*playable, orders[0])[0]


def _ended(start: Start, events: Sequence[Event], result: Result, ura: tuple[int, ...]) -> FrameBuilder:
    """Return the frame of *events* with its *result*.

    :param ura: the ura dora indicators, which a winner in riichi turns.
    """
    builder = FrameBuilder(start)
    builder.events += events
    if result.draw is not None:
        builder.draw_game(result.draw)
        builder.shown = _shown(result.draw, len(start.hands), result.tenpai, events[-1] if events else None)
        return builder
    for win in result.wins:
        turned = ura if ura and win.player in builder.riichi else ()
        builder.win(replace(win, tile=builder.winning_tile, ura=turned))
    if not result.wins:
        builder.break_off()
    return builder
