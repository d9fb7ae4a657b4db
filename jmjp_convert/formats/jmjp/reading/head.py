"""Parse the fields before and after the frames of a match."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TypedDict

from jmjp_convert.formats import bounds
from jmjp_convert.formats.jmjp.dialects import ALL_FRAMES, SEATS, Dialect
from jmjp_convert.formats.jmjp.reading import slips
from jmjp_convert.formats.jmjp.reading.lexer import (
    Script,
    four,
    four_points,
    frame_id,
    mark,
    matching,
    name,
    number,
    optional,
    points,
    text_or_token,
    tour_points,
)
from jmjp_convert.formats.jmjp.strings import AFFILIATIONS, PLACES, STAGES, TEAMS, TOURNAMENTS
from jmjp_convert.model import Player, PointRule, Recorder, Text, Tournament, TourPoints
from jmjp_convert.model.dates import DATE, TIME, WEEKDAYS
from jmjp_convert.patterns import regex

_YEAR = regex("[0-9]{4}")
_DATE = regex(DATE)
_WEEKDAY = regex("|".join(WEEKDAYS))
_TIME = regex(TIME)
_PLAYER = re.compile("[0-3]")

_year = partial(matching, pattern=_YEAR, what="a year (YYYY)")
_date = partial(matching, pattern=_DATE, what="a date (YYYYMMDD)", usual=slips.DATES)
_DAYS = f"a weekday ({WEEKDAYS[0]} to {WEEKDAYS[-1]})"
_weekday = partial(matching, pattern=_WEEKDAY, what=_DAYS, usual=slips.DAYS)
_time = partial(matching, pattern=_TIME, what="a time (HHMM)", usual=slips.TIMES)


class Before(TypedDict, total=False):
    """The fields of a match before its frames."""

    tournament: Tournament | None
    date: str | None
    weekday: str | None
    time: str | None
    place: Text | None
    recorders: tuple[Recorder, ...]
    players: tuple[Player, ...]
    point_rule: PointRule | None


class After(TypedDict, total=False):
    """The fields of a match after its frames."""

    results: tuple[int, ...] | None
    tour_points: tuple[TourPoints, ...] | None


def before(script: Script, place: int, dialect: Dialect) -> tuple[int, Before]:
    """Parse the fields before the frames."""
    found = Before()
    if script.text.startswith("tnm[", place):
        place, found["tournament"] = _tournament(script, place)
    place, (found["date"], found["weekday"], found["time"], found["place"]) = _when_and_where(script, place)
    recorders: list[Recorder] = []
    while script.text.startswith("rec[", place):
        if len(recorders) == bounds.RECORDERS:
            raise script.error(place, bounds.exceeded(bounds.RECORDERS, "recorders"))
        place, recorder = _recorder(script, place, dialect)
        recorders.append(recorder)
    found["recorders"] = tuple(recorders)
    place, found["players"] = _players(script, place, dialect)
    if script.text.startswith("ptr[", place):
        place, found["point_rule"] = _point_rule(script, place, dialect)
    return place, found


def after(script: Script, place: int) -> tuple[int, After]:
    """Parse the fields after the frames."""
    found = After()
    if script.text.startswith("pme[", place):
        place, found["results"] = four_points(script, place + len("pme["))
    if script.text.startswith("ptn[", place):
        place, found["tour_points"] = four(script, place + len("ptn["), tour_points)
    return place, found


def _tournament(script: Script, place: int) -> tuple[int, Tournament]:
    place, title = text_or_token(script, mark(script, place, "tnm["), ",", TOURNAMENTS)
    place, year = optional(script, place, ",", _year)
    place, stage = text_or_token(script, place, ",", STAGES)
    place, stage_match = optional(script, place, ",", number)
    place, day_match = optional(script, place, "]", number)
    return place, Tournament(title, None if year is None else int(year), stage, stage_match, day_match)


_WhenAndWhere = tuple[str | None, str | None, str | None, Text | None]
"""A date, weekday, time and place."""


def _when_and_where(script: Script, place: int) -> tuple[int, _WhenAndWhere]:
    place, date = optional(script, mark(script, place, "mtp["), ",", _date)
    place, weekday = optional(script, place, ",", _weekday)
    place, time = optional(script, place, ",", _time)
    place, where = text_or_token(script, place, "]", PLACES)
    return place, (date, weekday, time, where)


def _recorder(script: Script, place: int, dialect: Dialect) -> tuple[int, Recorder]:
    place, who = name(script, mark(script, place, "rec["), dialect, ",")
    if script.text.startswith(ALL_FRAMES, place):
        return mark(script, place + len(ALL_FRAMES), "]"), Recorder(who)
    frames: list[tuple[int, int]] = []
    while not script.text.startswith("]", place):
        if len(frames) == bounds.MATCH_FRAMES:
            raise script.error(place, bounds.exceeded(bounds.MATCH_FRAMES, "frames of a recorder"))
        place, frame = frame_id(script, place, slips.RECORDED)
        frames.append(frame)
    return place + 1, Recorder(who, tuple(frames))


def _players(script: Script, place: int, dialect: Dialect) -> tuple[int, tuple[Player, ...]]:
    players: dict[int, Player] = {}
    while len(players) < len(SEATS):
        start = place
        place, (who, player) = _player(script, place, dialect)
        if who in players:
            raise script.error(start + len("ply["), f"duplicate player {who}")
        players[who] = player
    return place, tuple(players[who] for who in range(len(SEATS)))


def _player(script: Script, place: int, dialect: Dialect) -> tuple[int, tuple[int, Player]]:
    """Parse a player: the number, and what is known of them."""
    place, digit = matching(script, mark(script, place, "ply["), _PLAYER, "a player (0 to 3)", slips.PLAYERS)
    place, who = name(script, mark(script, place, ","), dialect, ",")
    place, team = text_or_token(script, place, ",", TEAMS)
    place, affiliation = text_or_token(script, place, ",", AFFILIATIONS)
    place, both = optional(script, place, "]", tour_points)
    return place, (int(digit), Player(who, team=team, affiliation=affiliation, tour_points=both))


def _point_rule(script: Script, place: int, dialect: Dialect) -> tuple[int, PointRule]:
    place, start = points(script, mark(script, place, "ptr["))
    place, target = points(script, mark(script, place, ","))
    place, uma14 = points(script, mark(script, place, ",("))
    place, uma23 = points(script, mark(script, place, ","))
    place, honba = points(script, mark(script, place, "),"))
    tenpai = None
    if dialect.tenpai and script.text.startswith(",", place):
        place, tenpai = points(script, place + 1)
    return mark(script, place, "]"), PointRule(start, target, uma14, uma23, honba, tenpai)


PARTS: dict[str, Callable[[Script, int, Dialect], tuple[int, object]]] = {
    "tnm[": lambda script, place, _dialect: _tournament(script, place),
    "mtp[": lambda script, place, _dialect: _when_and_where(script, place),
    "rec[": _recorder,
    "ply[": _player,
    "ptr[": _point_rule,
}
"""The parsers of the parts before the frames, by keyword."""
