"""A table in play, and the replay of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import effort
import pytest
from frames import frames, real_frames
from frames_in_play import (
    CHI_0,
    EXHAUSTIVE,
    HANDS,
    INDICATOR,
    KAN_15,
    PON_0,
    PON_15,
    PON_19,
    deal,
    play,
    riichi,
    ron,
    round_of,
    start,
    turn,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from jmjp_convert import PlayError, Table
from jmjp_convert.errors import PlayError
from jmjp_convert.model import (
    Ankan,
    Chi,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Hand,
    Kakan,
    Kita,
    Pon,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.play.moves import expect_wall
from jmjp_convert.play.ponds import Thrown
from jmjp_convert.play.table import replay, walk


def whole(start: Start, events: Sequence[Event], rules: Rules) -> tuple[object, ...]:
    """Return the result of playing *events* at once."""
    try:
        return tuple(vars(replay(start, events, rules)).items())
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
    return tuple(vars(table).items())


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


@settings(max_examples=effort.many(2500))
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
    for table, event in walk(frame, Rules()):
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
                frame_of(Draw(0, 60), Discard(0, 60, tsumogiri=True), Draw(2, 61), Draw(2, 62)), Rules()
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
        list(walk(frame_of(*turns, start=replace(START, indicator=None)), Rules()))
    assert rejected.value.index == len(turns) - 1


def test_no_play() -> None:
    """A frame whose play is not recorded is rejected."""
    with pytest.raises(PlayError, match=r"^the play is not recorded$") as rejected:
        list(walk(frame_of(start=replace(START, hands=())), Rules()))
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
    ((*_, (table, _)),) = [list(walk(frame_of(*moves, RiichiDeclared(1), drawn, start=start), Rules()))]
    assert table.ponds == [
        [Thrown(0, 52, tsumogiri=False, riichi=False)],
        [Thrown(60, 60, tsumogiri=True, riichi=True)],
        [],
        [],
    ]
    called: list[Event] = [drawn, pon, Discard(2, 10, tsumogiri=False)]
    ((*_, (table, _)),) = [list(walk(frame_of(*moves, *called, start=start), Rules()))]
    assert table.ponds[1:3] == [
        [Thrown(60, 60, tsumogiri=True, riichi=False, taken=2)],
        [Thrown(10, None, tsumogiri=False, riichi=False)],
    ]


def test_deal_alone() -> None:
    """A frame without events ends where it began, without points."""
    outcome = play()
    assert outcome.end().hands == tuple(Hand(tuple(sorted(hand))) for hand in HANDS)
    assert outcome.end().points is None
    assert (outcome.sticks, list(outcome.indicators), list(outcome.ura)) == (0, [INDICATOR], [])


def test_no_indicator() -> None:
    """A record without the first indicator has none."""
    assert list(replay(start(indicator=None), [], Rules()).indicators) == []


def test_draw_and_discard() -> None:
    """Hands follow draws and discards and are in ascending order."""
    hand = play(*turn(0, 40, 4), *turn(1, 41)).end().hands[0]
    assert hand == Hand(tuple(sorted({*HANDS[0], 40} - {4})))


def test_turns_go_round() -> None:
    """The dealer starts, and the fourth player is followed by the first."""
    play(*round_of(*range(40, 50)))
    assert replay(start(dealer=2), round_of(*range(40, 50), first=2), Rules()).end().points is None


def test_drawn_tile_is_the_fourteenth() -> None:
    """A frame that stops after a draw leaves the drawn tile as the fourteenth."""
    assert play(Draw(0, 40)).end().hands[0] == Hand(tuple(sorted(HANDS[0])), 40)


def test_no_fourteenth_after_a_call() -> None:
    """A frame that stops after a call has no fourteenth tile."""
    hand = play(*turn(0, 40, 0), PON_0).end().hands[1]
    assert hand == Hand(tuple(sorted({*HANDS[1]} - {1, 2})), None, (PON_0,))


@pytest.mark.parametrize(
    ("discard", "meld"), [(0, PON_0), (0, CHI_0), (15, PON_15), (19, PON_19)], ids=["pon", "chi", "toimen", "kamicha"]
)
def test_call(discard: int, meld: Pon | Chi) -> None:
    """A call takes two tiles from the hand; the caller discards, and the next player draws."""
    last = (meld.player + 1) % 4
    outcome = play(*turn(0, 40, discard), meld, Discard(meld.player, HANDS[meld.player][-1]), *turn(last, 41))
    hand = outcome.end().hands[meld.player]
    assert hand == Hand(tuple(sorted({*HANDS[meld.player][:-1]} - {*meld.hand})), None, (meld,))


def test_daiminkan() -> None:
    """A daiminkan takes three tiles from the hand and gives a replacement tile."""
    outcome = play(*turn(0, 40, 15), KAN_15, Draw(2, 41), DoraRevealed(65), Discard(2, 41))
    assert outcome.end().hands[2] == Hand(tuple(sorted({*HANDS[2]} - {12, 13, 14})), None, (KAN_15,))
    assert list(outcome.indicators) == [INDICATOR, 65]


def test_kakan() -> None:
    """A kakan takes the place of its pon."""
    kakan = Kakan(2, 14, PON_15)
    later = Pon(2, 44, (45, 46), 1)
    hands = deal((15, 4, 19), (1, 2, 5, 9), (12, 13, 14, 45, 46), (17, 18))
    events = [
        *turn(0, 40, 15),
        *[PON_15, Discard(2, hands[2][-1]), *turn(3, 41), *turn(0, 42), *turn(1, 44), later],
        *[Discard(2, hands[2][-2]), *turn(3, 47), *turn(0, 48), *turn(1, 49), Draw(2, 50), kakan, Draw(2, 51)],
    ]
    hand = play(*events, hands=hands).end().hands[2]
    assert hand.melds == (kakan, later)
    assert hand.drawn == 51
    assert 50 in hand.tiles


def test_ankan() -> None:
    """An ankan may include the drawn tile, and gives a replacement tile."""
    kan = Ankan(0, (0, 1, 2, 3))
    outcome = play(Draw(0, 3), kan, DoraRevealed(65), Draw(0, 40), hands=deal((0, 1, 2), (), (), ()))
    assert outcome.end().hands[0].melds == (kan,)
    assert outcome.end().hands[0].drawn == 40
    assert len(outcome.end().hands[0].tiles) == 10


def test_kita() -> None:
    """Setting aside a north gives a replacement tile."""
    hands = deal((120, 0), (32,), (33,))
    outcome = play(Draw(0, 40), Kita(0, 120), *turn(0, 41), hands=hands)
    assert outcome.end().hands[0] == Hand(tuple(sorted({*hands[0], 40} - {120})), None, (Kita(0, 120),))


def test_riichi() -> None:
    """A riichi that is not ronned costs a stick, which stays on the table."""
    outcome = play(*riichi(0, 40), *round_of(41, 42, 43, first=1), replace(EXHAUSTIVE, changes=(0, 0, 0, 0)))
    assert outcome.end().points == (24000, 25000, 25000, 25000)
    assert outcome.sticks == 1


def test_riichi_with_a_closed_kan() -> None:
    """An ankan and a kita leave the hand closed."""
    kan = Ankan(0, (0, 1, 2, 3))
    hands = deal((0, 1, 2, 3, 120), (32,), (33,))
    outcome = play(Draw(0, 40), kan, Draw(0, 41), Kita(0, 120), *riichi(0, 42), hands=hands)
    assert outcome.sticks == 1


def test_ankan_after_riichi() -> None:
    """A player in riichi may still declare an ankan."""
    events = [*riichi(0, 40), *round_of(41, 42, 43, first=1), Draw(0, 3), Ankan(0, (0, 1, 2, 3)), *turn(0, 44)]
    assert len(play(*events, hands=deal((0, 1, 2), (), (), ())).end().hands[0].melds) == 1


def test_tsumo() -> None:
    """A tsumo takes the sticks and leaves its tile as the fourteenth."""
    events = [
        *riichi(0, 40),
        Draw(1, 41),
        Win(1, None, 41, sticks=1, before=(24000, 25000, 25000, 25000), changes=(-2000, 5000, -1000, -1000)),
    ]
    outcome = play(*events)
    assert outcome.end().hands[1] == Hand(tuple(sorted(HANDS[1])), 41)
    assert outcome.end().points == (22000, 30000, 24000, 24000)
    assert outcome.sticks == 0


def test_ron() -> None:
    """A ron leaves its tile as the winner's fourteenth; the others have none."""
    outcome = play(*turn(0, 40), replace(ron(2, 0, 40), changes=(-1000, 0, 1000, 0)))
    assert [hand.drawn for hand in outcome.end().hands] == [None, None, 40, None]
    assert outcome.end().hands[2].tiles == tuple(sorted(HANDS[2]))
    assert outcome.end().points == (24000, 25000, 26000, 25000)


