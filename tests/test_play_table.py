"""A table in play, and the replay of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import effort
import pytest
from frames import frames, real_frames
from frames_in_play import play, start, turn
from hypothesis import given, settings
from hypothesis import strategies as st

from jmjp_convert.errors import PlayError
from jmjp_convert.model import (
    Ankan,
    Discard,
    DoraRevealed,
    Draw,
    End,
    Event,
    Frame,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Start,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.effects import expect_wall
from jmjp_convert.play.ponds import Thrown
from jmjp_convert.play.table import Table, replay
from jmjp_convert.table import walk


def state(table: Table) -> tuple[object, ...]:
    """Return all that *table* shows, by name."""
    names = [name for name in dir(table) if not name.startswith("_")]
    return tuple([(name, value) for name in names if not callable(value := getattr(table, name))])


def whole(start: Start, events: Sequence[Event], rules: Rules) -> tuple[object, ...]:
    """Return the result of playing *events* at once."""
    try:
        return state(replay(start, events, rules))
    except PlayError as error:
        return type(error), str(error), error.index


def stepwise(start: Start, events: Sequence[Event], rules: Rules) -> tuple[object, ...]:
    """Return the result of playing *events* one by one, in the form of :func:`whole`."""
    index = -1
    try:
        table = Table(start, rules)
        for index, event in enumerate(events):  # noqa: B007 - an error has the index of the last
            table.play(event)
        expect_wall(table)
    except PlayError as error:
        return type(error), str(error), max(index, error.index) if index >= 0 else error.index
    return state(table)


def changed(events: Sequence[Event], chance: Random) -> list[Event]:
    """Return *events* with one of them left out, doubled, moved, or replaced by a similar one."""
    found = list(events)
    place = chance.randrange(len(found))
    event = found[place]
    match chance.randrange(5):
        case 0:
            del found[place]
        case 1:
            found.insert(chance.randrange(len(found)), event)
        case 2:
            found[place] = chance.choice(found)
        case 3 if isinstance(event, Draw | Discard | RiichiDeclared | RiichiAccepted | Win):
            found[place] = replace(event, player=(event.player + 1) % 3)
        case _ if isinstance(event, Draw | Discard):
            found[place] = replace(
                event, tile=chance.choice([one.tile for one in found if isinstance(one, Draw | Discard)])
            )
    return found


def test_stepwise() -> None:
    """Frames of every sort have the same outcome played event by event or at once."""
    for frame, rules in [*frames(), *real_frames()]:
        assert stepwise(frame.start, frame.events, rules) == whole(frame.start, frame.events, rules)


@settings(max_examples=effort.many(1250))
@given(st.integers(0, 1 << 32))
def test_stepwise_errors(seed: int) -> None:
    """An impossible frame is rejected with the same message at the same event, played event by event or at once."""
    chance = Random(seed)  # noqa: S311 - no secret
    frame, rules = chance.choice(frames())
    events = changed(frame.events, chance) if frame.events else [Draw(1, 0)]
    assert stepwise(frame.start, events, rules) == whole(frame.start, events, rules)


# --- the state in between --------------------------------------------------------------------------------------------

DEALT = tuple(tuple(range(player, 52, 4)) for player in range(4))
"""One tile of each kind from 1m to 4p for every player."""

START = Start(0, 0, 0, 0, None, (25000,) * 4, DEALT, 135)


def frame_of(*events: Event, start: Start = START) -> Frame:
    """Return a frame with *events*."""
    return Frame(start, events, End((), None), None)


def test_before_each_event() -> None:
    """A frame yields each event with the table before it; at the end, the table shows the final state."""
    seen = []
    frame = frame_of(Draw(0, 60), Discard(0, 0), Draw(1, 61), Discard(1, 61, tsumogiri=True))
    for table, event in walk(Rules(), frame):
        seen.append((event, table.turn, table.drawn, 0 in table.hands[0]))
    assert seen == [
        (Draw(0, 60), 0, None, True),
        (Discard(0, 0), 0, 60, True),
        (Draw(1, 61), 1, None, False),
        (Discard(1, 61, tsumogiri=True), 1, 61, False),
    ]
    assert (table.turn, table.drawn, table.left) == (2, None, 68)


def test_error_of_a_frame() -> None:
    """An impossible frame is yielded up to the impossible event, and the error has its index."""
    given = []
    with pytest.raises(PlayError, match=r"^player 2 draws, but it is player 1's turn$") as rejected:
        given += [
            event
            for _, event in walk(
                Rules(), frame_of(Draw(0, 60), Discard(0, 60, tsumogiri=True), Draw(2, 61), Draw(2, 62))
            )
        ]
    assert rejected.value.index == 2


def test_too_many_drawn() -> None:
    """Too many draws are reported at the end of the frame."""
    turns = [
        event
        for number, tile in enumerate(range(52, 123))
        for event in (Draw(number % 4, tile), Discard(number % 4, tile))
    ]
    with pytest.raises(PlayError, match=r"^more tiles drawn than the wall has$") as rejected:
        list(walk(Rules(), frame_of(*turns, start=replace(START, indicator=None))))
    assert rejected.value.index == len(turns) - 1


def test_no_play() -> None:
    """A frame whose play is not recorded is rejected."""
    with pytest.raises(PlayError, match=r"^the play is not recorded$") as rejected:
        list(walk(Rules(), frame_of(start=replace(START, hands=()))))
    assert rejected.value.index == -1


def test_end_in_play() -> None:
    """The current hands are available at any time, and reading them changes nothing."""
    table = Table(START, Rules())
    table.play(Draw(0, 60))
    assert [hand.drawn for hand in table.end().hands] == [60, None, None, None]
    table.play(Discard(0, 60))
    assert [hand.drawn for hand in table.end().hands] == [None] * 4


def test_ponds() -> None:
    """A pond has every discard of its player: the tile drawn before it, riichi tiles, and who called what."""
    pon = Pon(2, 60, (61, 62), 1)
    hands = (*DEALT[:2], (61, 62, *DEALT[2][2:]), DEALT[3])
    start = replace(START, hands=hands)
    moves: list[Event] = [Draw(0, 52), Discard(0, 0, tsumogiri=False), Draw(1, 60)]
    drawn = Discard(1, 60, tsumogiri=True)
    ((*_, (table, _)),) = [list(walk(Rules(), frame_of(*moves, RiichiDeclared(1), drawn, start=start)))]
    assert table.ponds == (
        (Thrown(0, 52, tsumogiri=False, riichi=False),),
        (Thrown(60, 60, tsumogiri=True, riichi=True),),
        (),
        (),
    )
    called: list[Event] = [drawn, pon, Discard(2, 10, tsumogiri=False)]
    ((*_, (table, _)),) = [list(walk(Rules(), frame_of(*moves, *called, start=start)))]
    assert table.ponds[1:3] == (
        (Thrown(60, 60, tsumogiri=True, riichi=False, taken=2),),
        (Thrown(10, None, tsumogiri=False, riichi=False),),
    )


@pytest.mark.parametrize("dealt", [tuple(range(53, 65)), (UNKNOWN,) * 14])
def test_deal_of_another_number(dealt: tuple[int, ...]) -> None:
    """Exactly thirteen tiles are dealt, known or not."""
    with pytest.raises(PlayError, match=rf"^player 1 is dealt {len(dealt)} tiles; 13 expected$") as rejected:
        play(hands=((UNKNOWN,) * 13, dealt, *[(UNKNOWN,) * 13] * 2))
    assert rejected.value.index == -3


def test_any_sequence_of_events() -> None:
    """Events may be a tuple as well as a list; the index of an impossible one is its place, whatever follows."""
    events = [*turn(0, 40), *turn(1, 41)]
    assert state(replay(start(), tuple(events), Rules())) == state(replay(start(), events, Rules()))
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
