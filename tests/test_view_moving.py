"""Moving through a game: autoplay, held buttons, clicks on the table, jumps, ticks. A step changes only what differs,
and after every event the state is that of Python's replay."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from browsing import DESKTOP, FIXTURES, PHONE, Opened, Page, different_games, inputs, read, until
from playing import matches

from jmjp_convert.formats.json.kinds import TILES
from jmjp_convert.formats.json.schema import MELD
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.json_text import encode
from jmjp_convert.model import Chi, Daiminkan, Frame, Kakan, Match, Pon, Rules, Win
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import faces
from jmjp_convert.play.dora_indicators import with_indicators
from jmjp_convert.play.ponds import PondTable, Thrown


def moment(page: Any) -> list[Any]:
    """Return the frame and the step shown."""
    name_and_step: list[Any] = page.evaluate("[view.frame.name, view.step]")
    return name_and_step


# --- autoplay --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_autoplay(opened: Opened, size: tuple[int, int]) -> None:
    """The button and Space start and stop the autoplay, which goes on into the next frame and stops at the end."""
    with opened("plain.xml", "#frame=E1-0&step=28", size, fresh=True) as page:
        page.evaluate("SPEEDS.push(100)")
        page.click("#playing-switch")
        assert page.get_attribute("#playing-switch", "aria-pressed") == "true"
        until(page, "(setSpeed(view.index ? 8 : 100), view.frame.name === 'E2-0' && view.step > 2)")
        page.evaluate("document.activeElement.blur()")
        page.press("Space")
        assert page.get_attribute("#playing-switch", "aria-pressed") == "false"
        before = moment(page)
        page.evaluate("setSpeed(100)")
        page.wait_for_timeout(60)
        assert moment(page) == before
        page.evaluate("view.go({index: 3, step: 9999})")
        page.evaluate("view.go({step: view.step - 2})")
        page.press("Space")
        until(page, "!isPlaying()")
        assert moment(page) == ["E3-1", page.evaluate("view.frame.events.length")]
        page.evaluate("setSpeed(1)")
        page.press("Space")
        assert moment(page)[0] == "E1-0"


def test_speed(opened: Opened) -> None:
    """Any other move stops the autoplay; a display setting does not. The speed is chosen from a list or by + and -, and
    remembered."""
    with opened("plain.xml") as page:
        page.evaluate("startPlaying()")
        page.press("h")
        assert page.evaluate("isPlaying()")
        page.press("ArrowDown")
        assert not page.evaluate("isPlaying()")
        assert page.input_value("#speed") == "2"
        page.fill("#speed", "4")
        page.evaluate("document.activeElement.blur()")
        page.press("+", "+")
        assert page.input_value("#speed") == "8"
        page.press("-")
        page.reload()
        assert page.input_value("#speed") == "4"
        assert page.inner_texts("#speed option") == ["1 step/s", "2 steps/s", "4 steps/s", "8 steps/s"]


def test_space_on_a_button(opened: Opened) -> None:
    """Space on a focused button presses it, as everywhere; keys in the list of speeds belong to the list."""
    with opened("plain.xml") as page:
        page.focus("#shanten-switch")
        page.press("Space")
        assert page.get_attribute("#shanten-switch", "aria-pressed") == "true"
        assert not page.evaluate("isPlaying()")
        page.focus("#speed")
        page.press("ArrowRight")
        assert moment(page) == ["E1-0", 0]


# --- clicks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_click_on_the_table(opened: Opened, size: tuple[int, int]) -> None:
    """A click on the table is the next step, on its left third the previous one, on a plate the view from that seat."""
    with opened("plain.xml", "", size) as page:
        box = page.box("#board")
        for across, step in ((0.4, 1), (0.85, 2), (0.2, 1), (0.6, 2)):
            page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] * 0.15)
            until(page, f"view.step === {step}")
        page.click(".plate.top")
        assert moment(page) == ["E1-0", 2]
        assert page.evaluate("view.seat") == 2


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
            return [*moment(page)[1:], page.inner_text("#tip") if page.is_visible("#tip") else None]

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
        assert moment(page)[1] == 25
        tap("#own .tile")
        until(page, "byId('tip').hidden")
        tap("#board", 0.9, 700)
        page.wait_for_timeout(100)
        assert readout() == [25, None]


def test_held_button(opened: Opened) -> None:
    """A held button repeats until it is let go, and its click is no further step; a short click is one step."""
    with opened("plain.xml", fresh=True) as page:
        box = page.box("[data-move=next]")
        page.mouse.move(box["x"] + 9, box["y"] + 9)
        page.evaluate("addEventListener('pointerup', () => { window.stepThen = view.step; }, {capture: true})")
        page.mouse.down()
        until(page, "view.step >= 4")
        page.mouse.up()
        until(page, "window.stepThen")
        after = page.evaluate("stepThen")
        page.wait_for_timeout(250)
        assert moment(page)[1] == after
        page.click("[data-move=next]")
        assert moment(page)[1] == after + 1


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
    """Keys jump to the next or previous riichi, call, tenpai and win of anybody, in other frames too, and buttons to
    the next."""
    with opened("plain.xml") as page:
        moments = {}
        for keys in JUMPS:
            page.evaluate("view.go({index: 0, step: 0})")
            for key in keys.split():
                page.press(key)
            moments[keys] = moment(page)
        assert moments == JUMPS
        page.evaluate("view.go({index: 0, step: 0})")
        for move, step in (("nextCall", 9), ("nextRiichi", 12), ("nextWin", 30)):
            page.click(f"[data-move={move}]")
            assert moment(page) == ["E1-0", step]


def test_ticks(opened: Opened) -> None:
    """The slider has a tick at each riichi, call, tenpai and win, and names the event in words."""
    with opened("plain.xml") as page:
        ticks = "[one.getAttribute('class').split('tick-')[1], Number(one.getAttribute('x1'))]"
        listed = page.each("#ticks line", ticks)
        assert {what for what, _ in listed} == {"riichi", "call", "tenpai", "win"}
        assert ["riichi", 12] in listed
        assert ["win", 30] in listed
        page.evaluate("view.go({step: 12})")
        assert page.get_attribute("#slider", "aria-valuetext") == "12: Tsubaki: riichi"
        rail, slider = (page.box(at) for at in ("#ticks", "#slider"))
        assert abs(rail["x"] + rail["width"] / 2 - slider["x"] - slider["width"] / 2) < 1


def test_closed_tenpai(opened: Opened) -> None:
    """With closed hands, nobody else's tenpai has a tick or is jumped to."""
    tenpai = "milestonesShown(view, view.frame).filter(({what}) => what === 'tenpai').map(({player}) => player)"
    with opened("plain.xml", "#frame=E1-0") as page:
        assert set(page.evaluate(tenpai)) > {0}
        page.press("o")
        assert set(page.evaluate(tenpai)) <= {0}


