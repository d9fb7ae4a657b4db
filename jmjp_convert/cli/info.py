"""``jmjp info``: shows the players, frames and result of a game."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import chain, groupby
from textwrap import wrap
from typing import NamedTuple

import click

from jmjp_convert.batch.survey import Opened, is_collection
from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command, option
from jmjp_convert.cli.console import WIDTH, Paint, language_of_stdout, paint_for, printable, room_of_stdout, write
from jmjp_convert.cli.japanese import WINDS
from jmjp_convert.cli.language import ENGLISH
from jmjp_convert.cli.report import Report
from jmjp_convert.cli.surveying import Collection, collection_options, names_option, surveyed
from jmjp_convert.cli.text_table import Column, columns, distinct, fits, table, wrapped
from jmjp_convert.formats.reading import Reading
from jmjp_convert.model import TO_THE_LAST, DrawKind, Limit
from jmjp_convert.model.yaku import LIMITS
from jmjp_convert.play.outcome_text import DRAWS
from jmjp_convert.view.summary import DrawInfo, FrameInfo, Summary, WinInfo, summarize

_EPILOG = """\b
Examples:
  jmjp info log.xml
  jmjp info --lang ja *.mjlog
  jmjp info --json *.jmjp > games.json
  curl ... | jmjp info -
"""

_HELP = f"""Show a game: date and place, players, how each hand ended, and the result.

