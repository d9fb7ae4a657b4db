"""The JSON of tenhou.net/6: compared with Tenhou's own, by hand for the invented logs, and from jmjp as from the log.

Expectations for the invented logs were worked out from their stories (``fixtures/games``) and
``docs/design/formats.md`` 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from test_real_logs import FOUR, MANIFEST, SOUND

from jmjp_convert.check.wall import with_wall
from jmjp_convert.errors import FormatError, WallError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.tenhou6.writer import items, write_tenhou6
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    Discard,
    DrawKind,
    End,
    Event,
    Frame,
    Kita,
    Limit,
    Match,
    Name,
    Player,
    Pon,
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
from jmjp_convert.model.tiles import UNKNOWN, any_copy, faces

SHARED = Path(__file__).parents[2] / "shared"
PAIRS = sorted((SHARED / "tenhou6").glob("*.json"))
VALID = Path(__file__).parent.parent / "fixtures" / "valid"
real = pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")

READABLE = [path for path in sorted(VALID.iterdir()) if path.suffix != ".jmjp"]
LOGS = [*READABLE, *(SOUND if MANIFEST.is_file() else [])]
LOGS_OF_FOUR = [*READABLE, *(FOUR if MANIFEST.is_file() else [])]


@cache
def match(path: Path) -> Match:
    """Return the match of the log *path*."""
    return read_mjlog(path)


def written(name: str) -> dict[str, Any]:
    """Return the JSON of the invented log *name*."""
    found: dict[str, Any] = json.loads(write_tenhou6(match(VALID / f"{name}.xml")))
    return found


def log(name: str, number: int = 0) -> list[Any]:
    """Return the items of a frame of the invented log *name*."""
    found: list[Any] = written(name)["log"][number]
    return found


# --- Tenhou's own ----------------------------------------------------------------------------------------------------

ANOTHER_NAME = {"169d90c768c2", "b449b8d656aa", "c8dcf69b0de1", "efdf9454e238"}
"""Pairs in which the players' names in log and JSON, and the log ID in the log, had been replaced before
publication."""

WHOLE = [path for path in PAIRS if '"title"' not in path.read_text(encoding="utf-8")]
BY_FRAME = [path for path in PAIRS if path not in WHOLE]

each_whole = pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)


@real
def test_pairs() -> None:
    """There are pairs of both kinds."""
    assert len(WHOLE) > len(ANOTHER_NAME)
    assert BY_FRAME


@each_whole
def test_whole(path: Path) -> None:
    """A game is what Tenhou makes of it, field by field in the same order, and byte for byte where the original was
    left unchanged."""
    text = path.read_text(encoding="utf-8")
    theirs = json.loads(text)
    game = match(SHARED / "mjlog" / f"{path.stem}.xml")
    if path.stem in ANOTHER_NAME:
        players = [
            replace(player, full_name=handle(name)) for player, name in zip(game.players, theirs["name"], strict=True)
        ]
        game = replace(game, id=theirs["ref"], players=tuple(players))
    ours = write_tenhou6(game)
    assert [*json.loads(ours).items()] == [*theirs.items()]
    assert path.stem in ANOTHER_NAME or ours == text


@pytest.mark.parametrize("path", BY_FRAME, ids=lambda path: path.stem)
def test_by_frame(path: Path) -> None:
    """Frames are what Tenhou's editor makes of them, byte for byte; it hides the players' names."""
    game = match(SHARED / "mjlog" / f"{path.stem}.xml")
    hidden = tuple(
        replace(player, full_name=handle(f"{letter}さん")) for player, letter in zip(game.players, "ABCD", strict=True)
    )
    lines = write_tenhou6(replace(game, players=hidden), per_frame=True).splitlines()
    assert lines == path.read_text(encoding="utf-8").splitlines()


# --- the play --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "takes", "outs"),
    [
        ("chi-low", ["c121314"], [29]),
        ("chi-middle", ["c131214"], [29]),
        ("chi-high", ["c141213"], [29]),
        ("chi-low-red-taken", ["c522627"], [29]),
        ("chi-middle-red-taken", ["c533436"], [29]),
        ("chi-high-red-taken", ["c511314"], [29]),
        ("chi-low-red-held", ["c232452"], [29]),
        ("chi-middle-red-held", ["c365337"], [29]),
        ("chi-high-red-held", ["c175116"], [29]),
        ("pon-from-kamicha", ["p141414"], [29]),
        ("pon-from-toimen", [32, "14p1414"], [60, 29]),
        ("pon-from-shimocha", [32, "1414p14"], [60, 29]),
        ("pon-red-taken", ["p511515"], [29]),
        ("pon-red-held", ["p151551"], [29]),
        ("pon-red-left-out", ["p151515"], [29]),
        ("daiminkan", ["m14141414", 31], [0, 60]),
        ("daiminkan-red-taken", [32, "15m511515", 31], [60, 0, 60]),
        ("daiminkan-red-held", [32, "151551m15", 35], [60, 0, 38]),
        ("kakan", [32, "1414p14", 14, 31], [60, 29, "1414k1414", 60]),
        ("kakan-red-added", ["p151515", 22, 31], [22, "k51151515", 60]),
        ("kakan-red-taken", [32, "15p5115", 15, 31], [60, 29, "15k155115", 60]),
        ("kakan-red-held", ["p151551", 15, 31], [29, "k15151551", 60]),
        ("robbed-kakan", ["p141414", 14], [44, "k14141414"]),
        ("rinshan-after-kakan", ["p141414", 14, 25], [29, "k14141414"]),
        ("ankan", [14, 31], ["141414a14", 60]),
        ("ankan-red", [15, 33, 31], [34, "151515a51", 60]),
        ("no-red-fives", [22, 31], ["151515a15", 60]),
        ("ankan-after-daiminkan", ["m14141414", 27, 26, 26], [0, "272727a27", 60, 31]),
        ("riichi-ronned", [23], ["r25"]),
        ("riichi-tsumogiri", [42, 29], [60, "r60"]),
        ("riichi-karagiri", [42, 39, 22], [60, "r39"]),
        ("unfinished-after-call", ["p141414"], []),
    ],
)
def test_south(name: str, takes: list[int | str], outs: list[int | str]) -> None:
    """Incoming and outgoing tiles: a letter comes before the called tile, and its place shows the source."""
    assert log(name)[8:10] == [takes, outs]


def test_daiminkan_at_the_end() -> None:
    """After a daiminkan that wins there is no zero, since no discard follows to align with."""
    kan = replace(log_frame("daiminkan"), events=log_frame("daiminkan").events[:3])
    assert items(kan, Rules())[8:10] == [["m14141414"], []]


def log_frame(name: str) -> Frame:
    """Return the first frame of the invented log *name*."""
    return match(VALID / f"{name}.xml").frames[0]


@pytest.mark.parametrize(
    ("seat", "takes", "outs"),
    [
        (0, [51, 19, 42], [15, 60, 60]),
        (1, [25, 22, 23], [52, 60, 60]),
        (2, [35, 43, 18], [35, 60, 60]),
        (3, [41, 37, 29], [41, 41]),
    ],
)
def test_tsumogiri(seat: int, takes: list[int], outs: list[int]) -> None:
    """Only the tile just drawn is written as tsumogiri, not another copy of its face."""
    assert log("karagiri")[5 + 3 * seat : 7 + 3 * seat] == [takes, outs]


@pytest.mark.parametrize(
    ("name", "hand"),
    [
        ("chi-high-red-held", [51, 16, 22, 23, 24, 26, 27, 29, 33, 33, 36, 37, 38]),
        ("pon-red-held", [15, 51, 22, 23, 24, 26, 27, 29, 33, 33, 36, 37, 38]),
        ("no-red-fives", [15, 15, 15, 15, 23, 24, 26, 27, 33, 33, 36, 37, 38]),
        ("yakuman-several", [21, 29, 42, 42, 42, 45, 45, 46, 46, 46, 47, 47, 47]),
    ],
)
def test_hand(name: str, hand: list[int]) -> None:
    """A hand is sorted, with its red five after the plain ones."""
    assert log(name)[7] == hand


@pytest.mark.parametrize(
    ("name", "dora", "ura"),
    [
        ("chi-low", [44], []),
        ("ura-dora", [12, 35], [38, 24]),
        ("kakan", [44, 43], []),
        ("ankan-after-kakan", [44, 43, 47], []),
        ("rinshan-after-kakan", [44], []),
        ("robbed-kakan", [44], []),
    ],
)
def test_indicators(name: str, dora: list[int], ura: list[int]) -> None:
    """The indicators are in the order in which they were turned."""
    assert log(name)[2:4] == [dora, ura]


def test_start() -> None:
    """A frame begins with its number, honba and sticks, and the points."""
    assert log("sticks-and-honba-carried", 1)[:2] == [[0, 1, 2], [24000, 24000, 25000, 25000]]
    assert log("plain", 1)[:2] == [[1, 0, 0], [21000, 33000, 23000, 23000]]


def test_ura_of_the_second_winner() -> None:
    """Ura dora indicators that only the second winner shows are those of the frame."""
    assert log("double-ron", 1)[2:4] == [[44], [46]]


# --- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "number", "expected"),
    [
        ("exhaustive-0-tenpai", 0, ["全員不聴"]),
        ("exhaustive-1-tenpai", 0, ["四風連打"]),
        ("exhaustive-1-tenpai", 1, ["流局", [-1000, 3000, -1000, -1000]]),
        ("exhaustive-1-tenpai", 2, ["流局", [-1000, -1000, 3000, -1000]]),
        ("exhaustive-2-tenpai", 0, ["流局", [-1500, 1500, -1500, 1500]]),
        ("exhaustive-3-tenpai", 0, ["流局", [1000, 1000, -3000, 1000]]),
        ("exhaustive-4-tenpai", 0, ["全員聴牌"]),
        ("nagashi", 0, ["流し満貫", [-4000, -2000, 8000, -2000]]),
        ("nagashi-and-tenpai", 0, ["流し満貫", [-4000, -2000, 8000, -2000]]),
        ("nine-terminals", 0, ["九種九牌"]),
        ("four-riichi", 0, ["四家立直"]),
        ("four-kans", 0, ["四槓散了"]),
        ("triple-ron", 0, ["三家和了"]),
        ("unfinished-after-draw", 0, ["不明"]),
        ("plain", 1, ["和了", [0, 0, -1000, 1000], [3, 2, 3, "30符1飜1000点", "役牌 中(1飜)"]]),
        (
            "plain",
            0,
            [
                "和了",
                [-4000, 9000, -2000, -2000],
                [
                    *(1, 1, 1, "満貫2000-4000点"),
                    *("立直(1飜)", "門前清自摸和(1飜)", "平和(1飜)", "断幺九(1飜)", "ドラ(1飜)"),
                ],
            ],
        ),
        (
            "double-ron",
            1,
            [
                "和了",
                [0, -2300, 3300, 0],
                [2, 1, 2, "30符2飜2000点", "平和(1飜)", "断幺九(1飜)"],
                [0, -8000, 0, 8000],
                [3, 1, 3, "満貫8000点", "両立直(2飜)", "一発(1飜)", "断幺九(1飜)"],
            ],
        ),
        ("pao-tsumo", 0, ["和了", [0, 32000, -32000, 0], [1, 1, 2, "役満8000-16000点", "大三元(役満)"]]),
        ("pao-ron", 1, ["和了", [0, 32300, -16300, -16000], [1, 3, 2, "役満32000点", "大三元(役満)"]]),
        ("yakuman", 0, ["和了", [48000, 0, 0, -48000], [0, 3, 0, "役満48000点", "国士無双(役満)"]]),
        (
            "rinshan-after-ankan",
            0,
            [
                "和了",
                [7800, -2600, -2600, -2600],
                [0, 0, 0, "40符3飜2600点∀", "門前清自摸和(1飜)", "嶺上開花(1飜)", "断幺九(1飜)"],
            ],
        ),
    ],
)
def test_result(name: str, number: int, expected: list[Any]) -> None:
    """A frame ends with a word, then the payments if any, and for each win the winner, source, pao, value and yaku."""
    assert log(name, number)[16] == expected


def frame(*events: Event, players: int = 4, dealer: int = 0, after: tuple[int, ...] | None = None) -> Frame:
    """Return a frame of *events*; each hand has as many tiles of one kind as a hand has places."""
    points = (25000,) * players
    hands = tuple((any_copy(face),) * 13 for face in ("1p", "2p", "3p", "4p")[:players])
    return Frame(Start(dealer, 0, 0, dealer, None, points, hands, 0), events, End((), after), None)


def result_of(*events: Event, players: int = 4, dealer: int = 0, after: tuple[int, ...] | None = None) -> list[Any]:
    """Return the result of a frame of *events*."""
    found: list[Any] = items(frame(*events, players=players, dealer=dealer, after=after), Rules(players=players), None)[
        16
    ]
    return found


@pytest.mark.parametrize(
    ("points", "source", "players", "dealer", "text"),
    [
        (1000, 0, 4, 0, "1000点"),
        (1100, None, 4, 0, "300-500点"),
        (1500, None, 4, 0, "400-700点"),
        (2000, None, 4, 0, "500-1000点"),
        (2700, None, 4, 0, "700-1300点"),
        (4000, None, 4, 0, "1000-2000点"),
        (7900, None, 4, 0, "2000-3900点"),
        (1500, None, 4, 1, "500点∀"),
        (11700, None, 4, 1, "3900点∀"),
        (800, None, 3, 0, "300-500点"),
        (2000, None, 3, 0, "700-1300点"),
        (5900, None, 3, 0, "2000-3900点"),
        (7800, None, 3, 1, "3900点∀"),
        (3900, 0, 3, 1, "3900点"),
    ],
)
def test_points(points: int, source: int | None, players: int, dealer: int, text: str) -> None:
    """One player pays all of a ron; each pays a share of a tsumo, the dealer twice as much, rounded up to a hundred."""
    win = Win(1, source, 5, Score(30, points, Limit.NONE, (Yaku(1, 1), Yaku(53, 0), Yaku(52, 2))))
    found = result_of(win, players=players, dealer=dealer)
    assert found[2] == [1, 1 if source is None else source, 1, f"30符3飜{text}", "立直(1飜)", "ドラ(2飜)"]


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (Limit.MANGAN, "満貫"),
        (Limit.HANEMAN, "跳満"),
        (Limit.BAIMAN, "倍満"),
        (Limit.SANBAIMAN, "三倍満"),
        (Limit.YAKUMAN, "役満"),
    ],
)
def test_limit(limit: Limit, text: str) -> None:
    """A limit replaces fu and han, even for a counted yakuman, whose yaku keep their han."""
    found = result_of(Win(1, 2, 5, Score(40, 8000, limit, (Yaku(35, 6), Yaku(54, 1)))))
    assert found[2] == [1, 2, 1, f"{text}8000点", "清一色(6飜)", "赤ドラ(1飜)"]


def test_wide_digits() -> None:
    """Kokushi with thirteen waits has Tenhou's full-width digits, which readers look for."""
    found = result_of(Win(1, 2, 5, Score(0, 32000, Limit.YAKUMAN, (Yaku(48),))))
    assert found[2][4:] == ["国士無双\N{FULLWIDTH DIGIT ONE}\N{FULLWIDTH DIGIT THREE}面(役満)"]


