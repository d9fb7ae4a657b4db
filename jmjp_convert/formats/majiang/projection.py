"""Reduce a match to what a record of 電脳麻将 holds, and so to what must read back."""

from __future__ import annotations

from collections.abc import Sequence

from jmjp_convert.formats.assembly import Lying, Played, with_hands
from jmjp_convert.formats.by_face import FrameProjection
from jmjp_convert.formats.faces import by_face
from jmjp_convert.formats.majiang.frames import unconfirmed
from jmjp_convert.formats.majiang.head import (
    read_player,
    read_point,
    read_title,
    write_player,
    write_point,
    write_title,
)
from jmjp_convert.formats.majiang.scores import limit_of
from jmjp_convert.formats.majiang.writer import final_points
from jmjp_convert.formats.red_fives import red_fives
from jmjp_convert.formats.split_payments import worth
from jmjp_convert.model import (
    DRAWS,
    Discard,
    DoraRevealed,
    Draw,
    DrawKind,
    Event,
    Frame,
    Limit,
    Match,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Score,
    Win,
)
from jmjp_convert.model.record import replace
from jmjp_convert.model.tiles import UNKNOWN


def projected(match: Match) -> Match:
    """Return *match*, which was written, as its record reads back.

    Kept are the play with tiles by face and the time of kan dora, fu, han and yaku, hands shown at draws, names, ranks,
    whole ratings, tournament and stage, the log ID or the date, and results.
    """
    return _Holder(match).match()


class _Holder:
    """A match being reduced."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._faces = by_face(red_fives=match.rules.red_fives)

    def match(self) -> Match:
        """Return the reduced match."""
        match = self._match
        rules = Rules(red_fives=match.rules.red_fives)
        projection = FrameProjection(match, rules, win=self._win, draw=_draw, turns=True, arrange=arranged)
        frames = [self._frame(frame, projection) for frame in match.frames]
        known = red_fives([Played(frame.start, frame.events, lying) for frame, lying in frames])
        return Match(
            players=tuple([read_player(write_player(player))[0] for player in match.players]),
            frames=tuple([frame for frame, _ in frames]),
            final_points=None if match.results is None else final_points(match),
            results=match.results and tuple([read_point(write_point(result)) or 0 for result in match.results]),
            **read_title(write_title(match)).facts(red_fives=known),
        )

    def _frame(self, frame: Frame, projection: FrameProjection) -> tuple[Frame, Lying]:
        """Return what is held of *frame*, and the hands shown at its end."""
        if frame.start.indicator == UNKNOWN:
            frame = replace(frame, start=replace(frame.start, indicator=None))
        found = projection.frame(frame)
        shown: dict[int, tuple[int, ...]] = {}
        for ending in found.endings:
            if isinstance(ending, Win):
                closed = self._faces.hand(frame.end.hands[ending.player].tiles)
                shown[ending.player] = (*closed, ending.tile)
            else:
                shown = {player: hand for player, hand in enumerate(ending.shown or ()) if hand is not None}
        return replace(found, end=with_hands(found.end, shown)), shown

    def _win(self, win: Win, frame: Frame) -> Win:
        """Return *win* of *frame*, by face and with its payments, as it reads back."""
        score = win.score
        if score is None:
            winners = [ending.player for ending in frame.endings if isinstance(ending, Win)]
            points = worth(frame, winners.index(win.player), win.changes or (), self._match.point_rule)
            score = None if points is None else Score(None, points, Limit.NONE)
        return replace(
            win,
            score=score and _score(score, dealer=win.player == frame.start.dealer),
            pao=win.pao if score and score.yakuman else None,
            ura=win.ura if win.player in frame.riichi else (),
        )


def _score(score: Score, *, dealer: bool) -> Score:
    """Return *score* without the yaku of zero han, and the fu of a yakuman; its limit follows from the points."""
    yaku = tuple([one for one in score.yaku if one.han != 0])
    if score.yakuman:
        return Score(None, score.points, Limit.YAKUMAN, yaku)
    return Score(score.fu, score.points, limit_of(score.points, dealer=dealer), yaku, None if yaku else score.han)


def _draw(draw: Ryuukyoku, frame: Frame) -> Ryuukyoku:
    return replace(draw, kind=draw.kind or DrawKind.EXHAUSTIVE, shown=draw.shown or (None,) * len(frame.start.hands))


def arranged(events: Sequence[Event]) -> list[Event]:
    """Return *events* as they read back: with dora turned where the steps show them, a riichi in a frame that breaks
    off not accepted, nor declared without its tile, and tiles known that were drawn face down and then discarded or
    shown."""
    found = _with_turns(events)
    if found and type(found[-1]) is RiichiDeclared:  # it is written with its tile
        found.pop()
    if (place := unconfirmed(found)) is not None:
        del found[place]
    riichi: set[int] = set()
    for place, event in enumerate(found):
        if type(event) is RiichiAccepted:
            riichi.add(event.player)
        elif type(event) is Draw and event.tile == UNKNOWN:
            found[place] = DRAWS[event.player][_known(event, found[place + 1 :], riichi)]
    return found


def _known(draw: Draw, after: Sequence[Event], riichi: set[int]) -> int:
    """Return the tile of *draw* as far as the events *after* it show."""
    then = next((event for event in after if type(event) is not DoraRevealed), None)
    if type(then) is Discard and draw.player in riichi:
        return then.tile
    hand = then.shown[draw.player] if isinstance(then, Ryuukyoku) and then.shown else None
    return hand[-1] if hand else UNKNOWN


def _with_turns(events: Sequence[Event]) -> list[Event]:
    """Return *events* with dora turned where the steps show them: a dora is written after the next draw or discard, or
    before the next dora or the end, and reads back before a draw or discard right before it."""
    found: list[Event] = []
    last: int | None = None  # the place of a draw or discard after which nothing is written so far
    turned: DoraRevealed | None = None
    for event in events:
        kind = type(event)
        if turned is not None and kind in _BEFORE_WHICH:
            found.insert(len(found) if last is None else last, turned)
            turned = last = None
        if kind is DoraRevealed:
            turned = event  # type: ignore[assignment]
            continue
        found.append(event)
        if kind is Draw or kind is Discard:
            last = len(found) - 1
            if turned is not None:
                found.insert(last, turned)
                turned = last = None
        elif kind not in _WITH_DISCARDS:
            last = None
    if turned is not None:
        found.insert(len(found) if last is None else last, turned)
    return found


_BEFORE_WHICH = frozenset((DoraRevealed, Win, Ryuukyoku))
_WITH_DISCARDS = frozenset((RiichiDeclared, RiichiAccepted))
"""The events that are written with the discard."""