SRC is {options.INPUT}, a directory or archive of them, or - for
stdin. A file that fails is reported on stderr and does not stop the rest.
"""


@click.command("info", cls=Command, help=_HELP, epilog=_EPILOG)
@options.sources
@option("--json", "as_json", is_flag=True, help="Write JSON: a list with one object per match.")
@names_option
@options.quiet_option
@collection_options
@options.reading
def command(
    srcs: tuple[str, ...], *, as_json: bool, lang: str | None, quiet: bool, collection: Collection, reading: Reading
) -> int:
    """Show a game."""
    options.check_sources(srcs, reading)
    report = Report(quiet=quiet, verbose=collection.verbose)
    separator, between = ("[", ",\n") if as_json else ("", "\n")
    alone = len(srcs) == 1 and not is_collection(srcs[0])
    lang = lang or (ENGLISH if as_json else language_of_stdout())
    task = partial(_blocks, as_json=as_json, lang=lang, alone=alone, room=room_of_stdout(), paint=paint_for(sys.stdout))
    bar = not quiet and (as_json or sys.stdout is None or not sys.stdout.isatty())
    for _, blocks in surveyed(srcs, task, reading, report, collection, bar=bar):
        for block in blocks or ():
            write(separator + block)
            separator = between
    if as_json:
        write("]\n" if separator == between else "[]\n")
    report.say_skipped()
    return report.exit_code


def _blocks(opened: Opened, *, as_json: bool, lang: str, alone: bool, room: int, paint: Paint) -> list[str]:
    """Return a block for each match of one file, JSON or text with a heading unless it is *alone*; called in any
    process."""
    blocks, matches = [], opened.judged()
    for number, match in enumerate(matches, 1):
        summary = summarize(match, lang)
        if as_json:  # in ASCII only, which every console can show
            values = {"file": opened.input.source, "match": number, **asdict(summary)}
            blocks.append(json.dumps(values).replace("\x7f", "\\u007f"))
            continue
        lines = list(summary_lines(summary, lang, printable, room=room, paint=paint))
        if len(matches) > 1 or not alone:
            which = f" #{number}" if len(matches) > 1 else ""
            lines.insert(0, printable(f"==> {opened.input.label}{which} <=="))
        blocks.append("\n".join(lines) + "\n")
    return blocks


# --- how a frame ended ------------------------------------------------------------------------------------------------

_KINDS = {kind.value: names for kind, names in DRAWS.items()}


class Outcome(NamedTuple):
    """One ending of a frame, in words; *great* for a yakuman."""

    text: str
    great: bool = False


_WORDS = {
    "tsumo": ("{} tsumo", "{} ツモ"),
    "ron": ("{} ron off {}", "{} ロン←{}"),
    "points": (" {}", " {}点"),
    "fu and han": (", {} fu {} han", " {}符{}飜"),
    "han": (", {} han", " {}飜"),
    "yaku": (": {}", " {}"),
    "between yaku": (", ", "、"),
    "han of a yaku": (" {}", "{}"),
    "pao": ("; pao {}", " 包 {}"),
    "nagashi": (" {}", " {}"),
    "tenpai": (": {} tenpai", "（聴牌：{}）"),
    "all tenpai": (": all tenpai", "（全員聴牌）"),
    "all noten": (": all noten", "（全員不聴）"),
    "between players": (", ", "、"),
    "counted yakuman": ("counted yakuman", "数え役満"),
    "draw": ("Draw", "流局"),
    "unfinished": ("Unfinished", "途中終了"),
}
"""Words on how a frame ended, in English and Japanese."""


def _words(lang: str) -> dict[str, str]:
    return {key: pair[lang == "ja"] for key, pair in _WORDS.items()}


def outcomes(frame: FrameInfo, names: Sequence[str], lang: str) -> Iterator[Outcome]:
    """Yield the endings of *frame*; the recorder's comment, if there is one, comes last.

    :param names: the players' names.
    :param lang: the language of *frame*.
    """
    words = _words(lang)
    yield from (_win(win, names, lang) for win in frame.wins)
    if frame.draw is not None:
        yield Outcome(_draw(frame.draw, names, lang))
    elif not frame.wins and frame.comment is None:
        yield Outcome(words["draw"] if frame.points else words["unfinished"])
    if frame.comment is not None:
        yield Outcome(frame.comment)


def _win(win: WinInfo, names: Sequence[str], lang: str) -> Outcome:
    words, winner = _words(lang), names[win.player]
    text = words["tsumo"].format(winner) if win.source is None else words["ron"].format(winner, names[win.source])
    text += _worth(win, words)
    named = [
        (yaku.name.lower() if lang == "en" else yaku.name.replace(" ", ""))
        + ("" if yaku.han in (None, 1) else words["han of a yaku"].format(yaku.han))
        for yaku in win.yaku
    ]
    if named:
        text += words["yaku"].format(words["between yaku"].join(named))
    if win.pao:
        text += words["pao"].format(words["between players"].join([names[player] for player in win.pao]))
    return Outcome(text, any(yaku.han is None for yaku in win.yaku))


def _worth(win: WinInfo, words: Mapping[str, str]) -> str:
    """Return what a hand was worth; fu do not matter to a counted yakuman."""
    text = ""
    if win.points is not None:
        text += words["points"].format(win.points)
    counted = win.han is not None and win.limit in LIMITS[Limit.YAKUMAN]
    if win.limit is not None:
        text += f" {words['counted yakuman'] if counted else win.limit}"
    if win.han is not None:
        text += (
            words["han"].format(win.han) if win.fu is None or counted else words["fu and han"].format(win.fu, win.han)
        )
    return text


_DRAWS_WITH_TENPAI = frozenset(kind.value for kind in TO_THE_LAST)
"""The draws after whose name the text says who is in tenpai; the names of others say it."""


def _draw(draw: DrawInfo, names: Sequence[str], lang: str) -> str:
    words = _words(lang)
    text = words["draw"] if draw.kind == DrawKind.EXHAUSTIVE.value else _KINDS[draw.kind][lang == "en"]
    if draw.nagashi:
        text += words["nagashi"].format(words["between players"].join(names[player] for player in draw.nagashi))
    if draw.tenpai is None or draw.kind not in _DRAWS_WITH_TENPAI:
        return text
    if len(draw.tenpai) in (0, len(names)):
        return text + words["all tenpai" if draw.tenpai else "all noten"]
    return text + words["tenpai"].format(words["between players"].join(names[player] for player in draw.tenpai))


# --- the summary of a match -------------------------------------------------------------------------------------------

_DAYS = {"sun": "日", "mon": "月", "tue": "火", "wed": "水", "thu": "木", "fri": "金", "sat": "土"}
_PLAYERS = {
    "en": ("#", "Player", "Dan", "Rate", "Team", "Affiliation", "Place", "Result"),
    "ja": ("#", "対局者", "段位", "R", "チーム", "所属", "順位", "最終結果"),
}
_RIGHT = frozenset(heads[index] for heads in _PLAYERS.values() for index in (0, 3, 6, 7))
_NAME = frozenset(heads[1] for heads in _PLAYERS.values())
_FRAMES = {"en": ("Hand", "Sticks", "End"), "ja": ("局", "供託", "結果")}
_FRAMES_NARROW = {"en": ("Hand", "Sticks", "End, points by player"), "ja": ("局", "供託", "結果と各対局者の点数")}

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
    head = (_when_and_where(info, lang), info.tournament, info.id)
    for line in map(safe, filter(None, head)):
        taken = columns(line)
        yield from wrap(line, room if sum(taken) <= room else room // max(taken), max_lines=3)
    if any(head):
        yield ""
    more = "…" if safe("…") == "…" else "."
    names = list(_names(info))
    heading, *rows = table(_players(info, names, lang, safe), room, more)
    yield from map(paint.heading, heading)
    yield from chain.from_iterable(rows)
    frames = list(_frames(info, names, lang))
    if not frames:
        return
    yield ""
    frame_columns = _frame_columns(info, frames, names, lang, safe)
    if not fits(frame_columns, room):
        frames = list(_points_below(frames, len(names)))
        frame_columns = _frame_columns(info, frames, (), lang, safe)
    heading, *rows = table(frame_columns, room, more)
    yield from map(paint.heading, heading)
    for frame, lines in zip(frames, rows, strict=True):
        yield from map(paint.great, lines) if frame.great else lines
    presences = list(_presences(info, names, lang))
    if presences:
        yield ""
    for line in presences:
        yield from wrapped(safe(line), room, "  ")


def _names(info: Summary) -> Iterator[str]:
    """Yield what to call the players: their names, with the number of each where several have the same or none."""
    names = [player.name for player in info.players]
    for number, name in enumerate(names):
        yield " ".join(filter(None, (name, f"#{number}" if not name or names.count(name) > 1 else "")))


def _when_and_where(info: Summary, lang: str) -> str:
    """Return the date, weekday, time and place, as far as they are known: ``2009-04-06（月）天鳳``."""
    if lang == "en":
        when = " ".join(filter(None, (info.date, info.weekday and info.weekday.capitalize(), info.time)))
        return ", ".join(filter(None, (when, info.place)))
    day = f"（{_DAYS[info.weekday]}）" if info.weekday else ""
    parts = (f"{info.date or ''}{day}", info.time, info.place)
    return " ".join(filter(None, parts)).replace("） ", "）", 1 if day else 0)


def frame_label(frame: str, lang: str) -> str:
    """Return the name of a frame in *lang*: ``frame_label("S2-1", "ja") == "南2局1本場"``."""
    if lang == "en":
        return frame
    round_, _, honba = frame.partition("-")
    return f"{WINDS[round_[0]]}{round_[1:]}局" + (f"{honba}本場" if honba != "0" else "")


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
    placement = "" if info.places is None else str(info.places[number])
    result = "" if info.results is None else _signed(info.results[number])
    return str(number), name, player.rank or dan, rate, player.team or "", player.affiliation or "", placement, result


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
    """Yield *rows* for a narrow terminal: without the columns of points, which have a separate row, in the order of
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
    for frame, presences in groupby(info.presences, key=lambda presence: presence.frame):
        words = (_PRESENCES[lang][presence.returned].format(names[presence.player]) for presence in presences)
        label = f"{frame_label(frame, lang)}: " if frame else ""
        yield label + _COMMA[lang].join(words)
