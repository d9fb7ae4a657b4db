"""The schema of the JSON lines: it agrees with the table of fields, and all output is valid."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from effort import many
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from models import matches

from jmjp_convert.formats.bounds import MOST, MOST_POINTS
from jmjp_convert.formats.json import schema as table
from jmjp_convert.formats.json.kinds import REQUIRED, TILES, ByPlayer, Each, Kind, OneOf, OrNull, Record, Words
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.json_text import quoted
from jmjp_convert.formats.json_values import WrongValue
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Discard, Draw, Frame, Match, Player, Recorder
from jmjp_convert.model.record import fields
from jmjp_convert.model.tiles import FACES, UNKNOWN_FACE
from jmjp_convert.model.yaku import NAMES, WORD

FIXTURES = Path(__file__).parent.parent / "fixtures"
FORMATS = FIXTURES.parent / "docs" / "formats.md"
SCHEMA = json.loads((files("jmjp_convert.formats.json") / "schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
DEFINED = SCHEMA["$defs"]

LINES = {
    kind.name: kind
    for kinds in (table.FIRST, table.BEFORE, table.BETWEEN, table.PLAY, table.UNPLAYED)
    for kind in kinds.kinds.values()
}


def parts(kind: Kind) -> list[Kind]:
    """Return the kinds that *kind* is made of."""
    if isinstance(kind, Each):
        return [kind.item]
    if isinstance(kind, OrNull):
        return [kind.kind]
    if isinstance(kind, OneOf):
        return list(kind.kinds.values())
    return [field.kind for field in kind.fields.values()] if isinstance(kind, Record) else []


def all_kinds() -> dict[int, Kind]:
    """Return all kinds in the table, by identity."""
    by_id: dict[int, Kind] = {}
    rest: list[Kind] = list(LINES.values())
    while rest:
        kind = rest.pop()
        if id(kind) not in by_id:
            by_id[id(kind)] = kind
            rest += parts(kind)
    return by_id


NAMED = [kind for kind in all_kinds().values() if kind.name and kind not in (table.STRING, table.BOOLEAN)]
RECORDS = [kind for kind in NAMED if isinstance(kind, Record)]

each_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)


def reference(kind: Kind) -> dict[str, Any]:
    """Return the schema's reference to *kind*."""
    if kind in (table.STRING, table.BOOLEAN):
        return {"type": kind.name}
    if isinstance(kind, OrNull):
        return {"anyOf": [reference(kind.kind), {"type": "null"}]}
    if isinstance(kind, Each):
        least, most = (3, 4) if isinstance(kind, ByPlayer) else (kind.count, kind.count)
        bounds = {"minItems": least, "maxItems": most} if least is not None else {}
        return {"type": "array", "items": reference(kind.item), **bounds}
    return {"$ref": f"#/$defs/{kind.name}"}


