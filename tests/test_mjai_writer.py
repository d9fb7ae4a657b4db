"""mjai: how each thing in the model is written, in which order, and that a reader plays it to the same end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from mjai_reader import Kyoku, Meld, Refused, plain, read_mjai
from test_play_dora_indicators import AT_ONCE
from test_real_logs import each_log_of_four, match

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjai.writer import write_mjai
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
    Kakan,
    Match,
    Name,
    Player,
    Pon,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Text,
    Win,
    handle,
)
from jmjp_convert.model import Meld as ModelMeld
from jmjp_convert.model.tiles import UNKNOWN, any_copy, faces

VALID = Path(__file__).parent.parent / "fixtures" / "valid"

NAMES = {
    **{f"{number}{suit}": f"{number}{suit}" for suit in "mps" for number in range(1, 10)},
    **{f"0{suit}": f"5{suit}r" for suit in "mps"},
    **dict(zip(("ew", "sw", "ww", "nw", "wd", "gd", "rd", "uk"), "ESWNPFC?", strict=True)),
}

POINTS = (25000, 25000, 25000, 25000)
HANDS = (
    (135, 0, 16, 17, 18, 19, 36, 52, 53, 72, 88, 108, 112),
    tuple(range(20, 33)),
    tuple(range(54, 67)),
    tuple(range(89, 102)),
)
INDICATOR = 107
PON = Pon(2, 52, (53, 54), 0)
RED_PON = Pon(2, 53, (52, 54), 0)
THREE = (Win(1, 0, 0), Win(2, 0, 0))


def frame(
    *events: Event,
    indicator: int | None = INDICATOR,
    dora: tuple[int, ...] | None = None,
    points: tuple[int, ...] | None = POINTS,
    hands: tuple[tuple[int, ...], ...] = HANDS,
    sticks: int | None = 1,
    fourteenth: int | None = None,
    end: tuple[int, ...] | None = POINTS,
) -> Frame:
    """Return a frame of *events*, which need not be consistent."""
    start = Start(5, 2, sticks, 1, (3, 4), points, hands, indicator, fourteenth=fourteenth)
    return Frame(start, events, End((), end), dora)


def game(*frames: Frame, rules: Rules | None = None) -> Match:
    """Return a match of *frames*."""
    return Match(rules or Rules(), tuple(Player(handle(name)) for name in "ABCD"), frames)


def lines(*events: Event, rules: Rules | None = None) -> list[str]:
    """Return the lines for *events*."""
    written = write_mjai(game(frame(*events), rules=rules)).split("\n")
    return written[2:-3]


# --- whole games -----------------------------------------------------------------------------------------------------


def ends(played: Match) -> list[Kyoku]:
    """Return the ends of the frames of a log, in mjai's notation."""
    names = [NAMES[face] for face in faces(red_fives=played.rules.red_fives)]
    found = []
    for one in played.frames:
        hands = [sorted(names[tile] for tile in hand.tiles) for hand in one.end.hands]
        melds = [[meld(lying, names) for lying in hand.melds] for hand in one.end.hands]
        points = None if one.end.points is None else list(one.end.points)
        indicators = [
            one.start.indicator,
            *(event.indicator for event in one.events if isinstance(event, DoraRevealed)),
        ]
        dora = ["?" if tile is None else names[tile] for tile in indicators]
        ura = {win.player: [names[tile] for tile in win.ura] for win in one.endings if isinstance(win, Win) and win.ura}
        start = one.start
        wind = "ESWN"[start.round // 4]
        found.append(Kyoku(f"{wind}{start.round % 4 + 1}-{start.honba}", hands, melds, points, dora, ura))
    return found


def meld(lying: ModelMeld, names: Sequence[str]) -> Meld:
    """Return a meld in mjai's notation."""
    if isinstance(lying, Ankan):
        return Meld("ankan", tuple(sorted(names[tile] for tile in lying.tiles)))
    assert isinstance(lying, Chi | Pon | Daiminkan | Kakan)
    called = lying.pon if isinstance(lying, Kakan) else lying
    tiles = [called.taken, *called.hand, *([lying.tile] if isinstance(lying, Kakan) else [])]
    kind = type(lying).__name__.lower()
    return Meld(kind, tuple(sorted(names[tile] for tile in tiles)), names[called.taken], called.source)


@each_log_of_four
def test_real_log(path: Path) -> None:
    """A reader that plays a log's lines arrives at its hands, melds, points and dora, frame by frame."""
    assert read_mjai(write_mjai(match(path))) == ends(match(path))


def test_fixture(valid_input: Path) -> None:
    """A reader that plays an invented log's lines arrives at the same ends."""
    played = read_mjlog(valid_input)
    assert read_mjai(write_mjai(played)) == ends(played)


TWO_KAKAN = write_mjai(read_mjlog(VALID / "kakan-after-kakan.xml"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"pai":"9p","tsumogiri":false', '"pai":"N","tsumogiri":false'),
        ('"pai":"E","tsumogiri":true', '"pai":"C","tsumogiri":true'),
        ('"target":0,"pai":"4m"', '"target":3,"pai":"4m"'),
        ('"target":0,"pai":"4m"', '"pai":"4m","target":0'),
        ('"consumed":["7p","7p"]', '"consumed":["7p","6p"]'),
        ('"dora_marker":"W"', '"dora_marker":"4m"'),
        ("[0,1300,-1300,0]", "[0,1400,-1300,0]"),
        ('"kyotaku":0', '"kyotaku":1'),
        ('"oya":0', '"oya":1'),
    ],
)
def test_reader_rejects(old: str, new: str) -> None:
    """The reader of these tests rejects an altered game."""
    assert old in TWO_KAKAN
    with pytest.raises(Refused):
        read_mjai(TWO_KAKAN.replace(old, new))


def test_every_line_counts() -> None:
    """The reader rejects a game with a line missing or two swapped, except for a dora turned at once, as at some
    tables."""
    whole = TWO_KAKAN.split("\n")
    last = next(place for place, line in enumerate(whole) if "hora" in line)
    for place in range(2, last):
        with pytest.raises(Refused):
            read_mjai("\n".join([*whole[:place], *whole[place + 1 :]]))
    for place in range(2, last - 1):
        if "dora_marker" not in whole[place + 1] or "tsumo" not in whole[place]:
            with pytest.raises(Refused):
                read_mjai("\n".join([*whole[:place], whole[place + 1], whole[place], *whole[place + 2 :]]))


# --- output ----------------------------------------------------------------------------------------------------------


def test_start_of_the_game() -> None:
    """A game starts with the names, and whether it is East-only and has red fives."""
    played = replace(game(frame()), rules=Rules(code=169), players=(Player(handle("あ")), Player(), *[Player()] * 2))
    assert write_mjai(played).split("\n")[0] == (
        '{"type":"start_game","names":["あ","","",""],"kyoku_first":0,"aka_flag":true}'
    )


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (Rules(code=9), ',"kyoku_first":0,"aka_flag":true}'),
        (Rules(code=1), ',"kyoku_first":4,"aka_flag":true}'),
        (Rules(code=11, red_fives=False), ',"kyoku_first":0,"aka_flag":false}'),
        (Rules(), ',"aka_flag":true}'),
        (Rules(red_fives=None), "}"),
    ],
)
def test_rules(rules: Rules, expected: str) -> None:
    """Unknown rules are left out."""
    first = write_mjai(game(frame(), rules=rules)).split("\n")[0]
    assert first == f'{{"type":"start_game","names":["A","B","C","D"]{expected}'


