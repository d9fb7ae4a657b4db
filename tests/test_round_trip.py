"""To jmjp and back: what no dialect holds is listed here, and the rest reads back; `test_across.py` has logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from expected import expecting
from tables import table

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import (
    DISCARDS,
    TO_THE_LAST,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    Event,
    Frame,
    House,
    Kakan,
    Limit,
    Match,
    Name,
    Note,
    Player,
    PointRule,
    Pon,
    RecordedWall,
    Recorder,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Score,
    Shuffle,
    ShuffleForm,
    Start,
    Text,
    Thinking,
    Tournament,
    Win,
    Yaku,
    handle,
)
from jmjp_convert.model.record import Record, fields, replace
from jmjp_convert.model.tiles import NO_REDS, ONE_RED_EACH, UNKNOWN, dora, faces
from jmjp_convert.play.table import replay

held = expecting("jmjp")

WAYS = [(spec, compact) for spec in ("0", "1.0", "1.0-beta") for compact in (False, True)]

each_way = pytest.mark.parametrize(
    ("spec", "compact"), WAYS, ids=[f"{spec}{' compact' * compact}" for spec, compact in WAYS]
)


def assert_comes_back(match: Match, spec: str, *, compact: bool) -> None:
    """Check that *match* reads back from its text as the format holds it, and then gives the same text again."""
    text = write_jmjp(match, spec=spec, compact=compact)
    found = read_jmjp(text.encode())
    assert found == [held(match, spec=spec, compact=compact)]
    assert write_jmjp(found, spec=spec, compact=compact) == text


# --- a fully known match ---------------------------------------------------------------------------------------------

INDICATOR, KAN_INDICATOR = 107, 65
FACES = faces()
CUSTOM = (("title", "a b"), ("rule", "r"), ("ranking", "k"), ("csrule", "c"))
RULES = Rules(4, ONE_RED_EACH, 169, 12, CUSTOM, House.TENHOU)
POINTS = (25000, 24000, 26000, 25000)
CHIPS = (-1, 0, 2, -1)
DORA = (dora(INDICATOR), *[UNKNOWN] * 9)
COMMENT = Text("終", "End")


def deal(*first: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return hands that begin with the *first* tiles, one tuple per player; the rest is filled from the honors
    downward."""
    taken = {INDICATOR, KAN_INDICATOR, *(tile for tiles in first for tile in tiles)}
    rest = (tile for tile in range(135, 0, -1) if tile not in taken)
    return tuple((*tiles, *(next(rest) for _ in range(13 - len(tiles)))) for tiles in first)


def frame(
    wind: int,
    played: Sequence[Event],
    *first: tuple[int, ...],
    fourteenth: int | None = None,
    comment: Text | None = None,
    dice: tuple[int, int] | int = (3, 4),
) -> Frame:
    """Return the first frame of a *wind*, which never directly follows another."""
    hands = deal(*first)
    sticks = 2
    start = Start(4 * wind, 0, sticks, 0, dice, POINTS, hands, INDICATOR, "a seed", CHIPS, fourteenth)
    return Frame(start, tuple(played), replay(start, played, RULES).end(), DORA, comment)


def events(*some: Event) -> tuple[Event, ...]:
    """Return *some* events."""
    return some


def turn(player: int, drawn: int, discarded: int | None = None) -> list[Event]:
    """Return a draw and a discard, of the drawn tile by default."""
    return [Draw(player, drawn), Discard(player, drawn if discarded is None else discarded, discarded is None)]


PON = Pon(2, 52, (53, 54), 0)
CHI = Chi(1, 0, (4, 8), 0)
SCORE = Score(30, 7800, Limit.MANGAN, (Yaku(1, 1), Yaku(52, 2), Yaku(53, 0)))
YAKUMAN = Score(30, 32000, Limit.YAKUMAN, (Yaku(37),))
BEFORE = (25000, 24000, 25000, 25000)

