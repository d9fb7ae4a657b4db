"""What the formats say they hold is what reads back, so the tables in `docs/formats.md` are right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from docs_losses import columns, held_by

from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import FormatError
from jmjp_convert.formats import COMPLETE, FORMATS
from jmjp_convert.formats.features import TRAITS, always
from jmjp_convert.formats.format import Format
from jmjp_convert.formats.reading import read
from jmjp_convert.model import Match

FIXTURES = Path(__file__).parent.parent / "fixtures"
FOLDERS = ("valid", "json/valid", "jmjp/valid")
SANMA = FIXTURES / "invalid" / "sanma.xml"
PROVEN = [one for one in FORMATS.values() if one.proof is not None and one.held is not None]
each_proven = pytest.mark.parametrize("one", PROVEN, ids=lambda one: one.name)


@cache
def games(*suffixes: str) -> list[Match]:
    """Return the matches of all valid fixtures with one of these suffixes."""
    paths = [path for folder in FOLDERS for path in sorted((FIXTURES / folder).iterdir()) if path.suffix in suffixes]
    return [match for path in (*paths, SANMA) for match in read(path)]


def reduced(one: Format) -> Iterator[tuple[Match, Match]]:
    """Yield each match that a format can hold, and what it becomes in it."""
    writing = Writing(one.name, verify=False)
    for match in games(".xml", ".mjlog", ".jmjp", ".jsonl"):
        try:
            written([match], writing, lambda _: None)
        except FormatError:
            continue
        assert one.proof is not None
        yield match, one.proof(match, **writing.options)


@each_proven
def test_kept(one: Format) -> None:
    """What a format always holds is in every match that it reads back, if it was in the match."""
    held = held_by(one)
    kept = [key for key in TRAITS if held.get(key) is always]
    for before, after in reduced(one):
        assert [key for key in kept if TRAITS[key].found(before) and not TRAITS[key].found(after)] == []


@each_proven
def test_left_out(one: Format) -> None:
    """What a format does not hold is in no match that it reads back."""
    held = held_by(one)
    gone = [key for key in TRAITS if key not in held]
    for _, after in reduced(one):
        assert [key for key in gone if TRAITS[key].found(after)] == []


@each_proven
def test_kept_in_some(one: Format) -> None:
    """What a format holds in some matches reads back from those of which it says so."""
    held = held_by(one)
    some = [key for key in TRAITS if key in held and held[key] is not always]
    for before, after in reduced(one):
        said = [key for key in some if TRAITS[key].found(before) and held[key](before)]
        assert [key for key in said if not TRAITS[key].found(after)] == []


def test_recorded_in_mjlog() -> None:
    """An mjlog has the traits that are said to be in it, and no others."""
    held = held_by(FORMATS["mjlog"])
    assert {key for match in games(".xml", ".mjlog") for key in TRAITS if TRAITS[key].found(match)} == set(held)


def test_complete() -> None:
    """One format holds every trait."""
    assert held_by(COMPLETE) == dict.fromkeys(TRAITS, always)


def test_columns() -> None:
    """The tables have every format that holds whole matches, and the ways to write one that hold less."""
    titles = [column.title for column in columns()]
    assert [title for title in titles if " " not in title] == ["mjlog", "jmjp", "tenhou6", "mjai", "majiang"]
    assert "tenhou6 with `--per-frame`, `--url`" in titles
