"""When a game is over, and its result."""

from __future__ import annotations

from games import csv

from jmjp_convert.model import SEATS
from simulator.endings import Ending
from simulator.eras import Form
from simulator.payments import STICK
from simulator.rules import Rules
from simulator.table import Setting

_WIND = 4
_UMA = {4: (100, -100, -200), 3: (0, -200)}
_SMALL_UMA = (50, -50, -100)
_EAST_OF_FOUR = 3


def over(setting: Setting, ending: Ending) -> str | None:
    """Return why the game is over, as a row of `coverage.py`; `None` if it goes on.

    Somebody is below zero; or the last round is over, and somebody has enough, or it was the last of the wind after it
    too; or the dealer, who would stay, is first and has enough. If not, that the dealer stays comes first. (Sources:
    Tenhou's manual as others quote it, and the real logs.)
    """
    rules, points = setting.rules, ending.points
    if min(points) < 0:
        return "bust"
    if setting.round < rules.last or ending.broken_off:
        return None
    if ending.stays:
        return _stop(setting, ending)
    if max(points) >= rules.target:
        return "last-round" if setting.round == rules.last else "sudden-death"
    return "run-out" if setting.round == rules.last + _WIND else None


def _stop(setting: Setting, ending: Ending) -> str | None:
    """Return why a game is over in which the dealer would stay."""
    if ranking(ending.points)[0] != setting.dealer or ending.points[setting.dealer] < setting.rules.target:
        return None
    if ending.drawn:
        return "tenpaiyame" if setting.form.tenpaiyame else None
    return "agariyame"


def following(setting: Setting, ending: Ending) -> Setting:
    """Return what the next frame takes over."""
    round_, players = setting.round, setting.rules.players
    if not ending.stays:
        round_ += 1 if round_ % _WIND < players - 1 else 1 + SEATS - players  # with three players a wind has three
    honba = setting.honba + 1 if ending.stays or ending.drawn else 0
    return setting._replace(round=round_, honba=honba, sticks=ending.sticks, points=tuple(ending.points))


def ranking(points: list[int]) -> list[int]:
    """Return the players by their points, of equal ones the lower number first."""
    return sorted(range(len(points)), key=lambda player: -points[player])


def owari(rules: Rules, form: Form, ending: Ending) -> str:
    """Return the points and results at the end, as the log has them: sticks left on the table go to the first, who
    gets the others' loss (source: `scoring.md`, Final result)."""
    points = list(ending.points)
    first, *others = ranking(points)
    points[first] += STICK * ending.sticks
    results = [0] * SEATS
    for player, uma in zip(others, _uma(rules, form), strict=True):
        results[player] = (_rounded(points[player]) if form.whole else points[player]) - rules.target + uma
    results[first] = -sum(results)
    points += [0] * (SEATS - rules.players)
    return csv(f"{have},{_written(result, form)}" for have, result in zip(points, results, strict=True))


def _uma(rules: Rules, form: Form) -> tuple[int, ...]:
    return _SMALL_UMA if rules.last == _EAST_OF_FOUR and form.small_uma else _UMA[rules.players]


def _rounded(points: int) -> int:
    """Return *points*, in hundreds, as whole thousands: half away from zero."""
    whole = (abs(points) + 5) // 10 * 10
    return whole if points >= 0 else -whole


def _written(result: int, form: Form) -> str:
    """Return a result, in hundreds of points, in thousands."""
    sign, (whole, rest) = "-" * (result < 0), divmod(abs(result), 10)
    return f"{sign}{whole}.{rest}" if form.result_decimals else f"{sign}{whole}"
