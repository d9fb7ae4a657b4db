"""The score is recomputed: the cases in ``fixtures/score``, the other fixtures, and real logs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from score_stories import cases, verdict
from test_real_logs import MANIFEST, SOUND

from jmjp_convert.checks.score import Subject, check_score
from jmjp_convert.errors import MissingExtraError
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import Win

CASES = cases()


@pytest.mark.parametrize("name", CASES)
def test_verdict(name: str) -> None:
    """What is recorded is right, wrong in the way that its case says, or not judged for the reason there."""
    checks = CASES[name]
    assert [verdict(check.match, check.house) for check in checks] == [check.verdict for check in checks]


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package mahjong, the error says how to install it."""
    for name in [name for name in sys.modules if name.split(".")[0] == "mahjong"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mahjong", None)
    with pytest.raises(MissingExtraError, match=r"^scoring needs the extra 'score'; "):
        check_score(CASES["payments: nobody is responsible for an ordinary win"][0].match)


def test_reports_add_up() -> None:
    """The counts of several matches can be added."""
    reports = [check_score(check.match) for check in CASES["records: a part of a win is recorded"][:2]]
    assert sum((report.wrong + report.agreed for report in reports), reports[0].wrong)[Subject.WIN] == 2


def test_fixtures(valid_inputs: list[Path]) -> None:
    """The fixture games, which record their scores, agree."""
    assert [path.name for path in valid_inputs if check_score(read_mjlog(path)).findings] == []


def test_by_faces(expectations: list[Path]) -> None:
    """A match read from jmjp has no hand values, so there are no findings."""
    assert [path.name for path in expectations for match in read_jmjp(path) if check_score(match).findings] == []


@pytest.mark.skipif(not MANIFEST.is_file(), reason="there are no real logs in ../shared/mjlog")
@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.name)
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
