"""Writing each part of the model in each dialect of jmjp."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Kakan,
    Kita,
    Match,
    Name,
    Player,
    PointRule,
    Pon,
    Recorder,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Shuffle,
    ShuffleForm,
    Start,
    Text,
    Tournament,
    Win,
    handle,
    tenhou,
)
from jmjp_convert.model.tiles import UNKNOWN, any_copy
from jmjp_convert.play.table import replay

SPECS = ["0", "1.0", "1.0-beta"]
NAMES = ("A", "B", "C", "D")
INDICATOR = 107

each_spec = pytest.mark.parametrize("spec", SPECS)


def deal(*first: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return hands that begin with the *first* tiles, one tuple per player, filled up from the highest tiles down."""
    rest = (tile for tile in range(135, 0, -1) if tile not in {*(tile for tiles in first for tile in tiles), INDICATOR})
    return tuple((*tiles, *(next(rest) for _ in range(13 - len(tiles)))) for tiles in first)


HANDS = deal((0, 1, 16, 52, 19), (2, 4, 5, 8, 17, 18), (53, 54, 55, 12, 20), (88, 89, 92, 93))


def frame(
    *events: Event,
    hands: tuple[tuple[int, ...], ...] = HANDS,
    dealer: int = 0,
    rules: Rules | None = None,
    comment: Text | None = None,
) -> Frame:
    """Return a frame of *events*."""
    start = Start(dealer, 0, 0, dealer, (3, 4), (25000, -500, 30000, 45500), hands, INDICATOR)
    outcome = replay(start, events, rules or Rules())
    return Frame(start, events, outcome.end(), (UNKNOWN,) * 10, comment)


def match(*frames: Frame, rules: Rules | None = None) -> Match:
    """Return a match of *frames*."""
    return Match(rules or Rules(), tuple(Player(handle(name)) for name in NAMES), frames)


def write(game: Match, spec: str = "1.0") -> list[str]:
    """Return the lines of *game*."""
    return write_jmjp(game, spec=spec).splitlines()


def flow(*events: Event, spec: str = "1.0", hands: tuple[tuple[int, ...], ...] = HANDS) -> list[str]:
    """Return the lines of a frame's acts and of the comments between them."""
    lines = write(match(frame(*events, hands=hands)), spec)
    first = next(place for place, line in enumerate(lines) if line.startswith("frm["))
    return [line.removeprefix("  ") for line in lines[first + 5 : -6]]


def lying(*events: Event, spec: str = "1.0", hands: tuple[tuple[int, ...], ...] = HANDS) -> dict[str, str]:
    """Return the fourteenth tile and the melds of the ending hands, by seat."""
    found = [
        re.fullmatch(r"  \((.),hnd\[\w+,(\w*,.*)\]\)", line) for line in write(match(frame(*events, hands=hands)), spec)
    ]
    return {line[1]: line[2] for line in found if line}


def turn(player: int, drawn: int, discarded: int | None = None) -> list[Event]:
    """Return a draw and a discard, by default of the drawn tile."""
    return [Draw(player, drawn), Discard(player, drawn if discarded is None else discarded, discarded is None)]


# --- acts ------------------------------------------------------------------------------------------------------------

PON = Pon(2, 52, (53, 54), 0)
KAN = Daiminkan(2, 52, (53, 54, 55), 0)
ANKAN_HANDS = deal((16, 17, 18), (), (), ())

BEFORE_KAKAN = [
    *[*turn(0, 40, 52), PON, Discard(2, 12, tsumogiri=False)],
    *[*turn(3, 41), *turn(0, 42), *turn(1, 43), Draw(2, 60)],
]
ACTS_BEFORE_KAKAN = ["(e,2p,0p)", "(w,pn[5p5p],4m)", "(n,2p,tg)", "(e,2p,tg)", "(s,2p,tg)"]

