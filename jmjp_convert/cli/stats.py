"""``jmjp stats``: shows statistics of players."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import click

from jmjp_convert.batch.survey import Opened
from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command, is_given, output_option, selection_option
from jmjp_convert.cli.console import (
    WIDTH,
    Paint,
    counted,
    is_terminal,
    language_of_stdout,
    one_line,
    paint_for,
    printable,
    room_of_stdout,
    say,
    short_path,
    write,
    write_data,
)
from jmjp_convert.cli.options import STDOUT, Placing
from jmjp_convert.cli.report import Report, open_page
from jmjp_convert.cli.surveying import Collection, collection_options, names_option, surveyed
from jmjp_convert.cli.text_table import Column, distinct, fits, table
from jmjp_convert.files import outputs
from jmjp_convert.files.compression import compressed, without_extension
from jmjp_convert.files.inputs import STDIN, is_path
from jmjp_convert.formats.reading import Reading
from jmjp_convert.messages import Kind, as_cell
from jmjp_convert.model.yaku import NAMES
from jmjp_convert.pages import is_marked, mark_of, marked
from jmjp_convert.stats.counts import GUEST, RATES, Counts, Person, Players, Rate, is_called, labels, value_of

# --- the output -------------------------------------------------------------------------------------------------------

_ESCAPED = "backslashreplace"
"""What becomes of lone surrogates in names, which cannot be encoded."""
JSON, CSV, HTML, TEXT = "json", "csv", "html", "text"
"""What the statistics may be written as."""
_SUFFIXES = {".json": JSON, ".csv": CSV, ".html": HTML}
"""The extensions of such files; any other is of text."""


class StatsOutput(NamedTuple):
    """The options for the output."""

    to: str | None = None
    output: str | None = None
    force: bool = False
    opened: bool = False
    raw: bool = False
    quiet: bool = False

    @property
    def form(self) -> str:
        """What is written.

        :raises click.UsageError: the options contradict each other.
        """
        by_suffix = _SUFFIXES.get(self._extension)
        if self.to is not None and by_suffix not in (None, self.to):
            why = f"{self.output} has the extension of {by_suffix}, not of {self.to}"
            raise click.UsageError(f"{why}; leave out --to, or change the extension")
        return self.to or by_suffix or TEXT

    @property
    def path(self) -> Path | None:
        """The file, or ``None`` for stdout."""
        return None if self.output is None or self.output == STDOUT else Path(self.output)

    @property
    def _extension(self) -> str:
        """The extension of the file, without that of a compression; empty for none."""
        return Path(without_extension(self.path.name)).suffix.lower() if self.path else ""

    def check(self, srcs: Sequence[str]) -> None:
        """Check, before anything is read, that the statistics of *srcs* can be written.

        :raises click.UsageError: the options contradict each other.
        :raises FileError: the file exists, or is an input.
        """
        options.refuse(
            options.empty(self.output),
            (
                self.output and Placing(self.output).directory,
                f"{self.output} is a directory; name a file for the output",
            ),
        )
        if self.opened and (self.form != HTML or self.path is None):
            raise click.UsageError("--open needs a page in a file; name one with --output, such as players.html")
        if self.raw and self.form != CSV:
            raise click.UsageError("--raw is for --to csv")
        if self.form == HTML:
            options.refuse_compressed_page(self.output)
            if self.path is None:
                options.refuse_page_on_terminal()
        if self.path is not None:
            with outputs.Outputs(filter(is_path, srcs), force=self.force) as files:
                files.reserve(str(self.path), "", renew=self._is_renewed(srcs))
            if not (self.to or self.quiet or self._extension in (*_SUFFIXES, ".txt", "")):
                say(f"{self.path}: unknown extension; writing {TEXT} (--to sets the format)", Kind.WARNING)

    def _mark(self, srcs: Sequence[str]) -> str:
        """Return the mark of a page made from *srcs*; "" if there is none: only pages are renewed, and standard input
        may be anything."""
        return "" if self.form != HTML or self.path is None or STDIN in srcs else mark_of(srcs, str(self.path))

    def _is_renewed(self, srcs: Sequence[str]) -> bool:
        """Return whether the file is a page made from the same *srcs*."""
        mark = self._mark(srcs)
        return bool(mark) and is_marked(str(self.path), mark)

    def write(self, content: str, srcs: Sequence[str], ranked: Ranked) -> None:
        """Write *content*, which is about the players *ranked* in *srcs*.

        :raises FileError: it cannot be written.
        """
        if self.path is not None:
            force = self.force or self._is_renewed(srcs)
            outputs.make_directory(self.path.parent)
            text = marked(content, self._mark(srcs)).encode("utf-8", _ESCAPED)
            outputs.write(self.path, compressed(text, self.path.name), force=force)
            if not self.quiet:
                say(f"{short_path(self.path)}: {counted(len(ranked), 'player')}")
        elif self.form == HTML:
            outputs.write_stdout(content.encode())
        elif self.form == TEXT:
            write(content)
        else:
            write_data(content)


stats_output = options.bundled(
    "output",
    StatsOutput,
    output_option(
        "-o",
        "--output",
        metavar="FILE|-",
        type=options.PATH,
        help="Write to FILE, in the form that its extension stands for, or to stdout (-).",
    ),
    output_option(
        "--to",
        type=options.Choice([TEXT, HTML, CSV, JSON]),
        help="Form of the output: html is a page for the browser, csv and json have a row for each player.  "
        "[default: from the extension of --output, or text]",
    ),
    output_option("--force", is_flag=True, help="Overwrite an existing file."),
    output_option("--open", "opened", is_flag=True, help="Open the page in the browser."),
    output_option("--raw", is_flag=True, help="Leave names in CSV as they are, even formulas."),
    output_option("-q", "--quiet", is_flag=True, help="Show warnings and errors only."),
)


# --- as text, JSON and CSV --------------------------------------------------------------------------------------------

Ranked = Sequence[tuple[Person, Counts]]
"""The players to show, in order."""

_FOUR = 4
_THOUSAND = 1000
_SHORT_NAME = 6  # columns
_YAKU = {f"yaku {number}": names for number, names in enumerate(NAMES)}
_COUNTED = ("games", "frames", "wins", "deal_ins", "riichi", "calls", "draws", "busts", "result")
"""The counts that CSV has too, before the rates."""

_TITLES = {
    "en": ("{}, four players: {}, {}", "{}, three players: {}, {}"),
    "ja": ("{} 四人麻雀 {} {}", "{} 三人麻雀 {} {}"),
}
_COUNTERS = {"games": {"en": "game", "ja": "戦"}, "frames": {"en": "hand", "ja": "局"}}
_HEADS = {"en": ("Player", "Games"), "ja": ("対局者", "対局")}
_THREE_PLAYERS = {"en": "Three players", "ja": "三人麻雀"}
_OF = {"en": "{} of {}", "ja": "{}/{}"}
_YAKU_TITLE = {"en": "Yaku (share of wins)", "ja": "役（和了に占める割合）"}
_UNKNOWN = "-"


def number(rate: Rate, counts: Counts) -> str:
    """Return a *rate* of a player as text."""
    result = value_of(rate, counts)
    if result is None:
        return _UNKNOWN
    if rate.form == "share":
        return f"{result:.1%}"
    if rate.form == "points":
        return f"{result:,.0f}"
    return f"{result / _THOUSAND:+.1f}" if rate.form == "result" else f"{result:.2f}"


def overview(ranked: Ranked, lang: str, safe: Callable[[str], str], *, room: int, paint: Paint) -> Iterator[str]:
    """Yield a table of players, those at tables of three separately.

    :param safe: escapes what the terminal cannot show in one line.
    :param room: the columns of a line.
    """
    language = lang == "ja"
    for seats in sorted({who.seats for who, _ in ranked}, reverse=True):
        players = [(who, counts) for who, counts in ranked if who.seats == seats]
        if seats != _FOUR:
            yield ""
            yield paint.heading(_THREE_PLAYERS[lang])
        names = [safe(label) or _UNKNOWN for label in labels(who for who, _ in players)]
        player, games = _HEADS[lang]
        columns = [
            Column([player, *names], least=distinct(names, _SHORT_NAME)),
            Column([games, *(f"{counts['games']:,}" for _, counts in players)], right=True),
        ]
        rates = [
            Column([rate.short[language], *(number(rate, counts) for _, counts in players)], right=True)
            for rate in _rates_of(seats)
            if rate.short
        ]
        while room < WIDTH and rates and not fits([*columns, *rates], room):
            rates.pop()  # --player and the other forms have all of them
        heading, *rows = table([*columns, *rates], room, "…" if safe("…") == "…" else ".")
        yield from map(paint.heading, heading)
        yield from chain.from_iterable(rows)


def cards(ranked: Ranked, lang: str, safe: Callable[[str], str], *, room: int, paint: Paint) -> Iterator[str]:
    """Yield all that is known of each player, one below the other."""
    language = lang == "ja"
    names = labels(who for who, _ in ranked)
    for index, (who, counts) in enumerate(ranked):
        if index:
            yield ""
        title = _TITLES[lang][who.seats != _FOUR]
        numbers = [_number(counts[key], lang, units) for key, units in _COUNTERS.items()]
        yield paint.heading(title.format(safe(names[index]) or _UNKNOWN, *numbers))
        yield ""
        rates = _rates_of(who.seats)
        columns = [
            Column([(rate.english, rate.japanese)[language] for rate in rates]),
            Column([number(rate, counts) for rate in rates], right=True),
            Column([_parts(rate, counts, lang) for rate in rates]),
        ]
        yield from chain.from_iterable(table(columns, room, "…"))
        yaku = sorted((key for key in _YAKU if counts[key]), key=counts.__getitem__, reverse=True)
        if yaku:
            yield ""
            yield paint.heading(_YAKU_TITLE[lang])
            columns = [
                Column([(_YAKU[key].english, _YAKU[key].japanese)[language] for key in yaku]),
                Column([f"{counts[key] / counts['wins']:.1%}" for key in yaku], right=True),
                Column([f"{counts[key]:,}" for key in yaku], right=True),
            ]
            yield from chain.from_iterable(table(columns, room, "…"))


def _rates_of(seats: int) -> list[Rate]:
    """Return the rates of players at tables with as many *seats*."""
    return [rate for rate in RATES if seats == _FOUR or rate.of != "place4"]


def _number(number: int, lang: str, names: Mapping[str, str]) -> str:
    """Return a *number* of what is called *names* by language."""
    return counted(number, names[lang]) if lang == "en" else f"{number:,}{names[lang]}"


def _parts(rate: Rate, counts: Counts, lang: str) -> str:
    """Return the counts behind a *rate* that is a share."""
    if rate.form != "share" or not counts[rate.by]:
        return ""
    return _OF[lang].format(f"{counts[rate.of]:,}", f"{counts[rate.by]:,}")


def as_json(ranked: Ranked) -> str:
    """Return the players as JSON: all counts, all rates, and the yaku by name."""
    objects = []
    for who, counts in ranked:
        rates = {rate.key: value_of(rate, counts) for rate in RATES}
        yaku = {names.romaji: counts[key] for key, names in _YAKU.items() if counts[key]}
        plain = {key: count for key, count in sorted(counts.items()) if not key.startswith("yaku ")}
        player = {"player": who.name, "players": who.seats, "house": _house(who) or None, "account": who.account}
        objects.append({**player, **rates, "yaku": yaku, "counts": plain})
    lines = ",\n".join(json.dumps(player).replace("\x7f", "\\u007f") for player in objects)
    return f"[{lines}]\n"


def _house(who: Person) -> str:
    return who.house.value if who.house else ""


def as_csv(ranked: Ranked, *, raw: bool = False) -> str:
    """Return the players as CSV; an unknown rate is an empty cell.

    :param raw: whether names that look like formulas stay as they are.
    """
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(
        [
            *("player", "players", "house", "account", *_COUNTED),
            *(rate.key for rate in RATES),
            *(names.romaji for names in _YAKU.values()),
        ]
    )
    for who, counts in ranked:
        rates = [value_of(rate, counts) for rate in RATES]
        name = who.name if raw else as_cell(who.name)
        player = (name, who.seats, _house(who), who.account)
        out.writerow([*player, *(counts[key] for key in _COUNTED), *rates, *(counts[key] for key in _YAKU)])
    return text.getvalue()


# --- the command ------------------------------------------------------------------------------------------------------

_TOP = 20  # players on a terminal
_CARDS = 10  # players that are shown in full
_GAMES, _PLAYER = "games", "player"
_SORTS = {rate.key.removeprefix("mean_").removesuffix("_rate").replace("_", "-"): rate for rate in RATES}
"""The rates by the names for ``--sort``."""
_COLUMNS = (_GAMES, _PLAYER, *_SORTS)


def _column(name: str) -> str:
    """Return the column called *name*, also as in CSV."""
    column = name.lower().replace("_", "-").removeprefix("mean-").removesuffix("-rate")
    if column not in _COLUMNS:
        raise click.BadParameter(f"{name!r} is not a column; choose from {', '.join(_COLUMNS)}")
    return column


_EPILOG = """\b
Examples:
  jmjp stats games/
  jmjp stats --player ASAPIN houou.zip
  jmjp stats --sort place --min-games 100 --top 10 houou.zip
  jmjp stats games/ -o players.csv
  jmjp stats games/ -o players.html --open
  jmjp batch -o games/ 2024.zip && jmjp stats games/
