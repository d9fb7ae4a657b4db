"""The final result, and the point rule inferred from it."""

from __future__ import annotations

import pytest
from tables import table

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.mjlog.elements import Result, point_rule, result
from jmjp_convert.model import Draw, End, Event, Frame, Limit, PointRule, Ryuukyoku, Score, Start, Win, Yaku
from jmjp_convert.model.tiles import UNKNOWN

USUAL = PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300, 3000)


def frame(*events: Event, honba: int = 0, points: tuple[int, ...] = (25000, 25000, 25000, 25000)) -> Frame:
    """Return a frame of *events*."""
    start = Start(0, honba, 0, 0, None, points, ((),) * len(points))
    return Frame(start, (Draw(0, 0), *events), End((), None), (UNKNOWN,) * 10)


def win(gain: int, worth: int = 1000, sticks: int | None = 0, *, player: int = 1) -> Win:
    """Return a win worth *worth* that gains its player *gain*."""
    changes = tuple(gain if other == player else 0 for other in range(4))
    score = Score(30, worth, Limit.NONE, (Yaku(8, 1),))
    return Win(player, 0, 5, score, sticks=sticks, changes=changes)


def rule(owari: str, *frames: Frame) -> PointRule | None:
    """Return the point rule inferred from *owari*."""
    return point_rule(frames or [frame()], result(owari, 4))


@pytest.mark.parametrize(
    ("text", "players", "expected"),
    [
        (
            "250,5.0,260,36.0,240,-26.0,250,-15.0",
            4,
            Result((25000, 26000, 24000, 25000), (5000, 36000, -26000, -15000), None),
        ),
        ("250,5,260,36,240,-26,250,-15", 4, Result((25000, 26000, 24000, 25000), (5000, 36000, -26000, -15000), None)),
        (
            "-5,-50.5,1000,90.1,10,-49,-5,9.4",
            4,
            Result((-500, 100000, 1000, -500), (-50500, 90100, -49000, 9400), None),
        ),
        (
            "280,-22.0,300,10.0,320,22.0,300,-10.0,-1,0,0,0,2,0,-1,0",
            4,
            Result(
                (28000, 30000, 32000, 30000), (-22000, 10000, 22000, -10000), ((-1, "0"), (0, "0"), (2, "0"), (-1, "0"))
            ),
        ),
        (
            "280,-22.0,300,10.0,320,22.0,0,0.0,-1,0,0,0,2,0,0,0",
            3,
            Result((28000, 30000, 32000), (-22000, 10000, 22000), ((-1, "0"), (0, "0"), (2, "0"))),
        ),
        ("270,-33.0,470,42.0,310,-9.0,0,0.0", 3, Result((27000, 47000, 31000), (-33000, 42000, -9000), None)),
        ("270,-33,470,42,310,-9,0,0", 3, Result((27000, 47000, 31000), (-33000, 42000, -9000), None)),
        ("270,-33.0,470,42.0,310,-9.0", 3, Result((27000, 47000, 31000), (-33000, 42000, -9000), None)),
    ],
)
def test_result(text: str, players: int, expected: Result) -> None:
    """A result has points and results by player, with chips in games that have them, with or without a decimal."""
    assert result(text, players) == expected


@pytest.mark.parametrize(("text", "players", "message"), table("mjlog_owari", "invalid_result"))
def test_invalid_result(text: str, players: int, message: str) -> None:
    """An invalid result is rejected."""
    with pytest.raises(ConvertError) as refused:
        result(text, players)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("owari", "expected"),
    [
        ("250,5.0,260,36.0,240,-26.0,250,-15.0", USUAL),
        ("250,5,260,36,240,-26,250,-15", USUAL),
        # Tenths since 2022, and the smaller uma of 2009.
        ("262,6.2,301,40.1,199,-30.1,238,-16.2", USUAL),
        ("250,0,260,26,240,-16,250,-10", PointRule(25000, 30000, (10000, 5000, -5000, -10000), 300, 3000)),
        # Ties: the lower player number comes first.
        ("250,35,250,5,250,-15,250,-25", PointRule(25000, 30000, (20000, 10000, -10000, -20000), 300, 3000)),
        # No uma, and a target equal to the starting points.
        ("250,0,260,1,240,-1,250,0", PointRule(25000, 25000, (0, 0, 0, 0), 300, 3000)),
        # Third place pays nobody.
        ("300,5.0,400,15.0,200,-15.0,100,-5.0", None),
        # Uma with half points.
        ("262,1.7,301,30.6,199,-20.6,238,-11.7", PointRule(25000, 30000, (10500, 5500, -5500, -10500), 300, 3000)),
    ],
    ids=["usual", "integers", "tenths", "2009", "ties", "none", "out of order", "halves"],
)
def test_point_rule(owari: str, expected: PointRule | None) -> None:
    """The rule follows from the differences between results and points, in finishing order."""
    assert rule(owari) == expected