MELDS = frame(
    0,
    [
        Disconnected(3),
        *[*turn(0, 40, 52), PON, Discard(2, 12, tsumogiri=False)],
        *[*turn(3, 41), *turn(0, 42, 0), CHI, Discard(1, 2, tsumogiri=False)],
        *events(
            Draw(2, 43), Kakan(2, 55, PON), Draw(2, 44), DoraRevealed(KAN_INDICATOR), Discard(2, 44, tsumogiri=True)
        ),
        *events(Draw(3, 91), Returned(3, "other"), Discard(3, 88, tsumogiri=False)),
        *events(Draw(0, 3), Ankan(0, (16, 17, 18, 19)), Draw(0, 45)),
        Win(
            0,
            None,
            45,
            SCORE,
            (1, 2),
            (66,),
            2,
            POINTS,
            (5000, -1000, -1000, -1000),
            chips=CHIPS,
            chip_yaku=((1, 1),),
            honba=0,
        ),
    ],
    *((0, 1, 52, 16, 17, 18, 19), (2, 4, 8), (12, 53, 54, 55), (88, 89)),
)
RIICHI = frame(
    1,
    [
        *[*turn(0, 40), *turn(1, 41)],
        *events(
            Draw(2, 3),
            RiichiDeclared(2, open=True),
            Disconnected(2),
            Discard(2, 2, tsumogiri=False),
            RiichiAccepted(2, BEFORE),
        ),
        *[*turn(3, 42), *turn(0, 43, 12), Daiminkan(3, 12, (13, 14, 15), 0)],
        *[*turn(3, 44), Win(0, 3, 44, changes=(4000, 0, 0, -1000), chips=CHIPS)],
    ],
    *((12,), (), (2,), (13, 14, 15)),
    comment=COMMENT,
)
FOURTEENTH = frame(
    2,
    [
        Discard(0, 3, tsumogiri=True),
        *turn(1, 41),
        Ryuukyoku(DrawKind.EXHAUSTIVE, (None,) * 4, 2, POINTS, (3000, -1000, -1000, -1000), CHIPS, 0),
        Disconnected(1),
        Returned(1),
    ],
    *((0,), (), (), ()),
    fourteenth=3,
    dice=7,
)
TWO_WINS = frame(
    3,
    [
        *turn(0, 40),
        Win(1, 0, 40, SCORE, sticks=2, changes=(-1000, 3000, 0, 0), chips=CHIPS),
        Win(3, 0, 40, YAKUMAN, sticks=0, changes=(-2000, 0, 0, 2000), chips=CHIPS),
    ],
    *((), (), (), ()),
)

WALL = RecordedWall((3, 135), dealt=True, hash="0a", algorithm="md5", salt="b", salted_hash="1c")
TIMES = (Thinking(1200, autoplay=True), *(None,) * (len(FOURTEENTH.events) - 1))

FULL = Match(
    RULES,
    (
        Player(handle('a"b'), None, 16, 2135.55, "M", 7, "8", Text("組", "Team"), Text("会", "Ass"), (100, -200)),
        Player(handle("\ufffd"), b"\xff", 1, 1500, "F", 9, "10", Text("A"), Text(None, "B"), (None, 300)),
        Player(
            Name(Text("姓", "Fam"), Text("名", "Giv")), None, 2, 1.125, "C", -1, "", Text("C"), Text("D"), (400, None)
        ),
        Player(handle("d"), None, 3, 2.0, "M", 0, "2", Text("E"), Text("F"), (None, None), "豪★1", 5, 6),
    ),
    (MELDS, RIICHI, replace(FOURTEENTH, wall=WALL, thinking=TIMES, notes=(Note(1, "why?"),)), TWO_WINS),
    id="2011020417gm-00a9-0012-b67fcaa3",
    source="file.xml",
    tournament=Tournament(Text('杯"', "Cup"), 2011, Text("一", "1st"), 3, 4),
    date="20110204",
    weekday="fri",
    time="1707",
    place=Text("天\n鳳", "Tenhou"),
    recorders=(Recorder(Name(Text("記", "Rec"))), Recorder(None, ((0, 0), (8, 0)))),
    shuffle=Shuffle(ShuffleForm.BASE64, "x"),
    point_rule=PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300, 3000),
    before=(Disconnected(3), Returned(3)),
    final_points=(25000,) * 4,
    results=(-41000, 13000, 44000, -16000),
    tour_points=((100, 200), (None, 300), (400, None), (None, None)),
    chips=((-1, "0"), (0, "0"), (2, "0"), (-1, "0")),
    ratio="2000,10",
    started=1296806820,
    ended=1296808620,
    rank_changes=(-30, 0, 60, -30),
    yakitori=(0, -10000, 0, 10000),
)