GAME = "--seed 1 --games 1 --rules 9"
WALK = """
  const walk = (count, before = () => {}) => {
    for (let at = 0; at < count; at += 1) {
      before();
      jmjp.view.go({index: 1, step: at});
      document.body.offsetHeight;
    }
  };
  const forget = () => {
    for (const id of ["board", "own", "scores", "curve", "result", "keys", "legend"]) {
      byId(id).replaceChildren();
      drawnFor.delete(byId(id));
    }
    drawnFor.delete(document.documentElement);
    [table.places, table.calls, centre.plates] = [[], null, []];
  };"""
COUNT = f"""(count) => {{{WALK}
  const counts = [];
  let made = 0;
  for (const name of ["createElement", "createElementNS"]) {{
    const make = document[name].bind(document);
    document[name] = (...given) => {{ made += 1; return make(...given); }};
  }}
  walk(count, () => {{ counts.push(made); made = 0; }});
  forget();
  made = 0;
  jmjp.view.go({{}});
  return [counts.slice(2), made];
}}"""
CHANGES = f"""(count) => {{{WALK}
  walk(1);
  const observer = new MutationObserver(() => {{}});
  observer.observe(document, {{subtree: true, childList: true, attributes: true, characterData: true}});
  walk(count);
  return observer.takeRecords().length;
}}"""


def test_cost_of_a_step(opened: Opened) -> None:
    """A step makes a tile or two and changes about ten nodes and attributes, since browsers style and lay out again
    what changes; drawing the page from nothing makes hundreds of elements."""
    with opened(next(matches(GAME))) as page:
        assert 60 <= page.evaluate(CHANGES, 60) <= 60 * 15
        counts, whole = page.evaluate(COUNT, 60)
        assert len(counts) == 58
        assert median(counts) <= 8
        assert max(counts) <= 30
        assert whole > 400