def test_worth_not_recorded() -> None:
    """A win without a recorded value is only winner and source; unknown payments are empty."""
    assert result_of(Win(1, 2, 5)) == ["和了", [], [1, 2, 1]]


@pytest.mark.parametrize(
    ("after", "payments"),
    [
        ((15000, 28000, 33000, 25000), [[-2000, 3000, 0, 0], [-8000, 0, 8000, 0]]),
        ((16000, 27000, 32000, 25000), [[-2000, 2000, 0, 0], [-7000, 0, 7000, 0]]),
        ((10000, 40000, 26000, 24000), [[], []]),
        ((10000, 43000, 22000, 25000), [[-9000, 18000, -9000, 0], [-6000, 0, 6000, 0]]),
    ],
)
def test_sum_alone(after: tuple[int, ...], payments: list[list[int]]) -> None:
    """With only the sum for several wins, the discarder pays each winner, with half of one by pao; if that does not
    fit, the payments are unknown."""
    assert result_of(Win(1, 0, 5), Win(2, 0, 5), after=after)[1::2] == payments


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (Ryuukyoku(None, changes=(3000, -1000, -1000, -1000)), ["流局", [3000, -1000, -1000, -1000]]),
        (Ryuukyoku(None, changes=(0, 0, 0, 0)), ["流局", [0, 0, 0, 0]]),
        (Ryuukyoku(DrawKind.EXHAUSTIVE), ["流局"]),
        (Ryuukyoku(DrawKind.EXHAUSTIVE, (None,) * 4), ["全員不聴"]),
        (Ryuukyoku(DrawKind.NINE_TERMINALS, ((1,), None, None, None), changes=(0, 0, 0, 0)), ["九種九牌"]),
    ],
)
def test_draw(draw: Ryuukyoku, expected: list[Any]) -> None:
    """A draw of an unrecorded kind is just a draw; payments of zero are left out where the word implies them."""
    assert result_of(draw) == expected