def test_name() -> None:
    """A name is written as displayed."""
    names = [Player(Name(Text("姓", "Family"), Text("名", "Given"))), Player(Name(Text(None, "Family")))]
    played = replace(game(frame()), players=(*names, Player(handle('a"b')), Player(handle("d"))))
    assert json.loads(write_mjai(played).split("\n")[0])["names"] == ["姓 名", "Family", 'a"b', "d"]


def test_start_of_a_frame() -> None:
    """A frame starts with wind and number, dora, honba, sticks, dealer, points and the sorted hands."""
    points = (25000, -3200, 30000, 45500)
    hands = ((132, 135, 16, 17, 0, 53, 52, 124, 128, 108, 112, 116, 120), *HANDS[1:])
    written = write_mjai(game(frame(points=points, hands=hands, indicator=88))).split("\n")[1]
    assert written.startswith(
        '{"type":"start_kyoku","bakaze":"S","dora_marker":"5sr","kyoku":2,"honba":2,"kyotaku":1,"oya":1,'
        '"scores":[25000,-3200,30000,45500],"tehais":[["1m","5mr","5m","5pr","5p","E","S","W","N","P","F","C","C"],['
    )


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([Draw(0, 16)], ['{"type":"tsumo","actor":0,"pai":"5mr"}']),
        ([Draw(3, 135), Discard(3, 135)], ['{"type":"dahai","actor":3,"pai":"C","tsumogiri":true}']),
        ([Draw(0, 17), Discard(0, 16)], ['{"type":"dahai","actor":0,"pai":"5mr","tsumogiri":false}']),
        ([Draw(0, 1), Discard(0, 0)], ['{"type":"dahai","actor":0,"pai":"1m","tsumogiri":false}']),
        (
            [Chi(1, 16, (12, 20), 0)],
            ['{"type":"chi","actor":1,"target":0,"pai":"5mr","consumed":["4m","6m"]}'],
        ),
        ([RED_PON], ['{"type":"pon","actor":2,"target":0,"pai":"5p","consumed":["5pr","5p"]}']),
        (
            [Daiminkan(3, 135, (132, 133, 134), 1)],
            ['{"type":"daiminkan","actor":3,"target":1,"pai":"C","consumed":["C","C","C"]}'],
        ),
        ([Kakan(2, 55, PON)], ['{"type":"kakan","actor":2,"pai":"5p","consumed":["5pr","5p","5p"]}']),
        ([Ankan(0, (16, 17, 18, 19))], ['{"type":"ankan","actor":0,"consumed":["5mr","5m","5m","5m"]}']),
        (
            [Draw(1, 4), RiichiDeclared(1), Discard(1, 4), RiichiAccepted(1)],
            [
                '{"type":"reach","actor":1}',
                '{"type":"dahai","actor":1,"pai":"2m","tsumogiri":true}',
                '{"type":"reach_accepted","actor":1}',
            ],
        ),
        (
            [Win(1, None, 0, changes=(-500, 2000, -1000, -500))],
            ['{"type":"hora","actor":1,"target":1,"deltas":[-500,2000,-1000,-500],"ura_markers":[]}'],
        ),
        ([Win(1, 0, 0)], ['{"type":"hora","actor":1,"target":0,"ura_markers":[]}']),
        (
            [Ryuukyoku(DrawKind.NINE_TERMINALS, changes=(0, 0, 0, 0))],
            ['{"type":"ryukyoku","deltas":[0,0,0,0]}'],
        ),
        ([Ryuukyoku(None)], ['{"type":"ryukyoku"}']),
    ],
)
def test_event(events: list[Event], expected: list[str]) -> None:
    """Each event is a line with its keys in convlog's order."""
    assert lines(*events)[-len(expected) :] == expected


