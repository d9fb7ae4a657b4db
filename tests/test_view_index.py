"""The list of games of a site, in real browsers: its address, filters, order, languages and links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browsing import FIXTURES, Page, first_cells, new_page, read, tab, until
from tables import table

from jmjp_convert.model import House, Limit, Match, Name, Rules, Score, Text, Tournament, Win, Yaku
from jmjp_convert.model.record import replace
from jmjp_convert.view import site as sites
from jmjp_convert.view.site import Site

LOADED = "performance.getEntriesByName('all games').length"
PINFU, KOKUSHI = Yaku(7, 1), Yaku(47)


(PLAIN,) = read(FIXTURES / "valid" / "plain.xml")
MATCH = replace(PLAIN, frames=PLAIN.frames[:1])


def game(name: str, date: str | None, *players: str) -> Match:
    """Return a game of a hand with this ID and *date*, won by the first of *players*, then by the second, and so on."""
    named = zip(MATCH.players, players, strict=True)
    points = (40000, 30000, 20000, 10000)
    renamed = tuple(replace(player, full_name=Name(Text(called))) for player, called in named)
    return replace(MATCH, id=name, date=date, players=renamed, final_points=points, results=None)


def won(match: Match, player: int, points: int, yaku: Yaku) -> Match:
    """Return *match* with its hand won by *player*."""
    (first,) = match.frames
    limit = Limit.YAKUMAN if yaku.han is None else Limit.NONE
    win = next(event for event in first.events if isinstance(event, Win))
    changed = replace(win, player=player, score=Score(30, points, limit, (yaku,)))
    return replace(match, frames=(replace(first, events=(*first.events[:-1], changed)),))


def list_of(folder: Path, matches: Iterable[Match]) -> str:
    """Write the list of *matches* into *folder*, and return its address."""
    site = Site(folder)
    for match in matches:
        site.add(match, match.id or "")
    site.finish()
    site.close()
    return (folder / "index.html").as_uri()


@contextmanager
def listed(running: Any, folder: Path, *matches: Match, address: str = "", **options: Any) -> Iterator[Any]:
    """Open the list of *matches*, and wait until it is complete."""
    file = list_of(folder, matches)
    with new_page(running, **options) as page:
        page.goto(file + address)
        until(page, LOADED)
        yield page


@pytest.fixture
def opened(running: Any, tmp_path: Path) -> Any:
    """A function that opens the list of five games, two of them undated."""
    games = (
        game("one", "20190418", "player 10", "b", "c", "d"),
        game("two", None, "Player 9", "b", "c", "d"),
        game("three", "20200101", "ädam", "b", "c", "d"),
        game("four", None, "zoe", "b", "c", "d"),
        game("five", "20180101", "Bea", "ädam", "c", "d"),
    )
    return lambda **options: listed(running, tmp_path, *games, **options)


def test_undated_last(opened: Any) -> None:
    """The latest games are first, and undated ones last, whichever way the list is sorted by date."""
    with opened() as page:
        assert first_cells(page)[:3] == ["2020-01-01", "2019-04-18", "2018-01-01"]
        assert set(first_cells(page)[3:]) == {"two", "four"}
        page.click("thead th:first-child button")
        assert first_cells(page)[:3] == ["2018-01-01", "2019-04-18", "2020-01-01"]
        assert set(first_cells(page)[3:]) == {"two", "four"}
        page.click("thead th:first-child button")
        assert first_cells(page)[:3] == ["2020-01-01", "2019-04-18", "2018-01-01"]
        assert set(first_cells(page)[3:]) == {"two", "four"}


def test_order_of_players(opened: Any) -> None:
    """Games sort by the winner's name as people sort names: regardless of case and accents, and numbers by value."""
    with opened() as page:
        page.click("thead th:nth-child(3) button")
        assert first_cells(page) == ["2020-01-01", "2018-01-01", "two", "2019-04-18", "four"]