# --- partly known matches --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawn", "discarded", "tsumogiri", "out"),
    [
        (any_copy("5m"), any_copy("5m"), True, 60),
        (any_copy("5m"), any_copy("5m"), False, 15),
        (any_copy("5m"), any_copy("5m"), None, 60),
        (any_copy("5m"), any_copy("0m"), False, 51),
        (any_copy("0m"), any_copy("0m"), None, 60),
        (17, 18, False, 15),
        (17, 17, True, 60),
        (16, 16, True, 60),
    ],
)
@pytest.mark.parametrize("riichi", [False, True])
def test_discard(drawn: int, discarded: int, out: int, *, tsumogiri: bool | None, riichi: bool) -> None:
    """A discard that may be the tile just drawn is written as tsumogiri; another copy of its face never is."""
    declared = [RiichiDeclared(0)] if riichi else []
    found = items(frame(DRAWS[0][drawn], *declared, DISCARDS[tsumogiri][0][discarded]), Rules())
    assert found[6] == [f"r{out}" if riichi else out]


def test_fourteenth() -> None:
    """A fourteenth tile dealt to the dealer comes first."""
    start = replace(frame().start, fourteenth=any_copy("9s"))
    found = items(replace(frame(DISCARDS[True][0][any_copy("9s")]), start=start), Rules())
    assert found[5:7] == [[39], [60]]


