"""The play in the page, in a real browser: after every event of every fixture, it is what the replay says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browsing import FIXTURES, browser, inputs, page, read

from jmjp_convert.formats.indicators import with_indicators
from jmjp_convert.formats.json.scalars import TILES
from jmjp_convert.formats.json.schema import MELD
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.safe_json import encode
from jmjp_convert.model import Chi, Daiminkan, Discard, Draw, Frame, Kakan, Match, Pon, RiichiDeclared, Rules, Win
from jmjp_convert.model.tiles import UNKNOWN, any_copy_of, either_copy_of, faces
from jmjp_convert.play import replay as replaying
from jmjp_convert.play.replay import replay
from jmjp_convert.play.table import Table
from jmjp_convert.view.page import view_page

STATES = """text => JSON.stringify(gather(JSON.parse(text)).frames.map(frame =>
  [...Array(frame.events.length + 1).keys()].map(step => {
  const {hands, drawn, ponds, melds, points, sticks, indicators, left} = replay(frame, step);
  return {hands, drawn, ponds, melds, points, sticks, indicators, left};
})))"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A page, of which the program is used."""
    file = tmp_path_factory.mktemp("page") / "plain.html"
    (match,) = read(FIXTURES / "valid" / "plain.xml")
    file.write_text(view_page(match), encoding="utf-8")
    with browser() as running, page(running) as opened:
        opened.goto(file.as_uri())
        yield opened


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> list[Table]:
    """The tables of all replays."""
    made: list[Table] = []

    class Kept(Table):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            made.append(self)

    monkeypatch.setattr(replaying, "Table", Kept)
    return made


def test_every_step(program: Any, tables: list[Table]) -> None:
    """Hands, ponds, melds, points, sticks, indicators and the number of tiles left are those of the replay."""
    steps = 0
    for path in inputs():
        for match in map(shown, read(path)):
            lines = ",".join(write_json(match).splitlines())
            found = json.loads(program.evaluate(STATES, f"[{lines}]"))
            for frame, states in zip(match.frames, found, strict=True):
                assert len(states) == len(frame.events) + 1
                for step, state in enumerate(states):
                    expect(state, wanted(frame, step, match.rules, tables), f"{path.name} {frame.start.name} {step}")
                    steps += 1
    assert steps > 3000


def expect(state: dict[str, Any], right: dict[str, Any], where: str) -> None:
    """Check *state*; hands are compared whatever their order."""
    for hand in (*state["hands"], *right["hands"]):
        hand.sort(key=str)
    for name, value in right.items():
        assert state[name] == value, f"{where}: {name}"


def shown(match: Match) -> Match:
    """Return *match* with the indicators that are shown."""
    return replace(match, frames=tuple(with_indicators(frame, match.rules) for frame in match.frames))


def wanted(frame: Frame, step: int, rules: Rules, tables: list[Table]) -> dict[str, Any]:
    """Return what the replay says of *frame* after *step* events."""
    events = frame.events[:step]
    start = frame.start
    if not start.hands:
        return {"hands": [], "points": start.points and list(start.points)}
    end = replay(start, events, rules).end
    table = tables.pop()
    drawn = sum(isinstance(event, Draw) for event in events) + (start.fourteenth is not None)
    return {
        "hands": [[TILES[tile] for tile in hand.tiles] for hand in end.hands],
        "drawn": [None if hand.drawn is None else TILES[hand.drawn] for hand in end.hands],
        "melds": [[json.loads(encode(MELD.write(meld))) for meld in hand.melds] for hand in end.hands],
        "points": None if table.points is None else list(table.points),
        "sticks": table.sticks,
        "indicators": [TILES[tile] for tile in table.indicators],
        "left": {4: 70, 3: 55}[rules.players] - drawn,
        "ponds": ponds(frame, step, rules),
    }


def ponds(frame: Frame, step: int, rules: Rules) -> list[list[dict[str, Any]]]:
    """Return the ponds after *step* events, as the events themselves tell."""
    face = faces(red_fives=rules.red_fives is not False)
    found: list[list[dict[str, Any]]] = [[] for _ in range(rules.players)]
    drawn: int | None = frame.start.fourteenth
    riichi = False
    for event in frame.events[:step]:
        if isinstance(event, Draw):
            drawn = event.tile
        elif isinstance(event, RiichiDeclared):
            riichi = True
        elif isinstance(event, Discard):
            tile = any_copy_of(event.tile)
            thrown = {"tile": TILES[tile], "manner": manner(event.tile, drawn, face), "riichi": riichi, "taken": None}
            found[event.player].append(thrown)
            riichi, drawn = False, None
        elif isinstance(event, Chi | Pon | Daiminkan):
            found[event.source][-1]["taken"] = event.player
            drawn = None
    return found


def manner(tile: int, drawn: int | None, face: tuple[str, ...]) -> str:
    """Return how *tile* is discarded after *drawn*."""
    if drawn is None:
        return "hand"
    assert UNKNOWN not in (tile, drawn) or tile == drawn
    if tile == drawn:
        return "drawn"
    if tile == either_copy_of(drawn):
        return "unknown"
    return "karagiri" if face[any_copy_of(tile)] == face[drawn] else "hand"


def test_fixtures_have_all() -> None:
    """Among the fixtures are all that the page has to tell apart: robbed kans, three players, karagiri, every meld."""
    frames = [frame for path in inputs() for match in read(path) for frame in match.frames]
    events = [event for frame in frames for event in frame.events]
    assert {Chi, Pon, Daiminkan, Kakan, Win} <= set(map(type, events))
    assert any(path.stem == "robbed-kakan" for path in inputs())
    assert any(len(frame.start.hands) == 3 for frame in frames)


def test_same_name_twice(program: Any) -> None:
    """A frame whose name comes again has a number in links."""
    lines = [json.loads(text) for text in write_json(read(Path(FIXTURES / "valid" / "plain.xml"))[0]).splitlines()]
    first, *middle, last = lines
    names = program.evaluate("lines => gather(lines).frames.map(frame => frame.name)", [first, *middle, *middle, last])
    assert names == ["E1-0", "E2-0", "E3-0", "E3-1", "E1-0.2", "E2-0.2", "E3-0.2", "E3-1.2"]
