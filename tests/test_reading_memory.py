"""The memory of reading jmjp, JSON and majiang: in proportion to the file, whatever is in it.

A file of the default maximum size may hold matches, frames, comments and values up to bounds of their own. Here the
files and the bounds are smaller by the same factor.
"""

from __future__ import annotations

import gc
import io
import json
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from packing import PLAIN
from test_fuzz_jmjp import HEAD, LONG, SLOW, file, play

import jmjp_convert
from jmjp_convert.api import dumps
from jmjp_convert.errors import ConvertError, FormatError, JmjpError, JsonError, MjlogError
from jmjp_convert.files.inputs import MAX_SIZE
from jmjp_convert.formats import bounds, json_text
from jmjp_convert.formats.jmjp import lexer
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.majiang.reader import read_majiang
from jmjp_convert.formats.mjlog.reader import read_mjlog

SIZE = 1 << 16
LARGER = 5 << 14
"""For the acts of one frame: more than their bound, which is the same for files of all sizes."""
FACTOR = MAX_SIZE // SIZE
FIXED = 1 << 16
PER_BYTE = 10  # about as for mjlog

GAME = read_mjlog(PLAIN)
MATCH = '{"type":"match","format":"riichi-events","version":1,"rules":{"players":4},"players":[{},{},{},{}]'
END = '{"type":"end_match"}\n'
FRAME = '{"type":"frame","round":0,"honba":0,"dealer":0}\n{"type":"end_frame"}\n'
DEALT = next(line for line in dumps(GAME, "json").splitlines() if '"frame"' in line) + "\n"

Text = Callable[[int], str]

JMJP: dict[str, Text] = {
    **LONG,
    **{name: text for name, (_, text) in SLOW.items()},
    "games": lambda n: dumps([GAME] * n, compact=True),
    "games to read": lambda n: dumps([GAME] * n),
    "empty strings": lambda n: file('""' * n),
    "words": lambda n: file("ab " * n),
    "lines before a fault": lambda n: "jmjp[1.0]" + "\n" * n + "x",
    "empty comments": lambda n: file("\n") + "// tenhou\n" * n,
    "words of a comment": lambda n: f"jmjp[1.0]\n// tenhou{' ab' * n}\n({HEAD})",
    "values of a comment": lambda n: f"jmjp[1.0]\n// tenhou{''.join(f' {number:x}=' for number in range(n))}\n({HEAD})",
    "returns": lambda n: file("\n" + "// tenhou back player=0 name=a\n" * n),
    "frames of many matches": lambda n: "jmjp[1.0]" + f"({HEAD}{'frm[E1-0,,,,,,,]' * bounds.MATCH_FRAMES})" * n,
    "plays": lambda n: file(play("") * n),
}
OF_ONE_FRAME = [name for name, text in JMJP.items() if "(e," in text(1) and text(2).count("frm[") == 1]
JSON: dict[str, Text] = {
    "games": lambda n: dumps([GAME] * n, "json"),
    "matches": lambda n: (MATCH + "}\n" + END) * n,
    "frames": lambda n: MATCH + "}\n" + FRAME * n + END,
    "frames of many matches": lambda n: (MATCH + "}\n" + FRAME * bounds.MATCH_FRAMES + END) * n,
    "before": lambda n: MATCH + "}\n" + '{"type":"disconnected","player":0}\n' * n + END,
    "recorders": lambda n: MATCH + f',"recorders":[{"{}," * n}{{}}]}}\n' + END,
    "recorders of each match": lambda n: (MATCH + f',"recorders":[{"{}," * (bounds.RECORDERS - 1)}{{}}]}}\n' + END) * n,
    "frames of a recorder": lambda n: MATCH + f',"recorders":[{{"frames":[{"[0,0]," * n}[0,0]]}}]}}\n' + END,
    "numbers": lambda n: MATCH + f',"x":[{"12345678," * n}0]}}\n',
    "objects": lambda n: MATCH + f',"x":[{"{}," * n}0]}}\n',
    "objects in a frame": lambda n: MATCH + "}\n" + f'{{"type":"frame","x":[{"{}," * n}0]}}\n',
    "nesting": lambda n: MATCH + ',"x":' + "[" * n,
    "keys": lambda n: MATCH + "".join(f',"{number:x}":0' for number in range(n)) + "}\n",
    "draws": lambda n: MATCH + "}\n" + DEALT + '{"type":"draw","player":0,"tile":1}\n' * n,
    "draws with spaces": lambda n: MATCH + "}\n" + DEALT + '{"type": "draw", "player": 0, "tile": 1}\n' * n,
    "dora": lambda n: MATCH + "}\n" + DEALT + '{"type":"dora","indicator":1}\n' * n,
    "empty lines": lambda n: "\n" * n + MATCH,
    "a name": lambda n: MATCH.replace("{},", f'{{"name":"{"x" * n}"}},', 1) + "}\n" + END,
}


