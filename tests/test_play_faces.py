"""Frames in which tiles are known only by face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from frames_in_play import play, ron, start

from jmjp_convert.errors import PlayError
from jmjp_convert.model import (
    Ankan,
    Chi,
    Discard,
    Draw,
    Event,
    Hand,
    Pon,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.model.tiles import FACES, any_copy, faces
from jmjp_convert.play.table import Table, replay

FACE_HANDS = (
    "1m3m9m1p9p1s9sewswwwnwwdgd",
    "2m3m4m6m7m8m2p3p4p5s5s6s7s",
    "1m1m9m9m1p1p9p9p1s1s9s9sew",
    "4m" + "uk" * 12,
)
ANY = {face: any_copy(face) for face in (*FACES, "uk")}


def faced(text: str) -> tuple[int, ...]:
    """Return the tiles with the faces in *text*."""
    return tuple(ANY[text[place : place + 2]] for place in range(0, len(text), 2))


def face_start(*hands: str, fourteenth: str | None = None) -> Start:
    """Return the start of a frame with *hands*, or default ones, and the dealer's fourteenth tile, if any."""
    dealt = tuple(faced(hand) for hand in (*hands, *FACE_HANDS[len(hands) :]))
    last = None if fourteenth is None else ANY[fourteenth]
    return Start(0, 0, 0, 0, None, (25000,) * 4, dealt, None, fourteenth=last)


def face_play(*events: Event, hands: Sequence[str] = FACE_HANDS, red_fives: bool | None = None) -> Table:
    """Replay *events* with tiles known by face."""
    return replay(face_start(*hands), events, Rules(red_fives=red_fives))


def face_turn(player: int, drawn: str, discarded: str | None = None, *, tsumogiri: bool | None = None) -> list[Event]:
    """Return a draw and a discard, by default of a tile with the same face."""
    return [Draw(player, ANY[drawn]), Discard(player, ANY[discarded or drawn], tsumogiri)]


def face_hand(player: int, *events: Event, hands: Sequence[str] = FACE_HANDS) -> str:
    """Return *player*'s hand after *events*, as faces."""
    names = faces(red_fives=True)
    return "".join(names[tile] for tile in face_play(*events, hands=hands).end().hands[player].tiles)


def face_error(*events: Event, hands: Sequence[str] = FACE_HANDS, red_fives: bool | None = None) -> tuple[str, int]:
    """Return why *events* are rejected, and the index."""
    with pytest.raises(PlayError) as rejected:
        face_play(*events, hands=hands, red_fives=red_fives)
    return str(rejected.value), rejected.value.index


@pytest.mark.parametrize("tsumogiri", [True, False, None])
def test_which_copy_is_discarded(*, tsumogiri: bool | None) -> None:
    """The hand is the same whether the tile drawn, another copy, or an unknown one of the two is discarded."""
    assert face_hand(0, *face_turn(0, "9m", tsumogiri=tsumogiri)) == FACE_HANDS[0]


def test_face_from_the_hand() -> None:
    """A discard of another face leaves the hand, and the drawn tile takes its place."""
    assert face_hand(0, *face_turn(0, "9m", "1m")) == "3m9m9m1p9p1s9sewswwwnwwdgd"


def test_karagiri_of_a_face_not_held() -> None:
    """Karagiri requires another tile of the drawn face in the hand."""
    events = face_turn(0, "8m", tsumogiri=False)
    assert face_error(*events) == ("player 0 does not hold tile 8m", 1)


def test_unrecorded_tsumogiri_of_a_face_not_held() -> None:
    """If the hand has no other tile of the face, the drawn tile is discarded."""
    assert face_hand(0, *face_turn(0, "8m")) == FACE_HANDS[0]


@pytest.mark.parametrize(
    ("discard", "tsumogiri", "message"),
    [
        ("9m", True, None),
        ("9m", None, None),
        ("9m", False, "player 0 discards tile 9m from the hand after riichi"),
        ("1m", False, "player 0 discards tile 1m from the hand after riichi"),
        ("1m", None, "player 0 discards tile 1m from the hand after riichi"),
        ("2m", False, "player 0 does not hold tile 2m"),
        ("1m", True, "tsumogiri of 1m; 9m expected from the draw"),
    ],
)
def test_discard_after_riichi_by_face(discard: str, message: str | None, *, tsumogiri: bool | None) -> None:
    """After riichi, the discard is the drawn tile, or one that may be it."""
    riichi_turn: list[Event] = [Draw(0, ANY["8m"]), RiichiDeclared(0), Discard(0, ANY["8m"]), RiichiAccepted(0)]
    others = [event for player in (1, 2, 3) for event in face_turn(player, "uk")]
    events = [*riichi_turn, *others, *face_turn(0, "9m", discard, tsumogiri=tsumogiri)]
    if message is None:
        assert face_hand(0, *events) == FACE_HANDS[0]
    else:
        assert face_error(*events) == (message, len(events) - 1)


