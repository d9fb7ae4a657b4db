"""Sharing a moment: links, the position as text, a picture, and pages that embed the page. The quiz, and closed hands:
nothing that the seat did not see is shown, spoken or copied."""

from __future__ import annotations

import json
import struct
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from browsing import DESKTOP, FIXTURES, PHONE, Opened, new_page, plain, read, until
from frames_in_play import EXHAUSTIVE

import jmjp_convert
from jmjp_convert.model import Discard, Match, RiichiAccepted
from jmjp_convert.model.record import replace
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


def copied(page: Any, move: str) -> str:
    """Return the text that the button *move* copies and shows."""
    page.evaluate("view.go({tab: 'share'})")
    page.click(f"[data-move={move}]")
    until(page, "byId('copied').checkVisibility()")
    text: str = page.input_value("#copied")
    until(page, "document.querySelector('#shared').textContent")  # the clipboard answers when it likes
    assert page.inner_text("#shared") in ("Copied", "Copy the text below")
    return text


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_link(opened: Opened, size: tuple[int, int]) -> None:
    """The link of the moment opens the same moment; the text goes away with the next step."""
    with opened("plain.xml", "#frame=E2-0&step=3&seat=1", size) as page:
        link = copied(page, "shareLink")
        assert link.startswith("file:///")
        assert link.endswith("/game.html#frame=E2-0&step=3&seat=1")
        page.evaluate("view.go({step: 4})")
        assert page.is_hidden("#copied")


def test_position(opened: Opened) -> None:
    """The position as text has hands and ponds in mpsz, dora and points, from East on."""
    with opened("plain.xml", "#frame=E1-0&step=9&seat=2") as page:
        assert copied(page, "sharePosition") == POSITION


def test_position_of_closed_hands(opened: Opened) -> None:
    """Closed hands are question marks in the text, and there is no link to the whole frame."""
    with opened("plain.xml", "#frame=E1-0&step=9&closed") as page:
        hands = [line for line in copied(page, "sharePosition").splitlines() if line.startswith("  hand")]
        assert hands == ["  hand: 123m1456p99s55z [546s]", *["  hand: ?????????????"] * 3]
        assert page.is_hidden("#share-tenhou")


def test_marks_of_the_text(opened: Opened) -> None:
    """Riichi tiles have an r, called tiles a c, red fives are 0, and the tile just drawn is apart."""
    with opened("plain.xml", "#frame=E1-0&step=27") as page:
        text = copied(page, "sharePosition")
        assert "South Tsubaki 24000 Riichi\n" in text
        assert "  pond: 3z 9mr 1z\n" in text
        assert "  hand: 123m456p99s55z +1s [546s]\n" in text
        assert page.evaluate("['0m', 'rd', 'uk', '5s'].map(mpsz)") == ["0m", "7z", "?", "5s"]


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


def test_frame_without_tenhou_link(opened: Opened) -> None:
    """A frame without play has no link for Tenhou's viewer; the others do."""
    (match,) = read(FIXTURES / "valid" / "plain.xml")
    first, *others = match.frames
    bare = replace(first, start=replace(first.start, hands=()), events=(), end=replace(first.end, hands=()))
    with opened(replace(match, frames=(bare, *others))) as page:
        assert page.is_hidden("#share-tenhou")
        page.press("ArrowDown")
        page.click("#tabs [data-tab=share]")
        assert page.is_visible("#share-tenhou")


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


def test_picture_shows_what_is_shown(opened: Opened) -> None:
    """The picture has the tiles on the table, turned as they lie, and the texts; closed hands are backs in it."""
    pieces = """() => {
        const drawn = pictureElement();
        const uses = [...drawn.querySelectorAll("g > use")].map((use) => use.getAttribute("href").slice(3));
        const turned = drawn.querySelectorAll("g > use[transform^='rotate(-90 ']").length;
        return [uses, turned, [...drawn.querySelectorAll("text")].map((text) => text.textContent)];
    }"""
    with opened("plain.xml", "#frame=E1-0&step=9&closed") as page:
        tiles, turned, texts = page.evaluate(pieces)
        on_page = page.each("#board .tile, #own .tile", "one.dataset.face")
        assert sorted(tiles) == sorted(on_page)
        assert tiles.count("back") == 39
        right = page.count("#board .right .tile:not(.side)")
        assert turned == right + page.count("#own .tile.side") > right
        assert {"Kaede", "Tsubaki", "25000", "East 1"} <= set(texts)


