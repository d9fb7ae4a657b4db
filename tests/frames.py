"""Frames for tests, with their rules: from every fixture, from games of every sort, from real logs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import effort
from browsing import inputs, read
from playing import LINES, matches

from jmjp_convert import ConvertError
from jmjp_convert.model import Frame, Rules

LOGS = Path(__file__).parents[2] / "shared" / "mjlog"

Played = tuple[Frame, Rules]


def _played(path: Path) -> list[Played]:
    """Return the frames of *path* whose play is recorded."""
    return [(frame, match.rules) for match in read(path) for frame in match.frames if frame.start.hands]


@cache
def frames() -> list[Played]:
    """Return the frames of every fixture and of games of every sort."""
    games = [(frame, match.rules) for line in LINES for match in matches(line) for frame in match.frames]
    return [frame for path in inputs() for frame in _played(path)] + games


@cache
def real_frames() -> list[Played]:
    """Return the frames of real logs, if available: of all of them, or of a selection with each peculiarity."""
    frames: list[Played] = []
    for path in sorted(LOGS.glob("*.xml")):
        if not effort.long and path.name in effort.left_out():
            continue
        try:
            frames += _played(path)
        except ConvertError:
            continue
    return frames
