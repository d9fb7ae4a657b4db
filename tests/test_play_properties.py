"""Properties of every frame, whatever is played."""

from __future__ import annotations

import random
from collections import Counter

from effort import many
from frames_in_play import tiles
from hypothesis import given, settings
from hypothesis import strategies as st

from jmjp_convert.errors import PlayError
from jmjp_convert.model import (
    Discard,
    Draw,
    DrawKind,
    Event,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.play.table import replay


class Random:
    """A random frame: players draw and discard, call when possible and sometimes declare riichi."""

    def __init__(self, seed: int, players: int) -> None:
        self.dice = random.Random(seed)  # noqa: S311 - no secret
        self.players = players
        wall = [tile for tile in range(136) if players == 4 or tile // 4 not in range(1, 8)]
        self.dice.shuffle(wall)
        self.hands = [[wall.pop() for _ in range(13)] for _ in range(players)]
        self.start = Start(0, 0, 2, 0, None, (25000,) * players, tuple(map(tuple, self.hands)), wall.pop(), None, None)
        self.wall = wall
        self.points = [25000] * players
        self.sticks = 2
        self.open: set[int] = set()
        self.locked: set[int] = set()
        self.melds = Counter[int]()
        self.events: list[Event] = []
        self.last = -1
        self.play(self.dice.randrange(4, 14 * players))
        self.end()

    def play(self, turns: int) -> None:
        """Play up to *turns* turns."""
        player = 0
        for _ in range(turns):
            tile = self.wall.pop()
            self.hands[player].append(tile)
            self.events.append(Draw(player, tile))
            self.discard(player, tile)
            player = self.call(player)

    def discard(self, player: int, drawn: int) -> None:
        """Discard a tile, perhaps with riichi."""
        declares = player not in self.open | self.locked and self.dice.random() < 0.1
        if declares:
            self.events.append(RiichiDeclared(player))
        tile = drawn if player in self.locked else self.dice.choice(self.hands[player])
        self.throw(player, tile)
        if declares:
            self.locked.add(player)
            self.points[player] -= 1000
            self.sticks += 1
            self.events.append(RiichiAccepted(player, tuple(self.points)))

    def throw(self, player: int, tile: int) -> None:
        """Discard *tile*."""
        self.hands[player].remove(tile)
        self.events.append(Discard(player, tile))
        self.last = tile

    def call(self, source: int) -> int:
        """Return the player to draw next, possibly after a pon."""
        for player in set(range(self.players)) - {source} - self.locked:
            held = sorted(tile for tile in self.hands[player] if tile // 4 == self.last // 4)
            if len(held) > 1:
                self.events.append(Pon(player, self.last, (held[0], held[1]), source))
                self.hands[player] = [tile for tile in self.hands[player] if tile not in held[:2]]
                self.open.add(player)
                self.melds[player] += 1
                self.throw(player, self.dice.choice(self.hands[player]))
                return (player + 1) % self.players
        return (source + 1) % self.players

    def end(self) -> None:
        """End the frame with a ron or a draw."""
        thrower = next(event.player for event in reversed(self.events) if isinstance(event, Discard))
        changes = [0] * self.players
        amount, winner = self.dice.randrange(1000, 48000, 100), (thrower + 1) % self.players
        changes[thrower] -= amount
        changes[winner] += amount
        before = tuple(self.points)
        if self.dice.random() < 0.5 and type(self.events[-1]) is not RiichiAccepted:
            changes[winner] += 1000 * self.sticks
            self.events.append(Win(winner, thrower, self.last, None, (), (), self.sticks, before, tuple(changes)))
            self.sticks = 0
        else:
            self.events.append(Ryuukyoku(DrawKind.EXHAUSTIVE, None, self.sticks, before, tuple(changes)))


@settings(max_examples=many(75))
@given(st.integers(0, 1 << 32), st.sampled_from([4, 3]))
def test_points_add_up(seed: int, players: int) -> None:
    """In every frame, the total of points and sticks stays the same."""
    frame = Random(seed, players)
    outcome = replay(frame.start, frame.events, Rules(players=players))
    assert outcome.points is not None
    assert outcome.sticks is not None
    assert sum(outcome.points) + 1000 * outcome.sticks == 25000 * players + 2000
    assert outcome.sticks == frame.sticks


@settings(max_examples=many(75))
@given(st.integers(0, 1 << 32), st.sampled_from([4, 3]))
def test_tiles_are_kept(seed: int, players: int) -> None:
    """In every frame, a hand has thirteen tiles, counting three per meld, and no tile is in two places."""
    frame = Random(seed, players)
    hands = replay(frame.start, frame.events, Rules(players=players)).end().hands
    assert [len(hand.tiles) + 3 * len(hand.melds) for hand in hands] == [13] * players
    assert [list(hand.tiles) for hand in hands] == [sorted(hand) for hand in frame.hands]
    assert [len(hand.melds) for hand in hands] == [frame.melds[player] for player in range(players)]
    lying = [tile for hand in hands for tile in (*hand.tiles, *(tile for meld in hand.melds for tile in tiles(meld)))]
    assert len(lying) == len(set(lying))


@settings(max_examples=many(60))
@given(st.integers(0, 1 << 32), st.integers(0, 200))
def test_a_frame_may_stop_anywhere(seed: int, length: int) -> None:
    """A frame that stops early is replayed up to where it ends, without points."""
    frame = Random(seed, 4)
    outcome = replay(frame.start, frame.events[: min(length, len(frame.events) - 1)], Rules())
    assert outcome.end().points is None


@given(st.integers(0, 1 << 32), st.integers(0, 200), st.integers(0, 135))
def test_another_tile_is_rejected(seed: int, place: int, tile: int) -> None:
    """A frame with the tile of one draw or discard exchanged is rejected, unless only the draw was exchanged."""
    frame = Random(seed, 4)
    place %= len(frame.events)
    event = frame.events[place]
    if not isinstance(event, Discard) or event.tile == tile:
        return
    changed = [*frame.events[:place], replace(event, tile=tile), *frame.events[place + 1 :]]
    try:
        outcome = replay(frame.start, changed, Rules())
    except PlayError:
        return
    hand = outcome.end().hands[event.player]
    held = (*hand.tiles, *(tile for meld in hand.melds for tile in tiles(meld)))
    assert event.tile in held
    assert tile not in held
