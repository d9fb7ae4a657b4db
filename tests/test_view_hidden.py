"""The quiz, and closed hands: nothing that the seat did not see is shown, spoken or copied."""

from __future__ import annotations

import pytest
from browsing import DESKTOP, PHONE, Opened, plain, script
from frames_in_play import EXHAUSTIVE

from jmjp_convert.model import Discard, Match, RiichiAccepted
from jmjp_convert.model.record import replace

SHOWN = script("shown.js")


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
