"""Dora indicators inferred from the dora alone, in logs; `test_played.py` has single plays.

Tenhou's timing is from ``docs/design/mjlog-traps.md`` 6 and 7; that the real logs agree is tested here.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from test_real_logs import MANIFEST, SOUND

from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import DoraRevealed, Frame, Win
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import NO_REDS, faces
from jmjp_convert.play.dora_indicators import with_indicators

AT_ONCE = {"d151625eabbd.xml": ["S4-0"], "kan-dora-at-once.xml": ["E1-0"]}
"""Frames from tables that turn every indicator at once, although the dora shown do not reveal it."""

NAMES = faces(NO_REDS)


def shown(found: Frame) -> list[tuple[int, list[str]]]:
    """Return the faces of the indicators of *found*, red fives as plain ones, each with the index of its event."""
    rows: list[tuple[int, tuple[int, ...]]] = [(-1, (found.start.indicator or 0,))]
    for place, event in enumerate(found.events):
        if isinstance(event, DoraRevealed):
            rows.append((place, (event.indicator,)))
        elif isinstance(event, Win):
            rows.append((place, event.ura))
    return [(place, [NAMES[tile].replace("0", "5") for tile in tiles]) for place, tiles in rows]


def hidden(found: Frame) -> Frame:
    """Return *found* without its indicators."""
    events = (replace(event, ura=()) if isinstance(event, Win) else event for event in found.events)
    kept = tuple(event for event in events if not isinstance(event, DoraRevealed))
    return replace(found, start=replace(found.start, indicator=None), events=kept)


def assert_found_again(path: Path) -> None:
    """Check that the indicators of each frame of the log *path* are inferred in their places."""
    match = read_mjlog(path)
    assert match.frames
    differ = [log.start.name for log in match.frames if shown(with_indicators(hidden(log), match.rules)) != shown(log)]
    assert differ == AT_ONCE.get(path.name, []), path


def test_nothing_to_infer() -> None:
    """A frame that has its indicators, or has no recorded dora, is unchanged."""
    match = read_mjlog(Path(__file__).parent.parent / "fixtures" / "valid" / "kakan.xml")
    frame = match.frames[0]
    assert with_indicators(frame, match.rules) is frame
    blank = hidden(replace(frame, dora=None))
    assert with_indicators(blank, match.rules) is blank


def test_fixtures(valid_inputs: list[Path]) -> None:
    """In invented logs, every indicator is inferred in its place, except at a table that turns it at once."""
    for path in valid_inputs:
        assert_found_again(path)


@pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.name)
def test_real_logs(path: Path) -> None:
    """In real logs of three and four players, every indicator is inferred in its place."""
    assert_found_again(path)
