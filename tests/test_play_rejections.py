"""Impossible plays are rejected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from frames_in_play import (
    EXHAUSTIVE,
    HANDS,
    INDICATOR,
    KAN_15,
    PON_0,
    PON_15,
    deal,
    play,
    riichi,
    ron,
    round_of,
    start,
    turn,
)

from jmjp_convert.errors import PlayError
from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    DrawKind,
    Event,
    Kakan,
    Kita,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Win,
)
from jmjp_convert.play.table import replay

CALLED = [*turn(0, 40, 15), PON_15, Discard(2, HANDS[2][-1]), *round_of(41, 42, 43, first=3)]
"""Player 2, who holds 14 (4m) and a pon of 12, 13 and 15, draws next."""

RIICHI = [*riichi(0, 40), *round_of(41, 42, 43, first=1)]
"""Player 0, in riichi, draws next."""

REJECTED: dict[str, tuple[Sequence[Event], str]] = {
    "drawn twice": ([*turn(0, 40), Draw(1, 40)], "tile 40 (2p) appears twice"),
    "drawn from a hand": ([Draw(0, 17)], "tile 17 (5m) appears twice"),
    "indicator drawn": ([Draw(0, INDICATOR)], "tile 60 (7p) appears twice"),
    "indicator twice": ([DoraRevealed(INDICATOR)], "tile 60 (7p) appears twice"),
    "indicator in a hand": ([DoraRevealed(17)], "tile 17 (5m) appears twice"),
    "indicator from the river": ([*turn(0, 40), DoraRevealed(40)], "tile 40 (2p) appears twice"),
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
    "pon without a discard": ([PON_0], "player 1 takes tile 0 (1m), which was not just discarded"),
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
    "pon of one's own discard": (
        [*turn(0, 40), Pon(0, 40, (0, 4), 0)],
        "player 0 takes tile 40 (2p), their own discard",
    ),
    "pon of tiles not held": ([*turn(0, 40, 0), Pon(1, 0, (1, 3), 0)], "player 1 does not hold tile 3 (1m)"),
    "pon after riichi": (
        [*turn(0, 40), *riichi(1, 41), *turn(2, 42), *turn(3, 43), *turn(0, 44, 0), PON_0],
        "player 1 takes tile 0 (1m) after riichi",
    ),
    "chi from toimen": (
        [*turn(0, 40, 4), Chi(2, 4, (12, 13), 0)],
        "player 2 calls chi from player 0, who is not kamicha",
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
        "player 0 has no pon to add tile 0 (1m) to",
    ),
    "kakan of another's pon": (
        [*CALLED, Draw(2, 44), Kakan(2, 14, replace(PON_15, taken=12, hand=(13, 15)))],
        "player 2 has no pon to add tile 14 (4m) to",
    ),
    "kakan of a tile not held": (
        [*CALLED, Draw(2, 44), Kakan(2, 16, PON_15)],
        "player 2 does not hold tile 16 (0m)",
    ),
    "kakan without a draw": ([*CALLED, Kakan(2, 14, PON_15)], "player 2 declares a kakan without having drawn"),
    "kakan twice": (
        [*CALLED, Draw(2, 44), Kakan(2, 14, PON_15), Draw(2, 45), Kakan(2, 14, PON_15)],
        "player 2 has no pon to add tile 14 (4m) to",
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
        "player 0 declared riichi but never paid for it",
    ),
    "riichi never paid before a call": (
        [Draw(0, 40), RiichiDeclared(0), Discard(0, 0), PON_0],
        "player 1 takes tile 0 (1m) before the riichi is paid for",
    ),
    "riichi and ankan": (
        [Draw(0, 40), RiichiDeclared(0), Ankan(0, (132, 133, 134, 135))],
        "player 0 declares an ankan instead of the riichi discard",
    ),
    "riichi never paid before a drawn frame": (
        [Draw(0, 40), RiichiDeclared(0), Discard(0, 40), EXHAUSTIVE],
        "player 0 declared riichi but never paid for it",
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
        "the points are 25000,25000,25000,25000; 24000,25000,25000,25000 expected from the play",
    ),
    "discard from the hand after riichi": (
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
    "ron without a discard": ([ron(1, 0, 0)], "player 1 wins by ron on tile 0 (1m), which was not just discarded"),
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
        "player 2 wins off player 1, but the tile is player 0's",
    ),
    "ron on one's own discard": ([*turn(0, 40), ron(0, 0, 40)], "player 0 wins by ron on their own tile"),
    "ron on the tile drawn": ([Draw(0, 40), ron(0, 0, 40)], "player 0 wins by ron on their own tile"),
    "ron twice": ([*turn(0, 40), ron(1, 0, 40), ron(1, 0, 40)], "player 1 wins twice"),
    "ron after a drawn frame": ([*turn(0, 40), EXHAUSTIVE, ron(1, 0, 40)], "player 1 wins after the frame's end"),
    "sticks taken": (
        [*turn(0, 40), Win(1, 0, 40, sticks=1)],
        "the riichi sticks are 1; 0 expected from the play",
    ),
    "sticks taken twice": (
        [*RIICHI, *turn(0, 44), Win(1, 0, 44, sticks=1), Win(2, 0, 44, sticks=1)],
        "the riichi sticks are 1; 0 expected from the play",
    ),
    "points before a win": (
        [*turn(0, 40), Win(1, 0, 40, before=(25000, 25000, 25000, 24000))],
        "the points are 25000,25000,25000,24000; 25000,25000,25000,25000 expected from the play",
    ),
    "points before the second win": (
        [*turn(0, 40), Win(1, 0, 40, changes=(-1000, 1000, 0, 0)), Win(2, 0, 40, before=(25000,) * 4)],
        "the points are 25000,25000,25000,25000; 24000,26000,25000,25000 expected from the play",
    ),
    "payments of a win": (
        [*turn(0, 40), Win(1, 0, 40, changes=(-1000, 2000, 0, 0))],
        "the payments add up to 1000; 0 expected",
    ),
    "payments without the sticks": (
        [*RIICHI, *turn(0, 44), Win(1, 0, 44, changes=(-1000, 1000, 0, 0))],
        "the payments add up to 0; 1000 expected",
    ),
    "hand of a win": (
        [*turn(0, 40), Win(1, 0, 40, hand=HANDS[1])],
        "player 1 wins with no tile; 2p expected from the play",
    ),
    "hand of another": (
        [*turn(0, 40), Win(1, 0, 40, hand=(HANDS[2][0], *HANDS[1][1:], 40))],
        "player 1 wins with 4m; 1m expected from the play",
    ),
    "melds of a win": (
        [*turn(0, 40), Win(1, 0, 40, melds=(PON_0,))],
        "player 1 wins with a pon of 1m 1m 1m (1m from player 0); no meld expected from the play",
    ),
    "melds omitted": (
        [*CALLED, Draw(2, 44), Win(2, None, 44, melds=())],
        "player 2 wins with no meld; a pon of 4m 4m 4m (4m from player 0) expected from the play",
    ),
    "indicators of a win": (
        [*turn(0, 40), Win(1, 0, 40, indicators=(65,))],
        "the dora indicators are 65 (8p); 60 (7p) expected from the play",
    ),
    "one indicator too many": (
        [*turn(0, 40), Win(1, 0, 40, indicators=(60, 65))],
        "the dora indicators are 60 (7p) 65 (8p); 60 (7p) expected from the play",
    ),
    "two ura dora": (
        [*turn(0, 40), Win(1, 0, 40, ura=(64, 65))],
        "more ura dora indicators (2) than dora indicators (1)",
    ),
    "ura dora in a hand": ([*turn(0, 40), Win(1, 0, 40, ura=(17,))], "tile 17 (5m) appears twice"),
    "other ura dora for the second winner": (
        [*turn(0, 40), Win(1, 0, 40, ura=(65,)), Win(2, 0, 40, ura=(64,))],
        "the ura dora indicators are 64 (8p); 65 (8p) expected from the play",
    ),
    "dora after a win": ([*turn(0, 40), ron(1, 0, 40), DoraRevealed(65)], "a dora is turned after the frame's end"),
    "kita with four players": ([Draw(0, 40), Kita(0, 0)], "player 0 sets aside tile 0 (1m), which is not a kita"),
    "frame drawn between daiminkan and replacement": (
        [*turn(0, 40, 15), KAN_15, EXHAUSTIVE],
        "a draw before player 2 draws a replacement tile",
    ),
    "exhaustive draw before the discard": (
        [*turn(0, 40), Draw(1, 41), replace(EXHAUSTIVE, changes=(3000, -1000, -1000, -1000))],
        "a draw before player 1 discards",
    ),
    "nagashi before the discard": ([Draw(0, 40), Ryuukyoku(DrawKind.NAGASHI)], "a draw before player 0 discards"),
    "four winds before the discard": ([Draw(0, 40), Ryuukyoku(DrawKind.FOUR_WINDS)], "a draw before player 0 discards"),
    "exhaustive draw after a call": (
        [*turn(0, 40, 15), PON_15, replace(EXHAUSTIVE, changes=(3000, -1000, -1000, -1000))],
        "a draw before player 2 discards",
    ),
    "frame drawn twice": ([*turn(0, 40), EXHAUSTIVE, EXHAUSTIVE], "a draw after the frame's end"),
    "frame drawn after a win": ([*turn(0, 40), ron(1, 0, 40), EXHAUSTIVE], "a draw after the frame's end"),
    "hand shown": (
        [*turn(0, 40), replace(EXHAUSTIVE, shown=(None, (HANDS[2][0], *HANDS[1][1:]), None, None))],
        "player 1 shows 4m; 1m expected from the play",
    ),
    "hand shown without the drawn tile": (
        [Draw(0, 40), Ryuukyoku(DrawKind.NINE_TERMINALS, (HANDS[0], None, None, None))],
        "player 0 shows no tile; 2p expected from the play",
    ),
    "hand shown of another": (
        [Draw(0, 40), Ryuukyoku(DrawKind.NINE_TERMINALS, (None, (*HANDS[1], 40), None, None))],
        "player 1 shows 2p; no tile expected from the play",
    ),
    "sticks on the table": (
        [*turn(0, 40), replace(EXHAUSTIVE, sticks=1)],
        "the riichi sticks are 1; 0 expected from the play",
    ),
    "points before a drawn frame": (
        [*turn(0, 40), replace(EXHAUSTIVE, before=(24000, 25000, 25000, 25000))],
        "the points are 24000,25000,25000,25000; 25000,25000,25000,25000 expected from the play",
    ),
    "payments of a drawn frame": (
        [*turn(0, 40), replace(EXHAUSTIVE, changes=(3000, -1000, -1000, 0))],
        "the payments add up to 1000; 0 expected",
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
"""Events, the last of which is impossible, and the message."""


@pytest.mark.parametrize(("events", "message"), REJECTED.values(), ids=REJECTED)
def test_rejection(events: Sequence[Event], message: str) -> None:
    """An impossible play is rejected with a message and the index of its event."""
    play(*events[:-1])
    with pytest.raises(PlayError) as rejected:
        play(*events)
    assert (str(rejected.value), rejected.value.index) == (message, len(events) - 1)


@pytest.mark.parametrize("events", [[], [Draw(0, 40)], [*turn(0, 40), Draw(1, 41)]], ids=["deal", "draw", "next draw"])
def test_triple_ron_on_nothing(events: list[Event]) -> None:
    """Triple ron requires a tile just discarded."""
    play(*events)
    with pytest.raises(PlayError, match=r"^triple ron without a tile just discarded$"):
        play(*events, Ryuukyoku(DrawKind.TRIPLE_RON, (None, None, None, None)))


def test_index_in_the_middle() -> None:
    """The index is that of the impossible event, whatever follows."""
    with pytest.raises(PlayError) as rejected:
        play(*turn(0, 40), Draw(2, 41), *turn(1, 42))
    assert rejected.value.index == 2


def test_any_sequence_of_events() -> None:
    """Events may be a tuple as well as a list."""
    assert vars(replay(start(), tuple(CALLED), Rules())) == vars(replay(start(), CALLED, Rules()))


def test_deal_of_a_tile_twice() -> None:
    """A tile dealt to two hands is rejected; the index identifies the second player's deal."""
    with pytest.raises(PlayError, match=r"^tile 0 \(1m\) appears twice$") as rejected:
        play(hands=((0, *range(53, 65)), (0, *range(73, 85)), HANDS[2], HANDS[3]))
    assert rejected.value.index == -3


