"""Write a frame as the seventeen items of tenhou.net/6.

The start; the points; the dora and ura dora indicators; for each player the starting hand, incoming and outgoing tiles;
the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jmjp_convert.errors import FormatError
from jmjp_convert.formats.tenhou6.notation import NO_DISCARD, NUMBERLESS, TSUMOGIRI, Notation, notation
from jmjp_convert.formats.tenhou6.results import all_points, result
from jmjp_convert.model import (
    SEATS,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    DoraRevealed,
    Draw,
    Frame,
    Kakan,
    Kita,
    PointRule,
    Pon,
    Rules,
    Win,
)
from jmjp_convert.play.course import Course
from jmjp_convert.play.dora_indicators import with_indicators

_DECLARED = frozenset((Kakan, Ankan, Kita))
_CALLED: dict[type, tuple[int, ...]] = {Chi: (), Pon: (), Daiminkan: (NO_DISCARD,)}
"""The calls, and what each adds to the outgoing tiles."""


def items(frame: Frame, rules: Rules, point_rule: PointRule | None = None) -> list[Any]:
    """Return *frame* as its items, for JSON.

    :raises FormatError: the play or the points are not recorded, or a tile is unknown.
    """
    try:
        return _items(with_indicators(frame, rules), notation(red_fives=rules.red_fives), point_rule)
    except FormatError as error:
        raise FormatError(f"frame {frame.start.name}: {error}") from None
    except KeyError as error:
        if error.args[0] not in NUMBERLESS:
            raise
        reason = "unknown tile, for which tenhou.net/6 has no number"
        raise FormatError(f"frame {frame.start.name}: {reason}") from None


def _items(frame: Frame, words: Notation, point_rule: PointRule | None) -> list[Any]:
    start = frame.start
    if not start.hands:
        raise FormatError("the play is not recorded; tenhou.net/6 needs it")
    if start.points is None:
        raise FormatError("the starting points are not recorded; tenhou.net/6 needs them")
    takes, outs, shown = _plays(frame, words)
    ura = next((event.ura for event in frame.endings if type(event) is Win and event.ura), ())
    found: list[Any] = [[start.round, start.honba, start.sticks or 0], all_points(start.points)]
    found += shown, words.row(ura)
    hands = [words.hand(hand) for hand in start.hands]
    for hand, take, out in zip(hands + [[]] * (SEATS - len(hands)), takes, outs, strict=True):
        found += hand, take, _without_end(out)
    return [*found, result(frame, point_rule)]


def _plays(frame: Frame, words: Notation) -> tuple[Sequence[list[Any]], Sequence[list[Any]], list[int]]:
    """Return the incoming and outgoing tiles by seat, and the dora indicators."""
    takes: tuple[list[Any], ...] = ([], [], [], [])
    outs: tuple[list[Any], ...] = ([], [], [], [])
    numbers = words.numbers
    shown = [] if frame.start.indicator is None else [numbers[frame.start.indicator]]
    course = Course(frame.start)
    if course.drawn is not None:
        takes[frame.start.dealer].append(numbers[course.drawn])
    for event in frame.events:
        kind = type(event)
        # Draws and discards are tracked inline: `course.along` would take 9 % longer overall.
        if kind is Draw:
            tile = course.drawn = event.tile  # type: ignore[union-attr]
            course.replacement = None
            takes[event.player].append(numbers[tile])  # type: ignore[union-attr]
        elif kind is Discard:
            out = TSUMOGIRI if course.is_tsumogiri(event) else numbers[event.tile]  # type: ignore[arg-type,union-attr]
            player = event.player  # type: ignore[union-attr]
            outs[player].append(f"r{out}" if course.declared == player else out)
            course.drawn = None
        else:
            course.follow(event)
            if kind in _DECLARED:
                outs[event.player].append(words.meld(event))  # type: ignore[union-attr,arg-type]
            elif kind in _CALLED:
                takes[event.player].append(words.meld(event))  # type: ignore[union-attr,arg-type]
                outs[event.player].extend(_CALLED[kind])  # type: ignore[union-attr]
            elif kind is DoraRevealed and shown:  # the first place is that of the first indicator
                shown.append(numbers[event.indicator])  # type: ignore[union-attr]
    return takes, outs, shown


def _without_end(out: list[Any]) -> list[Any]:
    """Return *out* without trailing :data:`NO_DISCARD`, which are not needed there for alignment."""
    return _without_end(out[:-1]) if out and out[-1] == NO_DISCARD else out
