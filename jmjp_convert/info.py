"""What a person wants to see of a match, in one language: a summary, fit for JSON, and its lines of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from textwrap import wrap
from unicodedata import normalize

from jmjp_convert.columns import columns, width
from jmjp_convert.describe import WINDS, describe
from jmjp_convert.model import Frame, Match, Name, Player, Text, Tournament, Win
from jmjp_convert.records import record
from jmjp_convert.tenhou import RANKS, rating

WIDTH = 80
"""The columns that lines keep to, but for numbers beyond all measure."""
LANGUAGES = ("en", "ja")

_DAYS = {"sun": "日", "mon": "月", "tue": "火", "wed": "水", "thu": "木", "fri": "金", "sat": "土"}
_RANKS = {
    "en": ("newcomer", *(f"{9 - n} kyu" for n in range(9)), *(f"{n + 1} dan" for n in range(10)), "tenhou"),
    "ja": tuple(normalize("NFKC", rank) for rank in RANKS),  # with plain digits
}
_MATCHES = {"en": ("match {}", "match {} of the day"), "ja": ("第{}戦", "当日第{}戦")}
_PLAYERS = {
    "en": ("#", "Player", "Dan", "Rate", "Team", "Affiliation"),
    "ja": ("#", "対局者", "段位", "R", "チーム", "所属"),
}
_FRAMES = {"en": ("Frame", "Dealer", "Sticks", "End"), "ja": ("局", "親", "供託", "結果")}
_RESULT = {"en": "Result", "ja": "成績"}
_ENDS = {"en": ("Tsumo: {}", "Ron: {} from {}", "Draw"), "ja": ("ツモ {}", "ロン {}←{}", "流局")}

# The lines of `describe` without fu, han and yaku. They stand in our own jmjp too: so a game looks the same in either.
_SHORTER = (
    (re.compile(r"((?:Tsumo|Ron): [\w ]+)(?:,[\w ]+, ([0-9]+) points: .*)?"), r"\1 \2"),
    (re.compile(r"((?:ツモ|ロン) \S+)(?:(?: \S+){1,2} ([0-9]+)点 .*)?"), r"\1 \2"),
    (re.compile(r"Exhaustive draw: East, South, West, North tenpai"), "Draw: all tenpai"),
    (re.compile(r"Exhaustive draw: (?!East, South, West, North)(.*)"), r"Draw: \1"),
    (re.compile(r"(Nagashi mangan: [\w ,]+); .*"), r"\1"),
)

_LONG_END, _SHORT_NAME = 33, 6  # columns: what our own lines of an end take, what is left of any text

_Safe = Callable[[str], str]
_Row = Sequence[str]
_Narrow = tuple[Sequence[int], int]


@record
class PlayerInfo:
    """A player. *dan* is Tenhou's number, 0 to 20, and *rank* the name of that."""

    name: str | None
    dan: int | None
    rank: str | None
    rate: float | None
    team: str | None
    affiliation: str | None


@record
class WinInfo:
    """A win of *player*, off *source* (``None`` by tsumo), and the *points* that the hand is worth, without honba."""

    player: int
    source: int | None
    points: int | None


@record
class FrameInfo:
    """A frame: its name, the *dealer* (a player), the riichi *sticks* on the table as it starts, how it ended in words
    and its wins, and everybody's *points* after it."""

    frame: str
    dealer: int
    sticks: int | None
    end: str | None
    wins: tuple[WinInfo, ...]
    points: tuple[int, ...] | None


