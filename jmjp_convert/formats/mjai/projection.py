"""Reduces a match to what mjai holds, and so to what must read back."""

from __future__ import annotations

from collections.abc import Sequence

from jmjp_convert.errors import PlayError
from jmjp_convert.formats.assembly import Assembly, Played, points_after
from jmjp_convert.formats.by_face import FrameProjection
from jmjp_convert.formats.faces import by_face
from jmjp_convert.formats.mjai.details import told
from jmjp_convert.formats.mjai.endings import EndingLine
from jmjp_convert.formats.mjai.finish import final, finished, lying, shown
from jmjp_convert.formats.red_fives import red_fives
from jmjp_convert.model import (
    DRAWS,
    Ankan,
    Daiminkan,
    Discard,
    DoraRevealed,
    DrawKind,
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
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN
from jmjp_convert.play.course import Course
from jmjp_convert.play.points import STICK


def held(match: Match, *, details: bool = False, kita: bool = False) -> Match:  # noqa: ARG001 - both names are read
    """Return *match* as it reads back from mjai."""
    return _Holder(match, details=details).match()


class _Holder:
    """A match being reduced."""

    def __init__(self, match: Match, *, details: bool) -> None:
        self._match = match
        self._details = details
        self._faces = by_face(red_fives=match.rules.red_fives)

    def match(self) -> Match:
        """Return the reduced match."""
        match = self._match
        rules = Rules(match.rules.players, match.rules.red_fives)
        held = FrameProjection(match, rules, win=self._win, draw=self._draw, turns=True, arrange=_arranged)
        played: list[Played] = []
        said: list[list[EndingLine]] = []
        for frame in match.frames:
            one = held.played(_with_hidden_indicator(frame))
            said.append(self._endings(frame) if self._details else [])
            played.append(self._detailed(one, said[-1]) if self._details else one)
        if rules.red_fives is None:
            rules = replace(rules, red_fives=red_fives(played))
        assembly = Assembly(rules, _refuse)
        for frame, one, endings, then in zip(match.frames, played, said, [*played[1:], None], strict=True):
            after = frame.end.points if self._details and frame.endings else None
            assembly.add(
                one,
                after or points_after(one, then and then.start),
                lambda frame, said=endings: finished(frame, said),  # type: ignore[misc]
            )
        frames = assembly.frames()
        players = tuple([Player(handle(player.name)) for player in match.players])
        scores = match.final_points if self._details else None
        return Match(rules, players, frames, final_points=final(scores, frames))

    # --- endings -----------------------------------------------------------------------------------------------------

    def _win(self, win: Win, frame: Frame) -> Win:
        """Return what is held of a win: the ura dora indicators count only after riichi."""
        ura = win.ura if win.player in frame.riichi else ()
        return replace(win, score=None, pao=win.pao if self._details else None, ura=ura)

    def _draw(self, draw: Ryuukyoku, frame: Frame) -> Ryuukyoku:
        """Return what is held of a draw."""
        return replace(draw, kind=draw.kind if self._details or is_ronned(frame) else None, shown=None)

    def _endings(self, frame: Frame) -> list[EndingLine]:
        """Return what the details say of the endings of *frame*."""
        found = []
        for ending in frame.endings:
            if isinstance(ending, Win):
                value = None if ending.score is None else told(ending.score)
                found.append(EndingLine(value, self._faces.hand(frame.end.hands[ending.player].tiles)))
            elif ending.shown is None:
                found.append(EndingLine())
            else:
                tenpai = ending.kind is not DrawKind.NINE_TERMINALS
                hands = [None if hand is None else self._faces.hand(hand) for hand in ending.shown]
                visible = [None if hand is None or UNKNOWN in hand or not hand else hand for hand in hands]
                flags = tuple([tenpai and hand is not None for hand in ending.shown])
                found.append(EndingLine(tenpai=flags, hands=tuple(visible)))
        return found

    @staticmethod
    def _detailed(played: Played, said: list[EndingLine]) -> Played:
        """Return *played* with the points after each riichi, and the hands that the endings show."""
        points = played.start.points or ()
        events: list[Event] = []
        for event in played.events:
            if isinstance(event, RiichiAccepted):
                points = tuple([have - STICK * (player == event.player) for player, have in enumerate(points)])
                event = RiichiAccepted(event.player, points)  # noqa: PLW2901
            events.append(event)
        draw = events[-1] if events else None
        flags = shown(draw, said[-1]) if isinstance(draw, Ryuukyoku) else None
        return Played(played.start, events, lying(events, said), flags)


def _refuse(error: PlayError, _: int) -> None:
    raise error


def _with_hidden_indicator(frame: Frame) -> Frame:
    """Return *frame* without its first indicator, if that is an unknown tile."""
    return replace(frame, start=replace(frame.start, indicator=None)) if frame.start.indicator == UNKNOWN else frame


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
