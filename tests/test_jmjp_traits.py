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
    Shuffle,
    Text,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import PHYSICAL

held = expecting("jmjp")


EMPTY = Match(Rules(red_fives=None), (Player(),) * 4, ())


@each_way
def test_nothing(spec: str, *, compact: bool) -> None:
    """An empty match is held in full."""
    assert held(EMPTY, spec=spec, compact=compact) == EMPTY


@each_way
def test_compact_holds_no_more(spec: str, *, compact: bool) -> None:
    """No dialect holds more than 1.0-beta in the same layout."""
    most = held(FULL, spec="1.0-beta", compact=compact)
    assert held(most, spec=spec, compact=compact) == held(FULL, spec=spec, compact=compact)


@each_way
def test_no_copies(spec: str, *, compact: bool) -> None:
    """Only the face of a tile is held."""
    for frame in held(FULL, spec=spec, compact=compact).frames:
        tiles = [tile for hand in frame.start.hands for tile in hand]
        tiles += [tile for hand in frame.end.hands for tile in hand.tiles]
        assert min(tiles) >= PHYSICAL


@each_way
def test_order_of_hands(spec: str, *, compact: bool) -> None:
    """Hands are held in ascending order."""
    for frame in held(FULL, spec=spec, compact=compact).frames:
        assert all(list(hand) == sorted(hand) for hand in frame.start.hands)


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


def test_seed() -> None:
    """The form of the walls' seed is held, the seed itself never."""
    assert FULL.shuffle is not None
    assert held(FULL, spec="1.0", compact=False).shuffle == Shuffle(FULL.shuffle.form)


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
