"""The table as a player sees it: all that is in view, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from playing import LINES, NORMAL, matches

from jmjp_convert.model import Discard, Draw, Event, Frame, Match, Rules, Start
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import COPIES, IDS, KINDS, PHYSICAL, exists, kind
from jmjp_convert.play.melds import tiles_of
from jmjp_convert.play.ponds import PondTable, Seen
from jmjp_convert.table import walk


def tiles_in(value: Seen) -> Iterator[int]:
    """Yield the tiles that a view shows."""
    yield from value.hand
    yield from value.indicators
    if value.drawn is not None:
        yield value.drawn
    for pond in value.ponds:
        yield from (discard.tile for discard in pond)
    for melds in value.melds:
        for meld in melds:
            yield from tiles_of(meld)


def table_after(start: Start, events: Sequence[Event], rules: Rules) -> PondTable:
    """Return the table after *events*."""
    table = PondTable(start, rules)
    for event in events:
        table.play(event)
    return table


def positions(line: str) -> Iterator[tuple[Match, Frame, list[Event], int]]:
    """Yield positions of games, each with its match, frame, the events before it, and one of the players."""
    chance = Random(1)  # noqa: S311 - the same positions every time
    for match in matches(line):
        for frame in match.frames:
            place = chance.randrange(len(frame.events) - len(frame.endings))
            yield match, frame, list(frame.events[:place]), chance.randrange(match.rules.players)


@pytest.mark.parametrize("line", LINES)
def test_nothing_hidden_is_seen(line: str) -> None:
    """Two tables that differ only in tiles that a player has not seen look the same to that player."""
    chance = Random(1)  # noqa: S311 - the same tiles every time
    for match, frame, events, player in positions(line):
        view = table_after(frame.start, events, match.rules).seen_by(player)
        shown = set(tiles_in(view))
        tiles = [tile for tile in range(PHYSICAL) if exists(tile // COPIES, match.rules.players)]
        one, other = chance.sample([tile for tile in tiles if tile not in shown], 2)
        swap = list(range(IDS))
        swap[one], swap[other] = other, one
        hands = tuple(tuple(swap[tile] for tile in hand) for hand in frame.start.hands)
        mirrored = [
            replace(event, tile=swap[event.tile]) if isinstance(event, Draw | Discard) else event for event in events
        ]
        mirror = table_after(replace(frame.start, hands=hands), mirrored, match.rules)
        assert mirror.seen_by(player) == view
        assert mirror.legal(player) == table_after(frame.start, events, match.rules).legal(player)


@pytest.mark.parametrize("line", LINES)
def test_every_tile_in_view_is_counted(line: str) -> None:
    """The copies not seen of each kind are four, less those in view."""
    for match, frame, events, player in positions(line):
        view = table_after(frame.start, events, match.rules).seen_by(player)
        shown = [kind(tile) for tile in set(tiles_in(view))]
        for number in range(KINDS):
            copies = COPIES if exists(number, match.rules.players) else 0
            assert view.unseen[number] == copies - shown.count(number)


def test_view_does_not_move_on() -> None:
    """A view keeps what was seen when it was taken, unlike the table."""
    (match, *_) = matches(NORMAL)
    views = [(table.seen_by(0), table.left) for table, _ in walk(match, match.frames[0])]
    assert [view.left for view, _ in views] == [left for _, left in views]
    assert len({view.left for view, _ in views}) > 1


def test_own_draw_only() -> None:
    """A player sees the tile just drawn by themselves, and of the others only whose turn it is."""
    (match, *_) = matches(NORMAL)
    for table, _ in walk(match, match.frames[0]):
        for player in range(match.rules.players):
            view = table.seen_by(player)
            assert view.drawn == (table.drawn if table.turn == player else None)
            assert view.turn == table.turn
