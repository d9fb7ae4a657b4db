"""The days on which missing logs are asked for again."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from jmjp_convert.fetch import missing as module
from jmjp_convert.fetch.missing import Missing

FIRST = date(2021, 2, 27)


@pytest.mark.parametrize(
    ("age", "pause"), [(0, 1), (1, 7), (7, 7), (8, 30), (38, 30), (4000, 30)], ids=lambda value: f"{value} days"
)
def test_pauses(age: int, pause: int) -> None:
    """The pause after a request is a day, a week or thirty days: the longer, the longer the log has been missing."""
    asked = FIRST + timedelta(age)
    assert Missing(FIRST, asked, "").next_try == asked + timedelta(pause)


@pytest.mark.parametrize(("days", "is_due"), [(-1, True), (0, False), (6, False), (7, True), (99, True)])
def test_due(monkeypatch: pytest.MonkeyPatch, days: int, *, is_due: bool) -> None:
    """A log is due from the day of its next try, and if the clock was set back."""
    asked = FIRST + timedelta(1)
    monkeypatch.setattr(module, "today", lambda: asked + timedelta(days))
    assert Missing(FIRST, asked, "").is_due is is_due
