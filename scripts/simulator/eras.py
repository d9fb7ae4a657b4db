"""What changed at Tenhou over the years, in its logs and its rules.

Sources: the real logs, `docs/design/mjlog-traps.md`, `docs/design/wall.md` (seeds) and `docs/design/scoring.md`, Final
result. A change is dated to the first day known to have it.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from jmjp_convert.model import ShuffleForm
from simulator.random_source import RandomSource


class Era(NamedTuple):
    """What logs and rules are like on a given day.

    :ivar shuffle: the form of the seed of the walls.
    :ivar lobby: whether the log names the lobby.
    :ivar rate_decimals: whether ratings have two decimals.
    :ivar result_decimals: whether results have one decimal.
    :ivar stick_points: whether the log gives everybody's points when a riichi stick is paid.
    :ivar some_ankan_by_third: whether some players' programs encode a closed kan by its third tile.
    :ivar whole_results: whether results are rounded to whole thousands.
    :ivar small_uma: whether East-only games of four have the small uma.
    :ivar tenpaiyame: whether the game ends when the dealer is first and tenpai in the last round.
    """

    shuffle: ShuffleForm
    lobby: bool
    rate_decimals: bool
    result_decimals: bool
    stick_points: bool
    some_ankan_by_third: bool
    whole_results: bool
    small_uma: bool
    tenpaiyame: bool


def era_of(day: date) -> Era:
    """Return the era of *day*."""
    return Era(
        shuffle=next(form for form, (first, last) in DAYS.items() if first <= day <= last),
        lobby=day >= date(2010, 10, 19),
        rate_decimals=day >= date(2010, 10, 19),
        result_decimals=day >= date(2010, 1, 1),
        stick_points=day >= date(2009, 12, 1),
        some_ankan_by_third=day < date(2018, 1, 1),
        whole_results=day < date(2022, 1, 14),
        small_uma=day < date(2009, 8, 1),
        tenpaiyame=day >= date(2010, 1, 1),
    )


DAYS = {
    ShuffleForm.OLD: (date(2008, 9, 1), date(2009, 7, 21)),
    ShuffleForm.HEX: (date(2009, 7, 22), date(2010, 2, 28)),
    ShuffleForm.BASE64: (date(2010, 3, 4), date(2023, 12, 31)),
}
"""By form of the seed: the first and the last day with it. Days between two forms, without any known logs, are left
out."""

_UNKNOWN = ((date(2009, 8, 1), date(2009, 8, 1)), (date(2022, 1, 14), date(2022, 5, 31)))
"""Periods without logs, for which it is unknown how results were computed."""


def random_day(random: RandomSource, shuffle: ShuffleForm) -> date:
    """Return a day on which the seed of the walls had the form *shuffle*."""
    first, last = DAYS[shuffle]
    while True:
        day = first + timedelta(random.below((last - first).days + 1))
        if not any(start <= day <= end for start, end in _UNKNOWN):
            return day
