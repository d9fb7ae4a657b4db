"""Formats the summary of a match as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby
from textwrap import wrap
from typing import NamedTuple

from jmjp_convert.cli.console import WIDTH
from jmjp_convert.cli.outcome_words import outcomes
from jmjp_convert.cli.text import Column, Paint, columns, distinct, fits, table, wrapped
from jmjp_convert.view.summary import Summary

_DAYS = {"sun": "日", "mon": "月", "tue": "火", "wed": "水", "thu": "木", "fri": "金", "sat": "土"}
_PLAYERS = {
    "en": ("#", "Player", "Dan", "Rate", "Team", "Affiliation", "Place", "Result"),
    "ja": ("#", "対局者", "段位", "R", "チーム", "所属", "順位", "最終結果"),
}
_RIGHT = frozenset(heads[place] for heads in _PLAYERS.values() for place in (0, 3, 6, 7))
_NAME = frozenset(heads[1] for heads in _PLAYERS.values())
_FRAMES = {"en": ("Frame", "Sticks", "End"), "ja": ("局", "供託", "結果")}
_FRAMES_NARROW = {"en": ("Frame", "Sticks", "End, points by player"), "ja": ("局", "供託", "結果、対局者順の点数")}
_WINDS = dict(zip("ESWN", "東南西北", strict=True))
_PRESENCES = {"en": ("{} disconnected", "{} returned"), "ja": ("{} 切断", "{} 復帰")}
_COMMA = {"en": ", ", "ja": "、"}

_SHORT_NAME, _LEAST_END = 6, 24  # columns that every text keeps

_Safe = Callable[[str], str]


def summary_lines(
    info: Summary, lang: str, safe: _Safe, *, room: int = WIDTH, paint: Paint | None = None
) -> Iterator[str]:
    """Yield *info*, which is in *lang*, as lines of text.

    :param safe: escapes what the terminal cannot show in one line.
    :param room: the columns of a line.
    :param paint: colors what stands out; by default, nothing does.
    """
    paint = paint or Paint(on=False)
    day = info.weekday and (info.weekday.capitalize() if lang == "en" else _DAYS[info.weekday])
    when = " ".join(filter(None, (info.date, day, info.time)))
    head = (", ".join(filter(None, (when, info.place))), info.tournament, info.id)
    for line in map(safe, filter(None, head)):
        taken = columns(line)
        yield from wrap(line, room if sum(taken) <= room else room // max(taken), max_lines=3)
    if any(head):
        yield ""
    more = "…" if safe("…") == "…" else "."
    names = [player.name or f"#{number}" for number, player in enumerate(info.players)]
    heading, *rows = table(_players(info, names, lang, safe), room, more)
    yield from map(paint.heading, heading)
    yield from chain.from_iterable(rows)
    frames = list(_frames(info, names, lang))
    if not frames:
        return
    yield ""
    shown = _frame_columns(info, frames, names, lang, safe)
    if not fits(shown, room):
        frames = list(_points_below(frames, len(names)))
        shown = _frame_columns(info, frames, (), lang, safe)
    heading, *rows = table(shown, room, more)
    yield from map(paint.heading, heading)
    for frame, lines in zip(frames, rows, strict=True):
        yield from map(paint.great, lines) if frame.great else lines
    presences = list(_presences(info, names, lang))
    if presences:
        yield ""
    for line in presences:
        yield from wrapped(safe(line), room, "  ")


def frame_label(frame: str, lang: str) -> str:
    """Return the name of a frame in *lang*: ``frame_label("S2-1", "ja") == "南2局1本場"``."""
    if lang == "en":
        return frame
    round_, _, honba = frame.partition("-")
    return f"{_WINDS[round_[0]]}{round_[1:]}局" + (f"{honba}本場" if honba != "0" else "")


# --- tables ----------------------------------------------------------------------------------------------------------


def _players(info: Summary, names: Sequence[str], lang: str, safe: _Safe) -> list[Column]:
    """Return the columns of the table of players: those where anything is known."""
    rows = [_PLAYERS[lang], *(_player_row(number, name, info) for number, name in enumerate(names))]
    least = distinct(list(map(safe, names)), _SHORT_NAME)
    columns = []
    for head, cells in zip(_PLAYERS[lang], zip(*rows, strict=True), strict=True):
        right = head in _RIGHT
        if any(cells[1:]):
            column = [safe(cell) for cell in cells]
            columns.append(Column(column, right, 0 if right else least if head in _NAME else _SHORT_NAME))
    return columns


def _player_row(number: int, name: str, info: Summary) -> Sequence[str]:
    player = info.players[number]
    dan = "" if player.dan is None else str(player.dan)
    rate = "" if player.rate is None else f"{player.rate:.2f}"
    place = "" if info.places is None else str(info.places[number])
    result = "" if info.results is None else _signed(info.results[number])
    return str(number), name, player.rank or dan, rate, player.team or "", player.affiliation or "", place, result


def _signed(result: float) -> str:
    return f"{result:+.1f}" if result else "0.0"


class _Row(NamedTuple):
    """A row of the table of frames: its cells, and whether it is a yakuman."""

    cells: Sequence[str]
    great: bool = False


def _frames(info: Summary, names: Sequence[str], lang: str) -> Iterator[_Row]:
    """Yield the rows of the table of frames, a row for each ending."""
    for frame in info.frames:
        sticks = "-" if frame.sticks is None else str(frame.sticks)
        points = map(str, frame.points) if frame.points else "-" * len(names)
        first, *rest = outcomes(frame, names, lang)
        yield _Row((frame_label(frame.frame, lang), sticks, first.text, *points), first.great)
        yield from (_Row(("", "", end.text, *[""] * len(names)), end.great) for end in rest)


def _points_below(rows: Sequence[_Row], players: int) -> Iterator[_Row]:
    """Yield *rows* for a narrow terminal: without the columns of points, which are a row of their own, in the order of
    the players, below the endings of each frame."""
    number = max(len(cell) for row in rows for cell in row.cells[-players:])
    points = ""
    for row in rows:
        label, sticks, end, *cells = row.cells
        if label and points:
            yield _Row(("", "", points))
        points = " ".join(cell.rjust(number) for cell in cells) if label else points
        yield _Row((label, sticks, end), row.great)
    yield _Row(("", "", points))


def _frame_columns(info: Summary, rows: Sequence[_Row], names: Sequence[str], lang: str, safe: _Safe) -> list[Column]:
    """Return the columns of the table of frames, the points below *names*; without riichi sticks if there never are
    any."""
    heads = (_FRAMES if names else _FRAMES_NARROW)[lang]
    cells = zip((*heads, *names), *(row.cells for row in rows), strict=True)
    label, sticks, end, *points = ([safe(cell) for cell in column] for column in cells)
    longest = max((len(cell) for column in points for cell in column[1:]), default=0)
    least = max(distinct([column[0] for column in points], _SHORT_NAME), longest)
    columns = [Column(label), Column(sticks, right=True), Column(end, least=_LEAST_END, wraps=True)]
    if not any(frame.sticks for frame in info.frames):
        del columns[1]
    return [*columns, *(Column(column, right=True, least=least) for column in points)]


def _presences(info: Summary, names: Sequence[str], lang: str) -> Iterator[str]:
    """Yield disconnections and returns, by frame."""
    for frame, found in groupby(info.presences, key=lambda presence: presence.frame):
        words = (_PRESENCES[lang][presence.returned].format(names[presence.player]) for presence in found)
        label = f"{frame_label(frame, lang)}: " if frame else ""
        yield label + _COMMA[lang].join(words)
