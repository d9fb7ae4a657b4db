"""The model as each format writes it: the cases in ``fixtures/written``; `fixtures/README.md` describes their form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from casefiles import blocks

from jmjp_convert.errors import FormatError
from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.reading import read
from jmjp_convert.model import Match

FIXTURES = Path(__file__).parent.parent / "fixtures"
NAMES = [{"name": name} for name in "ABCD"]
RULES = {"players": 4, "red_fives": True}
HEAD = {"type": "match", "format": "riichi-events", "version": 1, "rules": RULES, "players": NAMES}
HANDS = [[135, 0, 16, 17, 18, 19, 36, 52, 53, 72, 88, 108, 112], *([*range(n, n + 13)] for n in (20, 54, 89))]
TABLE = {"round": 5, "honba": 2, "sticks": 1, "dealer": 1, "dice": [3, 4], "points": [25000] * 4}
START = {"type": "frame", **TABLE, "hands": HANDS, "indicator": 107}
END = {"type": "end_frame", "points": [25000] * 4}
"""A match of one frame, South 2-2, which player 1 deals. Writers do not judge the play: hands may lack its tiles."""

EVENTS = """
draw player tile
discard player tile ?mark
chi player taken hand source
pon player taken hand source
daiminkan player taken hand source
kakan player tile
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


class Case(NamedTuple):
    """A match, as JSON lines or as the path of a log; and what is expected: a format with its options, what to look
    at, and the value."""

    match: bytes | Path
    expected: list[tuple[str, str, str]]


def tile(word: str) -> int | str:
    """Return a number, such as that of a tile, or else a face."""
    return int(word) if word.isdigit() else word


def event(text: str) -> dict[str, Any]:
    """Return the JSON of an event such as ``pon 2 0p 5p5p 0``; numbers of tiles are joined by `+`."""
    head, *others = re.split(r" (?=\w+=)", text)
    kind, *words = head.split(" ")
    value: dict[str, Any] = {"type": kind}
    for key in WORDS[kind]:
        name = key.removeprefix("?")
        word = words.pop(0) if words else "hand" if key == "?mark" else "-"
        assert word != "-" or name in ("source", "kind", "name"), text
        if name == "mark":
            value |= {} if MARKS[word] is None else {"tsumogiri": MARKS[word]}
        elif name in ("hand", "tiles"):
            value[name] = [*map(tile, word.split("+") if "+" in word else re.findall("..", word))]
        elif word != "-":
            value[name] = word if key[0] == "?" else tile(word)
    assert not words, text
    return value | {word.partition("=")[0]: json.loads(word.partition("=")[2]) for word in others}


