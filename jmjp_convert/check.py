"""What is wrong with a match as a whole, whose frames have been replayed one by one."""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert import tenhou
from jmjp_convert.model import Draw, DrawKind, Frame, Match, Ryuukyoku
from jmjp_convert.results import final_points, results
from jmjp_convert.table import listed

_DRAWS = {4: 70, 3: 55}
"""By players, the tiles that are drawn before a frame is drawn for want of more."""

_TO_THE_LAST = (DrawKind.EXHAUSTIVE, DrawKind.NAGASHI)


def check_match(match: Match) -> Iterator[str]:
    """Yield what is wrong with *match*, a line each, beyond what the replay of its frames refuses: the weekday, draws
    before the last tile, the final result."""
    if match.date is not None:
        weekday = tenhou.weekday(match.date)
        if weekday is None:
            yield f"there is no date {match.date}"
        elif match.weekday not in (None, weekday):
            yield f"{match.date} is a {weekday}, not a {match.weekday}"
    for frame in match.frames:
        yield from _check_draw(frame, _DRAWS[match.rules.players])
    if match.results is not None and match.frames:
        yield from _check_result(match, match.results)


def _check_draw(frame: Frame, wanted: int) -> Iterator[str]:
    for event in frame.endings:
        if isinstance(event, Ryuukyoku) and event.kind in _TO_THE_LAST:
            drawn = sum(isinstance(other, Draw) for other in frame.events) + (frame.start.fourteenth is not None)
            if drawn != wanted:
                yield f"in frame {frame.start.name}: {event.kind.value} after {drawn} tiles drawn, not {wanted}"


def _check_result(match: Match, found: tuple[int, ...]) -> Iterator[str]:
    points = final_points(match.frames[-1])
    if None not in (points, match.final_points) and points != match.final_points:
        yield f"the points at the end are {listed(points)}, not {listed(match.final_points)} (hundreds)"
    points = match.final_points or points
    if sum(found):
        yield f"the results add up to {sum(found)}, not to 0 (hundreds of points)"
    elif points is not None and match.point_rule is not None:
        possible = [results(points, match.point_rule, whole=whole) for whole in (False, True)]
        if found not in possible:
            yield f"the results are {listed(found)}, but {listed(possible[0])} by the points and rules (hundreds)"
