"""To lines of JSON and back: nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from models import matches
from test_real_logs import MANIFEST, SOUND
from test_round_trip import FULL

from jmjp_convert.check.wall import with_wall
from jmjp_convert.errors import JsonError, WallError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.json.reader import read_json
from jmjp_convert.formats.json.writer import write_json
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match

JMJP = Path(__file__).parent.parent / "fixtures" / "jmjp" / "valid"

needs_real_logs = pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")


def assert_comes_back(*games: Match) -> None:
    """Check that *games* are read back from their lines as they were."""
    assert read_json(write_json(games).encode()) == list(games)


@given(st.lists(matches(4) | matches(3), min_size=1, max_size=2))
def test_any_matches(games: list[Match]) -> None:
    """Whatever the model can hold comes back as it was, whether it could have been played or not."""
    impossible: list[JsonError] = []
    assert read_json(write_json(games).encode(), finding=impossible.append) == games


def test_full() -> None:
    """A match of which everything is known comes back as it was."""
    assert_comes_back(FULL)


def test_logs(valid_input: Path) -> None:
    """A log comes back as it was."""
    assert_comes_back(read_mjlog(valid_input))


def test_three_players() -> None:
    """A log of three players comes back as it was."""
    assert_comes_back(read_mjlog(JMJP.parents[1] / "invalid" / "sanma.xml"))


@pytest.mark.parametrize("path", sorted(JMJP.glob("*.jmjp")), ids=lambda path: path.stem)
def test_jmjp(path: Path) -> None:
    """The matches in a jmjp file come back as they were, tiles of which little is known among them."""
    assert_comes_back(*read_jmjp(path))


def test_outputs(expectation: Path) -> None:
    """The matches in jmjp that was made from a log come back as they were."""
    assert_comes_back(*read_jmjp(expectation))


@needs_real_logs
@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.name)
def test_real_logs(path: Path) -> None:
    """A real log comes back as it was, and so it does with the dora that its wall tells."""
    match = read_mjlog(path)
    assert_comes_back(match)
    try:
        walled = with_wall(match)
    except WallError:
        return
    assert_comes_back(walled)


@needs_real_logs
def test_several_real_logs() -> None:
    """Several matches in one file come back in their order."""
    assert_comes_back(*map(read_mjlog, SOUND[:5]))