@record
class Summary:
    """A match. These fields, and those of the records in it, are stable: they are the keys of ``jmjp info --json``.

    Players are numbers, 0 the first dealer, and tuples run by player; points are in points (25000), results in
    thousands (-41.0); *date* is ``YYYY-MM-DD``, *weekday* ``sun`` … ``sat``, *time* ``HH:MM``; *tournament* is its name
    or that of the rules. ``None`` is "not recorded".
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


def summary(match: Match, lang: str) -> Summary:
    """Return what is to be seen of *match* in *lang*, of :data:`LANGUAGES`, or in the other where there is no text."""
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
        final_points=_points(match.final_points),
        results=tuple(value / 10 for value in match.results) if match.results else None,
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
    rank = ranks[dan] if dan is not None and 0 <= dan < len(ranks) else None
    team, affiliation = _text(player.team, lang), _text(player.affiliation, lang)
    return PlayerInfo(_name(player.name, lang), dan, rank, rating(player.rate), team, affiliation)


def _points(values: Sequence[int] | None) -> tuple[int, ...] | None:
    return tuple(value * 100 for value in values) if values else None


def _frame(frame: Frame, players: int, lang: str) -> FrameInfo:
    start = frame.start
    wins = tuple(_win(event) for event in frame.endings if isinstance(event, Win))
    end = _text(describe(frame) if frame.comment is None else frame.comment, lang)
    if end is None and frame.endings:
        tsumo, ron, draw = _ENDS[lang]
        winds = [WINDS[(player - start.dealer) % players][lang == "en"] for player in range(players)]
        said = ((tsumo if win.source is None else ron, winds[win.player], winds[win.source or 0]) for win in wins)
        end = " / ".join(form.format(winner, source) for form, winner, source in said) or draw
    return FrameInfo(start.name, start.dealer, start.sticks, end, wins, _points(frame.end.points))


def _win(win: Win) -> WinInfo:
    source = None if win.source == win.player else win.source
    return WinInfo(win.player, source, win.score.points * 100 if win.score else None)


def lines(info: Summary, lang: str, safe: _Safe) -> Iterator[str]:
    """Yield *info*, which is in *lang*, as lines of text.

    :param safe: makes any text one that the terminal can show, in one line.
    """
    day = info.weekday and (info.weekday.capitalize() if lang == "en" else _DAYS[info.weekday])
    head = (_joined(", ", _joined(" ", info.date, day, info.time), info.place), info.tournament)
    for line in map(safe, filter(None, head)):
        taken = columns(line)
        yield from wrap(line, WIDTH if sum(taken) <= WIDTH else WIDTH // max(taken), max_lines=3)
    if any(head):
        yield ""
    names = [player.name or f"#{number}" for number, player in enumerate(info.players)]
    rows = [_PLAYERS[lang], *map(_player_row, range(len(names)), names, info.players)]
    known = [column for column in zip(*rows, strict=True) if any(column[1:])]
    rates = [index for index, column in enumerate(known) if column[0] == _PLAYERS[lang][3]]
    yield from _table(list(zip(*known, strict=True)), [0, *rates], [(range(1, len(known)), _SHORT_NAME)], safe)
    yield ""
    rows = [(*_FRAMES[lang], *names), *_frame_rows(info, names, lang)]
    of_players = range(4, 4 + len(names))
    longest = max((len(cell) for row in rows[1:] for cell in row[4:]), default=0)
    narrow = [((3,), _LONG_END), ((1, *of_players), max(_SHORT_NAME, longest)), ((3,), _SHORT_NAME)]
    yield from _table(rows, [2, *of_players], narrow, safe)


def _player_row(number: int, name: str, player: PlayerInfo) -> _Row:
    dan = "" if player.dan is None else str(player.dan)
    rate = "" if player.rate is None else f"{player.rate:.2f}"
    return str(number), name, player.rank or dan, rate, player.team or "", player.affiliation or ""


def _frame_rows(info: Summary, names: Sequence[str], lang: str) -> Iterator[_Row]:
    for frame in info.frames:
        first, *more = _short(frame.end or "")
        sticks = "-" if frame.sticks is None else str(frame.sticks)
        points = map(str, frame.points) if frame.points else "-" * len(names)
        yield frame.frame, names[frame.dealer], sticks, first, *points
        yield from (("", "", "", end, *([""] * len(names))) for end in more)
    if info.results:
        yield "", "", "", _RESULT[lang], *(f"{result:+.1f}" if result else "0.0" for result in info.results)


def _short(end: str) -> list[str]:
    """Return *end*, which tells how a frame ended, in few words, and each win by itself."""
    wins = end.split(" / ")
    short = [form.sub(to, win).rstrip() for win in wins for form, to in _SHORTER if form.fullmatch(win)]
    return short if len(short) == len(wins) else [end]


def _table(rows: Sequence[_Row], right: Sequence[int], narrow: Sequence[_Narrow], safe: _Safe) -> Iterator[str]:
    """Yield *rows* in columns.

    :param right: the columns whose cells stand at the right.
    :param narrow: which columns give way where not all fit, one group after the other, and how narrow they become.
    """
    shown = [[safe(cell) for cell in row] for row in rows]
    widths = [min(max(width(cell) for cell in column), WIDTH) for column in zip(*shown, strict=True)]
    for group, least in narrow:
        while sum(widths) + len(widths) - 1 > WIDTH and widths[widest := max(group, key=widths.__getitem__)] > least:
            widths[widest] -= 1
    between = "  " if sum(widths) + 2 * (len(widths) - 1) <= WIDTH else " "
    for row in shown:
        cells = (_fitted(cell, widths[index], safe, right=index in right) for index, cell in enumerate(row))
        yield between.join(cells).rstrip()


def _fitted(text: str, room: int, safe: _Safe, *, right: bool = False) -> str:
    """Return *text* in *room* columns; what is too long is cut, with a mark that there is more."""
    if width(text) > room:
        more = "…" if safe("…") == "…" else "."
        text = text[: sum(taken < room for taken in accumulate(columns(text)))] + more
    gap = " " * (room - width(text))
    return gap + text if right else text + gap
