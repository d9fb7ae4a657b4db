"""The final result, and the point rule that it gives away."""

from __future__ import annotations

import pytest

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.mjlog.owari import Result, point_rule, result
from jmjp_convert.model import Draw, End, Event, Frame, Limit, PointRule, Ryuukyoku, Score, Start, Win
from jmjp_convert.model.tiles import UNKNOWN

USUAL = PointRule(250, 300, 200, 100, 3, 30)


def frame(*events: Event, honba: int = 0, points: tuple[int, ...] = (250, 250, 250, 250)) -> Frame:
    """Return a frame of *events*."""
    start = Start(0, honba, 0, 0, None, points, ((),) * len(points))
    return Frame(start, (Draw(0, 0), *events), End((), None), (UNKNOWN,) * 10)


def win(gain: int, worth: int = 10, sticks: int | None = 0, *, player: int = 1) -> Win:
    """Return a win worth *worth* by which its player gains *gain*."""
    changes = tuple(gain if other == player else 0 for other in range(4))
    score = Score(30, worth, Limit.NONE, ((8, 1),), ())
    return Win(player, 0, 5, score, sticks=sticks, changes=changes)


def rule(owari: str, *frames: Frame) -> PointRule | None:
    """Return the point rule that *owari* gives away."""
    return point_rule(frames or [frame()], result(owari, 4))


@pytest.mark.parametrize(
    ("text", "players", "expected"),
    [
        (
            "250,5.0,260,36.0,240,-26.0,250,-15.0",
            4,
            Result((250, 260, 240, 250), (50, 360, -260, -150), None),
        ),
        ("250,5,260,36,240,-26,250,-15", 4, Result((250, 260, 240, 250), (50, 360, -260, -150), None)),
        ("-5,-50.5,1000,90.1,10,-49,-5,9.4", 4, Result((-5, 1000, 10, -5), (-505, 901, -490, 94), None)),
        (
            "280,-22.0,300,10.0,320,22.0,300,-10.0,-1,0,0,0,2,0,-1,0",
            4,
            Result((280, 300, 320, 300), (-220, 100, 220, -100), ((-1, "0"), (0, "0"), (2, "0"), (-1, "0"))),
        ),
        (
            "280,-22.0,300,10.0,320,22.0,0,0.0,-1,0,0,0,2,0,0,0",
            3,
            Result((280, 300, 320), (-220, 100, 220), ((-1, "0"), (0, "0"), (2, "0"))),
        ),
        ("270,-33.0,470,42.0,310,-9.0,0,0.0", 3, Result((270, 470, 310), (-330, 420, -90), None)),
        ("270,-33,470,42,310,-9,0,0", 3, Result((270, 470, 310), (-330, 420, -90), None)),
        ("270,-33.0,470,42.0,310,-9.0", 3, Result((270, 470, 310), (-330, 420, -90), None)),
    ],
)
def test_result(text: str, players: int, expected: Result) -> None:
    """A result has points and scores by player, with chips in games that have them, whole or with a decimal."""
    assert result(text, players) == expected


@pytest.mark.parametrize(
    ("text", "players", "message"),
    [
        ("", 4, "owari has 1 values, not 8 or 16"),
        ("250,5.0,260,36.0,240,-26.0,250", 4, "owari has 7 values, not 8 or 16"),
        ("250,5.0,260,36.0,240,-26.0", 4, "owari has 6 values, not 8 or 16"),
        ("0,0," * 4 + "0,0", 4, "owari has 10 values, not 8 or 16"),
        ("x,5.0,260,36.0,240,-26.0,250,-15.0", 4, "'x' is not a number"),
        ("250,5.0,260,36.0,240,-26.0,250.0,-15.0", 4, "'250.0' is not a number"),
        ("250,5.05,260,36.0,240,-26.0,250,-15.0", 4, "'5.05' is not a number of at most one decimal"),
        ("250,,260,36.0,240,-26.0,250,-15.0", 4, "'' is not a number of at most one decimal"),
        ("0,0," * 7 + "0,x", 4, "'x' is not a number"),
    ],
)
def test_no_result(text: str, players: int, message: str) -> None:
    """What is no result is refused."""
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
        ("250,0,260,26,240,-16,250,-10", PointRule(250, 300, 100, 50, 3, 30)),
        # Ties: the lower player number is before the other.
        ("250,35,250,5,250,-15,250,-25", PointRule(250, 300, 200, 100, 3, 30)),
        # No uma at all, and the points needed in the end those of the start.
        ("250,0,260,1,240,-1,250,0", PointRule(250, 250, 0, 0, 3, 30)),
        # The third pays nobody.
        ("300,5.0,400,15.0,200,-15.0,100,-5.0", None),
        # Uma of half points.
        ("262,1.7,301,30.6,199,-20.6,238,-11.7", PointRule(250, 300, 105, 55, 3, 30)),
    ],
    ids=["usual", "integers", "tenths", "2009", "ties", "none", "out of order", "halves"],
)
def test_point_rule(owari: str, expected: PointRule | None) -> None:
    """The rule follows from what each score is away from the points, by the order at the end."""
    assert rule(owari) == expected


