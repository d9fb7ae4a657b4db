"""Reads a frame of tenhou.net/6: its turns, in the order that the tiles show, and its result."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from jmjp_convert.errors import PlayError
from jmjp_convert.formats.assembly import Played
from jmjp_convert.formats.bounds import MOST_POINTS
from jmjp_convert.formats.json_text import shown
from jmjp_convert.formats.tenhou6.notation import (
    DRAW_KINDS,
    FIVES,
    OPEN,
    REDS,
    TENPAI,
    TILES,
    WINS,
)
from jmjp_convert.formats.tenhou6.order import Order
from jmjp_convert.formats.tenhou6.turns import Row, turns_of
from jmjp_convert.formats.tenhou6.values import Notice, WrongValue, count, each_points, expected, listed, text
from jmjp_convert.formats.tenhou6.writer import points_text
from jmjp_convert.formats.words import LIMIT_WORDS, add_yaku, plain
from jmjp_convert.model import (
    SEATS,
    Ankan,
    Discard,
    Draw,
    DrawKind,
    End,
    Event,
    Kakan,
    Kita,
    Limit,
    RiichiAccepted,
    Rules,
    Ryuukyoku,
    Score,
    Start,
    Win,
    Yaku,
    frame_name,
    in_riichi,
)
from jmjp_convert.model.events import ABORTIVE
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import COPIES, UNKNOWN
from jmjp_convert.model.yaku import BASIC
from jmjp_convert.play.points import changes_of
from jmjp_convert.play.table import replay

# --- honba ------------------------------------------------------------------------------------------------------------

# The honba go to the first winner alone, on Tenhou and on Mahjong Soul (``docs/design/scoring.md``). Converters that
# stem from tensoul's (``convert.js``) pay them to every winner. The points of the next frame, which they copy from
# the record, show it.

_HONBA = 100
"""Paid per honba for each player but the winner."""


def is_doubtful(played: Played) -> bool:
    """Return whether the frame has honba and several winners."""
    return played.start.honba > 0 and list(map(type, played.events)).count(Win) > 1


def paid_once(played: Played, after: tuple[int, ...] | None) -> Sequence[Event] | None:
    """Return the events of a frame with the honba paid to the first winner alone, if only that explains the points.

    :param played: a frame with honba and several winners.
    :param after: the points after it; ``None`` if unknown.
    """
    start, events = played.start, played.events
    wins = [event for event in events if isinstance(event, Win) and event.source is not None]
    wanted = None if after is None else changes_of(start, End((), after), in_riichi(events))
    if wanted is None or wanted == _total(wins):
        return None
    once = [wins[0], *(_without(win, _HONBA * start.honba * (len(start.hands) - 1)) for win in wins[1:])]
    if _total(once) != wanted:
        return None
    corrected = dict(zip(wins, once, strict=True))
    return [corrected.get(event, event) if isinstance(event, Win) else event for event in events]


def _total(wins: Sequence[Win]) -> tuple[int, ...] | None:
    """Return the sum of all payments, if they are known."""
    changes = [win.changes for win in wins if win.changes is not None]
    return tuple(map(sum, zip(*changes, strict=True))) if len(changes) == len(wins) else None


def _without(win: Win, honba: int) -> Win:
    """Return *win* without the points of the *honba*."""
    if win.changes is None or win.source is None:
        return win
    changes = [*win.changes]
    changes[win.player] -= honba
    changes[win.source] += honba
    return replace(win, changes=tuple(changes))


# --- the result -------------------------------------------------------------------------------------------------------

_Changes = tuple[int, ...]

_LIABLE = 2
_SCORED = 3
_YAKU = re.compile(r"(.*)[(（](?:(-?\d{1,3})\s*(?:飜|翻|番|han)|(.*))[)）]", re.DOTALL | re.IGNORECASE)  # noqa: RUF001
_VALUE = re.compile(
    r"(?:(?P<fu>-?\d{1,9})\s*(?:符|fu))?\s*(?:(?P<han>-?\d{1,9})\s*(?:飜|翻|番|han))?\s*(?P<limit>.*?)\s*"
    r"(?:(?P<share>\d{1,13})(?:\s*[-~–]\s*(?P<dealer>\d{1,13}))?\s*(?:点|點|points|pts)?\s*(?P<each>∀|all|オール)?)?\s*",
    re.DOTALL | re.IGNORECASE,
)
_TIMES = re.compile(r"\s*[x×*]\s*[1-9]$")
_HUNDRED = 100
_LONGEST = 100  # characters: much longer than any word, and short enough for patterns that take quadratic time


class Result(NamedTuple):
    """The result of a frame.

    :ivar wins: in order.
    :ivar draw: the draw, if it is one, without the hands shown.
    :ivar tenpai: whether all players are tenpai, or none is, if the word says it.
    """

    wins: tuple[Win, ...] = ()
    draw: Ryuukyoku | None = None
    tenpai: bool | None = None


def result_of(value: Any, start: Start, pointer: str, notice: Notice) -> Result:
    """Return the result in *value*, the last item of a frame. The tiles of wins are unknown.

    :param notice: called with each line on what is not understood.
    :raises WrongValue: it is malformed.
    """
    items = listed(value, pointer)
    word = text(items[0], f"{pointer}/0") if items else ""
    said = plain(word)
    if said in WINS or (len(items) > 2 and type(items[2]) is list):  # noqa: PLR2004 - payments and a win
        return Result(wins=tuple(_wins(items, start, pointer, notice)))
    if said in OPEN:
        return Result()
    changes = _changes(items[1], len(start.hands), f"{pointer}/1") if len(items) > 1 else None
    if len(items) > 2:  # noqa: PLR2004
        notice(f"values after the payments of a draw ignored: {shown(items[2])}")
    kind, tenpai = DRAW_KINDS.get(said), TENPAI.get(said)
    if kind is None:
        notice(f"result {shown(word)} read as a draw of unknown kind")
    if changes is None and (kind in ABORTIVE or tenpai is not None):
        changes = (0,) * len(start.hands)
    return Result(draw=Ryuukyoku(kind, changes=changes), tenpai=tenpai)


def _changes(value: Any, players: int, pointer: str) -> _Changes | None:
    """Return the payments in *value*, ``None`` if there are none."""
    return each_points(value, players, pointer) if listed(value, pointer) else None


def _wins(items: list[Any], start: Start, pointer: str, notice: Notice) -> Sequence[Win]:
    """Return the wins: pairs of payments and value after the word."""
    if len(items) < 3 or not len(items) % 2:  # noqa: PLR2004
        raise WrongValue("expected payments and a win, alternately", pointer)
    found = []
    for place in range(1, len(items), 2):
        changes = _changes(items[place], len(start.hands), f"{pointer}/{place}")
        reader = _WinReader(start, changes, first=place == 1, pointer=f"{pointer}/{place + 1}", notice=notice)
        found.append(reader.win(items[place + 1]))
    return found


class _WinReader:
    """A win being read.

    :param changes: its payments, if known.
    :param first: whether it is the first of the frame, which gets the honba.
    """

    def __init__(self, start: Start, changes: _Changes | None, *, first: bool, pointer: str, notice: Notice) -> None:
        self._start, self._changes, self._first = start, changes, first
        self._pointer, self._notice = pointer, notice

    def win(self, value: Any) -> Win:
        """Return the win in *value*."""
        players = len(self._start.hands)
        words = listed(value, self._pointer)
        if len(words) < _LIABLE:
            raise WrongValue("expected the winner and the source", self._pointer)
        who = [count(player, f"{self._pointer}/{place}", players - 1) for place, player in enumerate(words[:_SCORED])]
        winner, source, liable = (*who, who[0])[:_SCORED]
        said = [text(word, f"{self._pointer}/{place}") for place, word in enumerate(words[_SCORED:], _SCORED)]
        return Win(
            winner,
            None if source == winner else source,
            UNKNOWN,
            self._score(winner, source, said) if said else None,
            pao=None if liable == winner else liable,
            changes=self._changes,
        )

    def _score(self, winner: int, source: int, said: list[str]) -> Score | None:
        """Return the value of a win: fu and han, or the limit, with the points; then the yaku."""
        worth = _worth(said[0])
        if worth.unknown:
            self._notice(f"unknown limit {shown(worth.unknown)} ignored")
        yaku, han = self._yaku(winner, said[1:])
        dealer = winner == self._start.dealer
        points = worth.points(len(self._start.hands) - 1, ron=source != winner)
        if points is None:
            points = self._from_payments(winner)
        if points is None:
            return None
        if points % _HUNDRED or not 0 <= points <= MOST_POINTS:
            raise WrongValue(
                f"expected points, a multiple of 100, found {shown(said[0])}", f"{self._pointer}/{_SCORED}"
            )
        limit = worth.limit
        if limit is None:
            ron, payers = source != winner, len(self._start.hands) - 1
            if worth.share is None and worth.fu is None and worth.han is None:
                worth = _worth(points_text(points, 0 if ron else payers, dealer=dealer))
            limit = worth.limit_of_points(dealer=dealer, ron=ron)
        return Score(worth.fu, points, limit, yaku, None if yaku else han if worth.han is None else worth.han)

    def _from_payments(self, winner: int) -> int | None:
        """Return the points that the winner gets besides honba and sticks, if the payments are known."""
        if self._changes is None:
            return None
        honba = _HUNDRED * (len(self._start.hands) - 1) * self._start.honba if self._first else 0
        return self._changes[winner] - sum(self._changes) - honba

    def _yaku(self, winner: int, words: list[str]) -> tuple[tuple[Yaku, ...], int | None]:
        """Return the yaku in *words*; if one is unknown, none, and the han of all as far as they have any."""
        start = self._start
        seat = (winner - start.dealer) % len(start.hands)
        found: list[Yaku] = []
        total, unknown = 0, False
        for word in words:
            name, han = _one_yaku(word)
            total += han or 0
            if name is None or not add_yaku(found, name, han, seat=seat, wind=start.round // SEATS):
                self._notice(f"unknown yaku {shown(word)}; the win is read without its yaku")
                unknown = True
        if unknown:
            return (), total or None
        return tuple(found), None


@lru_cache(maxsize=4096)
def _one_yaku(word: str) -> tuple[str | None, int | None]:
    """Return the name of a yaku, ``None`` if it has no value, and its han, ``None`` for a yakuman."""
    found = _YAKU.fullmatch(word) if len(word) <= _LONGEST else None
    if found is None:
        return None, None
    if found[2] is not None:
        return found[1], int(found[2])
    times = plain(_TIMES.sub("", found[3]))
    return (found[1] if LIMIT_WORDS.get(times) is Limit.YAKUMAN and "数え" not in found[3] else None), None


class _Worth(NamedTuple):
    """What the text of a win's value says.

    :ivar share: the points of a ron, or what each pays, or each but the dealer.
    :ivar dealers: what the dealer pays, if that is more.
    :ivar unknown: a word in the place of the limit that is not known.
    """

    fu: int | None
    han: int | None
    limit: Limit | None
    share: int | None
    dealers: int | None
    unknown: str

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
    found = _VALUE.fullmatch(unicodedata.normalize("NFKC", said.strip()))
    assert found is not None
    fu, han, share, dealers = (
        None if part is None else int(part) for part in found.group("fu", "han", "share", "dealer")
    )
    word = plain(_TIMES.sub("", found["limit"]))
    limit = LIMIT_WORDS.get(word)
    return _Worth(fu, han, limit, share, dealers, found["limit"] if word and limit is None else "")


# --- the end of the play ---------------------------------------------------------------------------------------------

_TAKEABLE: dict[type, Callable[[Any], int]] = {
    Draw: lambda event: event.tile,
    Discard: lambda event: event.tile,
    Kakan: lambda event: event.tile,
    Kita: lambda event: event.tile,
    Ankan: lambda event: event.tiles[-1],
}


def last_tile(events: Sequence[Event]) -> int:
    """Return the winning tile after *events*, unknown if they do not show it."""
    last = next((event for event in reversed(events) if type(event) is not RiichiAccepted), None)
    found = _TAKEABLE.get(type(last))
    return UNKNOWN if found is None else found(last)


def showing(
    draw: Ryuukyoku,
    seated: int,
    tenpai: bool | None,  # noqa: FBT001 - not an option
    last: Event | None,
) -> tuple[bool, ...] | None:
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


# --- the frame --------------------------------------------------------------------------------------------------------

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
