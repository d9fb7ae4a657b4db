"""The summary of a match, as lines of text and as data."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from click import unstyle
from tables import table

from jmjp_convert.cli.console import WIDTH, Paint
from jmjp_convert.cli.info import summary_lines
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import (
    Discard,
    Disconnected,
    DrawKind,
    End,
    Event,
    Frame,
    Limit,
    Match,
    Name,
    Player,
    Returned,
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
from jmjp_convert.model.record import as_dict, replace
from jmjp_convert.play.outcome_text import describe
from jmjp_convert.view.summary import LANGUAGES, DrawInfo, FrameInfo, PlayerInfo, WinInfo, YakuInfo, summarize

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


def test_places() -> None:
    """Places are shown if the match has ended, with final points or results, not after any last frame."""
    ended = frame(Ryuukyoku(None), points=(24000, 26000, 30000, 20000))
    assert summarize(match(ended), "en").places is None
    assert summarize(replace(match(ended), results=(0, 0, 0, 0)), "en").places == (3, 2, 1, 4)
    assert summarize(replace(match(ended), final_points=(25000, 24000, 30000, 21000)), "en").places == (2, 3, 1, 4)


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
        "Hand  End         #0  #1  #2  #3",
        "E1-0  Unfinished   -   -   -   -",
    ]


def test_no_frames() -> None:
    """A match without recorded frames shows only its players and result."""
    bare = replace(match(), frames=(), results=(10000, 0, -4000, -6000))
    assert text(bare) == [
        "#  Player  Result",
        "0  Ash      +10.0",
        "1  Birch      0.0",
        "2  Cedar     -4.0",
        "3  Elm       -6.0",
    ]


def test_yakuman_in_color() -> None:
    """On a terminal with colors, headings are bold and a yakuman is colored, all of its lines."""
    game = summarize(read_mjlog(FIXTURES / "valid" / "yakuman.xml"), "en")
    plain = list(summary_lines(game, "en", str))
    colored = list(summary_lines(game, "en", str, paint=Paint(on=True)))
    assert [unstyle(line) for line in colored] == plain
    assert [line for line, line_in_color in zip(plain, colored, strict=True) if line != line_in_color] == [
        plain[3],
        plain[9],
        *(line for line in plain if "yakuman" in line or "musou" in line),
    ]


def test_wide() -> None:
    """A wider terminal has room for longer lines."""
    game = summarize(read_mjlog(PLAIN), "en")
    line = "E2-0  Nazuna ron off 山茶花 1000, 30 fu 1 han: red dragon"
    assert any(whole.startswith(line) for whole in summary_lines(game, "en", str, room=120))


def test_disconnections() -> None:
    """Disconnections and returns are listed by frame."""
    gone: list[Event] = [Disconnected(2), Returned(2), Disconnected(0)]
    game = replace(match(frame(*gone, Ryuukyoku(None))), before=(Disconnected(3),))
    assert text(game)[-3:] == ["", "Elm disconnected", "S2-1: Cedar disconnected, Cedar returned, Ash disconnected"]
    assert text(game, "ja")[-2:] == ["Elm 切断", "南2局1本場: Cedar 切断、Cedar 復帰、Ash 切断"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_fits(valid_inputs: list[Path], lang: str) -> None:
    """No line is wider than 80 columns."""
    lines = (line for path in valid_inputs for line in text(read_mjlog(path), lang))
    assert [line for line in lines if columns(line) > WIDTH] == []


def test_long_names() -> None:
    """Long names are cut to make room for the end of a frame, measured in terminal columns."""
    names = ("今はこれが精一杯", "WWWWWWWW", "か\u3099か\u3099か\u3099か\u3099", "ｱｲｳｴｵｶｷｸ")
    drawn = Ryuukyoku(DrawKind.EXHAUSTIVE, (None, (0,), (0,), (0,)))
    assert text(match(frame(drawn, points=(-12300, 100000, 0, 12300)), names=names))[6:] == [
        "Hand Sticks End                                       今は… WWWWW…  か\u3099か\u3099… ｱｲｳｴｵ…",
        "S2-1      2 Draw: WWWWWWWW, か\u3099か\u3099か\u3099か\u3099, ｱｲｳｴｵｶｷｸ       -12300 100000      0  12300",
        "            tenpai",
    ]


def test_long_comment() -> None:
    """A foreign comment is wrapped, below what else is known of the end of the frame."""
    names = ("今はこれが精一杯", "WWWWWWWW", "Cedar", "Elm")
    forgotten = frame(comment=Text("Nobody remembers any more how this frame ended, or why"))
    assert text(match(forgotten, names=names))[-3:] == [
        "Hand Sticks End                                      今はこ… WWWWWW… Cedar   Elm",
        "S2-1      2 Nobody remembers any more how this frame   25000   25000 25000 25000",
        "            ended, or why",
    ]


def test_names_that_begin_alike() -> None:
    """Names are not cut so far that two of them look the same."""
    names = ("Abcdefghi1", "Abcdefghi2", "Abcdefghi3", "Elm")
    lines = text(match(frame(comment=Text("word " * 30)), names=names))
    assert next(line for line in lines if line.startswith("Hand")).split()[3:] == [*names]


def test_escaped_names_that_begin_alike() -> None:
    """Nor do two look the same that the terminal cannot show, and that are escaped."""
    names = ("あい1", "あい2", "あい3", "あう")
    game = match(frame(comment=Text("word " * 30)), names=names)
    lines = list(
        summary_lines(
            summarize(game, "en"), "en", lambda text: text.encode("ascii", "backslashreplace").decode(), room=100
        )
    )
    heads = next(line for line in lines if line.startswith("Hand")).split()[3:]
    assert heads == [r"\u3042\u30441", r"\u3042\u30442", r"\u3042\u30443", r"\u3042\u3046"]


def test_narrow() -> None:
    """If there is no room for the points of each player, they are in a line of their own below each frame."""
    wins = frame(Win(1, 0, 0, SCORE), Win(2, 0, 0, SCORE), points=(900, 31000, 29000, -100))
    game = match(frame(Win(1, None, 0, SCORE)), wins)
    lines = list(summary_lines(summarize(game, "en"), "en", str, room=40))
    assert lines[lines.index("") + 1 :] == [
        "Hand Sticks End, points by player",
        "S2-1      2 Birch tsumo 2000, 30 fu 2",
        "            han: riichi, dora",
        "            25000 25000 25000 25000",
        "S2-1      2 Birch ron off Ash 2000, 30",
        "            fu 2 han: riichi, dora",
        "            Cedar ron off Ash 2000, 30",
        "            fu 2 han: riichi, dora",
        "              900 31000 29000  -100",
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
        r"Hand  Sticks  End   Pine\nFir  \u5c71\u8336\u82b1  Cedar    Elm",
        "S2-1       2  Draw      25000               25000  25000  25000",
    ]


# --- the end of a frame, from comments or events ---------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_own_comment(valid_inputs: list[Path], lang: str) -> None:
    """Our own comment in jmjp gives the same text for a frame's end as the log."""
    for game in map(read_mjlog, valid_inputs):
        as_jmjp = [replace(frame_, comment=describe(frame_)) for frame_ in game.frames]
        assert text(replace(game, frames=tuple(as_jmjp)), lang) == text(game, lang)