ACTS: dict[str, tuple[Sequence[Event], list[str]]] = {
    "nothing": ((), []),
    "tsumogiri": (turn(0, 40), ["(e,2p,tg)"]),
    "karagiri": (turn(0, 3, 0), ["(e,1m,kg)"]),
    "another tile": (turn(0, 40, 0), ["(e,2p,1m)"]),
    "red five for a plain one": ([Draw(0, 24), Discard(0, 16, tsumogiri=False)], ["(e,7m,0m)"]),
    "plain five, red one discarded": (
        [*turn(0, 40), *turn(1, 41), *turn(2, 42), *turn(3, 43), Draw(0, 56), Discard(0, 52, tsumogiri=False)],
        ["(e,2p,tg)", "(s,2p,tg)", "(w,2p,tg)", "(n,2p,tg)", "(e,6p,0p)"],
    ),
    "two fives": ([*turn(0, 40), *turn(1, 91)], ["(e,2p,tg)", "(s,5s,tg)"]),
    "draw without a discard": ([Draw(0, 40)], ["(e,2p,)"]),
    "riichi": (
        [Draw(0, 40), RiichiDeclared(0), Discard(0, 40, tsumogiri=True), RiichiAccepted(0), *turn(1, 41)],
        ["(e,2p,rc[2p])", "(s,2p,tg)"],
    ),
    "riichi from the hand": ([Draw(0, 40), RiichiDeclared(0), Discard(0, 0, tsumogiri=False)], ["(e,2p,rc[1m])"]),
    "riichi by karagiri": (
        [Draw(0, 3), RiichiDeclared(0), Discard(0, 0, tsumogiri=False)],
        ["// tenhou riichi=karagiri", "(e,1m,rc[1m])"],
    ),
    "chi": ([*turn(0, 40, 0), Chi(1, 0, (4, 8), 0), Discard(1, 2, tsumogiri=False)], ["(e,2p,1m)", "(s,ch[2m3m],1m)"]),
    "chi and nothing": ([*turn(0, 40, 0), Chi(1, 0, (4, 8), 0)], ["(e,2p,1m)", "(s,ch[2m3m],)"]),
    "pon": ([*turn(0, 40, 52), PON, Discard(2, 55, tsumogiri=False)], ["(e,2p,0p)", "(w,pn[5p5p],5p)"]),
    "pon with the red five": (
        [*turn(0, 40, 19), Pon(1, 19, (17, 18), 0), Discard(1, 2, tsumogiri=False)],
        ["(e,2p,5m)", "(s,pn[5m5m],1m)"],
    ),
    "daiminkan": (
        [*turn(0, 40, 52), KAN, Draw(2, 41), DoraRevealed(87), Discard(2, 12, tsumogiri=False)],
        ["(e,2p,0p)", "(w,dk[5p5p5p],)", "(w,rs[2p],4m)"],
    ),
    "daiminkan and tsumogiri": (
        [*turn(0, 40, 52), KAN, *turn(2, 41), *turn(3, 42)],
        ["(e,2p,0p)", "(w,dk[5p5p5p],)", "(w,rs[2p],tg)", "(n,2p,tg)"],
    ),
    "daiminkan and nothing": ([*turn(0, 40, 52), KAN], ["(e,2p,0p)", "(w,dk[5p5p5p],)"]),
    "kakan": (
        [*BEFORE_KAKAN, Kakan(2, 55, PON), Draw(2, 61), Discard(2, 20, tsumogiri=False)],
        [*ACTS_BEFORE_KAKAN, "(w,7p,kk[5p])", "(w,rs[7p],6m)"],
    ),
    "robbed kakan": (
        [*BEFORE_KAKAN, Kakan(2, 55, PON), Win(3, 2, 55)],
        [*ACTS_BEFORE_KAKAN, "(w,7p,kk[5p])", "(n,ro,)"],
    ),
    "tsumo": ([Draw(0, 40), Win(0, None, 40)], ["(e,2p,tm)"]),
    "tsumo on a replacement tile": (
        [*turn(0, 40, 52), KAN, Draw(2, 41), Win(2, None, 41)],
        ["(e,2p,0p)", "(w,dk[5p5p5p],)", "(w,rs[2p],tm)"],
    ),
    "ron": ([*turn(0, 40), Win(2, 0, 40)], ["(e,2p,tg)", "(w,ro,)"]),
    "two rons": ([*turn(0, 40), Win(3, 0, 40), Win(1, 0, 40)], ["(e,2p,tg)", "(n,ro,)", "(s,ro,)"]),
    "three rons": (
        [*turn(0, 40), *turn(1, 41), Ryuukyoku(DrawKind.TRIPLE_RON, (HANDS[0], None, *HANDS[2:]))],
        ["(e,2p,tg)", "(s,2p,tg)", "(w,ro,)", "(n,ro,)", "(e,ro,)"],
    ),
    "three rons, of which one hand is shown": (
        [*turn(0, 40), Ryuukyoku(DrawKind.TRIPLE_RON, (None, None, HANDS[2], None), changes=(0, 0, 0, 0))],
        ["(e,2p,tg)", "(s,ro,)", "(w,ro,)", "(n,ro,)"],
    ),
    "nine terminals": (
        [Draw(0, 40), Ryuukyoku(DrawKind.NINE_TERMINALS, ((*HANDS[0], 40), None, None, None))],
        ["(e,2p,)"],
    ),
    "bye": ([Disconnected(3), *turn(0, 40)], ["// tenhou bye player=3", "(e,2p,tg)"]),
    "bye in an act": (
        [Draw(0, 40), Disconnected(0), Discard(0, 40, tsumogiri=True), Returned(0)],
        ["// tenhou bye player=0 at=draw", "(e,2p,tg)", "// tenhou back player=0"],
    ),
    "bye after a call": (
        [*turn(0, 40, 0), Chi(1, 0, (4, 8), 0), Disconnected(1), Discard(1, 2, tsumogiri=False)],
        ["(e,2p,1m)", "// tenhou bye player=1 at=draw", "(s,ch[2m3m],1m)"],
    ),
    "bye in a riichi": (
        [Draw(0, 3), RiichiDeclared(0), Disconnected(0), Discard(0, 0, tsumogiri=False)],
        ["// tenhou bye player=0 at=draw", "// tenhou riichi=karagiri", "(e,1m,rc[1m])"],
    ),
    "bye after a daiminkan": (
        [*turn(0, 40, 52), KAN, Disconnected(0), Draw(2, 41), Discard(2, 12, tsumogiri=False)],
        ["(e,2p,0p)", "(w,dk[5p5p5p],)", "// tenhou bye player=0", "(w,rs[2p],4m)"],
    ),
    "back under another name": (
        [Returned(1, "桜 %"), *turn(0, 40)],
        ["// tenhou back player=1 name=%E6%A1%9C%20%25", "(e,2p,tg)"],
    ),
    "bye between a discard and its ron": (
        [*turn(0, 40), Disconnected(1), Win(2, 0, 40)],
        ["(e,2p,tg)", "// tenhou bye player=1", "(w,ro,)"],
    ),
}


