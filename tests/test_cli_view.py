"""`jmjp view`: the page itself, and opening it. Sessions have the rest."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path

import pytest
from converting import (
    assert_did,
    jmjp,
    work,  # noqa: F401 - pytest finds it by its name
)

from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.pages import is_marked, mark_of, marked
from jmjp_convert.view.page import view_page
from jmjp_convert.view.site import Catalogue


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
    """`--open` opens the page written, the first of several, and nothing if none was written."""
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
    jmjp("convert", "log.xml", "log.xml", "--to", "json", "-o", "two.jsonl")
    jmjp("view", "two.jsonl", "-o", "pages/", "--open")
    assert [Path(page).name for page in opened[2:]] == ["two-1.html"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe() -> None:
    """An output that is a pipe is not read to find out whether it may be renewed."""
    os.mkfifo("pipe")
    assert not is_marked("pipe", mark_of(["log.xml"], "pipe"))