def test_calls_by_face() -> None:
    """A call takes a tile of the face just discarded, regardless of the copy."""
    for tsumogiri in (True, False, None):
        pon = Pon(2, ANY["9m"], faced("9m9m"), 0)
        assert face_hand(2, *face_turn(0, "9m", tsumogiri=tsumogiri), pon) == "1m1m1p1p9p9p1s1s9s9sew"
    chi = Chi(1, ANY["9m"], faced("7m8m"), 0)
    assert face_hand(1, *face_turn(0, "9m"), chi) == "2m3m4m6m2p3p4p5s5s6s7s"
    assert face_error(*face_turn(0, "9m"), Pon(1, ANY["9m"], faced("9m9m"), 0)) == (
        "player 1 does not hold tile 9m",
        2,
    )


def test_ron_by_face() -> None:
    """A ron takes a tile of the face just discarded, regardless of the copy."""
    for tsumogiri in (True, False, None):
        hand = face_play(*face_turn(0, "9m", tsumogiri=tsumogiri), ron(2, 0, ANY["9m"])).end().hands[2]
        assert (hand.tiles, hand.drawn) == (faced(FACE_HANDS[2]), ANY["9m"])


def test_unknown_draw_and_discard() -> None:
    """An unknown draw may be any tile, and so may an unknown discard."""
    assert face_hand(0, *face_turn(0, "uk")) == FACE_HANDS[0]
    assert face_hand(0, *face_turn(0, "uk", "1m")) == "3m9m1p9p1s9sewswwwnwwdgduk"
    assert face_hand(0, *face_turn(0, "uk", "8s")) == FACE_HANDS[0]
    assert len(face_play(*face_turn(0, "8s", "uk")).end().hands[0].tiles) == 14  # an unidentified tile has left


def test_unknown_hand() -> None:
    """Any tile may come from an unknown hand, one for each tile in it; known tiles go first."""
    events = [*face_turn(0, "8m"), *face_turn(1, "8m"), *face_turn(2, "5m", "ew")]
    assert face_hand(3, *events, *face_turn(3, "9p", "4m")) == "9p" + "uk" * 12
    assert face_hand(3, *events, *face_turn(3, "9p", "wd")) == "4m9p" + "uk" * 11


def test_unknown_melds() -> None:
    """A meld may come from an unknown hand, and may have unknown tiles."""
    pon = Pon(3, ANY["9m"], faced("9m9m"), 0)
    hands = (FACE_HANDS[0], FACE_HANDS[1], "uk" * 13, FACE_HANDS[3])
    assert face_hand(3, *face_turn(0, "9m"), pon, hands=hands) == "4m" + "uk" * 10
    unknown = Pon(3, ANY["uk"], faced("ukuk"), 0)
    assert face_hand(3, *face_turn(0, "uk"), unknown) == "4m" + "uk" * 10
    kan = Ankan(0, faced("9m9m9m9m"))
    assert face_hand(0, Draw(0, ANY["9m"]), kan, hands=("uk" * 13, "uk" * 13, "uk" * 13)) == "uk" * 10


def test_unknown_in_a_known_hand() -> None:
    """An unknown tile of a meld may be any of the known tiles of the hand."""
    pon = Pon(2, ANY["9m"], faced("9muk"), 0)
    assert len(face_play(*face_turn(0, "9m"), pon).end().hands[2].tiles) == 12


@pytest.mark.parametrize(
    ("red_fives", "hand", "message"),
    [
        (None, "5m5m5m5m", None),
        (True, "0m5m5m5m", None),
        (False, "5m5m5m5m", None),
        (True, "5m5m5m5m", "four copies of 5m"),
        (True, "0m0m5m5m", "two copies of 0m"),
        (None, "0m5m5m5m", "tile 0m is not in a four-player set"),
        (False, "0m5m5m5m", "tile 0m is not in a four-player set"),
        (None, "5m5m5m5m5m", "five copies of 5m"),
        (False, "1m1m1m1m1m", "five copies of 1m"),
        (True, "rdrdrdrdrd", "five copies of rd"),
    ],
)
def test_red_fives_by_face(hand: str, message: str | None, *, red_fives: bool | None) -> None:
    """A suit has one red five and three plain ones, or four plain ones; if not recorded, no red five has been seen."""
    hands = (f"{hand}{'uk' * (13 - len(hand) // 2)}", *["uk" * 13] * 3)
    if message is None:
        face_play(hands=hands, red_fives=red_fives)
    else:
        assert face_error(hands=hands, red_fives=red_fives) == (message, -2)


def test_fifth_tile() -> None:
    """A fifth tile of a face is rejected where it appears, in a player's deal or as a draw."""
    hands = ("9m9muk" + "uk" * 10, "9m" + "uk" * 12, "9m9m" + "uk" * 11)
    assert face_error(hands=hands) == ("five copies of 9m", -4)
    hands = ("9m9m" + "uk" * 11, "9m" + "uk" * 12, "9m" + "uk" * 12)
    assert face_error(Draw(0, ANY["9m"]), hands=hands) == ("five copies of 9m", 0)


