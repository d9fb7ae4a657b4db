"""The summary of a match, as lines of text and as data."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from jmjp_convert.cli.summary_text import WIDTH, summary_lines
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import (
    Discard,
    DrawKind,
    End,
    Event,
    Frame,
    Limit,
    Match,
    Name,
    Player,
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
from jmjp_convert.play.outcome_text import describe
from jmjp_convert.view.summary import LANGUAGES, FrameInfo, PlayerInfo, WinInfo, summarize

FIXTURES = Path(__file__).parent.parent / "fixtures"
PLAIN = FIXTURES / "valid" / "plain.xml"
ID = "2019041809gm-0009-0000-0123abcd"

POINTS = (25000, 25000, 25000, 25000)
NAMES = ("Ash", "Birch", "Cedar", "Elm")
SCORE = Score(30, 2000, Limit.NONE, (Yaku(1, 1), Yaku(52, 1)))


def frame(*events: Event, comment: Text | None = None, points: tuple[int, ...] | None = POINTS) -> Frame:
    """Return a frame S2-1 that ends in *events*."""
    start = Start(5, 1, 2, 1, None, POINTS, ((0,),) * 4)
    return Frame(start, (Discard(0, 0), *events), End((), points), None, comment)


def match(*frames: Frame, names: tuple[str, ...] = NAMES) -> Match:
    """Return a match of *frames* between players with these *names*."""
    return Match(Rules(), tuple(Player(handle(name)) for name in names), frames or (frame(),))


def text(match: Match, lang: str = "en") -> list[str]:
    """Return the lines of *match*."""
    return list(summary_lines(summarize(match, lang), lang, str))


def last(match: Match, lang: str = "en") -> str:
    """Return the last line of *match*."""
    return text(match, lang)[-1]


def columns(line: str) -> int:
    """Return the width of *line*, which has no combining characters."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


# --- lines of text ----------------------------------------------------------------------------------------------------


def test_english() -> None:
    """A summary has date and place, rules, players, a line for each frame, and the result."""
    game = read_mjlog(PLAIN, id=ID, time="0941")
    expected = """\
2019-04-18 Thu 09:41, Tenhou
Tenhou 4-player General East-South, open tanyao, red fives

#  Player   Dan       Rate
0  Kaede    3 dan  1834.27
1  Tsubaki  1 dan  1650.00
2  山茶花   7 dan  2101.93
3  Nazuna   2 kyu  1499.50

Frame Dealer  Sticks End                       Kaede Tsubaki 山茶花 Nazuna
E1-0  Kaede        0 Tsumo: South 8000         21000   33000  23000  23000
E2-0  Tsubaki      0 Ron: West from South 1000 21000   33000  22000  24000
E3-0  山茶花       0 Nine terminals            21000   33000  22000  24000
E3-1  山茶花       0 Ron: East from West 12000  8700   33000  34300  24000
                     Result                    -41.0   +13.0  +44.0  -16.0
"""
    assert text(game) == expected.splitlines()


def test_japanese() -> None:
    """A summary in Japanese has the same parts."""
    game = read_mjlog(PLAIN, id=ID, time="0941")
    expected = """\
2019-04-18 木 09:41, 天鳳
天鳳 四般南喰赤

#  対局者   段位        R
0  Kaede    三段  1834.27
1  Tsubaki  初段  1650.00
2  山茶花   七段  2101.93
3  Nazuna   2級   1499.50

局    親       供託  結果                  Kaede  Tsubaki  山茶花  Nazuna
E1-0  Kaede       0  ツモ 南家 8000        21000    33000   23000   23000
E2-0  Tsubaki     0  ロン 西家←南家 1000   21000    33000   22000   24000
E3-0  山茶花      0  九種九牌              21000    33000   22000   24000
E3-1  山茶花      0  ロン 東家←西家 12000   8700    33000   34300   24000
                     最終結果              -41.0    +13.0   +44.0   -16.0
"""
    assert text(game, "ja") == expected.splitlines()


