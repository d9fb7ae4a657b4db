"""Finishes a frame with what its endings say of hands and values, which only the play can confirm."""

from __future__ import annotations

from collections.abc import Sequence

from jmjp_convert.formats.assembly import Lying
from jmjp_convert.formats.mjai.details import score, winner
from jmjp_convert.formats.mjai.endings import EndingLine
from jmjp_convert.model import (
    Ankan,
    Chi,
    Daiminkan,
    DrawKind,
    Ending,
    Event,
    Frame,
    Pon,
    Ryuukyoku,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.play.points import final_points
from jmjp_convert.play.position import DEALT

Tiles = tuple[int, ...]

_MELDS = (Chi, Pon, Daiminkan, Ankan)
_MELD = 3
"""The number of tiles of a hand that a meld stands for."""


def lying(events: Sequence[Event], endings: Sequence[EndingLine]) -> Lying:
    """Return the closed tiles shown at the end of a frame, with the fourteenth, by player.

    :param events: its events.
    :param endings: its endings as recorded, in order.
    """
    found: dict[int, Tiles] = {}
    if all(said.tiles is None and said.hands is None for said in endings):
        return found
    ended = [event for event in events if isinstance(event, Ending)]
    for event, said in zip(ended, endings, strict=True):
        if isinstance(event, Win) and said.tiles is not None:
            melds = sum(isinstance(other, _MELDS) and other.player == event.player for other in events)
            closed = DEALT - _MELD * melds
            if len(said.tiles) == closed:
                found[event.player] = (*said.tiles, event.tile)
            elif len(said.tiles) == closed + 1:  # some show the winning tile too
                found[event.player] = said.tiles
        elif said.hands is not None:
            found |= {player: hand for player, hand in enumerate(said.hands) if hand is not None}
    return found


def shown(draw: Ryuukyoku, said: EndingLine) -> tuple[bool, ...] | None:
    """Return by player whether the hand is shown at *draw*: those in tenpai, and that with nine terminals; ``None`` if
    not recorded."""
    if said.hands is None:
        return said.tenpai
    seen = tuple([hand is not None for hand in said.hands])
    if said.tenpai is None:
        return seen
    nine = draw.kind is DrawKind.NINE_TERMINALS
    return tuple([tenpai or (nine and hand) for tenpai, hand in zip(said.tenpai, seen, strict=True)])


def finished(frame: Frame, endings: Sequence[EndingLine]) -> Frame:
    """Return *frame*, which has been replayed, with the values of its wins.

    :param endings: its endings as recorded, in order.
    """
    if all(said.told is None for said in endings):
        return frame
    events = list(frame.events)
    places = [place for place, event in enumerate(events) if isinstance(event, Ending)]
    for place, said in zip(places, endings, strict=True):
        event = events[place]
        if isinstance(event, Win):
            events[place] = _win(event, said, frame)
    return replace(frame, events=tuple(events))


def _win(win: Win, said: EndingLine, frame: Frame) -> Win:
    if said.told is None:
        return win
    return replace(win, score=score(said.told, winner(win, frame)))


def final(scores: tuple[int, ...] | None, frames: Sequence[Frame]) -> tuple[int, ...] | None:
    """Return the points at the end of a game, given the *scores* that are said; ``None`` if those only repeat the
    points after the last frame, without the riichi sticks left on the table."""
    if scores is None or not frames or scores == final_points(frames[-1]):
        return scores
    return None if scores == frames[-1].end.points else scores
