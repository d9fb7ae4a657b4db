"""What formats have to reword or guess, as phrases for warnings that several formats share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jmjp_convert.formats.dora_indicators import with_indicators
from jmjp_convert.formats.features import Found, any_draw, any_frame, any_win, turned
from jmjp_convert.formats.split_payments import payments
from jmjp_convert.model import Discard, DoraRevealed, Frame, Match, Win
from jmjp_convert.model.tiles import any_copy
from jmjp_convert.play.course import Course

_FIVES = frozenset(map(any_copy, ("5m", "5p", "5s")))


class Guess(NamedTuple):
    """Something that is written differently from how it is recorded.

    :ivar clause: how it is written.
    :ivar found: whether it applies to a match.
    """

    clause: str
    found: Found


def clauses(match: Match, guesses: Iterable[Guess]) -> Iterator[str]:
    """Yield the clauses of the *guesses* that apply to *match*."""
    return (clause for clause, found in guesses if found(match))


def breaks_off(clause: str) -> Guess:
    """Return the guess for a frame that breaks off."""
    return Guess(f"unfinished frame {clause}", any_frame(lambda frame: not frame.endings))


def _places_kan_dora(match: Match) -> bool:
    """Return whether the time at which a dora was turned is unrecorded, but written."""
    found = ((frame, with_indicators(frame, match.rules)) for frame in match.frames)
    return any(shown is not frame and turned(shown) > turned(frame) for frame, shown in found)


def _doubts_indicators(match: Match) -> bool:
    """Return whether an indicator is a five that is known only from its dora, the six."""
    if match.rules.red_fives is False:
        return False
    frames = (frame for frame in match.frames if frame.start.indicator is None)
    return any(not _FIVES.isdisjoint(_indicators(with_indicators(frame, match.rules))) for frame in frames)


def _indicators(frame: Frame) -> Iterator[int | None]:
    yield frame.start.indicator
    for event in frame.events:
        if isinstance(event, DoraRevealed):
            yield event.indicator
        elif isinstance(event, Win):
            yield from event.ura


def _has_either_copy(frame: Frame) -> bool:
    course = Course(frame.start)
    return any(
        type(event) is Discard and event.tsumogiri is None and event.tile == course.drawn
        for event in course.along(frame.events)
    )


def _splits_payments(match: Match) -> bool:
    """Return whether the payments of several wins are inferred from their sum."""
    return any(
        payments(frame, match.point_rule) != [ending.changes for ending in frame.endings] for frame in match.frames
    )


EITHER_COPY = Guess(
    "possible tsumogiri written as tsumogiri",
    any_frame(_has_either_copy),
)
FOURTEENTH = Guess(
    "fourteenth tile of the deal written as a draw", any_frame(lambda frame: frame.start.fourteenth is not None)
)
INDICATORS = Guess("indicator that may be a red five written as a plain five", _doubts_indicators)
SPLIT = Guess("payments for each of several wins inferred from their sum", _splits_payments)
ALL = (EITHER_COPY, FOURTEENTH, INDICATORS, SPLIT)
"""What all these formats do."""

KAN_DORA = Guess("kan dora placed where Tenhou would turn it", _places_kan_dora)
NO_SCORE = Guess("fu, han and yaku left out of a win where unknown", any_win(lambda win: win.score is None))
NO_KIND = Guess("unknown kind of draw written as 流局", any_draw(lambda draw: draw.kind is None))
