"""majiang: how each thing in the model is written, in which order, and that a reader plays it to the same end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from majiang_reader import Ju, Meld, Refused, plain, read_majiang, read_meld
from test_play_dora_indicators import AT_ONCE
from test_real_logs import each_log_of_four, match

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.majiang.notation import words
from jmjp_convert.formats.majiang.writer import write_majiang
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import (
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
    Hand,
    Kakan,
    Limit,
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
    Score,
    Start,
    Text,
    Tournament,
    Win,
    Yaku,
    handle,
)
from jmjp_convert.model import Meld as ModelMeld
from jmjp_convert.model.tiles import UNKNOWN, any_copy, faces

VALID = Path(__file__).parent.parent / "fixtures" / "valid"

NAMES = {
    **{f"{number}{suit}": f"{suit}{number}" for suit in "mps" for number in range(10)},
    **{face: f"z{number}" for number, face in enumerate(("ew", "sw", "ww", "nw", "wd", "gd", "rd"), 1)},
    "uk": "_",
}

POINTS = (25000, 25000, 25000, 25000)
EVEN = (0, 0, 0, 0)
HANDS = (
    (135, 0, 16, 17, 18, 19, 36, 52, 53, 72, 88, 108, 112),
    tuple(range(20, 33)),
    tuple(range(54, 67)),
    tuple(range(89, 102)),
)
LYING = tuple(map(Hand, HANDS))
INDICATOR = 107
PON = Pon(2, 52, (53, 54), 0)
RULE = PointRule(25000, 30000, 20000, 10000, 300, 3000)
RON = Win(1, 0, 60, changes=EVEN)


def frame(
    *events: Event,
    indicator: int | None = INDICATOR,
    points: tuple[int, ...] | None = POINTS,
    hands: tuple[tuple[int, ...], ...] = HANDS,
    sticks: int | None = 1,
    honba: int = 2,
    fourteenth: int | None = None,
    lying: tuple[Hand, ...] = LYING,
    end: tuple[int, ...] | None = POINTS,
) -> Frame:
    """Return a frame of *events*, which need not be consistent: South 2, player 1 is East."""
    start = Start(5, honba, sticks, 1, (3, 4), points, hands, indicator, fourteenth=fourteenth)
    return Frame(start, events, End(lying, end), None)


def game(*frames: Frame, rules: Rules | None = None, **values: Any) -> Match:
    """Return a match of *frames*."""
    players = tuple(Player(handle(name)) for name in "ABCD")
    return replace(Match(rules or Rules(), players, frames), **values)


def record(played: Match) -> dict[str, Any]:
    """Return the record of a match."""
    found: dict[str, Any] = json.loads(write_majiang(played))
    return found


def steps(*events: Event, rules: Rules | None = None, **values: Any) -> list[str]:
    """Return the steps for *events*, each as text."""
    written = record(game(frame(*events, **values), rules=rules, point_rule=RULE))["log"][0]
    return [json.dumps(step, ensure_ascii=False, separators=(",", ":")) for step in written[1:]]


# --- whole games -----------------------------------------------------------------------------------------------------


def ends(played: Match) -> list[Ju]:
    """Return the ends of the frames of a log, in majiang's notation."""
    names = [NAMES[face] for face in faces(red_fives=played.rules.red_fives)]
    found = []
    for one in played.frames:
        assert one.end.points is not None or not one.endings
        indicators = [
            one.start.indicator,
            *(event.indicator for event in one.events if isinstance(event, DoraRevealed)),
        ]
        hands = [sorted(names[tile] for tile in hand.tiles) for hand in one.end.hands]
        melds = [[meld(lying, names) for lying in hand.melds] for hand in one.end.hands]
        points = one.end.points or one.start.points or ()
        found.append(
            Ju(
                by_seat(hands, one),
                by_seat(melds, one),
                by_seat(points, one),
                ["_" if tile is None else names[tile] for tile in indicators],
            )
        )
    return found


def by_seat(values: Sequence[Any], one: Frame) -> list[Any]:
    """Return *values*, given by player, by seat."""
    return [values[(one.start.dealer + seat) % 4] for seat in range(4)]