def test_presences() -> None:
    """Disconnections and returns leave no line."""
    assert lines(Disconnected(1), Draw(0, 16), Returned(1)) == ['{"type":"tsumo","actor":0,"pai":"5mr"}']


def test_no_red_fives() -> None:
    """Without red fives every five is plain."""
    assert lines(Draw(0, 16), rules=Rules(red_fives=False)) == ['{"type":"tsumo","actor":0,"pai":"5m"}']


@pytest.mark.parametrize(
    ("events", "tsumogiri"),
    [
        ([Draw(0, any_copy("5m")), Discard(0, any_copy("5m"))], True),
        ([Draw(0, any_copy("5m")), Discard(0, any_copy("5m"), tsumogiri=False)], False),
        ([Draw(0, any_copy("5m")), Discard(0, any_copy("6m"))], False),
        ([Draw(0, any_copy("5m")), Discard(0, any_copy("0m"))], False),
        ([Chi(0, 16, (12, 20), 3), Discard(0, 0)], False),
        ([Draw(0, UNKNOWN), Discard(0, UNKNOWN)], True),
        ([Draw(0, UNKNOWN), Discard(0, any_copy("6m"))], False),
        ([RiichiAccepted(0), Draw(0, UNKNOWN), Discard(0, any_copy("6m"))], True),
        ([RiichiAccepted(0), Draw(0, any_copy("6m")), Discard(0, UNKNOWN)], True),
    ],
)
def test_tsumogiri(events: list[Event], *, tsumogiri: bool) -> None:
    """A discard of the tile just drawn, or of one that may be it, and any discard after riichi, is tsumogiri."""
    assert json.loads(lines(*events)[-1])["tsumogiri"] is tsumogiri


