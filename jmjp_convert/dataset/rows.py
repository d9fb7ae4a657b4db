"""The rows of a match: itself, its players, frames, seats, wins and yaku."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time

from jmjp_convert.dataset.decisions import Decisions, FrameKey, Winner, listed, names, seats
from jmjp_convert.dataset.schema import TABLES, Row
from jmjp_convert.model import Ending, Frame, House, Limit, Match, RiichiAccepted, Rules, Win
from jmjp_convert.model.houses import is_east_only, is_ranked
from jmjp_convert.model.tenhou import has_open_tanyao, is_fast, room
from jmjp_convert.model.tiles import RED_FACES, faces
from jmjp_convert.model.yaku import LIMITS
from jmjp_convert.play.points import points_at_end, ranking
from jmjp_convert.play.position import SETS
from jmjp_convert.stats.counts import DORA, RED_FIVES, URA_DORA, in_tenpai, person_of, who_dealt_in

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
        _day(match),
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


def _day(match: Match) -> date | None:
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
