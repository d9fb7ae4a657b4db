"""The JSON files that were not made by the program: what is read from each, or where it is rejected.

``fixtures/json/README.md`` describes how they were made.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from casefiles import refusals
from test_jmjp_fixtures import found

from jmjp_convert.errors import JsonError
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.mjlog.reader import read_mjlog

FIXTURES = Path(__file__).parent.parent / "fixtures"
VALID = sorted((FIXTURES / "json" / "valid").glob("*.jsonl"))
INVALID = refusals("json")
TOLD = [path for path in VALID if path.with_suffix(".json").is_file()]
OF_LOGS = [path for path in VALID if path not in TOLD]

LOOSE = frozenset({"loose"})
"""The files that are not written as the program writes."""


def name(path: Path) -> str:
    """Return the name of a case."""
    return path.stem


def test_found() -> None:
    """There are cases, and every expectation has its case."""
    assert len(TOLD) >= 3
    assert len(OF_LOGS) > 10
    assert len(INVALID) > 50
    assert sorted(map(name, (FIXTURES / "json" / "valid").glob("*.json"))) == sorted(map(name, TOLD))


@pytest.mark.parametrize("path", TOLD, ids=name)
def test_valid(path: Path) -> None:
    """A valid file gives the facts next to it."""
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    matches = read_json(path)
    assert len(matches) == expected["matches"]
    assert [[frame.start.name for frame in match.frames] for match in matches] == expected["frames"]
    facts = dict(expected["facts"])
    assert {fact: found(matches, fact) for fact in facts} == facts


@pytest.mark.parametrize("path", OF_LOGS, ids=name)
def test_logs(path: Path) -> None:
    """The lines of a log give the same match as the log, and are what is written for it."""
    log = next(FIXTURES.glob(f"*valid/{path.stem}.xml"))
    match = read_mjlog(log)
    assert read_json(path) == [match]
    assert write_json(match) == path.read_bytes().decode()


@pytest.mark.parametrize("path", VALID, ids=name)
def test_written(path: Path) -> None:
    """A valid file is written as it was; one in another form is written differently, but reads back the same."""
    matches = read_json(path)
    text = write_json(matches)
    assert (text == path.read_bytes().decode()) is (name(path) not in LOOSE)
    assert read_json(text.encode()) == matches


@pytest.mark.parametrize("path", VALID, ids=name)
def test_routes(path: Path) -> None:
    """A path, bytes, an open file and gzip give the same matches."""
    matches = read_json(path)
    assert read_json(path.read_bytes()) == matches
    assert read_json(gzip.compress(path.read_bytes())) == matches
    with path.open("rb") as file:
        assert read_json(file) == matches


@pytest.mark.parametrize("case", INVALID)
def test_invalid(case: str) -> None:
    """An invalid file is rejected at its line, with exactly this message."""
    content, place, reason = INVALID[case]
    with pytest.raises(JsonError) as refused:
        read_json(content)
    assert refused.value.about("x.jsonl") == f"x.jsonl:{place}: {reason}"
    line, _, column = place.partition(":")
    assert str(refused.value) == f"line {line}{f', column {column}' if column else ''}: {reason}"
