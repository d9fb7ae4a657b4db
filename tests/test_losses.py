"""What the formats say they hold is what reads back, so the table in `docs/formats.md` is right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from docs_losses import KEPT, LEFT_OUT, SOMETIMES, columns, holding_of, kept

from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import FormatError
from jmjp_convert.formats import COMPLETE, FORMATS
from jmjp_convert.formats.format import Format
from jmjp_convert.formats.losses.traits import REPORTED
from jmjp_convert.formats.reading import read
from jmjp_convert.model import Match

FIXTURES = Path(__file__).parent.parent / "fixtures"
FOLDERS = ("valid", "json/valid", "jmjp/valid")
SANMA = FIXTURES / "invalid" / "sanma.xml"
PROVEN = [one for one in FORMATS.values() if one.holding is not None and one.write is not None]
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
        yield match, holding_of(one).expected(match)


@each_proven
def test_kept(one: Format) -> None:
    """What a format always holds is in every match that it reads back, if it was in the match."""
    always = [key for key, mark in kept(holding_of(one)).items() if mark == KEPT]
    for before, after in reduced(one):
        assert [key for key in always if REPORTED[key].affects(before) and not REPORTED[key].affects(after)] == []


@each_proven
def test_left_out(one: Format) -> None:
    """What a format does not hold is in no match that it reads back."""
    gone = [key for key, mark in kept(holding_of(one)).items() if mark == LEFT_OUT]
    for _, after in reduced(one):
        assert [key for key in gone if REPORTED[key].affects(after)] == []


@each_proven
def test_kept_in_some(one: Format) -> None:
    """What a format holds in some matches reads back from those of which it says so."""
    held = holding_of(one)
    some = [key for key, mark in kept(held).items() if mark == SOMETIMES]
    for before, after in reduced(one):
        lost = {key for loss in held.approximations if loss.parts and loss.affects(before) for key in loss.parts}
        said = [key for key in some if REPORTED[key].affects(before) and key not in lost]
        assert [key for key in said if not REPORTED[key].affects(after)] == []


def test_recorded_in_mjlog() -> None:
    """An mjlog has the traits that are said to be in it, and no others."""
    held = holding_of(FORMATS["mjlog"])
    recorded = {key for match in games(".xml", ".mjlog") for key in REPORTED if REPORTED[key].affects(match)}
    assert recorded == {key for key in REPORTED if held.holds(key)}


def test_complete() -> None:
    """One format holds every trait."""
    assert set(kept(holding_of(COMPLETE)).values()) == {KEPT}


def test_columns() -> None:
    """The tables have every format that holds whole matches, and the ways to write one that hold less."""
    titles = [column.title for column in columns()]
    formats = ["mjlog", "jmjp", "tenhou6", "mjai", "majiang", "mahjong-soul", "riichi-city"]
    assert [title for title in titles if " " not in title] == formats
    assert "tenhou6 with `--per-frame`, `--url`" in titles
    assert "jmjp with `--compact`" in titles
