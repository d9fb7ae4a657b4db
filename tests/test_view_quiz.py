"""The quiz, and closed hands: nothing that the seat did not see is shown, spoken or copied."""

from __future__ import annotations

from dataclasses import replace

import pytest
from browsing import DESKTOP, FIXTURES, PHONE, Opened, read, until
from frames_in_play import EXHAUSTIVE

from jmjp_convert.model import Discard, Match, RiichiAccepted

SHOWN = """() => {
  const named = ["aria-label", "aria-valuetext", "title", "data-face", "max", "class", "data-rows", "href"];
  const all = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility());
  const said = all.flatMap((one) => named.map((name) => one.getAttribute(name)).filter(Boolean));
  const links = [linkOf(), positionText(view, replay(view.frame, view.step)), snippet(), tenhouLink(view)];
  const nodes = all.flatMap((one) => [...one.childNodes]);
  const texts = nodes.filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data);
  return JSON.stringify([texts, said, links, document.title, view.step], null, 1);
}"""
"""Everything that is shown or spoken, what can be copied, and the classes and faces of the elements."""


def plain() -> Match:
    """Return an ordinary game."""
    return read(FIXTURES / "valid" / "plain.xml")[0]


def others_swapped(match: Match, index: int, steps: int, seat: int) -> Match:
    """Return *match* with tiles swapped between the hands of two players other than *seat*, in the frame at *index*:
    tiles of different kinds that nobody saw in the first *steps* events."""
    frame = match.frames[index]
    one, other = (player for player in range(3) if player != seat)
    seen = repr(frame.events[:steps])
    hands = [list(hand) for hand in frame.start.hands]
    hidden = [
        [tile for tile in hands[player] if f"={tile}," not in seen and f"={tile})" not in seen]
        for player in (one, other)
    ]
    first = hidden[0][0]
    second = next(tile for tile in hidden[1] if tile // 36 != first // 36)
    hands[one][hands[one].index(first)], hands[other][hands[other].index(second)] = second, first
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
    shown = []
    for variant in variants:
        with opened(variant, link, size) as one:
            one.evaluate("view.go({shanten: true, waits: true, discards: true, wall: true})")
            asked = one.evaluate(SHOWN)
            one.locator("#own [role=button]").first.click()
            shown.append((asked, one.evaluate(SHOWN)))
    assert shown[0] == shown[1]
    assert shown[0] == shown[2]
    assert '"back"' in shown[0][0]


def test_closed_hands_hide_the_rest(opened: Opened) -> None:
    """With closed hands, every step is the same whatever the other hands are, until they are shown."""
    match = plain()
    steps = 25
    shown = []
    for variant in (match, others_swapped(match, 0, steps, 0)):
        with opened(variant, "#frame=E1-0&closed") as one:
            one.evaluate("view.go({shanten: true, waits: true, discards: true})")
            found = []
            for step in range(steps):
                one.evaluate("step => view.go({step})", step)
                found.append(one.evaluate(SHOWN))
            shown.append(found)
    assert shown[0] == shown[1]


def test_open_hands_differ(opened: Opened) -> None:
    """The same games differ with open hands, so the comparison sees other hands."""
    match = plain()
    shown = []
    for variant in (match, others_swapped(match, 0, 9, 0), without_future(match, 0, 9)):
        with opened(variant, "#frame=E1-0&step=9") as one:
            shown.append(one.evaluate(SHOWN))
    assert len(set(shown)) == 3


def test_karagiri_of_closed_hands(opened: Opened) -> None:
    """A karagiri of a closed hand looks like any discard from the hand: it would name the tile drawn."""
    with opened("karagiri.xml") as one:
        place = one.evaluate("""() => {
            for (const [index, frame] of game.frames.entries()) {
              const state = replay(frame, frame.events.length - 1);
              const player = state.ponds.findIndex((pond) => pond.some((thrown) => thrown.manner === "karagiri"));
              if (player >= 0) return {index, step: frame.events.length - 1, seat: (player + 1) % game.players};
            }
            return null;
        }""")
        assert place is not None
        one.evaluate("place => view.go(place)", place)
        assert one.locator("#board .karagiri").count() > 0
        one.keyboard.press("o")
        assert one.locator("#board .seat:not(.bottom) .karagiri").count() == 0
        labels = one.eval_on_selector_all(".seat:not(.bottom) .pond", "all => all.map((one) => one.ariaLabel).join()")
        assert "karagiri" not in labels


# --- how it goes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_question_and_answer(opened: Opened, size: tuple[int, int]) -> None:
    """A tile of the hand is chosen; then the discard made is shown, with the acceptance of both; the next step asks the
    next question."""
    with opened("plain.xml", "#frame=E1-0&step=3&quiz", size) as one:
        assert one.evaluate("jmjp.address()") == "#frame=E1-0&step=9&quiz"
        assert one.inner_text("#said") == "Kaede: what would you discard?"
        assert one.locator("#own [role=button]").count() == 11
        one.locator('#own .tile[data-face="1m"]').click()
        assert one.inner_text("#said") == "You: 1 man. Kaede: 1 pin. ▶ next"
        rows = one.eval_on_selector_all(".choices tbody tr", "rows => rows.map((row) => row.textContent)")
        assert rows == ["1 pinplayedtenpai224 tiles", "1 manyours1-shanten342211 tiles"]
        assert one.locator("#own .made").get_attribute("data-face") == "1p"
        assert one.locator("#own [role=button]").count() == 0
        one.keyboard.press("ArrowRight")
        assert one.evaluate("view.step") > 9
        assert one.inner_text("#said") == "Kaede: what would you discard?"


def test_by_keyboard(opened: Opened) -> None:
    """A question is asked, answered and left by keyboard alone; each tile has a name."""
    with opened("plain.xml") as one:
        one.keyboard.press("q")
        assert one.get_attribute("#quiz-switch", "aria-pressed") == "true"
        one.focus("#own [role=button] >> nth=0")
        name = one.evaluate("document.activeElement.getAttribute('aria-label')")
        one.keyboard.press("Enter")
        assert one.inner_text("#said").startswith(f"You: {name}.")
        assert one.evaluate("document.activeElement.dataset.move") == "next"
        one.keyboard.press("Enter")
        assert one.inner_text("#said").endswith("what would you discard?")
        one.keyboard.press("q")
        assert one.get_attribute("#quiz-switch", "aria-pressed") == "false"
        assert "back" not in one.eval_on_selector_all(".strip .tile", "all => all.map((one) => one.dataset.face)")


def test_switches_wait(opened: Opened) -> None:
    """In a quiz, the switch for hands changes nothing, not even for later, and the buttons that jump are disabled."""
    with opened("plain.xml") as one:
        one.keyboard.press("q")
        one.keyboard.press("o")
        jumps = one.locator("#switches [data-move^=next]")
        assert {jump.get_attribute("aria-disabled") for jump in jumps.all()} == {"true"}
        one.keyboard.press("q")
        assert one.get_attribute("#open-switch", "aria-pressed") == "true"
        assert {jump.get_attribute("aria-disabled") for jump in jumps.all()} == {None}


def test_the_future_is_out_of_reach(opened: Opened) -> None:
    """Until the answer, neither keys, slider, frames, seats nor switches lead past the question; steps back do work."""
    with opened("plain.xml", "#frame=E1-0&step=9&quiz") as one:
        for key in ("ArrowRight", "End", "ArrowDown", "d", "Shift+Digit2", "2", "i", "c", "n", "v", "r", "w", "o"):
            one.keyboard.press(key)
            assert one.evaluate("[view.frame.name, view.step, view.seat]") == ["E1-0", 9, 0], key
        assert one.get_attribute("#slider", "max") == "9"
        assert (
            one.locator("#frames, #result, #curve, #outcome, #wall, #share-tenhou").locator("visible=true").count() == 0
        )
        one.keyboard.press("ArrowLeft")
        assert one.evaluate("view.step") == 8
        assert one.locator("#own [role=button]").count() == 0
        one.keyboard.press("ArrowRight")
        assert one.locator("#own [role=button]").count() > 0


def test_questions_of_a_game(opened: Opened) -> None:
    """Every discard of the seat is asked for, except in riichi; after the last one the quiz ends."""
    seat, free = 2, 0
    for frame in plain().frames:
        for event in frame.events:
            if isinstance(event, RiichiAccepted) and event.player == seat:
                break
            free += isinstance(event, Discard) and event.player == seat
    with opened("plain.xml", f"#frame=E1-0&seat={seat}&quiz") as one:
        asked = 0
        while one.evaluate("view.quiz !== null"):
            one.locator("#own [role=button]").first.click()
            one.keyboard.press("ArrowRight")
            asked += 1
        assert asked == free > 5


def test_links(opened: Opened) -> None:
    """A link carries the seat, the quiz and closed hands."""
    with opened("plain.xml", "#frame=E2-0&step=0&seat=2&closed") as one:
        assert one.evaluate("jmjp.address()") == "#frame=E2-0&step=0&seat=2&closed"
        assert one.get_attribute("#open-switch", "aria-pressed") == "false"
        one.evaluate("location.hash = '#frame=E1-0&step=0&seat=1&quiz'")
        until(one, "view.seat === 1")
        assert one.evaluate("[view.seat, view.open, isAsking(view)]") == [1, True, True]