def meld(lying: ModelMeld, names: Sequence[str]) -> Meld:
    """Return a meld in majiang's notation."""
    if isinstance(lying, Ankan):
        return Meld("ankan", tuple(sorted(names[tile] for tile in lying.tiles)))
    assert isinstance(lying, Chi | Pon | Daiminkan | Kakan)
    called = lying.pon if isinstance(lying, Kakan) else lying
    tiles = [called.taken, *called.hand, *([lying.tile] if isinstance(lying, Kakan) else [])]
    tiles_ = tuple(sorted(names[tile] for tile in tiles))
    return Meld(type(lying).__name__.lower(), tiles_, names[called.taken], (called.source - called.player) % 4)


def check_played(played: Match) -> None:
    """Check that a reader arrives at the ends of the frames and of the match."""
    found, frames = read_majiang(write_majiang(played))
    assert frames == ends(played)
    if played.final_points is not None:
        assert found["defen"] == list(played.final_points)


@each_log_of_four
def test_real_log(path: Path) -> None:
    """A reader that plays a log's record arrives at its hands, melds, points and dora, frame by frame."""
    check_played(match(path))


def test_fixture(valid_input: Path) -> None:
    """A reader that plays an invented log's record arrives at the same ends."""
    check_played(read_mjlog(valid_input))


TWO_KAKAN = write_majiang(read_mjlog(VALID / "kakan-after-kakan.xml"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"l":1,"p":"p9"', '"l":1,"p":"z4"'),
        ('"l":1,"p":"z1_"', '"l":1,"p":"z2_"'),
        ('"m":"m444-"', '"m":"m444="'),
        ('"m":"p777+"', '"m":"p77+7"'),
        ('"m":"p777+7"', '"m":"p777+6"'),
        ('"m":"m444-4"', '"m":"m4444-"'),
        ('{"gangzimo":{"l":1,"p":"p7"}}', '{"zimo":{"l":1,"p":"p7"}}'),
        ('"baopai":"z3"', '"baopai":"m4"'),
        ('"fenpei":[0,1300,-1300,0]', '"fenpei":[0,1400,-1300,0]'),
        ('"lizhibang":0', '"lizhibang":1'),
        ('"fubaopai":null', '"fubaopai":["z1","z1","z1"]'),
        ('"l":0,"p":"m4_"', '"p":"m4_","l":0'),
    ],
)
def test_reader_rejects(old: str, new: str) -> None:
    """The reader of these tests rejects an altered game."""
    assert old in TWO_KAKAN
    with pytest.raises((Refused, ValueError)):
        read_majiang(TWO_KAKAN.replace(old, new))


def test_every_step_counts() -> None:
    """The reader rejects a game with a step missing, except for a turned dora."""
    whole = json.loads(TWO_KAKAN)
    first = whole["log"][0]
    assert len(first) > 20
    for place, step in enumerate(first[:-1]):
        if "kaigang" not in step:
            with pytest.raises((Refused, ValueError)):
                read_majiang(json.dumps({**whole, "log": [[*first[:place], *first[place + 1 :]]]}))


@pytest.mark.parametrize(
    "text",
    [
        *("m12-4", "m1-2-3", "m123", "m123+", "z1-23", "m213-", "m055+", "m505", "m550=4", "m5055+", "m55-5", "p55-50"),
        *("m444", "m44-", "", "m5555+5", "z888-"),
    ],
)
def test_reader_rejects_meld(text: str) -> None:
    """The reader rejects a meld that is not in canonical form."""
    with pytest.raises(Refused):
        read_meld(text)


# --- notation --------------------------------------------------------------------------------------------------------


def tiles(text: str) -> tuple[int, ...]:
    """Return tiles of the faces in *text*, unspecified copies, ascending."""
    return tuple(sorted(any_copy(text[place : place + 2]) for place in range(0, len(text), 2)))


def called(kind: type[Chi | Pon | Daiminkan], taken: str, held: str, *, source: int) -> Chi | Pon | Daiminkan:
    """Return a meld of player 1."""
    return kind(1, any_copy(taken), tiles(held), source)


SHIMOCHA, TOIMEN, KAMICHA = 2, 3, 0


