"""The page in Firefox."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep

from browsing import EVERY_STEP, FIXTURES, read
from firefox import firefox
from test_view_index import GAMES, LOADED, list_of

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.view.page import view_page

RIGHT, END = "\ue014", "\ue010"

PLACES = """
return ["board", "own", "controls", "outcome"].map((id) => {
  const {left, top, right, bottom} = document.getElementById(id).getBoundingClientRect();
  return {left, top, right, bottom};
});
"""


def test_firefox(tmp_path: Path) -> None:
    """In Firefox too, tiles, keys, the outcome and the layout are right, in a wide and in an upright window, and the
    list of a site loads from disk and filters."""
    file, profile = tmp_path / "game.html", tmp_path / "profile"
    profile.mkdir()
    (match,) = read(FIXTURES / "valid" / "double-ron.xml")
    file.write_text(view_page(match), encoding="utf-8")
    with firefox(profile) as one:
        one.open(file.as_uri(), 1280, 800)
        steps, wrong = one.run(f"return ({EVERY_STEP})();")
        assert wrong == []
        assert steps == sum(len(frame.events) + 1 for frame in match.frames)

        one.run("jmjp.view.go({index: 1, step: 0})")
        one.press(RIGHT, RIGHT)
        assert one.run("return jmjp.address()") == "#frame=E1-1&step=2"
        one.press(END)
        outcome = one.run("return document.getElementById('outcome').innerText")
        assert "Ron off Tsubaki" in outcome
        assert "Total: 2000 + 300 (1 honba) + 1000 (1 riichi stick) = 3300" in outcome
        board, own, controls, outcome = one.run(PLACES)
        assert board["right"] <= min(controls["left"], outcome["left"])
        assert outcome["bottom"] < controls["top"] + 1
        assert own["bottom"] - board["top"] > 0.95 * 800

        one.run("document.getElementById('note-text').value = 'why?'; addNote();")
        one.run("unpacked(jmjp.view.about.source.packed).then((text) => { window.made = text; })")
        end = monotonic() + 30
        while not one.run("return window.made") and monotonic() < end:
            sleep(0.05)
        (saved,) = read_jmjp(one.run("return withNotes(window.made, 'jmjp')").encode())
        assert [note.text for note in saved.frames[1].notes] == ["why?"]

        one.resize(520, 900)
        board, own, controls, outcome = one.run(PLACES)
        assert one.run("return document.documentElement.scrollWidth === document.documentElement.clientWidth")
        assert own["bottom"] < controls["top"] + 1
        assert abs(outcome["bottom"] - controls["top"]) < 2
        assert abs(controls["bottom"] - 900) < 1

        one.open(list_of(tmp_path / "site", GAMES) + "#yaku=Pinfu", 1280, 800)
        for _ in range(100):
            if one.run(f"return {LOADED}"):
                break
        assert one.run("return document.getElementById('shown').textContent") == "2 / 5"
        assert one.run("return document.querySelectorAll('tbody tr').length") == 2