STEPS = json.loads(dumps(GAME, "majiang"))["log"][0]
DEAL = json.dumps(STEPS[0])


def record(log: str) -> str:
    """Return a majiang record with the frames in *log*."""
    return f'{{"title":"","player":["","","",""],"qijia":0,"log":[{log}]}}'


MAJIANG: dict[str, Text] = {
    "games": lambda n: dumps([GAME] * n, "majiang"),
    "records": lambda n: '{"log":[]}' * n,
    "list of records": lambda n: "[" + f"{record('')}," * n + "0]",
    "frames": lambda n: record(f"[{DEAL}]," * n + f"[{DEAL}]"),
    "frames of many records": lambda n: record(f"[{DEAL}]," * bounds.MATCH_FRAMES + f"[{DEAL}]") * n,
    "draws": lambda n: record(f"[{DEAL}" + ',{"zimo":{"l":0,"p":"m1"}}' * n + "]"),
    "unknown steps": lambda n: record(f"[{DEAL}" + ',{"x":{}}' * n + "]"),
    "values of a step": lambda n: record(f"[{DEAL}," + '{"zimo":[' + "0," * n + "0]}]"),
    "objects": lambda n: record("")[:-1] + ',"x":[' + "{}," * n + "0]}",
    "nesting": lambda n: record("[" * n),
    "keys": lambda n: record("")[:-1] + "".join(f',"{number:x}":0' for number in range(n)) + "}",
    "keys of steps": lambda n: record(f"[{DEAL}" + "".join(f',{{"{number:x}":{{}}}}' for number in range(n)) + "]"),
    "a name": lambda n: record("").replace('""', f'"{"x" * n}"', 1),
    "lines of a name": lambda n: record("").replace('""', '"' + "\\n" * n + '"', 1),
    "lines before a fault": lambda n: "\n" * n + "x",
}


