"""The list of games of a site in a browser: filters, many games, missing scripts, links. Sessions have the rest."""

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


def game(name: str, date: str, *players: str) -> Match:
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
def listed(running: Any, folder: Path, *matches: Match) -> Iterator[Any]:
    """Open the list of *matches*, and wait until it is complete."""
    file = list_of(folder, matches)
    with new_page(running) as page:
        page.goto(file)
        until(page, LOADED)
        yield page


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
