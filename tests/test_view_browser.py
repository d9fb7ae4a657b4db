"""The page in a real browser, where a session is not enough: touches, downloads, other pages, patched modules."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from browsing import FIXTURES, PHONE, Opened, new_page, read, script, tab, until
from page_sessions import copied
from playing import matches

import jmjp_convert
from jmjp_convert.checks.score.hand_value import Fu
from jmjp_convert.errors import MissingExtraError
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model.record import replace
from jmjp_convert.view.page import FU, view_page

VALID = FIXTURES / "valid"
COLUMNS = script("columns.js")
FOUR_KANS = "--seed 1 --games 1 --want four-kans-of-one --tries 1 --first 53"
EMBEDDING = "<!DOCTYPE html><title>a page</title>{}"


def test_no_address(opened: Opened) -> None:
    """A page that may not write its address, such as an embedded one, works all the same."""
    with opened("plain.xml", tab_of="test_no_address", fresh=True) as page:
        page.add_init_script("history.replaceState = () => { window.tried = true; throw new Error('not here'); }")
        page.reload()
        assert page.inner_text(".seat.bottom .name") == "Kaede"
        page.press("ArrowRight")
        assert page.inner_text("#count") == "1 / 30"
        until(page, "window.tried")
        page.press("ArrowRight")
        assert page.inner_text("#count") == "2 / 30"


def test_policy_holds(running: Any, tmp_path: Path) -> None:
    """The page's policy blocks other scripts and all loading."""
    file = tmp_path / "game.html"
    text = view_page(read(VALID / "plain.xml")[0]).replace("</body>", "<img src=x.png><script>window.bad = 1</script>")
    file.write_text(text, encoding="utf-8")
    page = tab(running, "all", locale="en")
    logged: list[str] = []

    def hear(message: Any) -> None:
        logged.append(message.text)

    page.on("console", hear)
    page.goto(file.as_uri())
    assert page.evaluate("window.bad") is None
    assert len([text for text in logged if "Content Security Policy" in text]) == 2
    page.remove_listener("console", hear)


def test_slider_and_thumb(opened: Opened) -> None:
    """A finger that moves across the slider scrolls the page; one that moves along it, or taps, seeks."""
    with opened("plain.xml", size=PHONE, has_touch=True) as page:
        session = page.context.new_cdp_session(page.tab)
        slider = page.box("#slider")
        middle = [slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2]

        def swipe(*ways: tuple[float, float]) -> None:
            touch(session, "touchStart", middle)
            for x, y in ways:
                touch(session, "touchMove", [middle[0] + x, middle[1] + y])
            touch(session, "touchEnd")

        swipe((1, -20), (2, -60), (40, -120))
        page.wait_for_timeout(50)
        assert page.evaluate("jmjp.view.step") == 0
        swipe((20, 1), (40, 2))
        until(page, "jmjp.view.step > 15")
        swipe()
        until(page, "jmjp.view.step === 15")


def touch(session: Any, kind: str, *points: list[float]) -> None:
    """Touch the page, as a finger does."""
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def test_tap(opened: Opened) -> None:
    """A tap on a tile selects it: its like stay lit with their number, through a step too, until the next tap. Other
    taps on the table are steps; a long press is none."""
    with opened("plain.xml", "#frame=E1-0&step=24", PHONE, has_touch=True) as page:
        session = page.context.new_cdp_session(page.tab)

        def tap(at: str, across: float = 0.5, milliseconds: int = 0) -> None:
            box = page.box(at)
            point = {"x": box["x"] + box["width"] * across, "y": box["y"] + box["height"] * 0.15}
            session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
            page.wait_for_timeout(milliseconds)
            session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        def readout() -> list[object]:
            return [page.evaluate("view.step"), page.inner_text("#tip") if page.is_visible("#tip") else None]

        tap(".seat.left .pond .tile")
        until(page, "!byId('tip').hidden")
        name, seen, left = page.evaluate(
            """(() => {
              const face = document.querySelector(".seat.left .pond .tile").dataset.face;
              const left = unseenBy(replay(view.frame, view.step), view.seat)[kindOf(face)];
              return [view.words.tile(face), 4 - left, left];
            })()"""
        )
        assert readout() == [24, f"{name}: {seen} visible, {left} left"]
        page.wait_for_timeout(100)
        page.evaluate("walk(1)")
        assert readout() == [25, f"{name}: {seen} visible, {left} left"]
        tap("#board", 0.9)
        until(page, "view.step === 26")
        assert readout() == [26, None]
        tap("#board", 0.1)
        until(page, "view.step === 25")
        tap("#own .tile")
        until(page, "!byId('tip').hidden")
        assert page.evaluate("view.step") == 25
        tap("#own .tile")
        until(page, "byId('tip').hidden")
        tap("#board", 0.9, 700)
        page.wait_for_timeout(100)
        assert readout() == [25, None]


