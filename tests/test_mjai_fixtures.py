"""The mjai files in the fixtures: what is read from each, or where it is rejected.

``fixtures/mjai/README.md`` describes how they were made.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from casefiles import refusals
from expected import expecting
from test_jmjp_fixtures import found

from jmjp_convert.errors import MjaiError
from jmjp_convert.formats.mjai.reader import read_mjai
from jmjp_convert.formats.mjai.writer import write_mjai

held = expecting("mjai")

FIXTURES = Path(__file__).parent.parent / "fixtures" / "mjai"
VALID = sorted((FIXTURES / "valid").glob("*.mjson"))
INVALID = refusals("mjai")

WITHOUT_STICKS = frozenset({"original"})
"""The files that do not say how many riichi sticks are on the table, which the writer needs."""


def name(path: Path) -> str:
    """Return the name of a case."""
    return path.stem


def test_found() -> None:
    """Every case has an expectation, and every expectation a case."""
    assert len(VALID) > 25
    assert len(INVALID) > 50
    assert sorted(map(name, (FIXTURES / "valid").glob("*.json"))) == sorted(map(name, VALID))


@pytest.mark.parametrize("path", VALID, ids=name)
def test_valid(path: Path) -> None:
    """A valid file gives the facts next to it, and the warnings."""
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    notices: list[str] = []
    matches = read_mjai(path, notice=notices.append)
    assert notices == expected["notices"]
    assert len(matches) == expected["matches"]
    assert [[frame.start.name for frame in match.frames] for match in matches] == expected["frames"]
    facts = dict(expected["facts"])
    assert {fact: found(matches, fact) for fact in facts} == facts


@pytest.mark.parametrize("details", [False, True], ids=["plain", "details"])
@pytest.mark.parametrize("path", [path for path in VALID if name(path) not in WITHOUT_STICKS], ids=name)
def test_round_trip(path: Path, *, details: bool) -> None:
    """A file that is written again reads back as what mjai holds of it."""
    for match in read_mjai(path):
        (again,) = read_mjai(write_mjai(match, details=details).encode())
        assert again == held(match, details=details)


@pytest.mark.parametrize("path", VALID, ids=name)
def test_routes(path: Path) -> None:
    """A path, bytes, an open file and gzip give the same matches."""
    matches = read_mjai(path)
    assert read_mjai(path.read_bytes()) == matches
    assert read_mjai(gzip.compress(path.read_bytes())) == matches
    with path.open("rb") as file:
        assert read_mjai(file) == matches


@pytest.mark.parametrize("case", INVALID)
def test_invalid(case: str) -> None:
    """An invalid file is rejected at its line and value, with exactly this message."""
    content, place, reason = INVALID[case]
    with pytest.raises(MjaiError) as rejected:
        read_mjai(content)
    assert rejected.value.about("x.mjson") == f"x.mjson:{place}: {reason}"
