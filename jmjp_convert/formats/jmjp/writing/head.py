"""Write the fields before and after the frames of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from jmjp_convert.formats.jmjp.dialects import ALL_FRAMES, Dialect, points
from jmjp_convert.formats.jmjp.strings import AFFILIATIONS, PLACES, STAGES, TEAMS, TOURNAMENTS, literal
from jmjp_convert.model import Match, Name, Player, PointRule, Recorder, Tournament, TourPoints, frame_name


def before(match: Match, dialect: Dialect) -> Iterator[str]:
    """Yield the lines before the frames."""
    if match.tournament is not None:
        yield _tournament(match.tournament, dialect)
    place = literal(match.place, dialect, PLACES)
    yield f"mtp[{match.date or ''},{match.weekday or ''},{match.time or ''},{place}]"
    for recorder in match.recorders:
        yield _recorder(recorder, dialect)
    for number, player in enumerate(match.players):
        yield f"ply[{number},{_player(player, dialect)}]"
    if match.point_rule is not None:
        yield _point_rule(match.point_rule, dialect)


def after(match: Match) -> Iterator[str]:
    """Yield the lines after the frames."""
    if match.results is not None:
        yield f"pme[{all_points(match.results)}]"
    if match.tour_points is not None:
        yield f"ptn[{','.join(map(_tour_points, match.tour_points))}]"


def all_points(values: Sequence[int]) -> str:
    """Return the points *values*, separated by commas."""
    return ",".join(map(points, values))


def _optional(value: int | None, written: Callable[[int], str] = str) -> str:
    return "" if value is None else written(value)


def _tournament(tournament: Tournament, dialect: Dialect) -> str:
    fields = (
        literal(tournament.name, dialect, TOURNAMENTS),
        _optional(tournament.year, "{:04}".format),
        literal(tournament.stage, dialect, STAGES),
        _optional(tournament.stage_match),
        _optional(tournament.day_match),
    )
    return f"tnm[{','.join(fields)}]"


def _recorder(recorder: Recorder, dialect: Dialect) -> str:
    frames = ALL_FRAMES if recorder.frames is None else "".join(frame_name(*frame) for frame in recorder.frames)
    return f"rec[{_name(recorder.full_name, dialect)},{frames}]"


def _player(player: Player, dialect: Dialect) -> str:
    fields = (
        _name(player.full_name, dialect),
        literal(player.team, dialect, TEAMS),
        literal(player.affiliation, dialect, AFFILIATIONS),
        "" if player.tour_points is None else _tour_points(player.tour_points),
    )
    return ",".join(fields)


def _name(name: Name | None, dialect: Dialect) -> str:
    if name is None:
        return ""
    brackets = dialect.name
    return f"{brackets[0]}{literal(name.family, dialect)},{literal(name.given, dialect)}{brackets[1]}"


def _tour_points(both: TourPoints) -> str:
    return f"({','.join(_optional(value, points) for value in both)})"


def _point_rule(rule: PointRule, dialect: Dialect) -> str:
    tenpai = f",{points(rule.tenpai)}" if dialect.tenpai and rule.tenpai is not None else ""
    uma = f"({points(rule.uma14)},{points(rule.uma23)})"
    return f"ptr[{points(rule.start)},{points(rule.target)},{uma},{points(rule.honba)}{tenpai}]"
