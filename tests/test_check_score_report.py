"""What cannot be checked is counted by reason; fixtures and real logs agree."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
from score_stories import (
    LAST_POINTS,
    LOGS,
    PLAIN,
    WHOLE,
    Recorded,
    changed,
    drawn,
    findings,
    finished,
    match,
    with_recorded,
)

from jmjp_convert.checks.score import ScoreReport, Subject, What, check_score
from jmjp_convert.errors import MissingExtraError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.messages import Points
from jmjp_convert.model import DrawKind, End, Event, Frame, House, Limit, Match, Rules, Ryuukyoku, Win, Yaku
from jmjp_convert.model.record import replace
from jmjp_convert.model.tenhou import rules as rules_of
from jmjp_convert.model.tiles import UNKNOWN

# --- what is not checked ----------------------------------------------------------------------------------------------


WRONG = with_recorded(PLAIN, Recorded("30 fu 3900: Pinfu 1, Tanyao 1", (-3900, 3900, 0, 0)))


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (Rules(), "whose rules were played is not recorded"),
        (Rules(house=House.TENHOU), "the rules are not recorded"),
        (rules_of(9, None), "the lobby is not recorded, and private ones may use custom rules"),
        (rules_of(9, 1234), "a private lobby may use custom rules"),
        (rules_of(9 | 0x200, 0), "the table uses custom rules"),
        (rules_of(9, 0, (("csrule", "0FE0BF0B"),)), "the table uses custom rules"),
        (Rules(house=House.MAHJONG_SOUL), "the room is not recorded, and private rooms may use custom rules"),
        (Rules(custom=(("title", "友人戦"),), house=House.MAHJONG_SOUL), "a private room may use custom rules"),
    ],
)
def test_own_rules(rules: Rules, reason: str) -> None:
    """If other rules may apply, nothing counts as right or wrong."""
    last = drawn((0, 0, 0, 0), acts="fill=70")
    recorded = replace(match(PLAIN, WRONG, last, rules=rules), results=(0, 0, 0, 0), final_points=(0, 0, 0, 0))
    counts = {Subject.WIN: 2, Subject.WIN_PAYMENTS: 2, Subject.DRAW: 1, Subject.RESULT: 1}
    expected = Counter({(subject, reason): count for subject, count in counts.items()})
    assert check_score(recorded) == ScoreReport(not_judged=expected)


UNKNOWN_HANDS = tuple(replace(hand, tiles=(UNKNOWN,) * len(hand.tiles)) for hand in PLAIN.end.hands)


@pytest.mark.parametrize(
    ("frame", "wins", "paid"),
    [
        (changed(score=None), "no value is recorded", None),
        (changed(changes=None), None, "no payments are recorded"),
        (
            replace(PLAIN, start=replace(PLAIN.start, sticks=None)),
            None,
            "the number of riichi sticks on the table is unknown",
        ),
        (
            replace(PLAIN, start=replace(PLAIN.start, indicator=None)),
            "the dora indicator is not recorded",
            "the dora indicator is not recorded",
        ),
        (replace(PLAIN, end=End((), None)), "the play is not recorded", "the play is not recorded"),
        (
            replace(PLAIN, end=End(tuple(replace(hand, drawn=None) for hand in PLAIN.end.hands), None)),
            "the winning tile is not recorded",
            "the winning tile is not recorded",
        ),
        (
            replace(PLAIN, end=End(UNKNOWN_HANDS, None)),
            "some tiles of a hand are unknown",
            "some tiles of a hand are unknown",
        ),
    ],
)
def test_not_recorded(frame: Frame, wins: str | None, paid: str | None) -> None:
    """What is not recorded is not checked."""
    report = check_score(match(frame))
    reasons = {subject: reason for (subject, reason) in report.not_judged if subject is not Subject.RESULT}
    expected = {Subject.WIN: wins, Subject.WIN_PAYMENTS: paid}
    assert reasons == {subject: reason for subject, reason in expected.items() if reason}
    assert report.findings == []


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        (Ryuukyoku(None, changes=(0, 0, 0, 0)), "the kind of the draw is not recorded"),
        (Ryuukyoku(DrawKind.EXHAUSTIVE), "no payments are recorded"),
    ],
)
def test_draw_not_recorded(draw: Ryuukyoku, reason: str) -> None:
    """A draw with missing records is not checked."""
    report = check_score(match(replace(PLAIN, events=(*PLAIN.events[:-1], draw))))
    assert report.not_judged[Subject.DRAW, reason] == 1


@pytest.mark.parametrize(
    ("recorded", "reason"),
    [
        (replace(finished(LAST_POINTS, WHOLE), results=None, final_points=None), "no final result is recorded"),
        (finished((10, 10, 10, 10), (0, 0, 0, 0)), "the points on the table are not those of a ranked match"),
        (
            replace(finished(LAST_POINTS, WHOLE), frames=(replace(PLAIN, end=End((), None)),)),
            "the points at the end of the last frame are unknown",
        ),
    ],
)
def test_result_not_judged(recorded: Match, reason: str) -> None:
    """A result that is missing, or with points other than Tenhou's, is not checked."""
    assert check_score(recorded).not_judged[Subject.RESULT, reason] == 1


