"""Results over time: as many games as there may be in few points, whatever the order."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from random import Random

import pytest
from browsing import FIXTURES
from hypothesis import given
from hypothesis import strategies as st

from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.stats.curve import MOST, Curve, Point, began

DAY = 24


@st.composite
def careers(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Draw up to 900 games, over hours to millennia: the hour at which each began, and its result."""
    number, hours = draw(st.integers(0, 900)), 10 ** draw(st.integers(1, 7))
    random = draw(st.randoms(use_true_random=False))
    return [(random.randrange(8 * hours), random.randrange(-90_000, 90_000)) for _ in range(number)]


def curve(games: list[tuple[int, int]]) -> Curve:
    """Return the curve of *games*, each the hour at which it began and its result."""
    made = Curve()
    for when, result in games:
        made.add(when, result)
    return made


@given(careers(), st.randoms(use_true_random=False))
def test_order(games: list[tuple[int, int]], random: Random) -> None:
    """A curve depends neither on the order of its games nor on the parts that it was added up from."""
    expected = curve(games)
    shuffled = random.sample(games, len(games))
    middle = len(games) // 3
    parts = [curve(shuffled[:middle]), curve(shuffled[middle:])]
    for order in (parts, parts[::-1]):
        added = Curve()
        for part in order:
            added.update(part)
        assert added == expected


@given(careers())
def test_nothing_is_lost(games: list[tuple[int, int]]) -> None:
    """A curve has a bounded number of points, in order, which add up to all games."""
    points = list(curve(games).points())
    assert len(points) <= MOST
    assert points == sorted(points)
    assert sum(point.result for point in points) == sum(result for _, result in games)
    assert sum(point.games for point in points) == len(games)


def test_one_day() -> None:
    """Games of one day are as many points as they have hours."""
    assert list(curve([(10, 50_000), (12, -30_000), (12, 10_000)]).points()) == [
        Point(10, 50_000, 1),
        Point(12, -20_000, 2),
    ]


def test_ten_years() -> None:
    """A hundred thousand games of ten years keep half of the points that they may have, or more."""
    games = [(hour, 1000) for hour in range(10 * 365 * DAY) for _ in range(1 + hour % 2)]
    found = curve(games)
    assert len(games) > 100_000
    assert MOST // 2 <= len(list(found.points())) <= MOST
    assert found.length == 768


@pytest.mark.parametrize(
    ("day", "time", "log", "hour"),
    [
        ("20190418", "0941", "2019041823gm-00a9-0000-0123abcd", 9),
        ("20190418", None, "2019041823gm-00a9-0000-0123abcd", 23),
        ("20190418", None, "20190418gm-00a9-0000-0123abcd", 0),
        ("20190418", None, "2019041899gm-00a9-0000-0123abcd", 0),
        ("20190418", None, None, 0),
    ],
)
def test_hour(day: str, time: str | None, log: str | None, hour: int) -> None:
    """A game began in the hour of its start time, or of its log ID, or else in the first hour of its day."""
    match = replace(read_mjlog(FIXTURES / "valid" / "plain.xml"), date=day, time=time, id=log)
    assert began(match) == (date(2019, 4, 18).toordinal() - 1) * DAY + hour


def test_undated() -> None:
    """A game without a date has no place in a curve."""
    assert began(replace(read_mjlog(FIXTURES / "valid" / "plain.xml"), date=None)) is None
