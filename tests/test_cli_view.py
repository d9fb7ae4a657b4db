"""`jmjp view`: the page itself, and opening it. Sessions have the rest."""

from __future__ import annotations

import os
import re
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from converting import (
    assert_did,
    jmjp,
    work,  # noqa: F401 - pytest finds it by its name
)

from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.pages import is_marked, mark_of, marked
from jmjp_convert.view.page import view_page
from jmjp_convert.view.site import Catalogue, Site


def test_page() -> None:
    """The page of a log is written next to it, with a mark of what it was made from."""
    assert_did(jmjp("view", "log.xml"), 0, "log.xml -> log.html")
    assert Path("log.html").read_text(encoding="utf-8") == marked(
        view_page(read_mjlog("log.xml")), mark_of(["log.xml"], "log.html")
    )


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package that computes scores, one line says what the pages leave out; a page and a site are made."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "mahjong"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mahjong", None)
    said = (
        "fu breakdown and value of each wait not included: scoring needs the extra 'score'; "
        'run pipx install --force ".[score]" or pip install ".[score]" in the repository'
    )
    assert_did(jmjp("view", "log.xml"), 0, f"note: {said}", "log.xml -> log.html")
    assert '"why":"extra"' in Path("log.html").read_text(encoding="utf-8")
    Path("games").mkdir()
    for name in ("a.xml", "b.xml"):
        Path("games", name).write_bytes(Path("log.xml").read_bytes())
    assert jmjp("view", "games", "-o", "site").stderr.count(said) == 1
    assert jmjp("view", "log.xml", "games/a.xml", "-o", "pages/").stderr.count(said) == 1
    assert_did(jmjp("view", "-q", "log.xml", "-o", "quiet.html"), 0)


