"""``jmjp fetch``: its options and the checks on their combinations."""

from __future__ import annotations

import math
from typing import Any

import click

from jmjp_convert.cli import options
from jmjp_convert.cli.command import Command, option, output_option, selection_option
from jmjp_convert.cli.fetch_run import Asked, Fetching
from jmjp_convert.cli.options import STDOUT
from jmjp_convert.errors import ConvertError
from jmjp_convert.fetch.lists import LENGTHS, LINKED
from jmjp_convert.fetch.web import BASE_URL, Server, server
from jmjp_convert.files.inputs import STDIN
from jmjp_convert.model.record import replace

_EPILOG = """\b
Examples:
  jmjp fetch 2019041809gm-0009-0000-0123abcd
  jmjp fetch 'https://tenhou.net/0/?log=2019041809gm-0009-0000-0123abcd&tw=2'
  jmjp fetch --input-file ids.txt -o logs/ --convert
  jmjp fetch --index -o pages/             fetch new list pages
  jmjp fetch --list pages/ --players 4 --date 2021-07
  jmjp fetch pages/ -o games/ --convert-only

Exit codes: 0 success, 1 some input failed, 2 usage error, 130 interrupted.
"""


class _Seconds(click.FloatRange):
    """A number of seconds, at most an hour."""

    def __init__(self, least: float, *, least_open: bool = False) -> None:
        super().__init__(least, 3600, min_open=least_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return *value* as a number; ``nan`` is rejected here, because the range check lets it pass."""
        found = float(super().convert(value, param, ctx))
        if math.isnan(found):
            self.fail(f"{value} is not a valid number of seconds", param, ctx)
        return found


def _base(_: click.Context, __: click.Parameter, value: str) -> Server:
    try:
        return server(value)
    except ConvertError as error:
        raise click.BadParameter(str(error)) from error


@click.command("fetch", cls=Command, epilog=_EPILOG)
@click.argument("whats", metavar="[WHAT]...", nargs=-1)
@option(
    "-i", "--input-file", "files", metavar="FILE", multiple=True, help="Read IDs and links from FILE, or - for stdin."
)
@output_option("-o", "--output", metavar="DIR|-", default=".", help="Output directory, or - for stdout.  [default: .]")
@output_option(
    "--convert",
    is_flag=True,
    help="Also convert each log, by default to jmjp. Implied by --to, --wall and other options for the output format.",
)
@output_option("--convert-only", is_flag=True, help="Write only the converted games, not the logs.")
@option("--list", "listing", is_flag=True, help="List the IDs without fetching any logs.")
@option("--json", "as_json", is_flag=True, help="With --list: show all details, one JSON object per line.")
@selection_option("--players", type=options.PLAYERS, help="Only games with this many players.")
@selection_option("--length", type=click.Choice(LENGTHS), help="Only games of this length.")
@selection_option("--date", metavar="DATE", callback=options.date, help="Only games from this day, month or year.")
@selection_option("--limit", metavar="N", type=click.IntRange(1), help="Only the first N games.")
@option("--index", is_flag=True, help="Fetch new list pages of the last seven days.")
@option("--old", is_flag=True, help="With --index: fetch older pages of this year instead.")
@option("--pages", type=click.Choice(LINKED), multiple=True, help="With --index: only pages of this kind.")
@option("--again", is_flag=True, help="Ask again now for missing logs, and retry failed conversions.")
@output_option("--force", is_flag=True, help="Fetch again and overwrite existing files.")
@option(
    "--delay",
    metavar="SECONDS",
    type=_Seconds(0.5),
    default=1,
    show_default=True,
    help="Pause between requests, at least 0.5.",
)
@option(
    "--timeout",
    metavar="SECONDS",
    type=_Seconds(0, least_open=True),
    default=30,
    show_default=True,
    help="Longest wait for the next bytes; a whole response may take ten times that.",
)
@option(
    "--base-url",
    "base",
    metavar="URL",
    envvar="JMJP_BASE_URL",
    default=BASE_URL,
    show_default=True,
    callback=_base,
    help="Use another server, such as a mirror (also: JMJP_BASE_URL).",
)
@option("--no-wait", is_flag=True, help="Fail instead of waiting for another running fetch.")
@option("--no-progress", is_flag=True, help="Hide the progress bar.")
@option("-q", "--quiet", is_flag=True, help="Show warnings and errors only.")
@options.writing()
@options.bounds
def command(**values: Any) -> int:
    """Fetch logs from Tenhou, one request at a time.

    WHAT is a log ID (scrambled or not), a link to a log, or a file: a list page (sc....html, plain or gzipped, or a
    directory or zip of them), a list of IDs and links, one per line, or - for such a list on stdin; or the list of your
    own games that Tenhou's Windows client keeps (config.ini). Each log is saved as ID.xml, unless that file exists.
    Tenhou's terms forbid passing logs on.
    """
    asked = Asked(**values)
    if options.is_writing_given() and not asked.convert_only:
        asked = replace(asked, convert=True)
    _check_usage(asked)
    fetching = Fetching(asked)
    if asked.index:
        return fetching.pages()
    if asked.listing:
        return fetching.listed()
    return fetching.logs()


def _check_usage(asked: Asked) -> None:
    named = (*asked.whats, *asked.files)
    converting = asked.convert or asked.convert_only
    choosing = asked.players or asked.length or asked.date or asked.limit
    problems = (
        ("" in (*named, asked.output), "an argument is empty"),
        (named.count(STDIN) > 1, "stdin (-) can be read only once"),
        (asked.index and named, "--index accepts no WHAT; fetch the pages first, then the games in them"),
        (not asked.index and not named, "nothing to fetch; give an ID, a link, a file or --index"),
        (asked.convert and asked.convert_only, "use --convert or --convert-only, not both"),
        (asked.as_json and not asked.listing, "--json requires --list"),
        ((asked.old or asked.pages) and not asked.index, "--old and --pages require --index"),
        (asked.index and (converting or asked.again), "--index fetches list pages only; fetch the games later"),
        (asked.index and choosing and not asked.listing, "--index fetches whole pages; add --list to select games"),
        (
            asked.listing and (converting or asked.again),
            "--list fetches no logs; leave out --again and options for conversion",
        ),
        (asked.bounds.strict and not converting, "--strict requires --convert or --convert-only"),
        (asked.output == STDOUT and asked.index, "list pages cannot go to stdout; use -o DIR"),
        (asked.output == STDOUT and asked.convert, "log and conversion cannot both go to stdout; use --convert-only"),
    )
    for found, message in problems:
        if found:
            raise click.UsageError(message)
