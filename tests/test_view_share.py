"""Sharing a moment: links, the position as text, a picture, and pages that embed the page."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from browsing import DESKTOP, FIXTURES, PHONE, Opened, page, read, until

import jmjp_convert
from jmjp_convert.view.page import view_page

POSITION = """East 1
tiles left 66, riichi sticks 0, Dora indicators 3p
East Kaede 25000
  hand: 123m1456p99s55z [546s]
  pond: 4z
South Tsubaki 25000
  hand: 3456789m23488p6s
  pond: 3z
West 山茶花 25000
  hand: 11m147p258s12247z
  pond: 9m
North Nazuna 25000
  hand: 357m369p1133s136z
  pond: 5sc"""
EMBEDDING = "<!DOCTYPE html><title>a page</title>{}"


def copied(one: Any, move: str) -> str:
    """Return the text that the button *move* copies and shows."""
    one.click(f"[data-move={move}]")
    one.wait_for_selector("#copied:visible")
    text: str = one.input_value("#copied")
    until(one, "document.querySelector('#shared').textContent")  # the clipboard answers when it likes
    assert one.inner_text("#shared") in ("Copied", "Copy the text below")
    return text


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_link(opened: Opened, size: tuple[int, int]) -> None:
    """The link of the moment opens the same moment; the text goes away with the next step."""
    with opened("plain.xml", "#frame=E2-0&step=3&seat=1", size) as one:
        link = copied(one, "shareLink")
        assert link.startswith("file:///")
        assert link.endswith("/game.html#frame=E2-0&step=3&seat=1")
        one.evaluate("view.go({step: 4})")
        assert one.locator("#copied").is_hidden()


def test_position(opened: Opened) -> None:
    """The position as text has hands and ponds in mpsz, dora and points, from East on."""
    with opened("plain.xml", "#frame=E1-0&step=9&seat=2") as one:
        assert copied(one, "sharePosition") == POSITION


def test_position_of_closed_hands(opened: Opened) -> None:
    """Closed hands are question marks in the text, and there is no link to the whole frame."""
    with opened("plain.xml", "#frame=E1-0&step=9&closed") as one:
        hands = [line for line in copied(one, "sharePosition").splitlines() if line.startswith("  hand")]
        assert hands == ["  hand: 123m1456p99s55z [546s]", *["  hand: ?????????????"] * 3]
        assert one.locator("#share-tenhou").is_hidden()


def test_marks_of_the_text(opened: Opened) -> None:
    """Riichi tiles have an r, called tiles a c, red fives are 0, and the tile just drawn is apart."""
    with opened("plain.xml", "#frame=E1-0&step=27") as one:
        text = copied(one, "sharePosition")
        assert "South Tsubaki 24000 Riichi\n" in text
        assert "  pond: 3z 9mr 1z\n" in text
        assert "  hand: 123m456p99s55z +1s [546s]\n" in text
        assert one.evaluate("['0m', 'rd', 'uk', '5s'].map(mpsz)") == ["0m", "7z", "?", "5s"]


@pytest.mark.parametrize("name", ["plain.xml", "../json/valid/sanma.jsonl"])
def test_tenhou_link(opened: Opened, name: str) -> None:
    """The link for Tenhou's viewer holds the frame: it reads back as the same play."""
    match = read(FIXTURES / "valid" / name)[0]
    with opened(match) as one:
        for index, frame in enumerate(match.frames):
            one.evaluate("index => view.go({index, step: 0})", index)
            link = copied(one, "shareTenhou")
            assert link.startswith("https://tenhou.net/6/#json=")
            (found,) = jmjp_convert.read(link.encode())
            assert json.loads(unquote(link.split("#json=")[1]))["name"] == one.evaluate("view.about.linked[0].name")
            (back,) = found.frames
            assert back.start.name == frame.start.name
            assert [len(hand) for hand in back.start.hands] == [len(hand) for hand in frame.start.hands]
            assert [type(event) for event in back.events] == [type(event) for event in frame.events]


