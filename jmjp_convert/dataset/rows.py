"""The rows of a match: itself, its players, frames, seats, wins and yaku; and what players decided, discards, calls and
riichi, with the hands and dora behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, time
from functools import cache, lru_cache
from itertools import zip_longest
from typing import NamedTuple

from jmjp_convert.dataset.schema import TABLES, Row
from jmjp_convert.errors import PlayError
from jmjp_convert.model import (
    WINDS,
    Call,
    Discard,
    DoraRevealed,
    Draw,
    Ending,
    Frame,
    House,
    Kakan,
    Kita,
    Limit,
    Match,
    Meld,
    RiichiAccepted,
    Rules,
    Thinking,
    Win,
)
from jmjp_convert.model.houses import is_east_only, is_ranked
from jmjp_convert.model.tenhou import has_open_tanyao, is_fast, room
from jmjp_convert.model.tiles import IDS, KIND_FACES, RED_FACES, UNKNOWN_FACE, RedFives, dora, faces, kind
from jmjp_convert.model.yaku import LIMITS
from jmjp_convert.play.legal import counted
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.points import points_at_end, ranking
from jmjp_convert.play.ponds import PondTable, unseen_by
from jmjp_convert.play.position import SETS
from jmjp_convert.play.shanten import shanten, useful
from jmjp_convert.play.table import Table
from jmjp_convert.stats.counts import DORA, RED_FIVES, URA_DORA, in_tenpai, person_of, turn_of_win, who_dealt_in

FrameKey = tuple[str, int]
"""The values that the rows of a frame begin with: the key of the match and the frame's number."""


@cache
def names(red_fives: RedFives | None) -> tuple[str | None, ...]:
    """Return the face of every tile id, ``None`` for unknown ones."""
    return tuple(None if face == UNKNOWN_FACE else face for face in faces(red_fives))


def listed(tiles: Iterable[int], rules: Rules) -> str | None:
    """Return the faces of *tiles* in one text, ``None`` without any."""
    known = faces(rules.red_fives)
    return " ".join([known[tile] for tile in tiles]) or None


def seats(dealer: int, players: int) -> tuple[str, ...]:
    """Return the seats of all players."""
    return tuple([WINDS[(player - dealer) % players] for player in range(players)])


# --- the dora that a player holds -------------------------------------------------------------------------------------

_RED = "0"
_BYTES = 256


def dora_count(table: Table, player: int, values: bytes) -> int:
    """Return the number of dora that *player* holds: in the hand, just drawn and in melds. Tiles that are not known
    count as none.

    :param values: the :func:`dora_values` of this table.
    """
    count = sum(table.hands[player].translate(values))
    if table.turn == player and table.drawn is not None:
        count += values[table.drawn]
    for meld in table.melds[player]:
        count += isinstance(meld, Kita) + sum([values[tile] for tile in tiles_of(meld)])
    return count


def dora_values(table: Table) -> bytes:
    """Return by tile id how many dora a tile is: one for each indicator of it, and one if it is a red five. A kita is
    one more."""
    return _values(tuple(table.indicators), table.rules.players, table.rules.red_fives)


@lru_cache(maxsize=1024)
def _values(indicators: tuple[int, ...], players: int, red_fives: RedFives | None) -> bytes:
    """Return :func:`dora_values` of a table with these *indicators*."""
    turned = [kind(dora(indicator, players)) for indicator in indicators]
    known = faces(red_fives)
    kinds = [kind(tile) for tile in range(IDS)]
    values = [
        (0 if number is None else turned.count(number)) + known[tile].startswith(_RED)
        for tile, number in enumerate(kinds)
    ]
    return bytes(values).ljust(_BYTES, b"\0")


# --- hands ------------------------------------------------------------------------------------------------------------

_OPEN = Call | Kakan
"""The melds that open a hand."""


