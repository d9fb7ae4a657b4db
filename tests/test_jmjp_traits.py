"""What a dialect holds of a match; `test_round_trip.py` tests that it is what reads back."""

from __future__ import annotations

import pytest
from expected import expecting
from test_round_trip import FULL, each_way

from jmjp_convert.convert import Writing, written
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.traits import holding
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import (
    Disconnected,
    DoraRevealed,
    DrawKind,
    End,
    Frame,
    Hand,
    Limit,
    Match,
    Name,
    Player,
    PointRule,
    RiichiAccepted,
    Rules,
    Ryuukyoku,
    Score,
    Shuffle,
    Start,
    Text,
    Win,
    Yaku,
    handle,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import NO_REDS, PHYSICAL, RedFives, any_copy
from jmjp_convert.play.outcome_text import describe

held = expecting("jmjp")


def losses(match: Match, *, spec: str, compact: bool) -> tuple[str, ...]:
    """Return what is reported of *match*."""
    return holding(spec=spec, compact=compact).lost(match).otherwise


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
def test_two_red_fives(spec: str, *, compact: bool) -> None:
    """A comment keeps the number of red fives of each suit; without comments, only a red five in the game shows any."""
    match = replace(EMPTY, rules=Rules(red_fives=RedFives(1, 2, 1)))
    kept = spec != "0" and not compact
    assert held(match, spec=spec, compact=compact).rules.red_fives == (match.rules.red_fives if kept else None)
    assert holding(spec=spec, compact=compact).in_part("reds_by_suit") is not kept


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


@pytest.mark.parametrize(
    ("spec", "compact", "expected"),
    [
        ("0", False, "a\uff02\ufffd\uff3c"),
        ("1.0", True, "a\uff02\ufffd\uff3c"),
        ("1.0-beta", True, 'a"\ufffd\uff3c'),
        ("1.0", False, 'a"\n\\'),
        ("1.0-beta", False, 'a"\n\\'),
    ],
)
def test_handles(spec: str, expected: str, *, compact: bool) -> None:
    """A handle is held unchanged where a comment keeps it, otherwise as its string is."""
    match = replace(EMPTY, players=(Player(handle('a"\n\\')), *EMPTY.players[1:]))
    assert held(match, spec=spec, compact=compact).players[0].full_name == handle(expected)


@each_way
def test_names_of_two_parts(spec: str, *, compact: bool) -> None:
    """A comment keeps only the native family name of any other name; the rest is held as its strings are."""
    match = replace(EMPTY, players=(Player(Name(Text("a\n", "c\n"), Text(None, "b"))), *EMPTY.players[1:]))
    kept = spec != "0" and not compact
    expected = Name(Text("a\n" if kept else "a\ufffd", "c\ufffd"), Text(None, "b"))
    assert held(match, spec=spec, compact=compact).players[0].full_name == expected


@each_way
def test_surrogate(spec: str, *, compact: bool) -> None:
    """A lone surrogate is replaced, so that the text can be encoded."""
    match = replace(EMPTY, place=Text("a\ud800"))
    assert held(match, spec=spec, compact=compact) == replace(EMPTY, place=Text("a\ufffd"))
    written([match], Writing(spec=spec, compact=compact), print)


def test_custom_rules() -> None:
    """Only the table settings that Tenhou names are held, in its order, whatever the names of the others."""
    custom = (("rule", "r"), ("id", "x"), ("title", "a b"), ("c=d", "e"))
    match = replace(EMPTY, rules=Rules(custom=custom), source="s")
    assert held(match, spec="1.0", compact=False).rules.custom == (("title", "a b"), ("rule", "r"))
    written([match], Writing(), print)
    (loss,) = losses(match, spec="1.0", compact=False)
    assert loss == "private table settings other than Tenhou's are left out"


@pytest.mark.parametrize(
    ("ending", "lost"),
    [
        (Win(1, 0, 0, Score(30, 1000, Limit.NONE, (Yaku(8, 1),))), True),
        (Win(1, 0, 0), False),
        (Ryuukyoku(DrawKind.FOUR_WINDS), True),
        (Ryuukyoku(None), False),
        (Disconnected(0), False),
    ],
)
@pytest.mark.parametrize("own", [Text("終", "End"), Text("流局"), Text()])
def test_own_texts(ending: Win | Ryuukyoku | Disconnected, own: Text, *, lost: bool) -> None:
    """A recorder's own text takes the place of the one that tells the outcome, so that is reported as left out."""
    start = Start(0, 0, 0, 0, None, None, ((),) * 4)
    described = Frame(start, (ending,), End((), (25000,) * 4), None)
    remark = "fu, han, yaku, pao and kinds of draws are left out of hands with a recorder's text"
    for comment, said in ((own, [remark] * lost), (None, []), (describe(described), [])):
        match = replace(EMPTY, frames=(replace(described, comment=comment),))
        assert list(losses(match, spec="1.0", compact=False)) == said


HAND = tuple(range(0, 52, 4))
HANDS = (Hand(HAND), *[Hand(tuple(range(seat, 52, 4))) for seat in (1, 2, 3)])
YAKUMAN, MANGAN = Score(40, 32000, Limit.YAKUMAN, (Yaku(39),)), Score(30, 8000, Limit.MANGAN, (Yaku(5, 5),))
UNKNOWN_VALUE = "fu, han, yaku and pao are left out of hands in which the value of a win is unknown"
SHOWN, FU = "hands shown at some draws are left out", "fu of yakuman are left out"


@pytest.mark.parametrize(
    ("endings", "said"),
    [
        ((Win(1, 0, 0, YAKUMAN),), [FU]),
        ((Win(1, 0, 0, replace(YAKUMAN, fu=None)),), []),
        ((Win(1, 0, 0, MANGAN),), []),
        ((Win(1, 0, 0, MANGAN), Win(2, 0, 0)), [UNKNOWN_VALUE]),
        ((Win(1, 0, 0, pao=(2,)),), [UNKNOWN_VALUE]),
        ((Win(1, 0, 0),), []),
        ((Ryuukyoku(DrawKind.EXHAUSTIVE, (HAND, None, None, None)),), []),
        ((Ryuukyoku(DrawKind.EXHAUSTIVE, ((*HAND[1:], 5), None, None, None)),), [SHOWN]),
        ((Ryuukyoku(None, (HAND, None, None, None)),), [SHOWN]),
        ((Ryuukyoku(DrawKind.FOUR_RIICHI, tuple([hand.tiles for hand in HANDS])),), []),
        ((Ryuukyoku(DrawKind.FOUR_RIICHI, (HAND, None, None, None)),), [SHOWN]),
        ((Ryuukyoku(DrawKind.FOUR_WINDS, (HAND, None, None, None)),), [SHOWN]),
    ],
)
def test_values_that_texts_leave_out(endings: tuple[Win | Ryuukyoku, ...], said: list[str]) -> None:
    """What the text of a frame cannot say is reported, unless it follows from the kind of a draw."""
    frame = Frame(Start(0, 0, 0, 0, None, None, ((),) * 4), endings, End(HANDS, (25000,) * 4), None)
    assert list(losses(replace(EMPTY, frames=(frame,)), spec="1.0", compact=False)) == said


def test_draw_without_points() -> None:
    """A draw after which no points are known is left out, which is reported."""
    frame = Frame(Start(0, 0, 0, 0, None, None, ()), (Ryuukyoku(DrawKind.FOUR_WINDS),), End((), None), None)
    said = losses(replace(EMPTY, frames=(frame,)), spec="1.0", compact=False)
    assert said == ("draws after which no points are known are left out",)


@pytest.mark.parametrize("face", ["0p", "5p"])
@pytest.mark.parametrize("place", ["first", "kan", "turned", "ura"])
def test_red_indicators(face: str, place: str) -> None:
    """Jmjp has dora, not their indicators, so that one that is a red five is reported."""
    tile = any_copy(face)
    start = Start(
        0, 0, 0, 0, None, None, (), tile if place == "first" else 0, kan_indicators=(tile,) * (place == "kan")
    )
    events = (DoraRevealed(tile),) * (place == "turned") + (Win(0, None, 0, ura=(tile,) * (place == "ura")),)
    match = replace(EMPTY, frames=(Frame(start, events, End((), None), None),))
    said = losses(match, spec="1.0", compact=False)
    assert said == (("red fives among the dora indicators are left out",) if face == "0p" else ())


@pytest.mark.parametrize("results", [None, (40000, 0, -10000, -30000)])
@pytest.mark.parametrize("final", [(25000, 25000, 25000, 25000), (26000, 25000, 25000, 24000)])
def test_final_points(final: tuple[int, ...], results: tuple[int, ...] | None) -> None:
    """Points at the end are reported unless they follow from the results and the last frame."""
    frame = Frame(Start(0, 0, 0, 0, None, (25000,) * 4, ()), (Win(0, None, 0),), End((), (25000,) * 4), None)
    said = losses(replace(EMPTY, frames=(frame,), final_points=final, results=results), spec="1.0", compact=False)
    follows = results is not None and final == (25000,) * 4
    assert said == (() if follows else ("final points that do not follow from the rest are left out",))


@each_way
def test_empty_texts(spec: str, *, compact: bool) -> None:
    """A text in neither script is held as no text."""
    match = replace(EMPTY, place=Text(), players=(Player(team=Text(), affiliation=Text()), *EMPTY.players[1:]))
    assert held(match, spec=spec, compact=compact) == EMPTY


@pytest.mark.parametrize(("spec", "tenpai"), [("0", None), ("1.0", None), ("1.0-beta", 3000)])
def test_tenpai(spec: str, tenpai: int | None) -> None:
    """Only 1.0-beta holds the tenpai payment."""
    match = replace(EMPTY, point_rule=PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300, 3000))
    assert held(match, spec=spec, compact=False).point_rule == PointRule(
        25000, 30000, (20000, 10000, -10000, -20000), 300, tenpai
    )


