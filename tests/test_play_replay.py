"""The replay: what follows from the events of a frame, and what cannot happen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from effort import many
from hypothesis import given, settings
from hypothesis import strategies as st

from jmjp_convert.errors import PlayError
from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    Event,
    Hand,
    Kakan,
    Kita,
    Meld,
    Pon,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.model.tiles import FACES, any_copy, either_copy, faces, other_copy
from jmjp_convert.play.replay import Outcome, replay

THREE = Rules(players=3)
EXHAUSTIVE = Ryuukyoku(DrawKind.EXHAUSTIVE)
INDICATOR = 60
"""Like 40 to 65, no deal below holds it."""


def deal(*first: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return hands that begin with the *first* tiles, one tuple a player; the rest comes from the honors downward."""
    rest = (tile for tile in range(135, 0, -1) if tile not in {tile for tiles in first for tile in tiles})
    return tuple((*tiles, *(next(rest) for _ in range(13 - len(tiles)))) for tiles in first)


HANDS = deal((0, 4, 15, 19), (1, 2, 5, 9), (12, 13, 14), (17, 18))
"""Player 0 may discard 0 (1m) for a pon or chi of player 1, 15 (4m) for a pon or kan of 2, 19 (5m) for a pon of 3."""


def start(
    hands: tuple[tuple[int, ...], ...] = HANDS, *, dealer: int = 0, sticks: int = 0, indicator: int | None = INDICATOR
) -> Start:
    """Return the start of a frame."""
    return Start(dealer, 0, sticks, dealer, (1, 1), (25000,) * len(hands), hands, indicator)


def play(*events: Event, hands: tuple[tuple[int, ...], ...] = HANDS, rules: Rules | None = None) -> Outcome:
    """Replay *events* of player 0's frame."""
    return replay(start(hands), events, rules or Rules(players=len(hands)))


def turn(player: int, drawn: int, discarded: int | None = None) -> list[Event]:
    """Return a draw and a discard, of the drawn tile unless told otherwise."""
    return [Draw(player, drawn), Discard(player, drawn if discarded is None else discarded)]


def round_of(*tiles: int, first: int = 0) -> list[Event]:
    """Return turns of one player after the other who discard what they draw."""
    return [event for place, tile in enumerate(tiles) for event in turn((first + place) % 4, tile)]


def riichi(player: int, drawn: int) -> list[Event]:
    """Return a turn with a riichi that is paid."""
    return [Draw(player, drawn), RiichiDeclared(player), Discard(player, drawn), RiichiAccepted(player)]


def ron(player: int, source: int, tile: int) -> Win:
    """Return a win of which nothing more is recorded."""
    return Win(player, source, tile)


PON_0 = Pon(1, 0, (1, 2), 0)
CHI_0 = Chi(1, 0, (5, 9), 0)
PON_15 = Pon(2, 15, (12, 13), 0)
KAN_15 = Daiminkan(2, 15, (12, 13, 14), 0)
PON_19 = Pon(3, 19, (17, 18), 0)


# --- what follows from the events ------------------------------------------------------------------------------------


def test_deal_alone() -> None:
    """A frame without events ends where it began, without points."""
    outcome = play()
    assert outcome.end.hands == tuple(Hand(tuple(sorted(hand))) for hand in HANDS)
    assert outcome.end.points is None
    assert (outcome.sticks, list(outcome.indicators), list(outcome.ura)) == (0, [INDICATOR], [])


def test_no_indicator() -> None:
    """A record without the first indicator has none."""
    assert list(replay(start(indicator=None), [], Rules()).indicators) == []


def test_draw_and_discard() -> None:
    """Hands follow draws and discards and lie in ascending order."""
    hand = play(*turn(0, 40, 4), *turn(1, 41)).end.hands[0]
    assert hand == Hand(tuple(sorted({*HANDS[0], 40} - {4})))


def test_turns_go_round() -> None:
    """After the fourth player it is the first one's turn again; the dealer begins."""
    play(*round_of(*range(40, 50)))
    assert replay(start(dealer=2), round_of(*range(40, 50), first=2), Rules()).end.points is None


def test_drawn_tile_stands_apart() -> None:
    """A frame that stops after a draw leaves the drawn tile as the fourteenth."""
    assert play(Draw(0, 40)).end.hands[0] == Hand(tuple(sorted(HANDS[0])), 40)


def test_no_fourteenth_after_a_call() -> None:
    """A frame that stops after a call has no fourteenth tile."""
    hand = play(*turn(0, 40, 0), PON_0).end.hands[1]
    assert hand == Hand(tuple(sorted({*HANDS[1]} - {1, 2})), None, (PON_0,))


@pytest.mark.parametrize(
    ("discard", "meld"), [(0, PON_0), (0, CHI_0), (15, PON_15), (19, PON_19)], ids=["pon", "chi", "toimen", "kamicha"]
)
def test_call(discard: int, meld: Pon | Chi) -> None:
    """A call takes two tiles from the hand, and its player discards and is followed by the next."""
    last = (meld.player + 1) % 4
    outcome = play(*turn(0, 40, discard), meld, Discard(meld.player, HANDS[meld.player][-1]), *turn(last, 41))
    hand = outcome.end.hands[meld.player]
    assert hand == Hand(tuple(sorted({*HANDS[meld.player][:-1]} - {*meld.hand})), None, (meld,))


def test_daiminkan() -> None:
    """A daiminkan takes three tiles from the hand and brings a replacement tile."""
    outcome = play(*turn(0, 40, 15), KAN_15, Draw(2, 41), DoraRevealed(65), Discard(2, 41))
    assert outcome.end.hands[2] == Hand(tuple(sorted({*HANDS[2]} - {12, 13, 14})), None, (KAN_15,))
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
    hand = play(*events, hands=hands).end.hands[2]
    assert hand.melds == (kakan, later)
    assert hand.drawn == 51
    assert 50 in hand.tiles


def test_ankan() -> None:
    """An ankan may hold the drawn tile, and brings a replacement tile."""
    kan = Ankan(0, (0, 1, 2, 3))
    outcome = play(Draw(0, 3), kan, DoraRevealed(65), Draw(0, 40), hands=deal((0, 1, 2), (), (), ()))
    assert outcome.end.hands[0].melds == (kan,)
    assert outcome.end.hands[0].drawn == 40
    assert len(outcome.end.hands[0].tiles) == 10


def test_kita() -> None:
    """A north set aside brings a replacement tile."""
    hands = deal((120, 0), (32,), (33,))
    outcome = play(Draw(0, 40), Kita(0, 120), *turn(0, 41), hands=hands)
    assert outcome.end.hands[0] == Hand(tuple(sorted({*hands[0], 40} - {120})), None, (Kita(0, 120),))


def test_riichi() -> None:
    """A riichi that passes costs a stick, which stays on the table."""
    outcome = play(*riichi(0, 40), *round_of(41, 42, 43, first=1), replace(EXHAUSTIVE, changes=(0, 0, 0, 0)))
    assert outcome.end.points == (24000, 25000, 25000, 25000)
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
    assert len(play(*events, hands=deal((0, 1, 2), (), (), ())).end.hands[0].melds) == 1


