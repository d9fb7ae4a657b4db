"""The replay in the page's script, in a real browser: after every event of every fixture it matches Python's replay."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browsing import FIXTURES, inputs, page, read

from jmjp_convert.formats.json.kinds import TILES
from jmjp_convert.formats.json.schema import MELD
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.json_text import encode
from jmjp_convert.model import Chi, Daiminkan, Frame, Kakan, Match, Pon, Rules, Win
from jmjp_convert.model.tiles import faces
from jmjp_convert.play.dora_indicators import with_indicators
from jmjp_convert.play.ponds import PondTable, Thrown
from jmjp_convert.view.page import view_page

STATES = """text => JSON.stringify(gather(JSON.parse(text)).frames.map(frame =>
  [...Array(frame.events.length + 1).keys()].map(step => {
  const {hands, drawn, ponds, melds, points, sticks, indicators, left} = replay(frame, step);
  return {hands, drawn, ponds, melds, points, sticks, indicators, left};
})))"""


@pytest.fixture(scope="module")
def program(running: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A page whose script is used."""
    file = tmp_path_factory.mktemp("page") / "plain.html"
    (match,) = read(FIXTURES / "valid" / "plain.xml")
    file.write_text(view_page(match), encoding="utf-8")
    with page(running, tab_of="kept") as opened:
        opened.goto(file.as_uri())
        yield opened


def test_every_step(program: Any) -> None:
    """Hands, ponds, melds, points, sticks, indicators and the number of tiles left match the Python replay."""
    steps = 0
    for path in inputs():
        for match in map(shown, read(path)):
            lines = ",".join(write_json(match).splitlines())
            found = json.loads(program.evaluate(STATES, f"[{lines}]"))
            for frame, states in zip(match.frames, found, strict=True):
                for step, (state, right) in enumerate(zip(states, wanted(frame, match.rules), strict=True)):
                    expect(state, right, f"{path.name} {frame.start.name} {step}")
                    steps += 1
    assert steps > 3000


def expect(state: dict[str, Any], right: dict[str, Any], where: str) -> None:
    """Compare *state* with *right*, ignoring the order of hands."""
    for hand in (*state["hands"], *right["hands"]):
        hand.sort(key=str)
    for name, value in right.items():
        assert state[name] == value, f"{where}: {name}"


def shown(match: Match) -> Match:
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
    face = faces(red_fives=table.rules.red_fives is not False)
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


def test_same_name_twice(program: Any) -> None:
    """A repeated frame name gets a number in links."""
    lines = [json.loads(text) for text in write_json(read(Path(FIXTURES / "valid" / "plain.xml"))[0]).splitlines()]
    first, *middle, last = lines
    names = program.evaluate("lines => gather(lines).frames.map(frame => frame.name)", [first, *middle, *middle, last])
    assert names == ["E1-0", "E2-0", "E3-0", "E3-1", "E1-0.2", "E2-0.2", "E3-0.2", "E3-1.2"]
