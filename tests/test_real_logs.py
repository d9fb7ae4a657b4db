"""Real logs, if there are any. Tenhou does not allow them to be redistributed, so a fresh clone has none."""

from __future__ import annotations

import csv
from functools import cache
from itertools import pairwise
from pathlib import Path

import effort
import pytest

from jmjp_convert.checks.match import check_match
from jmjp_convert.errors import ConvertError, FormatError
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Frame, Kita, Match

LOGS = Path(__file__).parents[2] / "shared" / "mjlog"
MANIFEST = LOGS / "manifest.csv"

TWO_DISCARDS = "2010022802gm-00a9-0000-7e62f873.xml"
CUT = "56fc3af7f286.xml"
BROKEN = {TWO_DISCARDS, CUT}
DOUBLED = "2010051013gm-00a9-0000-607b52e9.xml"

STICK = 1000
HAND = 13

pytestmark = pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")


def manifest() -> dict[str, dict[str, str]]:
    """Return the rows of the manifest by file; empty if there is none."""
    if not MANIFEST.is_file():
        return {}
    with MANIFEST.open(encoding="utf-8", newline="") as file:
        rows = {row["file"]: row for row in csv.DictReader(file)}
    assert rows
    return rows


ROWS = manifest()
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


def sticks(frame: Frame) -> int:
    """Return the riichi sticks on the table at the end of *frame*, inferred from the points."""
    assert frame.end.points is not None
    assert frame.start.points is not None
    assert frame.start.sticks is not None
    return frame.start.sticks + (sum(frame.start.points) - sum(frame.end.points)) // STICK


def test_frames(subtests: pytest.Subtests) -> None:
    """A log has as many players and frames as the manifest says."""
    for name in sorted(ROWS.keys() & {path.name for path in READ}):
        with subtests.test(name):
            assert match(LOGS / name).rules.players == int(ROWS[name]["players"])
            assert len(match(LOGS / name).frames) == int(ROWS[name]["frames"])


def test_points(subtests: pytest.Subtests) -> None:
    """The points and sticks after a frame are those before the next, and the last ones those of the result."""
    for path in READ:
        with subtests.test(path.name):
            frames = match(path).frames
            for before, after in pairwise(frames):
                assert (before.end.points, sticks(before)) == (after.start.points, after.start.sticks)
            final = match(path).final_points
            if final is not None:
                assert frames[-1].end.points is not None
                assert sum(final) == sum(frames[-1].end.points) + sticks(frames[-1]) * STICK


def test_payments(subtests: pytest.Subtests) -> None:
    """The recorded points and payments of wins and draws lead to the points at the end of the frame."""
    for path in READ:
        with subtests.test(path.name):
            for frame in match(path).frames:
                ending = frame.endings[-1]
                assert ending.before is not None
                assert ending.changes is not None
                assert tuple(map(sum, zip(ending.before, ending.changes, strict=True))) == frame.end.points


def test_hands(subtests: pytest.Subtests) -> None:
    """A hand has thirteen tiles at the end of a frame: a meld counts three, a north none, and the fourteenth is
    separate."""
    for path in READ:
        with subtests.test(path.name):
            for frame in match(path).frames:
                for hand in frame.end.hands:
                    melds = [meld for meld in hand.melds if not isinstance(meld, Kita)]
                    assert len(hand.tiles) + 3 * len(melds) == HAND


def test_routes(subtests: pytest.Subtests) -> None:
    """A path and bytes give the same match."""
    for path in READ:
        with subtests.test(path.name):
            assert read_mjlog(path.read_bytes(), file_name=path.name) == match(path)


@pytest.mark.parametrize("spec", ["0", "1.0", "1.0-beta"])
def test_conversion(spec: str, subtests: pytest.Subtests) -> None:
    """A log of four players becomes jmjp in every dialect, frame by frame."""
    for path in READ_OF_FOUR:
        with subtests.test(path.name):
            text = write_jmjp(match(path), spec=spec)
            assert text.startswith("jmjp[")
            assert text.endswith(")\n")
            assert text.count("\nfrm[") == len(match(path).frames)


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