@pytest.mark.parametrize(
    "uma", [(20000, 10000, -10000, -20000), (0, 0, 0, 0), (15000, 5000, -5000, -14000), (30000, 10000, -20000, -20000)]
)
@each_way
def test_uma(uma: tuple[int, ...], spec: str, *, compact: bool) -> None:
    """The rules of points are held if fourth place pays the uma of the first, and third that of the second."""
    rule = PointRule(25000, 30000, uma, 300)
    match, mirrored = replace(EMPTY, point_rule=rule), uma[:2] == (-uma[3], -uma[2])
    (found,) = read_jmjp(write_jmjp(match, spec=spec, compact=compact).encode())
    assert found == held(match, spec=spec, compact=compact)
    assert found.point_rule == (rule if mirrored else None)
    said = "target and uma left out unless fourth place pays first, and third pays second"
    assert (said in losses(match, spec=spec, compact=compact)) is not mirrored


def test_rules_need_a_head() -> None:
    """The rules are in the comment above a match, which is written only if another of its values is known."""
    rules = Rules(red_fives=NO_REDS)
    bare = replace(EMPTY, rules=rules)
    assert held(bare, spec="1.0", compact=False).rules == Rules(red_fives=None)
    assert held(replace(bare, source="a"), spec="1.0", compact=False).rules == rules
    assert held(replace(bare, source="a"), spec="1.0", compact=True).rules == Rules(red_fives=None)


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