def test_ronned_riichi() -> None:
    """A riichi tile that is ronned costs no stick."""
    outcome = play(Draw(0, 40), RiichiDeclared(0), Discard(0, 40), replace(ron(1, 0, 40), changes=(-2000, 2000, 0, 0)))
    assert (outcome.end().points, outcome.sticks) == ((23000, 27000, 25000, 25000), 0)


@pytest.mark.parametrize("winners", [2, 3])
def test_several_rons(winners: int) -> None:
    """Several players may win on one tile: their changes add up, and the first takes the sticks."""
    wins = [
        Win(1, 0, 40, sticks=1, before=(25000,) * 4, changes=(-2000, 3000, 0, 0)),
        Win(2, 0, 40, sticks=0, before=(23000, 28000, 25000, 25000), changes=(-3000, 0, 3000, 0)),
        Win(3, 0, 40, sticks=0, before=(20000, 28000, 28000, 25000), changes=(-4000, 0, 0, 4000)),
    ][:winners]
    outcome = replay(start(sticks=1), [*turn(0, 40), *wins], Rules())
    assert outcome.end().points == ((20000, 28000, 28000, 25000) if winners == 2 else (16000, 28000, 28000, 29000))
    assert [hand.drawn for hand in outcome.end().hands[1:]] == [40, 40, 40 if winners == 3 else None]