def test_interrupted_site(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends a site with a line on how far it came and how to go on; the next run makes the rest."""
    Path("games").mkdir()
    content = Path("log.xml").read_bytes()
    for number in range(3):
        Path("games", f"{number}.xml").write_bytes(content.replace(b"</mjloggm>", b" " * number + b"</mjloggm>"))
    add = Site.add

    def interrupted(site: Site, *args: Any, **values: Any) -> None:
        if site.new == 2:
            raise KeyboardInterrupt
        add(site, *args, **values)

    with monkeypatch.context() as patch:
        patch.setattr(Site, "add", interrupted)
        said = "interrupted after 2 games; run the same command again to go on"
        assert_did(jmjp("view", "games", "-o", "site"), 130, said)
    assert_did(jmjp("view", "games", "-o", "site"), 0, f"{Path('site', 'index.html')}: 3 games (1 new), 0 failed")


def test_a_site_of_converted_games() -> None:
    """A game that is there in two formats, by the log ID in the names, has two pages, which is said."""
    Path("games").mkdir()
    name = "2019041809gm-0009-0000-0123abcd"
    Path("games", f"{name}.xml").write_bytes(Path("log.xml").read_bytes())
    jmjp("convert", f"games/{name}.xml", "-o", f"games/{name}.jsonl")
    said = "warning: counted again in another format: 1 game; keep converted files in another folder"
    assert_did(jmjp("view", "games", "-o", "site"), 0, said, "site/index.html: 2 games, 0 failed")
    assert_did(jmjp("view", "games", "-o", "site"), 0, said, "site/index.html: 2 games (0 new), 0 failed")


def test_a_site_interrupted_within_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of several games of which only some have pages yet is read again by the next run."""
    Path("games").mkdir()
    jmjp("convert", "log.xml", "log.xml", "-o", "games/two.jmjp")
    add = Site.add
    pages: list[Path] = []

    def interrupted(*args: Any, **options: Any) -> None:
        if pages:
            raise KeyboardInterrupt
        add(*args, **options)
        pages.extend(Path("site").glob("games/*/*.html"))

    monkeypatch.setattr(Site, "add", interrupted)
    said = "interrupted after 1 game; run the same command again to go on"
    assert_did(jmjp("view", "games", "-o", "site"), 130, said)
    assert len(pages) == 1
    monkeypatch.setattr(Site, "add", add)
    assert_did(jmjp("view", "games", "-o", "site"), 0, "site/index.html: 2 games (2 new), 0 failed")
    assert_did(jmjp("view", "games", "-o", "site"), 0, "site/index.html: 2 games (0 new), 0 failed")


def page_of(database: Path, number: int) -> None:
    """Fill a page of *database* with zeros."""
    with database.open("r+b") as file:
        file.seek(4096 * number)
        file.write(bytes(4096))


def edit(database: Path, query: str) -> None:
    """Change *database* by a query."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(query)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "text": lambda path: path.write_text("no database at all"),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:5000]),
    **{f"page {number}": partial(page_of, number=number) for number in range(1, 6)},
    "row": lambda path: edit(path, "UPDATE games SET row = '[1]'"),
    "parts": lambda path: edit(path, "UPDATE games SET parts = x'00'"),
    "sources": lambda path: edit(path, "UPDATE settings SET value = '{' WHERE name = 'sources'"),
    "run": lambda path: edit(path, "UPDATE settings SET value = 'x' WHERE name = 'run'"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_catalogue(damage: Callable[[Path], object]) -> None:
    """However the catalogue of a site is damaged, one line says so, and `--force` makes the site again."""
    Path("games").mkdir()
    Path("games", "a.xml").write_bytes(Path("log.xml").read_bytes())
    made = "site/index.html: 1 game, 0 failed"
    assert_did(jmjp("view", "games", "-o", "site"), 0, made)
    catalogue = Path("site", "site.sqlite")
    damage(catalogue)
    result = jmjp("view", "games", "-o", "site")
    said = re.escape(f"error: {catalogue} is damaged (") + r".+\); use --force to make the site again\n"
    assert (result.exit_code, bool(re.fullmatch(said, result.stderr))) == (1, True), result.stderr
    assert_did(jmjp("view", "games", "-o", "site", "--force"), 0, made)
    assert_did(jmjp("view", "games", "-o", "site"), 0, "site/index.html: 1 game (0 new), 0 failed")


def test_a_directory_for_a_catalogue() -> None:
    """A directory in the place of the catalogue is left alone, even with `--force`."""
    Path("games").mkdir()
    Path("games", "a.xml").write_bytes(Path("log.xml").read_bytes())
    catalogue = Path("site", "site.sqlite")
    catalogue.mkdir(parents=True)
    for force in ((), ("--force",)):
        said = f"error: {catalogue} is a directory; move it away"
        assert_did(jmjp("view", "games", "-o", "site", *force), 1, said)


def test_a_site_that_another_process_is_making() -> None:
    """While another process is making a site, it is left alone, even with `--force`."""
    Path("games").mkdir()
    Path("games", "a.xml").write_bytes(Path("log.xml").read_bytes())
    assert_did(jmjp("view", "games", "-o", "site"), 0, "site/index.html: 1 game, 0 failed")
    said = "error: another process is making this site (site/site.sqlite is locked); wait until it is done"
    with closing(Catalogue(Path("site", "site.sqlite"))):
        assert_did(jmjp("view", "games", "-o", "site"), 1, said)
        assert_did(jmjp("view", "games", "-o", "site", "--force"), 1, said)


def test_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--open` opens the page written, and nothing if none was written."""
    opened: list[str] = []

    def browse(page: str) -> bool:
        opened.append(page)
        return len(opened) == 1

    monkeypatch.setattr("webbrowser.open", browse)
    assert_did(jmjp("view", "log.xml", "--open"), 0, "log.xml -> log.html")
    jmjp("view", "bad.xml", "--open")
    assert opened == [Path("log.html").absolute().as_uri()]
    again = jmjp("view", "log.xml", "-o", "again.html", "--open")
    assert_did(again, 0, "log.xml -> again.html", "warning: again.html: cannot start a browser; open the page yourself")


def test_mark() -> None:
    """The mark names no folder, and stays the same if page and log move together."""
    jmjp("view", "log.xml")
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "log.xml").write_bytes(Path("log.xml").read_bytes())
        assert_did(jmjp("view", f"{folder}/log.xml"), 0, f"{folder}/log.xml -> {folder}/log.html")
    pages = [Path(folder, "log.html").read_bytes() for folder in (".", "a", "b")]
    assert pages[0] == pages[1] == pages[2]
    assert Path.cwd().name.encode() not in pages[0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe() -> None:
    """An output that is a pipe is not read to find out whether it may be renewed."""
    os.mkfifo("pipe")
    assert not is_marked("pipe", mark_of(["log.xml"], "pipe"))