def test_unknown_tiles() -> None:
    """An unknown tile is a question mark, and so is an unknown dora."""
    written = write_mjai(game(frame(Draw(0, UNKNOWN), hands=((UNKNOWN,) * 13, *HANDS[1:]), indicator=None)))
    start, draw = map(json.loads, written.split("\n")[1:3])
    assert (start["tehais"][0], start["dora_marker"], draw["pai"]) == (["?"] * 13, "?", "?")


def test_fourteenth() -> None:
    """A fourteenth tile dealt to the dealer is drawn."""
    written = write_mjai(game(frame(Discard(1, 16), fourteenth=16))).split("\n")
    assert written[2:4] == [
        '{"type":"tsumo","actor":1,"pai":"5mr"}',
        '{"type":"dahai","actor":1,"pai":"5mr","tsumogiri":true}',
    ]


KAKAN, OTHER_KAKAN = Kakan(0, 55, PON), Kakan(0, 7, Pon(0, 4, (5, 6), 1))
ANKAN, DAIMINKAN = Ankan(0, (16, 17, 18, 19)), Daiminkan(0, 135, (132, 133, 134), 1)
DRAWN, GONE = Draw(0, 40), Discard(0, 40)
DORA, OTHER = DoraRevealed(0), DoraRevealed(4)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([ANKAN, DORA, DRAWN, GONE], "ankan 1m tsumo dahai"),
        ([DAIMINKAN, DRAWN, DORA, GONE], "daiminkan tsumo 1m dahai"),
        ([KAKAN, DRAWN, DORA, GONE], "kakan tsumo 1m dahai"),
        ([KAKAN, DRAWN, OTHER_KAKAN, DORA, DRAWN, OTHER, GONE], "kakan tsumo kakan 1m tsumo 2m dahai"),
        ([KAKAN, DRAWN, ANKAN, DORA, OTHER, DRAWN, GONE], "kakan tsumo 1m ankan 2m tsumo dahai"),
        ([DAIMINKAN, DRAWN, ANKAN, DORA, OTHER, DRAWN, GONE], "daiminkan tsumo 1m ankan 2m tsumo dahai"),
        ([KAKAN, DRAWN, ANKAN, Disconnected(1), DORA, OTHER, DRAWN], "kakan tsumo 1m ankan 2m tsumo"),
        ([ANKAN, DORA, DRAWN, KAKAN, DRAWN, OTHER, GONE], "ankan 1m tsumo kakan tsumo 2m dahai"),
        ([ANKAN, DORA, DRAWN, ANKAN, OTHER, DRAWN, GONE], "ankan 1m tsumo ankan 2m tsumo dahai"),
        ([KAKAN, DORA, DRAWN, GONE], "kakan 1m tsumo dahai"),
        ([KAKAN, DORA, DRAWN, ANKAN, OTHER, DRAWN], "kakan 1m tsumo ankan 2m tsumo"),
        ([KAKAN, DRAWN, GONE, DRAWN, ANKAN, DORA, DRAWN], "kakan tsumo dahai tsumo ankan 1m tsumo"),
        ([KAKAN, DRAWN, Win(0, None, 40)], "kakan tsumo hora"),
        ([KAKAN, Win(1, 0, 55)], "kakan hora"),
    ],
)
def test_dora(events: list[Event], expected: str) -> None:
    """The dora of an ankan follows it; that of another kan comes before the next discard or ankan, or after the next
    kan that is not an ankan; a table that turns it at once has it at once."""
    found = [json.loads(line) for line in lines(*events)]
    assert " ".join(event.get("dora_marker", event["type"]) for event in found) == expected


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([Win(1, 0, 0)], []),
        ([RiichiAccepted(1), Win(1, 0, 0, ura=(16, 0))], ["5mr", "1m"]),
        ([RiichiAccepted(2), Win(1, 0, 0)], []),
        ([RiichiAccepted(1), Win(1, 0, 0)], None),
    ],
)
def test_ura(events: list[Event], expected: list[str] | None) -> None:
    """A winner has the ura dora indicators that count; those of a riichi winner may be unknown."""
    assert json.loads(lines(*events)[-1]).get("ura_markers") == expected


