"""Games that the simulator plays, as records of Riichi City and as mjlog: both read as the same play, face by face."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playing import COVERING, LINES, NORMAL, SANMA, WILD, written
from rare_play import EVERYTHING, occurred
from simulator.coverage import Tally
from simulator.eras import Era
from simulator.game import GameSpec, walls_of
from simulator.riichi_city_writer import RiichiCityWriter

from jmjp_convert.checks.match import check_match
from jmjp_convert.checks.score import check_score
from jmjp_convert.formats.riichi_city.reader import read_riichi_city
from jmjp_convert.model import (
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    Event,
    Frame,
    Hand,
    Kakan,
    Match,
    Meld,
    Returned,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    Score,
    Win,
    Yaku,
)
from jmjp_convert.model.record import fields, replace
from jmjp_convert.model.tiles import any_copy, faces

_NO_URA = Yaku(53, 0)


def _writer(spec: GameSpec, era: Era, tally: Tally) -> RiichiCityWriter:
    return RiichiCityWriter(era, tally, walls_of(spec), spec.name)


def city_games(line: str) -> Iterator[tuple[Match, Match]]:
    """Yield the matches of *line* as mjlog, and as records."""
    for match, writer in written(line, _writer):
        (city,) = read_riichi_city(json.dumps(writer.record).encode(), notice=pytest.fail)
        yield match, city


class _ByFace:
    """Returns what a record of Riichi City has of a match in mjlog."""

    def __init__(self, match: Match) -> None:
        self._faces = faces(red_fives=match.rules.red_fives)

    def _tile(self, tile: int) -> int:
        return any_copy(self._faces[tile])

    def _tiles(self, tiles: Sequence[int]) -> tuple[int, ...]:
        return tuple(map(self._tile, tiles))

    def frame(self, frame: Frame) -> dict[str, Any]:
        """Return the parts of *frame* to compare. The first tile of the dealer is dealt with the hand."""
        start = frame.start
        events = list(self._events(frame))
        first = events.pop(0)
        assert isinstance(first, Draw)
        hands = [
            Hand(tuple(sorted(self._tiles(hand.tiles))), self._drawn(hand.drawn), tuple(map(self._meld, hand.melds)))
            for hand in frame.end.hands
        ]
        return {
            "start": (start.name, start.sticks, start.dealer, start.dice, start.points),
            "dealt": [sorted(self._tiles(hand)) for hand in start.hands],
            "fourteenth": first.tile,
            "indicator": None if start.indicator is None else self._tile(start.indicator),
            "events": events,
            "hands": hands,
            "points": frame.end.points,
            "dora": frame.dora,
        }

    def _drawn(self, tile: int | None) -> int | None:
        return None if tile is None else self._tile(tile)

    def _events(self, frame: Frame) -> Iterator[Event]:
        several = len(frame.endings) > 1
        declared: RiichiDeclared | None = None
        for event in frame.events:
            if isinstance(event, Disconnected | Returned):
                continue
            if isinstance(event, RiichiDeclared):  # in one with the discard: a dora turned in between comes before
                declared = event
                continue
            if isinstance(event, Discard) and declared is not None:
                yield declared
                declared = None
            yield self._event(event, several=several)

    def _event(self, event: Event, *, several: bool) -> Event:
        made: Event
        if isinstance(event, Draw | Discard):
            made = replace(event, tile=self._tile(event.tile))
        elif isinstance(event, DoraRevealed):
            made = replace(event, indicator=self._tile(event.indicator))
        elif isinstance(event, RiichiAccepted):
            made = RiichiAccepted(event.player)
        elif isinstance(event, Win):
            made = self._win(event, several=several)
        elif isinstance(event, Ryuukyoku):
            made = self._draw(event)
        else:
            assert isinstance(event, Meld)
            made = self._meld(event)
        return made

    def _win(self, win: Win, *, several: bool) -> Win:
        assert win.score is not None
        return Win(
            win.player,
            win.source,
            self._tile(win.tile),
            self._score(win.score),
            win.pao,
            self._tiles(win.ura),
            changes=None if several else win.changes,
        )

    def _draw(self, draw: Ryuukyoku) -> Ryuukyoku:
        hands = [None if hand is None else tuple(sorted(self._tiles(hand))) for hand in draw.shown or ()]
        nobody = draw.kind not in (DrawKind.EXHAUSTIVE, DrawKind.NAGASHI) and not any(hands)
        return Ryuukyoku(draw.kind, None if nobody else tuple(hands), changes=draw.changes)

    @staticmethod
    def _score(score: Score) -> Score:
        return replace(score, yaku=tuple(sorted(set(score.yaku) - {_NO_URA}, key=_order)))

    def _meld(self, meld: Any) -> Any:
        if isinstance(meld, Kakan):
            return replace(meld, tile=self._tile(meld.tile), pon=self._meld(meld.pon))
        changes: dict[str, Any] = {}
        for name in fields(meld):
            value = getattr(meld, name)
            if name in ("taken", "tile"):
                changes[name] = self._tile(value)
            elif name in ("hand", "tiles"):
                changes[name] = tuple(sorted(self._tiles(value)))
        return replace(meld, **changes)


def _order(yaku: Yaku) -> tuple[int, int]:
    return yaku.number or 0, yaku.han or 0


class _Recorded(_ByFace):
    """Returns the same of a match that was read from a record."""

    def frame(self, frame: Frame) -> dict[str, Any]:
        """Return the parts of *frame* to compare."""
        tile = frame.start.fourteenth
        assert tile is not None
        drawn = Draw(frame.start.dealer, tile)
        return super().frame(replace(frame, events=(drawn, *frame.events)))


@pytest.mark.parametrize("line", LINES)
def test_record_is_the_same_play(line: str) -> None:
    """The record of a simulated game reads as the same play as its log: deals, events, ends, points, results; and the
    same wins, payments, draws and results agree with what is computed. Those compared have every meld and order of
    kans, and end in every way."""
    counts: Counter[object] = Counter()
    for match, city in city_games(line):
        assert len(city.frames) == len(match.frames)
        for frame, other in zip(match.frames, city.frames, strict=True):
            expected, read_ = _ByFace(match).frame(frame), _Recorded(city).frame(other)
            for key, value in expected.items():
                assert read_[key] == value, (other.start.name, key)
        assert (city.final_points, city.results) == (match.final_points, match.results)
        assert [player.name for player in city.players] == [player.name for player in match.players]
        assert list(check_match(city)) == []
        score = check_score(replace(city, rules=match.rules, date=match.date))
        assert list(map(str, score.findings)) == []
        assert score.agreed == check_score(match).agreed
        counts += occurred([city])
    assert [what for what in EVERYTHING if line == COVERING and not counts[what]] == []


@pytest.mark.parametrize("line", [NORMAL, WILD, SANMA])
def test_walls_and_times(line: str) -> None:
    """Each frame has its wall, which begins with the deal in fours, and a time for each act of a player."""
    for _, city in city_games(line):
        count = city.rules.players
        for frame in city.frames:
            wall = frame.wall
            assert wall is not None
            dealer = frame.start.dealer
            assert wall.tiles[:4] == frame.start.hands[dealer][:4]
            assert wall.tiles[4:8] == frame.start.hands[(dealer + 1) % count][:4]
            assert wall.tiles[13 * count] == frame.start.fourteenth
            assert len(frame.thinking) == len(frame.events)
            for event, thinking in zip(frame.events, frame.thinking, strict=True):
                if isinstance(event, Discard):
                    assert thinking is not None
                    assert thinking.time is not None
                    assert thinking.time >= 100
                if isinstance(event, Draw | DoraRevealed | RiichiAccepted):
                    assert thinking is None
