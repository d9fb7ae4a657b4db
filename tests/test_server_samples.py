"""Real records of Mahjong Soul and Riichi City, which are not in the repository: each is read, with results, scores and
every output, or refused as it must be."""

from __future__ import annotations

from pathlib import Path

import pytest

from jmjp_convert.checks.match import check_match
from jmjp_convert.checks.score import Subject, check_score
from jmjp_convert.convert import Writing, written
from jmjp_convert.errors import RecordError
from jmjp_convert.formats import writable
from jmjp_convert.formats.reading import read
from jmjp_convert.model import House, Match, Win
from jmjp_convert.play.points import final_points

SHARED = Path(__file__).parents[2] / "shared"
SOUL, CITY = SHARED / "mahjong-soul", SHARED / "riichi-city"
REFUSED = {
    SOUL / "200610-test-table.json": "the game is of a test table with a made-up wall",
    SOUL / "230921-0a39a19b.frame-data-url.bin": "the file has only the address of the record (URL), not the record",
    CITY / "not-a-record.json": "events without the head of a record",
}
SAME = "230921-0a39a19b."
RECORDS = {"4p-ranked": (12, 10), "3p-2022": (3, 3), "3p-yakitori": (4, 4), "3p-ended-by-vote": (1, 0)}
"""The records of Riichi City by name, with the numbers of frames and of wins."""

SAMPLES = [path for folder in (SOUL, CITY) for path in sorted(folder.glob("*")) if path not in REFUSED]

pytestmark = pytest.mark.skipif(not SAMPLES, reason="there are no real records in ../shared")
each_record = pytest.mark.parametrize("name", RECORDS)


def record(name: str) -> Match:
    """Return the match of a record of Riichi City."""
    (match,) = read(CITY / f"{name}.json")
    return match


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.replace(SAME, "same.")[:16])
def test_read(path: Path) -> None:
    """A sample is read, with its walls, wins and payments as the play says, and the result that its head has; each
    format that can hold it takes it."""
    (match,) = read(path)
    assert match.rules.house is (House.MAHJONG_SOUL if path.parent == SOUL else House.RIICHI_CITY)
    assert match.frames
    assert list(check_match(match)) == []
    assert all(frame.wall is not None for frame in match.frames)
    if match.results is not None and match.frames[-1].end.points is not None:
        assert final_points(match.frames[-1]) == match.final_points
    for format_ in writable():
        if format_.holding is not None and match.rules.players in format_.players:
            assert written([match], Writing(format_.name), lambda _: None).content


@pytest.mark.parametrize(("path", "reason"), REFUSED.items(), ids=lambda value: getattr(value, "stem", ""))
def test_refused(path: Path, reason: str) -> None:
    """A made-up test table, a record that is only an address, and events without a head are refused."""
    with pytest.raises(RecordError) as refused:
        read(path)
    assert reason in refused.value.reason


def test_wrappings() -> None:
    """A game of Mahjong Soul is the same in six binary wrappings and as JSON, except that details have no head."""
    matches: dict[str, Match] = {path.name: read(path)[0] for path in SAMPLES if path.name.startswith(SAME)}
    assert len(matches) == 6
    whole = matches[f"{SAME}txt"]
    assert {name for name, match in matches.items() if match != whole} == {f"{SAME}details-wrapped.bin"}
    assert {match.frames for match in matches.values()} == {whole.frames}


@each_record
def test_record(name: str) -> None:
    """A record of Riichi City has its frames and wins, with the times of acts and the accounts of players."""
    match = record(name)
    wins = [ending for frame in match.frames for ending in frame.endings if isinstance(ending, Win)]
    assert (len(match.frames), len(wins)) == RECORDS[name]
    assert all(frame.thinking for frame in match.frames)
    assert None not in (match.id, match.started, match.ended)
    assert None not in [player.account for player in match.players]
    times = [thinking.time for frame in match.frames for thinking in frame.thinking if thinking is not None]
    assert max(time for time in times if time is not None) < 20_000


@each_record
def test_result(name: str) -> None:
    """Its final points follow from the last frame, its result adds up to nothing, and every win and payment agrees with
    what is computed, as does the result of the ranked game."""
    match = record(name)
    assert match.results is not None
    assert sum(match.results) == 0
    last = match.frames[-1].end.points
    assert (match.final_points, last) == ((30000,) * 3, None) if name == "3p-ended-by-vote" else (last, last)
    report = check_score(match)
    assert list(map(str, report.findings)) == []
    assert report.agreed[Subject.WIN] == report.agreed[Subject.WIN_PAYMENTS] == RECORDS[name][1]
    assert report.agreed[Subject.RESULT] == (name == "4p-ranked")
