"""``jmjp fetch``: its options, and which of them go together."""

from __future__ import annotations

import math
from typing import Any

import click

from jmjp_convert.cli import options
from jmjp_convert.cli.fetch_run import Asked, Fetching
from jmjp_convert.cli.options import STDOUT
from jmjp_convert.errors import ConvertError
from jmjp_convert.fetch.lists import LENGTHS, LINKED
from jmjp_convert.fetch.web import BASE_URL, Server, server
from jmjp_convert.files.inputs import STDIN

_EPILOG = """\b
Examples:
  jmjp fetch 2019041809gm-0009-0000-0123abcd
  jmjp fetch 'https://tenhou.net/0/?log=2019041809gm-0009-0000-0123abcd&tw=2'
  jmjp fetch --input-file ids.txt -o logs/ --convert
  jmjp fetch --index -o pages/             list pages that are new
  jmjp fetch --list pages/ --players 4 --date 2021-07
  jmjp fetch pages/ -o games/ --convert-only

Exit codes: 0 all is there, 1 some is not, 2 wrong usage, 130 interrupted.
"""


class _Seconds(click.FloatRange):
    """So many seconds: a number, up to an hour."""

    def __init__(self, least: float, *, least_open: bool = False) -> None:
        super().__init__(least, 3600, min_open=least_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return *value* as a number: what is not a number is in no range, which the range itself does not see."""
        found = float(super().convert(value, param, ctx))
        if math.isnan(found):
            self.fail(f"{value} is no number of seconds", param, ctx)
        return found


def _base(_: click.Context, __: click.Parameter, value: str) -> Server:
    try:
        return server(value)
    except ConvertError as error:
        raise click.BadParameter(str(error)) from error


@click.command("fetch", short_help="Fetch logs by their ids.", epilog=_EPILOG)
@click.argument("whats", metavar="[WHAT]...", nargs=-1)
@click.option("-i", "--input-file", "files", metavar="FILE", multiple=True, help="Take ids and links from FILE, or -.")
@click.option("-o", "--output", metavar="DIR|-", default=".", help="Where the files go, or stdout.  [default: here]")
@click.option("--convert", is_flag=True, help="Write each game as jmjp (or --to) as well.")
@click.option("--convert-only", is_flag=True, help="Write each game as jmjp (or --to) alone.")
@click.option("--list", "listing", is_flag=True, help="Show the ids, and fetch no log.")
@click.option("--json", "as_json", is_flag=True, help="With --list: an object a line, with all that is known.")
@click.option("--players", type=click.Choice(["3", "4"]), help="Only games of so many players.")
@click.option("--length", type=click.Choice(LENGTHS), help="Only games of this length.")
@click.option("--date", metavar="DATE", callback=options.date, help="Only games of this day, month or year.")
@click.option("--limit", metavar="N", type=click.IntRange(1), help="Only the first N games.")
@click.option("--index", is_flag=True, help="Fetch the list pages of the last seven days that are new.")
@click.option("--old", is_flag=True, help="With --index: those of this year before that.")
@click.option("--pages", type=click.Choice(LINKED), multiple=True, help="With --index: only pages of this kind.")
@click.option("--again", is_flag=True, help="Try again what was not there, or not convertible, before.")
@click.option("--force", is_flag=True, help="Fetch anew what is there already.")
@click.option(
    "--delay",
    metavar="SECONDS",
    type=_Seconds(0.5),
    default=1,
    show_default=True,
    help="The pause between two requests, at least 0.5.",
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=_Seconds(0, least_open=True),
    default=30,
    show_default=True,
    help="How long to wait for an answer.",
)
@click.option(
    "--base-url",
    "base",
    metavar="URL",
    envvar="JMJP_BASE_URL",
    default=BASE_URL,
    show_default=True,
    callback=_base,
    help="Another server, as a mirror. JMJP_BASE_URL sets it too.",
)
@click.option("--no-wait", is_flag=True, help="Do not wait for another fetch that is running.")
@click.option("--no-progress", is_flag=True, help="Show no progress bar.")
@click.option("-q", "--quiet", is_flag=True, help="Say only what is wrong.")
@options.writing()
@options.bounds
def command(**values: Any) -> int:
    """Fetch logs from Tenhou, one request at a time.

    WHAT is a log's id, scrambled or not, a link that holds one, or a file: a list page (sc....html, plain or gzip, a
    directory or a zip of such), a list of ids and links, one a line, or - for such a list on stdin. Each becomes
    ID.xml, unless it is there already. Please mind Tenhou's terms: logs are not to be passed on.
    """
    asked = Asked(**values)
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
    refusals = (
        ("" in (*named, asked.output), "a name is empty"),
        (named.count(STDIN) > 1, "stdin (-) can be read only once"),
        (asked.index and named, "--index takes no WHAT: fetch the pages first, then the games in them"),
        (not asked.index and not named, "nothing to fetch: an id, a link, a file or --index is needed"),
        (asked.convert and asked.convert_only, "--convert and --convert-only are two ways: take one"),
        (asked.as_json and not asked.listing, "--json is for --list"),
        ((asked.old or asked.pages) and not asked.index, "--old and --pages are for --index"),
        (asked.index and (converting or asked.again), "--index fetches list pages: fetch the games in them then"),
        (asked.index and choosing and not asked.listing, "--index fetches whole pages: choose games with --list"),
        (asked.listing and (converting or asked.again), "--list fetches no logs"),
        (asked.output == STDOUT and asked.index, "list pages go into a directory"),
        (asked.output == STDOUT and asked.convert, "only one thing goes to stdout: take --convert-only"),
    )
    for refused, why in refusals:
        if refused:
            raise click.UsageError(why)
