"""The tenhou6 files that were not made by the program: what is read from each, or where it is rejected.

``fixtures/tenhou6/README.md`` describes them.
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

from jmjp_convert.errors import Tenhou6Error
from jmjp_convert.formats import detect
from jmjp_convert.formats.tenhou6.reader import read_tenhou6
from jmjp_convert.formats.tenhou6.writer import write_tenhou6

held = expecting("tenhou6")

FOLDER = Path(__file__).parent.parent / "fixtures" / "tenhou6"
VALID = sorted((FOLDER / "valid").glob("*.tenhou6.json"))
INVALID = refusals("tenhou6")


def name(path: Path) -> str:
    """Return the name of a case."""
    return path.name.partition(".")[0]


each_valid = pytest.mark.parametrize("path", VALID, ids=name)


def test_found() -> None:
    """There are cases, and every case has an expectation, and every expectation a case."""
    assert len(VALID) > 20
    assert len(INVALID) > 40
    assert sorted(map(name, (FOLDER / "valid").glob("*.facts.json"))) == sorted(map(name, VALID))


@each_valid
def test_valid(path: Path) -> None:
    """A valid file gives the facts next to it, and the notices."""
    expected = json.loads((path.parent / f"{name(path)}.facts.json").read_text(encoding="utf-8"))
    notices: list[str] = []
    matches = read_tenhou6(path, notice=notices.append)
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
    assert format_.name == "tenhou6"


@each_valid
def test_routes(path: Path) -> None:
    """A path, bytes, an open file, gzip and UTF-16 give the same matches."""
    matches = read_tenhou6(path)
    content = path.read_bytes()
    assert read_tenhou6(content) == matches
    assert read_tenhou6(gzip.compress(content)) == matches
    assert read_tenhou6(io.BytesIO(content)) == matches
    assert read_tenhou6(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")) == matches
    assert read_tenhou6(content.decode().lstrip("\ufeff").encode("utf-16")) == matches


@pytest.mark.parametrize("options", [{}, {"per_frame": True}, {"url": True}], ids=["whole", "frames", "links"])
@each_valid
def test_written(path: Path, options: dict[str, bool]) -> None:
    """What is read is written as what is held of it, and then again the same."""
    for match in read_tenhou6(path):
        text = write_tenhou6(match, **options)
        notices: list[str] = []
        (again,) = read_tenhou6(text.encode(), notice=notices.append)
        assert notices == []
        assert again == held(match, **options)
        assert write_tenhou6(again, **options) == text


@pytest.mark.parametrize("case", INVALID)
def test_invalid(case: str) -> None:
    """An invalid file is rejected at its place, with exactly this message."""
    content, place, reason = INVALID[case]
    with pytest.raises(Tenhou6Error) as refused:
        read_tenhou6(content)
    assert refused.value.about("x.json") == f"x.json:{place}: {reason}"
    assert "\n" not in refused.value.text