def test_payments_of_several_wins() -> None:
    """The payments for several wins are inferred from the points."""
    written = write_mjai(game(frame(*THREE, end=(15300, 35700, 25000, 25000)))).split("\n")
    assert [json.loads(line)["deltas"] for line in written[2:4]] == [[-9700, 10700, 0, 0], [0, 0, 0, 0]]


def test_unknown_payments() -> None:
    """Payments that cannot be inferred are left out."""
    written = write_mjai(game(frame(*THREE, end=None))).split("\n")
    assert ["deltas" in json.loads(line) for line in written[2:4]] == [False, False]


def test_unfinished() -> None:
    """A frame that breaks off ends like any other, but without hora or ryukyoku."""
    written = write_mjai(game(frame(Draw(1, 0), end=None), frame())).split("\n")
    assert [json.loads(line)["type"] for line in written[:-1]] == [
        *("start_game", "start_kyoku", "tsumo", "end_kyoku", "start_kyoku", "end_kyoku", "end_game")
    ]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (game(), "mjai cannot hold a match without frames"),
        (game(frame(hands=())), "frame S2-2 lacks a record of its play, which mjai needs"),
        (game(frame(points=None)), "frame S2-2 lacks starting points, which mjai needs"),
        (game(frame(sticks=None)), "frame S2-2 lacks the number of riichi sticks, which mjai needs"),
    ],
)
def test_rejected(wrong: Match, message: str) -> None:
    """A match without what readers of mjai need is rejected in one line."""
    with pytest.raises(FormatError) as refused:
        write_mjai(wrong)
    assert str(refused.value) == message


# --- through jmjp ----------------------------------------------------------------------------------------------------

DORA_KEYS = ("dora_marker", "ura_markers")
NO_COMMENTS = {"start_game kyoku_first", "start_game aka_flag", "dahai tsumogiri"}
"""What compact jmjp does not hold: Tenhou's rules, red fives that were never seen, whether a riichi tile was drawn."""


def differences(log: str, jmjp: str, *, dora: bool) -> set[str]:
    """Return the keys in which the lines of a log differ from those of the jmjp made from it; the indicator of a six
    counts as a plain five.

    :param dora: whether to compare where dora are turned.
    """
    sides = [[json.loads(line) for line in text.split("\n")[:-1]] for text in (log, jmjp)]
    for side in sides:
        for event in side:
            for key in DORA_KEYS:
                if key in event:
                    event[key] = plain(event[key]) if isinstance(event[key], str) else list(map(plain, event[key]))
    if not dora:
        sides = [[event for event in side if event["type"] != "dora"] for side in sides]
    return {
        f"{mine['type']} {key}"
        for mine, theirs in zip(*sides, strict=True)
        for key in mine.keys() | theirs.keys()
        if mine.get(key) != theirs.get(key)
    }


def by_jmjp(played: Match, *, compact: bool = False) -> Match:
    """Return the match read back from the jmjp made from *played*."""
    (found,) = read_jmjp(write_jmjp(played, compact=compact).encode())
    return found


@each_log_of_four
def test_real_log_by_jmjp(path: Path) -> None:
    """A log and the jmjp made from it give the same lines, except for red fives as indicators."""
    played = match(path)
    dora = path.name not in AT_ONCE
    assert differences(write_mjai(played), write_mjai(by_jmjp(played)), dora=dora) == set()


@each_log_of_four
def test_real_log_by_compact_jmjp(path: Path) -> None:
    """From jmjp without comments, rules may be missing, and riichi tiles are assumed to be tsumogiri."""
    played = match(path)
    dora = path.name not in AT_ONCE
    found = differences(write_mjai(played), write_mjai(by_jmjp(played, compact=True)), dora=dora)
    assert found <= NO_COMMENTS


def test_fixture_by_jmjp(valid_input: Path) -> None:
    """An invented log and the jmjp made from it give the same lines, except for what jmjp does not hold."""
    played = read_mjlog(valid_input)
    dora = valid_input.name not in AT_ONCE
    assert differences(write_mjai(played), write_mjai(by_jmjp(played)), dora=dora) == set()


def test_every_dialect(expectation: Path) -> None:
    """Every dialect of jmjp gives lines that a reader plays to the same points."""
    (played,) = read_jmjp(expectation)
    found = [kyoku.points for kyoku in read_mjai(write_mjai(played))]
    points = [one.end.points for one in played.frames]
    assert found == [None if values is None else list(values) for values in points]