class _Hand:
    """The hand of *player* at *table*, at the start of its frame. It is counted along with the play: to count it
    again for each discard would take longer than the rest.

    :ivar called: the number of melds that open it.
    :ivar shanten: of the hand without the tile just drawn; ``None`` if it is not known, and after a meld.
    """

    def __init__(self, table: Table, player: int) -> None:
        self._table = table
        self._player = player
        self._players = table.rules.players
        self.shanten: int | None
        self._counts: bytearray | None
        self.count()
        if self._counts is not None:
            dealt = self._counts if table.turn != player or table.drawn is None else counted(table, player)
            self.shanten = shanten(dealt, players=self._players)

    def count(self) -> None:
        """Count the tiles and the melds that open the hand, as they are on the table."""
        table, player = self._table, self._player
        self.called = sum([isinstance(meld, _OPEN) for meld in table.melds[player]])
        self.shanten = None
        try:
            self._counts = counted(table, player, drawn=True)
        except PlayError:
            self._counts = None

    def draw(self, tile: int) -> None:
        """Add a *tile* that is drawn."""
        number = kind(tile)
        if number is None:
            self._counts = None
        elif self._counts is not None:
            self._counts[number] += 1

    def discard(self, tile: int, drawn: int | None) -> int | None:
        """Remove a *tile* that is about to be discarded, and return the shanten with it; ``None`` if it or the hand is
        not known, or if the discard is impossible, which the table then refuses.

        :param drawn: the tile just drawn, if any.
        """
        if self._counts is None:
            self.count()
        counts, number, before_draw = self._counts, kind(tile), self.shanten
        if counts is None or number is None or not counts[number] or sum(counts) % 3 != 2:  # noqa: PLR2004 - and a draw
            self._counts = self.shanten = None
            return None
        counts[number] -= 1
        if before_draw is None or drawn is None or kind(drawn) != number:
            self.shanten = shanten(counts, players=self._players)
            if before_draw is not None and self.shanten is not None and self.shanten < before_draw:
                return self.shanten  # a draw lowers it by one at most
        counts[number] += 1
        with_it = shanten(counts, players=self._players)
        counts[number] -= 1
        return with_it

    def waits(self) -> tuple[int, ...] | None:
        """Return the kinds that complete the hand, which has discarded; ``None`` if it is not known."""
        if self._counts is None:
            return None
        return useful(self._counts, players=self._players) if self.shanten == 0 else ()


# --- decisions: discards, calls and riichi ----------------------------------------------------------------------------


class Winner(NamedTuple):
    """What a winner had done: the *turn* of the win, the number of *discards* in the frame, whether they were in
    *riichi*, and whether they had *called* a tile; each is ``None`` if the play is not recorded."""

    turn: int | None = None
    discards: int | None = None
    riichi: bool | None = None
    called: bool | None = None