def test_marks_in_the_picture(opened: Opened) -> None:
    """The picture has the marks of dora and karagiri, and the dots of sticks; others show the outcome or the hand."""
    counted = """(what) => {
        const drawn = pictureElement(what);
        const count = (at) => drawn.querySelectorAll(at).length;
        return [count(".dora-mark"), count(".manner-mark"), count(".dot"), count("g > use")];
    }"""
    with opened("karagiri.xml", "#frame=E1-0&step=999") as page:
        dora = """at => [...document.querySelectorAll(`${at} .tile`)]
            .filter((tile) => getComputedStyle(tile, "::before").display !== "none").length"""
        marks, lines, dots, tiles = page.evaluate(counted, "table")
        assert marks == page.evaluate(dora, "#board") + page.evaluate(dora, "#own")
        assert lines == page.count("#board :is(.karagiri, .unknown)") > 0
        assert dots == page.count("#board :is(.stick, .thousand):visible") > 0
        assert page.evaluate(counted, "hand")[3] == page.count("#own .tile") < tiles
        assert page.evaluate(counted, "outcome")[3] == page.count("#outcome .tile")


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


def test_hostile_title(opened: Opened) -> None:
    """A title with markup is text in the snippet."""
    with opened("plain.xml", fresh=True) as page:
        page.evaluate("document.title = '\"><script>x</script>'")
        assert escape('"><script>x', quote=True).replace("&gt;", ">") in copied(page, "shareEmbed")


def test_names_of_a_page(opened: Opened) -> None:
    """On a page that belongs to no site, the players' names lead nowhere."""
    with opened("plain.xml", "#frame=E1-0&step=999") as page:
        until(page, "jmjp.view.about.linked")
        assert page.count("#result bdi") == 4
        assert page.count("#result a") == 0


def test_linked_frames_in_a_page() -> None:
    """A page holds the frames for the links once, packed, so that it stays small."""
    text = view_page(read(FIXTURES / "valid" / "plain.xml")[0])
    assert text.count('"links":"') == 1
    assert "linked" not in text.partition('id="about"')[2].partition("</script>")[0]


SHOWN = """() => {
  const named = ["aria-label", "aria-valuetext", "title", "data-face", "max", "class", "data-rows", "href"];
  const all = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility());
  const said = all.flatMap((one) => named.map((name) => one.getAttribute(name)).filter(Boolean));
  const links = [linkOf(), snippet()].map((text) => text.replaceAll(location.pathname, ''));
  const copies = [...links, positionText(view, replay(view.frame, view.step)), tenhouLink(view)];
  const nodes = all.flatMap((one) => [...one.childNodes]);
  const texts = nodes.filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data);
  return JSON.stringify([texts, said, copies, document.title, view.step], null, 1);
}"""
"""Everything that is shown or spoken, what can be copied, and the classes and faces of the elements."""


