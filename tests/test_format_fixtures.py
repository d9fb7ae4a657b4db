"""The files of each format that were not made by the program: what is read from each, or where it is rejected.

The README of each folder, such as ``fixtures/mjai/README.md``, describes how they were made.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from casefiles import EXTENSIONS, refusals, sound
from expected import expecting

from jmjp_convert.convert import Writing
from jmjp_convert.errors import FileError
from jmjp_convert.formats import FORMATS, detect
from jmjp_convert.formats.mjlog.reader import read_mjlog
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
    Kita,
    Match,
    Name,
    Pon,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Text,
    Win,
    Yaku,
)
from jmjp_convert.model.record import Record, fields
from jmjp_convert.model.tiles import faces

FIXTURES = Path(__file__).parent.parent / "fixtures"
VALID = {name: sorted((FIXTURES / name / "valid").glob(f"*.{EXTENSIONS[name]}")) for name in EXTENSIONS}
FACES = faces()

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

TILES = frozenset({"dora", "drawn", "fourteenth", "hands", "indicator", "shown", "tiles"})
"""The fields that hold tiles; ``hands`` holds them only at a frame's start."""


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


def facts(path: Path) -> Path:
    """Return the file of what is read from *path*."""
    suffix = "facts.json" if EXTENSIONS[path.parents[1].name].endswith(".json") else "json"
    return path.with_name(f"{case(path)}.{suffix}")


def has_facts(path: Path) -> bool:
    """Return whether a file says what is read from *path*; otherwise a log does."""
    return facts(path).is_file()


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
    assert isinstance(event, RiichiDeclared | RiichiAccepted | Disconnected | Returned | Kita)
    marks = [getattr(event, "name", None), "open" if getattr(event, "open", False) else None]
    points = getattr(event, "points", None)
    return " ".join(filter(None, [word, str(event.player), *marks, str([*points]) if points else None]))


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
    known = {field: getattr(value, field) for field in fields(value)}
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
    if isinstance(value, Record):
        return record(value)
    if isinstance(value, Yaku):
        return [value.word if value.number is None else value.number, value.han]
    if field in TILES and value is not None and not (field == "hands" and (not value or isinstance(value[0], Record))):
        return tiles(value)
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, Enum):
        return value.value
    return value.hex() if isinstance(value, bytes) else value


def fact_of(matches: list[Match], path: str) -> object:
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


@each_format
def test_found(name: str) -> None:
    """There are cases, and every expectation has its case."""
    paths = VALID[name]
    assert len(paths) > 10
    assert len(refusals(name)) > 40
    files = {facts(path) for path in paths}
    files_there = {path for path in (FIXTURES / name / "valid").iterdir() if path not in paths}
    assert files_there <= files if name == "json" else files_there == files


@each_format
def test_valid(name: str, subtests: pytest.Subtests) -> None:
    """A valid file gives the facts next to it, and the notices."""
    for path in filter(has_facts, VALID[name]):
        with subtests.test(case(path)):
            expected = json.loads(facts(path).read_text(encoding="utf-8"))
            notices: list[str] = []
            matches = read(name, path, notices.append)
            assert notices == expected.get("notices", []) or name == "jmjp"
            assert len(matches) == expected["matches"]
            assert [[frame.start.name for frame in match.frames] for match in matches] == expected["frames"]
            said = dict(expected["facts"])
            assert {fact: fact_of(matches, fact) for fact in said} == said


def test_logs(subtests: pytest.Subtests) -> None:
    """The JSON lines of a log give the same match as the log, and are what is written for it."""
    for path in (path for path in VALID["json"] if not has_facts(path)):
        with subtests.test(case(path)):
            match = read_mjlog(next(FIXTURES.glob(f"*valid/{path.stem}.xml")))
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
            spec = {"spec": json.loads(facts(path).read_text(encoding="utf-8"))["spec"]} if name == "jmjp" else {}
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