# --- losses ----------------------------------------------------------------------------------------------------------

COPIES = "the copy of a tile"
ORDER = "a disconnection between a riichi and its discard, which moves before the riichi"

EVERYWHERE, BUT_IN_BETA, WITH_COMMENTS, WITHOUT_COMMENTS, A_QUOTE_IN_A_NAME = (
    frozenset(table("round_trip", name))
    for name in ("everywhere", "but in beta", "with comments", "without comments", "a quote in a name")
)
DROPPED = {
    ("0", False): EVERYWHERE | BUT_IN_BETA | WITHOUT_COMMENTS | A_QUOTE_IN_A_NAME,
    ("0", True): EVERYWHERE | BUT_IN_BETA | WITHOUT_COMMENTS | A_QUOTE_IN_A_NAME,
    ("1.0", False): EVERYWHERE | BUT_IN_BETA | WITH_COMMENTS,
    ("1.0", True): EVERYWHERE | BUT_IN_BETA | WITHOUT_COMMENTS | A_QUOTE_IN_A_NAME,
    ("1.0-beta", False): EVERYWHERE | WITH_COMMENTS,
    ("1.0-beta", True): EVERYWHERE | WITHOUT_COMMENTS,
}
"""The fields of the model that differ when read back, by dialect and compact."""

TILES = frozenset(("tile", "taken", "drawn", "fourteenth", "tiles", "hand", "hands", "dora"))
"""The fields that hold tiles."""


def alike(value: Any, other: Any) -> bool:
    """Return whether tiles, or tuples of them, have the same faces, in whatever order their copies are."""
    if isinstance(value, int) and isinstance(other, int):
        return FACES[value] == FACES[other]
    if not isinstance(value, tuple) or not isinstance(other, tuple) or len(value) != len(other):
        return False
    if value and not isinstance(value[0], int):
        return isinstance(value[0], tuple) and all(map(alike, value, other))
    return sorted(FACES[tile] for tile in value) == sorted(FACES[tile] for tile in other)


def differences(value: Any, back: Any, path: str = "") -> Iterator[str]:
    """Yield the fields, without the indices of players, frames and events, in which *back* differs from *value*."""
    name = path.rpartition(".")[2]
    if value == back:
        return
    if name == "events":
        yield from differences_of_events(value, back, path)
    elif name in TILES and alike(value, back):
        yield COPIES
    elif isinstance(value, Record) and type(value) is type(back):
        for field in fields(value):
            mine, other = getattr(value, field), getattr(back, field)
            yield from differences(mine, other, f"{path}.{field}".lstrip("."))
    elif (
        isinstance(value, tuple)
        and isinstance(back, tuple)
        and len(value) == len(back)
        and isinstance(value[0], Record)
    ):
        for mine, other in zip(value, back, strict=True):
            yield from differences(mine, other, path)
    else:
        yield path


def differences_of_events(played: Sequence[Event], back: Sequence[Event], path: str) -> Iterator[str]:
    """Yield how events differ; if the number of events of a kind differs, that kind."""
    lost = set()
    for kind in {*map(type, played), *map(type, back)}:
        mine, other = ([event for event in some if type(event) is kind] for some in (played, back))
        if len(mine) != len(other):
            lost.add(kind)
            yield f"{path}.{kind.__name__}"
        else:
            for one, another in zip(mine, other, strict=True):
                yield from differences(one, another, f"{path}.{kind.__name__}")
    if [type(event) for event in played if type(event) not in lost] != [
        type(event) for event in back if type(event) not in lost
    ]:
        yield ORDER


