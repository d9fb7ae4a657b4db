"""The replay: its bounds; `test_played.py` has what events do to hands, points and sticks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from frames_in_play import play, start, turn

from jmjp_convert.errors import PlayError
from jmjp_convert.model import Ankan, DoraRevealed, Draw, Event, Rules
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.replay import replay


@pytest.mark.parametrize("dealt", [tuple(range(53, 65)), (UNKNOWN,) * 14])
def test_deal_of_another_number(dealt: tuple[int, ...]) -> None:
    """Exactly thirteen tiles are dealt, known or not."""
    with pytest.raises(PlayError, match=rf"^player 1 is dealt {len(dealt)} tiles; 13 expected$") as rejected:
        play(hands=((UNKNOWN,) * 13, dealt, *[(UNKNOWN,) * 13] * 2))
    assert rejected.value.index == -3


def test_any_sequence_of_events() -> None:
    """Events may be a tuple as well as a list; the index of an impossible one is its place, whatever follows."""
    events = [*turn(0, 40), *turn(1, 41)]
    assert vars(replay(start(), tuple(events), Rules())) == vars(replay(start(), events, Rules()))
    with pytest.raises(PlayError) as rejected:
        play(*turn(0, 40), Draw(2, 41), *turn(1, 42))
    assert rejected.value.index == 2


@pytest.mark.parametrize(("players", "draws"), [(4, 70), (3, 55)])
def test_last_tile(players: int, draws: int) -> None:
    """The wall has 70 draws (55 with three players); one more is rejected."""
    tiles = [tile for tile in range(136) if players == 4 or tile // 4 not in range(1, 8)]
    hands = tuple(tuple(tiles[13 * player : 13 * player + 13]) for player in range(players))
    wall, indicator = tiles[13 * players : -1], tiles[-1]
    turns = [event for place, tile in enumerate(wall) for event in turn(place % players, tile)]
    rules = Rules(players=players)
    table = start(hands, indicator=indicator)
    replay(table, turns[: 2 * draws], rules)
    with pytest.raises(PlayError, match=r"^more tiles drawn than the wall has$") as rejected:
        replay(table, turns[: 2 * draws + 1], rules)
    assert rejected.value.index == 2 * draws
    # An unrecorded indicator does not add a tile to draw.
    with pytest.raises(PlayError, match=r"^more tiles drawn than the wall has$"):
        replay(replace(table, indicator=None), turns[: 2 * draws + 2], rules)


def test_last_tile_with_more_indicators() -> None:
    """A kan does not reduce the 70 draws: its replacement tile is one of them."""
    tiles = list(range(136))
    hands = tuple(tuple(tiles[13 * player : 13 * player + 13]) for player in range(4))
    wall = [3, *tiles[52:121]] if 3 not in hands[0] else tiles[52:122]
    events: list[Event] = [Draw(0, wall[0]), Ankan(0, (0, 1, 2, 3)), DoraRevealed(134), *turn(0, wall[1])]
    events += [event for place, tile in enumerate(wall[2:70]) for event in turn((1 + place) % 4, tile)]
    table = start(hands, indicator=135)
    replay(table, events, Rules())
    with pytest.raises(PlayError, match=r"^more tiles drawn than the wall has$"):
        replay(table, [*events, Draw(1, 122)], Rules())
