"""Games for the tests with other programs: real logs, fixtures and random games, each with its mjlog."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import effort
import pytest
from effort import left_out, some
from hanchan import game_id, hanchan
from playing import LINES, games
from playing import match as played_match
from test_real_logs import FOUR, MANIFEST, THREE

from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Daiminkan, Draw, Frame, Match, Win

VALID = Path(__file__).parent.parent / "fixtures" / "valid"
GENERATED = "hanchan.py"
REAL = "../shared/mjlog"
FIXTURES = "fixtures/valid"

NO_REAL = pytest.mark.skipif(not MANIFEST.is_file(), reason=f"there are no real logs in {REAL}")


class Game(NamedTuple):
    """A game: its *name*, its mjlog, and the match in it."""

    name: str
    log: bytes
    match: Match


def _from(paths: list[Path]) -> Iterator[Game]:
    for path in paths:
        content = path.read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
        yield Game(path.stem, content, read_mjlog(path))


def games_of(source: str) -> Iterator[Game]:
    """Yield the games of *source*: REAL, FIXTURES, GENERATED or a line of arguments of `scripts/play.py`."""
    if source == REAL:
        skipped = frozenset() if effort.long else left_out()
        yield from _from([path for path in (*FOUR, *THREE) if path.name not in skipped])
    elif source == FIXTURES:
        yield from _from(sorted(VALID.glob("*.xml")))
    elif source == GENERATED:
        for number in range(3):
            log = hanchan(number)
            yield Game(game_id(number), log.encode(), read_mjlog(log.encode()))
    else:
        for game in games(source):
            yield Game(game.id, game.log.encode(), played_match(game.id, game.log))


each_source = pytest.mark.parametrize("source", [pytest.param(REAL, marks=NO_REAL), FIXTURES, GENERATED, *some(LINES)])
"""Every source of games, as *source*; the real logs are skipped where there are none. With ``--long``, more of each."""


def elides_replacement(frame: Frame) -> bool:
    """Return whether *frame* ends with a win on the tile drawn for a daiminkan. Tenhou leaves out the ``0`` that
    stands for the daiminkan's discard there."""
    for before, event, after in zip(frame.events, frame.events[1:], frame.events[2:], strict=False):
        if isinstance(before, Daiminkan) and isinstance(event, Draw) and isinstance(after, Win):
            return True
    return False
