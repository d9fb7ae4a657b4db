"""Leaves out of a match who played it and where it comes from; the play stays."""

from __future__ import annotations

from jmjp_convert.formats.losses.play import drop_other_name
from jmjp_convert.lazy_regex import regex
from jmjp_convert.model import (
    Frame,
    Match,
    Name,
    Player,
    Rules,
    Text,
    Tournament,
    houses,
    tenhou,
)
from jmjp_convert.model.record import replace
from jmjp_convert.play.outcome_text import describe

NAMES = "ABCD"
"""What players are called, in player order: A is the first dealer."""

_PLAIN = regex(r"on|off|-?[0-9]{1,6}")
_NAMING = frozenset(("title", "ranking"))
"""The settings that name a table or its list of results."""


def anonymous(match: Match) -> Match:
    """Return *match* without what says who played it, and when, and which log it is from.

    Players are called A, B, C and D, A being the first dealer, and nothing else is said of them: no rank, rating, sex,
    account, team. Left out are the log ID, the file name, date and times, the place unless it is Tenhou, lobbies,
    tournaments, recorders, their comments and notes, shuffle seeds and recorded walls (with their hashes), and changes
    of rank points. What is left is the play, tile by tile, with thinking times, the rules, points and results. Anyone
    who has the original log can recognize it by that.

    :func:`dumps` and :func:`write` do this with ``anonymous=True``, after filling in the wall if that is wanted.
    """
    code = match.rules.code
    return replace(
        match,
        rules=_rules(match.rules),
        players=tuple([Player(Name(Text(name))) for name in NAMES[: len(match.players)]]),
        frames=tuple(map(_frame, match.frames)),
        id=None,
        source=None,
        tournament=Tournament(tenhou.title(code, None)) if code is not None else _tournament(match.tournament),
        date=None,
        weekday=None,
        time=None,
        place=match.place if match.place == tenhou.NAME else None,
        recorders=(),
        shuffle=None,
        before=tuple(map(drop_other_name, match.before)),
        tour_points=None,
        started=None,
        ended=None,
        rank_changes=None,
    )


def _rules(rules: Rules) -> Rules:
    """Return *rules* without what names a private table: its lobby, and settings other than numbers and switches."""
    settings = [(name, value) for name, value in rules.custom if name not in _NAMING]
    kept = tuple([setting for setting in settings if _PLAIN.fullmatch(setting[1]) or setting[1] in houses.GAMES])
    return replace(rules, lobby=None if rules.lobby else rules.lobby, custom=kept)


def _tournament(tournament: Tournament | None) -> Tournament | None:
    """Return *tournament* if it is no tournament but the name of a server's rules."""
    name = tournament.name if tournament else None
    if name is None or not all(map(houses.is_name_of_rules, filter(None, (name.native, name.roman)))):
        return None
    return Tournament(name)


def _frame(frame: Frame) -> Frame:
    """Return *frame* without its seed and wall, without other names of players, without notes, and without a comment
    that does not just say how it ended."""
    return replace(
        frame,
        start=replace(frame.start, shuffle=None),
        events=tuple(map(drop_other_name, frame.events)),
        wall=None,
        comment=frame.comment if frame.comment == describe(frame) else None,
        notes=(),
    )