def test_fifth_tile_out_of_an_unknown_hand() -> None:
    """A tile drawn as unknown and identified later is not counted twice."""
    hands = ("9m9m" + "uk" * 11, "9m" + "uk" * 12, "9m" + "uk" * 12)
    face_play(*face_turn(0, "uk", "9m"), hands=hands)


@pytest.mark.parametrize(("hand", "index"), [("1m" * 4 + "uk" * 8, -3), ("uk" * 14, -3)])
def test_deal_of_another_number(hand: str, index: int) -> None:
    """Exactly thirteen tiles are dealt, known or not."""
    number = len(hand) // 2
    hands = ("uk" * 13, hand, "uk" * 13, "uk" * 13)
    assert face_error(hands=hands) == (f"player 1 is dealt {number} tiles; 13 expected", index)


@pytest.mark.parametrize(
    ("discard", "tsumogiri", "left"),
    [
        ("9m", True, "1m3m9m1p9p1s9sewswwwnwwdgd"),
        ("9m", False, "1m3m9m1p9p1s9sewswwwnwwdgd"),
        ("1m", False, "3m9m9m1p9p1s9sewswwwnwwdgd"),
    ],
)
def test_fourteenth_tile_of_the_dealer(discard: str, left: str, *, tsumogiri: bool) -> None:
    """A dealer who is dealt fourteen tiles starts with a discard; the next player draws."""
    events = [Discard(0, ANY[discard], tsumogiri), *face_turn(1, "uk")]
    hands = replay(face_start(fourteenth="9m"), events, Rules(red_fives=None)).end().hands
    assert hands[0] == Hand(faced(left))


def test_fourteenth_tile_and_a_draw() -> None:
    """A dealer who is dealt fourteen tiles does not draw first, but may win or declare a kan at once."""
    rules = Rules(red_fives=None)
    with pytest.raises(PlayError, match=r"^player 0 draws without having discarded$"):
        replay(face_start(fourteenth="9m"), [Draw(0, ANY["8m"])], rules)
    assert replay(face_start(fourteenth="9m"), [], rules).end().hands[0].drawn == ANY["9m"]
    won = replay(face_start(fourteenth="9m"), [Win(0, None, ANY["9m"])], rules).end().hands[0]
    assert won == Hand(faced(FACE_HANDS[0]), ANY["9m"])
    kan = Ankan(0, faced("1s1s1s1s"))
    start_ = face_start("1s1s1s" + "uk" * 10, "uk" * 13, "uk" * 13, fourteenth="1s")
    played = replay(start_, [kan, Draw(0, ANY["8m"])], rules)
    assert played.end().hands[0] == Hand(faced("uk" * 10), ANY["8m"], (kan,))


def test_fourteenth_tile_that_was_dealt() -> None:
    """The dealer's fourteenth tile counts among the tiles dealt."""
    with pytest.raises(PlayError, match=r"^five copies of 9m$"):
        replay(face_start(FACE_HANDS[0], "9m9muk" + "uk" * 10, "9m" + "uk" * 12, fourteenth="9m"), [], Rules())
    with pytest.raises(PlayError, match=r"^tile 0 \(1m\) appears twice$"):
        replay(replace(start(), fourteenth=0), [], Rules())


def test_last_tile_by_face() -> None:
    """There are seventy draws, whatever is known of the tiles."""
    hands = ["uk" * 13] * 4
    turns = [event for place in range(71) for event in face_turn(place % 4, "uk")]
    face_play(*turns[:140], hands=hands)
    assert face_error(*turns[:141], hands=hands) == ("more tiles drawn than the wall has", 140)


def test_unknown_points() -> None:
    """If points and sticks are not recorded, they stay unknown."""
    bare = replace(face_start(), points=None, sticks=None)
    riichi_turn: list[Event] = [Draw(0, ANY["8m"]), RiichiDeclared(0), Discard(0, ANY["8m"]), RiichiAccepted(0)]
    outcome = replay(bare, [*riichi_turn[:-1], ron(1, 0, ANY["8m"])], Rules(red_fives=None))
    assert (outcome.end().points, outcome.sticks) == (None, 0)
    assert replay(bare, riichi_turn, Rules(red_fives=None)).sticks is None


@pytest.mark.parametrize("ending", [Win(0, None, 53, honba=1), Ryuukyoku(None, honba=1)])
def test_honba(ending: Win | Ryuukyoku) -> None:
    """The honba count of a win or draw is the frame's."""
    with pytest.raises(PlayError, match=r"^the honba count is 1; 0 expected$"):
        play(Draw(0, 53), ending)
    play(Draw(0, 53), replace(ending, honba=0))