@pytest.mark.parametrize(("events", "expected"), ACTS.values(), ids=ACTS)
def test_acts(events: Sequence[Event], expected: list[str]) -> None:
    """Events become acts, one per turn, with disconnections and returns between them."""
    assert flow(*events) == expected


@pytest.mark.parametrize("kind", [kind for kind in DrawKind if kind is not DrawKind.TRIPLE_RON])
def test_draws_have_no_act(kind: DrawKind) -> None:
    """A draw other than three rons has no act, no matter who shows a hand."""
    shown = (HANDS[0], None, *HANDS[2:])
    assert flow(*turn(0, 40), *turn(1, 41), Ryuukyoku(kind, shown)) == ["(e,2p,tg)", "(s,2p,tg)"]


def test_ankan() -> None:
    """An ankan names its four tiles, the red five first, and a replacement tile follows."""
    kan = Ankan(0, (16, 17, 18, 19))
    assert flow(Draw(0, 19), kan, *turn(0, 40), hands=ANKAN_HANDS) == ["(e,5m,ak[0m5m5m5m])", "(e,rs[2p],tg)"]


def test_kan_after_kan() -> None:
    """A replacement tile may complete the next kan."""
    hands = deal((16, 17, 18, 4, 5, 6), (), (), ())
    events: list[Event] = [Draw(0, 19), Ankan(0, (16, 17, 18, 19)), Draw(0, 7), Ankan(0, (4, 5, 6, 7)), *turn(0, 40)]
    assert flow(*events, hands=hands) == ["(e,5m,ak[0m5m5m5m])", "(e,rs[2m],ak[2m2m2m2m])", "(e,rs[2p],tg)"]
    assert lying(*events, hands=hands)["e"] == ",ank[2m2m2m2m]ank[0m5m5m5m]"


def test_robbed_ankan() -> None:
    """A robbed ankan is an act, but not a meld."""
    events: list[Event] = [Draw(0, 19), Ankan(0, (16, 17, 18, 19)), Win(1, 0, 19)]
    assert flow(*events, hands=ANKAN_HANDS) == ["(e,5m,ak[0m5m5m5m])", "(s,ro,)"]
    assert lying(*events, hands=ANKAN_HANDS)["e"] == ","
    assert lying(*events, hands=ANKAN_HANDS)["s"] == "5m,"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("0", ["(e,2p,0p)", "(w,pn,5p)"]),
        ("1.0", ["(e,2p,0p)", "(w,pn[5p5p],5p)"]),
        ("1.0-beta", ["(e,2p,0p)", "(w,pn[5p5p],5p)"]),
    ],
)
def test_pon_of_a_dialect(spec: str, expected: list[str]) -> None:
    """Dialect 0 does not name the tiles of a pon."""
    assert flow(*turn(0, 40, 52), PON, Discard(2, 55, tsumogiri=False), spec=spec) == expected


