"""The list of plays, the notes on them, and the game saved with its notes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browsing import DESKTOP, FIXTURES, Opened, Page, read
from click.testing import CliRunner
from playing import matches

from jmjp_convert.cli import main
from jmjp_convert.formats.jmjp.traits import holding
from jmjp_convert.model import PLAYS, Frame, Match, Note, Text
from jmjp_convert.model.record import replace

NOTES = (Note(0, "before"), Note(1, 'why "not"?'), Note(10, "tenhou id=1"), Note(28, "the <b>end</b>"))


@pytest.fixture
def tab(opened: Opened) -> Iterator[Any]:
    """A function that opens the page of a match, and returns it."""
    with ExitStack() as stack:

        def show(match: Match, link: str = "", size: tuple[int, int] = DESKTOP) -> Page:
            page: Page = stack.enter_context(opened(match, link, size))
            page.evaluate("view.go({tab: 'plays'})")
            return page

        yield show


def plain(*notes: Note, **fields: Any) -> Match:
    """Return an ordinary game with *notes* and other *fields* in its first frame."""
    (match,) = read(FIXTURES / "valid" / "plain.xml")
    first, *others = match.frames
    return replace(match, frames=(replace(first, notes=notes, **fields), *others))


def test_plays(tab: Any) -> None:
    """The list has every discard, call, kan and win, each in its player's column, and a click goes there."""
    match = plain()
    page = tab(match)
    listed = page.each("#plays [data-step]", "Number(one.dataset.step)")
    events = match.frames[0].events
    wanted = [step for step, event in enumerate(events, 1) if type(event).__name__ in ("Discard", "Chi", "Win")]
    assert listed == wanted
    columns = page.each("#plays li:not(.head)", "one.className")
    assert columns[:6] == ["w0", "w1", "w2", "w3", "w0", "w0"]
    assert page.texts("#plays .head bdi") == ["Kaede", "Tsubaki", "山茶花", "Nazuna"]
    page.click("#plays [data-step] >> nth=6")
    assert page.evaluate("view.step") == listed[6]
    assert page.get_attribute("#plays [data-step] >> nth=6", "aria-current") == "step"
    assert page.inner_text("#plays [data-step] >> nth=6") == "Riichi"
    page.press("ArrowDown")
    assert page.texts("#plays .head bdi") == ["Tsubaki", "山茶花", "Nazuna", "Kaede"]


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


def test_notes_at_their_moments(tab: Any) -> None:
    """Notes stand in the list and on the table at their moment, a recorder's words at the end; a quiz hides them."""
    page = tab(plain(*NOTES, comment=Text("良い局", "A good hand")))
    assert page.texts("#plays .noted") == [*(note.text for note in NOTES), "A good hand"]
    notes = {}
    for step in range(len(plain().frames[0].events) + 1):
        page.evaluate("step => view.go({step})", step)
        if page.is_visible(".note"):
            notes[step] = page.texts(".note p")
    assert notes == {0: ["before"], 1: ['why "not"?'], 10: ["tenhou id=1"], 30: ["the <b>end</b>", "A good hand"]}
    page.evaluate("view.go({step: 5})")
    page.click("#plays .noted >> nth=2")
    assert page.evaluate("view.step") == 10
    page.evaluate("view.go({step: 0})")
    page.press("q")
    page.evaluate("view.go({step: 0})")
    assert page.is_hidden(".note")


def saved(page: Any, folder: Path) -> tuple[str, Path]:
    """Return the name under which the page saves the game, and the file, which `jmjp check` finds in order."""
    with page.expect_download() as download:
        page.click("#save")
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    result = CliRunner().invoke(main, ["check", str(file)])
    assert result.exit_code == 0, result.output
    return download.value.suggested_filename, file


def test_saved_as_jmjp(tab: Any, tmp_path: Path) -> None:
    """Notes are added to the moment shown, a line each, and the game is saved in jmjp with them at their places."""
    match = plain(*NOTES)
    page = tab(match, "#frame=E1-0&step=11")
    page.fill("#note-text", " riichi next?\n\nyes ")
    page.press("Enter")
    assert page.texts(".note p") == ["riichi next?", "yes"]
    assert page.evaluate("view.step") == 11
    page.press("Escape")
    page.evaluate("view.go({index: 1, step: 17}); view.go({quiet: true})")
    page.fill("#note-text", "late\u0007r")
    page.click("#note-add")
    name, file = saved(page, tmp_path)
    assert name == "plain.jmjp"
    (back,) = read(file)
    before, after = NOTES[:3], NOTES[3:]
    first = (*before, Note(11, "riichi next?"), Note(11, "yes"), *after)
    noted = (replace(match.frames[0], notes=first), replace(match.frames[1], notes=(Note(17, "late r"),)))
    assert back == holding().expected(replace(match, frames=(*noted, *match.frames[2:])))


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