def test_deal_of_the_indicator() -> None:
    """An indicator that was also dealt is rejected."""
    with pytest.raises(PlayError, match=r"^tile 17 \(5m\) appears twice$") as rejected:
        replay(start(indicator=17), [], Rules())
    assert rejected.value.index == -1


def test_payments_with_unknown_sticks() -> None:
    """If the number of riichi sticks is unknown, a win takes at least those of the frame, and no parts of one."""
    events = [*RIICHI, *turn(0, 44), Win(1, 0, 44, changes=(-1000, 2000, 0, 0))]
    replay(replace(start(), sticks=None), events, Rules())
    for gain in (1000, 1500):
        events[-1] = Win(1, 0, 44, changes=(-1000, gain, 0, 0))
        with pytest.raises(PlayError, match=r"; at least 1000 expected, in whole riichi sticks$"):
            replay(replace(start(), sticks=None), events, Rules())


def test_no_red_fives_in_a_message() -> None:
    """A message names a five according to the rules."""
    with pytest.raises(PlayError, match=r"^player 0 does not hold tile 16 \(5m\)$"):
        play(Draw(0, 40), Discard(0, 16), rules=Rules(red_fives=False))


@pytest.mark.parametrize("tile", [4, 31])
def test_two_to_eight_man_of_three_players(tile: int) -> None:
    """With three players, 2m to 8m can be neither dealt nor drawn."""
    label = {4: "2m", 31: "8m"}[tile]
    hands = deal((0,), (32,), (33,))
    message = rf"^tile {tile} \({label}\) is not in a three-player set$"
    with pytest.raises(PlayError, match=message):
        play(Draw(0, tile), hands=hands)
    with pytest.raises(PlayError, match=message):
        play(hands=(hands[0], (tile, *hands[1][1:]), hands[2]))


