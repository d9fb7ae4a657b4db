"""Lists the tiles of the wall that a frame reveals: draws, replacements, indicators."""

from __future__ import annotations

from collections.abc import Iterable

from jmjp_convert.model import DoraRevealed, Draw, Frame, Win
from jmjp_convert.model.record import record
from jmjp_convert.play.course import Course


@record
class Shown:
    """Tiles of a wall, each kind in the order in which they come.

    :ivar draws: the tiles drawn; a dealer's fourteenth, if it was dealt with the hand, is the first.
    :ivar replacements: the tiles drawn after kans and kita.
    :ivar indicators: the dora indicators turned.
    :ivar ura: the ura dora indicators.
    """

    draws: tuple[int, ...]
    replacements: tuple[int, ...]
    indicators: tuple[int, ...]
    ura: tuple[int, ...]


def shown(frame: Frame) -> Shown:
    """Return what *frame* shows of its wall, beside the hands dealt from it."""
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
    """Return the tiles of all *lists*, each as often as in the list that has it most often."""
    united: list[int] = []
    for tiles in lists:
        before = list(united)
        for tile in tiles:
            if tile in before:
                before.remove(tile)
            else:
                united.append(tile)
    return tuple(united)
