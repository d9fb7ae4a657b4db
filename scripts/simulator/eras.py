"""What a log looks like by its day (source: the real logs and `mjlog-traps.md`; of days between two forms, none)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from jmjp_convert.model import ShuffleForm
from simulator.random_source import Chance


class Form(NamedTuple):
    """The form of a log.

    :ivar shuffle: the form of the seed of the walls.
    :ivar lobby: whether the lobby is written.
    :ivar rate_decimals: whether ratings are written with two decimals.
    :ivar result_decimals: whether results are written with one decimal.
    :ivar stick_points: whether the points are written when a riichi stick is laid.
    :ivar old_ankan: whether some players' programs name closed kans by their third tile.
    :ivar whole: whether results are reckoned in whole thousands.
    :ivar small_uma: whether East-only games of four have the small uma.
    :ivar tenpaiyame: whether a dealer who is first and tenpai in the last round ends the game.
    """

    shuffle: ShuffleForm
    lobby: bool
    rate_decimals: bool
    result_decimals: bool
    stick_points: bool
    old_ankan: bool
    whole: bool
    small_uma: bool
    tenpaiyame: bool


def form(day: date) -> Form:
    """Return the form of the logs of *day*."""
    return Form(
        shuffle=next(form for form, (first, last) in DAYS.items() if first <= day <= last),
        lobby=day >= date(2010, 10, 19),
        rate_decimals=day >= date(2010, 10, 19),
        result_decimals=day >= date(2010, 1, 1),
        stick_points=day >= date(2009, 12, 1),
        old_ankan=day < date(2018, 1, 1),
        whole=day < date(2022, 1, 14),
        small_uma=day < date(2009, 8, 1),
        tenpaiyame=day >= date(2010, 1, 1),
    )


DAYS = {
    ShuffleForm.OLD: (date(2008, 9, 1), date(2009, 7, 21)),
    ShuffleForm.HEX: (date(2009, 7, 22), date(2010, 2, 28)),
    ShuffleForm.BASE64: (date(2010, 3, 4), date(2023, 12, 31)),
}
"""By the form of the seed: the days on which it was used."""

_UNKNOWN = ((date(2009, 8, 1), date(2009, 8, 1)), (date(2022, 1, 14), date(2022, 5, 31)))
"""Days of which no log tells how results were reckoned."""


def draw_day(chance: Chance, shuffle: ShuffleForm) -> date:
    """Return a day on which the seed of the walls had the form *shuffle*."""
    first, last = DAYS[shuffle]
    while True:
        day = first + timedelta(chance.below((last - first).days + 1))
        if not any(start <= day <= end for start, end in _UNKNOWN):
            return day
