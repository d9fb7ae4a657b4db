"""Reduces a match to what mjai holds, and so to what must read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jmjp_convert.errors import PlayError
from jmjp_convert.formats.assembly import Assembly, points_after
from jmjp_convert.formats.by_face import FrameProjection
from jmjp_convert.formats.red_fives import red_fives
from jmjp_convert.model import (
    DRAWS,
    Ankan,
    Daiminkan,
    Discard,
    DoraRevealed,
    Event,
    Frame,
    Kakan,
    Match,
    Player,
    RiichiAccepted,
    Rules,
    Ryuukyoku,
    Win,
    handle,
)
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.course import Course


def held(match: Match) -> Match:
    """Return *match* as it reads back from mjai."""
    rules = Rules(match.rules.players, match.rules.red_fives)
    faces = FrameProjection(match, rules, win=_win, draw=_draw, turns=True, arrange=_arranged)
    played = [faces.played(_with_hidden_indicator(frame)) for frame in match.frames]
    if rules.red_fives is None:
        rules = replace(rules, red_fives=red_fives(played))
    assembly = Assembly(rules, _refuse)
    for one, then in zip(played, [*played[1:], None], strict=True):
        assembly.add(one, points_after(one, then and then.start))
    return Match(rules, tuple([Player(handle(player.name)) for player in match.players]), assembly.frames())


def _refuse(error: PlayError, _: int) -> None:
    raise error


def _with_hidden_indicator(frame: Frame) -> Frame:
    """Return *frame* without its first indicator, if that is an unknown tile."""
    return replace(frame, start=replace(frame.start, indicator=None)) if frame.start.indicator == UNKNOWN else frame


def _win(win: Win, frame: Frame) -> Win:
    """Return what is held of a win: the ura dora indicators count only after riichi."""
    riichi = any(isinstance(event, RiichiAccepted) and event.player == win.player for event in frame.events)
    return replace(win, score=None, pao=None, ura=win.ura if riichi else ())


def _draw(draw: Ryuukyoku, frame: Frame) -> Ryuukyoku:
    """Return what is held of a draw."""
    return replace(draw, kind=draw.kind if is_ronned(frame) else None, shown=None)


def is_ronned(frame: Frame) -> bool:
    """Return whether the play of *frame*, which is drawn, shows that its last tile was ronned: it is of a riichi that
    is not paid for, or of a kan without a replacement tile."""
    course = Course(frame.start)
    for event in frame.events:
        if isinstance(event, Ryuukyoku):
            break
        course.follow(event)
    return course.declared is not None or course.replacement is not None


def _arranged(events: Sequence[Event]) -> list[Event]:
    """Return *events* as they read back: a dora that is owed from before an ankan is turned before that ankan, and a
    tile drawn face down is known if it is discarded after riichi."""
    found: list[Event] = []
    owed = 0
    riichi: set[int] = set()
    for event in events:
        kind = type(event)
        if isinstance(event, DoraRevealed):
            found.insert(len(found) - (owed > 0 and type(found[-1]) is Ankan), event)
            owed = max(0, owed - 1)
            continue
        if kind is Discard:
            owed = 0
            if found and found[-1] is DRAWS[event.player][UNKNOWN] and event.player in riichi:  # type: ignore[union-attr]
                found[-1] = DRAWS[event.player][event.tile]  # type: ignore[union-attr]
        elif kind is RiichiAccepted:
            riichi.add(event.player)  # type: ignore[union-attr]
        elif kind is Kakan or kind is Daiminkan:
            owed += 1
        found.append(event)
    return found
