"""Reduce a match to what tenhou.net/6 holds, and so to what must read back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from jmjp_convert.errors import PlayError
from jmjp_convert.formats.assembly import Assembly, Played, points_after
from jmjp_convert.formats.by_face import FrameProjection
from jmjp_convert.formats.faces import ByFace, by_face
from jmjp_convert.formats.tenhou6.frames import items
from jmjp_convert.formats.tenhou6.heads import rank_of
from jmjp_convert.formats.tenhou6.outcomes import showing
from jmjp_convert.formats.tenhou6.plays import has_red
from jmjp_convert.formats.tenhou6.presences import inserted, marks, marks_in
from jmjp_convert.formats.tenhou6.results import held_score, unanimous
from jmjp_convert.formats.tenhou6.sticks import with_sticks
from jmjp_convert.formats.tenhou6.titles import display, is_tenhou, moment_of, title, tournament_of
from jmjp_convert.formats.tenhou6.writer import dans, final, rates, sexes
from jmjp_convert.model import (
    DrawKind,
    Ending,
    Event,
    Frame,
    House,
    Match,
    Player,
    RiichiAccepted,
    RiichiDeclared,
    Rules,
    Ryuukyoku,
    Win,
    dates,
    handle,
    log_ids,
)
from jmjp_convert.model.events import ABORTIVE
from jmjp_convert.model.houses import rules_of
from jmjp_convert.model.record import replace


def held(match: Match, *, per_frame: bool = False, url: bool = False) -> Match:
    """Return *match* as it reads back: whole, or as separate frames, which have only names, the rules' name and the
    play.

    The name of the rules and the log ID tell the rules. Of the play everything is kept but the copies of tiles and when
    a dora was turned; disconnections come right after a step.
    """
    whole = not (per_frame or url)
    rules = held_rules(match, whole=whole)
    date, tournament = _titled(match, rules, whole=whole)
    points = final(match) if whole else None
    players = rules.players
    return Match(
        rules=rules,
        players=_players(match, whole=whole),
        frames=_frames(match, rules, whole=whole),
        id=_id(match) if whole else None,
        tournament=tournament,
        date=date,
        weekday=date and dates.weekday(date),
        before=tuple([mark.event for mark in marks(match.before)]) if whole else (),
        final_points=None if points is None else tuple(map(int, points[: 2 * players : 2])),
        results=None if points is None else tuple([round(share * 1000) for share in points[1 : 2 * players : 2]]),
    )


def _id(match: Match) -> str | None:
    return match.id if match.id and log_ids.identify(match.id) else None


def held_rules(match: Match, *, whole: bool) -> Rules:
    """Return the rules of *match* as they read back."""
    red = bool(match.rules.red_fives) or (
        match.rules.red_fives is None and any(has_red(items(frame, match.rules)) for frame in with_sticks(match.frames))
    )
    rules = rules_of(
        display(match),
        match.id if whole else None,
        players=match.rules.players,
        red_fives=red,
        lobby=match.rules.lobby if whole else None,
    )
    if rules.house is None and whole and is_tenhou(match.rules) and not any(title(match)):
        rules = replace(rules, house=House.TENHOU)
    return rules


def _titled(match: Match, rules: Rules, *, whole: bool) -> tuple[str | None, Any]:
    """Return the date and the tournament."""
    name, second = title(match)
    moment = moment_of(second)
    tournament = tournament_of(rules, name, "" if moment else second, display(match))
    known = log_ids.identify(match.id or "") if whole else None
    return moment[0] if moment else known and known.date, tournament


def _players(match: Match, *, whole: bool) -> tuple[Player, ...]:
    people = [Player(handle(player.name)) for player in match.players]
    if not whole:
        return tuple(people)
    ranks, rated, sexed = dans(match), rates(match), sexes(match)
    for number, player in enumerate(people):
        dan, rank = rank_of(ranks[number]) if ranks else (None, None)
        rate = rated[number] if rated else None
        people[number] = replace(player, dan=dan, rank=rank, rate=rate, sex=(sexed[number] or None) if sexed else None)
    return tuple(people)


# --- frames ----------------------------------------------------------------------------------------------------------


def _frames(match: Match, rules: Rules, *, whole: bool) -> tuple[Frame, ...]:
    faces = by_face(red_fives=match.rules.red_fives)
    projection = FrameProjection(match, rules, win=partial(_win, faces=faces), draw=_draw, turns=False)
    frames = with_sticks(match.frames)
    read = []
    for frame in frames:
        played = _as_read(projection.played(frame), frame)
        events = inserted(played.events, marks_in(frame)) if whole else played.events
        read.append(played._replace(events=events))
    assembly = Assembly(rules, _refuse)
    for number, played in enumerate(read):
        known = all(event.changes is not None for event in played.events if isinstance(event, Ending))
        then = read[number + 1].start if number + 1 < len(read) else None
        assembly.add(played, None if known else points_after(played, then))
    return assembly.frames()


def _refuse(error: PlayError, _number: int) -> None:
    raise error


def _as_read(played: Played, frame: Frame) -> Played:
    """Return *played* without a riichi that breaks off at the end, and with what a draw shows."""
    events = played.events
    if not frame.endings:
        return played._replace(events=_broken_off(events))
    draw = events[-1]
    if not isinstance(draw, Ryuukyoku):
        return played
    last = events[-2] if len(events) > 1 else None
    ending = frame.endings[-1]
    assert isinstance(ending, Ryuukyoku)
    return played._replace(shown=showing(draw, len(played.start.hands), unanimous(ending), last))


def _broken_off(events: Sequence[Event]) -> Sequence[Event]:
    """Return *events* without a riichi at the end that nobody can see declared or accepted."""
    return events[:-1] if events and isinstance(events[-1], RiichiDeclared | RiichiAccepted) else events


def _win(win: Win, frame: Frame, faces: ByFace) -> Win:
    shown = next((event.ura for event in frame.endings if isinstance(event, Win) and event.ura), ())
    ura = tuple([faces.any[tile] for tile in shown])
    pao = None if win.pao == win.player else win.pao
    return replace(win, score=held_score(win, frame), pao=pao, ura=ura if win.player in frame.riichi else ())


def _draw(draw: Ryuukyoku, frame: Frame) -> Ryuukyoku:
    ending = frame.endings[-1]
    assert isinstance(ending, Ryuukyoku)
    kind, changes = draw.kind or DrawKind.EXHAUSTIVE, draw.changes
    if changes is None and (kind in ABORTIVE or unanimous(ending) is not None):
        changes = (0,) * len(frame.start.hands)
    return Ryuukyoku(kind, changes=changes)