def test_frame_without_tenhou_link(opened: Opened) -> None:
    """A frame without play has no link for Tenhou's viewer; the others do."""
    (match,) = read(FIXTURES / "valid" / "plain.xml")
    first, *others = match.frames
    bare = replace(first, start=replace(first.start, hands=()), events=(), end=replace(first.end, hands=()))
    with opened(replace(match, frames=(bare, *others))) as one:
        assert one.locator("#share-tenhou").is_hidden()
        one.keyboard.press("ArrowDown")
        assert one.locator("#share-tenhou").is_visible()


def test_picture(opened: Opened) -> None:
    """The table is saved as a PNG, twice as large as on the screen, and not blank."""
    with opened("plain.xml", "#frame=E1-0&step=9", tab_of="test_picture", accept_downloads=True) as one:
        room = one.locator("#board").bounding_box()
        with one.expect_download() as saved:
            one.click("[data-move=sharePicture]")
        assert saved.value.suggested_filename == "E1-0-9.png"
        content = Path(saved.value.path()).read_bytes()
        assert content.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", content[16:24])
        assert width >= 2 * room["width"]
        assert height >= 2 * room["height"]
        assert len(content) > 50_000


def test_picture_shows_what_is_shown(opened: Opened) -> None:
    """The picture has the tiles on the table, turned as they lie, and the texts; closed hands are backs in it."""
    pieces = """() => {
        const drawn = pictureElement();
        const uses = [...drawn.querySelectorAll("g > use")].map((use) => use.getAttribute("href").slice(3));
        const turned = drawn.querySelectorAll("g > use[transform^='rotate(-90 ']").length;
        return [uses, turned, [...drawn.querySelectorAll("text")].map((text) => text.textContent)];
    }"""
    with opened("plain.xml", "#frame=E1-0&step=9&closed") as one:
        tiles, turned, texts = one.evaluate(pieces)
        shown = one.eval_on_selector_all("#board .tile, #own .tile", "all => all.map((one) => one.dataset.face)")
        assert sorted(tiles) == sorted(shown)
        assert tiles.count("back") == 39
        right = one.locator("#board .right .tile:not(.side)").count()
        assert turned == right + one.locator("#own .tile.side").count() > right
        assert {"Kaede", "Tsubaki", "25000", "East 1"} <= set(texts)


def test_embedding(opened: Opened, running: Any, tmp_path: Path) -> None:
    """The snippet embeds the page, which works in 480 × 480: table, hand and buttons are in sight."""
    with opened("plain.xml", "#frame=E1-0&step=9&seat=1") as one:
        text = copied(one, "shareEmbed")
    assert text.startswith('<iframe src="file:///')
    assert 'width="480" height="480"' in text
    (tmp_path / "other.html").write_text(EMBEDDING.format(text), encoding="utf-8")
    with page(running, width=600, height=600) as one:
        one.goto((tmp_path / "other.html").as_uri())
        frame = one.frame_locator("iframe")
        frame.locator("[data-move=next]").click()
        assert frame.locator("#count").inner_text() == "10 / 30"
        edge = one.locator("iframe").bounding_box()
        for at in ("#board", "#own", "[data-move=next]", "#playing-switch"):
            box = frame.locator(at).bounding_box()
            assert box["x"] >= edge["x"]
            assert box["x"] + box["width"] <= edge["x"] + 486
            assert box["y"] + box["height"] <= edge["y"] + 486, at
        assert frame.locator("#board").bounding_box()["width"] > 240


def test_hostile_title(opened: Opened) -> None:
    """A title with markup is text in the snippet."""
    with opened("plain.xml") as one:
        one.evaluate("document.title = '\"><script>x</script>'")
        assert escape('"><script>x', quote=True).replace("&gt;", ">") in copied(one, "shareEmbed")


def test_linked_frames_in_a_page() -> None:
    """A page holds each frame for the link once, and stays small."""
    text = view_page(read(FIXTURES / "valid" / "plain.xml")[0])
    assert text.count('"linked":[') == 1
