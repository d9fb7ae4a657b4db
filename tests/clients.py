"""Games for the tests with other programs, each with its mjlog, and what is compared of the games that they write."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import effort
import pytest
from effort import left_out
from hanchan import game_id, hanchan
from playing import LINES, games
from playing import match as played_match
from test_real_logs import FOUR, MANIFEST, THREE

from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Daiminkan, Disconnected, DoraRevealed, Draw, Frame, Match, Returned, Ryuukyoku, Win
from jmjp_convert.model.record import replace

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


@cache
def games_of(source: str) -> tuple[Game, ...]:
    """Return the games of *source*: REAL, FIXTURES, GENERATED or one of `playing.LINES`."""
    return tuple(_games_of(source))


def _games_of(source: str) -> Iterator[Game]:
    if source == REAL:
        others = sorted(left_out())[::3] if effort.long else ()  # reading and writing them in all ways takes long
        skipped = left_out().difference(others)
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


each_source = pytest.mark.parametrize("source", [pytest.param(REAL, marks=NO_REAL), FIXTURES, GENERATED, *LINES])
"""Every source of games, as *source*; the real logs are skipped where there are none. With ``--long``, more of each."""


def elides_replacement(frame: Frame) -> bool:
    """Return whether *frame* ends with a win on the tile drawn for a daiminkan. Tenhou leaves out the ``0`` that
    stands for the daiminkan's discard there."""
    for before, event, after in zip(frame.events, frame.events[1:], frame.events[2:], strict=False):
        if isinstance(before, Daiminkan) and isinstance(event, Draw) and isinstance(after, Win):
            return True
    return False


def read(text: str, name: str) -> Match:
    """Return the only match in *text*, of the format *name*."""
    reader = FORMATS[name].read
    assert reader is not None
    (match,) = reader(text.encode())
    assert isinstance(match, Match)
    return match


def played(frame: Frame) -> tuple[object, ...]:
    """Return the start of *frame*, its plays, who won what of whom, the payments, and its end.

    Left out is when the dora were turned, who lost their connection, and what only some programs say of the score.
    """
    events: list[object] = []
    for event in frame.events:
        if isinstance(event, Win):
            events.append((event.player, event.source, event.tile, event.changes))
        elif isinstance(event, Ryuukyoku):
            events.append(event.changes or (0,) * len(frame.start.hands))
        elif not isinstance(event, DoraRevealed | Disconnected | Returned):
            events.append(event)
    turned = [event.indicator for event in frame.events if isinstance(event, DoraRevealed)]
    start = replace(frame.start, kan_indicators=(*turned, *frame.start.kan_indicators))
    hands = [(hand.tiles, hand.drawn, hand.melds) for hand in frame.end.hands]
    return start, events, hands, frame.end.points