# --- the package, files -----------------------------------------------------------------------------------------------


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package mahjong, the error says how to install it."""
    for name in [name for name in sys.modules if name.split(".")[0] == "mahjong"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mahjong", None)
    with pytest.raises(MissingExtraError, match=r"^scoring needs the extra 'score'; "):
        check_score(match(PLAIN))


def test_reports_add_up() -> None:
    """The counts of several matches can be added."""
    first, second = check_score(match(PLAIN)), check_score(match(PLAIN, WRONG))
    assert (first.agreed + second.agreed)[Subject.WIN] == 2
    assert second.wrong == {Subject.WIN: 1, Subject.WIN_PAYMENTS: 1}
    assert [(finding.frame, finding.what, finding.recorded, finding.computed) for finding in second.findings] == [
        ("E1-0", What.POINTS, "3900", "2000 (30 fu 2 han)"),
        ("E1-0", What.PAYMENTS, Points((-3900, 3900, 0, 0)), Points((-2000, 2000, 0, 0))),
    ]


def test_fixtures(valid_inputs: list[Path]) -> None:
    """The fixture games, which record their scores, agree."""
    assert [path.name for path in valid_inputs if findings(read_mjlog(path))] == []


def test_by_faces(expectations: list[Path]) -> None:
    """A match read from jmjp has no hand values, so there are no findings."""
    assert [path.name for path in expectations for recorded in read_jmjp(path) if findings(recorded)] == []


def manifest() -> list[Path]:
    """Return the real logs that can be read."""
    broken = {"2010022802gm-00a9-0000-7e62f873.xml", "56fc3af7f286.xml"}
    return sorted(path for path in LOGS.glob("*.xml") if path.name not in broken)


@pytest.mark.skipif(not LOGS.is_dir(), reason="there are no real logs in ../shared/mjlog")
@pytest.mark.parametrize("path", manifest(), ids=lambda path: path.name)
def test_real_log(path: Path) -> None:
    """In a ranked game every win, draw and result agrees; in others nothing is checked."""
    recorded = read_mjlog(path)
    report = check_score(recorded)
    assert report.findings == []
    ranked = recorded.rules.lobby == 0 and (recorded.rules.code or 0) < 0x100
    expected = {
        (Subject.RESULT, "no final result is recorded"),
        (Subject.DRAW, "whether three players could win is not checked"),
    }
    assert set(report.not_judged) <= expected or not ranked
    assert report.agreed[Subject.WIN] == ranked * sum(isinstance(e, Win) for f in recorded.frames for e in f.events)


@pytest.mark.skipif(not LOGS.is_dir(), reason="there are no real logs in ../shared/mjlog")
@pytest.mark.parametrize("path", manifest()[::20], ids=lambda path: path.name)
def test_mutated_log(path: Path) -> None:
    """In a real ranked log, a change of any one number of a win or draw is reported, and nothing else."""
    recorded = read_mjlog(path)
    if check_score(recorded).agreed[Subject.RESULT] == 0:
        pytest.skip("it is not judged")
    for index, frame in enumerate(recorded.frames):
        for step, event in enumerate(frame.events):
            for what, mutant in mutants(event):
                events = (*frame.events[:step], mutant, *frame.events[step + 1 :])
                frames = (*recorded.frames[:index], replace(frame, events=events), *recorded.frames[index + 1 :])
                findings = check_score(replace(recorded, frames=frames)).findings
                assert [(finding.frame, finding.what) for finding in findings] == [
                    (frame.start.name, kind) for kind in what
                ]


def mutants(event: Event) -> list[tuple[list[What], Event]]:
    """Return *event*, a win or draw, with one number changed at a time, and the expected findings."""
    if isinstance(event, Ryuukyoku) and event.changes is not None:
        paid = (event.changes[0] + 1000, event.changes[1] - 1000, *event.changes[2:])
        return [([What.DRAW_PAYMENTS], replace(event, changes=paid))]
    if not isinstance(event, Win) or event.score is None or event.changes is None:
        return []
    value = event.score
    paid = (event.changes[0] + 100, event.changes[1] - 100, *event.changes[2:])
    limit = Limit.HANEMAN if value.limit is not Limit.HANEMAN else Limit.NONE
    wrong: list[tuple[list[What], Event]] = [
        ([What.VALUE], replace(event, score=replace(value, fu=(value.fu or 0) + 10))),
        ([What.POINTS], replace(event, score=replace(value, points=value.points + 100))),
        ([What.LIMIT], replace(event, score=replace(value, limit=limit))),
        ([What.PAYMENTS], replace(event, changes=paid)),
        ([What.PAO], replace(event, pao=((max(event.player, event.source or 0) + 1) % len(paid),))),
    ]
    first = value.yaku[0]
    if first.han is not None:
        more = (Yaku(first.number, first.han + 1), *value.yaku[1:])
        wrong.append(([What.VALUE, What.YAKU], replace(event, score=replace(value, yaku=more))))
    return wrong