@pytest.mark.parametrize(("spec", "word"), [("0", "ak[5m]"), ("1.0", "ak[0m5m5m5m]"), ("1.0-beta", "ak[0m5m5m5m]")])
def test_ankan_of_a_dialect(spec: str, word: str) -> None:
    """Dialect 0 names only the plain five of an ankan of fives."""
    events: list[Event] = [Draw(0, 19), Ankan(0, (16, 17, 18, 19))]
    assert flow(*events, hands=ANKAN_HANDS, spec=spec) == [f"(e,5m,{word})"]


@pytest.mark.parametrize(("spec", "word"), [("0", "ro"), ("1.0", "ro"), ("1.0-beta", "rn")])
def test_ron_of_a_dialect(spec: str, word: str) -> None:
    """A ron is `ro`, in 1.0-beta `rn`."""
    assert flow(*turn(0, 40), Win(2, 0, 40), spec=spec) == ["(e,2p,tg)", f"(w,{word},)"]


def test_dialect_0_has_no_comments() -> None:
    """Dialect 0 leaves out what has no field."""
    events: list[Event] = [Disconnected(1), Draw(0, 3), RiichiDeclared(0), Discard(0, 0, tsumogiri=False)]
    assert flow(*events, spec="0") == ["(e,1m,rc[1m])"]
    assert "//" not in write_jmjp(replace(match(frame(*events)), before=(Disconnected(0),)), spec="0")


def test_seats_are_winds() -> None:
    """Seats are the winds of the frame: the dealer is East in acts, hands and points."""
    lines = write(match(frame(*turn(2, 40), *turn(3, 41), dealer=2)))
    first = next(place for place, line in enumerate(lines) if line.startswith("frm["))
    assert "pfs[30.0,45.5,25.0,-0.5]" in lines[first]
    assert lines[first + 1].startswith("  (e,hnd[4m6m5p5p5p")
    assert lines[first + 3].startswith("  (w,hnd[1m1m0m5m0p")
    assert lines[first + 5 : first + 7] == ["  (e,2p,tg)", "  (s,2p,tg)"]


def test_no_red_fives() -> None:
    """Without red fives all fives are plain, and discarding one for another is karagiri."""
    rules = Rules(red_fives=False)
    lines = write(match(frame(Draw(0, 91), Discard(0, 91, tsumogiri=True), Draw(1, 23), rules=rules), rules=rules))
    assert not re.search("0[mps]", "".join(line for line in lines if "hnd" in line))
    hands = deal((52,), (), (), ())
    lines = write(match(frame(Draw(0, 53), Discard(0, 52, tsumogiri=False), rules=rules, hands=hands), rules=rules))
    assert "  (e,5p,kg)" in lines


# --- hands -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "pon", "kan", "kakan"),
    [
        ("0", "pon[0p,t]", "dmk[0p,t]", "kkn[0p,t]"),
        ("1.0", "pon[0p,5p5p,t]", "dmk[0p,5p5p5p,t]", "kkn[5p,0p,5p5p,t]"),
        ("1.0-beta", "pon[0p,5p5p,t]", "dmk[0p,5p5p5p,t]", "kkn[5p,0p,5p5p,t]"),
    ],
)
def test_melds(spec: str, pon: str, kan: str, kakan: str) -> None:
    """A meld names the called tile, from dialect 1.0 on the other tiles, and the giver."""
    called = [*turn(0, 40, 52), PON, Discard(2, 12, tsumogiri=False)]
    assert lying(*called, spec=spec)["w"] == f",{pon}"
    assert lying(*turn(0, 40, 52), KAN, spec=spec)["w"] == f",{kan}"
    added = [*called, *turn(3, 41), *turn(0, 42), *turn(1, 43), Draw(2, 60), Kakan(2, 55, PON)]
    assert lying(*added, spec=spec)["w"] == f",{kakan}"
    assert lying(*added, Win(3, 2, 55), spec=spec)["w"] == f",{pon}"