class Decisions:
    """A frame whose play is recorded, followed to its end.

    :param frame_key: the values that each row begins with.
    :raises PlayError: the play is impossible.
    """

    def __init__(self, frame: Frame, rules: Rules, frame_key: FrameKey) -> None:
        self.table = PondTable(frame.start, rules)  # the table at the end
        self.winners: dict[int, Winner] = {}  # by player
        self.discards: list[Row] = []  # the rows of discards
        self.calls: list[Row] = []  # the rows of calls
        self._key = frame_key
        self._seats = seats(frame.start.dealer, len(frame.start.hands))
        self._faces = names(rules.red_fives)
        self._left = self.table.left
        self._dora = dora_values(self.table)
        self._dora_known = frame.start.indicator is not None and not frame.start.kan_indicators
        self._hands = [_Hand(self.table, player) for player in range(rules.players)]
        self.dealt = [hand.shanten for hand in self._hands]  # by player, the shanten of the tiles dealt, if known
        self._declared: list[Row] = []
        self._ronned = 0
        self._play(frame)

    def _play(self, frame: Frame) -> None:
        table, hands = self.table, self._hands
        for event, thinking in zip_longest(frame.events, frame.thinking):
            if type(event) is Draw:
                table.play(event)
                self._left -= 1
                hands[event.player].draw(event.tile)
            elif type(event) is Discard:
                self._discard(event, thinking)
                if table.declared == event.player:
                    self._declared.append(self._riichi(event.player))
            elif isinstance(event, Meld):
                self._call(event)
                table.play(event)
                hands[event.player].count()
            else:
                if isinstance(event, Win):
                    self._win(event)
                table.play(event)
                if isinstance(event, DoraRevealed):
                    self._dora = dora_values(table)

    def riichi(self, outcomes: Sequence[str | None]) -> list[Row]:
        """Return the rows of riichi.

        :param outcomes: by player, how the frame ended.
        """
        return [
            (
                *self._key,
                player,
                self._seats[player],
                turn,
                discard,
                number,
                self.table.riichi[player],
                *after_discard,
                outcomes[player],
            )
            for number, (player, turn, discard, *after_discard) in enumerate(self._declared, 1)
        ]

    def _discard(self, event: Discard, thinking: Thinking | None) -> None:
        """Play a discard, and add its row, as if nobody called it or won on it."""
        table, player, faces = self.table, event.player, self._faces
        hand, drawn, points = self._hands[player], table.drawn, table.points
        shanten = hand.discard(event.tile, drawn)
        dora = dora_count(table, player, self._dora) if shanten is not None and self._dora_known else None
        riichi = table.riichi[player]
        table.play(event)
        thrown = table.ponds[player][-1]
        self.discards.append(
            (
                *self._key,
                len(self.discards) + 1,
                player,
                self._seats[player],
                len(table.ponds[player]),
                faces[thrown.tile],
                None if drawn is None else faces[drawn],
                thrown.tsumogiri,
                shanten,
                hand.shanten,
                dora,
                len(table.indicators) if self._dora_known else None,
                points[player] if points else None,
                self._left,
                hand.called,
                thrown.riichi,
                riichi,
                sum(table.riichi) - riichi,
                None if thinking is None else thinking.time,
                None if thinking is None else thinking.autoplay,
                None,
                0,
            )
        )

    def _change_last(self, called_by: int | None, wins: int) -> None:
        """Change the row of the last discard, which somebody called or won on."""
        self.discards[-1] = (*self.discards[-1][:-2], called_by, wins)

    def _call(self, meld: Meld) -> None:
        """Add the row of a meld that is about to be played."""
        table, player, tiles = self.table, meld.player, tiles_of(meld)
        tile = source = None
        if isinstance(meld, Call):
            tile, source = meld.taken, meld.source
            self._change_last(player, 0)
        elif isinstance(meld, Kakan):
            tile = meld.tile
        self.calls.append(
            (
                *self._key,
                len(self.calls) + 1,
                player,
                self._seats[player],
                len(table.ponds[player]) + 1,
                len(self.discards),
                type(meld).__name__.lower(),
                None if tile is None else self._faces[tile],
                listed(sorted(tiles), table.rules),
                source,
                isinstance(meld, _OPEN),
            )
        )

    def _win(self, win: Win) -> None:
        """Note what the winner had done before a win that is about to be played."""
        table, player = self.table, win.player
        turn = turn_of_win(win, len(table.ponds[player]))
        called = self._hands[player].called > 0
        self.winners[player] = Winner(turn, len(self.discards), table.riichi[player], called)
        if win.source is not None and isinstance(table.last, Discard):
            self._ronned += 1
            self._change_last(None, self._ronned)

    def _riichi(self, player: int) -> Row:
        """Return what is known of a riichi whose tile has just been discarded: the player, the turn, the number of the
        discard, whether it is double, the waits, their number, how many tiles of them are unseen, and furiten."""
        table, turn = self.table, len(self.table.ponds[player])
        declared = (player, turn, len(self.discards), turn == 1 and not any(table.melds))
        waits = self._hands[player].waits()
        if waits is None:
            return (*declared, None, None, None, None)
        unseen = None
        if self._dora_known:
            copies = unseen_by(table, player)
            unseen = sum([copies[kind] for kind in waits])
        names = " ".join([KIND_FACES[kind] for kind in waits]) or None
        return (*declared, names, len(waits), unseen, table.furiten_with(player, waits))