@pytest.mark.parametrize(
    ("comment", "lang", "comments"),
    [
        (Text("親の満貫", "A mangan of the dealer"), "en", ["A mangan of the dealer"]),
        (Text("親の満貫", "A mangan of the dealer"), "ja", ["親の満貫"]),
        (Text("親の満貫", None), "en", ["親の満貫"]),
        (Text(" ", "A mangan of the dealer"), "ja", ["A mangan of the dealer"]),
        (Text("", ""), "en", []),
        (Text(), "ja", []),
        (None, "en", []),
    ],
)
def test_comment(comment: Text | None, lang: str, comments: list[str]) -> None:
    """The recorder's comment comes below what the events say, in either language."""
    lines = text(match(frame(Win(2, 1, 0), comment=comment)), lang)
    first = next(number for number, line in enumerate(lines) if line.startswith(("S2", "南2")))
    assert {"en": "Cedar ron off Birch ", "ja": "Cedar ロン←Birch "}[lang] in lines[first]
    assert list(map(str.strip, lines[first + 1 :])) == comments


@pytest.mark.parametrize(
    ("events", "lang", "ends"),
    [
        ([Win(2, None, 0)], "en", ["Cedar tsumo"]),
        ([Win(2, None, 0)], "ja", ["Cedar ツモ"]),
        ([Win(2, 1, 0), Win(3, 1, 0)], "en", ["Cedar ron off Birch", "Elm ron off Birch"]),
        ([Win(2, 1, 0), Win(3, 1, 0)], "ja", ["Cedar ロン←Birch", "Elm ロン←Birch"]),
        ([Ryuukyoku(None)], "en", ["Draw"]),
        ([Ryuukyoku(None)], "ja", ["流局"]),
    ],
)
def test_worth_not_recorded(events: list[Event], lang: str, ends: list[str]) -> None:
    """If only the winner, or that nobody won, is recorded, that is shown."""
    lines = text(match(frame(*events, comment=Text())), lang)[-len(ends) :]
    assert all(end in line for end, line in zip(ends, lines, strict=True))