STATES = """text => JSON.stringify(gather(JSON.parse(text)).frames.map(frame =>
  [...Array(frame.events.length + 1).keys()].map(step => {
  const {hands, drawn, ponds, melds, points, sticks, indicators, left} = replay(frame, step);
  return {hands, drawn, ponds, melds, points, sticks, indicators, left};
})))"""


def test_every_step(program: Page) -> None:
    """Hands, ponds, melds, points, sticks, indicators and the number of tiles left match the Python replay."""
    steps = 0
    for where, match in different_games():
        known = with_known_ends(match)
        states_of_frames = json.loads(program.evaluate(STATES, f"[{','.join(write_json(known).splitlines())}]"))
        for frame, states in zip(known.frames, states_of_frames, strict=True):
            for step, (state, right) in enumerate(zip(states, wanted(frame, match.rules), strict=True)):
                expect(state, right, f"{where} {frame.start.name} {step}")
                steps += 1
    assert steps > 3000


def expect(state: dict[str, Any], right: dict[str, Any], where: str) -> None:
    """Compare *state* with *right*, ignoring the order of hands."""
    for hand in (*state["hands"], *right["hands"]):
        hand.sort(key=str)
    for name, value in right.items():
        assert state[name] == value, f"{where}: {name}"


def with_known_ends(match: Match) -> Match:
    """Return *match* with the dora indicators that are shown."""
    return replace(match, frames=tuple(with_indicators(frame, match.rules) for frame in match.frames))


def wanted(frame: Frame, rules: Rules) -> Iterator[dict[str, Any]]:
    """Yield the Python replay's state of *frame* before each event and after the last."""
    if not frame.start.hands:
        points = frame.start.points and list(frame.start.points)
        yield from [{"hands": [], "points": points}] * (len(frame.events) + 1)
        return
    table = PondTable(frame.start, rules)
    yield state(table)
    for event in frame.events:
        table.play(event)
        yield state(table)


def state(table: PondTable) -> dict[str, Any]:
    """Return the state of *table* as the page has it."""
    face = faces(table.rules.red_fives)
    hands = table.end().hands
    return {
        "hands": [[TILES[tile] for tile in hand.tiles] for hand in hands],
        "drawn": [None if hand.drawn is None else TILES[hand.drawn] for hand in hands],
        "melds": [[json.loads(encode(MELD.write(meld))) for meld in hand.melds] for hand in hands],
        "points": None if table.points is None else list(table.points),
        "sticks": table.sticks,
        "indicators": [TILES[tile] for tile in table.indicators],
        "left": table.left,
        "ponds": [[in_pond(thrown, face) for thrown in pond] for pond in table.ponds],
    }


def in_pond(thrown: Thrown, face: tuple[str, ...]) -> dict[str, Any]:
    """Return a tile in a pond as the page has it."""
    tile = TILES[thrown.tile]
    return {"tile": tile, "manner": manner(thrown, face), "riichi": thrown.riichi, "taken": thrown.taken}


def manner(thrown: Thrown, face: tuple[str, ...]) -> str:
    """Return how a tile was discarded."""
    if thrown.tsumogiri is not False:
        return "unknown" if thrown.tsumogiri is None else "drawn"
    alike = thrown.drawn is not None and face[thrown.tile] == face[thrown.drawn]
    return "karagiri" if alike else "hand"


def test_fixtures_have_all() -> None:
    """The fixtures cover robbed kans, three players and every open meld."""
    frames = [frame for path in inputs() for match in read(path) for frame in match.frames]
    events = [event for frame in frames for event in frame.events]
    assert {Chi, Pon, Daiminkan, Kakan, Win} <= set(map(type, events))
    assert any(path.stem == "robbed-kakan" for path in inputs())
    assert any(len(frame.start.hands) == 3 for frame in frames)


def test_same_name_twice(program: Page) -> None:
    """A repeated frame name gets a number in links."""
    lines = [json.loads(text) for text in write_json(read(Path(FIXTURES / "valid" / "plain.xml"))[0]).splitlines()]
    first, *middle, last = lines
    names = program.evaluate("lines => gather(lines).frames.map(frame => frame.name)", [first, *middle, *middle, last])
    assert names == ["E1-0", "E2-0", "E3-0", "E3-1", "E1-0.2", "E2-0.2", "E3-0.2", "E3-1.2"]