@pytest.mark.parametrize(
    ("points", "results"),
    [
        # x.5 above zero is rounded up, whether the number before it is even or odd; -0.5 to -1.
        ((515, 245, 245, -5), (61, 5, -15, -51)),
        ((455, 285, 265, -5), (55, 9, -13, -51)),
        # -1.5 to -2, and what is less than a half to the nearer side.
        ((514, 254, 247, -15), (62, 5, -15, -52)),
        ((516, 244, 244, -4), (62, 4, -16, -50)),
        ((506, 255, 265, -26), (60, 7, -14, -53)),
    ],
)
def test_rounding(points: tuple[int, ...], results: tuple[int, ...]) -> None:
    """Where all scores are whole, points were rounded to thousands, half away from zero."""
    order = sorted(range(4), key=lambda player: -points[player])
    scores = [0] * 4
    for player, score in zip(order, results, strict=True):
        scores[player] = score
    owari = ",".join(f"{point},{score}" for point, score in zip(points, scores, strict=True))
    assert rule(owari) == USUAL


@pytest.mark.parametrize(
    "owari",
    [
        # The scores do not add up to nothing.
        "250,5.0,260,36.1,240,-26.0,250,-15.0",
        # Uma of 10.3: no multiple of half a point.
        "250,5.3,260,36.0,240,-26.0,250,-15.3",
        # The points needed would be 30.2.
        "250,4.8,260,36.6,240,-26.2,250,-15.2",
        # Less is needed in the end than at the start.
        "250,15.0,260,6.0,240,-16.0,250,-5.0",
        # The third gets more than the second.
        "250,-15.0,260,36.0,240,-26.0,250,5.0",
        # The second gets more than the first.
        "250,15.0,260,16.0,240,-6.0,250,-25.0",
    ],
    ids=["sum", "uma23", "target", "target below the start", "uma23 below zero", "uma14 below uma23"],
)
def test_no_point_rule(owari: str) -> None:
    """A result that no point rule explains gives none."""
    assert rule(owari) is None


def test_unequal_start() -> None:
    """Where the players begin with different points there is no rule."""
    owari = "250,5.0,260,36.0,240,-26.0,250,-15.0"
    assert rule(owari, frame(points=(250, 250, 250, 260))) is None
    assert rule(owari, frame(), frame(points=(250, 250, 250, 260))) == USUAL


def test_three_players() -> None:
    """There is no rule for three players."""
    final = result("270,-33.0,470,42.0,310,-9.0,0,0.0", 3)
    assert point_rule([frame(points=(350, 350, 350))], final) is None


def test_other_start() -> None:
    """The points at the start are those of the first frame."""
    assert rule("10,5,20,36,0,-26,10,-15", frame(points=(10,) * 4)) == PointRule(10, 60, 200, 100, 3, 30)
    assert rule("250,5,260,36,240,-26,250,-15", frame(points=(100,) * 4)) == PointRule(100, 300, 200, 100, 3, 30)


@pytest.mark.parametrize(
    ("frames", "honba"),
    [
        ([frame(win(10))], 3),
        ([frame(win(13), honba=1)], 3),
        ([frame(win(25), honba=1)], 15),
        ([frame(win(40), honba=2)], 15),
        ([frame(win(45, sticks=2), honba=1)], 15),
        ([frame(win(10), honba=1)], 0),
        # Only wins in frames with honba count, the first of them, and of several winners the first.
        ([frame(win(99)), frame(Ryuukyoku(None), honba=1), frame(win(25), honba=1), frame(win(13), honba=1)], 15),
        ([frame(win(25), win(10, player=2), honba=1)], 15),
        # What cannot be: a rest, and less than nothing.
        ([frame(win(13), honba=2)], 3),
        ([frame(win(5), honba=1)], 3),
        ([frame(honba=1)], 3),
        ([frame(Ryuukyoku(None, changes=(30, -10, -10, -10)), honba=1)], 3),
        ([frame(win(25, sticks=None), honba=1)], 15),
    ],
)
def test_honba(frames: list[Frame], honba: int) -> None:
    """What a honba adds is told by the first win in a frame that has honba; 0.3 where there is none."""
    found = rule("250,5.0,260,36.0,240,-26.0,250,-15.0", *frames)
    assert found is not None
    assert found.honba == honba
