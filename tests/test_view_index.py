"""The list of games of a site, in a real browser: its address, order and languages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browsing import FIXTURES, page, read

from jmjp_convert.model import Match, Name, Text
from jmjp_convert.view.site import Site

SHOWN = "rows => rows.filter((row) => !row.hidden).map((row) => row.cells[0].textContent)"


def game(name: str, date: str | None, *players: str) -> Match:
    """Return a game with this ID and *date*, won by the first of *players*, then by the second, and so on."""
    (match,) = read(FIXTURES / "valid" / "plain.xml")
    named = zip(match.players, players, strict=True)
    points = (40000, 30000, 20000, 10000)
    called = tuple(replace(one, full_name=Name(Text(player))) for one, player in named)
    return replace(match, id=name, date=date, players=called, final_points=points, results=None)


@pytest.fixture
def opened(running: Any, tmp_path: Path) -> Any:
    """A function that opens the list of five games, two of them undated."""
    site = Site(tmp_path)
    site.start()
    for match in (
        game("one", "20190418", "player 10", "b", "c", "d"),
        game("two", None, "Player 9", "b", "c", "d"),
        game("three", "20200101", "ädam", "b", "c", "d"),
        game("four", None, "zoe", "b", "c", "d"),
        game("five", "20180101", "Bea", "ädam", "c", "d"),
    ):
        site.add(match, match.id or "")
    site.finish()

    @contextmanager
    def show(**options: Any) -> Iterator[Any]:
        with page(running, **options) as one:
            one.goto((tmp_path / "index.html").as_uri())
            yield one

    return show


def shown(one: Any) -> list[str]:
    """Return the first column of the rows that are shown."""
    found: list[str] = one.eval_on_selector_all("tbody tr", SHOWN)
    return found


def test_undated_last(opened: Any) -> None:
    """The latest games are first, and undated ones last, whichever way the list is sorted by date."""
    with opened() as one:
        assert shown(one) == ["2020-01-01", "2019-04-18", "2018-01-01", "two", "four"]
        one.click("thead th:first-child button")
        assert shown(one)[:3] == ["2018-01-01", "2019-04-18", "2020-01-01"]
        assert set(shown(one)[3:]) == {"two", "four"}
        one.click("thead th:first-child button")
        assert shown(one)[:3] == ["2020-01-01", "2019-04-18", "2018-01-01"]
        assert set(shown(one)[3:]) == {"two", "four"}


def test_order_of_players(opened: Any) -> None:
    """Games sort by the winner's name as people sort names: regardless of case and accents, and numbers by value."""
    with opened() as one:
        one.click("thead th:nth-child(3) button")
        assert shown(one) == ["2020-01-01", "2018-01-01", "two", "2019-04-18", "four"]


def test_back(opened: Any) -> None:
    """The address holds filters and order: Back from a game returns to the same list."""
    with opened() as one:
        one.fill("#player", "ädam")
        one.click("thead th:first-child button")
        before = shown(one)
        assert before == ["2018-01-01", "2020-01-01"]
        with one.expect_navigation():
            one.click("tbody tr:not([hidden]) a")
        with one.expect_navigation():
            one.go_back()
        assert shown(one) == before
        assert one.input_value("#player") == "ädam"
        address = one.url
        one.goto("about:blank")
        one.goto(address)
        assert shown(one) == before
        assert one.get_attribute("thead th", "aria-sort") == "ascending"
        one.fill("#player", "")
        assert one.url.endswith("#sort=1")


@pytest.mark.parametrize(
    ("locale", "rules"),
    [("en", "Tenhou 4-player General East-South, open tanyao, red fives"), ("ja", "天鳳 四般南喰赤")],
)
def test_language(opened: Any, locale: str, rules: str) -> None:
    """Headings and rules are in the browser's language, and in the other one on demand."""
    with opened(locale=locale) as one:
        assert one.get_attribute("html", "lang") == locale
        assert one.inner_text("tbody tr td:nth-child(2)") == rules
        assert one.locator("#rule option").all_text_contents() == ["–", rules]
        one.select_option("#rule", index=1)
        one.click("#language")
        assert one.get_attribute("html", "lang") != locale
        assert one.inner_text("tbody tr td:nth-child(2)") != rules
        assert len(shown(one)) == 5
        assert one.evaluate("document.getElementById('rule').selectedIndex") == 1