@pytest.mark.parametrize(
    ("lying", "expected"),
    [
        # koba::blog has each of these: a chi with a held red five, a pon of a called one, a daiminkan.
        (called(Chi, "0s", "4s6s", source=KAMICHA), "s40-6"),
        (called(Pon, "5p", "5p0p", source=SHIMOCHA), "p505+"),
        (called(Daiminkan, "5m", "5m5m0m", source=TOIMEN), "m5505="),
        (called(Chi, "1m", "2m3m", source=KAMICHA), "m1-23"),
        (called(Chi, "2m", "1m3m", source=KAMICHA), "m12-3"),
        (called(Chi, "3m", "1m2m", source=KAMICHA), "m123-"),
        (called(Chi, "3m", "4m0m", source=KAMICHA), "m3-40"),
        (called(Chi, "7s", "0s6s", source=KAMICHA), "s067-"),
        (called(Pon, "0m", "5m5m", source=SHIMOCHA), "m550+"),
        (called(Pon, "5s", "5s5s", source=KAMICHA), "s555-"),
        (called(Pon, "wd", "wdwd", source=TOIMEN), "z555="),
        (called(Daiminkan, "0p", "5p5p5p", source=TOIMEN), "p5550="),
        (called(Daiminkan, "rd", "rdrdrd", source=KAMICHA), "z7777-"),
        (Ankan(1, tiles("5s5s5s0s")), "s5550"),
        (Ankan(1, tiles("gdgdgdgd")), "z6666"),
        (Kakan(1, any_copy("5m"), Pon(1, any_copy("5m"), tiles("5m0m"), SHIMOCHA)), "m505+5"),
        (Kakan(1, any_copy("5p"), Pon(1, any_copy("0p"), tiles("5p5p"), TOIMEN)), "p550=5"),
        (Kakan(1, any_copy("0s"), Pon(1, any_copy("5s"), tiles("5s5s"), KAMICHA)), "s555-0"),
        (Kakan(1, any_copy("nw"), Pon(1, any_copy("nw"), tiles("nwnw"), KAMICHA)), "z444-4"),
    ],
)
def test_meld(lying: ModelMeld, expected: str) -> None:
    """The direction sign follows the called tile; a red five comes after the plain ones of the hand."""
    assert words(red_fives=True).meld(lying) == expected


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ((43, 0, 35, 105, 25, 59, 84, 51, 121, 74, 67, 40, 52), "m179p224068s149z4"),  # of koba::blog
        (tiles("1m5m0m5mew"), "m1055z1"),
        ((), ""),
        (tiles("rdrd"), "z77"),
        ((*tiles("1m"), UNKNOWN, UNKNOWN), "m1__"),
        ((UNKNOWN,) * 13, "_" * 13),
    ],
)
def test_hand(ids: Iterable[int], expected: str) -> None:
    """A hand ascends and names each suit once; unknown tiles come last."""
    assert words(red_fives=True).hand(ids) == expected


def test_no_red_fives() -> None:
    """Without red fives every five is plain."""
    plain_words = words(red_fives=False)
    assert plain_words.hand((16, 17, 52)) == "m55p5"
    assert plain_words.meld(Pon(1, 52, (53, 54), 0)) == "p555-"


# --- output ----------------------------------------------------------------------------------------------------------


def test_record() -> None:
    """A record has the keys that the viewer needs, in order, and a line for each frame."""
    played = game(
        frame(), frame(), id="2011", final_points=(9100, 23100, 36400, 31400), results=(-90900, -6900, 26400, 71400)
    )
    text = write_majiang(replace(played, tournament=Tournament(Text("天鳳 四鳳南喰赤"))))
    assert [line[:8] for line in text.split("\n")] == ['{"title"', '[{"qipai', '[{"qipai', '],"defen', ""]
    assert list(json.loads(text)) == ["title", "player", "qijia", "log", "defen", "rank", "point"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"tournament": Tournament(Text("天鳳 四鳳南喰赤")), "id": "2011gm"}, "四鳳南喰赤\n2011gm"),
        ({"tournament": Tournament(Text(None, "Cup"), stage=Text("一"))}, "Cup\n一"),
        ({"tournament": Tournament(Text("杯")), "date": "20110204"}, "杯\n20110204"),
        ({"id": "2011gm", "date": "20110204"}, "2011gm"),
        ({}, ""),
    ],
)
def test_title(values: dict[str, Any], expected: str) -> None:
    """The title is the tournament or rules, with the log ID or, without one, the date."""
    assert record(game(frame(), **values))["title"] == expected