def test_back(opened: Any) -> None:
    """The address holds filters and order: Back from a game returns to the same list."""
    with opened() as page:
        page.fill("#player", "ädam")
        page.click("thead th:first-child button")
        before = first_cells(page)
        assert before == ["2018-01-01", "2020-01-01"]
        page.follow("tbody tr a")
        with page.expect_navigation():
            page.go_back()
        until(page, LOADED)
        assert first_cells(page) == before
        assert page.input_value("#player") == "ädam"
        address = page.url
        page.goto("about:blank")
        page.goto(address)
        until(page, LOADED)
        assert first_cells(page) == before
        assert page.get_attribute("thead th", "aria-sort") == "ascending"
        page.fill("#player", "")
        assert page.url.endswith("#sort=1")


@pytest.mark.parametrize(
    ("locale", "rules"),
    [("en", "Tenhou 4-player General East-South, open tanyao, red fives"), ("ja-JP", "天鳳 四般南喰赤")],
)
def test_language(opened: Any, locale: str, rules: str) -> None:
    """Headings, rules, rooms and servers are in the browser's language, and in the other one on demand."""
    with opened(locale=locale) as page:
        assert page.get_attribute("html", "lang") == locale[:2]
        assert page.inner_text("tbody tr td:nth-child(2)") == rules
        assert page.texts("#rule option") == ["–", rules]
        assert page.texts("#room option")[1] == ("General" if locale == "en" else "般")
        assert page.texts("#server option")[1] == ("Tenhou" if locale == "en" else "天鳳")
        page.choose("#rule", 1)
        page.click("#language")
        assert page.get_attribute("html", "lang") != locale[:2]
        assert page.inner_text("tbody tr td:nth-child(2)") != rules
        assert len(first_cells(page)) == 5
        assert page.evaluate("document.getElementById('rule').selectedIndex") == 1


def test_a_filter_of_the_address_that_is_removed(running: Any, tmp_path: Path) -> None:
    """A choice that came with the address does not come back after it was removed when the language changes."""
    with listed(
        running, tmp_path, SOUL, game("one", "20190418", "a", "b", "c", "d"), address="#server=mahjong-soul"
    ) as page:
        assert page.inner_text("#shown") == "1 / 2"
        page.fill("#server", "")
        assert page.inner_text("#shown") == "2 / 2"
        page.click("#language")
        assert page.inner_text("#shown") == "2 / 2"
        assert "server" not in page.url


