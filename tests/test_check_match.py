"""The problems of a match as a whole; most are cases in ``fixtures/played``."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import table

from jmjp_convert.checks.match import check_match
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import (
    Discard,
    Disconnected,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Match,
    Player,
    PointRule,
    Rules,
    Ryuukyoku,
    Start,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN

RULE = PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300)
EMPTY = Match(Rules(), (Player(),) * 4, ())


def frame(
    *events: Event, points: tuple[int, ...] | None = (8700, 33000, 34300, 24000), fourteenth: int | None = None
) -> Frame:
    """Return a frame with *events*."""
    start = Start(7, 1, 0, 3, None, None, (), fourteenth=fourteenth)
    return Frame(start, events, End((), points), None)


def drawn(count: int, kind: DrawKind | None, *, fourteenth: int | None = None) -> Frame:
    """Return a frame that ends in a draw after *count* draws and a discard."""
    return frame(*[Draw(0, tile) for tile in range(count)], Discard(0, 0), Ryuukyoku(kind), fourteenth=fourteenth)


def lines(match: Match, *, gaps: bool = False) -> list[str]:
    """Return the problems of *match*, each as one line."""
    return [str(error) for error in check_match(match, gaps=gaps)]


def test_valid(valid_inputs: list[Path]) -> None:
    """A valid log has no problems."""
    assert [path.name for path in valid_inputs if lines(read_mjlog(path))] == []


@pytest.mark.parametrize(("date", "weekday", "expected"), table("check_match", "weekday"))
def test_weekday(date: str, weekday: str | None, expected: list[str]) -> None:
    """A date must exist, and the weekday must match it."""
    assert lines(replace(EMPTY, date=date, weekday=weekday)) == expected


@pytest.mark.parametrize("kind", [*DrawKind, None])
@pytest.mark.parametrize(("players", "wanted"), [(4, 70), (3, 55)])
def test_draws(players: int, wanted: int, kind: DrawKind | None) -> None:
    """An exhaustive draw requires all tiles to be drawn; other draws may come at any time."""
    earlier = drawn(wanted, kind)
    earlier = replace(earlier, start=replace(earlier.start, honba=0))
    match = replace(EMPTY, rules=Rules(players=players), frames=(earlier, drawn(wanted - 1, kind)))
    expected = []
    if kind in (DrawKind.EXHAUSTIVE, DrawKind.NAGASHI):
        assert kind is not None
        expected = [f"frame S4-1: exhaustive draw after only {wanted - 1} of {wanted} draws"]
    assert lines(match) == expected


def test_fourteenth_tile_is_drawn() -> None:
    """A fourteenth tile dealt to the dealer counts as the first draw."""
    match = replace(EMPTY, frames=(drawn(69, DrawKind.EXHAUSTIVE, fourteenth=70),))
    assert lines(match) == []


@pytest.mark.parametrize(("results", "expected"), table("check_match", "result"))
def test_result(results: tuple[int, ...], expected: list[str]) -> None:
    """The results add up to zero and follow from the points and rules, in hundreds or whole thousands."""
    match = replace(EMPTY, frames=(frame(),), point_rule=RULE, results=results)
    assert lines(match) == expected


def test_last_tile_is_discarded() -> None:
    """An exhaustive draw comes after the last discard."""
    made = frame(*[Draw(0, tile) for tile in range(70)], Disconnected(0), Ryuukyoku(DrawKind.EXHAUSTIVE))
    assert lines(replace(EMPTY, frames=(made,))) == ["frame S4-1: exhaustive draw before the last tile is discarded"]


def test_no_exhaustive_draw_without_a_draw() -> None:
    """An exhaustive draw right after a deal is reported; if no play is recorded, it is not."""
    made = frame(Ryuukyoku(DrawKind.EXHAUSTIVE))
    dealt = replace(made, start=replace(made.start, hands=((0,),) * 4))
    assert lines(replace(EMPTY, frames=(made,))) == []
    assert lines(replace(EMPTY, frames=(dealt,))) == ["frame S4-1: exhaustive draw after only 0 of 70 draws"]


def test_unfinished_frame() -> None:
    """A frame with play but no end is a problem if that is asked for; one of which no play is recorded is none."""
    unrecorded = frame()
    cut = replace(frame(Draw(0, 0), Discard(0, 0)), start=replace(unrecorded.start, hands=tuple([(UNKNOWN,) * 13] * 4)))
    match = replace(EMPTY, frames=(cut, unrecorded))
    (error,) = check_match(replace(match, frames=(cut,)), strict=True)
    assert (error.reason, error.frame, error.index) == ("unfinished frame", 0, 1)
    assert not list(check_match(replace(match, frames=(cut,))))
    assert not list(check_match(replace(match, frames=(unrecorded,)), strict=True))