def every(value: Any) -> Iterator[str]:
    """Yield all fields of *value* and of its parts."""
    if isinstance(value, Record):
        for field in fields(value):
            yield f"{type(value).__name__}.{field}"
            yield from every(getattr(value, field))
    elif isinstance(value, tuple):
        for one in value:
            yield from every(one)


def filled(value: Any, path: str = "") -> Iterator[str]:
    """Yield the fields of *value*, at *path*, and of its parts that have a value."""
    if isinstance(value, Record):
        yield path
        for field in fields(value):
            yield from filled(getattr(value, field), f"{type(value).__name__}.{field}")
    elif isinstance(value, tuple) and value:
        yield path
        for one in value:
            yield from filled(one, path)
    elif value is not None and value != ():
        yield path


def test_full() -> None:
    """In the match below the table, every field of the model is filled somewhere, except for what a winner shows and
    what only other formats leave half known."""
    unfilled = {"Win.hand", "Win.melds", "Win.indicators", "Start.kan_indicators", "Score.han_alone", "Rules.east_only"}
    assert {*every(FULL)} - {*filled(FULL)} == unfilled


@each_way
def test_table(spec: str, *, compact: bool) -> None:
    """Exactly the fields in the table differ between a fully known match and what is read back."""
    (back,) = read_jmjp(write_jmjp(FULL, spec=spec, compact=compact).encode())
    assert {*differences(FULL, back)} == DROPPED[spec, compact]


@each_way
def test_full_comes_back(spec: str, *, compact: bool) -> None:
    """What is read back of it is what the format holds, and gives the same text again."""
    assert_comes_back(FULL, spec, compact=compact)


@each_way
def test_several_come_back(spec: str, *, compact: bool) -> None:
    """Several matches in one file read back as they do alone, each with its own comments."""
    games = [FULL, replace(FULL, id=None, source=None, before=(), chips=None, ratio=None), FULL]
    text = write_jmjp(games, spec=spec, compact=compact)
    found = read_jmjp(text.encode())
    assert found == [held(game, spec=spec, compact=compact) for game in games]
    assert write_jmjp(found, spec=spec, compact=compact) == text


# --- occasional losses -----------------------------------------------------------------------------------------------


def read_back(match: Match, spec: str = "1.0", *, compact: bool = False) -> Match:
    """Return *match* as it reads back."""
    (back,) = read_jmjp(write_jmjp(match, spec=spec, compact=compact).encode())
    assert back == held(match, spec=spec, compact=compact)
    return back


def of(*frames: Frame) -> Match:
    """Return a match of *frames*."""
    return replace(FULL, frames=frames)


@each_way
def test_shown_by_a_winner(spec: str, *, compact: bool) -> None:
    """What a winner shows is not held: it follows from the hands at the end."""
    hand = (40, *TWO_WINS.start.hands[1])
    win = Win(1, 0, 40, sticks=2, changes=(-1000, 3000, 0, 0), hand=hand, melds=(), indicators=(INDICATOR,))
    made = frame(0, [*turn(0, 40), win], (), (), (), ())
    back = read_back(of(made), spec, compact=compact).frames[0].events[-1]
    assert isinstance(back, Win)
    assert (back.hand, back.melds, back.indicators, back.changes) == (None, None, None, (-1000, 3000, 0, 0))


@each_way
@pytest.mark.parametrize("kind", DrawKind)
def test_draws(kind: DrawKind, spec: str, *, compact: bool) -> None:
    """Our text tells the kind of a draw. With a recorder's own text, only a triple ron shows, by its acts."""
    drawn = Ryuukyoku(kind, changes=(0, 0, 0, 0))
    for comment, known in ((None, kind), (COMMENT, kind if kind is DrawKind.TRIPLE_RON else None)):
        made = frame(0, [*turn(0, 40), drawn], (), (), (), (), comment=comment)
        found = read_back(of(made), spec, compact=compact).frames[0]
        assert found.endings == [Ryuukyoku(known, changes=(0, 0, 0, 0))]


