"""Steps through a game: one changes only what differs, and the state after every event is that of Python's replay."""

from __future__ import annotations

import json
from collections.abc import Iterator
from statistics import median
from typing import Any

from browsing import Opened, Page, different_games, inputs, read, script
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

GAME = "--seed 1 --games 1 --rules 9"
WALK = script("walk.js")
COUNT = f"(count) => {{ {WALK} {script('elements-made.js')} }}"
CHANGES = f"(count) => {{ {WALK} {script('changes-made.js')} }}"


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


STATES = script("states.js")


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
