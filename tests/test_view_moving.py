"""Moving through a game without a click for each step: autoplay, held buttons, clicks on the table, jumps and ticks."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import DESKTOP, PHONE, Opened, until


def moment(one: Any) -> list[Any]:
    """Return the frame and the step shown."""
    found: list[Any] = one.evaluate("[view.frame.name, view.step]")
    return found


# --- autoplay --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_autoplay(opened: Opened, size: tuple[int, int]) -> None:
    """The button and Space start and stop the autoplay, which goes on into the next frame and stops at the end."""
    with opened("plain.xml", "#frame=E1-0&step=28", size) as one:
        one.evaluate("SPEEDS.push(100)")
        one.click("#playing-switch")
        assert one.get_attribute("#playing-switch", "aria-pressed") == "true"
        until(one, "(setSpeed(view.index ? 8 : 100), view.frame.name === 'E2-0' && view.step > 2)")
        one.evaluate("document.activeElement.blur()")
        one.keyboard.press("Space")
        assert one.get_attribute("#playing-switch", "aria-pressed") == "false"
        place = moment(one)
        one.evaluate("setSpeed(100)")
        one.wait_for_timeout(60)
        assert moment(one) == place
        one.evaluate("view.go({index: 3, step: 9999})")
        one.evaluate("view.go({step: view.step - 2})")
        one.keyboard.press("Space")
        until(one, "!isPlaying()")
        assert moment(one) == ["E3-1", one.evaluate("view.frame.events.length")]
        one.evaluate("setSpeed(1)")
        one.keyboard.press("Space")
        assert moment(one)[0] == "E1-0"


def test_a_move_stops_the_autoplay(opened: Opened) -> None:
    """Any other move stops the autoplay; a display setting does not."""
    with opened("plain.xml") as one:
        one.evaluate("startPlaying()")
        one.keyboard.press("h")
        assert one.evaluate("isPlaying()")
        one.keyboard.press("ArrowDown")
        assert not one.evaluate("isPlaying()")


def test_speed(opened: Opened) -> None:
    """The speed is chosen from a list or by + and -, and remembered."""
    with opened("plain.xml") as one:
        assert one.input_value("#speed") == "2"
        one.select_option("#speed", "4")
        one.evaluate("document.activeElement.blur()")
        one.keyboard.press("+")
        one.keyboard.press("+")
        assert one.input_value("#speed") == "8"
        one.keyboard.press("-")
        one.reload()
        assert one.input_value("#speed") == "4"
        assert one.locator("#speed option").all_inner_texts() == ["1 step/s", "2 steps/s", "4 steps/s", "8 steps/s"]


def test_space_on_a_button(opened: Opened) -> None:
    """Space on a focused button presses it, as everywhere; keys in the list of speeds belong to the list."""
    with opened("plain.xml") as one:
        one.focus("#shanten-switch")
        one.keyboard.press("Space")
        assert one.get_attribute("#shanten-switch", "aria-pressed") == "true"
        assert not one.evaluate("isPlaying()")
        one.focus("#speed")
        one.keyboard.press("ArrowRight")
        assert moment(one) == ["E1-0", 0]


# --- clicks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_click_on_the_table(opened: Opened, size: tuple[int, int]) -> None:
    """A click on the table is the next step, a click on a plate the view from that seat."""
    with opened("plain.xml", "", size) as one:
        box = one.locator("#board").bounding_box()
        for step in (1, 2):
            one.mouse.click(box["x"] + box["width"] * 0.15, box["y"] + box["height"] * 0.15)
            until(one, f"view.step === {step}")
        one.click(".plate.top")
        assert moment(one) == ["E1-0", 2]
        assert one.evaluate("view.seat") == 2


def test_held_button(opened: Opened) -> None:
    """A held button repeats until it is let go, and its click is no further step; a short click is one step."""
    with opened("plain.xml") as one:
        box = one.locator("[data-move=next]").bounding_box()
        one.mouse.move(box["x"] + 9, box["y"] + 9)
        one.evaluate("addEventListener('pointerup', () => { window.stepThen = view.step; }, {capture: true})")
        one.mouse.down()
        until(one, "view.step >= 4")
        one.mouse.up()
        until(one, "window.stepThen")
        after = one.evaluate("stepThen")
        one.wait_for_timeout(250)
        assert moment(one)[1] == after
        one.click("[data-move=next]")
        assert moment(one)[1] == after + 1


# --- jumps -----------------------------------------------------------------------------------------------------------

JUMPS = {
    "n": ["E1-0", 10],
    "i": ["E1-0", 12],
    "v": ["E1-0", 30],
    "v v": ["E2-0", 17],
    "v v Shift+V": ["E1-0", 30],
    "c": ["E1-0", 9],
    "End Shift+I": ["E1-0", 12],
    "Shift+V": ["E1-0", 0],
}


def test_jumps(opened: Opened) -> None:
    """Keys jump to the next or previous riichi, call, tenpai and win of anybody, in other frames too."""
    with opened("plain.xml") as one:
        found = {}
        for keys in JUMPS:
            one.evaluate("view.go({index: 0, step: 0})")
            for key in keys.split():
                one.keyboard.press(key)
            found[keys] = moment(one)
        assert found == JUMPS


def test_jump_buttons(opened: Opened) -> None:
    """Each jump has a button too."""
    with opened("plain.xml") as one:
        for move, place in (("nextCall", 9), ("nextRiichi", 12), ("nextWin", 30)):
            one.click(f"[data-move={move}]")
            assert moment(one) == ["E1-0", place]


def test_ticks(opened: Opened) -> None:
    """The slider has a tick at each riichi, call, tenpai and win, and names the event in words."""
    with opened("plain.xml") as one:
        ticks = "all => all.map((one) => [one.getAttribute('class').split('tick-')[1], Number(one.getAttribute('x1'))])"
        found = one.eval_on_selector_all("#ticks line", ticks)
        assert {what for what, _ in found} == {"riichi", "call", "tenpai", "win"}
        assert ["riichi", 12] in found
        assert ["win", 30] in found
        one.evaluate("view.go({step: 12})")
        assert one.get_attribute("#slider", "aria-valuetext") == "12: Tsubaki: riichi"
        rail, slider = (one.locator(at).bounding_box() for at in ("#ticks", "#slider"))
        assert abs(rail["x"] + rail["width"] / 2 - slider["x"] - slider["width"] / 2) < 1


def test_closed_tenpai(opened: Opened) -> None:
    """With closed hands, nobody else's tenpai has a tick or is jumped to."""
    tenpai = "milestonesShown(view, view.frame).filter(({what}) => what === 'tenpai').map(({player}) => player)"
    with opened("plain.xml", "#frame=E1-0") as one:
        assert set(one.evaluate(tenpai)) > {0}
        one.keyboard.press("o")
        assert set(one.evaluate(tenpai)) <= {0}
