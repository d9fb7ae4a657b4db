"""Summarizes a match in one language, as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import normalize

from jmjp_convert.model import (
    TO_THE_LAST,
    DrawKind,
    Frame,
    Match,
    Name,
    Player,
    Presence,
    Returned,
    Ryuukyoku,
    Text,
    Tournament,
    Win,
)
from jmjp_convert.model.tenhou import RANKS
from jmjp_convert.model.yaku import LIMITS
from jmjp_convert.play.outcome_text import WINDS, describe
from jmjp_convert.play.points import points_at_end, ranking

LANGUAGES = ("en", "ja")

_RANKS = {
    "en": ("newcomer", *(f"{9 - n} kyu" for n in range(9)), *(f"{n + 1} dan" for n in range(10)), "tenhou"),
    "ja": tuple(normalize("NFKC", rank) for rank in RANKS),  # with plain digits
}
_MATCHES = {"en": ("match {}", "match {} of the day"), "ja": ("第{}戦", "当日第{}戦")}
_ENDS = {"en": ("Tsumo: {}", "Ron: {} from {}", "Draw"), "ja": ("ツモ {}", "ロン {}←{}", "流局")}


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """A player. *rank* is the name of the rank, and *dan* Tenhou's number for it, 0 to 20."""

    name: str | None
    dan: int | None
    rank: str | None
    rate: float | None
    team: str | None
    affiliation: str | None


@dataclass(frozen=True, slots=True)
class YakuInfo:
    """A yaku or dora and its *han*, ``None`` for a yakuman."""

    name: str
    han: int | None


@dataclass(frozen=True, slots=True)
class WinInfo:
    """A win by *player*, off *source* (``None`` for tsumo): the *points* of the hand, without honba, with *fu*, *han*,
    the name of the *limit* and the *yaku* that count; *pao* are the players responsible."""

    player: int
    source: int | None
    points: int | None
    fu: int | None = None
    han: int | None = None
    limit: str | None = None
    yaku: tuple[YakuInfo, ...] = ()
    pao: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawInfo:
    """A drawn frame: its *kind*, such as ``exhaustive`` or ``four riichi``, the players in *tenpai* (``None``: not
    recorded), and those paid for *nagashi* mangan."""

    kind: str
    tenpai: tuple[int, ...] | None
    nagashi: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PresenceInfo:
    """A disconnection or return of *player* during *frame*; before the first frame, that is ``None``."""

    player: int
    frame: str | None
    returned: bool


@dataclass(frozen=True, slots=True)
class FrameInfo:
    """A frame: its name, the *dealer* (a player), the riichi *sticks* on the table at its start, how it ended, in words
    and as wins or a draw, and every player's *points* after it. *comment* is what the recorder wrote instead."""

    frame: str
    dealer: int
    sticks: int | None
    end: str | None
    wins: tuple[WinInfo, ...]
    points: tuple[int, ...] | None
    draw: DrawInfo | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """A match. These fields, and those of the records in it, are stable: they are the keys of ``jmjp info --json``.

    Players are numbers, 0 the first dealer, and tuples are in player order; points are in points (25000), results in
    thousands (-41.0), *places* 1 to 4; *date* is ``YYYY-MM-DD``, *weekday* ``sun`` … ``sat``, *time* ``HH:MM``;
    *tournament* is the name of the tournament or of the rules. ``None`` means "not recorded".
    """

    id: str | None
    date: str | None
    weekday: str | None
    time: str | None
    place: str | None
    tournament: str | None
    players: tuple[PlayerInfo, ...]
    frames: tuple[FrameInfo, ...]
    final_points: tuple[int, ...] | None
    results: tuple[float, ...] | None
    places: tuple[int, ...] | None = None
    presences: tuple[PresenceInfo, ...] = ()


def summarize(match: Match, lang: str) -> Summary:
    """Return the summary of *match* in *lang*, of :data:`LANGUAGES`; a text missing there is in the other language."""
    day, time = match.date, match.time
    return Summary(
        id=match.id,
        date=f"{day[:4]}-{day[4:6]}-{day[6:]}" if day else None,
        weekday=match.weekday,
        time=f"{time[:2]}:{time[2:]}" if time else None,
        place=_text(match.place, lang),
        tournament=_tournament(match.tournament, lang) if match.tournament else None,
        players=tuple(_player(player, lang) for player in match.players),
        frames=tuple(_frame(frame, len(match.players), lang) for frame in match.frames),
        final_points=match.final_points or None,
        results=tuple(value / 1000 for value in match.results) if match.results else None,
        places=_placements(match),
        presences=tuple(_presences(match)),
    )


