"""The JSON lines as they are written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.json.schema import EVENTS
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    Disconnected,
    DrawKind,
    End,
    Frame,
    Hand,
    Limit,
    Match,
    Name,
    Player,
    Recorder,
    Returned,
    Rules,
    Ryuukyoku,
    Score,
    Start,
    Text,
    Win,
    Yaku,
    handle,
)
from jmjp_convert.model.tiles import IDS, UNKNOWN, any_copy

EMPTY = Match(Rules(red_fives=None), (Player(),) * 4, ())
MANGAN = Score(30, 7700, Limit.MANGAN, (Yaku(1, 1), Yaku(52, 0)))
DEALT = tuple(tuple(range(player, 52, 4)) for player in range(4))


def lines(*matches: Match) -> list[Any]:
    """Return the values in the lines of *matches*."""
    return [json.loads(line) for line in write_json(matches).splitlines()]


def event(made: Any) -> str:
    """Return the line of the only event of a frame."""
    frame = Frame(Start(0, 0, None, 0, None, None, DEALT), (made,), End((Hand(()),) * 4, None), None)
    return write_json(Match(Rules(), (Player(),) * 4, (frame,))).splitlines()[2]


def test_empty() -> None:
    """An empty match has two lines, without white space, each ending with a line feed."""
    assert write_json(EMPTY) == (
        '{"type":"match","format":"riichi-events","version":1,"rules":{"players":4},"players":[{},{},{},{}]}\n'
        '{"type":"end_match"}\n'
    )


def test_several() -> None:
    """Matches follow one another; no matches give an empty text."""
    assert write_json([EMPTY, EMPTY]) == 2 * write_json(EMPTY)
    assert write_json(iter([EMPTY])) == write_json(EMPTY)
    assert write_json([]) == ""


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (DRAWS[0][17], '{"type":"draw","player":0,"tile":17}'),
        (DRAWS[3][any_copy("0p")], '{"type":"draw","player":3,"tile":"0p"}'),
        (DRAWS[1][UNKNOWN], '{"type":"draw","player":1,"tile":"uk"}'),
        (DISCARDS[True][2][135], '{"type":"discard","player":2,"tile":135,"tsumogiri":true}'),
        (DISCARDS[False][2][any_copy("5m")], '{"type":"discard","player":2,"tile":"5m","tsumogiri":false}'),
        (DISCARDS[None][2][any_copy("ew")], '{"type":"discard","player":2,"tile":"ew"}'),
        (
            Win(1, 0, 8, MANGAN, changes=(-7700, 7700, 0, 0), melds=()),
            (
                '{"type":"win","player":1,"source":0,"tile":8,"score":{"fu":30,"points":7700,"limit":"mangan",'
                '"yaku":[{"number":1,"name":"Riichi","han":1},{"number":52,"name":"Dora","han":0}]},'
                '"changes":[-7700,7700,0,0],"melds":[]}'
            ),
        ),
        (
            Win(1, None, 8, Score(20, 32000, Limit.YAKUMAN, (Yaku(38),))),
            (
                '{"type":"win","player":1,"tile":8,"score":{"fu":20,"points":32000,"limit":"yakuman",'
                '"yaku":[{"number":38,"name":"Chiihou"}]}}'
            ),
        ),
        (
            Ryuukyoku(DrawKind.NINE_TERMINALS, shown=(None, (1, 2), None, ()), sticks=0),
            '{"type":"ryuukyoku","kind":"nine_terminals","shown":[null,[1,2],null,[]],"sticks":0}',
        ),
        (Ryuukyoku(None), '{"type":"ryuukyoku"}'),
        (Returned(3), '{"type":"returned","player":3}'),
        (Returned(3, ""), '{"type":"returned","player":3,"name":""}'),
    ],
)
def test_events(made: Any, line: str) -> None:
    """An event is a line; points are in points, words are the names of members, and unknown values are left out."""
    assert event(made) == line


def test_simple_lines() -> None:
    """The precomputed lines of draws and discards are those of the JSON encoder."""
    for events in (DRAWS, *DISCARDS.values()):
        for player in range(4):
            for tile in range(IDS):
                made = events[player][tile]
                value = EVENTS[type(made)].write(made)
                assert event(made) == json.dumps(value, separators=(",", ":"))
                assert EVENTS[type(made)].read(value, 4) is made


def test_places() -> None:
    """What is known only at the end is at the end; disconnections and returns before the first frame come before it."""
    frame = Frame(
        Start(4, 1, 2, 0, (3, 4), (25000, 24000, -1000, 25000), ()),
        (Disconnected(1),),
        End((), (25000,) * 4),
        None,
        Text("終"),
    )
    match = Match(
        Rules(code=9), (Player(handle("a")),) * 4, (frame,), before=(Disconnected(0),), results=(47000, 0, -47000, 0)
    )
    head, left, *rest = lines(match)
    assert head["rules"] == {"players": 4, "red_fives": True, "code": 9}
    assert head["players"][0] == {"name": "a"}
    assert left == {"type": "disconnected", "player": 0}
    assert rest == [
        {
            "type": "frame",
            "round": 4,
            "honba": 1,
            "sticks": 2,
            "dealer": 0,
            "dice": [3, 4],
            "points": [25000, 24000, -1000, 25000],
        },
        {"type": "disconnected", "player": 1},
        {"type": "end_frame", "points": [25000] * 4, "comment": {"native": "終"}},
        {"type": "end_match", "results": [47000, 0, -47000, 0]},
    ]


@pytest.mark.parametrize(
    ("full_name", "written"),
    [
        (None, {}),
        (handle("天"), {"name": "天"}),
        (Name(), {"full_name": {}}),
        (Name(Text("")), {"full_name": {"family": {"native": ""}}}),
        (Name(Text(None, "A")), {"name": "A", "full_name": {"family": {"roman": "A"}}}),
        (Name(None, Text("A")), {"name": "A", "full_name": {"given": {"native": "A"}}}),
        (
            Name(Text("鈴木", "Suzuki"), Text(None, "Taro")),
            {
                "name": "鈴木 Taro",
                "full_name": {"family": {"native": "鈴木", "roman": "Suzuki"}, "given": {"roman": "Taro"}},
            },
        ),
    ],
)
def test_names(full_name: Name | None, written: dict[str, object]) -> None:
    """A name is a string, and the full name is written if it says more."""
    match = Match(Rules(), (Player(full_name), *[Player()] * 3), (), recorders=(Recorder(full_name),))
    head, _ = lines(match)
    assert head["players"][0] == head["recorders"][0] == written
    (back,) = read_json(write_json(match).encode())
    assert (back.players[0].full_name, back.recorders[0].full_name) == (full_name, full_name)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("天鳳é😀", "天鳳é😀"),
        ('a"b\\c/', '"a\\"b\\\\c/"'[1:-1]),
        ("\x00\n\x1f", "\\u0000\\n\\u001f"),
        ("\x7f\x80\x85\x9f\xa0", "\\u007f\\u0080\\u0085\\u009f\xa0"),
        ("a\u2028\u2029", "a\\u2028\\u2029"),
    ],
)
def test_texts(text: str, written: str) -> None:
    """A text is written unchanged, except for characters that would break a line or a script."""
    match = Match(Rules(), (Player(),) * 4, (), source=text)
    out = write_json(match)
    assert f'"source":"{written}"' in out
    assert len(out.splitlines()) == 2
    (back,) = read_json(out.encode())
    assert back.source == text


def test_bytes() -> None:
    """Bytes are written as hexadecimal digits."""
    head, _ = lines(Match(Rules(), (Player(raw_name=b"\x00\xaf"), *[Player()] * 3), ()))
    assert head["players"][0] == {"raw_name": "00af"}