@pytest.mark.parametrize(("source", "word"), [(1, "s"), (2, "t"), (3, "k")])
def test_giver(source: int, word: str) -> None:
    """The giver is shimocha, toimen or kamicha of the caller."""
    hands = deal((0, 1), *([(2,) if player == source else () for player in (1, 2, 3)]))
    turns = [event for player in range(source) for event in turn(player, 40 + player)]
    events = [*turns, Draw(source, 43), Discard(source, 2, tsumogiri=False), Pon(0, 2, (0, 1), source)]
    assert lying(*events, hands=hands)["e"] == f",pon[1m,1m1m,{word}]"


@each_spec
def test_chi(spec: str) -> None:
    """A chi names the called tile first and never the giver, who is kamicha."""
    hands = deal((19,), (12, 20), (), ())
    assert lying(*turn(0, 40, 19), Chi(1, 19, (12, 20), 0), hands=hands, spec=spec)["s"] == ",chi[5m,4m6m]"


def test_melds_newest_first() -> None:
    """The newest meld comes first."""
    hands = deal((0, 12), (4, 8, 16, 20), (), ())
    first, second = Chi(1, 0, (4, 8), 0), Chi(1, 12, (16, 20), 0)
    events = [
        *turn(0, 40, 0),
        first,
        Discard(1, hands[1][-1], tsumogiri=False),
        *turn(2, 41),
        *turn(3, 42),
        *turn(0, 43, 12),
        second,
    ]
    assert lying(*events, hands=hands)["s"] == ",chi[4m,0m6m]chi[1m,2m3m]"


@pytest.mark.parametrize(
    ("events", "fourteenth"),
    [
        (turn(0, 40), {"e": "", "s": "", "w": "", "n": ""}),
        ([Draw(0, 40)], {"e": "2p", "s": "", "w": "", "n": ""}),
        ([Draw(0, 40), Win(0, None, 40)], {"e": "2p", "s": "", "w": "", "n": ""}),
        ([*turn(0, 40), Win(1, 0, 40), Win(3, 0, 40)], {"e": "", "s": "2p", "w": "", "n": "2p"}),
        ([*turn(0, 40), Ryuukyoku(DrawKind.TRIPLE_RON, (None, *HANDS[1:]))], {"e": "", "s": "", "w": "", "n": ""}),
        ([Draw(0, 40), Ryuukyoku(DrawKind.NINE_TERMINALS)], {"e": "2p", "s": "", "w": "", "n": ""}),
    ],
)
def test_fourteenth(events: Sequence[Event], fourteenth: dict[str, str]) -> None:
    """The fourteenth tile is a winner's, or one drawn but not discarded."""
    assert lying(*events) == {seat: f"{tile}," for seat, tile in fourteenth.items()}


def test_start_hands() -> None:
    """Starting hands are thirteen tiles in ascending order, red fives before plain ones."""
    hands = deal((91, 19, 90, 0, 16, 88, 17), (), (), ())
    lines = write(match(frame(hands=hands)))
    first = next(place for place, line in enumerate(lines) if line.startswith("frm["))
    assert lines[first + 1].startswith("  (e,hnd[1m0m5m5m0s5s5s")
    assert lines[first + 1].endswith(",,])")
    assert all(len(re.sub(r".*hnd\[|,,\]\)", "", line)) == 26 for line in lines[first + 1 : first + 5])


# --- frames ----------------------------------------------------------------------------------------------------------


def test_frame_head() -> None:
    """A frame begins with its name, sticks, dice, points by seat, and ten dora."""
    start = Start(6, 12, 3, 2, (1, 6), (25000, -500, 30000, 45500), HANDS, INDICATOR)
    dora = (any_copy("6p"), any_copy("1s"), *[UNKNOWN] * 8)
    made = Frame(start, (), replay(start, [], Rules()).end(), dora)
    assert "frm[S3-12,3.0,1-6,pfs[30.0,45.5,25.0,-0.5],6p1sukukukukukukukuk," in write(match(made))


def test_no_dice() -> None:
    """Dice that are not recorded are left out."""
    made = frame()
    assert any(
        line.startswith("frm[E1-0,0.0,,pfs[")
        for line in write(match(replace(made, start=replace(made.start, dice=None))))
    )