@pytest.mark.parametrize(
    ("player", "expected"),
    [
        (Player(handle("-ron-"), dan=16, rate=2135.55), "-ron-\n(七段 R2135)"),
        (Player(handle("a"), dan=0, rate=1500), "a\n(新人 R1500)"),
        (Player(handle("a"), dan=1, rate=1500.99), "a\n(9級 R1500)"),
        (Player(handle("a"), dan=9), "a\n(1級)"),
        (Player(handle("a"), dan=10), "a\n(初段)"),
        (Player(handle("a"), dan=20, rate=2242.00), "a\n(天鳳位 R2242)"),
        (Player(handle("a"), dan=21), "a"),
        (Player(handle("a"), rank="豪★1", rate=619), "a\n(豪★1 R619)"),
        (Player(handle("a"), rate=1234.56), "a\n(R1234)"),
        (Player(Name(Text("姓", "Family"), Text("名", "Given"))), "姓 名"),
        (Player(), ""),
    ],
)
def test_player(player: Player, expected: str) -> None:
    """A player has a name, and below it rank and rating, if known."""
    assert record(replace(game(frame()), players=(player, *[Player()] * 3)))["player"][0] == expected


def test_result() -> None:
    """The result is the points, the places (the lower player number first in a tie), and the points after uma and
    oka."""
    found = record(game(frame(), final_points=(30000, 9100, 30000, 30900), results=(-500, -90900, 0, 91400)))
    assert found["defen"] == [30000, 9100, 30000, 30900]
    assert found["rank"] == [2, 4, 3, 1]
    assert found["point"] == ["-0.5", "-90.9", "0.0", "91.4"]


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        # As the last frame leaves them, with the two leftover sticks for first place.
        (
            game(frame(RiichiAccepted(0), Ryuukyoku(None, changes=EVEN), end=(24000, 25000, 25500, 25500))),
            (24000, 25000, 27500, 25500),
        ),
        (
            game(
                frame(RiichiAccepted(0), Ryuukyoku(None, changes=EVEN), end=(24000, 25000, 25500, 25500)),
                recorders=(Recorder(None, ((5, 2),)),),
            ),
            (24000, 25000, 25500, 25500),
        ),
        # The riichi is accepted if something follows its tile.
        (
            game(frame(), frame(RiichiAccepted(2), Draw(3, 0), points=(100, 200, 3000, 400), end=None)),
            (100, 200, 2000, 400),
        ),
        (game(frame(), frame(RiichiAccepted(2), points=(100, 200, 3000, 400), end=None)), (100, 200, 3000, 400)),
    ],
)
def test_no_result(played: Match, expected: tuple[int, ...]) -> None:
    """Without a result, the last known points are written; the viewer needs the keys."""
    found = record(played)
    assert found["defen"] == list(expected)
    assert found["point"] == [""] * 4