def test_ura_of_several_winners() -> None:
    """Ura dora belong to the table, no matter who shows them."""
    for wins in (
        [Win(1, 0, 40, ura=(65,)), Win(2, 0, 40)],
        [Win(1, 0, 40), Win(2, 0, 40, ura=(65,))],
        [Win(1, 0, 40, ura=(65,)), Win(2, 0, 40, ura=(65,))],
    ):
        assert list(play(*turn(0, 40), *wins).ura) == [65]


def test_shown_hand() -> None:
    """The hand shown at a win may be in any order, with the winner's melds."""
    hand = {*HANDS[1]} - {1, 2, HANDS[1][-1]}
    win = Win(1, 2, 41, hand=(41, *hand), melds=(PON_0,), indicators=(INDICATOR,), ura=(65,))
    outcome = play(*turn(0, 40, 0), PON_0, Discard(1, HANDS[1][-1]), *turn(2, 41), win)
    assert list(outcome.ura) == [65]


def test_robbed_kakan() -> None:
    """A robbed kakan does not count: the pon remains, and the winner has the tile."""
    events = [*turn(0, 40, 15), PON_15, Discard(2, HANDS[2][-1]), *round_of(41, 42, 43, first=3), Draw(2, 44)]
    outcome = play(*events, Kakan(2, 14, PON_15), ron(3, 2, 14))
    assert outcome.end().hands[2].melds == (PON_15,)
    assert 14 not in outcome.end().hands[2].tiles
    assert len(outcome.end().hands[2].tiles) == 10
    assert outcome.end().hands[3].drawn == 14


def test_kakan_robbed_by_two() -> None:
    """Two players may rob one kakan."""
    events = [*turn(0, 40, 15), PON_15, Discard(2, HANDS[2][-1]), *round_of(41, 42, 43, first=3), Draw(2, 44)]
    outcome = play(*events, Kakan(2, 14, PON_15), ron(3, 2, 14), ron(0, 2, 14))
    assert outcome.end().hands[2].melds == (PON_15,)
    assert [hand.drawn for hand in outcome.end().hands] == [14, None, None, 14]


def test_kakan_robbed_by_three() -> None:
    """A kakan robbed by three does not count, though the frame is drawn."""
    events = [*turn(0, 40, 15), PON_15, Discard(2, HANDS[2][-1]), *round_of(41, 42, 43, first=3), Draw(2, 44)]
    outcome = play(*events, Kakan(2, 14, PON_15), Ryuukyoku(DrawKind.TRIPLE_RON))
    assert outcome.end().hands[2].melds == (PON_15,)
    assert [hand.drawn for hand in outcome.end().hands] == [None] * 4