def frame(lines: list[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield the JSON lines of a frame."""
    changes: dict[str, Any] = {"start": {}, "end": {}}
    events: list[dict[str, Any]] = []
    for key, text in lines:
        if key == "play":
            events += map(event, text.split("; "))
        else:
            changes[key] |= json.loads(text)
    start = START | changes["start"]
    yield start
    yield from events
    hands = [{"tiles": hand} for hand in start["hands"] or ()]
    yield END | ({"hands": hands} if hands else {}) | changes["end"]


def case(lines: list[str]) -> Case:
    """Return the case that *lines* describe: a log, or the parts of a match; then what is expected."""
    head, last = HEAD.copy(), {"type": "end_match"}
    before: list[dict[str, Any]] = []
    frames: list[list[tuple[str, str]]] = [[]]
    expected: list[tuple[str, str, str]] = []
    log = None
    for line in lines:
        key, _, text = line.partition(": ")
        if line.startswith("  "):
            form, path, value = expected.pop()
            expected.append((form, path, f"{value}\n{line[2:]}".removeprefix("\n")))
        elif key == "log":
            log = FIXTURES / text
        elif key in ("match", "last"):
            (head if key == "match" else last).update(json.loads(text))
        elif key == "before":
            before += map(event, text.split("; "))
        elif key in ("play", "start", "end"):
            frames[-1].append((key, text))
        elif line in ("frame:", "no frames:"):
            frames = [*frames, []] if line == "frame:" else []
        else:
            form, _, path = key.rstrip(":").partition(" /")
            expected.append((form, path, text))
    made = [head, *before, *(line for part in frames for line in frame(part)), last]
    return Case(log or "".join(f"{json.dumps(known(line))}\n" for line in made).encode(), expected)


def known(line: dict[str, Any]) -> dict[str, Any]:
    """Return *line* without what is null, also in its objects."""
    return {key: known(value) if isinstance(value, dict) else value for key, value in line.items() if value is not None}


CASES = {
    f"{path.stem}: {block.name}": case(block.lines)
    for path in sorted((FIXTURES / "written").glob("*.txt"))
    for block in blocks(path, "case")
}


def jmjp(text: str) -> str:
    """Return the acts of the first frame and the comments between them."""
    lines = [line.removeprefix("  ") for line in text.splitlines()]
    first = next(index for index, line in enumerate(lines) if line.startswith("frm["))
    last = next(index for index, line in enumerate(lines) if line.startswith(","))
    return "\n".join(lines[first + 5 : last - 4])


def mjai(text: str) -> str:
    """Return the lines of the first frame after its start."""
    return text.split("\n", 2)[2].partition('\n{"type":"end_kyoku"}')[0]


def compact(values: list[Any]) -> str:
    """Return each of *values* as JSON on a line."""
    return "\n".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values)


PLAYS: dict[str, Callable[[str], str]] = {
    "jmjp": jmjp,
    "mjai": mjai,
    "majiang": lambda text: compact(json.loads(text)["log"][0][1:]),
    "tenhou6": lambda text: "\n".join(
        f"{index} {compact([row])}"
        for index, row in enumerate(json.loads(text)["log"][0])
        if index > 4 and (index % 3 != 1 or index == 16) and row not in ([], ["不明"])
    ),
    "json": lambda text: "\n".join(re.findall(r'^\{"type":(?!"(?:match|frame|end_)).*', text, re.MULTILINE)),
}
"""What a format writes for the play of the first frame."""


def written(form: str, match: Match) -> str:
    """Return *match* in a format, given by its name and options such as ``spec=0``."""
    name, *words = form.split()
    options: dict[str, Any] = {word.partition("=")[0]: word.partition("=")[2] or True for word in words}
    write = FORMATS[name].write
    assert write is not None
    return str(write([match], **options))


def at(text: str, path: str) -> str:
    """Return the value at the JSON pointer *path*; in a format of lines, its first part is the number of the line."""
    lines = text.splitlines()
    value = json.loads(text) if len(lines) == 1 or text.startswith('{"title"') else [json.loads(line) for line in lines]
    for part in filter(None, path.split("/")):
        value = value[int(part)] if isinstance(value, list) else value.get(part)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def kinds(text: str) -> str:
    """Return the kinds of the events in mjai or majiang, of a turned dora its indicator."""
    found = []
    for line in text.splitlines():
        value = json.loads(line)
        kind, values = (value["type"], value) if "type" in value else next(iter(value.items()))
        found.append(values.get("dora_marker") or values.get("baopai") or kind)
    return " ".join(found)


@pytest.mark.parametrize("name", CASES)
def test_written(name: str) -> None:
    """Each format writes a match as its case says, or refuses it with the message there."""
    source, expected = CASES[name]
    (match,) = read_json(source, finding=lambda _: None) if isinstance(source, bytes) else read(source)
    assert expected
    for form, path, value in expected:
        if path == "refused":
            with pytest.raises(FormatError) as refused:
                written(form, match)
            assert str(refused.value) == value, form
            continue
        text = written(form, match)
        if path == "line":
            assert not {*value.split("\n")} - {line.strip() for line in text.splitlines()}, (form, text)
        elif path == "text":
            assert text == f"{value}\n", form
        elif path in ("", "kinds"):
            play = PLAYS[form.split()[0]](text)
            assert (kinds(play) if path else play) == value, form
        else:
            assert at(text, path) == value, form