@pytest.mark.parametrize(
    ("events", "dealer", "end"),
    [
        ([*turn(0, 40), Win(2, 0, 40, changes=(-25000, 0, 25000, 0))], 0, ",pfe[0.0,-0.5,55.0,45.5],]"),
        ([*turn(2, 40), Ryuukyoku(None, changes=(1000, 1000, -3000, 1000))], 2, ",pfe[27.0,46.5,26.0,0.5],]"),
        ([Draw(0, 40)], 0, ',,snt["未完"]srm["Unfinished"]]'),
        (
            [*turn(0, 40), Ryuukyoku(DrawKind.FOUR_WINDS, changes=(0,) * 4)],
            0,
            ',pfe[25.0,-0.5,30.0,45.5],snt["四風連打"]srm["Four winds"]]',
        ),
    ],
)
def test_frame_end(events: Sequence[Event], dealer: int, end: str) -> None:
    """A frame ends with the points by seat, if it is finished, and its outcome, if that is known."""
    assert write(match(frame(*events, dealer=dealer)))[-2] == end


def test_own_comment() -> None:
    """A frame's own comment replaces the generated one."""
    made = frame(*turn(0, 40), Ryuukyoku(DrawKind.FOUR_WINDS, changes=(0,) * 4), comment=Text("風", None))
    assert write(match(made))[-2] == ',pfe[25.0,-0.5,30.0,45.5],snt["風"]]'


def test_connections_after_the_end() -> None:
    """Disconnections and returns after the end of a frame are written between it and the next."""
    events = [*turn(0, 40), Ryuukyoku(None), Disconnected(1), Returned(1)]
    lines = write(match(frame(*events), frame(Draw(0, 40))))
    place = lines.index("// tenhou bye player=1")
    assert lines[place + 1] == "// tenhou back player=1"
    assert lines[place - 1].endswith("]")
    assert lines[place + 2].startswith("frm[")


def test_connections_without_play() -> None:
    """Disconnections and returns in a frame without recorded play are written after it."""
    unplayed = Frame(
        Start(1, 0, None, 1, None, None, (), None), (Disconnected(1), Returned(1)), End((), None), None, Text()
    )
    lines = write(match(frame(Draw(0, 40)), unplayed))
    assert lines[-3:] == ["// tenhou bye player=1", "// tenhou back player=1", ")"]
    assert lines[-5:-3] == ["frm[E2-0,,,,,", ",,]"]


# --- the match -------------------------------------------------------------------------------------------------------

EMPTY = Match(Rules(), tuple(Player(handle(name)) for name in NAMES), ())
FULL = Match(
    tenhou.rules(169, 0, (("title", "a b"), ("csrule", "x"))),
    (
        Player(handle('"'), None, 16, 2135.55, "M"),
        Player(handle("B"), gold=7, rc="8"),
        Player(None, b"\xff"),
        Player(handle("D")),
    ),
    (),
    id="2011020417gm-00a9-0000-b67fcaa3",
    tournament=Tournament(Text("天鳳 四鳳南喰赤", "Tenhou")),
    date="20110204",
    weekday="fri",
    time="1707",
    place=Text("天鳳", "Tenhou"),
    recorders=(Recorder(Name(Text("天鳳", "Tenhou"))),),
    shuffle=Shuffle(ShuffleForm.BASE64, "x"),
    point_rule=PointRule(25000, 30000, 20000, 10000, 300, 3000),
    before=(Disconnected(3), Returned(3)),
    final_points=(25000,) * 4,
    results=(-41000, 13000, 44000, -16000),
    chips=((-1, "0"), (0, "0"), (2, "0"), (-1, "0")),
    ratio="2000,10",
)


def test_empty_match() -> None:
    """Unknown values are left empty or left out."""
    assert write(EMPTY) == [
        "jmjp[1.0]",
        "(",
        "mtp[,,,]",
        *(f'ply[{number},(snt["{name}"],),,,]' for number, name in enumerate(NAMES)),
        ")",
    ]


def test_full_match() -> None:
    """Known values are written in their fields, or in comments where there is no field."""
    assert write(FULL) == [
        "jmjp[1.0]",
        "// tenhou id=2011020417gm-00a9-0000-b67fcaa3 type=169 lobby=0 shuffle=base64 title=a%20b csrule=x",
        '// tenhou player=0 dan=16 rate=2135.55 sex=M name="',
        "// tenhou player=1 gold=7 rc=8",
        "// tenhou player=2 name=%FF",
        "// tenhou player=3",
        "(",
        'tnm[snt["天鳳 四鳳南喰赤"]srm["Tenhou"],,,,]',
        'mtp[20110204,fri,1707,snt["天鳳"]srm["Tenhou"]]',
        'rec[(snt["天鳳"]srm["Tenhou"],),all]',
        'ply[0,(snt["\uff02"],),,,]',
        'ply[1,(snt["B"],),,,]',
        "ply[2,,,,]",
        'ply[3,(snt["D"],),,,]',
        "ptr[25.0,30.0,(20.0,10.0),0.3]",
        "// tenhou bye player=3",
        "// tenhou back player=3",
        "// tenhou chips=-1,0,0,0,2,0,-1,0 ratio=2000,10",
        "pme[-41.0,13.0,44.0,-16.0]",
        ")",
    ]


