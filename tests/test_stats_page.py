"""The page of statistics: self-contained, the same numbers as in the terminal, and right for everybody. Sessions have
the rest."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from accessibility import faults
from browsing import DESKTOP, FIXTURES, PHONE, first_cells, new_page, until
from hypothesis import given
from hypothesis import strategies as st
from pages_made import Parsed, hashed, words
from playing import matches
from tables import table

from jmjp_convert.cli.stats import number
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match, Name, Text
from jmjp_convert.model.record import replace
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.stats.counts import RATES, Counts, Person, Players
from jmjp_convert.stats.curve import MOST, Curve, Point, began
from jmjp_convert.stats.page import SCRIPTS, stats_page

HOSTILE = ("</script><img src=x onerror=alert(1)>", "\"&quot;'`<!--<script>", "a\ud83c", "لاعب 1")
Opened = Callable[..., AbstractContextManager[Any]]
PLAIN = read_mjlog(FIXTURES / "valid" / "plain.xml")
DOUBLE_RON = read_mjlog(FIXTURES / "valid" / "double-ron.xml")
(OF_THREE,) = matches("--seed 1 --games 1 --players 3 --first 0")


def game(names: tuple[str, ...], day: int = 1, match: Match = PLAIN) -> Match:
    """Return *match* played by others on that day of April."""
    called = [replace(player, full_name=Name(Text(name))) for player, name in zip(match.players, names, strict=True)]
    return replace(match, players=tuple(called), date=f"201904{day:02}", time="0900", id=None)


def added(*matches: Match) -> Players:
    """Return the players of *matches*."""
    players = Players(over_time=True)
    players.add_matches(matches)
    return players


def made(players: Players, lang: str | None = None) -> str:
    """Return the page of *players*."""
    return stats_page(players.ranked(), players.curves, lang)


NAMED = ("Kaede", "Tsubaki", "山茶花", "Nazuna")
USUAL = added(
    *(game(NAMED, day) for day in (1, 3, 9)),
    game(("Kaede", "Birch", "Cedar", "Nazuna"), 4, DOUBLE_RON),
    game(NAMED[:3], 2, OF_THREE),
)


@pytest.fixture
def opened(running: Any, tmp_path: Path) -> Opened:
    """A function that opens the page of players."""

    @contextmanager
    def show(
        players: Players = USUAL,
        link: str = "",
        size: tuple[int, int] = DESKTOP,
        lang: str | None = None,
        **options: Any,
    ) -> Iterator[Any]:
        file = tmp_path / "players.html"
        file.write_text(made(players, lang), encoding="utf-8")
        with new_page(running, width=size[0], height=size[1], **options) as page:
            page.goto(file.as_uri() + link)
            yield page

    return show


# --- the text of the page --------------------------------------------------------------------------------------------


def test_self_contained() -> None:
    """The page refers to no other file or address, allows its own script and style only, and is small."""
    text = made(USUAL)
    parsed = Parsed(text)
    assert not [
        attributes
        for tag, attributes in parsed.elements
        if tag != "link" and {"src", "href", "style"} & attributes.keys()
    ]
    assert set(re.findall(r"https?://[^\s\"'<]+", text)) == {"http://www.w3.org/2000/svg"}
    assert parsed.policy["script-src"] == hashed(parsed.texts["script"])
    assert parsed.policy["style-src"] == hashed(parsed.texts["style"])
    assert len(text.encode()) < 40_000


def test_names_are_text() -> None:
    """A name is never markup: the page has the same elements with any name, and can be encoded."""
    usual, odd = (Parsed(made(added(game(names)))) for names in (NAMED, HOSTILE))
    assert odd.elements == usual.elements
    assert {name for name, *_ in json.loads(odd.texts["players"])} == set(HOSTILE)
    assert made(added(game(HOSTILE))).encode()


def test_words() -> None:
    """Every language has the same keys, and all of them are used."""
    known, used = words("stats/page", SCRIPTS, "stats/page/page.html")
    assert used == known


def test_many_players() -> None:
    """With many players, the curve of each has fewer points, and the page stays below 500 bytes a player."""
    players, kaede = added(*(game(NAMED, day) for day in range(1, 29))), Person("Kaede", 4)
    counts, curve = players.counts[kaede], players.curves[kaede]
    many = [Person(f"player {copy}", 4) for copy in range(2500)]
    page = stats_page([(who, counts) for who in many], dict.fromkeys(many, curve))
    assert len(page.encode()) < 2500 * 500
    assert len(list(curve.points())) == 28


# --- the list --------------------------------------------------------------------------------------------------------


class _Many(Players):
    """A thousand players."""

    @property
    def counts(self) -> dict[Person, Counts]:
        return {Person(f"player {copy}", 4): Counter(games=2000 - copy) for copy in range(1000)}


def test_more(opened: Opened) -> None:
    """Of very many players a hundred rows are shown at first, and more on demand; a filter searches all of them."""
    with opened(_Many()) as page:
        assert len(first_cells(page)) == 100
        assert page.inner_text(".more") == "Show more (900 left)"
        page.click(".more")
        assert len(first_cells(page)) == 400
        page.fill("#name", "er 999")
        assert first_cells(page) == ["player 999"]


def test_nobody(opened: Opened) -> None:
    """A page without players says so."""
    with opened(Players()) as page:
        assert page.inner_text("#tables") == "No players"


# --- a player --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_numbers(opened: Opened, lang: str) -> None:
    """The rates and yaku of a player are those in the terminal, in either language, whatever the browser's."""
    kaede = Person("Kaede", 4)
    counts = USUAL.counts[kaede]
    with opened(link="#name=Kaede", lang=lang, locale="en") as one:
        assert one.get_attribute("html", "lang") == lang
        text = one.each("section:not(.wide) tbody tr", "[...one.cells].map((cell) => cell.textContent)")
        names = [(rate.english, rate.japanese)[lang == "ja"] for rate in RATES]
        values = [number(rate, counts).replace("-", "−") for rate in RATES]
        values = ["–" if value == "−" else value for value in values]
        assert [row[:2] for row in text[: len(RATES)]] == [list(pair) for pair in zip(names, values, strict=True)]
        yaku = {
            (one.romaji, one.japanese)[lang == "ja"]: str(counts[f"yaku {number}"])
            for number, one in enumerate(NAMES)
            if counts[f"yaku {number}"]
        }
        assert {row[0]: row[-1] for row in text[len(RATES) :]} == yaku