@pytest.fixture(autouse=True)
def smaller_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide the bounds by the factor of the sizes."""
    for name in ("MATCHES", "FRAMES", "MATCH_FRAMES", "COMMENT"):
        monkeypatch.setattr(bounds, name, getattr(bounds, name) // FACTOR)
    monkeypatch.setattr(lexer, "_MOST", lexer._MOST // FACTOR)  # noqa: SLF001 - there is no other way to lower it
    monkeypatch.setattr(json_text, "MOST_VALUES", json_text.MOST_VALUES // FACTOR)
    monkeypatch.setattr(json_text, "_SMALL", json_text._SMALL // FACTOR)  # noqa: SLF001 - as above


def sized(text: Text, size: int = SIZE) -> bytes:
    """Return *text* with about the *size*."""
    number = 16
    while (length := len(text(number).encode())) < size // 2:
        number = max(number + 1, number * size // (2 * length))
    return text(number * size // length).encode()


def peak(read: Callable[..., object], content: bytes) -> int:
    """Return the peak memory of reading *content* from a file, without the modules that its first reading loads."""
    with suppress(ConvertError):
        read(io.BytesIO(content[: len(content) // 8]), max_size=2 * LARGER, finding=lambda _: None)
    source = io.BytesIO(content)
    tracemalloc.start()
    try:
        with suppress(ConvertError):
            read(source, max_size=2 * LARGER, finding=lambda _: None)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", JMJP)
def test_jmjp(name: str) -> None:
    """No jmjp takes more than ten bytes of memory per byte."""
    content = sized(JMJP[name], LARGER if name in OF_ONE_FRAME else SIZE)
    assert peak(read_jmjp, content) <= FIXED + PER_BYTE * len(content)


@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
def test_json(text: Text) -> None:
    """No JSON does either."""
    content = sized(text)
    assert peak(read_json, content) <= FIXED + PER_BYTE * len(content)


@pytest.mark.parametrize("text", MAJIANG.values(), ids=MAJIANG)
def test_majiang(text: Text) -> None:
    """Nor does any majiang."""
    content = sized(text)
    assert peak(read_majiang, content) <= FIXED + PER_BYTE * len(content)


FIXTURES = Path(__file__).parents[1] / "fixtures"
FILES = {
    "mjlog": PLAIN,
    **{name: dumps(GAME, name).encode() for name in ("jmjp", "json", "tenhou6", "mjai", "majiang")},
    "Mahjong Soul": (FIXTURES / "mahjong-soul/valid/calls.rec").read_bytes(),
    "Riichi City": (FIXTURES / "riichi-city/valid/kans.riichi-city.json").read_bytes(),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_no_garbage(content: bytes) -> None:
    """Nothing of a file stays in memory once its matches are no longer used, even before garbage is collected."""
    jmjp_convert.read(content)  # loads the modules
    gc.collect()
    jmjp_convert.read(content)
    assert gc.collect() == 0


# --- the bounds ------------------------------------------------------------------------------------------------------

SHORT = "frm[E1-0,,,,,,,]"


def test_bounds_of_jmjp(monkeypatch: pytest.MonkeyPatch) -> None:
    """More matches, frames or recorders than any file of games has are rejected where they begin."""
    for name, bound in (("MATCHES", 3), ("FRAMES", 4), ("MATCH_FRAMES", 3), ("RECORDERS", 2)):
        monkeypatch.setattr(bounds, name, bound)
    body = HEAD.removeprefix("mtp[,,,]")
    for text, why in (
        ("jmjp[1.0]" + f"({HEAD})\n" * 4, "line 4, column 1: more than 3 matches"),
        (file(SHORT * 4), f"line 1, column {len(file(SHORT * 3))}: more than 3 frames in a match"),
        ("jmjp[1.0]" + f"({HEAD}{SHORT * 3})\n" * 2, "line 2, column 1: more than 4 frames"),
        (f"jmjp[1.0](mtp[,,,]\n{'rec[,all]' * 3}{body})", "line 2, column 19: more than 2 recorders"),
        (f"jmjp[1.0](mtp[,,,]\nrec[,{'E1-0' * 4}]{body})", "line 2, column 18: more than 3 frames of a recorder"),
    ):
        with pytest.raises(JmjpError) as rejected:
            read_jmjp(text.encode())
        assert str(rejected.value) == why


def test_bounds_of_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """So are those of JSON."""
    for name, bound in (("MATCHES", 3), ("FRAMES", 4), ("MATCH_FRAMES", 3), ("RECORDERS", 2)):
        monkeypatch.setattr(bounds, name, bound)
    for text, why in (
        ((MATCH + "}\n" + END) * 4, "line 7: more than 3 matches"),
        (MATCH + "}\n" + FRAME * 4 + END, "line 8: more than 3 frames in a match"),
        ((MATCH + "}\n" + FRAME * 3 + END) * 2, "line 12: more than 4 frames"),
        (MATCH + ',"recorders":[{},{},{}]}\n' + END, "line 1: more than 2 recorders"),
    ):
        with pytest.raises(JsonError) as rejected:
            read_json(text.encode())
        assert str(rejected.value) == why


def test_bounds_of_mjlog(monkeypatch: pytest.MonkeyPatch) -> None:
    """An mjlog has no more frames than other formats may have."""
    monkeypatch.setattr(bounds, "MATCH_FRAMES", 3)
    with pytest.raises(MjlogError, match=r"more than 3 frames in a match$"):
        read_mjlog(io.BytesIO(PLAIN))


@pytest.mark.parametrize(("name", "what"), [("MATCHES", "2 matches"), ("FRAMES", "2 frames")])
def test_bounds_of_outputs(monkeypatch: pytest.MonkeyPatch, name: str, what: str) -> None:
    """What could not be read back is not written."""
    monkeypatch.setattr(bounds, name, 2)
    for to in ("jmjp", "json"):
        with pytest.raises(FormatError, match=f"^more than {what} cannot go into one file; use a directory"):
            dumps([GAME] * 3, to)