# --- frames and wins --------------------------------------------------------------------------------------------------

_TSUMO, _RON, _DEAL_IN, _OTHER_WIN, _DRAW = "tsumo", "ron", "deal-in", "other win", "draw"
_LIMITS = {Limit.NONE: "none"} | {limit: romaji for limit, (_, romaji) in LIMITS.items()}
_ALL_DORA = (DORA, URA_DORA, RED_FIVES)
_UNPLAYED = Winner()


def outcomes_of(frame: Frame, players: int) -> list[str | None]:
    """Return, by player, how *frame* ended."""
    endings = frame.endings
    if not endings:
        return [None] * players
    wins = frame.wins
    outcomes: list[str | None] = [_OTHER_WIN if wins else _DRAW] * players
    for player in who_dealt_in(wins):
        outcomes[player] = _DEAL_IN
    for win in wins:
        outcomes[win.player] = _kind(win)
    return outcomes


def _kind(ending: Ending) -> str:
    if isinstance(ending, Win):
        return _TSUMO if ending.source is None else _RON
    return ending.kind.value if ending.kind else _DRAW


def frame_row(frame: Frame, key: FrameKey, play: Decisions | None) -> Row:
    """Return the row of *frame*.

    :param play: its play, if recorded.
    """
    start, endings = frame.start, frame.endings
    indicators = ura = left = None
    if play is not None:
        table = play.table
        indicators = listed((*table.indicators, *table.undated), table.rules)
        ura, left = listed(table.ura, table.rules), table.left
    return (
        *key,
        start.name,
        start.round,
        start.honba,
        start.sticks,
        start.dealer,
        play is not None,
        _kind(endings[0]) if endings else None,
        len(frame.wins) if endings else None,
        indicators,
        ura,
        left,
    )


def seat_rows(frame: Frame, key: FrameKey, play: Decisions | None, outcomes: Sequence[str | None]) -> list[Row]:
    """Return the rows of the seats in *frame*.

    :param play: its play, if recorded.
    :param outcomes: by player, how it ended.
    """
    start, before, after = frame.start, frame.start.points, frame.end.points
    tenpai = next(filter(None, map(in_tenpai, frame.endings)), None)
    return [
        (
            *key,
            player,
            seat,
            before[player] if before else None,
            after[player] - before[player] if before and after else None,
            play.dealt[player] if play else None,
            tenpai[player] if tenpai else None,
            outcomes[player],
        )
        for player, seat in enumerate(seats(start.dealer, len(outcomes)))
    ]


def win_rows(match: Match, frame: Frame, key: FrameKey, play: Decisions | None) -> list[Row]:
    """Return the rows of the wins in *frame*.

    :param play: its play, if recorded.
    """
    rules, dealer = match.rules, frame.start.dealer
    wind, face_of = seats(dealer, rules.players), names(rules.red_fives)
    rows = []
    for number, win in enumerate(frame.wins, 1):
        player = win.player
        done = play.winners[player] if play is not None else _UNPLAYED
        rows.append(
            (
                *key,
                player,
                wind[player],
                number,
                win.source,
                win.source is None,
                *(*win.pao, None, None)[:2],  # there are two at most: for two yakuman of a hand
                face_of[win.tile],
                *done,
                win.han,
                win.fu,
                win.points,
                None if win.limit is None else _LIMITS[win.limit],
                *_dora(win),
                _sticks(win, number, frame),
                win.changes[player] if win.changes else None,
            )
        )
    return rows


def _sticks(win: Win, number: int, frame: Frame) -> int | None:
    """Return the riichi sticks that the win with this *number* takes: as recorded, otherwise all on the table for the
    first; ``None`` if unknown."""
    if win.sticks is not None or number > 1:
        return win.sticks or 0
    before = frame.start.sticks
    if before is None or not frame.start.hands:
        return None
    return before + list(map(type, frame.events)).count(RiichiAccepted)