@each_way
@pytest.mark.parametrize("kind", DrawKind)
def test_hands_shown(kind: DrawKind, spec: str, *, compact: bool) -> None:
    """The hands of those who are tenpai are held, since our text says who that is; those shown at other draws are not.
    With a recorder's own text, none are."""
    for comment in (None, COMMENT):
        _, south, _, north = deal((40,), *[()] * 3)
        shown = (None, south, None, north)
        drawn = Ryuukyoku(kind, shown, changes=(0, 0, 0, 0))
        made = frame(0, [*turn(0, 41), drawn], (40,), (), (), (), comment=comment)
        (found,) = read_back(of(made), spec, compact=compact).frames[0].endings
        assert isinstance(found, Ryuukyoku)
        if comment is None and kind in TO_THE_LAST:
            assert found.shown is not None
            assert [hand is not None for hand in found.shown] == [hand is not None for hand in shown]
            assert alike((found.shown[1], found.shown[3]), (south, north))
        else:
            assert found.shown is None


@each_way
def test_values_with_an_own_text(spec: str, *, compact: bool) -> None:
    """With a recorder's own text, the value of a win and pao are not held."""
    win = Win(1, 0, 40, SCORE, pao=(2,), changes=(-1000, 3000, 0, 0))
    made = frame(0, [*turn(0, 40), win], (), (), (), (), comment=COMMENT)
    (found,) = read_back(of(made), spec, compact=compact).frames[0].endings
    assert isinstance(found, Win)
    assert (found.score, found.pao) == (None, ())


@each_way
@pytest.mark.parametrize("presences", [0, 1])
def test_riichi_at_the_break(presences: int, spec: str, *, compact: bool) -> None:
    """In a frame that breaks off, a riichi counts as accepted only if play continues."""
    riichi = events(Draw(0, 40), RiichiDeclared(0), Discard(0, 40, tsumogiri=True), RiichiAccepted(0))
    gone = events(Disconnected(1)) * presences
    broken = read_back(of(frame(0, [*riichi, *gone], (), (), (), ())), spec, compact=compact).frames[0]
    assert RiichiAccepted(0) not in broken.events
    went_on = read_back(of(frame(0, [*riichi, *gone, Draw(1, 41)], (), (), (), ())), spec, compact=compact).frames[0]
    assert RiichiAccepted(0) in went_on.events


@each_way
def test_red_fives_are_rules_only_if_seen(spec: str, *, compact: bool) -> None:
    """Without the comments, only the tiles show red fives; their absence is never known."""
    with_comments = spec != "0" and not compact
    plain = replace(RULES, red_fives=NO_REDS, code=171)
    for rules, hand in ((RULES, (16,)), (RULES, (0,)), (plain, (16,))):
        start = Start(0, 0, 0, 0, None, None, deal(hand, *[() for _ in "swn"]), None)
        played = turn(0, 40)
        tiles = {tile for dealt in start.hands for tile in dealt}
        match = replace(
            of(), rules=rules, frames=(Frame(start, tuple(played), replay(start, played, rules).end(), None),)
        )
        seen = tiles & {16, 52, 88} and rules.red_fives == ONE_RED_EACH
        expected = rules.red_fives if with_comments else ONE_RED_EACH if seen else None
        assert read_back(match, spec, compact=compact).rules.red_fives == expected


@each_way
def test_frames_without_play(spec: str, *, compact: bool) -> None:
    """A frame with only its points recorded keeps them, and everything unknown stays unknown."""
    start = Start(5, 2, None, 1, None, None, ())
    bare = Frame(start, (), MELDS.end, None, COMMENT)
    bare = replace(bare, end=replace(bare.end, hands=()))
    assert read_back(of(bare), spec, compact=compact).frames == (bare,)


@pytest.mark.parametrize("spec", ["1.0", "1.0-beta"])
def test_partly_known_tiles(spec: str) -> None:
    """What is read is held in full: faces without copies, unknown tiles, discards of either copy."""
    (first,) = read_jmjp(write_jmjp(FULL, spec=spec).encode())
    assert read_back(first, spec) == first
    shown = [event for frame in first.frames for event in frame.events if isinstance(event, Discard)]
    assert shown
    assert all(event is DISCARDS[event.tsumogiri][event.player][event.tile] for event in shown)
