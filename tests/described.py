"""Matches described in the short form of ``fixtures/written`` and ``fixtures/played``, with what is expected of them.

`fixtures/README.md` explains the form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from casefiles import blocks

from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.reading import read
from jmjp_convert.model import Match

FIXTURES = Path(__file__).parent.parent / "fixtures"
RULES = {"players": 4, "red_fives": [1, 1, 1]}
NAMES = [{"name": name} for name in "ABCD"]
HEAD = {"type": "match", "format": "riichi-events", "version": 1, "rules": RULES, "players": NAMES}
HANDS = [[135, 0, 16, 17, 18, 19, 36, 52, 53, 72, 88, 108, 112], *([*range(n, n + 13)] for n in (20, 54, 89))]
TABLE = {"round": 5, "honba": 2, "sticks": 1, "dealer": 1, "dice": [3, 4], "points": [25000] * 4}
START = {"type": "frame", **TABLE, "hands": HANDS, "indicator": 107}
END = {"type": "end_frame", "points": [25000] * 4}
"""A match of one frame, South 2-2, which player 1 deals. Its hands may lack what is played: writers do not judge."""

EVENTS = """
draw player tile
discard player tile ?mark
chi player taken hand source
pon player taken hand source
daiminkan player taken hand source
kakan player tile taken hand source
ankan player tiles
kita player tile
riichi player
riichi_accepted player
dora indicator
win player source tile
ryuukyoku ?kind
disconnected player
returned player ?name
"""
WORDS = {line.split()[0]: line.split()[1:] for line in EVENTS.strip().split("\n")}
"""What follows the name of an event in a play; then come other keys, as in json."""

MARKS: dict[str, bool | None] = {"tg": True, "hand": False, "either": None}
PON = ("taken", "hand", "source")


class Expected(NamedTuple):
    """Something expected of a match: a format with its options or another word, what to look at, and the value."""

    word: str
    path: str
    value: str


class Described(NamedTuple):
    """A match, as JSON lines or as the path of a file, and what is expected of it."""

    source: bytes | Path
    expected: list[Expected]

    @property
    def match(self) -> Match:
        """The match, whether or not its play is possible; of a file, the first one."""
        source = self.source
        match, *_ = read_json(source, finding=lambda _: None) if isinstance(source, bytes) else read(source)
        return match


def described(folder: str) -> dict[str, Described]:
    """Return the cases in a folder of the fixtures, by file and name; those of a file begin with the lines of its
    block `base`, if it has one."""
    cases: dict[str, Described] = {}
    for path in sorted((FIXTURES / folder).glob("*.txt")):
        common = [line for block in blocks(path, "base") for line in block.lines]
        cases |= {f"{path.stem}: {block.name}": _case([*common, *block.lines]) for block in blocks(path, "case")}
    assert cases
    return cases


def tile(word: str) -> int | str:
    """Return a number, such as that of a tile, or else a face."""
    return int(word) if word.isdigit() else word


def tiles(word: str) -> list[int | str]:
    """Return tiles given by faces, joined, or by numbers, added."""
    return [*map(tile, word.split("+") if "+" in word else re.findall("..", word))]


def events(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON of events such as ``turn 0 40 17; pon 2 0p 5p5p 0``; a turn is a draw and a discard."""
    for said in text.split("; "):
        head, *others = re.split(r" (?=\w+=)", said)
        kind, *words = head.split(" ")
        if kind == "turn":
            player, drawn, *gone = words
            yield _event("draw", [player, drawn])
            yield _event("discard", [player, *(gone or [drawn, "tg"])])
        else:
            extra = (word.partition("=") for word in others)
            yield _event(kind, words) | {key: json.loads(value) for key, _, value in extra}


def _event(kind: str, words: list[str]) -> dict[str, Any]:
    value: dict[str, Any] = {"type": kind}
    for key, word in zip(WORDS[kind], [*words, *[""] * len(WORDS[kind])], strict=False):
        if key == "?mark":
            mark = MARKS[word or "hand"]
            value |= {} if mark is None else {"tsumogiri": mark}
        elif word not in ("", "-"):
            name = key.removeprefix("?")
            value[name] = tiles(word) if name in ("hand", "tiles") else word if key != name else tile(word)
    assert len(words) <= len(WORDS[kind]), (kind, words)
    if kind == "kakan" and "taken" in value:
        value["pon"] = {"type": "pon", "player": value["player"], **{key: value.pop(key) for key in PON}}
    return value


def _frame(lines: list[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield the JSON lines of a frame."""
    start: dict[str, Any] = START.copy()
    end: dict[str, Any] = END.copy()
    played: list[dict[str, Any]] = []
    for key, text in lines:
        if key == "play":
            played += events(text)
        else:
            (start if key == "start" else end).update(json.loads(text))
    if start["hands"]:
        start["hands"] = [tiles(hand) if isinstance(hand, str) else hand for hand in start["hands"]]
        dealt = [{"tiles": hand} for hand in start["hands"]]
        end["hands"] = [
            hand | {"tiles": tiles(hand["tiles"])} if isinstance(hand["tiles"], str) else hand
            for hand in end.get("hands", dealt)
        ]
    yield from (start, *played, end)


def _case(lines: list[str]) -> Described:
    """Return the case that *lines* describe: a file, or the parts of a match; then what is expected."""
    head, last = HEAD.copy(), {"type": "end_match"}
    before: list[dict[str, Any]] = []
    frames: list[list[tuple[str, str]]] = [[]]
    expected: list[Expected] = []
    log = None
    for line in lines:
        key, _, text = line.partition(": ")
        if line.startswith("  "):
            word, path, value = expected.pop()
            expected.append(Expected(word, path, f"{value}\n{line[2:]}".removeprefix("\n")))
        elif key == "log":
            log = FIXTURES / text
        elif key in ("match", "last"):
            (head if key == "match" else last).update(json.loads(text))
        elif key == "before":
            before += events(text)
        elif key in ("play", "start", "end"):
            frames[-1].append((key, text))
        elif line in ("frame:", "no frames:"):
            frames = [*frames, []] if line == "frame:" else []
        else:
            word, _, path = key.rstrip(":").partition(" /")
            expected.append(Expected(word, path, text))
    made = [head, *before, *(line for part in frames for line in _frame(part)), last]
    return Described(log or "".join(f"{json.dumps(known(line))}\n" for line in made).encode(), expected)


def known(line: dict[str, Any]) -> dict[str, Any]:
    """Return *line* without what is null, also in its objects."""
    return {key: known(value) if isinstance(value, dict) else value for key, value in line.items() if value is not None}


def compact(values: list[Any]) -> str:
    """Return each of *values* as JSON on a line."""
    return "\n".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values)


def at(text: str, path: str) -> str:
    """Return the value at the JSON pointer *path*; in a text of several lines, its first part is the line's index."""
    try:
        value = json.loads(text)
    except ValueError:
        value = [json.loads(line) for line in text.splitlines()]
    for part in filter(None, path.split("/")):
        value = value[int(part)] if isinstance(value, list) else value.get(part)
    return compact([value])
