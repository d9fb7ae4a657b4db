"""The rows of a match in the tables of a data set."""

from __future__ import annotations

from jmjp_convert.dataset.decisions import Decisions
from jmjp_convert.dataset.results import frame_row, outcomes_of, seat_rows, win_rows, yaku_rows
from jmjp_convert.dataset.schema import TABLES
from jmjp_convert.dataset.values import Row, day, start_time
from jmjp_convert.model import House, Match, Rules
from jmjp_convert.model.houses import is_ranked
from jmjp_convert.model.tenhou import has_open_tanyao, is_east_only, is_fast, room
from jmjp_convert.play.points import points_at_end, ranking


def rows_of(match: Match, key: str) -> dict[str, list[Row]]:
    """Return the rows of *match*, by the name of the table: all tables, in the order of the schema.

    :param key: what identifies the match, the first value of every row.
    :raises PlayError: its play is impossible; that of a match that was read never is.
    """
    found: dict[str, list[Row]] = {table.name: [] for table in TABLES}
    found["matches"].append(_match_row(match, key))
    found["players"] += _player_rows(match, key)
    players = match.rules.players
    for number, frame in enumerate(match.frames, 1):
        place, outcomes = (key, number), outcomes_of(frame, players)
        play = Decisions(frame, match.rules, place) if frame.start.hands else None
        found["frames"].append(frame_row(frame, place, play))
        found["seats"] += seat_rows(frame, place, play, outcomes)
        found["wins"] += win_rows(match, frame, place, play)
        found["yaku"] += yaku_rows(frame, place)
        if play is not None:
            found["calls"] += play.calls
            found["riichi"] += play.riichi(outcomes)
            found["discards"] += play.discards
    return found


def _match_row(match: Match, key: str) -> Row:
    rules = match.rules
    return (
        key,
        match.id or None,
        day(match),
        start_time(match),
        rules.house.value if rules.house else None,
        rules.code,
        rules.lobby,
        is_ranked(rules),
        _room(rules),
        rules.players,
        *_settings(rules),
        len(match.frames),
    )


def _room(rules: Rules) -> str | None:
    if rules.code is None or rules.house is not House.TENHOU or rules.lobby:
        return None
    found = room(rules.code)
    return found.roman if found else None


def _settings(rules: Rules) -> tuple[str | bool | None, ...]:
    """Return the length, and whether there are red fives, open tanyao and little time."""
    code = rules.code
    if code is None:
        return (None, rules.red_fives, None, None)
    length = "east" if is_east_only(code) else "east-south"
    return (length, rules.red_fives, has_open_tanyao(code), is_fast(code))


def _player_rows(match: Match, key: str) -> list[Row]:
    points, results = points_at_end(match), match.results
    order = ranking(points) if points is not None else []
    return [
        (
            key,
            number,
            player.name,
            player.dan,
            player.rank or None,
            None if player.rate is None else float(player.rate),
            player.sex or None,
            order.index(number) + 1 if points is not None else None,
            points[number] if points is not None else None,
            results[number] if results is not None else None,
        )
        for number, player in enumerate(match.players)
    ]
