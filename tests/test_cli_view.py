"""`jmjp view`: the page itself, and opening it. Sessions have the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from converting import (
    assert_did,
    jmjp,
    work,  # noqa: F401 - pytest finds it by its name
)

from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.pages import mark_of, marked
from jmjp_convert.view.page import view_page


def test_page() -> None:
    """The page of a log is written next to it, with a mark of what it was made from."""
    assert_did(jmjp("view", "log.xml"), 0, "log.xml -> log.html")
    assert Path("log.html").read_text(encoding="utf-8") == marked(
        view_page(read_mjlog("log.xml")), mark_of(["log.xml"], "log.html")
    )


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
