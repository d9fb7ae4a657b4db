"""The records of 電脳麻将 that were not made by the program: what is read from each, or where it is rejected.

``fixtures/majiang/README.md`` describes them.
"""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest
from casefiles import refusals
from expected import expecting
from test_jmjp_fixtures import found

from jmjp_convert.errors import MajiangError
from jmjp_convert.formats import detect
from jmjp_convert.formats.majiang.reader import read_majiang
from jmjp_convert.formats.majiang.writer import write_records

projected = expecting("majiang")

FOLDER = Path(__file__).parent.parent / "fixtures" / "majiang"
VALID = sorted((FOLDER / "valid").glob("*.majiang.json"))
INVALID = refusals("majiang")
EMPTY = {"no-frames", "no-payments"}
"""The files without frames, or without payments of a win, which cannot be written."""


def name(path: Path) -> str:
    """Return the name of a case."""
    return path.name.partition(".")[0]


each_valid = pytest.mark.parametrize("path", VALID, ids=name)


def test_found() -> None:
    """There are cases, and every case has an expectation, and every expectation a case."""
    assert len(VALID) > 10
    assert len(INVALID) > 50
    assert sorted(map(name, (FOLDER / "valid").glob("*.facts.json"))) == sorted(map(name, VALID))


@each_valid
def test_valid(path: Path) -> None:
    """A valid file gives the facts next to it, and the notices."""
    expected = json.loads((path.parent / f"{name(path)}.facts.json").read_text(encoding="utf-8"))
    notices: list[str] = []
    matches = read_majiang(path, notice=notices.append)
    assert len(matches) == expected["matches"]
    assert [[frame.start.name for frame in match.frames] for match in matches] == expected["frames"]
    facts = dict(expected["facts"])
    assert {fact: found(matches, fact) for fact in facts} == facts
    assert notices == expected.get("notices", [])


@each_valid
def test_detected(path: Path) -> None:
    """A valid file is recognized by its content."""
    format_ = detect(path.read_bytes())
    assert format_ is not None
    assert format_.name == "majiang"


@each_valid
def test_routes(path: Path) -> None:
    """A path, bytes, an open file and gzip give the same matches; so does the JSON on one line, or pretty-printed."""
    matches = read_majiang(path)
    content = path.read_bytes()
    assert read_majiang(content) == matches
    assert read_majiang(gzip.compress(content)) == matches
    assert read_majiang(io.BytesIO(content)) == matches
    assert read_majiang(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")) == matches
    if name(path) != "one-after-the-other":
        for indent in (None, 2):
            assert read_majiang(json.dumps(json.loads(content), indent=indent).encode()) == matches


@each_valid
def test_written(path: Path) -> None:
    """What is read is written as what is held of it, and then again the same."""
    if name(path) in EMPTY:
        return
    matches = read_majiang(path)
    text = write_records(matches)
    again = read_majiang(text.encode(), notice=pytest.fail)
    assert again == list(map(projected, matches))
    assert write_records(again) == text


@pytest.mark.parametrize("case", INVALID)
def test_invalid(case: str) -> None:
    """An invalid file is rejected at its place, with exactly this message."""
    content, place, reason = INVALID[case]
    with pytest.raises(MajiangError) as refused:
        read_majiang(content)
    assert refused.value.about("x.json") == f"x.json:{place}: {reason}"
    assert "\n" not in refused.value.text
