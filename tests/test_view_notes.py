"""The list of plays on a phone, and the game saved with its notes. Sessions have the rest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browsing import DESKTOP, FIXTURES, Opened, Page, plain, read
from click.testing import CliRunner
from playing import matches

from jmjp_convert.cli import main
from jmjp_convert.formats.jmjp.holding import holding
from jmjp_convert.model import PLAYS, Frame, Match, Note
from jmjp_convert.model.record import replace


@pytest.fixture
def tab(opened: Opened) -> Iterator[Any]:
    """A function that opens the page of a match, and returns it."""
    with ExitStack() as stack:

        def show(match: Match, link: str = "", size: tuple[int, int] = DESKTOP) -> Page:
            page: Page = stack.enter_context(opened(match, link, size))
            page.evaluate("view.go({tab: 'plays'})")
            return page

        yield show


def test_plays_on_a_phone(tab: Any) -> None:
    """On a phone the list opens at the current play, and stays with it through steps, above the fixed bar."""
    seen = """() => {
      const {top, bottom} = document.querySelector("#plays [aria-current]").getBoundingClientRect();
      return top >= 0 && bottom <= document.getElementById("controls").getBoundingClientRect().top;
    }"""
    (match,) = matches("--seed 1 --games 1 --want four-kans-of-one --tries 1 --first 53")
    page = tab(match, size=(390, 600))
    page.evaluate("view.go({tab: 'scores', index: 0, step: 999}); scrollTo(0, 0)")
    page.click("#quick [data-move=plays]")
    assert page.evaluate("scrollY") > 0
    assert page.evaluate(seen)
    for _ in range(40):
        page.press("ArrowLeft")
        assert page.evaluate(seen)
    page.click("#quick [data-move=plays]")
    assert page.evaluate("scrollY") == 0
    page.press("ArrowRight")
    assert page.evaluate("scrollY") == 0


def saved(page: Any, folder: Path) -> tuple[str, Path]:
    """Return the name under which the page saves the game, and the file, which `jmjp check` finds in order."""
    with page.expect_download() as download:
        page.click("#save")
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    result = CliRunner().invoke(main, ["check", str(file)])
    assert result.exit_code == 0, result.output
    return download.value.suggested_filename, file


def test_unsaved(tab: Any, tmp_path: Path) -> None:
    """The browser asks before a page is left whose notes are in no file, and only then."""
    page, asked = tab(plain()), list[str]()

    def left() -> list[str]:
        asked.clear()
        page.reload()
        page.evaluate("view.go({tab: 'plays'})")
        return [*asked]

    def hear(dialog: Any) -> None:
        asked.append(dialog.type)

    page.on("dialog", hear)
    page.click("#plays [data-step]")  # the browser asks only once the page has been used
    assert left() == []
    page.fill("#note-text", "yes")
    page.press("Enter")
    assert left() == ["beforeunload"]
    page.fill("#note-text", "not even added")
    assert left() == ["beforeunload"]
    page.fill("#note-text", "yes")
    page.press("Enter")
    saved(page, tmp_path)
    assert left() == []
    page.remove_listener("dialog", hear)


@pytest.mark.parametrize("name", ["four-kans.xml", "robbed-kakan.xml", "exhaustive-2-tenpai.xml", "disconnections.xml"])
def test_notes_everywhere(tab: Any, tmp_path: Path, name: str) -> None:
    """A note after every play of a game comes back at its place."""
    (match,) = read(FIXTURES / "valid" / name)
    full = replace(match, frames=tuple(map(everywhere, match.frames)))
    assert read(saved(tab(full), tmp_path)[1]) == [holding().expected(full)]


def everywhere(frame: Frame) -> Frame:
    """Return *frame* with a note after every play."""
    plays = sum(type(event) in PLAYS for event in frame.events)
    return replace(frame, notes=tuple(Note(after, f"note {after}") for after in range(plays + 1)))


def test_saved_as_json(tab: Any, tmp_path: Path) -> None:
    """A game that jmjp cannot hold, such as one with three players, is saved as json."""
    (match,) = read(FIXTURES / "json" / "valid" / "sanma.jsonl")
    full = replace(match, frames=tuple(map(everywhere, match.frames)))
    _, file = saved(tab(full), tmp_path)
    assert file.suffix == ".jsonl"
    assert read(file) == [full]
