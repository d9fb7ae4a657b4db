"""What several formats write differently from how it is recorded."""

from __future__ import annotations

from collections.abc import Iterator

from jmjp_convert.formats.losses import play, values
from jmjp_convert.formats.losses.loss import Loss, any_draw, any_frame, any_win, of_draws, of_wins
from jmjp_convert.formats.losses.traits import turned
from jmjp_convert.model import DoraRevealed, Frame, Match, Win
from jmjp_convert.model.tiles import NO_REDS, RED_FACES, any_copy, faces
from jmjp_convert.play.dora_indicators import with_indicators

_FIVES = frozenset(map(any_copy, ("5m", "5p", "5s")))


def _places_kan_dora(match: Match) -> bool:
    """Return whether the time at which a dora was turned is unrecorded, but written."""
    pairs = ((frame, with_indicators(frame, match.rules)) for frame in match.frames)
    return any(shown is not frame and turned(shown) > turned(frame) for frame, shown in pairs)


def has_red_indicator(match: Match) -> bool:
    """Return whether a dora indicator is known to be a red five (jmjp)."""
    reds = {tile for tile, face in enumerate(faces(match.rules.red_fives)) if face in RED_FACES}
    return any(not reds.isdisjoint((*_indicators(frame), *frame.start.kan_indicators)) for frame in match.frames)


def _doubts_indicators(match: Match) -> bool:
    """Return whether an indicator is a five that is known only from its dora, the six."""
    if match.rules.red_fives == NO_REDS:
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


TSUMOGIRI = Loss("possible tsumogiri written as tsumogiri", any_frame(play.may_be_tsumogiri), play.settle_tsumogiri)
FOURTEENTH = Loss(
    "fourteenth tile of the deal written as a draw",
    any_frame(lambda frame: frame.start.fourteenth is not None),
    play.draw_fourteenth,
)
INDICATORS = Loss("indicator that may be a red five written as a plain five", _doubts_indicators, play.infer_indicators)
SPLIT = Loss("payments for each of several wins inferred from their sum", values.splits_payments, values.split_payments)
PLAY = (INDICATORS, Loss(frame=play.drop_hidden_indicator), SPLIT, TSUMOGIRI, FOURTEENTH)
"""What all formats do that name tiles by face and leave the hands at the end to the play."""

KAN_DORA = Loss("kan dora placed where Tenhou would turn it", _places_kan_dora)
"""Is what :data:`INDICATORS` changes, in a format that holds when a dora is turned."""

NO_SCORE = Loss("fu, han and yaku left out of a win where unknown", any_win(lambda win: win.score is None))
NO_KIND = of_draws(
    values.name_kind, phrase="unknown kind of draw written as 流局", found=any_draw(lambda draw: draw.kind is None)
)
ONE_PAO = of_wins(
    values.drop_further_pao,
    phrase="all but the first of several players liable for pao left out",
    found=any_win(lambda win: len(win.pao) > 1),
)
ZERO_HAN = of_wins(values.drop_zero_han)


def breaks_off(clause: str) -> Loss:
    """Return what is said of a frame that breaks off."""
    return Loss(f"unfinished frame {clause}", any_frame(lambda frame: frame.is_unfinished))
