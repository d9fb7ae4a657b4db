"""Properties of every frame, whatever is played."""

from __future__ import annotations

from functools import cache
from random import Random

from effort import many
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import LINES, matches

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Discard, Frame, Hand, Kita, Rules
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import PHYSICAL
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.table import replay


@cache
def frames() -> list[tuple[Frame, Rules]]:
    """Return the frames of games of every sort, with their rules."""
    return [(frame, match.rules) for line in LINES for match in matches(line) for frame in match.frames]


def held(hand: Hand) -> list[int]:
    """Return the tiles of *hand* and its melds, without one that it wins on."""
    return [*hand.tiles, *(tile for meld in hand.melds for tile in tiles_of(meld))]


def test_points_add_up() -> None:
    """In every frame, the total of points and sticks stays the same."""
    for frame, rules in frames():
        outcome = replay(frame.start, frame.events, rules)
        assert frame.start.points is not None
        assert frame.start.sticks is not None
        assert outcome.points is not None
        assert outcome.sticks is not None
        assert sum(outcome.points) + 1000 * outcome.sticks == sum(frame.start.points) + 1000 * frame.start.sticks


def test_tiles_are_kept() -> None:
    """In every frame, a hand has thirteen tiles, counting three per meld, and no tile is in two places."""
    for frame, rules in frames():
        hands = replay(frame.start, frame.events, rules).end().hands
        melds = [sum(not isinstance(meld, Kita) for meld in hand.melds) for hand in hands]
        assert [len(hand.tiles) + 3 * number for hand, number in zip(hands, melds, strict=True)] == [13] * rules.players
        tiles = [tile for hand in hands for tile in held(hand)]
        assert len(tiles) == len(set(tiles))


chances = st.integers(0, 1 << 32).map(Random)


@settings(max_examples=many(60))
@given(chances)
def test_a_frame_may_stop_anywhere(chance: Random) -> None:
    """A frame that stops early is replayed up to where it ends, without points."""
    frame, rules = chance.choice(frames())
    end = chance.randrange(frame.events.index(frame.endings[0]) + 1)
    assert replay(frame.start, frame.events[:end], rules).end().points is None


@settings(max_examples=many(100))
@given(chances)
def test_another_tile_is_rejected(chance: Random) -> None:
    """A frame with the tile of one discard exchanged is rejected, unless the player keeps the one for the other."""
    frame, rules = chance.choice(frames())
    place = chance.choice([place for place, event in enumerate(frame.events) if isinstance(event, Discard)] or [0])
    event = frame.events[place]
    tile = chance.randrange(PHYSICAL)
    if not isinstance(event, Discard) or event.tile == tile:
        return
    other = replace(event, tile=tile, tsumogiri=None)
    try:
        outcome = replay(frame.start, [*frame.events[:place], other, *frame.events[place + 1 :]], rules)
    except PlayError:
        return
    kept = held(outcome.end().hands[event.player])
    assert event.tile in kept
    assert tile not in kept
