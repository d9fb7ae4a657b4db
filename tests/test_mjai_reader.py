"""mjai is read as its many writers write it, and gives the same match as the log it was written from."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from expected import expecting
from tables import table
from test_real_logs import LOGS

from jmjp_convert.dataset.rows import rows_of
from jmjp_convert.dataset.schema import MATCHES
from jmjp_convert.formats.mjai.reader import read_mjai
from jmjp_convert.formats.mjai.writer import write_mjai
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.formats.reading import read
from jmjp_convert.model import Match

held = expecting("mjai")

LENGTH = [column.name for column in MATCHES.columns].index("length")
VALID = Path(__file__).parent.parent / "fixtures" / "valid"
REPORTS = VALID.parent / "mjai" / "valid"
REAL = LOGS.parent / "mjai"

Event = dict[str, Any]


def assert_kept(played: Match) -> None:
    """Check that *played* reads back as what mjai holds of it, with details and without."""
    for details in (False, True):
        (found,) = read_mjai(write_mjai(played, details=details).encode())
        assert found == held(played, details=details)
        assert held(found, details=details) == found


def test_kita() -> None:
    """A north that is set aside is kita, or nukidora if that is asked for; both are read."""
    played = read_mjlog(VALID.parent / "invalid" / "sanma.xml")
    text, other = write_mjai(played), write_mjai(played, nukidora=True)
    assert text.count('"kita"') == text.count('"pai":"N"}')
    assert other == text.replace('"kita"', '"nukidora"')
    assert read_mjai(other.encode()) == read_mjai(text.encode()) == [held(played)]


REPORT = (REPORTS / "report.mjson").read_text(encoding="utf-8")
LONG = {"review": {"kyokus": [{"entries": ["x" * 1000] * 2000}]}}


@pytest.mark.parametrize("text", [json.dumps(LONG | json.loads(REPORT)), json.dumps(json.loads(REPORT), indent=2)])
def test_report(text: str) -> None:
    """A report of mjai-reviewer is read, however long what stands before the game."""
    assert read(io.BytesIO(text.encode())) == read(io.BytesIO(REPORT.encode()))


@pytest.mark.parametrize(("first", "east_only"), [(0, False), (4, True), (2, None), (None, None)])
def test_length(first: int | None, *, east_only: bool | None) -> None:
    """`kyoku_first` says whether the game is East-only, and is written again; other values say nothing."""
    head, *lines = write_mjai(read_mjlog(VALID / "plain.xml")).splitlines()
    text = json.dumps(json.loads(head) | {"kyoku_first": first})
    (found,) = read_mjai("\n".join([text, *lines]).encode())
    assert found.rules.east_only is east_only
    again = json.loads(write_mjai(found).splitlines()[0])
    assert again.get("kyoku_first") == {True: 4, False: 0, None: None}[east_only]
    assert rows_of(found, "key")["matches"][0][LENGTH] == {True: "east", False: "east-south", None: None}[east_only]


@pytest.mark.parametrize("first", ["kakan", "daiminkan"])
def test_dora_of_two_kans(first: str) -> None:
    """The dora of a kan that an ankan follows is turned where the log turns it, after the ankan."""
    played = read_mjlog(VALID.parent / "valid" / f"ankan-after-{first}.xml")
    kinds = [json.loads(line)["type"] for line in write_mjai(played).splitlines()]
    place = kinds.index(first)
    assert kinds[place : place + 6] == [first, "tsumo", "ankan", "dora", "dora", "tsumo"]
    assert_kept(played)


def test_points_in_quotes() -> None:
    """The points of a win may be in quotes, as all numbers may."""
    text = write_mjai(read_mjlog(VALID / "plain.xml"), details=True)
    quoted, count = re.subn(r'("hora_points":)(\d+)', r'\1"\2"', text)
    assert count
    assert read_mjai(quoted.encode()) == read_mjai(text.encode())


@pytest.mark.skipif(not REAL.is_dir(), reason="there are no real files in ../shared/mjai")
def test_real_file() -> None:
    """Files that other programs wrote are read without a word, and written again as they read."""
    for path in sorted(REAL.iterdir()):
        notices: list[str] = []
        for one in read(path, notice=notices.append):
            assert_kept(one)
        assert notices == []


# --- layouts ---------------------------------------------------------------------------------------------------------

PLAIN = write_mjai(read_mjlog(VALID / "plain.xml"))
EVENTS: list[Event] = [json.loads(line) for line in PLAIN.splitlines()]
(READ,) = read_mjai(PLAIN.encode())


@pytest.mark.parametrize("layout", table("mjai_reader", "layout", globals()))
def test_layout(layout: Callable[[list[Event]], str]) -> None:
    """Keys may be in any order, with spaces or without, an event a line, over several lines or in a list; the events
    around frames may be missing."""
    text = layout(EVENTS)
    (found,) = read(text.encode())
    assert found.frames == READ.frames
    assert read(gzip.compress(text.encode())) == [found]
