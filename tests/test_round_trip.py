"""To jmjp and back: what no dialect holds is listed here, and the rest reads back; `test_across.py` has logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from expected import expecting
from tables import table

from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.model import Event, Match
from jmjp_convert.model.record import Record, fields, replace
from jmjp_convert.model.tiles import faces

held = expecting("jmjp")

FACES = faces()

WAYS = [(spec, compact) for spec in ("0", "1.0", "1.0-beta") for compact in (False, True)]

each_way = pytest.mark.parametrize(
    ("spec", "compact"), WAYS, ids=[f"{spec}{' compact' * compact}" for spec, compact in WAYS]
)


def assert_comes_back(match: Match, spec: str, *, compact: bool) -> None:
    """Check that *match* reads back from its text as the format holds it, and then gives the same text again."""
    text = write_jmjp(match, spec=spec, compact=compact)
    found = read_jmjp(text.encode())
    assert found == [held(match, spec=spec, compact=compact)]
    assert write_jmjp(found, spec=spec, compact=compact) == text


# --- losses ----------------------------------------------------------------------------------------------------------

FILE = Path(__file__).parent.parent / "fixtures" / "json" / "full.jsonl"
(FULL,) = read_json(FILE.read_bytes())
"""A match in which every field of the model is filled somewhere."""

COPIES = "the copy of a tile"
ORDER = "a disconnection between a riichi and its discard, which moves before the riichi"

EVERYWHERE, BUT_IN_BETA, WITH_COMMENTS, WITHOUT_COMMENTS, A_QUOTE_IN_A_NAME = (
    frozenset(table("round_trip", name))
    for name in ("everywhere", "but in beta", "with comments", "without comments", "a quote in a name")
)
DROPPED = {
    ("0", False): EVERYWHERE | BUT_IN_BETA | WITHOUT_COMMENTS | A_QUOTE_IN_A_NAME,
    ("0", True): EVERYWHERE | BUT_IN_BETA | WITHOUT_COMMENTS | A_QUOTE_IN_A_NAME,
    ("1.0", False): EVERYWHERE | BUT_IN_BETA | WITH_COMMENTS,
    ("1.0", True): EVERYWHERE | BUT_IN_BETA | WITHOUT_COMMENTS | A_QUOTE_IN_A_NAME,
    ("1.0-beta", False): EVERYWHERE | WITH_COMMENTS,
    ("1.0-beta", True): EVERYWHERE | WITHOUT_COMMENTS,
}
"""The fields of the model that differ when read back, by dialect and compact."""

TILES = frozenset(("tile", "taken", "drawn", "fourteenth", "tiles", "hand", "hands", "dora"))
"""The fields that hold tiles."""


def alike(value: Any, other: Any) -> bool:
    """Return whether tiles, or tuples of them, have the same faces, in whatever order their copies are."""
    if isinstance(value, int) and isinstance(other, int):
        return FACES[value] == FACES[other]
    if not isinstance(value, tuple) or not isinstance(other, tuple) or len(value) != len(other):
        return False
    if value and not isinstance(value[0], int):
        return isinstance(value[0], tuple) and all(map(alike, value, other))
    return sorted(FACES[tile] for tile in value) == sorted(FACES[tile] for tile in other)


def differences(value: Any, back: Any, path: str = "") -> Iterator[str]:
    """Yield the fields, without the indices of players, frames and events, in which *back* differs from *value*."""
    name = path.rpartition(".")[2]
    if value == back:
        return
    if name == "events":
        yield from differences_of_events(value, back, path)
    elif name in TILES and alike(value, back):
        yield COPIES
    elif isinstance(value, Record) and type(value) is type(back):
        for field in fields(value):
            mine, other = getattr(value, field), getattr(back, field)
            yield from differences(mine, other, f"{path}.{field}".lstrip("."))
    elif (
        isinstance(value, tuple)
        and isinstance(back, tuple)
        and len(value) == len(back)
        and isinstance(value[0], Record)
    ):
        for mine, other in zip(value, back, strict=True):
            yield from differences(mine, other, path)
    else:
        yield path


def differences_of_events(played: Sequence[Event], back: Sequence[Event], path: str) -> Iterator[str]:
    """Yield how events differ; if the number of events of a kind differs, that kind."""
    lost = set()
    for kind in {*map(type, played), *map(type, back)}:
        mine, other = ([event for event in some if type(event) is kind] for some in (played, back))
        if len(mine) != len(other):
            lost.add(kind)
            yield f"{path}.{kind.__name__}"
        else:
            for one, another in zip(mine, other, strict=True):
                yield from differences(one, another, f"{path}.{kind.__name__}")
    if [type(event) for event in played if type(event) not in lost] != [
        type(event) for event in back if type(event) not in lost
    ]:
        yield ORDER


def parts(value: Any) -> Iterator[Record]:
    """Yield the records in *value*."""
    if isinstance(value, Record):
        yield value
        yield from parts(tuple(getattr(value, field) for field in fields(value)))
    elif isinstance(value, tuple):
        for one in value:
            yield from parts(one)


def test_full() -> None:
    """In the full match, every field of the model is filled somewhere, except for what a winner shows and what only
    other formats leave half known."""
    unfilled = {"Win.hand", "Win.melds", "Win.indicators", "Start.kan_indicators", "Score.han_alone", "Rules.east_only"}
    values = [(f"{type(part).__name__}.{name}", getattr(part, name)) for part in parts(FULL) for name in fields(part)]
    assert {name for name, _ in values} - {name for name, value in values if value not in (None, ())} == unfilled


@each_way
def test_table(spec: str, *, compact: bool) -> None:
    """Exactly the fields in the table differ between a fully known match and what is read back."""
    (back,) = read_jmjp(write_jmjp(FULL, spec=spec, compact=compact).encode())
    assert {*differences(FULL, back)} == DROPPED[spec, compact]


@each_way
def test_full_comes_back(spec: str, *, compact: bool) -> None:
    """What is read back of it is what the format holds, and gives the same text again."""
    assert_comes_back(FULL, spec, compact=compact)


@each_way
def test_several_come_back(spec: str, *, compact: bool) -> None:
    """Several matches in one file read back as they do alone, each with its own comments."""
    games = [FULL, replace(FULL, id=None, source=None, before=(), chips=None, ratio=None), FULL]
    text = write_jmjp(games, spec=spec, compact=compact)
    found = read_jmjp(text.encode())
    assert found == [held(game, spec=spec, compact=compact) for game in games]
    assert write_jmjp(found, spec=spec, compact=compact) == text
