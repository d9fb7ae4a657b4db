"""``jmjp stats``: shows statistics of players."""

from __future__ import annotations

import click

from jmjp_convert.batch.survey import Read
from jmjp_convert.cli import options, stats_text
from jmjp_convert.cli.collection import Collection, collecting, collection_options
from jmjp_convert.cli.command import Command, is_given, selection_option
from jmjp_convert.cli.console import WIDTH, one_line, point, printable, room_of_stdout, say
from jmjp_convert.cli.language import language_option
from jmjp_convert.cli.report import Report
from jmjp_convert.cli.stats_output import CSV, HTML, JSON, StatsOutput, stats_output
from jmjp_convert.cli.stats_text import Found
from jmjp_convert.cli.text import Paint, for_stdout
from jmjp_convert.formats.reading import Reading
from jmjp_convert.model.record import record
from jmjp_convert.stats.counts import Players

_EPILOG = """\b
Examples:
  jmjp stats games/
  jmjp stats --player ASAPIN --min-games 100 houou.zip
  jmjp stats --csv games/ > players.csv
  jmjp stats games/ -o players.html --open
  jmjp batch -o games/ 2024.zip && jmjp stats games/

Exit codes: 0 success, 1 some input failed, 2 usage error, 130 interrupted.
"""

_HELP = f"""Show statistics of players: placings, wins, deal-ins, riichi, calls, yaku.

SRC is {options.INPUT}, a directory or archive of them, or - for
stdin. Players are identified by name; three-player and four-player games are
counted separately. A game that appears twice in SRC counts twice.
"""


@click.command("stats", cls=Command, help=_HELP, epilog=_EPILOG)
@click.argument("srcs", metavar="SRC...", nargs=-1, required=True, type=options.PATH)
@selection_option("--player", "names", metavar="NAME", multiple=True, help="Show NAME only, in full (repeatable).")
@selection_option(
    "--min-games", type=click.IntRange(1), default=1, metavar="N", help="Leave out players with fewer than N games."
)
@stats_output
@language_option
@collection_options
@options.reading
def command(
    srcs: tuple[str, ...],
    *,
    names: tuple[str, ...],
    min_games: int,
    output: StatsOutput,
    lang: str,
    collection: Collection,
    reading: Reading,
) -> int:
    """Show statistics of players."""
    options.check_sources(srcs, reading)
    output.check(srcs)
    report = Report(say, point)
    players = Players()
    with collecting(srcs, collection, quiet=False) as given:
        for one, seen in given.survey(_Task(names, output.form == HTML), reading):
            for text in seen.notices:
                report.notice(one.label, text)
            if seen.failure is not None:
                report.fail(one.label, seen.failure)
            if seen.found is not None:
                players.add(seen.found)
    found = players.ranked(min_games)
    missing = [name for name in names if name not in {who.name for who, _ in found}]
    for name in missing:
        known = any(who.name == name for who in players.counts)
        report.problem(f"{name}: {f'fewer than {min_games:,} games' if known else 'no such player'}")

    code = 1 if missing else report.exit_code
    if code and not found and output.path is not None:
        return code  # nobody wants a file of nobody, and the reason has been reported
    output.write(_content(output, players, found, lang, full=bool(names)), found)
    if output.opened and output.path is not None:
        from jmjp_convert.cli.browser import open_page

        open_page(output.path, report)
    return code


def _content(output: StatsOutput, players: Players, found: Found, lang: str, *, full: bool) -> str:
    """Return the output for the players *found* among *players*; text shows all about each of them if *full*."""
    if output.form == JSON:
        return stats_text.as_json(found)
    if output.form == CSV:
        return stats_text.as_csv(found)
    if output.form == HTML:
        from jmjp_convert.stats.page import stats_page

        return stats_page(found, players.curves, lang if is_given("lang") else None)
    text = stats_text.cards if full else stats_text.overview
    if output.path is None:
        lines = text(found, lang, printable, room=room_of_stdout(), paint=for_stdout())
    else:
        lines = text(found, lang, one_line, room=WIDTH, paint=Paint(on=False))
    return "".join(f"{line}\n" for line in lines)


@record
class _Task:
    """The players of one file, in any process."""

    names: tuple[str, ...]
    over_time: bool

    def __call__(self, _: str, read: Read) -> Players:
        players = Players(self.names, over_time=self.over_time)
        players.add_matches(read(None).matches)
        return players
