"""Parse the final result (``owari``), and infer the point rule (source: ``docs/design/mapping.md``, The match)."""

from __future__ import annotations

from collections.abc import Sequence

from jmjp_convert.errors import ConvertError
from jmjp_convert.formats.mjlog.elements import by_player
from jmjp_convert.formats.mjlog.values import counted, hundreds, number, thousands
from jmjp_convert.model import SEATS, Frame, PointRule, Win
from jmjp_convert.model.record import record
from jmjp_convert.model.tenhou import DECIMAL
from jmjp_convert.play.points import STICK, ranking, rounded

_HONBA = 300
_HUNDRED, _HALF, _THOUSAND = 100, 500, 1000
_TENPAI = 3000


@record
class Result:
    """``owari`` by player: points and results; in chip games also the chips and their worth, as recorded."""

    points: tuple[int, ...]
    results: tuple[int, ...]
    chips: tuple[tuple[int, str], ...] | None


def result(text: str, players: int) -> Result:
    """Parse *text*, an ``owari`` attribute.

    :raises ConvertError: it is not a result.
    """
    values = text.split(",")
    if len(values) not in (8, 16, 2 * players):
        raise ConvertError(f"owari has {counted(len(values), 'value')}; 8 or 16 expected")
    points = tuple(map(hundreds, values[:8:2]))
    results = tuple(map(thousands, values[1:8:2]))
    chips = tuple(zip(map(number, values[8::2]), map(_worth, values[9::2]), strict=True))
    return Result(by_player(points, "owari", players), by_player(results, "owari", players), chips[:players] or None)


def _worth(text: str) -> str:
    if not DECIMAL.fullmatch(text):
        raise ConvertError(f"{text!r} is not a number")
    return text


def point_rule(frames: Sequence[Frame], final: Result) -> PointRule | None:
    """Return the rule that turned the points of *frames* into the *final* result; ``None`` if it cannot be inferred."""
    start = frames[0].start.points or ()
    if len(start) != SEATS or len(set(start)) > 1:
        return None
    first = start[0]
    order = ranking(final.points)
    results = [final.results[player] for player in order]
    whole = all(value % _THOUSAND == 0 for value in results)
    _, second, third, fourth = (
        value - (rounded(final.points[player]) if whole else final.points[player])
        for player, value in zip(order, results, strict=True)
    )
    if (second + third) % _THOUSAND or (second - third) % _THOUSAND:
        return None
    target = -(second + third) // 2
    uma23 = (second - third) // 2
    uma14 = -fourth - target
    valid = results[0] == -sum(results[1:]) and uma14 % _HALF == 0 and target >= first and uma14 >= uma23 >= 0
    return PointRule(first, target, uma14, uma23, _honba(frames), _TENPAI) if valid else None


def _honba(frames: Sequence[Frame]) -> int:
    """Return what one honba adds to a win, from the first win in a frame with honba."""
    for frame in frames:
        for event in frame.endings if frame.start.honba else ():
            if isinstance(event, Win) and event.score and event.changes:
                extra = event.changes[event.player] - event.score.points - (event.sticks or 0) * STICK
                value, rest = divmod(extra, _HUNDRED * frame.start.honba)
                return _HUNDRED * value if value >= 0 and not rest else _HONBA
    return _HONBA
