"""Reading records of 電脳麻将: the real example, findings, bounds, frames that break off, and dora of kans."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from expected import expecting

from jmjp_convert.api import dumps
from jmjp_convert.checks.match import check_match
from jmjp_convert.errors import MajiangError
from jmjp_convert.formats import bounds
from jmjp_convert.formats.majiang.reader import read_majiang
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import (
    DISCARDS,
    DRAWS,
    DrawKind,
    Event,
    Frame,
    Limit,
    Match,
    Player,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.play.table import replay

FOLDER = Path(__file__).parent.parent / "fixtures" / "majiang" / "valid"
MJLOGS = FOLDER.parents[1] / "valid"
EXAMPLE = Path(__file__).parents[2] / "shared" / "majiang" / "input.example.json"


def content(name: str) -> dict[str, Any]:
    """Return the record in a fixture."""
    document: dict[str, Any] = json.loads((FOLDER / f"{name}.majiang.json").read_text(encoding="utf-8"))
    return document


def read(record: object, **options: Any) -> Match:
    """Return the match of *record*."""
    (match,) = read_majiang(json.dumps(record).encode(), **options)
    return match


@pytest.mark.skipif(not EXAMPLE.is_file(), reason="there is no real record in ../shared/majiang")
def test_real_record() -> None:
    """A record of 電脳麻将's own reads: the player in its seat 3 is the first dealer, and so player 0."""
    (match,) = read_majiang(EXAMPLE, notice=pytest.fail)
    assert [player.name for player in match.players] == ["上家", "私", "下家", "対面"]
    assert (match.date, match.weekday, match.time) == ("20240708", "mon", "0621")
    assert match.tournament is not None
    assert match.tournament.name is not None
    assert match.tournament.name.native == "電脳麻将"
    assert [frame.start.name for frame in match.frames] == [
        *("E1-0", "E2-0", "E3-0", "E4-0", "E4-1", "S1-0", "S1-1", "S2-0", "S3-0", "S4-1")
    ]
    assert match.final_points == (40700, 24300, 32000, 3000)
    assert match.results == (50700, -15700, 12000, -47000)
    (first,) = match.frames[0].endings
    assert isinstance(first, Win)
    assert (first.player, first.source, first.points, first.limit) == (2, None, 8000, Limit.MANGAN)
    assert [yaku.japanese for yaku in first.yaku] == ["立直", "門前清自摸和", "三色同順", "裏ドラ"]
    (drawn,) = match.frames[8].endings
    assert isinstance(drawn, Ryuukyoku)
    assert drawn.kind is DrawKind.EXHAUSTIVE
    assert list(check_match(match)) == []


def test_abortive_draw_without_payments() -> None:
    """Nobody pays at an abortive draw, also if the record does not say so."""
    match = read_mjlog(FOLDER.parents[1] / "valid" / "four-winds.xml")
    record = json.loads(dumps(match, "majiang"))
    for frame in record["log"]:
        frame[-1].get("pingju", {}).pop("fenpei", None)
    draws = [event for frame in read(record).frames for event in frame.endings if isinstance(event, Ryuukyoku)]
    assert [(draw.kind, draw.changes) for draw in draws if draw.kind is DrawKind.FOUR_WINDS] == [
        (DrawKind.FOUR_WINDS, (0, 0, 0, 0))
    ]


def test_dora_of_two_kans() -> None:
    """The dora of a kakan that another kan follows is turned right after that kan, as 電脳麻将 writes it."""
    text = dumps(read_mjlog(FOLDER.parents[1] / "valid" / "kakan-after-kakan.xml"), "majiang")
    (frame, *_) = json.loads(text)["log"]
    kinds = [kind for step in frame for kind in step]
    index = kinds.index("gang")
    assert kinds[index : index + 6] == ["gang", "gangzimo", "gang", "kaigang", "gangzimo", "dapai"]
    (match,) = read_majiang(text.encode())
    assert dumps(match, "majiang") == text


def test_notices_once() -> None:
    """What is ignored again and again is reported once."""
    record = content("calls")
    for step in record["log"][0]:
        next(iter(step.values()))["time"] = 5
    notices: list[str] = []
    read(record, notice=notices.append)
    assert len(notices) == len(set(notices))
    assert 'unknown key "time" of dapai ignored' in notices


def test_many_notices() -> None:
    """Only the first hundred notices are given."""
    record = content("calls")
    record["log"][0][-1]["pingju"] |= {f"x{number}": 0 for number in range(200)}
    notices: list[str] = []
    read(record, notice=notices.append)
    assert len(notices) == 101
    assert notices[-1] == "further notices left out"


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """More records or frames than any file needs are rejected."""
    record = content("draws")
    for bound, number, message in (
        ("MATCHES", 1, "more than 1 matches"),
        ("MATCH_FRAMES", 7, "more than 7 frames in a match"),
        ("FRAMES", 15, "more than 15 frames"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(bounds, bound, number)
            with pytest.raises(MajiangError, match=message):
                read_majiang(json.dumps([record, record]).encode())


@pytest.mark.parametrize("after", [[], [DISCARDS[True][0][3]]])
def test_broken_off_at_a_riichi(after: list[Event]) -> None:
    """A frame that breaks off at a riichi reads back without it, and without its acceptance after the riichi tile."""
    hands = tuple(tuple(range(12 + player, 136, 4))[:13] for player in range(4))
    events: tuple[Event, ...] = (DRAWS[0][3], RiichiDeclared(0), *after)
    start = Start(0, 0, 0, 0, None, (25000,) * 4, hands, 135)
    match = Match(Rules(), (Player(),) * 4, (Frame(start, events, replay(start, events, Rules()).end(), None),))
    assert read_majiang(dumps(match, "majiang", verify=False).encode()) == [expecting("majiang")(match)]


@pytest.mark.parametrize("name", ["ankan", "kakan-after-kakan", "ankan-after-kakan", "four-kans"])
def test_broken_off_among_kans(name: str) -> None:
    """A frame that breaks off at any place reads back with each dora where it is written."""
    match = read_mjlog(MJLOGS / f"{name}.xml")
    frame = match.frames[0]
    for events in (frame.events[:length] for length in range(1, len(frame.events))):
        end = replay(frame.start, events, match.rules).end()
        assert dumps(Match(match.rules, match.players, (Frame(frame.start, events, end, None),)), "majiang")


@pytest.mark.parametrize("name", ["kakan-after-kakan", "kan-after-kan"])
def test_dora_of_an_earlier_kan(name: str) -> None:
    """The dora of an earlier kan is written where 電脳麻将 writes it: right after the next kan, before its tile."""
    content = (FOLDER / f"{name}.majiang.json").read_bytes()
    (written,) = [json.loads(dumps(match, "majiang")) for match in read_majiang(content)]
    assert _kans(written) == _kans(json.loads(content))


def _kans(record: dict[str, Any]) -> list[str]:
    """Return the names of the steps around kans."""
    return [kind for step in record["log"][0] for kind in step if "gang" in kind]