@pytest.mark.parametrize(
    ("spec", "header", "recorder", "rule", "name"),
    [
        ("0", "jmjp[0]", '[snt["天鳳"]srm["Tenhou"],]', "0.3]", 'ply[0,[snt["\uff02"],],,,]'),
        ("1.0", "jmjp[1.0]", '(snt["天鳳"]srm["Tenhou"],)', "0.3]", 'ply[0,(snt["\uff02"],),,,]'),
        ("1.0-beta", "jmjp[1.0]", '(snt["天鳳"]srm["Tenhou"],)', "0.3,3.0]", 'ply[0,(snt["\\""],),,,]'),
    ],
)
def test_match_of_a_dialect(spec: str, header: str, recorder: str, rule: str, name: str) -> None:
    """Dialects differ in the header, the brackets of names, quotes, and the tenpai payment."""
    lines = write(FULL, spec)
    assert lines[0] == header
    assert f"rec[{recorder},all]" in lines
    assert f"ptr[25.0,30.0,(20.0,10.0),{rule}" in lines
    assert name in lines


def test_original_name() -> None:
    """A comment keeps a name only if the dialect cannot hold it."""
    assert "name=" in write(FULL, "1.0")[2]
    assert "name=" not in write(FULL, "1.0-beta")[2]


@pytest.mark.parametrize(
    ("form", "word"),
    [(ShuffleForm.BASE64, "base64"), (ShuffleForm.HEX, "hex"), (ShuffleForm.OLD, "old"), (None, "none")],
)
def test_shuffle(form: ShuffleForm | None, word: str) -> None:
    """The form of the shuffle is kept, but not its seed."""
    game = replace(EMPTY, source="a", shuffle=form and Shuffle(form, "secret"))
    assert write(game)[1] == f"// tenhou source=a house=none shuffle={word}"


def test_no_such_day() -> None:
    """A day that does not exist has no weekday."""
    assert "mtp[20110230,,,]" in write(replace(EMPTY, date="20110230"))


def test_chips() -> None:
    """In a chip game, chips are written above a frame and its wins."""
    made = frame(*turn(0, 40), Win(2, 0, 40, chips=(-3, 0, 3, 0), chip_yaku=((2, 1), (54, 2))))
    made = replace(made, start=replace(made.start, chips=(-1, 0, 2, -1)))
    lines = write(match(made))
    assert lines[lines.index("// tenhou chips=-1,0,2,-1") + 1].startswith("frm[")
    assert lines[lines.index("  // tenhou chips=-3,0,3,0 chipyaku=2,1,54,2") + 1] == "  (w,ro,)"


# --- files -----------------------------------------------------------------------------------------------------------

GAME = replace(FULL, frames=(frame(*turn(0, 40), Disconnected(0), *turn(1, 41)), frame(Draw(0, 40))))


@each_spec
def test_compact(spec: str) -> None:
    """Compact text is the same in one line, without comments and indentation."""
    pretty = write_jmjp(GAME, spec=spec).splitlines()
    joined = "".join(line.strip() for line in pretty if not line.strip().startswith("//"))
    assert write_jmjp(GAME, spec=spec, compact=True) == f"{joined}\n"


@each_spec
@pytest.mark.parametrize("compact", [False, True])
def test_lines(spec: str, *, compact: bool) -> None:
    """A file ends with one line feed and has no other line ends, tabs or trailing spaces."""
    text = write_jmjp(GAME, spec=spec, compact=compact)
    assert text.endswith(")\n")
    assert not re.search(r"[\r\t]| \n|\n\n", text)
    assert text.count("\n") == 1 or not compact


@each_spec
def test_characters(spec: str) -> None:
    """Line feeds and other controls in names are never written as they are."""
    game = replace(EMPTY, players=(Player(handle("a\nb\r\x00")), *EMPTY.players[1:]))
    text = write_jmjp(game, spec=spec)
    assert 'snt["a\ufffdb\ufffd\ufffd"]' in text
    if spec != "0":
        assert "// tenhou player=0 name=a%0Ab%0D%00\n" in text