def test_indicators_from_the_dora() -> None:
    """In a frame with dora but no indicators, the indicators are inferred."""
    bare = frame(Win(0, None, 5))
    start = replace(bare.start, indicator=None)
    dora = (any_copy("6p"), any_copy("1s"), *[UNKNOWN] * 8)
    assert items(replace(bare, start=start, dora=dora), Rules())[2:4] == [[25], []]
    assert items(replace(bare, start=start), Rules())[2:4] == [[], []]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"hands": ()}, "the play is not recorded; tenhou.net/6 needs it"),
        ({"points": None}, "the starting points are not recorded; tenhou.net/6 needs them"),
        ({"hands": ((UNKNOWN,) * 13,) * 4}, "unknown tile, for which tenhou.net/6 has no number"),
    ],
)
def test_not_held(change: dict[str, Any], reason: str) -> None:
    """A frame without play or points, or with an unknown tile, is rejected by name."""
    bare = frame(Win(0, None, 5))
    game = Match(Rules(), (Player(),) * 4, (replace(bare, start=replace(bare.start, round=5, honba=1, **change)),))
    for form in ({}, {"per_frame": True}, {"url": True}):
        with pytest.raises(FormatError, match=f"^frame S2-1: {re.escape(reason)}$"):
            write_tenhou6(game, **form)


