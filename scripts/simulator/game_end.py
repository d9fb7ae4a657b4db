"""When a game ends, the start of the next frame if it does not, and the final result if it does."""

from __future__ import annotations

from games import csv

from jmjp_convert.model import SEATS
from simulator.endings import Ending
from simulator.eras import Era
from simulator.payments import STICK
from simulator.rules import Rules
from simulator.table import FrameSetup

_ROUNDS_OF_A_WIND = 4
_UMA = {4: (100, -100, -200), 3: (0, -200)}
_SMALL_UMA = (50, -50, -100)
_EAST_OF_FOUR = 3


def end_reason(setup: FrameSetup, ending: Ending) -> str | None:
    """Return why the game ends after a frame, as a row of `coverage`; `None` if it goes on.

    It ends if somebody is below zero. From the last round on, it ends if somebody has reached the goal, or after four
    more rounds. If the dealer stays, it ends only if the dealer is first and has reached the goal. (Sources: the real
    logs, and Tenhou's manual as quoted by others.)
    """
    rules, points = setup.rules, ending.points
    if min(points) < 0:
        return "bust"
    if setup.round < rules.last_round or ending.is_abortive:
        return None
    if ending.dealer_stays:
        return _dealer_end_reason(setup, ending)
    if max(points) >= rules.goal:
        return "last-round" if setup.round == rules.last_round else "sudden-death"
    return "run-out" if setup.round == rules.last_round + _ROUNDS_OF_A_WIND else None


def _dealer_end_reason(setup: FrameSetup, ending: Ending) -> str | None:
    """Return why the game ends although the dealer would stay."""
    if ranking(ending.points)[0] != setup.dealer or ending.points[setup.dealer] < setup.rules.goal:
        return None
    if ending.is_draw:
        return "tenpaiyame" if setup.era.tenpaiyame else None
    return "agariyame"


def next_setup(setup: FrameSetup, ending: Ending) -> FrameSetup:
    """Return the start of the next frame."""
    round_, players = setup.round, setup.rules.players
    if not ending.dealer_stays:
        last_of_wind = round_ % _ROUNDS_OF_A_WIND == players - 1  # with three players a wind has only three rounds
        round_ += 1 + SEATS - players if last_of_wind else 1
    honba = setup.honba + 1 if ending.dealer_stays or ending.is_draw else 0
    return setup._replace(round=round_, honba=honba, sticks=ending.sticks, points=tuple(ending.points))


def ranking(points: list[int]) -> list[int]:
    """Return the players from first to last; ties go to the lower number."""
    return sorted(range(len(points)), key=lambda player: -points[player])


def owari(rules: Rules, era: Era, ending: Ending) -> str:
    """Return the final points and results, as written in the log. The first player gets the sticks left on the table,
    and the result that the others lose (source: `docs/design/scoring.md`, Final result)."""
    points = list(ending.points)
    first, *others = ranking(points)
    points[first] += STICK * ending.sticks
    results = [0] * SEATS
    for player, uma in zip(others, _uma(rules, era), strict=True):
        results[player] = (_rounded(points[player]) if era.whole_results else points[player]) - rules.goal + uma
    results[first] = -sum(results)
    points += [0] * (SEATS - rules.players)
    return csv(f"{have},{_result_text(result, era)}" for have, result in zip(points, results, strict=True))


def _uma(rules: Rules, era: Era) -> tuple[int, ...]:
    return _SMALL_UMA if rules.last_round == _EAST_OF_FOUR and era.small_uma else _UMA[rules.players]


def _rounded(points: int) -> int:
    """Return *points*, in hundreds, rounded to thousands, with halves away from zero."""
    rounded = (abs(points) + 5) // 10 * 10
    return rounded if points >= 0 else -rounded


def _result_text(result: int, era: Era) -> str:
    """Return a result, given in hundreds of points, in thousands."""
    sign, (whole, rest) = "-" * (result < 0), divmod(abs(result), 10)
    return f"{sign}{whole}.{rest}" if era.result_decimals else f"{sign}{whole}"