def test_start_of_a_frame() -> None:
    """A frame starts with wind, number, honba, sticks, and by seat the points and the sorted hands."""
    start = record(game(frame(points=(25000, -3200, 30000, 45500), indicator=88)))["log"][0][0]
    assert list(start["qipai"].items())[:-1] == [
        ("zhuangfeng", 1),
        ("jushu", 1),
        ("changbang", 2),
        ("lizhibang", 1),
        ("defen", [-3200, 30000, 45500, 25000]),
        ("baopai", "s0"),
    ]
    assert start["qipai"]["shoupai"] == [
        *("m6666777788889", "p5566667777888", "s5556666777788", "m10555p105s10z127"),
    ]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([Draw(1, 16)], ['{"zimo":{"l":0,"p":"m0"}}']),
        ([Draw(0, 135), Discard(0, 135)], ['{"zimo":{"l":3,"p":"z7"}}', '{"dapai":{"l":3,"p":"z7_"}}']),
        ([Draw(0, 17), Discard(0, 16)], ['{"dapai":{"l":3,"p":"m0"}}']),
        ([Draw(1, 4), RiichiDeclared(1), Discard(1, 0), RiichiAccepted(1)], ['{"dapai":{"l":0,"p":"m1*"}}']),
        ([Draw(1, 4), RiichiDeclared(1), Discard(1, 4), RiichiAccepted(1)], ['{"dapai":{"l":0,"p":"m2_*"}}']),
        ([RiichiDeclared(1), Discard(1, 4), Draw(2, 5), Discard(2, 6)], ['{"dapai":{"l":1,"p":"m2"}}']),
        ([Chi(1, 16, (12, 20), 0)], ['{"fulou":{"l":0,"m":"m40-6"}}']),
        ([PON], ['{"fulou":{"l":1,"m":"p550="}}']),
        (
            [Daiminkan(3, 135, (132, 133, 134), 0), Draw(3, 0)],
            ['{"fulou":{"l":2,"m":"z7777+"}}', '{"gangzimo":{"l":2,"p":"m1"}}'],
        ),
        ([Kakan(2, 55, PON), Draw(2, 0)], ['{"gang":{"l":1,"m":"p550=5"}}', '{"gangzimo":{"l":1,"p":"m1"}}']),
        ([Ankan(1, (16, 17, 18, 19)), Draw(1, 0)], ['{"gang":{"l":0,"m":"m5550"}}', '{"gangzimo":{"l":0,"p":"m1"}}']),
        ([Disconnected(1), Draw(1, 16), Returned(1)], ['{"zimo":{"l":0,"p":"m0"}}']),
    ],
)
def test_event(events: list[Event], expected: list[str]) -> None:
    """Each event is a step, by the seats of the frame."""
    assert steps(*events)[-len(expected) :] == expected


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([Draw(0, any_copy("5m")), Discard(0, any_copy("5m"))], "m5_"),
        ([Draw(0, any_copy("5m")), Discard(0, any_copy("5m"), tsumogiri=False)], "m5"),
        ([Draw(0, any_copy("5m")), Discard(0, any_copy("0m"))], "m0"),
        ([Chi(0, 16, (12, 20), 3), Discard(0, 0)], "m1"),
        ([Draw(0, UNKNOWN), Discard(0, any_copy("6m"))], "m6"),
        ([RiichiAccepted(0), Draw(0, UNKNOWN), Discard(0, any_copy("6m"))], "m6_"),
    ],
)
def test_tsumogiri(events: list[Event], expected: str) -> None:
    """A discard of the tile just drawn, or of one that may be it, and any discard after riichi, is tsumogiri."""
    assert json.loads(steps(*events)[-1])["dapai"]["p"] == expected


def test_unknown_tiles() -> None:
    """An unknown tile is an underscore, and so is an unknown dora."""
    first = record(game(frame(Draw(1, UNKNOWN), hands=((UNKNOWN,) * 13, *HANDS[1:]), indicator=None)))["log"][0]
    assert (first[0]["qipai"]["baopai"], first[0]["qipai"]["shoupai"][3]) == ("_", "_" * 13)
    assert first[1] == {"zimo": {"l": 0, "p": "_"}}


def test_fourteenth() -> None:
    """A fourteenth tile dealt to the dealer is drawn."""
    found = steps(Discard(1, 16), fourteenth=16)
    assert found == ['{"zimo":{"l":0,"p":"m0"}}', '{"dapai":{"l":0,"p":"m0_"}}']


KAKAN, OTHER_KAKAN = Kakan(0, 55, PON), Kakan(0, 7, Pon(0, 4, (5, 6), 1))
ANKAN, DAIMINKAN = Ankan(0, (16, 17, 18, 19)), Daiminkan(0, 135, (132, 133, 134), 1)
DRAWN, GONE = Draw(0, 40), Discard(0, 40)
DORA, OTHER = DoraRevealed(0), DoraRevealed(4)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        # From the tests of tenhou-log.
        ([ANKAN, DORA, DRAWN, GONE], "gang gangzimo m1 dapai"),
        ([DAIMINKAN, DRAWN, DORA, GONE], "fulou gangzimo dapai m1"),
        ([KAKAN, DRAWN, DORA, GONE], "gang gangzimo dapai m1"),
        ([KAKAN, DRAWN, OTHER_KAKAN, DORA, DRAWN, OTHER, GONE], "gang gangzimo gang gangzimo m1 dapai m2"),
        ([KAKAN, DRAWN, ANKAN, DORA, OTHER, DRAWN, GONE], "gang gangzimo gang m1 gangzimo m2 dapai"),
        ([DAIMINKAN, DRAWN, ANKAN, DORA, OTHER, DRAWN], "fulou gangzimo gang m1 gangzimo m2"),
        ([KAKAN, DORA, DRAWN, GONE], "gang gangzimo m1 dapai"),
        ([ANKAN, DORA, DRAWN, Win(0, None, 40, changes=EVEN)], "gang gangzimo m1 hule"),
        ([KAKAN, DRAWN, Win(0, None, 40, changes=EVEN)], "gang gangzimo hule"),
        ([KAKAN, DORA, Win(1, 0, 55, changes=EVEN)], "gang m1 hule"),
        ([ANKAN, DORA, Ryuukyoku(None, changes=EVEN)], "gang m1 pingju"),
    ],
)
def test_dora(events: list[Event], expected: str) -> None:
    """A turned dora comes after the next draw or discard, or before the next turned dora or the end."""
    found = [json.loads(step) for step in steps(*events)]
    assert " ".join(step["kaigang"]["baopai"] if "kaigang" in step else next(iter(step)) for step in found) == expected