def others_swapped(match: Match, index: int, steps: int, seat: int) -> Match:
    """Return *match* with tiles swapped between the hands of two players other than *seat*, in the frame at *index*:
    tiles of different kinds that nobody saw in the first *steps* events."""
    frame = match.frames[index]
    left, right = (player for player in range(3) if player != seat)
    seen = repr(frame.events[:steps])
    hands = [list(hand) for hand in frame.start.hands]
    hidden = [
        [tile for tile in hands[player] if f"={tile}," not in seen and f"={tile})" not in seen]
        for player in (left, right)
    ]
    first = hidden[0][0]
    second = next(tile for tile in hidden[1] if tile // 36 != first // 36)
    hands[left][hands[left].index(first)], hands[right][hands[right].index(second)] = second, first
    start = replace(frame.start, hands=tuple(map(tuple, hands)))
    return replace(match, frames=(*match.frames[:index], replace(frame, start=start), *match.frames[index + 1 :]))


def without_future(match: Match, index: int, steps: int) -> Match:
    """Return *match* up to the discard after the first *steps* events of the frame at *index*, and without result."""
    frame = match.frames[index]
    after = next(at for at in range(steps, len(frame.events)) if isinstance(frame.events[at], Discard))
    cut = replace(frame, events=(*frame.events[: after + 1], EXHAUSTIVE), comment=None)
    return replace(match, frames=(*match.frames[:index], cut), final_points=None, results=None)


# --- what is hidden --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_question_hides_the_rest(opened: Opened, size: tuple[int, int]) -> None:
    """A question is the same, before the answer and after it, whatever the other hands are and whatever comes."""
    match, link = plain(), "#frame=E1-0&step=9&quiz"
    variants = (match, others_swapped(match, 0, 9, 0), without_future(match, 0, 9))
    states = []
    for variant in variants:
        with opened(variant, link, size) as page:
            page.evaluate("view.go({shanten: true, waits: true, discards: true, wall: true})")
            asked = page.evaluate(SHOWN)
            page.click("#own [role=button]")
            states.append((asked, page.evaluate(SHOWN)))
    assert states[0] == states[1]
    assert states[0] == states[2]
    assert '"back"' in states[0][0]


def test_closed_hands_hide_the_rest(opened: Opened) -> None:
    """With closed hands, every step is the same whatever the other hands are, until they are shown."""
    match = plain()
    steps = 25
    states = []
    for variant in (match, others_swapped(match, 0, steps, 0)):
        with opened(variant, "#frame=E1-0&closed") as page:
            page.evaluate("view.go({shanten: true, waits: true, discards: true})")
            of_game = []
            for step in range(steps):
                page.evaluate("step => view.go({step})", step)
                of_game.append(page.evaluate(SHOWN))
            states.append(of_game)
    assert states[0] == states[1]


def test_open_hands_differ(opened: Opened) -> None:
    """The same games differ with open hands, so the comparison sees other hands."""
    match = plain()
    states = []
    for variant in (match, others_swapped(match, 0, 9, 0), without_future(match, 0, 9)):
        with opened(variant, "#frame=E1-0&step=9") as page:
            states.append(page.evaluate(SHOWN))
    assert len(set(states)) == 3


def test_karagiri_of_closed_hands(opened: Opened) -> None:
    """A karagiri of a closed hand looks like any discard from the hand: it would name the tile drawn."""
    with opened("karagiri.xml") as page:
        moment = page.evaluate("""() => {
            for (const [index, frame] of game.frames.entries()) {
              const state = replay(frame, frame.events.length - 1);
              const player = state.ponds.findIndex((pond) => pond.some((thrown) => thrown.manner === "karagiri"));
              if (player >= 0) return {index, step: frame.events.length - 1, seat: (player + 1) % game.players};
            }
            return null;
        }""")
        assert moment is not None
        page.evaluate("place => view.go(place)", moment)
        assert page.count("#board .karagiri") > 0
        page.press("o")
        assert page.count("#board .seat:not(.bottom) .karagiri") == 0
        labels = " ".join(page.each(".seat:not(.bottom) .pond", "one.ariaLabel"))
        assert "karagiri" not in labels


# --- how it goes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_question_and_answer(opened: Opened, size: tuple[int, int]) -> None:
    """A tile of the hand is chosen; then the discard made is shown, with the acceptance of both; the next step asks the
    next question."""
    with opened("plain.xml", "#frame=E1-0&step=3&quiz", size) as page:
        assert page.evaluate("jmjp.address()") == "#frame=E1-0&step=9&quiz"
        assert page.inner_text("#said") == "Kaede: what would you discard?"
        assert page.count("#own [role=button]") == 11
        page.click('#own .tile[data-face="1m"]')
        assert page.inner_text("#said") == "You: 1 man. Kaede: 1 pin. ▶ next"
        rows = page.each(".choices tbody tr", "one.textContent")
        assert rows == ["1 pinplayedtenpai224 tiles", "1 manyours1-shanten342211 tiles"]
        assert page.get_attribute("#own .made", "data-face") == "1p"
        assert page.count("#own [role=button]") == 0
        page.press("ArrowRight")
        assert page.evaluate("view.step") > 9
        assert page.inner_text("#said") == "Kaede: what would you discard?"


def test_by_keyboard(opened: Opened) -> None:
    """A question is asked, answered and left by keyboard alone; each tile has a name."""
    with opened("plain.xml") as page:
        page.press("q")
        assert page.get_attribute("#quiz-switch", "aria-pressed") == "true"
        page.focus("#own [role=button] >> nth=0")
        name = page.evaluate("document.activeElement.getAttribute('aria-label')")
        page.press("Enter")
        assert page.inner_text("#said").startswith(f"You: {name}.")
        assert page.evaluate("document.activeElement.dataset.move") == "next"
        page.press("Enter")
        assert page.inner_text("#said").endswith("what would you discard?")
        page.press("q")
        assert page.get_attribute("#quiz-switch", "aria-pressed") == "false"
        assert "back" not in page.each(".strip .tile", "one.dataset.face")


def test_nothing_left(opened: Opened) -> None:
    """After a quiz, the page is as it was: also if a link that ends it shows another seat."""
    with opened("plain.xml", "#frame=E1-0&step=9") as page:
        before = page.evaluate(SAID_AND_ROLES)
        page.press("q")
        assert page.evaluate(SAID_AND_ROLES) != before
        page.press("q")
        assert page.evaluate(SAID_AND_ROLES) == before
        page.press("q")
        page.evaluate("location.hash = '#frame=E1-0&step=9&seat=1'")
        until(page, "view.seat === 1")
        assert page.evaluate(SAID_AND_ROLES)[1] == before[1]


SAID_AND_ROLES = """[
  byId("said").textContent,
  [...document.querySelectorAll(".hand")].map((hand) => hand.getAttribute("role"))
]"""


def test_switches_wait(opened: Opened) -> None:
    """In a quiz, the switch for hands changes nothing, not even for later, and the buttons that jump are disabled."""
    with opened("plain.xml") as page:
        page.press("q", "o")
        jumps = "#switches [data-move^=next]", "one.ariaDisabled"
        assert set(page.each(*jumps)) == {"true"}
        page.press("q")
        assert page.get_attribute("#open-switch", "aria-pressed") == "true"
        assert set(page.each(*jumps)) == {None}


def test_the_future_is_out_of_reach(opened: Opened) -> None:
    """Until the answer, neither keys, slider, frames, seats nor switches lead past the question; steps back do work."""
    with opened("plain.xml", "#frame=E1-0&step=9&quiz") as page:
        for key in ("ArrowRight", "End", "ArrowDown", "d", "Shift+Digit2", "2", "i", "c", "n", "v", "r", "w", "o"):
            page.press(key)
            assert page.evaluate("[view.frame.name, view.step, view.seat]") == ["E1-0", 9, 0], key
        assert page.get_attribute("#slider", "max") == "9"
        assert page.is_hidden(":is(#tabs, #scores, #plays, #result, #curve, #outcome, #wall, #share-tenhou)")
        page.press("ArrowLeft")
        assert page.evaluate("view.step") == 8
        assert page.count("#own [role=button]") == 0
        page.press("ArrowRight")
        assert page.count("#own [role=button]") > 0


def test_questions_of_a_game(opened: Opened) -> None:
    """Every discard of the seat is asked for, except in riichi; after the last one the quiz ends."""
    seat, free = 2, 0
    for frame in plain().frames:
        for event in frame.events:
            if isinstance(event, RiichiAccepted) and event.player == seat:
                break
            free += isinstance(event, Discard) and event.player == seat
    with opened("plain.xml", f"#frame=E1-0&seat={seat}&quiz") as page:
        asked = 0
        while page.evaluate("view.quiz !== null"):
            page.click("#own [role=button]")
            page.press("ArrowRight")
            asked += 1
        assert asked == free > 5


def test_links(opened: Opened) -> None:
    """A link carries the seat, the quiz and closed hands."""
    with opened("plain.xml", "#frame=E2-0&step=0&seat=2&closed") as page:
        assert page.evaluate("jmjp.address()") == "#frame=E2-0&step=0&seat=2&closed"
        assert page.get_attribute("#open-switch", "aria-pressed") == "false"
        page.evaluate("location.hash = '#frame=E1-0&step=0&seat=1&quiz'")
        until(page, "view.seat === 1")
        assert page.evaluate("[view.seat, view.open, isAsking(view)]") == [1, True, True]