# --- the head --------------------------------------------------------------------------------------------------------


def test_head() -> None:
    """A game has its rules, ranks, ratings, the points and results, and the players."""
    found = written("plain")
    del found["log"]
    assert found == {
        "ver": 2.3,
        "ratingc": "PF4",
        "rule": {"disp": "般南喰赤", "aka53": 1, "aka52": 1, "aka51": 1},
        "lobby": 0,
        "dan": ["三段", "初段", "七段", "\N{FULLWIDTH DIGIT TWO}級"],
        "rate": [1834.27, 1650, 2101.93, 1499.5],
        "sx": ["F", "M", "F", "M"],
        "sc": [8700, -41, 33000, 13, 34300, 44, 24000, -16],
        "name": ["Kaede", "Tsubaki", "山茶花", "Nazuna"],
    }


def test_id() -> None:
    """The log ID comes before the frames, and gives the lobby."""
    found = json.loads(write_tenhou6(match(VALID / "2019041809gm-0089-1234-0123abcd&tw=2.mjlog")))
    assert [*found][:3] == ["ver", "ref", "log"]
    assert (found["ref"], found["lobby"]) == ("2019041809gm-0089-1234-0123abcd", 1234)
    assert found["rule"]["disp"] == "上南喰赤"


@pytest.mark.parametrize(
    ("name", "display", "red"),
    [("type-advanced-east-fast", "上東喰赤速", 1), ("type-no-kuitan", "般南速", 0), ("no-red-fives", "般南喰", 0)],
)
def test_rules(name: str, display: str, red: int) -> None:
    """The rules are named as Tenhou displays them; red fives are also given separately."""
    assert written(name)["rule"] == {"disp": display, "aka53": red, "aka52": red, "aka51": red}