YAKU = (Yaku(1, 1), Yaku(52, 2), Yaku(53, 0))


def won(win: Win, *, lying: Hand | None = None, riichi: bool = False, **values: Any) -> dict[str, Any]:
    """Return the step for *win* with this final hand."""
    hands = tuple(lying if lying and player == win.player else hand for player, hand in enumerate(LYING))
    before = [RiichiAccepted(win.player)] if riichi else []
    found: dict[str, Any] = json.loads(steps(*before, win, lying=hands, **values)[-1])["hule"]
    return found


def test_ron() -> None:
    """A ron has the seats of both, the hand with the winning tile last, fu and han, points, yaku and payments."""
    win = Win(3, 0, 36, Score(30, 3900, Limit.NONE, YAKU), changes=(-4500, 0, 0, 6500))
    melds = (Pon(3, 132, (133, 134), 1), Ankan(3, (16, 17, 18, 19)))
    found = won(win, lying=Hand((0, 1, 2, 37, 88), 36, melds))
    assert json.dumps(found, ensure_ascii=False, separators=(",", ":")) == (
        '{"l":2,"shoupai":"m111p1s0p1,z777=,m5550","baojia":3,"fubaopai":null,"fu":30,"fanshu":3,"defen":3900,'
        '"hupai":[{"name":"立直","fanshu":1},{"name":"ドラ","fanshu":2}],"fenpei":[0,0,6500,-4500]}'
    )


def test_tsumo() -> None:
    """A tsumo has no discarder."""
    found = won(
        Win(1, None, 36, Score(30, 4000, Limit.NONE, YAKU), changes=(-1000, 4000, -2000, -1000)),
        lying=Hand((0, 1), 36),
    )
    assert (found["l"], found["baojia"], found["shoupai"], found["defen"]) == (0, None, "m11p1", 4000)


@pytest.mark.parametrize(
    ("win", "riichi", "expected"),
    [
        (replace(RON, ura=(16, 0)), True, ["m0", "m1"]),
        (RON, False, None),
        (RON, True, "missing"),
    ],
)
def test_ura(win: Win, expected: object, *, riichi: bool) -> None:
    """A riichi winner has a star and the ura dora, which may be unknown; other winners have none."""
    found = won(win, riichi=riichi)
    assert found.get("fubaopai", "missing") == expected
    assert ("*" in found["shoupai"]) is riichi


@pytest.mark.parametrize(
    ("score", "pao", "expected"),
    [
        (
            Score(40, 32000, Limit.YAKUMAN, (Yaku(39), Yaku(42))),
            None,
            [{"name": "大三元", "fanshu": "*"}, {"name": "字一色", "fanshu": "*"}],
        ),
        (
            Score(40, 32000, Limit.YAKUMAN, (Yaku(39), Yaku(42))),
            0,
            [{"name": "大三元", "fanshu": "*", "baojia": 3}, {"name": "字一色", "fanshu": "*"}],
        ),
        (Score(40, 32000, Limit.YAKUMAN, (Yaku(49),)), 2, [{"name": "大四喜", "fanshu": "*", "baojia": 1}]),
        (Score(40, 32000, Limit.YAKUMAN, (Yaku(51),)), 2, [{"name": "四槓子", "fanshu": "*", "baojia": 1}]),
    ],
)
def test_yakuman(score: Score, pao: int | None, expected: list[dict[str, object]]) -> None:
    """A yakuman has no fu and han; the one with pao names the payer."""
    found = won(replace(RON, score=score, pao=pao))
    assert found["hupai"] == expected
    assert found["damanguan"] == len(score.yakuman)
    assert not {"fu", "fanshu"} & found.keys()