def test_default() -> None:
    """The default is dialect 1.0 with line breaks."""
    assert write_jmjp(GAME) == write_jmjp([GAME], spec="1.0", compact=False)


def test_several_matches() -> None:
    """Several matches share a header; each has its comments above it."""
    lines = write_jmjp(iter([FULL, EMPTY])).splitlines()
    assert lines == [*write(FULL), *write(EMPTY)[1:]]
    assert write_jmjp([EMPTY, EMPTY], compact=True).count("\n") == 1


def test_writing_changes_nothing() -> None:
    """Writing a match does not change it."""
    assert write_jmjp(GAME) == write_jmjp(GAME)


@each_spec
def test_three_players(spec: str) -> None:
    """A match of three players is rejected, alone and among others."""
    game = replace(EMPTY, rules=Rules(players=3), players=EMPTY.players[:3])
    for games in (game, [EMPTY, game]):
        with pytest.raises(FormatError, match=r"^jmjp cannot hold three-player games$"):
            write_jmjp(games, spec=spec)


def test_kita() -> None:
    """A kita is rejected, since jmjp has no keyword for it."""
    made = frame(Draw(0, 40))
    with pytest.raises(FormatError, match=r"^jmjp cannot hold a kita$"):
        write_jmjp(match(replace(made, events=(Draw(0, 120), Kita(0, 120)))))


def test_paid_triple_ron() -> None:
    """A triple ron draw with payments is rejected, since it would read back as three wins."""
    paid = Ryuukyoku(DrawKind.TRIPLE_RON, changes=(2000, 1000, -4000, 1000))
    with pytest.raises(
        FormatError, match=r"^jmjp cannot hold a triple ron draw with payments; it would read back as three wins$"
    ):
        flow(*turn(0, 40), *turn(1, 41), *turn(2, 42), paid)


FIVE, RED_FIVE = any_copy("5p"), any_copy("0p")


@pytest.mark.parametrize(
    "meld",
    [
        Pon(2, FIVE, (UNKNOWN, UNKNOWN), 0),
        Pon(2, FIVE, (FIVE, UNKNOWN), 0),
        Pon(2, FIVE, (RED_FIVE, FIVE), 0),
        Daiminkan(2, FIVE, (FIVE, FIVE, UNKNOWN), 0),
    ],
)
def test_melds_that_cannot_be_inferred(meld: Pon | Daiminkan) -> None:
    """Dialect 0 omits the tiles of pon and kan, so a meld whose tiles cannot be inferred is rejected."""
    assert_rejected_in_dialect_0(hidden(meld))


def test_kakan_known_only_at_the_end() -> None:
    """Dialect 0 omits the added tile of a kakan in a hand, so one known only from the ending hand is rejected."""
    pon = Pon(2, FIVE, (FIVE, FIVE), 0)
    unseen = [DRAWS[player][UNKNOWN] for player in (3, 0, 1)], [DISCARDS[True][player][UNKNOWN] for player in (3, 0, 1)]
    until_west = [event for pair in zip(*unseen, strict=True) for event in pair]
    frame = hidden(pon, Discard(2, UNKNOWN, tsumogiri=False), *until_west, Draw(2, UNKNOWN), Kakan(2, UNKNOWN, pon))
    assert write(match(frame), "0")
    hands = [replace(hand, melds=(Kakan(2, FIVE, pon),)) if hand.melds else hand for hand in frame.end.hands]
    assert_rejected_in_dialect_0(replace(frame, end=replace(frame.end, hands=tuple(hands))))


def hidden(*events: Event) -> Frame:
    """Return a frame with unknown hands in which East discards a 5p and *events* follow."""
    start = Start(0, 0, 0, 0, None, None, tuple((UNKNOWN,) * 13 for _ in range(4)))
    played = (Draw(0, UNKNOWN), Discard(0, FIVE), *events)
    return Frame(start, played, replay(start, played, Rules()).end(), None)


def assert_rejected_in_dialect_0(frame: Frame) -> None:
    """Check that *frame* can be written, but not in dialect 0."""
    assert write(match(frame))
    reason = "frame E1-0: dialect 0 omits the tiles of pon and kan, and they cannot be inferred from the play"
    with pytest.raises(FormatError, match=f"^{reason}$"):
        write(match(frame), "0")


def test_unknown_dialect() -> None:
    """An unknown dialect is rejected, naming the known ones."""
    with pytest.raises(FormatError, match=r"^unknown jmjp dialect '2\.0'; choose from 0, 1\.0, 1\.0-beta$"):
        write_jmjp(EMPTY, spec="2.0")
