"""Lists the wall tiles that a frame reveals: draws, replacements, indicators."""

from __future__ import annotations

from collections.abc import Iterable

from jmjp_convert.model import DoraRevealed, Draw, Frame, Win
from jmjp_convert.model.record import record
from jmjp_convert.play.course import Course


@record
class Shown:
    """Tiles of a wall, in order within each group.

    :ivar draws: the tiles drawn; the dealer's fourteenth comes first if it was dealt with the hand.
    :ivar replacements: the tiles drawn after kans and kita.
    :ivar indicators: the dora indicators turned.
    :ivar ura: the ura dora indicators.
    """

    draws: tuple[int, ...]
    replacements: tuple[int, ...]
    indicators: tuple[int, ...]
    ura: tuple[int, ...]


def shown(frame: Frame) -> Shown:
    """Return the tiles that *frame* shows of its wall, besides the hands dealt from it."""
    start = frame.start
    draws = [] if start.fourteenth is None else [start.fourteenth]
    turned = [] if start.indicator is None else [start.indicator]
    replacements: list[int] = []
    course = Course(start)
    for event in course.along(frame.events):
        if type(event) is Draw:
            (draws if course.replacement is None else replacements).append(event.tile)
        elif type(event) is DoraRevealed:
            turned.append(event.indicator)
    # A win shows the dora indicators again, and a second win the ura dora indicators of the first.
    wins = [event for event in frame.endings if isinstance(event, Win)]
    indicators = _united([turned, *[win.indicators or () for win in wins]])
    return Shown(tuple(draws), tuple(replacements), indicators, _united([win.ura for win in wins]))


def _united(lists: Iterable[Iterable[int]]) -> tuple[int, ...]:
    """Return the multiset union of *lists*: each tile as often as in the list with the most copies of it."""
    united: list[int] = []
    for tiles in lists:
        before = list(united)
        for tile in tiles:
            if tile in before:
                before.remove(tile)
            else:
                united.append(tile)
    return tuple(united)