def test_tsumo() -> None:
    """A tsumo takes the sticks and leaves its tile as the fourteenth."""
    events = [
        *riichi(0, 40),
        Draw(1, 41),
        Win(1, None, 41, sticks=1, before=(24000, 25000, 25000, 25000), changes=(-2000, 5000, -1000, -1000)),
    ]
    outcome = play(*events)
    assert outcome.end.hands[1] == Hand(tuple(sorted(HANDS[1])), 41)
    assert outcome.end.points == (22000, 30000, 24000, 24000)
    assert outcome.sticks == 0


def test_ron() -> None:
    """A ron leaves its tile as the fourteenth of the winner; the others have none."""
    outcome = play(*turn(0, 40), replace(ron(2, 0, 40), changes=(-1000, 0, 1000, 0)))
    assert [hand.drawn for hand in outcome.end.hands] == [None, None, 40, None]
    assert outcome.end.hands[2].tiles == tuple(sorted(HANDS[2]))
    assert outcome.end.points == (24000, 25000, 26000, 25000)


def test_ronned_riichi() -> None:
    """A riichi tile that is ronned costs no stick."""
    outcome = play(Draw(0, 40), RiichiDeclared(0), Discard(0, 40), replace(ron(1, 0, 40), changes=(-2000, 2000, 0, 0)))
    assert (outcome.end.points, outcome.sticks) == ((23000, 27000, 25000, 25000), 0)


@pytest.mark.parametrize("winners", [2, 3])
def test_several_rons(winners: int) -> None:
    """Several may win on one tile: the changes add up, the first takes the sticks."""
    wins = [
        Win(1, 0, 40, sticks=1, before=(25000,) * 4, changes=(-2000, 3000, 0, 0)),
        Win(2, 0, 40, sticks=0, before=(23000, 28000, 25000, 25000), changes=(-3000, 0, 3000, 0)),
        Win(3, 0, 40, sticks=0, before=(20000, 28000, 28000, 25000), changes=(-4000, 0, 0, 4000)),
    ][:winners]
    outcome = replay(start(sticks=1), [*turn(0, 40), *wins], Rules())
    assert outcome.end.points == ((20000, 28000, 28000, 25000) if winners == 2 else (16000, 28000, 28000, 29000))
    assert [hand.drawn for hand in outcome.end.hands[1:]] == [40, 40, 40 if winners == 3 else None]


def test_ura_of_several_winners() -> None:
    """Ura dora are those of the table, whoever shows them."""
    for wins in (
        [Win(1, 0, 40, ura=(65,)), Win(2, 0, 40)],
        [Win(1, 0, 40), Win(2, 0, 40, ura=(65,))],
        [Win(1, 0, 40, ura=(65,)), Win(2, 0, 40, ura=(65,))],
    ):
        assert list(play(*turn(0, 40), *wins).ura) == [65]


def test_shown_hand() -> None:
    """What a win shows may stand in any order and has the melds as they lie."""
    hand = {*HANDS[1]} - {1, 2, HANDS[1][-1]}
    win = Win(1, 2, 41, hand=(41, *hand), melds=(PON_0,), indicators=(INDICATOR,), ura=(65,))
    outcome = play(*turn(0, 40, 0), PON_0, Discard(1, HANDS[1][-1]), *turn(2, 41), win)
    assert list(outcome.ura) == [65]


def test_robbed_kakan() -> None:
    """A robbed kakan does not stand: the pon stays, and the winner has the tile."""
    events = [*turn(0, 40, 15), PON_15, Discard(2, HANDS[2][-1]), *round_of(41, 42, 43, first=3), Draw(2, 44)]
    outcome = play(*events, Kakan(2, 14, PON_15), ron(3, 2, 14))
    assert outcome.end.hands[2].melds == (PON_15,)
    assert 14 not in outcome.end.hands[2].tiles
    assert len(outcome.end.hands[2].tiles) == 10
    assert outcome.end.hands[3].drawn == 14


def test_kakan_robbed_by_two() -> None:
    """Two may rob one kakan."""
    events = [*turn(0, 40, 15), PON_15, Discard(2, HANDS[2][-1]), *round_of(41, 42, 43, first=3), Draw(2, 44)]
    outcome = play(*events, Kakan(2, 14, PON_15), ron(3, 2, 14), ron(0, 2, 14))
    assert outcome.end.hands[2].melds == (PON_15,)
    assert [hand.drawn for hand in outcome.end.hands] == [14, None, None, 14]


def test_kakan_robbed_by_three() -> None:
    """A kakan that three rob does not stand, though the frame is drawn."""
    events = [*turn(0, 40, 15), PON_15, Discard(2, HANDS[2][-1]), *round_of(41, 42, 43, first=3), Draw(2, 44)]
    outcome = play(*events, Kakan(2, 14, PON_15), Ryuukyoku(DrawKind.TRIPLE_RON))
    assert outcome.end.hands[2].melds == (PON_15,)
    assert [hand.drawn for hand in outcome.end.hands] == [None] * 4


@pytest.mark.parametrize("tile", [132, 133, 134, 135])
def test_robbed_ankan(tile: int) -> None:
    """An ankan that kokushi robs does not stand: its other tiles are back in the hand."""
    hands = deal((132, 133, 134, 135), (), (), ())
    outcome = play(Draw(0, 40), Ankan(0, (132, 133, 134, 135)), ron(1, 0, tile), hands=hands)
    assert outcome.end.hands[0] == Hand(tuple(sorted({*hands[0], 40} - {tile})))
    assert outcome.end.hands[1].drawn == tile


def test_robbed_kita() -> None:
    """A north that is ronned is not set aside."""
    hands = deal((120, 0), (32,), (33,))
    outcome = play(Draw(0, 40), Kita(0, 120), replace(ron(2, 0, 120), changes=(-2000, 0, 2000)), hands=hands)
    assert outcome.end.hands[0] == Hand(tuple(sorted({*hands[0], 40} - {120})))
    assert outcome.end.hands[2].drawn == 120
    assert outcome.end.points == (23000, 25000, 27000)


@pytest.mark.parametrize("kind", [*DrawKind, None])
def test_drawn_frame(kind: DrawKind | None) -> None:
    """A drawn frame of any kind ends with points, and leaves the sticks on the table."""
    shown = (None, HANDS[1], None, None)
    draw = Ryuukyoku(kind, shown, 1, (24000, 25000, 25000, 25000), (-1000, 3000, -1000, -1000))
    outcome = play(*riichi(0, 40), *turn(1, 41), draw)
    assert outcome.end.points == (23000, 28000, 24000, 24000)
    assert outcome.sticks == 1


def test_drawn_before_a_replacement() -> None:
    """A frame is not drawn between an ankan and its replacement tile; after the discard it is."""
    hands = deal((0, 1, 2), (), (), ())
    kan: list[Event] = [Draw(0, 3), Ankan(0, (0, 1, 2, 3))]
    with pytest.raises(PlayError, match=r"^the frame is drawn before player 0 draws a replacement tile$"):
        play(*kan, Ryuukyoku(DrawKind.FOUR_KANS), hands=hands)
    play(*kan, *turn(0, 40), Ryuukyoku(DrawKind.FOUR_KANS), hands=hands)


def test_nine_terminals() -> None:
    """The drawn tile of nine terminals is shown with the hand and lies as the fourteenth."""
    draw = Ryuukyoku(DrawKind.NINE_TERMINALS, ((40, *HANDS[0]), None, None, None))
    assert play(Draw(0, 40), draw).end.hands[0] == Hand(tuple(sorted(HANDS[0])), 40)