def test_decimals() -> None:
    """A result with tenths keeps them, and a whole one has no decimals."""
    assert written("owari-tenths")["sc"] == [32800, 42.8, 22400, 2.4, 22400, -17.6, 22400, -27.6]
    assert write_tenhou6(match(VALID / "owari-integers.xml")).count('"sc":[25000,5,26000,36,24000,-26,25000,-15]') == 1


def test_connection() -> None:
    """Disconnections (0) and returns (1) have the frame, and the number of draws, discards and melds before."""
    rows = [
        *((0, -1, 3, 0), (0, 0, 2, 1), (1, 0, 3, 2), (1, 0, 2, 5), (0, 0, 0, 9), (1, 0, 0, 11), (0, 0, 1, 12)),
        *((1, 0, 1, 13), (0, 0, 0, 13), (1, 0, 0, 17), (0, 0, 3, 27), (0, 0, 2, 27), (1, 0, 3, 27)),
        *((1, 1, 2, 0), (0, 1, 0, 8), (0, 1, 1, 9), (1, 1, 1, 9), (0, 1, 3, 16), (1, 1, 3, 16), (1, 1, 0, 16)),
    ]
    expected = [dict(zip(("what", "log", "who", "step"), row, strict=True)) for row in rows]
    assert written("disconnections")["connection"] == expected


def test_little_known() -> None:
    """A mostly unknown game has a title, and nothing unknown."""
    tournament = Tournament(Text("第三回東風戦", "Third cup"))
    players = (Player(Name(Text("山田", "Yamada"), Text(None, "Tarou"))), Player(), Player(dan=99), Player(rate=1500))
    game = Match(Rules(red_fives=None), players, (frame(),), tournament=tournament, date="20240301")
    found = json.loads(write_tenhou6(game))
    assert found == {
        "title": ["第三回東風戦", "20240301"],
        "ver": 2.3,
        "log": found["log"],
        "rule": {"disp": "", "aka53": 0, "aka52": 0, "aka51": 0},
        "name": ["山田 Tarou", "", "", ""],
    }
    assert found["log"][0][16] == ["不明"]


def test_ranks_of_other_servers() -> None:
    """The rank on another server is written by its name."""
    players = (Player(rank="初心★3"), Player(dan=16), Player(rank="雀聖★1"), Player(dan=0))
    found = json.loads(write_tenhou6(Match(Rules(), players, (frame(),))))
    assert found["dan"] == ["初心★3", "七段", "雀聖★1", "新人"]


# --- three players ---------------------------------------------------------------------------------------------------