"""

_HELP = f"""Show statistics of players: placements, wins, deal-ins, riichi, calls, yaku.

SRC is {options.INPUT}, a directory or archive of them, or - for
stdin. Players are identified by account number, where the games have one, or
else by name; three-player and four-player games are counted separately. Copies of a game count once.
"""


@click.command("stats", cls=Command, help=_HELP, epilog=_EPILOG)
@options.sources
@selection_option(
    "--player",
    "names",
    metavar="NAME",
    multiple=True,
    help="Show this player only, in full: a name, a part of it, or an account number (repeatable).",
)
@selection_option(
    "--min-games", type=click.IntRange(1), default=1, metavar="N", help="Leave out players with fewer than N games."
)
@selection_option(
    "--sort",
    metavar="COLUMN",
    callback=options.parsed(_column),
    shell_complete=lambda _, __, incomplete: [name for name in _COLUMNS if name.startswith(incomplete)],
    default=_GAMES,
    help=f"Order of the players: {', '.join(_COLUMNS)}.  [default: {_GAMES}]",
)
@selection_option(
    "--top",
    type=click.IntRange(1),
    metavar="N",
    help=f"Show only the first N players.  [default: {_TOP} on a terminal, otherwise all]",
)
@stats_output
@names_option
@collection_options
@options.reading
def command(
    srcs: tuple[str, ...],
    *,
    names: tuple[str, ...],
    min_games: int,
    sort: str,
    top: int | None,
    output: StatsOutput,
    lang: str | None,
    collection: Collection,
    reading: Reading,
) -> int:
    """Show statistics of players."""
    options.check_sources(srcs, reading)
    options.refuse(options.empty(*names))
    output.check(srcs)
    report = Report(quiet=output.quiet, verbose=collection.verbose, many=True)
    players = Players(names)
    task = partial(_players_in, names=names, over_time=output.form == HTML)
    for _, in_file in surveyed(srcs, task, reading, report, collection, named_once=True):
        if in_file is not None:
            players.add(in_file)
    report.say_skipped()
    ranked = _sorted(players.ranked(min_games), sort)
    missing = players.missing
    for name in missing:
        say(_missing(name, players), Kind.ERROR)
    for name in names:
        if name not in missing and not any(is_called(who, name) for who, _ in ranked):
            say(f"{name}: fewer than {min_games:,} games", Kind.ERROR)
            missing.append(name)
    _say_left_out(players, names, report)
    if not ranked and players.counts and not names:
        report.remark(f"no player has {min_games:,} games or more", Kind.NOTE)
    is_on_terminal = output.form == TEXT and output.path is None and is_terminal()
    ranked, hidden = _first(ranked, top or (_TOP if is_on_terminal and not names else None))
    if hidden and top is None:
        report.remark(f"{counted(hidden, 'more player')} not shown; --top N shows more, -o FILE all", Kind.NOTE)

    code = 1 if missing else report.exit_code
    if code and not ranked and output.path is not None:
        return code  # nobody wants a file of nobody, and the reason has been reported
    output.write(
        _content(output, players, ranked, lang or language_of_stdout(), full=bool(names) and len(ranked) <= _CARDS),
        srcs,
        ranked,
    )
    if output.opened and output.path is not None:
        open_page(output.path, report)
    return code


def _say_left_out(players: Players, names: Sequence[str], report: Report) -> None:
    """Report how often those played who are left out, unless they are asked for by *names*."""
    if players.guests and GUEST not in names:
        appearances = counted(players.guests, "appearance")
        report.remark(f"{GUEST} is the name of all guests; {appearances} left out", Kind.NOTE)
    if players.computers and players.computers.keys().isdisjoint(names):
        appearances = counted(players.computers.total(), "appearance")
        report.remark(f"computer players are not counted; {appearances} left out", Kind.NOTE)
    if players.nameless:
        appearances = counted(players.nameless, "appearance")
        report.remark(f"players without a name are not counted; {appearances} left out", Kind.NOTE)


def _missing(name: str, players: Players) -> str:
    """Return why nobody is called *name*."""
    if name == GUEST:
        return f"{GUEST} is the name of all guests, who are many people; there are no statistics of them"
    if players.computers[name]:
        return f"{name} is the name of computer players; there are no statistics of them"
    near = players.near(name)
    return f"{name}: no such player" + (f"; similar names: {', '.join(near)}" if near else "")


def _sorted(ranked: Ranked, column: str) -> Ranked:
    """Return the players *ranked* in the order of a *column*: those with the best placement, the first name, or the
    largest number come first, and those for whom it is unknown last."""
    if column == _GAMES:
        return ranked
    if column == _PLAYER:
        return sorted(ranked, key=lambda player: (-player[0].seats, player[0].name))
    rate = _SORTS[column]
    sign = 1 if rate.of == "places" else -1

    def key(player: tuple[Person, Counts]) -> tuple[int, bool, float]:
        who, counts = player
        number = value_of(rate, counts)
        return -who.seats, number is None, sign * (number or 0)

    return sorted(ranked, key=key)


def _first(ranked: Ranked, top: int | None) -> tuple[Ranked, int]:
    """Return the first *top* players with three and four players each, and how many others there are."""
    if top is None:
        return ranked, 0
    seen: Counter[int] = Counter()
    first = []
    for who, counts in ranked:
        seen[who.seats] += 1
        if seen[who.seats] <= top:
            first.append((who, counts))
    return first, len(ranked) - len(first)


def _content(output: StatsOutput, players: Players, ranked: Ranked, lang: str, *, full: bool) -> str:
    """Return the output for the players *ranked* among *players*; text shows all about each of them if *full*."""
    if output.form == JSON:
        return as_json(ranked)
    if output.form == CSV:
        return as_csv(ranked, raw=output.raw)
    if output.form == HTML:
        from jmjp_convert.stats.page import stats_page

        return stats_page(ranked, players.curves, lang if is_given("lang") else None)
    text = cards if full else overview
    if output.path is None:
        lines = text(ranked, lang, printable, room=room_of_stdout(), paint=paint_for(sys.stdout))
    else:
        lines = text(ranked, lang, one_line, room=WIDTH, paint=Paint(on=False))
    return "".join(f"{line}\n" for line in lines)


def _players_in(opened: Opened, *, names: tuple[str, ...], over_time: bool) -> Players:
    """Return the players of one file; called in any process."""
    players = Players(names, over_time=over_time)
    players.add_matches(opened.read().matches)
    return players