def _dora(win: Win) -> tuple[int | None, ...]:
    """Return the han of dora, ura dora and red fives, if the yaku are recorded."""
    if not win.yaku:
        return (None, None, None)
    return tuple(sum(yaku.han or 0 for yaku in win.yaku if yaku.number == number) for number in _ALL_DORA)


def yaku_rows(frame: Frame, key: FrameKey) -> list[Row]:
    """Return the rows of the yaku in *frame*."""
    return [
        (*key, win.player, yaku.number, yaku.romaji, yaku.japanese, yaku.han)
        for win in frame.wins
        for yaku in win.counting_yaku
    ]


# --- matches and players ----------------------------------------------------------------------------------------------


def rows_of(match: Match, key: str) -> dict[str, list[Row]]:
    """Return the rows of *match*, by the name of the table: all tables, in the order of the schema.

    :param key: what identifies the match, the first value of every row.
    :raises PlayError: its play is impossible; that of a match that was read never is.
    """
    rows: dict[str, list[Row]] = {table.name: [] for table in TABLES}
    rows["matches"].append(_match_row(match, key))
    rows["players"] += _player_rows(match, key)
    players = match.rules.players
    for number, frame in enumerate(match.frames, 1):
        frame_key, outcomes = (key, number), outcomes_of(frame, players)
        play = Decisions(frame, match.rules, frame_key) if frame.start.hands else None
        rows["frames"].append(frame_row(frame, frame_key, play))
        rows["seats"] += seat_rows(frame, frame_key, play, outcomes)
        rows["wins"] += win_rows(match, frame, frame_key, play)
        rows["yaku"] += yaku_rows(frame, frame_key)
        if play is not None:
            rows["calls"] += play.calls
            rows["riichi"] += play.riichi(outcomes)
            rows["discards"] += play.discards
    return rows


def _match_row(match: Match, key: str) -> Row:
    rules = match.rules
    return (
        key,
        match.id or None,
        day(match),
        _start_time(match),
        match.started,
        match.ended,
        rules.house.value if rules.house else None,
        rules.code,
        rules.lobby,
        is_ranked(rules),
        _room(rules),
        rules.players,
        *_settings(rules),
        len(match.frames),
    )


def day(match: Match) -> date | None:
    """Return the date of *match*, ``None`` if it is not recorded or not in the calendar."""
    text = match.date or ""
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return None


def _start_time(match: Match) -> time | None:
    """Return the time at which *match* started, ``None`` if it is not recorded."""
    text = match.time
    return None if text is None else time(int(text[:2]), int(text[2:]))


def _room(rules: Rules) -> str | None:
    if rules.code is None or rules.house is not House.TENHOU or rules.lobby:
        return None
    tenhou_room = room(rules.code)
    return tenhou_room.roman if tenhou_room else None


_LENGTHS = {None: None, True: "east", False: "east-south"}


def _settings(rules: Rules) -> tuple[str | int | bool | None, ...]:
    """Return the length, how many red fives there are, and whether there are open tanyao and little time."""
    length, red, code = _LENGTHS[is_east_only(rules)], _red_fives(rules), rules.code
    if code is None:
        return (length, red, None, None)
    return (length, red, has_open_tanyao(code), is_fast(code))


def _red_fives(rules: Rules) -> int | None:
    if rules.red_fives is None:
        return None
    known = faces(rules.red_fives)
    return sum(known[tile] in RED_FACES for tile in SETS[rules.players])


def _player_rows(match: Match, key: str) -> list[Row]:
    points, results, changes = points_at_end(match), match.results, match.rank_changes
    order = ranking(points) if points is not None else []
    return [
        (
            key,
            number,
            player.name,
            player.account,
            person_of(match, player).is_shared if player.name is not None else None,
            player.dan,
            player.rank or None,
            player.rank_points,
            changes[number] if changes is not None else None,
            None if player.rate is None else float(player.rate),
            player.sex or None,
            order.index(number) + 1 if points is not None else None,
            points[number] if points is not None else None,
            results[number] if results is not None else None,
        )
        for number, player in enumerate(match.players)
    ]