@pytest.mark.parametrize(("points", "results"), table("mjlog_owari", "rounding"))
def test_rounding(points: tuple[int, ...], results: tuple[int, ...]) -> None:
    """If all results are whole, points were rounded to thousands, half away from zero."""
    order = sorted(range(4), key=lambda player: -points[player])
    scores = [0] * 4
    for player, score in zip(order, results, strict=True):
        scores[player] = score
    owari = ",".join(f"{point // 100},{score}" for point, score in zip(points, scores, strict=True))
    assert rule(owari) == USUAL


@pytest.mark.parametrize("owari", table("mjlog_owari", "no_point_rule"))
def test_no_point_rule(owari: str) -> None:
    """A result that no point rule explains gives none."""
    assert rule(owari) is None


def test_unequal_start() -> None:
    """There is no rule if the players start with different points."""
    owari = "250,5.0,260,36.0,240,-26.0,250,-15.0"
    assert rule(owari, frame(points=(25000, 25000, 25000, 26000))) is None
    assert rule(owari, frame(), frame(points=(25000, 25000, 25000, 26000))) == USUAL


def test_three_players() -> None:
    """There is no rule for three players."""
    final = result("270,-33.0,470,42.0,310,-9.0,0,0.0", 3)
    assert point_rule([frame(points=(35000, 35000, 35000))], final) is None


def test_other_start() -> None:
    """The starting points are those of the first frame."""
    assert rule("10,5,20,36,0,-26,10,-15", frame(points=(1000,) * 4)) == PointRule(
        1000, 6000, (20000, 10000, -10000, -20000), 300, 3000
    )
    assert rule("250,5,260,36,240,-26,250,-15", frame(points=(10000,) * 4)) == PointRule(
        10000, 30000, (20000, 10000, -10000, -20000), 300, 3000
    )


@pytest.mark.parametrize(
    ("frames", "honba"),
    [
        ([frame(win(1000))], 300),
        ([frame(win(1300), honba=1)], 300),
        ([frame(win(2500), honba=1)], 1500),
        ([frame(win(4000), honba=2)], 1500),
        ([frame(win(4500, sticks=2), honba=1)], 1500),
        ([frame(win(1000), honba=1)], 0),
        # Only wins in frames with honba count: the first such win, and the first of several winners.
        (
            [frame(win(9900)), frame(Ryuukyoku(None), honba=1), frame(win(2500), honba=1), frame(win(1300), honba=1)],
            1500,
        ),
        ([frame(win(2500), win(1000, player=2), honba=1)], 1500),
        # Impossible values: a remainder, a negative value.
        ([frame(win(1300), honba=2)], 300),
        ([frame(win(500), honba=1)], 300),
        ([frame(honba=1)], 300),
        ([frame(Ryuukyoku(None, changes=(3000, -1000, -1000, -1000)), honba=1)], 300),
        ([frame(win(2500, sticks=None), honba=1)], 1500),
    ],
)
def test_honba(frames: list[Frame], honba: int) -> None:
    """The value of a honba is taken from the first win in a frame with honba; without one, it is 300."""
    found = rule("250,5.0,260,36.0,240,-26.0,250,-15.0", *frames)
    assert found is not None
    assert found.honba == honba