def test_columns_of_the_score_table(opened: Opened) -> None:
    """Place, points and change never touch, of one player or of two, however many digits they have: 1 and 27900 are not
    127900."""
    (match,) = matches(FOUR_KANS)
    points = ((-55100, 85300, 31400, 38400), (10000, 20200, 31400, 38400))
    ends = [replace(frame.end, points=points[index % 2]) for index, frame in enumerate(match.frames)]
    starts = [replace(frame.start, points=points[1 - index % 2]) for index, frame in enumerate(match.frames)]
    frames = [
        replace(frame, start=start, end=end) for frame, start, end in zip(match.frames, starts, ends, strict=True)
    ]
    with opened(replace(match, frames=tuple(frames))) as page:
        assert page.count("#scores tbody td > *") > 12
        for size in page.sizes(PHONE, (740, 360), (1024, 768), (1280, 800), (1920, 1080)):
            assert page.evaluate(COLUMNS) == [], size


def test_fu_names() -> None:
    """Everything that gives fu has a name in both languages."""
    assert list(FU) == list(Fu)
    assert all(len(set(names)) == 2 and all(names) for names in FU.values())


def test_without_the_extra(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, the page shows what is recorded, the sum too, and says how to have the rest."""

    def missing(*_: object) -> None:
        raise MissingExtraError("scoring", "score")

    monkeypatch.setattr("jmjp_convert.view.page.accounts", missing)
    with opened(read_mjlog(VALID / "double-ron.xml"), "#frame=E1-1&step=999") as page:
        parts = page.inner_texts("#outcome .win:nth-of-type(1) .parts")
        assert len(parts) == 2
        assert parts[0].startswith("Total: 2000 + 300 (1 honba)")
        assert 'pipx install --force ".[score]"' in parts[1]
        page.press("ArrowLeft", "ArrowLeft", "m")
        assert 'pipx install --force ".[score]"' in page.inner_text("#study")
        assert page.count("#study .worths") == 0
        assert page.count("#study .waits") > 0


@pytest.mark.parametrize("name", ["plain.xml", "../json/valid/sanma.jsonl"])
def test_tenhou_link(opened: Opened, name: str) -> None:
    """The link for Tenhou's viewer holds the frame: it reads back as the same play."""
    match = read(FIXTURES / "valid" / name)[0]
    with opened(match) as page:
        for index, frame in enumerate(match.frames):
            page.evaluate("index => view.go({index, step: 0})", index)
            link = copied(page, "shareTenhou")
            assert link.startswith("https://tenhou.net/6/#json=")
            (linked,) = jmjp_convert.read(link.encode())
            assert json.loads(unquote(link.split("#json=")[1]))["name"] == page.evaluate("view.about.linked[0].name")
            (back,) = linked.frames
            assert back.start.name == frame.start.name
            assert [len(hand) for hand in back.start.hands] == [len(hand) for hand in frame.start.hands]
            assert [type(event) for event in back.events] == [type(event) for event in frame.events]


def test_picture(opened: Opened) -> None:
    """The table is saved as a PNG, twice as large as on the screen, and not blank."""
    with opened("plain.xml", "#frame=E1-0&step=9") as page:
        room = page.box("#board")
        page.click("#tabs [data-tab=share]")
        with page.expect_download() as saved:
            page.click("[data-move=sharePicture]")
        assert saved.value.suggested_filename == "E1-0-9.png"
        content = Path(saved.value.path()).read_bytes()
        assert content.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", content[16:24])
        assert width >= 2 * room["width"]
        assert height >= 2 * room["height"]
        assert len(content) > 50_000


def test_embedding(opened: Opened, running: Any, tmp_path: Path) -> None:
    """The snippet embeds the page, which works in 480 × 480: table, hand and buttons are in sight."""
    with opened("plain.xml", "#frame=E1-0&step=9&seat=1") as page:
        text = copied(page, "shareEmbed")
    assert text.startswith('<iframe src="file:///')
    assert 'width="480" height="480"' in text
    (tmp_path / "other.html").write_text(EMBEDDING.format(text), encoding="utf-8")
    with new_page(running, width=600, height=600) as page:
        page.goto((tmp_path / "other.html").as_uri())
        frame = page.frame_locator("iframe")
        frame.locator("[data-move=next]").click()
        assert frame.locator("#count").inner_text() == "10 / 30"
        edge = page.box("iframe")
        for at in ("#board", "#own", "[data-move=next]", "#playing-switch"):
            box = frame.locator(at).bounding_box()
            assert box["x"] >= edge["x"]
            assert box["x"] + box["width"] <= edge["x"] + 486
            assert box["y"] + box["height"] <= edge["y"] + 486, at
        assert frame.locator("#board").bounding_box()["width"] > 240


def test_linked_frames_in_a_page() -> None:
    """A page holds the frames for the links once, packed, so that it stays small."""
    text = view_page(read(FIXTURES / "valid" / "plain.xml")[0])
    assert text.count('"links":"') == 1
    assert "linked" not in text.partition('id="about"')[2].partition("</script>")[0]