# --- for everybody ---------------------------------------------------------------------------------------------------


def test_access(opened: Opened) -> None:
    """axe-core finds nothing in the list or in a player, nothing is wider than the window, and both print."""
    with opened(size=PHONE) as page:
        assert faults(page) == []
        page.size(*DESKTOP)
        page.click("#theme")
        assert faults(page) == []
        page.fill("#name", "kae")
        page.follow("#tables a[href='#name=Kaede']")
        until(page, "document.querySelector('#card h2')")
        page.click("summary")
        assert faults(page) == []
        page.size(*PHONE)
        page.click("#theme")
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.size(*DESKTOP)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.emulate_media(media="print")
        assert not page.is_visible("nav")
        assert page.is_visible(".curve")


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
    points = curve(games)
    assert len(games) > 100_000
    assert MOST // 2 <= len(list(points.points())) <= MOST
    assert points.length == 768


@pytest.mark.parametrize(("day", "time", "log", "hour"), table("stats_page", "hour"))
def test_hour(day: str, time: str | None, log: str | None, hour: int) -> None:
    """A game began in the hour of its start time, or of its log ID, or else in the first hour of its day."""
    match = replace(read_mjlog(FIXTURES / "valid" / "plain.xml"), date=day, time=time, id=log)
    assert began(match) == (date(2019, 4, 18).toordinal() - 1) * DAY + hour


def test_undated() -> None:
    """A game without a date has no place in a curve."""
    assert began(replace(read_mjlog(FIXTURES / "valid" / "plain.xml"), date=None)) is None