@pytest.mark.parametrize("tile", [132, 133, 134, 135])
def test_robbed_ankan(tile: int) -> None:
    """An ankan robbed by kokushi does not count: its other tiles return to the hand."""
    hands = deal((132, 133, 134, 135), (), (), ())
    outcome = play(Draw(0, 40), Ankan(0, (132, 133, 134, 135)), ron(1, 0, tile), hands=hands)
    assert outcome.end().hands[0] == Hand(tuple(sorted({*hands[0], 40} - {tile})))
    assert outcome.end().hands[1].drawn == tile


def test_robbed_kita() -> None:
    """A north that is ronned is not set aside."""
    hands = deal((120, 0), (32,), (33,))
    outcome = play(Draw(0, 40), Kita(0, 120), replace(ron(2, 0, 120), changes=(-2000, 0, 2000)), hands=hands)
    assert outcome.end().hands[0] == Hand(tuple(sorted({*hands[0], 40} - {120})))
    assert outcome.end().hands[2].drawn == 120
    assert outcome.end().points == (23000, 25000, 27000)


@pytest.mark.parametrize("kind", [*DrawKind, None])
def test_drawn_frame(kind: DrawKind | None) -> None:
    """A drawn frame of any kind ends with points and leaves the sticks on the table."""
    shown = (None, HANDS[1], None, None)
    draw = Ryuukyoku(kind, shown, 1, (24000, 25000, 25000, 25000), (-1000, 3000, -1000, -1000))
    outcome = play(*riichi(0, 40), *turn(1, 41), draw)
    assert outcome.end().points == (23000, 28000, 24000, 24000)
    assert outcome.sticks == 1


def test_drawn_before_a_replacement() -> None:
    """A frame cannot be drawn between an ankan and its replacement tile, but can after the discard."""
    hands = deal((0, 1, 2), (), (), ())
    kan: list[Event] = [Draw(0, 3), Ankan(0, (0, 1, 2, 3))]
    with pytest.raises(PlayError, match=r"^a draw before player 0 draws a replacement tile$"):
        play(*kan, Ryuukyoku(DrawKind.FOUR_KANS), hands=hands)
    play(*kan, *turn(0, 40), Ryuukyoku(DrawKind.FOUR_KANS), hands=hands)


def test_nine_terminals() -> None:
    """At nine terminals, the drawn tile is shown with the hand and is the fourteenth."""
    draw = Ryuukyoku(DrawKind.NINE_TERMINALS, ((40, *HANDS[0]), None, None, None))
    assert play(Draw(0, 40), draw).end().hands[0] == Hand(tuple(sorted(HANDS[0])), 40)


def test_triple_ron_on_a_riichi_tile() -> None:
    """Three rons on a riichi tile draw the frame, and the stick is not paid."""
    shown = (None, *HANDS[1:])
    outcome = play(
        Draw(0, 40), RiichiDeclared(0), Discard(0, 40), Ryuukyoku(DrawKind.TRIPLE_RON, shown, 0, changes=(0,) * 4)
    )
    assert (outcome.end().points, outcome.sticks) == ((25000,) * 4, 0)


def test_disconnections() -> None:
    """Disconnections and returns may be anywhere and change nothing."""
    quiet = [*riichi(0, 40), *turn(1, 41), ron(2, 1, 41)]
    noisy: list[Event] = [Disconnected(3)]
    for event in quiet:
        noisy += [event, Returned(3, "B"), Disconnected(3)]
    assert vars(play(*noisy)) == vars(play(*quiet))


def test_points_below_zero() -> None:
    """Points may go below zero."""
    win = Win(1, 0, 40, changes=(-32000, 32000, 0, 0))
    assert play(*turn(0, 40), win).end().points == (-7000, 57000, 25000, 25000)


def test_dora_at_unusual_moments() -> None:
    """A kan dora may be turned at any moment, up to five dora in total."""
    events: list[Event] = [
        DoraRevealed(61),
        Draw(0, 40),
        DoraRevealed(62),
        Discard(0, 40),
        DoraRevealed(63),
        DoraRevealed(64),
    ]
    assert list(play(*events).indicators) == [INDICATOR, 61, 62, 63, 64]


def test_kuikae() -> None:
    """The kind of a called tile may be discarded at once: some lobbies allow it."""
    hands = deal((0, 4), (1, 2, 3), (), ())
    play(*turn(0, 40, 0), PON_0, Discard(1, 3), hands=hands)


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