def test_triple_ron_on_a_riichi_tile() -> None:
    """Three rons on a riichi tile draw the frame, and the stick is not paid."""
    shown = (None, *HANDS[1:])
    outcome = play(
        Draw(0, 40), RiichiDeclared(0), Discard(0, 40), Ryuukyoku(DrawKind.TRIPLE_RON, shown, 0, changes=(0,) * 4)
    )
    assert (outcome.end.points, outcome.sticks) == ((25000,) * 4, 0)


def test_comings_and_goings() -> None:
    """Comings and goings may stand anywhere and change nothing."""
    quiet = [*riichi(0, 40), *turn(1, 41), ron(2, 1, 41)]
    noisy: list[Event] = [Disconnected(3)]
    for event in quiet:
        noisy += [event, Returned(3, "B"), Disconnected(3)]
    assert play(*noisy) == play(*quiet)


def test_points_below_zero() -> None:
    """Points may go below zero."""
    win = Win(1, 0, 40, changes=(-32000, 32000, 0, 0))
    assert play(*turn(0, 40), win).end.points == (-7000, 57000, 25000, 25000)


def test_dora_at_unusual_moments() -> None:
    """A kan dora may be turned at any moment, up to five in all."""
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
    """A called tile's kind may be discarded at once: some lobbies play so."""
    hands = deal((0, 4), (1, 2, 3), (), ())
    play(*turn(0, 40, 0), PON_0, Discard(1, 3), hands=hands)