def bare(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return *schema* without its descriptions."""
    return {key: value for key, value in schema.items() if key != "description"}


def test_schema() -> None:
    """It is a schema of the draft it names, its ID is not tied to any address, and it names the one version."""
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert SCHEMA["$id"] == f"urn:{table.FORMAT}:{table.VERSION}"
    assert SCHEMA["title"] == f"A line of {table.FORMAT}, version {table.VERSION}"
    assert DEFINED["match"]["properties"]["version"] == {"const": table.VERSION}
    assert f"This is `version` {table.VERSION}:" in FORMATS.read_text(encoding="utf-8")


def test_all_defined() -> None:
    """The schema defines every kind of the table and no other, each with its own name and description."""
    assert {kind.name for kind in NAMED} == DEFINED.keys()
    assert len({record.name for record in RECORDS}) == len(RECORDS)
    assert all(definition["description"] for definition in DEFINED.values())


def test_lines() -> None:
    """A line is of one of the kinds allowed anywhere in a file."""
    assert sorted(line["$ref"] for line in SCHEMA["anyOf"]) == sorted(f"#/$defs/{word}" for word in LINES)
    assert all(kind.fixed["type"] == word for word, kind in LINES.items())


@each_record
def test_record(record: Record) -> None:
    """For each record, the schema and the table have the same keys of the same kinds, and require the same ones."""
    defined = DEFINED[record.name]
    fixed = {key: {"const": value} for key, value in record.fixed.items()}
    expected = {**fixed, **{key: reference(field.kind) for key, field in record.fields.items()}}
    assert {key: bare(value) for key, value in defined["properties"].items()} == expected
    assert list(defined["properties"]) == list(expected)
    required = [key for key, field in record.fields.items() if field.missing is REQUIRED]
    assert defined["required"] == [*fixed, *required]
    assert defined["additionalProperties"] is False


def test_one_of() -> None:
    """A meld is one of the same kinds as in the table."""
    (melds,) = [kind for kind in NAMED if isinstance(kind, OneOf) and kind.name == "meld"]
    assert DEFINED["meld"]["anyOf"] == [reference(kind) for kind in melds.kinds.values()]


@pytest.mark.parametrize("words", [kind for kind in NAMED if isinstance(kind, Words)], ids=lambda kind: kind.name)
def test_words(words: Words) -> None:
    """The names of enumeration members are those of the table."""
    assert DEFINED[words.name]["enum"] == list(words.words)


def test_tiles() -> None:
    """The patterns of tiles match exactly the faces, and for discards their marks."""
    texts = {tile for tile in TILES if isinstance(tile, str)}
    assert {text[:2] for text in texts} == {*FACES, UNKNOWN_FACE}
    number, text = DEFINED["tile"]["anyOf"]
    assert (number["minimum"], number["maximum"]) == (0, 135)
    assert {each for each in texts if re.search(text["pattern"], each)} == texts
    assert not any(re.search(text["pattern"], each) for each in ("5z", "5mm", "ww either ", "other", "u", ""))


def test_yaku() -> None:
    """A yaku has the number and the name that belong together, or no number and its name as recorded."""
    *pairs, named = [row["properties"] for row in DEFINED["yaku"]["anyOf"]]
    assert [(pair["number"]["const"], pair["name"]["const"]) for pair in pairs] == [
        (number, name.romaji) for number, name in enumerate(NAMES)
    ]
    assert named == {"number": False, "name": {"pattern": f"^{WORD}$"}}


def test_numbers() -> None:
    """The limits of numbers are those in the schema."""
    assert DEFINED["whole"]["maximum"] == -DEFINED["whole"]["minimum"] == MOST
    assert DEFINED["points"]["maximum"] == -DEFINED["points"]["minimum"] == MOST_POINTS
    assert str(MOST_POINTS) in SCHEMA["description"]


CLASSES = [(record.make, record) for record in RECORDS if isinstance(record.make, type)]


@pytest.mark.parametrize(("made", "record"), CLASSES, ids=[record.name for _, record in CLASSES])
def test_fields(made: Any, record: Record) -> None:
    """A record has all fields of its class in the model."""
    assert list(record.fields) == list(fields(made))


def test_fields_of_lines() -> None:
    """The lines that are not records of the model have all remaining fields."""
    for event in (Draw, Discard):
        assert list(table.EVENTS[event].fields) == list(fields(event))
    for named, kind in ((Player, table.PERSON), (Recorder, table.RECORDER)):
        assert list(kind.fields) == ["name", *fields(named)]
    of_match = {*table.MATCH.fields, *table.END_MATCH.fields, "frames", "before"}
    assert of_match == set(fields(Match))
    of_frame = {*table.END_FRAME.fields, "start", "events", "end"}
    assert of_frame - {"hands", "points"} == set(fields(Frame))


# --- writing ---------------------------------------------------------------------------------------------------------


@cache
def is_valid(line: str) -> bool:
    """Return whether *line* is valid."""
    return VALIDATOR.is_valid(json.loads(line))


def assert_valid(match: Match) -> None:
    """Check that every line of *match* is valid."""
    assert [line for line in write_json(match).splitlines() if not is_valid(line)] == []


def test_logs(valid_inputs: list[Path]) -> None:
    """The lines of a log are valid."""
    for path in valid_inputs:
        assert_valid(read_mjlog(path))


@settings(max_examples=many(40))
@given(matches(4) | matches(3))
def test_any_match(match: Match) -> None:
    """The lines of any match are valid."""
    assert_valid(match)


# --- reading ---------------------------------------------------------------------------------------------------------

VALUES: list[Any] = [
    *(None, True, False, -1, 0, 1, 3, 4, 15, 16, 54, 55, 100, 135, 136, 9999, 10000, 25050, MOST, MOST + 1, -MOST - 1),
    *("", "x", "5m", "0p other", "uk", "5z", "20240229", "20241301", "sun", "1930", "2460", "a0", "a0f", "mangan"),
    *("2009081211gm-0061-0000-184f512b", "2009081211GM-0061-0000-184f512b", "draw", "pon", "nine_terminals", "base64"),
    *([], {}, [1], [6, 6], [1, 7], ["5m"], [None] * 4, [0] * 4, [0] * 13, ["uk"] * 10, [[]] * 4, [{}] * 4, {"x": 1}),
]


def corpus() -> list[str]:
    """Return lines of every kind."""
    paths = sorted((FIXTURES / "json" / "valid").glob("*.jsonl"))
    lines = chain.from_iterable(path.read_text(encoding="utf-8-sig").splitlines() for path in paths)
    return sorted({line for line in lines if line.strip() and '"version":1,' not in line})


CORPUS = corpus()


def holders(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in *value*: its container, and the key or index in it."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield value, key
        yield from holders(inner)


@st.composite
def changed(draw: st.DrawFn) -> Any:
    """Return a line with one value changed or missing, or with an extra key."""
    value = json.loads(draw(st.sampled_from(CORPUS)))
    inside, key = draw(st.sampled_from(list(holders(value))))
    if isinstance(inside, dict) and draw(st.integers(0, 9)) == 0:
        del inside[key]
    elif isinstance(inside, dict) and draw(st.integers(0, 9)) == 0:
        inside["x"] = 1
    else:
        inside[key] = draw(st.sampled_from(VALUES))
    return value


def is_readable(value: Any) -> bool:
    """Return whether the table of fields accepts *value* as a line, with three or four players."""
    record = LINES.get(str(value.get("type")))
    if record is None or any(quoted(value.get(key)) != quoted(fixed) for key, fixed in record.fixed.items()):
        return False
    for players in (3, 4):
        try:
            record.read(value, players)
        except WrongValue:
            continue
        return True
    return False


def test_corpus() -> None:
    """There are lines of every kind, and all are both valid and readable."""
    assert {json.loads(line)["type"] for line in CORPUS} == LINES.keys()
    assert all(is_readable(json.loads(line)) and is_valid(line) for line in CORPUS)


@settings(max_examples=many(200))
@given(changed())
def test_agreement(value: Any) -> None:
    """A line with any fault is rejected by both the schema and the table of fields, or by neither."""
    assert is_readable(value) is VALIDATOR.is_valid(value)
