"""``jmjp stats``: shows statistics of players."""

from __future__ import annotations

import click

from jmjp_convert.batch.survey import Read
from jmjp_convert.cli import options, stats_text
from jmjp_convert.cli.collection import Collection, collecting, collection_options
from jmjp_convert.cli.command import Command, option, selection_option
from jmjp_convert.cli.console import point, printable, room_of_stdout, say, write
from jmjp_convert.cli.language import language_option
from jmjp_convert.cli.paint import for_stdout
from jmjp_convert.cli.report import Report
from jmjp_convert.formats.reading import Reading
from jmjp_convert.model.record import record
from jmjp_convert.stats.counts import Counts
from jmjp_convert.stats.players import Players, Who

_EPILOG = """\b
Examples:
  jmjp stats games/
  jmjp stats --player ASAPIN --min-games 100 houou.zip
  jmjp stats --csv games/ > players.csv
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
    "--min-games", type=click.IntRange(1), default=1, metavar="N", help="Leave out players of fewer than N games."
)
@option("--json", "as_json", is_flag=True, help="Write JSON: a list with one object per player.")
@option("--csv", "as_csv", is_flag=True, help="Write CSV: one line per player.")
@language_option
@collection_options
@options.reading
def command(
    srcs: tuple[str, ...],
    *,
    names: tuple[str, ...],
    min_games: int,
    as_json: bool,
    as_csv: bool,
    lang: str,
    collection: Collection,
    reading: Reading,
) -> int:
    """Show statistics of players."""
    if as_json and as_csv:
        raise click.UsageError("use --json or --csv, not both")
    options.check_sources(srcs, reading)
    report = Report(say, point)
    players = Players()
    with collecting(srcs, collection, quiet=False) as given:
        for one, seen in given.survey(_Task(names), reading):
            for text in seen.notices:
                report.notice(one.label, text)
            if seen.failure is not None:
                report.fail(one.label, seen.failure)
            players.add(seen.found or {})
    found = players.ranked(min_games)
    missing = [name for name in names if name not in {who.name for who, _ in found}]
    for name in missing:
        why = "no such player" if min_games == 1 else f"no such player with {min_games:,} games"
        report.problem(f"{name}: {why}")
    if as_json:
        write(stats_text.as_json(found))
    elif as_csv:
        write(stats_text.as_csv(found))
    else:
        lines = stats_text.cards if names else stats_text.overview
        for line in lines(found, lang, printable, room=room_of_stdout(), paint=for_stdout()):
            write(line + "\n")
    return 1 if missing else report.exit_code


@record
class _Task:
    """The counts of one file, in any process."""

    names: tuple[str, ...]

    def __call__(self, _: str, read: Read) -> dict[Who, Counts]:
        players = Players(self.names)
        players.add_matches(read(None).matches)
        return players.counts