KITA_HANDS = deal((120, 0), (32, 108), (33, 34))

REJECTED_OF_THREE: dict[str, tuple[Sequence[Event], str]] = {
    "kita not held": ([Draw(0, 40), Kita(0, 121)], "player 0 does not hold tile 121 (nw)"),
    "kita of another tile": ([Draw(0, 40), Kita(0, 0)], "player 0 sets aside tile 0 (1m), which is not a kita"),
    "kita out of turn": ([Draw(0, 40), Kita(1, 120)], "player 1 sets aside a north, but it is player 0's turn"),
    "kita without a draw": ([Kita(0, 120)], "player 0 sets aside a north without having drawn"),
    "discard after a kita": (
        [Draw(0, 40), Kita(0, 120), Discard(0, 40)],
        "player 0 discards without having drawn",
    ),
    "pon of a kita": (
        [Draw(0, 40), Kita(0, 120), Pon(1, 120, (121, 122), 0)],
        "player 1 takes tile 120 (nw), which was not just discarded",
    ),
    "chi across a player": (
        [*turn(0, 40), Chi(2, 40, (44, 48), 0)],
        "player 2 calls chi from player 0, who is not kamicha",
    ),
    "third player again": (
        [*turn(0, 40), *turn(1, 41), *turn(2, 42), Draw(1, 43)],
        "player 1 draws, but it is player 0's turn",
    ),
}


@pytest.mark.parametrize(("events", "message"), REJECTED_OF_THREE.values(), ids=REJECTED_OF_THREE)
def test_rejection_of_three(events: Sequence[Event], message: str) -> None:
    """Plays that are impossible with three players are rejected."""
    play(*events[:-1], hands=KITA_HANDS)
    with pytest.raises(PlayError) as rejected:
        play(*events, hands=KITA_HANDS)
    assert (str(rejected.value), rejected.value.index) == (message, len(events) - 1)