@pytest.mark.parametrize(("players", "draws"), [(4, 70), (3, 55)])
def test_last_tile(players: int, draws: int) -> None:
    """The wall gives 70 draws, with three players 55, and one more is refused."""
    tiles = [tile for tile in range(136) if players == 4 or tile // 4 not in range(1, 8)]
    hands = tuple(tuple(tiles[13 * player : 13 * player + 13]) for player in range(players))
    wall, indicator = tiles[13 * players : -1], tiles[-1]
    turns = [event for place, tile in enumerate(wall) for event in turn(place % players, tile)]
    rules = Rules(players=players)
    table = start(hands, indicator=indicator)
    replay(table, turns[: 2 * draws], rules)
    with pytest.raises(PlayError, match=r"^more tiles are drawn than there are to draw$") as refused:
        replay(table, turns[: 2 * draws + 1], rules)
    assert refused.value.index == 2 * draws
    # That the indicator is not recorded makes no more tiles to draw.
    with pytest.raises(PlayError, match=r"^more tiles are drawn than there are to draw$"):
        replay(replace(table, indicator=None), turns[: 2 * draws + 2], rules)


def test_last_tile_with_more_indicators() -> None:
    """A kan takes nothing from the 70 draws: its replacement tile is one of them."""
    tiles = list(range(136))
    hands = tuple(tuple(tiles[13 * player : 13 * player + 13]) for player in range(4))
    wall = [3, *tiles[52:121]] if 3 not in hands[0] else tiles[52:122]
    events: list[Event] = [Draw(0, wall[0]), Ankan(0, (0, 1, 2, 3)), DoraRevealed(134), *turn(0, wall[1])]
    events += [event for place, tile in enumerate(wall[2:70]) for event in turn((1 + place) % 4, tile)]
    table = start(hands, indicator=135)
    replay(table, events, Rules())
    with pytest.raises(PlayError, match=r"^more tiles are drawn than there are to draw$"):
        replay(table, [*events, Draw(1, 122)], Rules())


# --- what cannot happen ----------------------------------------------------------------------------------------------

CALLED = [*turn(0, 40, 15), PON_15, Discard(2, HANDS[2][-1]), *round_of(41, 42, 43, first=3)]
"""Player 2, who has 14 (4m) in hand for the pon of 12, 13 and 15, is to draw."""

RIICHI = [*riichi(0, 40), *round_of(41, 42, 43, first=1)]
"""Player 0, in riichi, is to draw."""

KYUUSHU = (*HANDS[0], 40)

REFUSED: dict[str, tuple[Sequence[Event], str]] = {
    "drawn twice": ([*turn(0, 40), Draw(1, 40)], "tile 40 (2p) is there twice"),
    "drawn from a hand": ([Draw(0, 17)], "tile 17 (5m) is there twice"),
    "indicator drawn": ([Draw(0, INDICATOR)], "tile 60 (7p) is there twice"),
    "indicator twice": ([DoraRevealed(INDICATOR)], "tile 60 (7p) is there twice"),
    "indicator in a hand": ([DoraRevealed(17)], "tile 17 (5m) is there twice"),
    "indicator from the river": ([*turn(0, 40), DoraRevealed(40)], "tile 40 (2p) is there twice"),
    "six indicators": ([DoraRevealed(tile) for tile in range(61, 66)], "more than 5 dora indicators"),
    "draw out of turn": ([Draw(1, 40)], "player 1 draws, but it is player 0's turn"),
    "draw out of turn later": ([*turn(0, 40), Draw(2, 41)], "player 2 draws, but it is player 1's turn"),
    "draw twice": ([Draw(0, 40), Draw(0, 41)], "player 0 draws without having discarded"),
    "draw after a call": ([*turn(0, 40, 0), PON_0, Draw(1, 41)], "player 1 draws without having discarded"),
    "discard without a draw": ([Discard(0, 0)], "player 0 discards without having drawn"),
    "discard out of turn": ([Draw(0, 40), Discard(1, 1)], "player 1 discards, but it is player 0's turn"),
    "discard twice": ([*turn(0, 40), Discard(0, 0)], "player 0 discards, but it is player 1's turn"),
    "discard not held": ([Draw(0, 40), Discard(0, 41)], "player 0 does not hold tile 41 (2p)"),
    "discard of another hand": ([Draw(0, 40), Discard(0, 17)], "player 0 does not hold tile 17 (5m)"),
    "discard of a melded tile": (
        [*turn(0, 40, 0), PON_0, Discard(1, 1)],
        "player 1 does not hold tile 1 (1m)",
    ),
    "pon of no discard": ([PON_0], "player 1 takes tile 0 (1m), which was not just discarded"),
    "pon before the discard": ([Draw(0, 40), PON_0], "player 1 takes tile 0 (1m), which was not just discarded"),
    "pon of another copy": (
        [*turn(0, 40), PON_0],
        "player 1 takes tile 0 (1m), which was not just discarded",
    ),
    "pon after the next draw": (
        [*turn(0, 40, 0), Draw(1, 41), PON_0],
        "player 1 takes tile 0 (1m), which was not just discarded",
    ),
    "pon of a tile twice": (
        [*turn(0, 40, 0), PON_0, replace(PON_0, player=2)],
        "player 2 takes tile 0 (1m), which was not just discarded",
    ),
    "pon from another": (
        [*turn(0, 40, 0), replace(PON_0, source=3)],
        "player 1 takes tile 0 (1m) from player 3, but player 0 discarded it",
    ),
    "pon of the own discard": (
        [*turn(0, 40), Pon(0, 40, (0, 4), 0)],
        "player 0 takes tile 40 (2p), the own discard",
    ),
    "pon of tiles not held": ([*turn(0, 40, 0), Pon(1, 0, (1, 3), 0)], "player 1 does not hold tile 3 (1m)"),
    "pon after riichi": (
        [*turn(0, 40), *riichi(1, 41), *turn(2, 42), *turn(3, 43), *turn(0, 44, 0), PON_0],
        "player 1 takes tile 0 (1m) after riichi",
    ),
    "chi from toimen": (
        [*turn(0, 40, 4), Chi(2, 4, (12, 13), 0)],
        "player 2 takes a chi from player 0, who is not kamicha",
    ),
    "chi of tiles not held": ([*turn(0, 40, 0), Chi(1, 0, (5, 10), 0)], "player 1 does not hold tile 10 (3m)"),
    "daiminkan of tiles not held": (
        [*turn(0, 40, 0), Daiminkan(1, 0, (1, 2, 3), 0)],
        "player 1 does not hold tile 3 (1m)",
    ),
    "discard after a daiminkan": (
        [*turn(0, 40, 15), KAN_15, Discard(2, HANDS[2][-1])],
        "player 2 discards without having drawn",
    ),
    "another's draw after a daiminkan": (
        [*turn(0, 40, 15), KAN_15, Draw(1, 41)],
        "player 1 draws, but it is player 2's turn",
    ),
    "ankan of tiles not held": ([Draw(0, 3), Ankan(0, (0, 1, 2, 3))], "player 0 does not hold tile 1 (1m)"),
    "ankan without a draw": ([Ankan(0, (0, 1, 2, 3))], "player 0 declares an ankan without having drawn"),
    "ankan out of turn": (
        [Draw(0, 40), Ankan(1, (0, 1, 2, 3))],
        "player 1 declares an ankan, but it is player 0's turn",
    ),
    "ankan after a pon": (
        [*turn(0, 40, 15), PON_15, Ankan(2, (12, 13, 14, 15))],
        "player 2 declares an ankan without having drawn",
    ),
    "kakan without its pon": (
        [Draw(0, 40), Kakan(0, 0, Pon(0, 1, (2, 3), 1))],
        "player 0 has no pon to which tile 0 (1m) could be added",
    ),
    "kakan of another's pon": (
        [*CALLED, Draw(2, 44), Kakan(2, 14, replace(PON_15, taken=12, hand=(13, 15)))],
        "player 2 has no pon to which tile 14 (4m) could be added",
    ),
    "kakan of a tile not held": (
        [*CALLED, Draw(2, 44), Kakan(2, 16, PON_15)],
        "player 2 does not hold tile 16 (0m)",
    ),
    "kakan without a draw": ([*CALLED, Kakan(2, 14, PON_15)], "player 2 declares a kakan without having drawn"),
    "kakan twice": (
        [*CALLED, Draw(2, 44), Kakan(2, 14, PON_15), Draw(2, 45), Kakan(2, 14, PON_15)],
        "player 2 has no pon to which tile 14 (4m) could be added",
    ),
    "discard after a kakan": (
        [*CALLED, Draw(2, 44), Kakan(2, 14, PON_15), Discard(2, 44)],
        "player 2 discards without having drawn",
    ),
    "riichi out of turn": ([RiichiDeclared(1)], "player 1 declares riichi, but it is player 0's turn"),
    "riichi without a draw": ([RiichiDeclared(0)], "player 0 declares riichi without having drawn"),
    "riichi with an open hand": (
        [*CALLED, Draw(2, 44), RiichiDeclared(2)],
        "player 2 declares riichi with an open hand",
    ),
    "riichi after a daiminkan": (
        [*turn(0, 40, 15), KAN_15, Draw(2, 41), RiichiDeclared(2)],
        "player 2 declares riichi with an open hand",
    ),
    "riichi twice in a turn": (
        [Draw(0, 40), RiichiDeclared(0), RiichiDeclared(0)],
        "player 0 declares riichi twice",
    ),
    "riichi twice": ([*RIICHI, Draw(0, 44), RiichiDeclared(0)], "player 0 declares riichi twice"),
    "riichi never paid before the next draw": (
        [Draw(0, 40), RiichiDeclared(0), Discard(0, 40), Draw(1, 41)],
        "player 0 declared riichi and never paid for it",
    ),
    "riichi never paid before a call": (
        [Draw(0, 40), RiichiDeclared(0), Discard(0, 0), PON_0],
        "player 1 takes tile 0 (1m) before the riichi is paid for",
    ),
    "riichi and ankan": (
        [Draw(0, 40), RiichiDeclared(0), Ankan(0, (132, 133, 134, 135))],
        "player 0 declares an ankan in place of the riichi discard",
    ),
    "riichi never paid before a drawn frame": (
        [Draw(0, 40), RiichiDeclared(0), Discard(0, 40), EXHAUSTIVE],
        "player 0 declared riichi and never paid for it",
    ),
    "stick without riichi": (
        [*turn(0, 40), RiichiAccepted(0)],
        "player 0 pays for a riichi that was not just declared",
    ),
    "stick before the discard": (
        [Draw(0, 40), RiichiDeclared(0), RiichiAccepted(0)],
        "player 0 pays for a riichi that was not just declared",
    ),
    "stick of another": (
        [Draw(0, 40), RiichiDeclared(0), Discard(0, 40), RiichiAccepted(1)],
        "player 1 pays for a riichi that was not just declared",
    ),
    "stick after the ron on its tile": (
        [Draw(0, 40), RiichiDeclared(0), Discard(0, 40), ron(1, 0, 40), RiichiAccepted(0)],
        "player 0 pays for a riichi that was not just declared",
    ),
    "ron after the stick": (
        [*riichi(0, 40), ron(1, 0, 40)],
        "a riichi tile is ronned after the riichi was paid for",
    ),
    "three rons after the stick": (
        [*riichi(0, 40), Ryuukyoku(DrawKind.TRIPLE_RON)],
        "a riichi tile is ronned after the riichi was paid for",
    ),
    "stick twice": ([*riichi(0, 40), RiichiAccepted(0)], "player 0 pays for a riichi that was not just declared"),
    "points of a stick": (
        [Draw(0, 40), RiichiDeclared(0), Discard(0, 40), RiichiAccepted(0, (25000,) * 4)],
        "the points are 24000,25000,25000,25000, not 25000,25000,25000,25000",
    ),
    "from the hand after riichi": (
        [*RIICHI, Draw(0, 44), Discard(0, 19)],
        "player 0 discards tile 19 (5m) from the hand after riichi",
    ),
    "not held after riichi": ([*RIICHI, Draw(0, 44), Discard(0, 45)], "player 0 does not hold tile 45 (3p)"),
    "tsumo on another tile": (
        [Draw(0, 40), Win(0, None, 0)],
        "player 0 wins by tsumo on tile 0 (1m), which was not just drawn",
    ),
    "tsumo of another": (
        [Draw(0, 40), Win(1, None, 40)],
        "player 1 wins by tsumo on tile 40 (2p), which was not just drawn",
    ),
    "tsumo after the discard": (
        [*turn(0, 40), Win(0, None, 40)],
        "player 0 wins by tsumo on tile 40 (2p), which was not just drawn",
    ),
    "tsumo twice": (
        [Draw(0, 40), Win(0, None, 40), Win(0, None, 40)],
        "player 0 wins by tsumo on tile 40 (2p), which was not just drawn",
    ),
    "ron of no discard": ([ron(1, 0, 0)], "player 1 wins by ron on tile 0 (1m), which was not just discarded"),
    "ron on another tile": (
        [*turn(0, 40), ron(1, 0, 41)],
        "player 1 wins by ron on tile 41 (2p), which was not just discarded",
    ),
    "ron after the next draw": (
        [*turn(0, 40), Draw(1, 41), ron(2, 0, 40)],
        "player 2 wins by ron on tile 40 (2p), which was not just discarded",
    ),
    "ron on a called tile": (
        [*turn(0, 40, 0), PON_0, ron(2, 0, 0)],
        "player 2 wins by ron on tile 0 (1m), which was not just discarded",
    ),
    "ron on the discard before a tsumo": (
        [*turn(0, 40), Draw(1, 41), Win(1, None, 41), ron(2, 0, 40)],
        "player 2 wins by ron on tile 40 (2p), which was not just discarded",
    ),
    "ron off another": (
        [*turn(0, 40), ron(2, 1, 40)],
        "player 2 wins off player 1, but it is player 0's tile",
    ),
    "ron on the own discard": ([*turn(0, 40), ron(0, 0, 40)], "player 0 wins by ron on the own tile"),
    "ron on the tile drawn": ([Draw(0, 40), ron(0, 0, 40)], "player 0 wins by ron on the own tile"),
    "ron twice": ([*turn(0, 40), ron(1, 0, 40), ron(1, 0, 40)], "player 1 wins twice"),
    "ron after a drawn frame": ([*turn(0, 40), EXHAUSTIVE, ron(1, 0, 40)], "player 1 wins after the frame's end"),
    "sticks taken": (
        [*turn(0, 40), Win(1, 0, 40, sticks=1)],
        "1 riichi sticks are taken, but 0 are on the table",
    ),
    "sticks taken twice": (
        [*RIICHI, *turn(0, 44), Win(1, 0, 44, sticks=1), Win(2, 0, 44, sticks=1)],
        "1 riichi sticks are taken, but 0 are on the table",
    ),
    "points before a win": (
        [*turn(0, 40), Win(1, 0, 40, before=(25000, 25000, 25000, 24000))],
        "the points are 25000,25000,25000,25000, not 25000,25000,25000,24000",
    ),
    "points before the second win": (
        [*turn(0, 40), Win(1, 0, 40, changes=(-1000, 1000, 0, 0)), Win(2, 0, 40, before=(25000,) * 4)],
        "the points are 24000,26000,25000,25000, not 25000,25000,25000,25000",
    ),
    "payments of a win": (
        [*turn(0, 40), Win(1, 0, 40, changes=(-1000, 2000, 0, 0))],
        "the payments add up to 1000, not to 0",
    ),
    "payments without the sticks": (
        [*RIICHI, *turn(0, 44), Win(1, 0, 44, changes=(-1000, 1000, 0, 0))],
        "the payments add up to 0, not to 1000",
    ),
    "hand of a win": ([*turn(0, 40), Win(1, 0, 40, hand=HANDS[1])], "the winning hand is not player 1's"),
    "hand of another": ([*turn(0, 40), Win(1, 0, 40, hand=(*HANDS[2], 40))], "the winning hand is not player 1's"),
    "melds of a win": (
        [*turn(0, 40), Win(1, 0, 40, melds=(PON_0,))],
        "the melds of the winning hand are not player 1's",
    ),
    "melds left out": (
        [*CALLED, Draw(2, 44), Win(2, None, 44, melds=())],
        "the melds of the winning hand are not player 2's",
    ),
    "indicators of a win": (
        [*turn(0, 40), Win(1, 0, 40, indicators=(65,))],
        "the dora indicators are 60, not 65",
    ),
    "an indicator too many": (
        [*turn(0, 40), Win(1, 0, 40, indicators=(60, 65))],
        "the dora indicators are 60, not 60,65",
    ),
    "two ura dora": (
        [*turn(0, 40), Win(1, 0, 40, ura=(64, 65))],
        "2 ura dora indicators under 1 dora indicators",
    ),
    "ura dora in a hand": ([*turn(0, 40), Win(1, 0, 40, ura=(17,))], "tile 17 (5m) is there twice"),
    "other ura dora for the second winner": (
        [*turn(0, 40), Win(1, 0, 40, ura=(65,)), Win(2, 0, 40, ura=(64,))],
        "the ura dora indicators are 65, not 64",
    ),
    "dora after a win": ([*turn(0, 40), ron(1, 0, 40), DoraRevealed(65)], "a dora is turned after the frame's end"),
    "kita of four": ([Draw(0, 40), Kita(0, 0)], "player 0 sets tile 0 (1m) aside, which is no kita"),
    "frame drawn between daiminkan and replacement": (
        [*turn(0, 40, 15), KAN_15, EXHAUSTIVE],
        "the frame is drawn before player 2 draws a replacement tile",
    ),
    "frame drawn twice": ([*turn(0, 40), EXHAUSTIVE, EXHAUSTIVE], "the frame is drawn after its end"),
    "frame drawn after a win": ([*turn(0, 40), ron(1, 0, 40), EXHAUSTIVE], "the frame is drawn after its end"),
    "hand shown": (
        [*turn(0, 40), replace(EXHAUSTIVE, shown=(None, HANDS[2], None, None))],
        "the hand shown is not player 1's",
    ),
    "hand shown without the drawn tile": (
        [Draw(0, 40), Ryuukyoku(DrawKind.NINE_TERMINALS, (HANDS[0], None, None, None))],
        "the hand shown is not player 0's",
    ),
    "hand shown of another": (
        [Draw(0, 40), Ryuukyoku(DrawKind.NINE_TERMINALS, (None, KYUUSHU, None, None))],
        "the hand shown is not player 1's",
    ),
    "sticks on the table": (
        [*turn(0, 40), replace(EXHAUSTIVE, sticks=1)],
        "1 riichi sticks are said to lie on the table, not 0",
    ),
    "points before a drawn frame": (
        [*turn(0, 40), replace(EXHAUSTIVE, before=(24000, 25000, 25000, 25000))],
        "the points are 25000,25000,25000,25000, not 24000,25000,25000,25000",
    ),
    "payments of a drawn frame": (
        [*turn(0, 40), replace(EXHAUSTIVE, changes=(3000, -1000, -1000, 0))],
        "the payments add up to 1000, not to 0",
    ),
    "draw after a win": ([*turn(0, 40), ron(1, 0, 40), Draw(1, 41)], "player 1 draws after the frame's end"),
    "draw after a drawn frame": ([*turn(0, 40), EXHAUSTIVE, Draw(1, 41)], "player 1 draws after the frame's end"),
    "discard after a tsumo": (
        [Draw(0, 40), Win(0, None, 40), Discard(0, 0)],
        "player 0 discards after the frame's end",
    ),
    "pon after a win": (
        [*turn(0, 40, 0), ron(2, 0, 0), PON_0],
        "player 1 takes tile 0 (1m) after the frame's end",
    ),
    "ankan after a drawn frame": (
        [Draw(0, 40), EXHAUSTIVE, Ankan(0, (0, 1, 2, 3))],
        "player 0 declares an ankan after the frame's end",
    ),
    "riichi after a drawn frame": (
        [Draw(0, 40), EXHAUSTIVE, RiichiDeclared(0)],
        "player 0 declares riichi after the frame's end",
    ),
}
"""Events whose last cannot happen, and what is said of it."""


@pytest.mark.parametrize(("events", "message"), REFUSED.values(), ids=REFUSED)
def test_refusal(events: Sequence[Event], message: str) -> None:
    """What cannot happen is refused with what is wrong and the index of its event."""
    play(*events[:-1])
    with pytest.raises(PlayError) as refused:
        play(*events)
    assert (str(refused.value), refused.value.index) == (message, len(events) - 1)


@pytest.mark.parametrize("events", [[], [Draw(0, 40)], [*turn(0, 40), Draw(1, 41)]], ids=["deal", "draw", "next draw"])
def test_triple_ron_on_nothing(events: list[Event]) -> None:
    """Three rons are declared on a tile: where none was just discarded, they are refused."""
    play(*events)
    with pytest.raises(PlayError, match=r"^a triple ron without a tile just discarded$"):
        play(*events, Ryuukyoku(DrawKind.TRIPLE_RON, (None, None, None, None)))


def test_index_in_the_middle() -> None:
    """The index is that of the event which cannot happen, whatever follows."""
    with pytest.raises(PlayError) as refused:
        play(*turn(0, 40), Draw(2, 41), *turn(1, 42))
    assert refused.value.index == 2


def test_any_sequence_of_events() -> None:
    """A tuple of events is as good as a list."""
    assert replay(start(), tuple(CALLED), Rules()) == replay(start(), CALLED, Rules())


def test_deal_of_a_tile_twice() -> None:
    """A tile in two hands is refused; the index tells that it is the deal of the second player."""
    with pytest.raises(PlayError, match=r"^tile 0 \(1m\) is there twice$") as refused:
        play(hands=((0, *range(53, 65)), (0, *range(73, 85)), HANDS[2], HANDS[3]))
    assert refused.value.index == -3


def test_deal_of_the_indicator() -> None:
    """An indicator that somebody was dealt is refused."""
    with pytest.raises(PlayError, match=r"^tile 17 \(5m\) is there twice$") as refused:
        replay(start(indicator=17), [], Rules())
    assert refused.value.index == -1


def test_no_red_fives_in_a_message() -> None:
    """A message names a five as the rules have it."""
    with pytest.raises(PlayError, match=r"^player 0 does not hold tile 16 \(5m\)$"):
        play(Draw(0, 40), Discard(0, 16), rules=Rules(red_fives=False))


@pytest.mark.parametrize("tile", [4, 31])
def test_two_to_eight_man_of_three_players(tile: int) -> None:
    """With three players there are no 2m to 8m, neither dealt nor drawn."""
    label = {4: "2m", 31: "8m"}[tile]
    hands = deal((0,), (32,), (33,))
    message = rf"^tile {tile} \({label}\) is not in a 3-player set$"
    with pytest.raises(PlayError, match=message):
        play(Draw(0, tile), hands=hands)
    with pytest.raises(PlayError, match=message):
        play(hands=(hands[0], (tile, *hands[1][1:]), hands[2]))


KITA_HANDS = deal((120, 0), (32, 108), (33, 34))

REFUSED_OF_THREE: dict[str, tuple[Sequence[Event], str]] = {
    "kita not held": ([Draw(0, 40), Kita(0, 121)], "player 0 does not hold tile 121 (nw)"),
    "kita of another tile": ([Draw(0, 40), Kita(0, 0)], "player 0 sets tile 0 (1m) aside, which is no kita"),
    "kita out of turn": ([Draw(0, 40), Kita(1, 120)], "player 1 sets a north aside, but it is player 0's turn"),
    "kita without a draw": ([Kita(0, 120)], "player 0 sets a north aside without having drawn"),
    "discard after a kita": (
        [Draw(0, 40), Kita(0, 120), Discard(0, 40)],
        "player 0 discards without having drawn",
    ),
    "pon of a kita": (
        [Draw(0, 40), Kita(0, 120), Pon(1, 120, (121, 122), 0)],
        "player 1 takes tile 120 (nw), which was not just discarded",
    ),
    "chi over a player": (
        [*turn(0, 40), Chi(2, 40, (44, 48), 0)],
        "player 2 takes a chi from player 0, who is not kamicha",
    ),
    "third player again": (
        [*turn(0, 40), *turn(1, 41), *turn(2, 42), Draw(1, 43)],
        "player 1 draws, but it is player 0's turn",
    ),
}


@pytest.mark.parametrize(("events", "message"), REFUSED_OF_THREE.values(), ids=REFUSED_OF_THREE)
def test_refusal_of_three(events: Sequence[Event], message: str) -> None:
    """What cannot happen with three players is refused too."""
    play(*events[:-1], hands=KITA_HANDS)
    with pytest.raises(PlayError) as refused:
        play(*events, hands=KITA_HANDS)
    assert (str(refused.value), refused.value.index) == (message, len(events) - 1)


# --- properties ------------------------------------------------------------------------------------------------------


class Random:
    """A frame at random: everybody draws and discards, calls where it is possible, now and then declares riichi."""

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
        """Play *turns* turns, or fewer."""
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
        """Return who is next to draw, after a pon if there is one."""
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
        """End the frame by a ron or a draw."""
        thrower = next(event.player for event in reversed(self.events) if isinstance(event, Discard))
        changes = [0] * self.players
        amount, winner = self.dice.randrange(1000, 48000, 100), (thrower + 1) % self.players
        changes[thrower] -= amount
        changes[winner] += amount
        before = tuple(self.points)
        if self.dice.random() < 0.5 and type(self.events[-1]) is not RiichiAccepted:
            changes[winner] += 1000 * self.sticks
            self.events.append(Win(winner, thrower, self.last, None, None, (), self.sticks, before, tuple(changes)))
            self.sticks = 0
        else:
            self.events.append(Ryuukyoku(DrawKind.EXHAUSTIVE, None, self.sticks, before, tuple(changes)))


@settings(max_examples=many(150))
@given(st.integers(0, 1 << 32), st.sampled_from([4, 3]))
def test_points_add_up(seed: int, players: int) -> None:
    """However a frame goes, points and sticks together are what they were."""
    frame = Random(seed, players)
    outcome = replay(frame.start, frame.events, Rules(players=players))
    assert outcome.end.points is not None
    assert outcome.sticks is not None
    assert sum(outcome.end.points) + 1000 * outcome.sticks == 25000 * players + 2000
    assert outcome.sticks == frame.sticks


@settings(max_examples=many(150))
@given(st.integers(0, 1 << 32), st.sampled_from([4, 3]))
def test_tiles_are_kept(seed: int, players: int) -> None:
    """However a frame goes, a hand is thirteen tiles with three for a meld, and no tile lies in two places."""
    frame = Random(seed, players)
    hands = replay(frame.start, frame.events, Rules(players=players)).end.hands
    assert [len(hand.tiles) + 3 * len(hand.melds) for hand in hands] == [13] * players
    assert [list(hand.tiles) for hand in hands] == [sorted(hand) for hand in frame.hands]
    assert [len(hand.melds) for hand in hands] == [frame.melds[player] for player in range(players)]
    lying = [tile for hand in hands for tile in (*hand.tiles, *(tile for meld in hand.melds for tile in tiles(meld)))]
    assert len(lying) == len(set(lying))


def tiles(meld: Meld) -> tuple[int, ...]:
    """Return the tiles of a pon."""
    assert isinstance(meld, Pon)
    return (meld.taken, *meld.hand)


@settings(max_examples=many(60))
@given(st.integers(0, 1 << 32), st.integers(0, 200))
def test_a_frame_may_stop_anywhere(seed: int, length: int) -> None:
    """A frame that stops early is replayed as far as it goes, without points."""
    frame = Random(seed, 4)
    outcome = replay(frame.start, frame.events[: min(length, len(frame.events) - 1)], Rules())
    assert outcome.end.points is None


@given(st.integers(0, 1 << 32), st.integers(0, 200), st.integers(0, 135))
def test_another_tile_is_never_taken(seed: int, place: int, tile: int) -> None:
    """A frame with one draw or discard exchanged for another tile is refused, unless only the draw was exchanged."""
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
    hand = outcome.end.hands[event.player]
    held = (*hand.tiles, *(tile for meld in hand.melds for tile in tiles(meld)))
    assert event.tile in held
    assert tile not in held


# --- tiles of which only the face is known, or not even that ---------------------------------------------------------

FACE_HANDS = (
    "1m3m9m1p9p1s9sewswwwnwwdgd",
    "2m3m4m6m7m8m2p3p4p5s5s6s7s",
    "1m1m9m9m1p1p9p9p1s1s9s9sew",
    "4m" + "uk" * 12,
)
ANY = {face: any_copy(face) for face in (*FACES, "uk")}


def faced(text: str) -> tuple[int, ...]:
    """Return the tiles of which *text* has the faces."""
    return tuple(ANY[text[place : place + 2]] for place in range(0, len(text), 2))


def face_start(*hands: str, fourteenth: str | None = None) -> Start:
    """Return the start of a frame with those *hands*, or else some, and what is dealt to the dealer beside his."""
    dealt = tuple(faced(hand) for hand in (*hands, *FACE_HANDS[len(hands) :]))
    last = None if fourteenth is None else ANY[fourteenth]
    return Start(0, 0, 0, 0, None, (25000,) * 4, dealt, None, fourteenth=last)


def face_play(*events: Event, hands: Sequence[str] = FACE_HANDS, red_fives: bool | None = None) -> Outcome:
    """Replay *events* with tiles known by their faces."""
    return replay(face_start(*hands), events, Rules(red_fives=red_fives))


def face_turn(player: int, drawn: str, discarded: str | int | None = None) -> list[Event]:
    """Return a draw and a discard, of the drawn tile unless told otherwise."""
    tile = discarded if isinstance(discarded, int) else ANY[discarded or drawn]
    return [Draw(player, ANY[drawn]), Discard(player, tile)]


def face_hand(player: int, *events: Event, hands: Sequence[str] = FACE_HANDS) -> str:
    """Return the hand of *player* after *events* as faces."""
    names = faces(red_fives=True)
    return "".join(names[tile] for tile in face_play(*events, hands=hands).end.hands[player].tiles)


def face_refusal(*events: Event, hands: Sequence[str] = FACE_HANDS, red_fives: bool | None = None) -> tuple[str, int]:
    """Return why *events* are refused, and the index."""
    with pytest.raises(PlayError) as refused:
        face_play(*events, hands=hands, red_fives=red_fives)
    return str(refused.value), refused.value.index


@pytest.mark.parametrize("discard", [any_copy("9m"), other_copy("9m"), either_copy("9m")])
def test_which_copy_goes(discard: int) -> None:
    """Whether the drawn tile goes, or another of its face, or nobody knows, the hand is the same."""
    assert face_hand(0, *face_turn(0, "9m", discard)) == FACE_HANDS[0]


def test_face_from_the_hand() -> None:
    """A tile of another face leaves the hand for the drawn one."""
    assert face_hand(0, *face_turn(0, "9m", "1m")) == "3m9m9m1p9p1s9sewswwwnwwdgd"


def test_karagiri_of_a_face_not_held() -> None:
    """Karagiri needs another tile of the drawn face in the hand."""
    events = face_turn(0, "8m", other_copy("8m"))
    assert face_refusal(*events) == ("player 0 does not hold tile 8m", 1)


def test_either_copy_of_a_face_not_held() -> None:
    """Of a face that is not in the hand, the drawn tile is meant."""
    assert face_hand(0, *face_turn(0, "8m", either_copy("8m"))) == FACE_HANDS[0]


@pytest.mark.parametrize(
    ("discard", "message"),
    [
        (any_copy("9m"), None),
        (either_copy("9m"), None),
        (other_copy("9m"), "player 0 discards tile 9m from the hand after riichi"),
        (any_copy("1m"), "player 0 discards tile 1m from the hand after riichi"),
        (any_copy("2m"), "player 0 does not hold tile 2m"),
    ],
)
def test_discard_after_riichi_by_face(discard: int, message: str | None) -> None:
    """After riichi the drawn tile goes, or one that may be it."""
    riichi_turn: list[Event] = [Draw(0, ANY["8m"]), RiichiDeclared(0), Discard(0, ANY["8m"]), RiichiAccepted(0)]
    events = [*riichi_turn, *face_turn(1, "uk"), *face_turn(2, "uk"), *face_turn(3, "uk"), *face_turn(0, "9m", discard)]
    if message is None:
        assert face_hand(0, *events) == FACE_HANDS[0]
    else:
        assert face_refusal(*events) == (message, len(events) - 1)


def test_calls_by_face() -> None:
    """A call takes a tile of the face just discarded, whichever copy it was said to be."""
    for discard in (any_copy("9m"), other_copy("9m"), either_copy("9m")):
        pon = Pon(2, ANY["9m"], faced("9m9m"), 0)
        assert face_hand(2, *face_turn(0, "9m", discard), pon) == "1m1m1p1p9p9p1s1s9s9sew"
    chi = Chi(1, ANY["9m"], faced("7m8m"), 0)
    assert face_hand(1, *face_turn(0, "9m"), chi) == "2m3m4m6m2p3p4p5s5s6s7s"
    assert face_refusal(*face_turn(0, "9m"), Pon(1, ANY["9m"], faced("9m9m"), 0)) == (
        "player 1 does not hold tile 9m",
        2,
    )


def test_ron_by_face() -> None:
    """A ron takes a tile of the face just discarded, whichever copy it was said to be."""
    for discard in (any_copy("9m"), other_copy("9m"), either_copy("9m")):
        hand = face_play(*face_turn(0, "9m", discard), ron(2, 0, ANY["9m"])).end.hands[2]
        assert (hand.tiles, hand.drawn) == (faced(FACE_HANDS[2]), ANY["9m"])


def test_unknown_draw_and_discard() -> None:
    """A draw of which nothing is known may be any tile, and so may a discard."""
    assert face_hand(0, *face_turn(0, "uk")) == FACE_HANDS[0]
    assert face_hand(0, *face_turn(0, "uk", "1m")) == "3m9m1p9p1s9sewswwwnwwdgduk"
    assert face_hand(0, *face_turn(0, "uk", "8s")) == FACE_HANDS[0]
    assert len(face_play(*face_turn(0, "8s", "uk")).end.hands[0].tiles) == 14  # one has gone, nobody knows which


def test_unknown_hand() -> None:
    """From a hand of which nothing is known anything may come, once for each tile; what is known goes first."""
    events = [*face_turn(0, "8m"), *face_turn(1, "8m"), *face_turn(2, "5m", "ew")]
    assert face_hand(3, *events, *face_turn(3, "9p", "4m")) == "9p" + "uk" * 12
    assert face_hand(3, *events, *face_turn(3, "9p", "wd")) == "4m9p" + "uk" * 11


def test_unknown_melds() -> None:
    """A meld may come out of an unknown hand, and may be of unknown tiles."""
    pon = Pon(3, ANY["9m"], faced("9m9m"), 0)
    hands = (FACE_HANDS[0], FACE_HANDS[1], "uk" * 13, FACE_HANDS[3])
    assert face_hand(3, *face_turn(0, "9m"), pon, hands=hands) == "4m" + "uk" * 10
    unknown = Pon(3, ANY["uk"], faced("ukuk"), 0)
    assert face_hand(3, *face_turn(0, "uk"), unknown) == "4m" + "uk" * 10
    kan = Ankan(0, faced("9m9m9m9m"))
    assert face_hand(0, Draw(0, ANY["9m"]), kan, hands=("uk" * 13, "uk" * 13, "uk" * 13)) == "uk" * 10


def test_unknown_in_a_known_hand() -> None:
    """An unknown tile of a meld may be any of those that are known to be in the hand."""
    pon = Pon(2, ANY["9m"], faced("9muk"), 0)
    assert len(face_play(*face_turn(0, "9m"), pon).end.hands[2].tiles) == 12


@pytest.mark.parametrize(
    ("red_fives", "hand", "message"),
    [
        (None, "5m5m5m5m", None),
        (True, "0m5m5m5m", None),
        (False, "5m5m5m5m", None),
        (True, "5m5m5m5m", "tile 5m is there four times"),
        (True, "0m0m5m5m", "tile 0m is there twice"),
        (None, "0m5m5m5m", "tile 0m is not in a 4-player set"),
        (False, "0m5m5m5m", "tile 0m is not in a 4-player set"),
        (None, "5m5m5m5m5m", "tile 5m is there five times"),
        (False, "1m1m1m1m1m", "tile 1m is there five times"),
        (True, "rdrdrdrdrd", "tile rd is there five times"),
    ],
)
def test_red_fives_by_face(hand: str, message: str | None, *, red_fives: bool | None) -> None:
    """A suit has one red five and three plain ones, or four plain ones; if none is recorded, no red one was seen."""
    hands = (f"{hand}{'uk' * (13 - len(hand) // 2)}", *["uk" * 13] * 3)
    if message is None:
        face_play(hands=hands, red_fives=red_fives)
    else:
        assert face_refusal(hands=hands, red_fives=red_fives) == (message, -2)


def test_fifth_tile() -> None:
    """A fifth tile of a face is refused where it comes, in the deal of its player or as a draw."""
    hands = ("9m9muk" + "uk" * 10, "9m" + "uk" * 12, "9m9m" + "uk" * 11)
    assert face_refusal(hands=hands) == ("tile 9m is there five times", -4)
    hands = ("9m9m" + "uk" * 11, "9m" + "uk" * 12, "9m" + "uk" * 12)
    assert face_refusal(Draw(0, ANY["9m"]), hands=hands) == ("tile 9m is there five times", 0)


def test_fifth_tile_out_of_an_unknown_hand() -> None:
    """A tile that was unknown when it was drawn has been drawn as unknown: its face is not counted again."""
    hands = ("9m9m" + "uk" * 11, "9m" + "uk" * 12, "9m" + "uk" * 12)
    face_play(*face_turn(0, "uk", "9m"), hands=hands)


@pytest.mark.parametrize(("hand", "index"), [("1m" * 4 + "uk" * 8, -3), ("uk" * 14, -3)])
def test_deal_of_another_number(hand: str, index: int) -> None:
    """Thirteen tiles are dealt, known or not."""
    number = len(hand) // 2
    hands = ("uk" * 13, hand, "uk" * 13, "uk" * 13)
    assert face_refusal(hands=hands) == (f"player 1 is dealt {number} tiles, not 13", index)


@pytest.mark.parametrize(
    ("discard", "left"),
    [
        (any_copy("9m"), "1m3m9m1p9p1s9sewswwwnwwdgd"),
        (other_copy("9m"), "1m3m9m1p9p1s9sewswwwnwwdgd"),
        (any_copy("1m"), "3m9m9m1p9p1s9sewswwwnwwdgd"),
    ],
)
def test_fourteenth_tile_of_the_dealer(discard: int, left: str) -> None:
    """A dealer who is dealt fourteen tiles begins with a discard; the next draws."""
    events = [Discard(0, discard), *face_turn(1, "uk")]
    hands = replay(face_start(fourteenth="9m"), events, Rules(red_fives=None)).end.hands
    assert hands[0] == Hand(faced(left))


def test_fourteenth_tile_and_a_draw() -> None:
    """A dealer who is dealt fourteen tiles does not draw first; he may win at once, or declare a kan."""
    rules = Rules(red_fives=None)
    with pytest.raises(PlayError, match=r"^player 0 draws without having discarded$"):
        replay(face_start(fourteenth="9m"), [Draw(0, ANY["8m"])], rules)
    assert replay(face_start(fourteenth="9m"), [], rules).end.hands[0].drawn == ANY["9m"]
    won = replay(face_start(fourteenth="9m"), [Win(0, None, ANY["9m"])], rules).end.hands[0]
    assert won == Hand(faced(FACE_HANDS[0]), ANY["9m"])
    kan = Ankan(0, faced("1s1s1s1s"))
    start_ = face_start("1s1s1s" + "uk" * 10, "uk" * 13, "uk" * 13, fourteenth="1s")
    played = replay(start_, [kan, Draw(0, ANY["8m"])], rules)
    assert played.end.hands[0] == Hand(faced("uk" * 10), ANY["8m"], (kan,))


def test_fourteenth_tile_that_is_there_already() -> None:
    """The fourteenth tile of the dealer counts among those dealt."""
    with pytest.raises(PlayError, match=r"^tile 9m is there five times$"):
        replay(face_start(FACE_HANDS[0], "9m9muk" + "uk" * 10, "9m" + "uk" * 12, fourteenth="9m"), [], Rules())
    with pytest.raises(PlayError, match=r"^tile 0 \(1m\) is there twice$"):
        replay(replace(start(), fourteenth=0), [], Rules())


def test_last_tile_by_face() -> None:
    """Seventy tiles are drawn, however little is known of them."""
    hands = ["uk" * 13] * 4
    turns = [event for place in range(71) for event in face_turn(place % 4, "uk")]
    face_play(*turns[:140], hands=hands)
    assert face_refusal(*turns[:141], hands=hands) == ("more tiles are drawn than there are to draw", 140)


def test_points_that_are_not_known() -> None:
    """Where points and sticks are not recorded, none are reckoned."""
    bare = replace(face_start(), points=None, sticks=None)
    riichi_turn: list[Event] = [Draw(0, ANY["8m"]), RiichiDeclared(0), Discard(0, ANY["8m"]), RiichiAccepted(0)]
    outcome = replay(bare, [*riichi_turn[:-1], ron(1, 0, ANY["8m"])], Rules(red_fives=None))
    assert (outcome.end.points, outcome.sticks) == (None, 0)
    assert replay(bare, riichi_turn, Rules(red_fives=None)).sticks is None


@pytest.mark.parametrize("ending", [Win(0, None, 53, honba=1), Ryuukyoku(None, honba=1)])
def test_honba(ending: Win | Ryuukyoku) -> None:
    """The honba that a win or draw names are the frame's."""
    with pytest.raises(PlayError, match=r"^the honba are 0, not 1$"):
        play(Draw(0, 53), ending)
    play(Draw(0, 53), replace(ending, honba=0))