def test_kazoe_yakuman() -> None:
    """A counted yakuman has fu and han."""
    found = won(replace(RON, score=Score(40, 32000, Limit.YAKUMAN, (Yaku(52, 13),))))
    assert (found["fu"], found["fanshu"], found["defen"]) == (40, 13, 32000)


@pytest.mark.parametrize(
    ("changes", "honba", "expected"), [((-8300, 10300, 0, 0), 2, 7700), ((-7700, 7700, 0, 0), 0, 7700), (EVEN, 0, 0)]
)
def test_unknown_score(changes: tuple[int, ...], honba: int, expected: int) -> None:
    """A win with unknown yaku has its value without sticks and honba."""
    found = won(replace(RON, changes=changes), honba=honba)
    assert list(found) == ["l", "shoupai", "baojia", "fubaopai", "defen", "fenpei"]
    assert found["defen"] == expected


def test_unknown_worth() -> None:
    """If the value of a honba is unknown, so is that of a win with honba."""
    found = record(game(frame(RON)))["log"][0][-1]["hule"]
    assert list(found) == ["l", "shoupai", "baojia", "fubaopai", "fenpei"]


def test_several_wins() -> None:
    """Several wins follow one another, with payments inferred from the points."""
    wins = (Win(1, 0, 60), Win(2, 0, 60))
    found = [json.loads(step)["hule"] for step in steps(*wins, honba=0, end=(15300, 33700, 27000, 25000))]
    assert [win["fenpei"] for win in found] == [[8700, 0, 0, -7700], [0, 2000, 0, -2000]]
    assert [win["defen"] for win in found] == [7700, 2000]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (DrawKind.EXHAUSTIVE, "流局"),
        (DrawKind.NAGASHI, "流し満貫"),
        (DrawKind.NINE_TERMINALS, "九種九牌"),
        (DrawKind.FOUR_WINDS, "四風連打"),
        (DrawKind.FOUR_RIICHI, "四家立直"),
        (DrawKind.FOUR_KANS, "四槓散了"),
        (DrawKind.TRIPLE_RON, "三家和了"),
        (None, "流局"),
    ],
)
def test_draw(kind: DrawKind | None, name: str) -> None:
    """A draw has its name, the hands shown by seat, and the payments."""
    melds = (Pon(2, 132, (133, 134), 1),)
    lying = (*LYING[:2], Hand((0, 1), None, melds), LYING[3])
    draw = Ryuukyoku(kind, (None, None, (1, 0), (16, 17)), changes=(-1500, -1500, 1500, 1500))
    found = steps(RiichiAccepted(3), draw, lying=lying)[-1]
    assert (
        found
        == f'{{"pingju":{{"name":"{name}","shoupai":["","m11,z777-","m05*",""],"fenpei":[-1500,1500,1500,-1500]}}}}'
    )


def test_nothing_shown() -> None:
    """Unknown hands at a draw are written as not shown."""
    assert json.loads(steps(Ryuukyoku(None, changes=EVEN))[-1])["pingju"]["shoupai"] == [""] * 4


def test_unfinished() -> None:
    """A frame that breaks off ends without a result step."""
    assert steps(Draw(1, 0), end=None) == ['{"zimo":{"l":0,"p":"m1"}}']


