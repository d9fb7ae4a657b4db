"""What a dialect holds of a match: cases in ``fixtures/written/held.txt``, and here what all dialects have in common.

`test_round_trip.py` tests that it is what reads back.
"""

from __future__ import annotations

from expected import expecting
from test_round_trip import FULL, each_way

from jmjp_convert.convert import Writing, written
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import (
    Match,
    Player,
    RiichiAccepted,
    Rules,
    Text,
)
from jmjp_convert.model.record import replace

held = expecting("jmjp")


EMPTY = Match(Rules(red_fives=None), (Player(),) * 4, ())


@each_way
def test_nothing(spec: str, *, compact: bool) -> None:
    """An empty match is held in full."""
    assert held(EMPTY, spec=spec, compact=compact) == EMPTY


@each_way
def test_surrogate(spec: str, *, compact: bool) -> None:
    """A lone surrogate is replaced, so that the text can be encoded."""
    match = replace(EMPTY, place=Text("a\ud800"))
    assert held(match, spec=spec, compact=compact) == replace(EMPTY, place=Text("a\ufffd"))
    written([match], Writing(spec=spec, compact=compact), print)


@each_way
def test_empty_texts(spec: str, *, compact: bool) -> None:
    """A text in neither script is held as no text."""
    match = replace(EMPTY, place=Text(), players=(Player(team=Text(), affiliation=Text()), *EMPTY.players[1:]))
    assert held(match, spec=spec, compact=compact) == EMPTY


@each_way
def test_shared_objects(spec: str, *, compact: bool) -> None:
    """Accepted riichi are the same objects as those read back, so that comparing them takes no time."""
    (found,) = read_jmjp(write_jmjp([FULL], spec=spec, compact=compact).encode())
    alike = [
        (event, other)
        for frame, back in zip(held(FULL, spec=spec, compact=compact).frames, found.frames, strict=True)
        for event, other in zip(frame.events, back.events, strict=True)
        if isinstance(event, RiichiAccepted)
    ]
    assert alike
    assert all(event is other for event, other in alike)
