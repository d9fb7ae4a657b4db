"""The problems of a match as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import table

from jmjp_convert.checks.match import check_match
from jmjp_convert.formats.mjlog.reader import read_mjlog
from jmjp_convert.model import (
    Ankan,
    Discard,
    Disconnected,
    DoraRevealed,
    Draw,
    DrawKind,
    End,
    Event,
    Frame,
    Kita,
    Match,
    Player,
    PointRule,
    Recorder,
    Rules,
    Ryuukyoku,
    Start,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tenhou import rules as rules_of
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


def test_nothing() -> None:
    """If nothing is known, there are no problems."""
    assert lines(EMPTY) == []
    assert lines(replace(EMPTY, weekday="fri", results=(100, 200, 300, 400))) == []


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


def test_result_without_rules() -> None:
    """Without rules, or without the last points, results only have to add up to zero."""
    match = replace(EMPTY, frames=(frame(),), results=(100, -100, 0, 0))
    assert lines(match) == []
    assert lines(replace(match, frames=(frame(points=None),), point_rule=RULE)) == []


def test_final_points() -> None:
    """Recorded final points must be those left by the last frame."""
    match = replace(EMPTY, frames=(frame(),), results=(0, 0, 0, 0), final_points=(8700, 33000, 34300, 23000))
    assert lines(match) == [
        "the final points are 8700,33000,34300,23000; 8700,33000,34300,24000 expected from the last frame"
    ]
    assert lines(replace(match, final_points=(8700, 33000, 34300, 24000))) == []


@pytest.mark.parametrize(
    "rules",
    [rules_of(9, 10011), rules_of(257, 0), rules_of(9, 0, (("csrule", "1"),))],
    ids=["private lobby", "other table", "rules of its own"],
)
def test_result_under_custom_rules(rules: Rules) -> None:
    """The result at a table with its own rules is not checked."""
    last = (8700, 33000, 34300, 23000)
    match = replace(EMPTY, frames=(frame(),), results=(100, 100, 100, 100), final_points=last, point_rule=RULE)
    assert lines(replace(match, rules=RANKED)) != []
    assert lines(replace(match, rules=Rules())) != []
    assert lines(replace(match, rules=rules)) == []


# --- the order of the frames, and who pays ---------------------------------------------------------------------------


def won(player: int, source: int | None, *changes: int, pao: tuple[int, ...] = ()) -> Frame:
    """Return frame S4-1, won by *player* off *source* or by tsumo."""
    return frame(Draw(3, 0), Win(player, source, 0, pao=pao, changes=changes))


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        (won(0, 1, 2000, -2000, 0, 0), False),
        (won(0, None, 6000, -2000, -2000, -2000), False),
        (won(0, 1, 16000, -8000, -8000, 0), True),
        (won(0, 1, 32000, -16000, -16000, 0), False),  # pao, which jmjp does not record
        (won(0, 1, 2000, -1000, -1000, 0, pao=(2,)), False),
        (won(0, None, 96000, 0, -48000, -48000, pao=(2, 3)), False),
        (won(0, None, 96000, 0, -48000, -48000, pao=(2,)), True),
        (won(0, 1, 2000, 0, -2000, 0), True),
        (won(0, 1, 2000, -3000, 1000, 0), True),
        (won(0, None, 4000, -2000, -2000, 0), True),
        (won(0, None, 4000, 0, 0, 0), True),
        (won(0, None, 32000, 0, -32000, 0), False),
    ],
)
def test_who_pays(made: Frame, *, wrong: bool) -> None:
    """The discarder pays for a ron and everybody for a tsumo, or for a yakuman the player liable for pao."""
    (event,) = made.endings
    assert isinstance(event, Win)
    assert event.changes is not None
    line = f"the payments {','.join(map(str, event.changes))} do not match player 0's win"
    expected = [f"frame S4-1: {line}"] if wrong else []
    assert lines(replace(EMPTY, frames=(made,))) == expected


def test_winner_gains() -> None:
    """A winner gains points."""
    problems = lines(replace(EMPTY, frames=(won(0, 1, -2000, 2000, 0, 0),)))
    assert problems[0] == "frame S4-1: player 0 wins but gains -2000 points"


def test_last_tile_is_discarded() -> None:
    """An exhaustive draw comes after the last discard."""
    made = frame(*[Draw(0, tile) for tile in range(70)], Disconnected(0), Ryuukyoku(DrawKind.EXHAUSTIVE))
    assert lines(replace(EMPTY, frames=(made,))) == ["frame S4-1: exhaustive draw before the last tile is discarded"]


KAN = Ankan(0, (0, 1, 2, 3))


@pytest.mark.parametrize(
    ("events", "is_problem"),
    [
        ([DoraRevealed(8)], True),
        ([KAN, DoraRevealed(8)], False),
        ([KAN, KAN, DoraRevealed(8), DoraRevealed(9)], False),
        ([KAN, DoraRevealed(8), DoraRevealed(9), KAN], True),
        ([Kita(0, 120), DoraRevealed(8)], True),
    ],
)
def test_dora_without_a_kan(events: list[Event], *, is_problem: bool) -> None:
    """A further dora is turned for a kan."""
    made = replace(frame(*events), dora=(1, 0, 2, 0, *[UNKNOWN] * 6))
    expected = ["frame S4-1: a dora is turned without a kan"] if is_problem else []
    assert lines(replace(EMPTY, frames=(made,))) == expected


def test_no_exhaustive_draw_without_a_draw() -> None:
    """An exhaustive draw right after a deal is reported; if no play is recorded, it is not."""
    made = frame(Ryuukyoku(DrawKind.EXHAUSTIVE))
    dealt = replace(made, start=replace(made.start, hands=((0,),) * 4))
    assert lines(replace(EMPTY, frames=(made,))) == []
    assert lines(replace(EMPTY, frames=(dealt,))) == ["frame S4-1: exhaustive draw after only 0 of 70 draws"]


def test_draw_of_unknown_kind_that_is_paid() -> None:
    """A draw with payments is one at the last tile, whatever its recorded kind."""
    made = frame(Draw(0, 0), Ryuukyoku(None, changes=(3000, -1000, -1000, -1000)))
    expected = ["frame S4-1: exhaustive draw after only 1 of 70 draws"]
    assert lines(replace(EMPTY, frames=(made,))) == expected


def named(round_: int, honba: int, *winners: int) -> Frame:
    """Return a frame that is drawn, or won by *winners*."""
    endings: list[Event] = [Win(player, (player + 1) % 4, 0) for player in winners]
    made = frame(Draw(0, 0), *(endings or [Ryuukyoku(DrawKind.NINE_TERMINALS)]))
    return replace(made, start=replace(made.start, round=round_, honba=honba, dealer=round_ % 4))


RANKED = rules_of(9, 0)


@pytest.mark.parametrize(
    ("first", "second", "follows"),
    [
        (named(0, 0), named(0, 1), True),
        (named(0, 0), named(1, 1), True),
        (named(0, 0), named(1, 0), False),
        (named(0, 0, 0), named(0, 1), True),
        (named(0, 0, 0), named(1, 0), False),
        (named(0, 2, 1), named(1, 0), True),
        (named(0, 2, 1), named(0, 3), False),
        (named(0, 2, 1), named(2, 0), False),
        (named(3, 0, 0), named(4, 0), True),
    ],
)
def test_order(first: Frame, second: Frame, *, follows: bool) -> None:
    """In a ranked game, the deal stays after a dealer win and passes after other wins; a draw adds a honba."""
    names = first.start.name, second.start.name
    expected = [] if follows else [f"frame {names[1]}: this frame cannot follow {names[0]}'s outcome"]
    assert lines(replace(EMPTY, rules=RANKED, frames=(first, second))) == expected
    assert lines(replace(EMPTY, rules=RANKED, frames=(first, second)), gaps=True) == []
    assert lines(replace(EMPTY, frames=(first, second))) == []


def test_frames_backwards() -> None:
    """Frames must be in the order played, under any rules."""
    match = replace(EMPTY, frames=(named(1, 0), named(0, 3)))
    assert lines(match) == ["frame E1-3: this frame comes after E2-0"]


def test_points_at_the_start() -> None:
    """All players start with the points set by the rules."""
    made = named(0, 0)
    made = replace(made, start=replace(made.start, points=(25000, 25000, 25000, 24000)))
    match = replace(EMPTY, frames=(made,), point_rule=PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300))
    reason = "the starting points are 25000,25000,25000,24000; 25000 each expected from the rules"
    assert lines(match) == [f"frame E1-0: {reason}"]


def test_part_of_a_match() -> None:
    """The result of a partially recorded match is not checked."""
    match = replace(EMPTY, frames=(named(0, 0),), results=(100, 200, 300, 400), recorders=(Recorder(None, ((0, 0),)),))
    assert lines(match) == []
    assert lines(replace(match, recorders=())) == ["the results add up to 1000; 0 expected"]


def test_unfinished_frame() -> None:
    """A frame with play but no end is a problem if that is asked for; one of which no play is recorded is none."""
    unrecorded = frame()
    cut = replace(frame(Draw(0, 0), Discard(0, 0)), start=replace(unrecorded.start, hands=tuple([(UNKNOWN,) * 13] * 4)))
    match = replace(EMPTY, frames=(cut, unrecorded))
    (error,) = check_match(replace(match, frames=(cut,)), strict=True)
    assert (error.reason, error.frame, error.index) == ("unfinished frame", 0, 1)
    assert not list(check_match(replace(match, frames=(cut,))))
    assert not list(check_match(replace(match, frames=(unrecorded,)), strict=True))
