"""What a format has to reword or guess of a match, as clauses for a warning, shared by formats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jmjp_convert.formats.dora_indicators import with_indicators
from jmjp_convert.formats.features import Found, any_draw, any_frame, any_win, turned
from jmjp_convert.formats.split_payments import payments
from jmjp_convert.model import Discard, DoraRevealed, Frame, Match, Win
from jmjp_convert.model.tiles import FACES, any_copy, either_copy

_EITHER_COPY = either_copy(FACES[0])
_FIVES = frozenset(map(any_copy, ("5m", "5p", "5s")))


class Guess(NamedTuple):
    """What is written otherwise than it is.

    :ivar clause: how it is written.
    :ivar found: whether it is so of a match.
    """

    clause: str
    found: Found


def clauses(match: Match, guesses: Iterable[Guess]) -> Iterator[str]:
    """Yield the clauses of those *guesses* that are made of *match*."""
    return (clause for clause, found in guesses if found(match))


def breaks_off(clause: str) -> Guess:
    """Return how a frame that breaks off is written."""
    return Guess(f"unfinished frame {clause}", any_frame(lambda frame: not frame.endings))


def _places_kan_dora(match: Match) -> bool:
    """Return whether a dora is written as turned of which it is not recorded when."""
    found = ((frame, with_indicators(frame, match.rules)) for frame in match.frames)
    return any(shown is not frame and turned(shown) > turned(frame) for frame, shown in found)


def _doubts_indicators(match: Match) -> bool:
    """Return whether a five is written of which nothing is known but the six that it shows."""
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
    return max([event.tile for event in frame.events if type(event) is Discard], default=0) >= _EITHER_COPY


def _splits_payments(match: Match) -> bool:
    """Return whether the payments of several wins are found from their sum."""
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
"""What every format here does."""

KAN_DORA = Guess("kan dora placed where Tenhou would turn it", _places_kan_dora)
NO_SCORE = Guess("fu, han and yaku left out of a win where unknown", any_win(lambda win: win.score is None))
NO_KIND = Guess("unknown kind of draw written as 流局", any_draw(lambda draw: draw.kind is None))
