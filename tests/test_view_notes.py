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
from jmjp_convert.formats.jmjp.holding import holding
from jmjp_convert.model import PLAYS, Frame, Match, Note, Text
from jmjp_convert.model.record import replace

NOTES = (Note(0, "before"), Note(1, 'why "not"?'), Note(10, "tenhou id=1"), Note(28, "the <b>end</b>"))


@pytest.fixture
def tab(opened: Opened) -> Iterator[Any]:
    """A function that opens the page of a match, and returns it."""
    with ExitStack() as stack:

        def show(match: Match, link: str = "", size: tuple[int, int] = DESKTOP) -> Page:
            one: Page = stack.enter_context(opened(match, link, size))
            one.evaluate("view.go({tab: 'plays'})")
            return one

        yield show


def plain(*notes: Note, **fields: Any) -> Match:
    """Return an ordinary game with *notes* and other *fields* in its first frame."""
    (match,) = read(FIXTURES / "valid" / "plain.xml")
    first, *others = match.frames
    return replace(match, frames=(replace(first, notes=notes, **fields), *others))


def test_plays(tab: Any) -> None:
    """The list has every discard, call, kan and win, each in its player's column, and a click goes there."""
    match = plain()
    one = tab(match)
    listed = one.each("#plays [data-step]", "Number(one.dataset.step)")
    events = match.frames[0].events
    wanted = [step for step, event in enumerate(events, 1) if type(event).__name__ in ("Discard", "Chi", "Win")]
    assert listed == wanted
    columns = one.each("#plays li:not(.head)", "one.className")
    assert columns[:6] == ["w0", "w1", "w2", "w3", "w0", "w0"]
    assert one.texts("#plays .head bdi") == ["Kaede", "Tsubaki", "山茶花", "Nazuna"]
    one.click("#plays [data-step] >> nth=6")
    assert one.evaluate("view.step") == listed[6]
    assert one.get_attribute("#plays [data-step] >> nth=6", "aria-current") == "step"
    assert one.inner_text("#plays [data-step] >> nth=6") == "Riichi"
    one.press("ArrowDown")
    assert one.texts("#plays .head bdi") == ["Tsubaki", "山茶花", "Nazuna", "Kaede"]


def test_plays_on_a_phone(tab: Any) -> None:
    """On a phone the list opens at the current play, and stays with it through steps, above the fixed bar."""
    seen = """() => {
      const {top, bottom} = document.querySelector("#plays [aria-current]").getBoundingClientRect();
      return top >= 0 && bottom <= document.getElementById("controls").getBoundingClientRect().top;
    }"""
    (match,) = matches("--seed 1 --games 1 --want four-kans-of-one --tries 1 --first 53")
    one = tab(match, size=(390, 600))
    one.evaluate("view.go({tab: 'scores', index: 0, step: 999}); scrollTo(0, 0)")
    one.click("#quick [data-move=plays]")
    assert one.evaluate("scrollY") > 0
    assert one.evaluate(seen)
    for _ in range(40):
        one.press("ArrowLeft")
        assert one.evaluate(seen)
    one.click("#quick [data-move=plays]")
    assert one.evaluate("scrollY") == 0
    one.press("ArrowRight")
    assert one.evaluate("scrollY") == 0


def test_notes_at_their_moments(tab: Any) -> None:
    """Notes stand in the list and on the table at their moment, a recorder's words at the end; a quiz hides them."""
    one = tab(plain(*NOTES, comment=Text("良い局", "A good hand")))
    assert one.texts("#plays .noted") == [*(note.text for note in NOTES), "A good hand"]
    shown = {}
    for step in range(len(plain().frames[0].events) + 1):
        one.evaluate("step => view.go({step})", step)
        if one.is_visible(".note"):
            shown[step] = one.texts(".note p")
    assert shown == {0: ["before"], 1: ['why "not"?'], 10: ["tenhou id=1"], 30: ["the <b>end</b>", "A good hand"]}
    one.evaluate("view.go({step: 5})")
    one.click("#plays .noted >> nth=2")
    assert one.evaluate("view.step") == 10
    one.evaluate("view.go({step: 0})")
    one.press("q")
    one.evaluate("view.go({step: 0})")
    assert one.is_hidden(".note")


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
    one = tab(match, "#frame=E1-0&step=11")
    one.fill("#note-text", " riichi next?\n\nyes ")
    one.press("Enter")
    assert one.texts(".note p") == ["riichi next?", "yes"]
    assert one.evaluate("view.step") == 11
    one.press("Escape")
    one.evaluate("view.go({index: 1, step: 17}); view.go({quiet: true})")
    one.fill("#note-text", "late\u0007r")
    one.click("#note-add")
    name, file = saved(one, tmp_path)
    assert name == "plain.jmjp"
    (back,) = read(file)
    before, after = NOTES[:3], NOTES[3:]
    first = (*before, Note(11, "riichi next?"), Note(11, "yes"), *after)
    noted = (replace(match.frames[0], notes=first), replace(match.frames[1], notes=(Note(17, "late r"),)))
    assert back == holding().expected(replace(match, frames=(*noted, *match.frames[2:])))


def test_unsaved(tab: Any, tmp_path: Path) -> None:
    """The browser asks before a page is left whose notes are in no file, and only then."""
    one, asked = tab(plain()), list[str]()

    def left() -> list[str]:
        asked.clear()
        one.reload()
        one.evaluate("view.go({tab: 'plays'})")
        return [*asked]

    def hear(dialog: Any) -> None:
        asked.append(dialog.type)

    one.on("dialog", hear)
    one.click("#plays [data-step]")  # the browser asks only once the page has been used
    assert left() == []
    one.fill("#note-text", "yes")
    one.press("Enter")
    assert left() == ["beforeunload"]
    one.fill("#note-text", "not even added")
    assert left() == ["beforeunload"]
    one.fill("#note-text", "yes")
    one.press("Enter")
    saved(one, tmp_path)
    assert left() == []
    one.remove_listener("dialog", hear)


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
