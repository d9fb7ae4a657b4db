"""Real records of Riichi City, where they are present: all of them read, with results, scores and every output."""

from __future__ import annotations

from pathlib import Path

import pytest

from jmjp_convert.checks.match import check_match
from jmjp_convert.checks.score import Subject, check_score
from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import RiichiCityError
from jmjp_convert.formats import writable
from jmjp_convert.formats.riichi_city.reader import read_riichi_city
from jmjp_convert.model import Match, Win

SAMPLES = Path(__file__).parents[2] / "shared" / "riichi-city"
RECORDS = {"4p-ranked": (12, 10), "3p-2022": (3, 3), "3p-yakitori": (4, 4), "3p-ended-by-vote": (1, 0)}
"""By name, the numbers of frames and of wins."""

pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="there are no real records in ../shared/riichi-city")
each_record = pytest.mark.parametrize("name", RECORDS)


def read(name: str) -> Match:
    """Return the match of a record."""
    (match,) = read_riichi_city(SAMPLES / f"{name}.json")
    return match


@each_record
def test_read(name: str) -> None:
    """Every frame reads, with its wall and its times, and nothing contradicts the rest."""
    match = read(name)
    wins = [ending for frame in match.frames for ending in frame.endings if isinstance(ending, Win)]
    assert (len(match.frames), len(wins)) == RECORDS[name]
    assert list(check_match(match)) == []
    assert all(frame.wall is not None and frame.thinking for frame in match.frames)
    assert None not in (match.id, match.started, match.ended)
    assert None not in [player.account for player in match.players]
    times = [thinking.time for frame in match.frames for thinking in frame.thinking if thinking is not None]
    assert max(time for time in times if time is not None) < 20_000


@each_record
def test_result(name: str) -> None:
    """The final points follow from the last frame, and the result adds up to nothing."""
    match = read(name)
    assert match.results is not None
    assert sum(match.results) == 0
    last = match.frames[-1].end.points
    assert (match.final_points, last) == ((30000,) * 3, None) if name == "3p-ended-by-vote" else (last, last)


@each_record
def test_score(name: str) -> None:
    """Every win, every payment, and the result of the ranked game agree with what is computed."""
    report = check_score(read(name))
    assert list(map(str, report.findings)) == []
    assert report.agreed[Subject.WIN] == report.agreed[Subject.WIN_PAYMENTS] == RECORDS[name][1]
    assert report.agreed[Subject.RESULT] == (name == "4p-ranked")


@each_record
def test_written(name: str) -> None:
    """Each format that can hold the number of players takes the game, and the output is verified."""
    match = read(name)
    formats = [
        format_.name for format_ in writable() if format_.holding is not None and match.rules.players in format_.players
    ]
    assert {"json", "tenhou6", "mjai"} <= {*formats}
    for to in formats:
        assert written([match], Writing(to), lambda _: None).content


def test_not_a_record() -> None:
    """A list of events without the head of a record is refused."""
    with pytest.raises(RiichiCityError, match="events without the head of a record"):
        read_riichi_city(SAMPLES / "not-a-record.json")
