"""The final result is recomputed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from score_stories import EAST, EAST_OF_2009, LAST_POINTS, TENTHS, THREE, WHOLE, findings, finished

from jmjp_convert.check.score import Subject, check_score
from jmjp_convert.model import Match


@pytest.mark.parametrize(
    ("told", "other"),
    [
        pytest.param(finished(LAST_POINTS, WHOLE, "20220113"), TENTHS, id="in whole thousands up to January 2022"),
        pytest.param(finished(LAST_POINTS, TENTHS, "20220601"), WHOLE, id="in tenths from June"),
        pytest.param(
            finished((72500, 34500, -3500, -3500), (83000, 15000, -44000, -54000), "20110101"),
            (81000, 15000, -43000, -53000),
            id="half away from zero; ties go to the lower player",
        ),
        pytest.param(
            finished(LAST_POINTS, EAST_OF_2009, "20090731", EAST), WHOLE, id="uma of East-only games to July 2009"
        ),
        pytest.param(finished(LAST_POINTS, WHOLE, "20090802", EAST), EAST_OF_2009, id="uma of East-only games after"),
        pytest.param(finished(LAST_POINTS, WHOLE, "20090731"), EAST_OF_2009, id="uma of other games at any time"),
        pytest.param(
            finished((30500, 25500, 24500, 17500), (41000, 6000, -15000, -32000), "20110101", sticks=2),
            (39000, 6000, -15000, -30000),
            id="leftover sticks",
        ),
        pytest.param(
            finished((35500, 35000, 34500), (30000, -5000, -25000), "20110101", THREE),
            (20000, 0, -20000),
            id="three players",
        ),
    ],
)
def test_result(told: Match, other: tuple[int, ...]) -> None:
    """The result follows from the points under the rule of its day."""
    assert check_score(told).agreed == {Subject.RESULT: 1}
    right, wrong = (",".join(map(str, values)) for values in (told.results or (), other))
    assert findings(replace(told, results=other)) == [
        f"the results are {wrong}; {right} expected from the final points"
    ]


def test_result_on_an_unknown_day() -> None:
    """If the day does not decide between two rules, a result under either is accepted."""
    for date in (None, "20220301"):
        for results in (WHOLE, TENTHS):
            assert findings(finished(LAST_POINTS, results, date)) == []
    assert findings(finished(LAST_POINTS, EAST_OF_2009, "20090801", EAST)) == []
    assert findings(finished(LAST_POINTS, (0, 0, 0, 0))) == [
        "the results are 0,0,0,0; 41000,6000,-15000,-32000 or 42500,5500,-15500,-32500 expected from the final points"
    ]


def test_final_points() -> None:
    """The final points are those of the last frame, including leftover sticks."""
    told = replace(finished(LAST_POINTS, WHOLE, "20110101"), final_points=(33500, 25500, 24500, 16500))
    assert findings(told) == [
        "the final points are 33500,25500,24500,16500; 32500,25500,24500,17500 expected from the last frame"
    ]