SOUL = replace(
    game("soul", "20210101", "Ann", "Bob", "Cy", "Di"),
    rules=Rules(house=House.MAHJONG_SOUL),
    tournament=Tournament(Text("四玉の間南喰赤")),
)
GAMES = (
    won(game("pinfu", "20210105", "Ann", "Bob", "Cy", "Di"), 0, 1000, PINFU),
    won(game("kokushi", "20210104", "Ann", "Bob", "Cy", "Di"), 1, 32000, KOKUSHI),
    won(game("others", "20210103", "Bob", "Eve", "Anna", "Fay"), 0, 2000, PINFU),
    won(game("none", "20210102", "Gus", "Hal", "Ida", "Joe"), 3, 1000, Yaku(1, 1)),
    won(SOUL, 2, 12000, Yaku(1, 1)),
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the list of the games, which is written once."""
    return list_of(tmp_path_factory.mktemp("site"), GAMES)


@pytest.mark.parametrize(("filters", "left"), table("view_index", "filters"))
def test_filters(running: Any, address: str, filters: str, left: str) -> None:
    """Filters in the address leave the games that they say; name, place and win are of one player, and the player
    together with whom they played is another."""
    with new_page(running) as page:
        page.goto(f"{address}#{filters.replace(' ', '+')}")
        until(page, LOADED)
        assert page.each("tbody td:first-child a", "one.pathname.match(/(\\w+).html/)[1]") == (left.split())
        assert page.inner_text("#shown") == f"{len(left.split())} / 5"


def test_hundred_rows(running: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many games, in several folders and scripts, a hundred rows are drawn, and more on demand, however many of the
    scripts the page waits for."""
    monkeypatch.setattr(sites, "_MOST_GAMES_PER_FOLDER", 60)
    monkeypatch.setattr(sites, "_LEAST_GAMES_PER_SCRIPT", 100)
    site = Site(tmp_path)
    for number in range(210):
        site.add(game(f"game{number}", f"2019{number % 3 + 1:02}01", "A", "B", "C", "D"), "")
    for first in (0, 1, 2):
        monkeypatch.setattr(sites, "_MOST_SCRIPTS_IN_HEAD", first)
        site.finish()
        scripts = sorted(path.name for path in (tmp_path / "games").glob("*.js"))
        assert scripts == ["2019-01.js", "2019-02-2.js"]
        assert (tmp_path / "games" / "2019-01-2").is_dir()
        assert (tmp_path / "index.html").read_text(encoding="utf-8").count('<script src="games/') == first
        see_hundred_rows(running, (tmp_path / "index.html").as_uri())
    site.close()


def see_hundred_rows(running: Any, address: str) -> None:
    """See 210 games, the first hundred at first."""
    with new_page(running) as page:
        page.goto(address)
        until(page, LOADED)
        assert page.count("tbody tr") == 100
        assert page.inner_text("#shown") == "210 / 210"
        page.click("#next")
        assert page.count("tbody tr") == 200
        assert page.evaluate("document.activeElement.closest('tr').rowIndex") == 101
        page.click("#next")
        assert page.count("tbody tr") == 210
        assert not page.is_visible("#next")
        assert len(set(page.each("tbody td:first-child a", "one.href"))) == 210


def test_narrow(running: Any, tmp_path: Path) -> None:
    """On a phone, the rules have the whole width, and nothing needs scrolling sideways."""
    with listed(running, tmp_path, PLAIN, width=360, height=740) as page:
        rules = "tbody td:nth-child(2)"
        assert page.box(rules)["width"] > 300
        assert page.inner_text(rules) == "Tenhou 4-player General East-South, open tanyao, red fives"
        assert page.get("#games", "one.parentElement.scrollWidth <= one.parentElement.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert page.get_by_role("cell").count() == 4


BOX = "Object.values(one.getBoundingClientRect().toJSON()).slice(0, 4)"


def test_widths(opened: Any) -> None:
    """The fields of the filters do not meet, and a game takes three lines on a phone and two in any wider window at
    most."""
    with opened() as page:
        page.get("#more", "one.open = true")
        for width, _ in page.sizes(*((width, 900) for width in (360, 390, 768, 1024, 1280, 1920))):
            see_width(page, width)


def see_width(page: Page, width: int) -> None:
    """See the list in a window of this width."""
    fields = page.each("#filters :is(input, select)", BOX)
    assert len(fields) == 10
    for at, (left, top, wide, high) in enumerate(fields):
        assert left + wide <= width
        assert not [
            other
            for other in fields[at + 1 :]
            if left < other[0] + other[2]
            and other[0] < left + wide
            and top < other[1] + other[3]
            and other[1] < top + high
        ]
    lines = page.get("tbody tr", "one.getBoundingClientRect().height") / 20.2
    assert lines < (5.5 if width < 640 else 3)
    assert page.get("#games", "one.getBoundingClientRect().width") <= 1440
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_rows_out_of_sight(running: Any, tmp_path: Path) -> None:
    """All rows are there at once, but those far below are laid out only when they come near."""
    many = [game(f"g{number}", "20190418", "a", "b", "c", "d") for number in range(90)]
    with listed(running, tmp_path, *many) as page:
        assert len(first_cells(page)) == 90
        seen = "one => one.querySelector('li').checkVisibility({contentVisibilityAuto: true})"
        assert page.get("tbody tr", f"({seen})(one)")
        assert not page.get("tbody tr:last-child", f"({seen})(one)")
        page.get("tbody tr:last-child", "one.scrollIntoView()")
        until(page, f"({seen})(document.querySelector('tbody tr:last-child'))")
        assert page.evaluate("performance.getEntriesByName('all games').length") == 1


@pytest.mark.parametrize("first", [0, 1])
def test_missing_script(running: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int) -> None:
    """If a script of the list is missing, the list says so, and shows the other games."""
    monkeypatch.setattr(sites, "_MOST_SCRIPTS_IN_HEAD", first)
    with listed(running, tmp_path, *GAMES) as page:
        assert not page.is_visible("#missing")
    (tmp_path / "games" / "2021-01.js").unlink()
    page = tab(running, "all", locale="en")
    page.reload()
    until(page, LOADED)
    assert Page(page).inner_text("#missing") == "5 games could not be loaded. Reload the page to try again."


def test_links(running: Any, tmp_path: Path) -> None:
    """The list leads to a player's statistics, these to the player's games, and the page of a game to both."""
    with listed(running, tmp_path, *GAMES) as page:
        page.follow("tbody tr:first-child li a")
        assert page.inner_text("h2") == "Ann"
        page.follow("a.games")
        until(page, LOADED)
        assert page.inner_text("#shown") == "3 / 5"
        page.follow("tbody tr:last-child td:first-child a")
        until(page, "window.jmjp")
        until(page, "jmjp.view.about.linked")  # the hands for Tenhou's viewer are there too
        page.follow("#result a >> nth=1")
        assert page.inner_text("h2") == "Bob"
        page.follow("header nav a")
        until(page, LOADED)
        assert page.inner_text("#shown") == "5 / 5"


def test_most_players(running: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many players, those with the most games have statistics, and the page says how many games these are."""
    monkeypatch.setattr(sites, "_MOST_PLAYERS", 4)
    with listed(running, tmp_path, *GAMES) as page:
        page.follow("header nav a")
        assert page.count("tbody tr") == 4
        assert page.inner_text("#fewest") == "Only players of 2 games or more"


def test_guests(running: Any, tmp_path: Path) -> None:
    """NoName, the name of all guests of Tenhou, is in the list and on pages, and leads to no statistics."""
    with listed(running, tmp_path, game("one", "20210105", "NoName", "Bob", "Cy", "Di")) as page:
        assert page.texts("tbody li a") == ["NoName", "Bob", "Cy", "Di"]
        assert page.texts("tbody li a[href]") == ["Bob", "Cy", "Di"]
        page.follow("tbody td:first-child a")
        until(page, "window.jmjp")
        assert page.texts("#result a") == ["Bob", "Cy", "Di"]


def test_computers(running: Any, tmp_path: Path) -> None:
    """The computers of a server, which have one name, are in the list and on pages, and lead to no statistics."""
    match = game("one", "20210105", "AI", "Bob", "AI", "Di")
    players = (replace(match.players[0], sex="C"), match.players[1], replace(match.players[2], sex="C"))
    match = replace(match, players=(*players, match.players[3]), rules=GAMES[4].rules)
    with listed(running, tmp_path, match) as page:
        assert page.texts("tbody li a[href]") == ["Bob", "Di"]
        page.follow("tbody td:first-child a")
        until(page, "window.jmjp")
        assert page.texts("#result a") == ["Bob", "Di"]


def test_account(running: Any, tmp_path: Path) -> None:
    """A player with an account has all its games, under any name, and the site does not show its number."""
    first, other, third = GAMES[0], GAMES[4], GAMES[2]
    games = [
        replace(match, players=(replace(match.players[0], account=987654), *match.players[1:]))
        for match in (replace(first, rules=other.rules), replace(third, rules=other.rules))
    ]
    with listed(running, tmp_path, *games) as page:
        page.follow("tbody tr:first-child li a")
        assert page.inner_text("#card .told") == "Four players: 2 games, 2 hands"
        page.follow("a.games")
        until(page, LOADED)
        assert page.inner_text("#shown") == "2 / 2"
        assert files_with(b"987654", tmp_path) == []


def test_accounts_of_the_same_name(tmp_path: Path) -> None:
    """Players of the same name are told apart by their accounts, the numbers of which the site does not show."""
    site = Site(tmp_path)
    for number in (9876541, 9876542):
        (first, *others) = SOUL.players
        site.add(replace(SOUL, id=str(number % 10), players=(replace(first, account=number), *others)), "")
    site.finish()
    site.close()
    players = (tmp_path / "players.html").read_text(encoding="utf-8")
    assert len(set(re.findall(r'\["(Ann \([0-9a-f]{10}\))"', players))) == 2
    assert files_with(b"987654", tmp_path) == []


def files_with(text: bytes, folder: Path) -> list[Path]:
    """Return the files in *folder* that show *text*; the catalogue is not shown."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".sqlite"]
    return [path for path in paths if text in path.read_bytes()]
