"""Formats the summary of a match as lines of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from textwrap import wrap

from jmjp_convert.cli.text_width import columns, width
from jmjp_convert.view.summary import PlayerInfo, Summary

WIDTH = 80
"""The maximum columns of a line; only absurdly large numbers exceed it."""

_DAYS = {"sun": "日", "mon": "月", "tue": "火", "wed": "水", "thu": "木", "fri": "金", "sat": "土"}
_PLAYERS = {
    "en": ("#", "Player", "Dan", "Rate", "Team", "Affiliation"),
    "ja": ("#", "対局者", "段位", "R", "チーム", "所属"),
}
_FRAMES = {"en": ("Frame", "Dealer", "Sticks", "End"), "ja": ("局", "親", "供託", "結果")}
_RESULT = {"en": "Result", "ja": "最終結果"}

# Shorten outcome texts to leave out fu, han and yaku. jmjp that we wrote has these texts as comments, so a game looks
# the same from its log and from its jmjp.
_SHORTER = (
    (re.compile(r"((?:Tsumo|Ron): [\w ]+)(?:,[\w ]+, ([0-9]+) points: .*)?"), r"\1 \2"),
    (re.compile(r"((?:ツモ|ロン) \S+)(?:(?: \S+){1,2} ([0-9]+)点 .*)?"), r"\1 \2"),
    (re.compile(r"Exhaustive draw: East, South, West, North tenpai"), "Draw: all tenpai"),
    (re.compile(r"Exhaustive draw: (?!East, South, West, North)(.*)"), r"Draw: \1"),
    (re.compile(r"(Nagashi mangan: [\w ,]+); .*"), r"\1"),
)

_LONG_END, _SHORT_NAME = 33, 6  # columns: our own outcome lines need so many; every text keeps so many

_Safe = Callable[[str], str]
_Row = Sequence[str]
_Narrow = tuple[Sequence[int], int]


def summary_lines(info: Summary, lang: str, safe: _Safe) -> Iterator[str]:
    """Yield *info*, which is in *lang*, as lines of text.

    :param safe: escapes what the terminal cannot show in one line.
    """
    day = info.weekday and (info.weekday.capitalize() if lang == "en" else _DAYS[info.weekday])
    when = " ".join(filter(None, (info.date, day, info.time)))
    head = (", ".join(filter(None, (when, info.place))), info.tournament)
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
    """Return *end*, the outcome of a frame, in short form, one item per win."""
    wins = end.split(" / ")
    short = [form.sub(to, win).rstrip() for win in wins for form, to in _SHORTER if form.fullmatch(win)]
    return short if len(short) == len(wins) else [end]


def _table(rows: Sequence[_Row], right: Sequence[int], narrow: Sequence[_Narrow], safe: _Safe) -> Iterator[str]:
    """Yield *rows* as lines with aligned columns.

    :param right: the right-aligned columns.
    :param narrow: groups of columns to narrow, in this order, until the table fits, each with its minimum width.
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
    """Return *text* padded to *room* columns, or cut to them with an ellipsis."""
    if width(text) > room:
        more = "…" if safe("…") == "…" else "."
        text = text[: sum(taken < room for taken in accumulate(columns(text)))] + more
    gap = " " * (room - width(text))
    return gap + text if right else text + gap