def _text(text: Text | None, lang: str) -> str | None:
    both = [text.roman or "", text.native or ""] if text else []
    return next(filter(str.strip, both if lang == "en" else reversed(both)), None)


def _name(name: Name | None, lang: str) -> str | None:
    return _joined(" ", _text(name.family, lang), _text(name.given, lang)) if name else None


def _joined(between: str, *parts: str | None) -> str | None:
    return between.join(filter(None, parts)) or None


def _tournament(tournament: Tournament, lang: str) -> str | None:
    year = None if tournament.year is None else f"{tournament.year:04}"
    numbers = zip(_MATCHES[lang], (tournament.stage_match, tournament.day_match), strict=True)
    matches = [form.format(number) for form, number in numbers if number is not None]
    return _joined(", ", _joined(" ", _text(tournament.name, lang), year), _text(tournament.stage, lang), *matches)


def _player(player: Player, lang: str) -> PlayerInfo:
    dan, ranks = player.dan, _RANKS[lang]
    rank = player.rank if dan is None else ranks[dan] if 0 <= dan < len(ranks) else None
    team, affiliation = _text(player.team, lang), _text(player.affiliation, lang)
    rate = None if player.rate is None else float(player.rate)
    return PlayerInfo(_name(player.full_name, lang), dan, rank, rate, team, affiliation)


def _frame(frame: Frame, players: int, lang: str) -> FrameInfo:
    start = frame.start
    wins = tuple(_win(win, lang) for win in frame.wins)
    described = describe(frame)
    end = _text(described if frame.comment is None else frame.comment, lang)
    if end is None and frame.endings:
        tsumo, ron, draw = _ENDS[lang]
        winds = [WINDS[(player - start.dealer) % players][lang == "en"] for player in range(players)]
        outcomes = ((tsumo if win.source is None else ron, winds[win.player], winds[win.source or 0]) for win in wins)
        end = " / ".join(form.format(winner, source) for form, winner, source in outcomes) or draw
    is_description = frame.comment is None or frame.comment == described
    comment = None if is_description else _text(frame.comment, lang)
    draws = [_draw(event) for event in frame.endings if isinstance(event, Ryuukyoku) and event.kind]
    drawn = draws[0] if draws else None
    return FrameInfo(start.name, start.dealer, start.sticks, end, wins, frame.end.points or None, drawn, comment)


def _win(win: Win, lang: str) -> WinInfo:
    score = win.score
    if score is None:
        return WinInfo(win.player, win.source, None, pao=win.pao)
    limit = LIMITS.get(score.limit)
    yaku = (YakuInfo(yaku.english if lang == "en" else yaku.japanese, yaku.han) for yaku in score.counting_yaku)
    return WinInfo(
        win.player, win.source, score.points, score.fu, score.han, limit and limit[lang == "en"], tuple(yaku), win.pao
    )


_SHOWS_TENPAI = frozenset((*TO_THE_LAST, DrawKind.FOUR_RIICHI, DrawKind.TRIPLE_RON))
"""The draws at which those in tenpai show their hands: at a triple ron, those who would have won."""


def _draw(draw: Ryuukyoku) -> DrawInfo:
    assert draw.kind is not None
    tenpai = None
    if draw.shown is not None and draw.kind in _SHOWS_TENPAI:
        tenpai = tuple(player for player, hand in enumerate(draw.shown) if hand is not None)
    paid = enumerate(draw.changes or ()) if draw.kind is DrawKind.NAGASHI else ()
    return DrawInfo(draw.kind.value, tenpai, tuple(player for player, change in paid if change > 0))


def _placements(match: Match) -> tuple[int, ...] | None:
    """Return every player's placement, 1 first, if the match is known to have ended, and with which points."""
    points = points_at_end(match)
    if points is None:
        return None
    order = ranking(points)
    return tuple(order.index(player) + 1 for player in range(len(points)))


def _presences(match: Match) -> Iterator[PresenceInfo]:
    """Yield disconnections and returns, in order."""
    yield from (PresenceInfo(event.player, None, isinstance(event, Returned)) for event in match.before)
    for frame in match.frames:
        for event in frame.events:
            if isinstance(event, Presence):
                yield PresenceInfo(event.player, frame.start.name, isinstance(event, Returned))
