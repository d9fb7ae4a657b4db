"""The page in Firefox."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep

from browsing import EVERY_STEP, FIXTURES, read, script
from firefox import firefox
from test_view_index import GAMES, LOADED, list_of

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.view.page import view_page

RIGHT, END = "\ue014", "\ue010"

PLACES = script("places.js")


def test_firefox(tmp_path: Path) -> None:
    """In Firefox too, tiles, keys, the outcome and the layout are right, in a wide and in an upright window, and the
    list of a site loads from disk and filters."""
    file, profile = tmp_path / "game.html", tmp_path / "profile"
    profile.mkdir()
    (match,) = read(FIXTURES / "valid" / "double-ron.xml")
    file.write_text(view_page(match), encoding="utf-8")
    with firefox(profile) as browser:
        browser.open(file.as_uri(), 1280, 800)
        steps, wrong = browser.run(f"return ({EVERY_STEP})();")
        assert wrong == []
        assert steps == sum(len(frame.events) + 1 for frame in match.frames)

        browser.run("jmjp.view.go({index: 1, step: 0})")
        browser.press(RIGHT, RIGHT)
        assert browser.run("return jmjp.address()") == "#frame=E1-1&step=2"
        browser.press(END)
        outcome = browser.run("return document.getElementById('outcome').innerText")
        assert "Ron off Tsubaki" in outcome
        assert "Total: 2000 + 300 (1 honba) + 1000 (1 riichi stick) = 3300" in outcome
        board, own, controls, outcome = browser.run(PLACES)
        assert board["right"] <= min(controls["left"], outcome["left"])
        assert outcome["bottom"] < controls["top"] + 1
        assert own["bottom"] - board["top"] > 0.95 * 800

        browser.run("document.getElementById('note-text').value = 'why?'; addNote();")
        browser.run("unpacked(jmjp.view.about.source.packed).then((text) => { window.made = text; })")
        end = monotonic() + 30
        while not browser.run("return window.made") and monotonic() < end:
            sleep(0.05)
        (saved,) = read_jmjp(browser.run("return withNotes(window.made, 'jmjp')").encode())
        assert [note.text for note in saved.frames[1].notes] == ["why?"]

        browser.resize(520, 900)
        board, own, controls, outcome = browser.run(PLACES)
        assert browser.run("return document.documentElement.scrollWidth === document.documentElement.clientWidth")
        assert own["bottom"] < controls["top"] + 1
        assert abs(outcome["bottom"] - controls["top"]) < 2
        assert abs(controls["bottom"] - 900) < 1

        browser.open(list_of(tmp_path / "site", GAMES) + "#yaku=Pinfu", 1280, 800)
        for _ in range(100):
            if browser.run(f"return {LOADED}"):
                break
        assert browser.run("return document.getElementById('shown').textContent") == "2 / 5"
        assert browser.run("return document.querySelectorAll('tbody tr').length") == 2
