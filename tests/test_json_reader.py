"""Reading JSON lines: errors and their places; long lines.

The files that ``test_format_fixtures.py`` reads have one fault each.
"""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

import pytest
from tables import table

from jmjp_convert.errors import JsonError
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.json.schema import FORMAT
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.json_text import MOST_VALUES
from jmjp_convert.model import DISCARDS, DRAWS

FIXTURES = Path(__file__).parent.parent / "fixtures" / "json"
VALID = sorted((FIXTURES / "valid").glob("*.jsonl"))
BASE = (FIXTURES / "valid" / "base.jsonl").read_text(encoding="utf-8").splitlines()
HEAD = BASE[0]


def joined(lines: list[str]) -> bytes:
    """Return *lines* as a file."""
    return "\n".join([*lines, ""]).encode()


def edited(line: int, **values: Any) -> list[str]:
    """Return the lines of a valid file with other *values* on one *line*, 1-based."""
    made = {**json.loads(BASE[line - 1]), **values}
    return [*BASE[: line - 1], json.dumps(made), *BASE[line:]]


def refused(content: bytes) -> JsonError:
    """Return the error from reading *content*."""
    with pytest.raises(JsonError) as error:
        read_json(content)
    return error.value


# --- sources ---------------------------------------------------------------------------------------------------------


def test_no_line_end() -> None:
    """The last line may lack a line end; a byte order mark may come first."""
    expected = read_json(joined(BASE))
    assert read_json(joined(BASE).rstrip()) == expected
    assert read_json(codecs.BOM_UTF8 + joined(BASE)) == expected


def test_shared_events() -> None:
    """Draws and discards are the shared event objects, however their lines are written."""
    for line in (BASE[4], BASE[4].replace(",", ", ")):
        (match,) = read_json(joined([*BASE[:4], line, *BASE[5:]]))
        assert match.frames[0].events[0] is DRAWS[0][53]
        assert match.frames[0].events[1] is DISCARDS[True][0][53]


# --- errors ----------------------------------------------------------------------------------------------------------


def test_error() -> None:
    """An error has its line and frame, and for invalid JSON the column and the text."""
    error = refused(joined(edited(6, tile=2)))
    assert (error.line, error.column, error.frame, error.text) == (6, None, "E1-0", "")
    assert error.about("a.jsonl") == "a.jsonl:6: in frame E1-0: tsumogiri of 2 (1m); 53 (5p) expected from the draw"
    line = '{"type":"returned","player":0,"name":"' + "天" * 100 + '", "x"}'
    error = refused(joined([BASE[0], line]))
    index = line.index("}")
    assert (error.line, error.column, error.frame) == (2, index + 1, None)
    assert (error.text[: error.caret], error.text[error.caret :]) == (line[index - 60 : index], "}")
    assert error.about("a.jsonl") == "a.jsonl:2:145: invalid JSON: expecting ':' delimiter"


FAULTS = [
    *edited(6, tile=2)[:15],
    BASE[15],
    BASE[16],
    *edited(14, changes=[0, 0, 0, 100])[3:15],
    *edited(4, points=[30000, 20000, 25000, 25000])[3:15],
    BASE[17],
]
"""A frame with a discard that is not held, one with wrong payments, and one with other points."""


def test_findings() -> None:
    """All impossible plays are reported, the first of each frame, with their lines, and the match is read all the
    same."""
    findings: list[JsonError] = []
    (match,) = read_json(joined(FAULTS), finding=findings.append)
    assert [(error.line, error.reason) for error in findings] == [
        (6, "tsumogiri of 2 (1m); 53 (5p) expected from the draw"),
        (28, "the payments add up to 100; 0 expected"),
        (38, "the points are 25000,25000,24000,25000; 30000,20000,24000,25000 expected from the play"),
    ]
    assert len(match.frames) == 4
    assert write_json(match) == joined(FAULTS).decode().replace(": ", ":").replace(", ", ",")


def test_fault_of_form() -> None:
    """A formal error ends the reading even with a callback, which gets the findings up to there."""
    findings: list[JsonError] = []
    with pytest.raises(JsonError, match=r"line 18: unknown key \"x\""):
        read_json(joined([*FAULTS[:17], '{"type":"end_match","x":1}']), finding=findings.append)
    assert [error.line for error in findings] == [6]


@pytest.mark.parametrize(("value", "text"), table("json_reader", "shown"))
def test_shown(value: Any, text: str) -> None:
    """A wrong value is shown on one line, truncated if long."""
    error = refused(joined(edited(16, honba=value)))
    assert error.pointer == "/honba"
    assert error.reason == f"expected a whole number of at most nine digits, 0 or more, found {text}"


# --- size ------------------------------------------------------------------------------------------------------------


def test_very_many_values() -> None:
    """A line with very many values is rejected before they take memory; a text may be of any length."""
    many = HEAD[:-1] + ',"recorders":[' + "{}," * MOST_VALUES + "{}]}"
    error = refused(joined([many, BASE[-1]]))
    assert (error.line, error.reason) == (1, "more than 1,000,000 values")
    (match,) = read_json(joined([HEAD.replace("made.xml", "x" * (1 << 21)), BASE[-1]]))
    assert match.source is not None
    assert len(match.source) == 1 << 21


def test_format() -> None:
    """The first line gives the format of the file."""
    assert json.loads(HEAD)["format"] == FORMAT
    assert refused(b"{}").reason == 'missing key "type"'
    assert refused(b'{"type":"start_game"}').reason == 'expected "match", found "start_game"'