KITA = frame(
    DRAWS[0][4 * 30],
    Kita(0, 4 * 30),
    DRAWS[0][any_copy("9p")],
    DISCARDS[False][0][any_copy("1p")],
    Pon(2, any_copy("1p"), (any_copy("1p"),) * 2, 0),
    Discard(2, any_copy("3p")),
    Win(1, 2, any_copy("3p"), Score(30, 1000, Limit.NONE, (Yaku(8, 1),)), changes=(0, 1000, -1000)),
    players=3,
)


def test_three_players() -> None:
    """With three players the fourth seat is empty, a north set aside is `f44`, and toimen is across from that seat."""
    found = items(KITA, Rules(players=3))
    assert found[1] == [25000, 25000, 25000, 0]
    assert found[5:7] == [[44, 29], ["f44", 21]]
    assert found[11:13] == [["21p2121"], [23]]
    assert found[13:] == [[], [], [], ["和了", [0, 1000, -1000, 0], [1, 2, 1, "30符1飜1000点", "断幺九(1飜)"]]]


def test_head_of_three() -> None:
    """Tenhou's own records of three players have a nameless computer in the fourth seat."""
    players = tuple(Player(handle(name), None, 10, 1500.50, "M") for name in "ABC")
    rules = Rules(3, True, 185, 0)  # noqa: FBT003
    game = Match(rules, players, (KITA,), final_points=(35000, 36000, 34000), results=(0, 20000, -20000))
    found = json.loads(write_tenhou6(game))
    assert found["ratingc"] == "PF3"
    assert found["rule"]["disp"] == "三鳳南喰赤"
    assert found["dan"] == ["初段"] * 3 + ["新人"]
    assert found["rate"] == [1500.5] * 3 + [1500]
    assert found["sx"] == ["M"] * 3 + ["C"]
    assert found["sc"] == [35000, 0, 36000, 20, 34000, -20, 0, 0]
    assert found["name"] == ["A", "B", "C", ""]


# --- frame by frame --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.name)
def test_frames(path: Path) -> None:
    """Each line is the JSON of one frame, as in that of the whole game; each link is the same, escaped."""
    whole = json.loads(write_tenhou6(match(path)))
    lines = write_tenhou6(match(path), per_frame=True).split("\n")
    links = write_tenhou6(match(path), url=True).split("\n")
    assert lines[-1] == links[-1] == ""
    assert [json.loads(line)["log"] for line in lines[:-1]] == [[items] for items in whole["log"]]
    for line, link in zip(lines[:-1], links[:-1], strict=True):
        found = json.loads(line)
        assert [*found] == ["title", "name", "rule", "log"]
        assert found["name"] == whole["name"]
        assert found["rule"] == {"disp": whole["rule"]["disp"], "aka": whole["rule"]["aka51"]}
        assert re.fullmatch(r"https://tenhou\.net/6/#json=[A-Za-z0-9%\-_.!~*'(),]*", link)
        assert unquote(link.partition("=")[2]) == line


def test_one_line() -> None:
    """A whole game is one line without a line end, as Tenhou serves it."""
    assert "\n" not in write_tenhou6(match(VALID / "plain.xml"))


# --- every log -------------------------------------------------------------------------------------------------------


def in_step(hand: Sequence[int], takes: Sequence[Any], outs: Sequence[Any]) -> list[int]:
    """Return the tiles of a *hand* after its incoming and outgoing tiles, which are aligned by index."""
    tiles = [*hand]
    for take, out in zip_longest(takes, outs):
        if isinstance(take, str):
            called = re.search("[cpm]", take)
            assert called is not None
            for tile in pairs(take[: called.start()] + take[called.start() + 3 :]):
                tiles.remove(tile)
        elif take is not None:
            tiles.append(take)
        if isinstance(out, str):
            gone = out.partition("r")[2] or out
            if "k" in gone:
                gone = gone.partition("k")[2][:2]
            for tile in pairs(gone):
                tiles.remove(take if tile == 60 else tile)
        elif out:
            tiles.remove(take if out == 60 else out)
    return sorted(tiles)


def pairs(text: str) -> list[int]:
    """Return the two-digit numbers in *text*."""
    return [int(number) for number in re.findall("[0-9]{2}", text)]


