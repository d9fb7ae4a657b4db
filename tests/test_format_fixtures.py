"""The files of each format that were not made by the program: what is read from each, or where it is rejected.

The README of each folder, such as ``fixtures/mjai/README.md``, describes how they were made.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from casefiles import EXTENSIONS, refusals, sound
from expected import expecting
from jmjp_texts import spec_of
from tables import table

from jmjp_convert.convert import Writing
from jmjp_convert.errors import FileError
from jmjp_convert.formats import FORMATS, detect
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match

FIXTURES = Path(__file__).parent.parent / "fixtures"
VALID = {name: sorted((FIXTURES / name / "valid").glob(f"*.{EXTENSIONS[name]}")) for name in EXTENSIONS}
NOTICES = dict(table("format_fixtures", "notices"))

CHANGED = frozenset(
    ("jmjp 0-backslash", "jmjp 0-strings", "jmjp backslash-before-quote", "jmjp strings-that-look-like-syntax")
)
"""The files with line feeds, or backslashes before quotes, in texts that no comment keeps, so that the writer changes
them (source: ``docs/design/mapping.md``, Strings)."""

UNWRITABLE = frozenset(("mjai original", "majiang no-frames", "majiang no-payments", "tenhou6 hands-not-shown"))
"""The files without frames, riichi sticks, payments or tiles that the writer needs."""

LOOSE = frozenset(("json loose",))
"""The files that are not written as the program writes."""

KEPT_NOTICES = ("inferred from the play", "kept by its name")
"""Parts of the notices on what our own outputs may have too."""

OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "mjai": ({}, {"details": True}),
    "tenhou6": ({}, {"per_frame": True}, {"url": True}, {"raise_points": True}),
}

NO_LINE = "0"
"""The place of errors that have no line, but are in a record or a value of one."""


def case(path: Path) -> str:
    """Return the name of a case."""
    return path.name.partition(f".{EXTENSIONS[path.parents[1].name]}")[0]


each_format = pytest.mark.parametrize("name", EXTENSIONS)


def read(name: str, source: Any, notice: Callable[[str], None] | None = None) -> list[Match]:
    """Return the matches of a file in the format *name*."""
    reader = FORMATS[name].read
    assert reader is not None
    matches: list[Match] = reader(source, notice=notice)
    return matches


def write(name: str, matches: list[Match], **options: Any) -> str:
    """Return *matches* in the format *name*."""
    writer = FORMATS[name].write
    assert writer is not None
    return str(writer(matches, **options))


def expected(path: Path) -> Path:
    """Return the file of what is read from *path*, as lines of json; those of json are read as they are."""
    return path.with_name(f"{case(path)}.read")


# --- the tests -------------------------------------------------------------------------------------------------------


@each_format
def test_found(name: str) -> None:
    """There are cases, and every expectation has its case."""
    paths = VALID[name]
    assert len(paths) > 10
    assert len(refusals(name)) > 40
    others = {path for path in (FIXTURES / name / "valid").iterdir() if path not in paths}
    assert others == {expected(path) for path in paths if name != "json" or f"json {case(path)}" in LOOSE}


@each_format
def test_valid(name: str, subtests: pytest.Subtests) -> None:
    """A valid file gives the lines of json next to it, and the notices."""
    for path in VALID[name]:
        with subtests.test(case(path)):
            notices: list[str] = []
            found = write_json(read(name, path, notices.append)).splitlines()
            assert notices == NOTICES.get(f"{name} {case(path)}", [])
            if expected(path).is_file():
                lines = expected(path).read_text(encoding="utf-8").splitlines()
                assert [*map(json.loads, found)] == [*map(json.loads, lines)]  # compiled, 1500 is 1500.0


def test_logs(subtests: pytest.Subtests) -> None:
    """JSON lines under the name of a log give the same match as the log, and are what is written for it."""
    pairs = [(path, log) for path in VALID["json"] for log in FIXTURES.glob(f"*valid/{path.stem}.xml")]
    assert len(pairs) > 10
    for path, log in pairs:
        with subtests.test(case(path)):
            match = read_mjlog(log)
            assert read("json", path) == [match]
            assert write("json", [match]) == path.read_bytes().decode()


@each_format
def test_written(name: str, subtests: pytest.Subtests) -> None:
    """What is read is written as what the format holds of it, and then again the same; json unchanged."""
    for path in VALID[name]:
        with subtests.test(case(path)):
            if f"{name} {case(path)}" in UNWRITABLE or FORMATS[name].write is None:
                continue
            matches = read(name, path)
            spec = {"spec": spec_of(path)} if name == "jmjp" else {}
            for given in OPTIONS.get(name, (spec,)):
                options = Writing(name, **given).options
                for some in [matches] if FORMATS[name].several(options) else [[match] for match in matches]:
                    text = write(name, some, **options)
                    notices: list[str] = []
                    again = read(name, text.encode(), notices.append)
                    assert [line for line in notices if not any(said in line for said in KEPT_NOTICES)] == []
                    assert again == [expecting(name)(match, **options) for match in some]
                    assert write(name, again, **options) == text
                    if name == "jmjp":
                        assert (again == some) is (f"{name} {case(path)}" not in CHANGED)
                    if name == "json":
                        assert (text == path.read_bytes().decode()) is (f"{name} {case(path)}" not in LOOSE)


@each_format
def test_routes(name: str, subtests: pytest.Subtests) -> None:
    """A path, bytes, an open file, gzip and other line ends give the same matches; the content shows the format."""
    for path in VALID[name]:
        with subtests.test(case(path)):
            matches = read(name, path)
            content = path.read_bytes()
            for source in (str(path), content, io.BytesIO(content)):
                assert read(name, source) == matches
            if name != "jmjp":
                assert read(name, gzip.compress(content)) == matches
            if name in ("tenhou6", "majiang"):
                assert read(name, b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")) == matches
            if name == "tenhou6":
                assert read(name, content.decode().lstrip("\ufeff").encode("utf-16")) == matches
            if name == "majiang" and case(path) != "one-after-the-other":
                for indent in (None, 2):
                    assert read(name, json.dumps(json.loads(content), indent=indent).encode()) == matches
            format_ = detect(content)
            assert format_ is not None
            assert format_.name == name


@each_format
def test_files(name: str, tmp_path: Path) -> None:
    """The largest size is that of the content, gzip or not; an open file stays open; one that is missing or cut is an
    error."""
    content = VALID[name][0].read_bytes()
    reader = FORMATS[name].read
    assert reader is not None
    for whole in (content, gzip.compress(content)):
        file = io.BytesIO(whole)
        assert reader(file, max_size=len(content))
        assert not file.closed
        with pytest.raises(FileError, match=rf"^larger than {len(content) - 1:,} bytes \(--max-size\)$"):
            reader(whole, max_size=len(content) - 1)
    with pytest.raises(FileError, match=r"^no such file or directory$"):
        reader(tmp_path / "none")
    with pytest.raises(FileError, match=r"^the gzip data is truncated or corrupt: it ends too early$"):
        reader(gzip.compress(content)[:-9])


@each_format
def test_bases(name: str) -> None:
    """The bases of the invalid files are valid."""
    for base in sound(name).values():
        assert read(name, base)


@each_format
def test_invalid(name: str) -> None:
    """Every invalid file is rejected at its place, with exactly its message, in one line."""
    cases = refusals(name)
    expected = {
        case: f"x: {reason}" if place == NO_LINE else f"x:{place}: {reason}"
        for case, (_, place, reason) in cases.items()
    }
    assert {case: refused(name, content) for case, (content, _, _) in cases.items()} == expected
    assert [text for text in expected.values() if "\n" in text] == []


def refused(name: str, content: bytes) -> str:
    """Return why a file in the format *name* is rejected, by an error of this format."""
    try:
        read(name, content)
    except FORMATS[name].error as why:
        return why.about("x")
    return "it is valid"