NO_PAYMENT = "frame S2-2 lacks a record of its payments, which majiang needs"
NO_TILE = "frame S2-2 lacks some of the tiles discarded or called, which majiang needs"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Match(Rules(players=3), (Player(),) * 3, (frame(),)), "majiang cannot hold three-player games"),
        (game(), "majiang cannot hold a match without frames"),
        (game(frame(hands=())), "frame S2-2 lacks a record of its play, which majiang needs"),
        (game(frame(points=None)), "frame S2-2 lacks starting points, which majiang needs"),
        (game(frame(sticks=None)), "frame S2-2 lacks the number of riichi sticks, which majiang needs"),
        (game(frame(Win(1, 0, 60))), NO_PAYMENT),
        (game(frame(Ryuukyoku(None))), NO_PAYMENT),
        (game(frame(Draw(1, UNKNOWN), Discard(1, UNKNOWN))), NO_TILE),
        (game(frame(Draw(1, 0), Discard(1, UNKNOWN, tsumogiri=False))), NO_TILE),
        (game(frame(Pon(2, 52, (53, UNKNOWN), 0))), NO_TILE),
        (game(frame(Chi(2, UNKNOWN, (53, 57), 1))), NO_TILE),
        (game(frame(Ankan(2, (52, 53, 54, UNKNOWN)))), NO_TILE),
        (game(frame(Kakan(2, UNKNOWN, PON))), NO_TILE),
    ],
)
def test_rejected(wrong: Match, message: str) -> None:
    """A match without what the viewer needs is rejected in one line."""
    with pytest.raises(FormatError) as refused:
        write_majiang(wrong)
    assert str(refused.value) == message


# --- through jmjp ----------------------------------------------------------------------------------------------------

SCORES = {"hule damanguan", "hule fu", "hule fanshu", "hule hupai"}
DRAWS = {"pingju name", "pingju shoupai"}
HONBA = {"hule defen"}
HEAD = {"title", "player"}
"""What jmjp keeps only as text; what it does not keep if the log has no point rule; what compact jmjp lacks without
comments."""


def differences(log: str, jmjp: str, *, dora: bool) -> set[str]:
    """Return the keys in which the record of a log differs from that of the jmjp made from it; the indicator of a six
    counts as a plain five.

    :param dora: whether to compare where dora are turned.
    """
    sides = [json.loads(text) for text in (log, jmjp)]
    found = {key for key in sides[0] if key != "log" and sides[0][key] != sides[1][key]}
    for frames in zip(*(side["log"] for side in sides), strict=True):
        plays = [[next(iter(step.items())) for step in steps_ if dora or "kaigang" not in step] for steps_ in frames]
        for (kind, mine), (other, theirs) in zip(*plays, strict=True):
            assert kind == other
            for values in (mine, theirs):
                for key in {"baopai", "fubaopai"} & values.keys():
                    one = isinstance(values[key], str)
                    values[key] = plain(values[key]) if one else list(map(plain, values[key] or ()))
            found |= {f"{kind} {key}" for key in mine.keys() | theirs.keys() if mine.get(key) != theirs.get(key)}
    return found


def by_jmjp(played: Match, *, compact: bool = False) -> Match:
    """Return the match read back from the jmjp made from *played*."""
    (found,) = read_jmjp(write_jmjp(played, compact=compact).encode())
    return found


def lost(played: Match) -> set[str]:
    """Return the keys that may differ after conversion to jmjp."""
    return SCORES | DRAWS | (set() if played.point_rule else HONBA)


@each_log_of_four
def test_real_log_by_jmjp(path: Path) -> None:
    """A log and the jmjp made from it give the same record, except for what jmjp keeps only as text."""
    played = match(path)
    dora = path.name not in AT_ONCE
    assert differences(write_majiang(played), write_majiang(by_jmjp(played)), dora=dora) <= lost(played)


@each_log_of_four
def test_real_log_by_compact_jmjp(path: Path) -> None:
    """From jmjp without comments, log IDs, ranks and ratings are missing, and riichi tiles are assumed to be
    tsumogiri."""
    played = match(path)
    dora = path.name not in AT_ONCE
    found = differences(write_majiang(played), write_majiang(by_jmjp(played, compact=True)), dora=dora)
    assert found <= lost(played) | HEAD | {"dapai p"}


def test_fixture_by_jmjp(valid_input: Path) -> None:
    """An invented log and the jmjp made from it give the same record, except for what jmjp does not hold."""
    played = read_mjlog(valid_input)
    dora = valid_input.name not in AT_ONCE
    found = differences(write_majiang(played), write_majiang(by_jmjp(played)), dora=dora)
    assert found <= lost(played)


def test_every_dialect(expectation: Path) -> None:
    """Every dialect of jmjp gives a record that a reader plays to the same points."""
    (played,) = read_jmjp(expectation)
    _, found = read_majiang(write_majiang(played))
    for ju, one in zip(found, played.frames, strict=True):
        assert one.end.points is None or ju.points == by_seat(one.end.points, one)