FACES_BY_NUMBER = {
    **{10 * suit + rank: f"{rank}{letter}" for suit, letter in enumerate("mps", 1) for rank in range(1, 10)},
    **dict(zip(range(41, 48), ("ew", "sw", "ww", "nw", "wd", "gd", "rd"), strict=True)),
    51: "0m",
    52: "0p",
    53: "0s",
}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_in_step(path: Path) -> None:
    """Incoming and outgoing tiles are aligned: played together, they leave the same hands as the play."""
    expect_in_step(json.loads(write_tenhou6(match(path))), match(path))


def expect_in_step(whole: dict[str, Any], game: Match) -> None:
    """Check that the incoming and outgoing tiles of *whole* leave the same hands as *game*."""
    names = faces(red_fives=game.rules.red_fives)
    for found, lying in zip(whole["log"], game.frames, strict=True):
        rons = {event.player for event in lying.endings if isinstance(event, Win) and event.source is not None}
        for player, hand in enumerate(lying.end.hands):
            fourteenth = () if hand.drawn is None or player in rons else (hand.drawn,)
            left = in_step(*found[4 + 3 * player : 7 + 3 * player])
            assert sorted(FACES_BY_NUMBER[tile] for tile in left) == sorted(
                names[tile] for tile in (*hand.tiles, *fourteenth)
            )


def reduced(whole: dict[str, Any], *, riichi: bool) -> dict[str, Any]:
    """Return *whole* as far as a game read from jmjp has it.

    jmjp does not hold whether an indicator was the red five, the value of a win, who paid by pao, or the kind of a
    draw, except triple ron; without comments, nor which copy was discarded with a riichi.

    :param riichi: tell a riichi from the hand from one by tsumogiri.
    """
    plain = {51: 15, 52: 25, 53: 35}
    frames = []
    for found in whole["log"]:
        dora, ura = ([plain.get(tile, tile) for tile in found[place]] for place in (2, 3))
        end = found[16]
        if end[0] == "和了":
            end = ["和了", *([detail, win[:2]] for detail, win in zip(end[1::2], end[2::2], strict=True))]
        elif end[0] not in ("三家和了", "不明"):
            end = ["流局", *[detail for detail in end[1:] if any(detail)]]
        plays = found[4:16]
        if not riichi:
            plays = [["r" if str(tile)[0] == "r" else tile for tile in row] for row in plays]
        frames.append([*found[:2], dora, ura, *plays, end])
    return whole | {"log": frames}


@pytest.mark.parametrize("path", LOGS_OF_FOUR, ids=lambda path: path.name)
def test_from_jmjp(path: Path) -> None:
    """A game from the jmjp made from a log is the same as from the log, except for what jmjp does not hold."""
    game = match(path)
    (again,) = read_jmjp(write_jmjp(game).encode())
    ours, theirs = (reduced(json.loads(write_tenhou6(one)), riichi=True) for one in (again, game))
    assert ours == theirs


@real
@pytest.mark.parametrize("path", FOUR, ids=lambda path: path.name)
def test_from_jmjp_with_wall(path: Path) -> None:
    """It is also the same if the jmjp has all ten dora of the wall, even if fewer were turned."""
    game = match(path)
    with suppress(WallError):
        game = with_wall(game)
    (again,) = read_jmjp(write_jmjp(game).encode())
    ours, theirs = (reduced(json.loads(write_tenhou6(one)), riichi=True) for one in (again, game))
    assert ours == theirs


@pytest.mark.parametrize("path", LOGS_OF_FOUR, ids=lambda path: path.name)
def test_from_compact_jmjp(path: Path) -> None:
    """From jmjp without comments the frames are the same, and the head has what jmjp has a field for."""
    game = match(path)
    (again,) = read_jmjp(write_jmjp(game, compact=True).encode())
    ours, theirs = (reduced(json.loads(write_tenhou6(one)), riichi=False) for one in (again, game))
    assert ours["log"] == theirs["log"]
    assert ours.get("sc") == theirs.get("sc")
    assert ours.keys() - {"title"} == theirs.keys() & {"ver", "log", "rule", "sc", "name"}