def test_three_players() -> None:
    """A three-player game has three columns."""
    expected = """\
Tenhou
Tenhou 3-player Phoenix East-South, open tanyao, red fives

#  Player   Dan       Rate
0  Kaede    7 dan  2101.11
1  Tsubaki  8 dan  2150.50
2  Aster    7 dan  2088.25

Frame  Dealer  Sticks  End                 Kaede  Tsubaki  Aster
E1-0   Kaede        0  Tsumo: South 12000  27000    47000  31000
                       Result              -33.0    +42.0   -9.0
"""
    assert text(read_mjlog(FIXTURES / "invalid" / "sanma.xml")) == expected.splitlines()


def test_not_recorded() -> None:
    """Unrecorded data is left out or shown as a dash."""
    start = Start(0, 0, None, 0, None, None, ())
    bare = Match(Rules(), (Player(),) * 4, (Frame(start, (), End((), None), None, Text()),))
    assert text(bare) == [
        "#  Player",
        "0  #0",
        "1  #1",
        "2  #2",
        "3  #3",
        "",
        "Frame  Dealer  Sticks  End  #0  #1  #2  #3",
        "E1-0   #0           -        -   -   -   -",
    ]


def test_no_frames() -> None:
    """A match without recorded frames shows only its result."""
    bare = replace(match(), frames=(), results=(10000, 0, -4000, -6000))
    assert text(bare)[-2:] == [
        "Frame  Dealer  Sticks  End       Ash  Birch  Cedar   Elm",
        "                       Result  +10.0    0.0   -4.0  -6.0",
    ]


def test_several_wins() -> None:
    """Each of several wins has its own line."""
    expected = """\
Frame Dealer Sticks End                        Kaede Tsubaki 山茶花 Nazuna
E1-0  Kaede       0 Four winds                 25000   25000  25000  25000
E1-1  Kaede       0 Ron: West from South 2000  25000   14700  28300  32000
                    Ron: North from South 8000
                    Result                     -15.0   -35.0   +8.0  +42.0
"""
    assert text(read_mjlog(FIXTURES / "valid" / "double-ron.xml"))[-5:] == expected.splitlines()


