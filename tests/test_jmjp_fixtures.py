"""The jmjp files written by hand from the format's definition: what is read from each, or where it is rejected.

``fixtures/jmjp/README.md`` describes the form of the expectations.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from casefiles import refusals, sound

from jmjp_convert.errors import JmjpError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    Frame,
    Kakan,
    Match,
    Name,
    Pon,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Text,
    Win,
)
from jmjp_convert.model.tiles import faces

FIXTURES = Path(__file__).parent.parent / "fixtures" / "jmjp"
VALID = sorted((FIXTURES / "valid").glob("*.jmjp"))
INVALID = refusals("jmjp")
FACES = faces(red_fives=True)

CHANGED = frozenset({"0-backslash", "0-strings", "backslash-before-quote", "strings-that-look-like-syntax"})
"""The files with line feeds, or backslashes before quotes, in texts that no comment keeps, so that the writer changes
them (source: ``docs/design/mapping.md``, Strings)."""

TILES = frozenset({"dora", "drawn", "fourteenth", "hands", "indicator", "shown", "tiles"})
"""The fields that hold tiles; ``hands`` holds them only at a frame's start."""


def name(path: Path) -> str:
    """Return the name of a case."""
    return path.stem


# --- the model in the form of the expectations -----------------------------------------------------------------------


def joined(tiles: tuple[int, ...]) -> str:
    """Return the faces of *tiles*, joined."""
    return "".join(FACES[tile] for tile in tiles)


def meld(event: Any) -> str:
    """Return a meld or call as ``Pon 1 5m 0m5m 0``."""
    word = f"{type(event).__name__} {event.player}"
    if isinstance(event, Kakan):
        return f"{word} {FACES[event.tile]}, {meld(event.pon)}"
    if isinstance(event, Ankan):
        return f"{word} {joined(event.tiles)}"
    return f"{word} {FACES[event.taken]} {joined(event.hand)} {event.source}"


def discard(event: Discard, drawn: int | None) -> str:
    """Return a discard as ``Discard 0 3m``, with its relation to the tile *drawn*."""
    face = FACES[event.tile]
    mark = {True: " tg", False: " kg" if event.tile == drawn else "", None: " either"}[event.tsumogiri]
    return f"Discard {event.player} {face}{mark}"


def other(event: Any) -> str:
    """Return an event other than a draw, discard or meld."""
    word = type(event).__name__
    if isinstance(event, Win):
        source = "" if event.source is None else f"{event.source} "
        return f"{word} {event.player} {source}{FACES[event.tile]}"
    if isinstance(event, Ryuukyoku):
        return f"{word} {event.kind.name}" if event.kind else word
    if isinstance(event, DoraRevealed):
        return f"{word} {FACES[event.indicator]}"
    if isinstance(event, RiichiAccepted):
        assert event.points is None
    else:
        assert isinstance(event, RiichiDeclared | Disconnected | Returned)
    return " ".join(filter(None, (word, str(event.player), getattr(event, "name", None))))


def play(frame: Frame) -> list[str]:
    """Return the events of *frame*."""
    words: list[str] = []
    drawn = frame.start.fourteenth
    for event in frame.events:
        if isinstance(event, Draw):
            drawn = event.tile
            words.append(f"Draw {event.player} {FACES[drawn]}")
        elif isinstance(event, Discard):
            words.append(discard(event, drawn))
        elif isinstance(event, Chi | Pon | Daiminkan | Kakan | Ankan):
            drawn = None
            words.append(meld(event))
        else:
            words.append(other(event))
    return words


def record(value: Any) -> object:
    """Return an event in words, a text or name as its two parts, and any other record as its known fields."""
    if isinstance(value, Text):
        return [value.native, value.roman]
    if isinstance(value, Name):
        return [plain(value.family), plain(value.given)]
    if isinstance(value, Chi | Pon | Daiminkan | Kakan | Ankan):
        return meld(value)
    if isinstance(value, Win | Ryuukyoku | Disconnected | Returned):
        return other(value)
    known = {field.name: getattr(value, field.name) for field in fields(value)}
    if "melds" in known:  # all fields of a hand count
        return {key: plain(each, key) for key, each in known.items()}
    return {key: plain(each, key) for key, each in known.items() if each is not None and each != ()}


def tiles(value: Any) -> object:
    """Return tiles as faces: a single tile, a hand or the dora, or the starting hands, each sorted."""
    if isinstance(value, int):
        return FACES[value]
    if value and not isinstance(value[0], int):
        return [None if hand is None else joined(tuple(sorted(hand))) for hand in value]
    return joined(value)


def plain(value: Any, field: str = "") -> object:
    """Return *value* of the model's *field* as in JSON."""
    if is_dataclass(value):
        return record(value)
    if field in TILES and value is not None and not (field == "hands" and (not value or is_dataclass(value[0]))):
        return tiles(value)
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, Enum):
        return value.value
    return value.hex() if isinstance(value, bytes) else value


def found(matches: list[Match], path: str) -> object:
    """Return the value at *path* in *matches*."""
    value: Any = {"matches": matches}
    field = ""
    for step in path.split("."):
        if step.isdigit():
            value = value[int(step)]
        elif step == "events":
            value = play(value)
        else:
            value, field = value[step] if isinstance(value, dict) else getattr(value, step), step
            if field == "hands" and value and isinstance(value[0], tuple):
                value = tiles(value)
                field = ""
    return plain(value, field)


# --- the tests -------------------------------------------------------------------------------------------------------


def test_found() -> None:
    """Every case has an expectation, and every expectation a case."""
    assert len(VALID) > 50
    assert len(INVALID) > 50
    assert sorted(map(name, (FIXTURES / "valid").glob("*.json"))) == sorted(map(name, VALID))


@pytest.mark.parametrize("path", VALID, ids=name)
def test_valid(path: Path) -> None:
    """A valid file gives the facts next to it."""
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    matches = read_jmjp(path)
    assert len(matches) == expected["matches"]
    assert [[frame.start.name for frame in match.frames] for match in matches] == expected["frames"]
    facts = dict(expected["facts"])
    assert {fact: found(matches, fact) for fact in facts} == facts


@pytest.mark.parametrize("path", VALID, ids=name)
def test_round_trip(path: Path) -> None:
    """A file that is written again in its own dialect reads back unchanged, except those in ``CHANGED``."""
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    matches = read_jmjp(path)
    again = read_jmjp(write_jmjp(matches, spec=expected["spec"]).encode())
    assert (again == matches) is (name(path) not in CHANGED)


@pytest.mark.parametrize("path", VALID, ids=name)
def test_routes(path: Path) -> None:
    """A path, bytes and an open file give the same matches."""
    matches = read_jmjp(path)
    assert read_jmjp(path.read_bytes()) == matches
    with path.open("rb") as file:
        assert read_jmjp(file) == matches


def test_bases() -> None:
    """The bases of the invalid files are valid."""
    bases = sound("jmjp")
    assert len(bases) > len(VALID)
    for base in bases.values():
        assert read_jmjp(base)


@pytest.mark.parametrize("case", INVALID)
def test_invalid(case: str) -> None:
    """An invalid file is rejected with exactly this place and message."""
    content, place, reason = INVALID[case]
    with pytest.raises(JmjpError) as rejected:
        read_jmjp(content)
    assert rejected.value.about("x.jmjp") == f"x.jmjp:{place}: {reason}"
