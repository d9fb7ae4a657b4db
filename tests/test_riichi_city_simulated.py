"""Games that the simulator plays, as records of Riichi City and as mjlog: both read as the same play, face by face."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest
from playing import COVERING, LINES, NORMAL, SANMA, WILD, match, written
from rare_play import EVERYTHING, occurred
from recorded import recorded
from recorded_plays import only_sums, plays
from simulator.coverage import Tally
from simulator.eras import Era
from simulator.game import Game, GameSpec, walls_of
from simulator.riichi_city_writer import RiichiCityWriter

from jmjp_convert.checks.match import check_match
from jmjp_convert.checks.score import check_score
from jmjp_convert.formats.riichi_city.reader import read_riichi_city
from jmjp_convert.model import Discard, DoraRevealed, Draw, Match, RiichiAccepted
from jmjp_convert.model.record import replace


def _writer(spec: GameSpec, era: Era, tally: Tally) -> RiichiCityWriter:
    return RiichiCityWriter(era, tally, walls_of(spec), spec.name)


def city_games(line: str) -> Iterator[tuple[Game, Match]]:
    """Yield the games of *line*, each with the match in its record."""
    for game, writer in written(line, _writer):
        (city,) = read_riichi_city(json.dumps(writer.record).encode(), notice=pytest.fail)
        yield game, city


@pytest.mark.parametrize("line", LINES)
def test_record_is_the_same_play(line: str) -> None:
    """The record of a simulated game reads as the same play as its log: deals, events, ends, points, results; and the
    same wins, payments, draws and results agree with what is computed. Those compared have every meld and order of
    kans, and end in every way."""
    counts: Counter[object] = Counter()
    for game, city in city_games(line):
        log = match(game.id, game.log)
        assert list(plays(city)) == list(map(only_sums, recorded(game.log.encode())))
        assert [frame.start.dice for frame in city.frames] == [frame.start.dice for frame in log.frames]
        assert (city.final_points, city.results) == (log.final_points, log.results)
        assert [player.name for player in city.players] == [player.name for player in log.players]
        assert list(check_match(city)) == []
        score = check_score(replace(city, rules=log.rules, date=log.date))
        assert list(map(str, score.findings)) == []
        assert score.agreed == check_score(log).agreed
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