@pytest.mark.parametrize(
    ("name", "lang", "end"),
    [
        ("exhaustive-0-tenpai", "en", "Draw: all noten "),
        ("exhaustive-3-tenpai", "en", "Draw: East, South, North tenpai "),
        ("exhaustive-4-tenpai", "en", "Draw: all tenpai "),
        ("exhaustive-4-tenpai", "ja", "流局 聴牌 東家 南家 西家 北家 "),
        ("nagashi-and-tenpai", "en", "Nagashi mangan: West "),
        ("yakuman", "en", "Ron: East from North 48000 "),
        ("yakuman", "ja", "ロン 東家←北家 48000 "),
        ("pao-ron", "en", "Ron: South from North 32000 "),
        ("pao-ron", "ja", "ロン 南家←北家 32000 "),
        ("unfinished-after-draw", "en", "Unfinished "),
    ],
)
def test_short_ends(name: str, lang: str, end: str) -> None:
    """The end of a frame is shown without fu, han and yaku."""
    assert any(f" {end}" in line for line in text(read_mjlog(FIXTURES / "valid" / f"{name}.xml"), lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_fits(valid_input: Path, lang: str) -> None:
    """No line is wider than 80 columns."""
    assert max(map(columns, text(read_mjlog(valid_input), lang))) <= WIDTH


def test_long_names() -> None:
    """Long names are cut to make room for the end of a frame, measured in terminal columns."""
    names = ("今はこれが精一杯", "WWWWWWWW", "か\u3099か\u3099か\u3099か\u3099", "ｱｲｳｴｵｶｷｸ")
    drawn = Ryuukyoku(DrawKind.EXHAUSTIVE, (None, (0,), (0,), (0,)))
    assert text(match(frame(drawn, points=(-12300, 100000, 0, 12300)), names=names))[1:] == [
        "0  今はこれが精一杯",
        "1  WWWWWWWW",
        "2  か\u3099か\u3099か\u3099か\u3099",
        "3  ｱｲｳｴｵｶｷｸ",
        "",
        "Frame Dealer Sticks End                             今は… WWWWW… か\u3099か\u3099か\u3099… ｱｲｳｴｵｶ…",
        "S2-1  WWWWW…      2 Draw: East, South, West tenpai -12300 100000       0   12300",
    ]


def test_long_comment() -> None:
    """A foreign comment is cut so that part of each name is left."""
    names = ("今はこれが精一杯", "WWWWWWWW", "Cedar", "Elm")
    forgotten = frame(comment=Text("Nobody remembers any more how this frame ended, or why"))
    assert text(match(forgotten, names=names))[-2:] == [
        "Frame Dealer Sticks End                                今は… WWWWWW… Cedar   Elm",
        "S2-1  WWWWW…      2 Nobody remembers any more how th…  25000   25000 25000 25000",
    ]


def test_long_title() -> None:
    """A long title is wrapped, and an endless one is cut."""
    assert text(read_mjlog(FIXTURES / "valid" / "type-no-kuitan.xml"))[1:4] == [
        "Tenhou 4-player General East-South, no open tanyao, no red fives, fast, lobby",
        "5678",
        "",
    ]
    endless = replace(match(), tournament=Tournament(Text("天鳳" * 1000)))
    assert text(endless)[:4] == ["天鳳" * 20, "天鳳" * 20, "[...]", ""]


def test_safe() -> None:
    """Unsafe characters are escaped before widths are measured; the ellipsis of a cut is replaced too."""

    def safe(text: str) -> str:
        return text.replace("\n", "\\n").encode("ascii", "backslashreplace").decode()

    game = replace(match(names=("Pine\nFir", "山茶花", "Cedar", "Elm")), place=Text("x\ny"))
    assert list(summary_lines(summarize(game, "en"), "en", safe)) == [
        r"x\ny",
        "",
        "#  Player",
        r"0  Pine\nFir",
        r"1  \u5c71\u8336\u82b1",
        "2  Cedar",
        "3  Elm",
        "",
        r"Frame Dealer             Sticks End Pine\nFir \u5c71\u8336\u82b1 Cedar   Elm",
        r"S2-1  \u5c71\u8336\u82b1      2         25000              25000 25000 25000",
    ]


# --- the end of a frame, from comments or events ---------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_own_comment(valid_input: Path, lang: str) -> None:
    """Our own comment in jmjp gives the same text for a frame's end as the log."""
    game = read_mjlog(valid_input)
    as_jmjp = [replace(one, comment=describe(one)) for one in game.frames]
    assert text(replace(game, frames=tuple(as_jmjp)), lang) == text(game, lang)


@pytest.mark.parametrize(
    ("comment", "lang", "end"),
    [
        (Text("親の満貫", "A mangan of the dealer"), "en", "A mangan of the dealer"),
        (Text("親の満貫", "A mangan of the dealer"), "ja", "親の満貫"),
        (Text("親の満貫", None), "en", "親の満貫"),
        (Text(" ", "A mangan of the dealer"), "ja", "A mangan of the dealer"),
        (Text("", ""), "en", "Ron: South from East"),
        (Text(), "ja", "ロン 南家←東家"),
        (None, "en", "Ron: South from East"),
        (Text("a / Ron: South from East, 30 fu 2 han, 2000 points: Riichi 1"), "en", "a / Ron: South from East, 30 f"),
    ],
)
def test_comment(comment: Text | None, lang: str, end: str) -> None:
    """The recorder's comment takes precedence, in either language, over the events."""
    assert f" {end}" in last(match(frame(Win(2, 1, 0), comment=comment)), lang)


@pytest.mark.parametrize(
    ("events", "lang", "ends"),
    [
        ([Win(2, None, 0)], "en", ["Tsumo: South"]),
        ([Win(2, None, 0)], "ja", ["ツモ 南家"]),
        ([Win(2, 1, 0), Win(3, 1, 0)], "en", ["Ron: South from East", "Ron: West from East"]),
        ([Win(2, 1, 0), Win(3, 1, 0)], "ja", ["ロン 南家←東家", "ロン 西家←東家"]),
        ([Ryuukyoku(None)], "en", ["Draw"]),
        ([Ryuukyoku(None)], "ja", ["流局"]),
    ],
)
def test_worth_not_recorded(events: list[Event], lang: str, ends: list[str]) -> None:
    """If only the winner, or that nobody won, is recorded, that is shown."""
    shown = text(match(frame(*events, comment=Text())), lang)[-len(ends) :]
    assert all(end in line for end, line in zip(ends, shown, strict=True))


# --- as data ---------------------------------------------------------------------------------------------------------


def test_summary() -> None:
    """Points are in points, results in thousands; a win has the points of the hand without honba."""
    info = summarize(read_mjlog(PLAIN, id=ID, time="0941"), "en")
    assert (info.id, info.date, info.weekday, info.time) == (ID, "2019-04-18", "thu", "09:41")
    assert (info.place, info.tournament) == (
        "Tenhou",
        "Tenhou 4-player General East-South, open tanyao, red fives",
    )
    assert info.players[3] == PlayerInfo("Nazuna", 8, "2 kyu", 1499.5, None, None)

    assert info.frames[1:3] == (
        FrameInfo(
            frame="E2-0",
            dealer=1,
            sticks=0,
            end="Ron: West from South, 30 fu 1 han, 1000 points: Yakuhai chun 1",
            wins=(WinInfo(3, 2, 1000),),
            points=(21000, 33000, 22000, 24000),
        ),
        FrameInfo("E3-0", 2, 0, "Nine terminals", (), (21000, 33000, 22000, 24000)),
    )
    assert info.frames[0].wins == (WinInfo(1, None, 8000),)
    assert (info.final_points, info.results) == ((8700, 33000, 34300, 24000), (-41.0, 13.0, 44.0, -16.0))


def test_rank_of_another_server() -> None:
    """The rank on another server is shown as it is, in either language."""
    told = replace(match(), players=(Player(handle("Ash"), rank="豪★1"), *match().players[1:]))
    for lang in LANGUAGES:
        assert summarize(told, lang).players[0] == PlayerInfo("Ash", None, "豪★1", None, None, None)
    assert any("豪★1" in line for line in text(told))


def test_keys() -> None:
    """The keys are stable, since other programs rely on them."""
    info = asdict(summarize(read_mjlog(PLAIN), "en"))
    assert list(info) == [
        *("id", "date", "weekday", "time", "place", "tournament", "players", "frames", "final_points", "results"),
    ]
    assert list(info["players"][0]) == ["name", "dan", "rank", "rate", "team", "affiliation"]
    assert list(info["frames"][0]) == ["frame", "dealer", "sticks", "end", "wins", "points"]
    assert list(info["frames"][0]["wins"][0]) == ["player", "source", "points"]


@pytest.mark.parametrize(
    ("dan", "english", "japanese"),
    [
        (0, "newcomer", "新人"),
        (1, "9 kyu", "9級"),
        (9, "1 kyu", "1級"),
        (10, "1 dan", "初段"),
        (11, "2 dan", "二段"),
        (19, "10 dan", "十段"),
        (20, "tenhou", "天鳳"),
        (21, None, None),
        (-1, None, None),
        (None, None, None),
    ],
)
def test_ranks(dan: int | None, english: str | None, japanese: str | None) -> None:
    """Tenhou's ranks have names; a number without a name is shown as a number."""
    game = replace(match(), players=(Player(dan=dan),) * 4)
    for lang, rank in (("en", english), ("ja", japanese)):
        assert summarize(game, lang).players[0].rank == rank
        shown = rank or (None if dan is None else str(dan))
        assert [line.split(maxsplit=2)[2:] for line in text(game, lang)[1:5]] == [[shown] if shown else []] * 4


@pytest.mark.parametrize("rate", [1834.27, 1834, None])
def test_rate(rate: float | None) -> None:
    """A rate is a float or `None`."""
    found = summarize(replace(match(), players=(Player(rate=rate),)), "en").players[0].rate
    assert found == rate
    assert rate is None or type(found) is float


def test_professionals() -> None:
    """A tournament's stage and the players' teams are shown in the chosen language."""
    player = Player(
        Name(Text("松", "Matsu"), Text("一", "Hajime")),
        team=Text("山茶花組", "Camellias"),
        affiliation=Text("連盟", "Association"),
    )
    stage = Tournament(Text("杯", "Cup"), 2020, Text("決勝", "Final"), 3, 2)
    game = replace(match(), players=(player,) * 4, tournament=stage, date="20200229")
    assert text(game)[:5] == [
        "2020-02-29",
        "Cup 2020, Final, match 3, match 2 of the day",
        "",
        "#  Player        Team       Affiliation",
        "0  Matsu Hajime  Camellias  Association",
    ]
    assert text(game, "ja")[1:5] == [
        "杯 2020, 決勝, 第3戦, 当日第2戦",
        "",
        "#  対局者  チーム    所属",
        "0  松 一   山茶花組  連盟",
    ]