@pytest.mark.parametrize(
    ("score", "end"),
    [
        (Score(30, 7700, Limit.NONE, (Yaku(1, 1), Yaku(52, 3))), "7700, 30 fu 4 han: riichi, dora 3"),
        (
            Score(30, 2000, Limit.NONE, (Yaku(1, 1), Yaku(None, 1, "三色小同刻"))),
            "2000, 30 fu 2 han: riichi, 三色小同刻",
        ),
        (Score(None, 8000, Limit.MANGAN, (), 5), "8000 mangan, 5 han"),
        (Score(None, 8000, Limit.MANGAN), "8000 mangan"),
        (Score(None, 1000, Limit.NONE), "1000"),
    ],
)
def test_partly_known_value(score: Score, end: str) -> None:
    """Fu, han and yaku are shown as far as they are known."""
    lines = list(summary_lines(summarize(match(frame(Win(2, 1, 0, score))), "en"), "en", str, room=200))
    assert f"Cedar ron off Birch {end}  " in lines[-1]


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
            wins=(WinInfo(3, 2, 1000, 30, 1, None, (YakuInfo("Red dragon", 1),)),),
            points=(21000, 33000, 22000, 24000),
        ),
        FrameInfo("E3-0", 2, 0, "Nine terminals", (), (21000, 33000, 22000, 24000), DrawInfo("nine terminals", None)),
    )
    assert (info.frames[0].wins[0].points, info.frames[0].wins[0].limit) == (8000, "mangan")
    assert info.places == (4, 2, 1, 3)
    assert (info.final_points, info.results) == ((8700, 33000, 34300, 24000), (-41.0, 13.0, 44.0, -16.0))


def test_rank_of_another_server() -> None:
    """The rank on another server is shown as it is, in either language."""
    ranked = replace(match(), players=(Player(handle("Ash"), rank="豪★1"), *match().players[1:]))
    for lang in LANGUAGES:
        assert summarize(ranked, lang).players[0] == PlayerInfo("Ash", None, "豪★1", None, None, None)
    assert any("豪★1" in line for line in text(ranked))


def test_keys() -> None:
    """The keys are stable, since other programs rely on them."""
    info = as_dict(summarize(read_mjlog(PLAIN), "en"))
    assert list(info) == [
        *("id", "date", "weekday", "time", "place", "tournament", "players", "frames", "final_points", "results"),
        *("places", "presences"),
    ]
    assert list(info["players"][0]) == ["name", "dan", "rank", "rate", "team", "affiliation"]
    assert list(info["frames"][0]) == [
        *("frame", "dealer", "sticks", "end", "wins", "points", "draw", "comment"),
    ]
    assert list(info["frames"][0]["wins"][0]) == [
        *("player", "source", "points", "fu", "han", "limit", "yaku", "pao"),
    ]


@pytest.mark.parametrize(("dan", "english", "japanese"), table("cli_summary_text", "ranks"))
def test_ranks(dan: int | None, english: str | None, japanese: str | None) -> None:
    """Tenhou's ranks have names; a number without a name is shown as a number."""
    game = replace(match(), players=(Player(dan=dan),) * 4)
    for lang, rank in (("en", english), ("ja", japanese)):
        assert summarize(game, lang).players[0].rank == rank
        expected = rank or (None if dan is None else str(dan))
        lines = text(replace(game, frames=()), lang)[1:5]
        assert [line.split(maxsplit=2)[2:] for line in lines] == [[expected] if expected else []] * 4


@pytest.mark.parametrize("rate", [1834.27, 1834, None])
def test_rate(rate: float | None) -> None:
    """A rate is a float or `None`."""
    shown_rate = summarize(replace(match(), players=(Player(rate=rate),)), "en").players[0].rate
    assert shown_rate == rate
    assert rate is None or type(shown_rate) is float


def test_professionals() -> None:
    """A tournament's stage and the players' teams are shown in the chosen language."""
    player = Player(
        Name(Text("松", "Matsu"), Text("一", "Hajime")),
        team=Text("山茶花組", "Camellias"),
        affiliation=Text("連盟", "Association"),
    )
    stage = Tournament(Text("杯", "Cup"), 2020, Text("決勝", "Final"), 3, 2)
    game = replace(match(), players=(player,) * 4, tournament=stage, date="20200229", frames=())
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
