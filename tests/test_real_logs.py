"""Real logs, if there are any. Tenhou does not allow them to be redistributed, so a fresh clone has none.

`test_across.py` compares their points, payments and play with their XML.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import effort
import pytest

from jmjp_convert.checks.match import check_match
from jmjp_convert.errors import ConvertError, FormatError
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Match

MANIFEST = effort.MANIFEST
LOGS = MANIFEST.parent

TWO_DISCARDS = "2010022802gm-00a9-0000-7e62f873.xml"
CUT = "56fc3af7f286.xml"
BROKEN = {TWO_DISCARDS, CUT}
DOUBLED = "2010051013gm-00a9-0000-607b52e9.xml"

pytestmark = pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")


ROWS = effort.manifest()
GZIPPED = sorted((LOGS / "gz").glob("*.mjlog"))
SOUND = [LOGS / name for name in ROWS if name not in BROKEN] + GZIPPED
FOUR = [path for path in SOUND if path.name not in ROWS or ROWS[path.name]["players"] == "4"]
THREE = [path for path in SOUND if path not in FOUR]

READ = SOUND if effort.long else [path for path in SOUND if path.name not in effort.left_out()]
"""The logs to read."""
READ_OF_FOUR = [path for path in READ if path in FOUR]


@cache
def match(path: Path) -> Match:
    """Return the match of *path*."""
    return read_mjlog(path)


def test_frames(subtests: pytest.Subtests) -> None:
    """A log has as many players and frames as the manifest says."""
    for name in sorted(ROWS.keys() & {path.name for path in READ}):
        with subtests.test(name):
            assert match(LOGS / name).rules.players == int(ROWS[name]["players"])
            assert len(match(LOGS / name).frames) == int(ROWS[name]["frames"])


def test_routes(subtests: pytest.Subtests) -> None:
    """A path and bytes give the same match."""
    for path in READ:
        with subtests.test(path.name):
            assert read_mjlog(path.read_bytes(), file_name=path.name) == match(path)


def test_three_players(subtests: pytest.Subtests) -> None:
    """A log of three players is read in full, but jmjp cannot hold it."""
    for path in set(READ) - set(FOUR):
        with subtests.test(path.name):
            assert len(match(path).frames[0].start.hands) == 3
            with pytest.raises(FormatError, match="cannot hold three-player games"):
                write_jmjp(match(path))


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_broken(name: str) -> None:
    """A log with two discards in a row, and one that is cut off, are rejected by every route."""
    with pytest.raises(ConvertError) as by_path:
        read_mjlog(LOGS / name)
    with pytest.raises(ConvertError) as by_bytes:
        read_mjlog((LOGS / name).read_bytes())
    assert str(by_bytes.value) == str(by_path.value)


def test_no_false_alarm(subtests: pytest.Subtests) -> None:
    """No real log that can be read has problems as a whole, so none gets a warning."""
    for path in READ:
        with subtests.test(path.name):
            assert list(check_match(match(path))) == []


def test_notices(subtests: pytest.Subtests) -> None:
    """Only the log with a duplicate attribute has a notice, and only one."""
    for path in READ:
        with subtests.test(path.name):
            notices: list[str] = []
            read_mjlog(path, notice=notices.append)
            assert len(notices) == (path.name == DOUBLED)
