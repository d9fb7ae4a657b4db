"""To JSON lines and back: nothing is lost; `test_written.py` has the lines themselves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from models import matches
from test_round_trip import FILE, FULL

from jmjp_convert.errors import JsonError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.json.schema import EVENTS
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.model import DISCARDS, DRAWS, Discard, Draw, End, Frame, Hand, Match, Player, Rules, Start
from jmjp_convert.model.tiles import UNKNOWN


def assert_comes_back(*games: Match) -> None:
    """Check that *games* read back unchanged from their lines."""
    assert read_json(write_json(games).encode()) == list(games)


@given(st.lists(matches(4) | matches(3), min_size=1, max_size=2))
def test_any_matches(games: list[Match]) -> None:
    """Anything that the model can hold reads back unchanged, whether or not it could have been played."""
    impossible: list[JsonError] = []
    assert read_json(write_json(games).encode(), finding=impossible.append) == games


def test_several() -> None:
    """Matches follow one another; no matches give an empty text."""
    assert write_json(iter([FULL, FULL])) == 2 * write_json(FULL)
    assert write_json([]) == ""


def test_simple_lines() -> None:
    """The precomputed lines of draws and discards are those of the JSON encoder."""
    start, end = Start(0, 0, None, 0, None, None, ((UNKNOWN,) * 13,) * 4), End((Hand((UNKNOWN,) * 13),) * 4, None)
    tables: list[Sequence[Sequence[Draw | Discard]]] = [DRAWS, *DISCARDS.values()]
    for made in chain.from_iterable(table[player] for table in tables for player in range(4)):
        frame = Frame(start, (made,), end, None)
        value = EVENTS[type(made)].write(made)
        assert write_json(Match(Rules(), (Player(),) * 4, (frame,))).splitlines()[2] == json.dumps(
            value, separators=(",", ":")
        )
        assert EVENTS[type(made)].read(value, 4) is made


def test_full() -> None:
    """A match in which every field is filled is written as its file, and reads back unchanged."""
    assert write_json(FULL) == FILE.read_text(encoding="utf-8")
    assert_comes_back(FULL)


def test_outputs(expectations: list[Path]) -> None:
    """The matches in jmjp made from a log read back unchanged."""
    for path in expectations:
        assert_comes_back(*read_jmjp(path))
